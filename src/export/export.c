/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of export formats. To add one: a file with one struct export_format, a row below, its
 * name in the option table, a test that reads the output back. */
#include "config.h"

#include "export/export.h"

#include <string.h>

const struct export_format *const export_formats[] = {
	&export_trace,
	&export_folded,
	&export_speedscope,
	NULL,
};

const struct export_format *export_find(const char *name)
{
	for (size_t i = 0; export_formats[i]; i++)
		if (strcmp(export_formats[i]->name, name) == 0)
			return export_formats[i];
	return NULL;
}
