/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each command has formats of its own, and so a list of words. */
#include "config.h"

#include "cli/format_option.h"

#include "read/reader.h"

#include <string.h>

bool format_option_check(struct run *run, const char *(*format_word)(unsigned i))
{
	const struct options *o = &run->options;
	struct buf list = { 0 };
	const char *word;

	if (o->format_in && !reader_find(o->format_in)) {
		run_complain_usage(run, "no format '", o->format_in, "' (flametty formats)");
		return false;
	}
	if (!o->format)
		return true;
	for (unsigned i = 0; (word = format_word(i)); i++) {
		if (strcmp(word, o->format) == 0) {
			buf_done(&list);
			return true;
		}
		buf_addf(&list, "%s%s",
			 i == 0                       ? "; it has "
				 : format_word(i + 1) ? ", "
						      : " and ",
			 word);
	}
	run_complain_usage(run, "this command has no --format ", o->format, buf_text(&list));
	buf_done(&list);
	return false;
}
