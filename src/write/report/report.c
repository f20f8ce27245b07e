/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of reports. The first one is the default. */
#include "config.h"

#include "write/report/report.h"

#include "base/alloc.h"

#include <string.h>

const struct report *const reports[] = {
	&report_text, &report_json, &report_csv, &report_md, NULL,
};

const char *report_word(unsigned i)
{
	return i + 1 < ARRAY_LEN(reports) ? reports[i]->name : NULL;
}

const struct report *report_find(const char *name)
{
	if (!name)
		return reports[0];
	for (size_t i = 0; reports[i]; i++)
		if (strcmp(reports[i]->name, name) == 0)
			return reports[i];
	return NULL;
}
