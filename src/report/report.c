/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of reports. To add one: a file with one struct report, and a row here. */
#include "config.h"

#include "report/report.h"

#include <stddef.h>
#include <string.h>

const struct report *const reports[] = {
	&report_text,
	&report_json,
	&report_csv,
	NULL,
};

const struct report *report_find(const char *name)
{
	for (size_t i = 0; reports[i]; i++)
		if (strcmp(reports[i]->name, name) == 0)
			return reports[i];
	return NULL;
}
