/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of export formats. The first one is the default. Each format has a test that reads its
 * output back. */
#include "config.h"

#include "export/export.h"

#include "base/alloc.h"

#include <string.h>

/* clang-format off */
const struct export_format *const export_formats[] = {
	&export_trace,
	&export_cpuprofile,
	&export_folded,
	&export_speedscope,
	&export_pprof,
	&export_svg,
	&export_html,
	&export_d3,
	&export_json,
	&export_csv,
	&export_md,
	NULL,
};
/* clang-format on */

const char *export_value_word(unsigned i)
{
	static const char *const words[] = { "time", "samples" };

	return i < ARRAY_LEN(words) ? words[i] : NULL;
}

const char *export_word(unsigned i)
{
	return i + 1 < ARRAY_LEN(export_formats) ? export_formats[i]->name : NULL;
}

const struct export_format *export_find(const char *name)
{
	if (!name)
		return export_formats[0];
	for (size_t i = 0; export_formats[i]; i++)
		if (strcmp(export_formats[i]->name, name) == 0)
			return export_formats[i];
	return NULL;
}
