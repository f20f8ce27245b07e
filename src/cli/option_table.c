/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cli/option_table.h"

#include "base/alloc.h"

#include <stdint.h>
#include <string.h>

static const struct option_row option_rows[] = {
#define OPTION(how, type, member, flags, letter, name, value, help)                                \
	{ TAKE_##how, offsetof(struct options, member), flags, letter, name, value, help },
#define OPTION_OTHER(how, what, flags, letter, name, value, help)                                  \
	{ TAKE_##how, what, flags, letter, name, value, help },
#include "cli/option_list.h"
};

_Static_assert(ARRAY_LEN(option_rows) <= 128, "the bits of options.given");

const struct option_row *option_table_row(size_t i)
{
	return i < ARRAY_LEN(option_rows) ? &option_rows[i] : NULL;
}

size_t option_table_find(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(option_rows); i++)
		if (strlen(option_rows[i].name) == len &&
		    memcmp(option_rows[i].name, name, len) == 0)
			return i;
	return SIZE_MAX;
}

const struct option_words *option_table_words(const struct option_words *words, const char *option,
					      int n)
{
	for (; words && words->option; words++)
		if (strcmp(words->option, option) == 0 && n-- == 0)
			return words;
	return NULL;
}

void option_table_join(const char *(*word)(unsigned i), const char *separator, const char *last,
		       struct buf *out)
{
	for (unsigned i = 0; word(i); i++) {
		if (i)
			buf_adds(out, word(i + 1) ? separator : last);
		buf_adds(out, word(i));
	}
}

void option_table_text(const char *option, const char *text, const struct option_words *words,
		       struct buf *out)
{
	for (int n = 0; *text; n++) {
		size_t before = strcspn(text, "{");
		const struct option_words *w = option_table_words(words, option, n);

		buf_add(out, text, before);
		text += before;
		if (*text == '{') {
			char separator[8] = "";
			size_t len = strcspn(++text, "}");

			memcpy(separator, text, len < sizeof separator ? len : 0);
			if (w)
				option_table_join(w->word, separator, separator, out);
			text += len + 1;
		}
	}
}
