/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of formats. The first one is the default. */
#include "config.h"

#include "write/report/diff.h"

#include "base/alloc.h"

#include <string.h>

static const struct diff_format *const formats[] = { &diff_text, &diff_json, &diff_csv, &diff_md };

const char *diff_word(unsigned i)
{
	return i < ARRAY_LEN(formats) ? formats[i]->name : NULL;
}

const struct diff_format *diff_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (!name || strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}
