/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Without a locale that has UTF-8, curses gives bytes. */
#include "config.h"

#include "term/input_char.h"

#include "base/text.h"
#include "term/input.h"

/* The rest of a character whose first byte is `first`. */
static uint32_t rest_of_char(WINDOW *pad, unsigned char first)
{
	char bytes[4] = { (char)first };
	int n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
	const char *at = bytes;
	int have = 1;

	wtimeout(pad, INPUT_SEQUENCE_MS);
	while (have < n) {
		int c = wgetch(pad);

		if (c == ERR)
			break;
		if (c < 0x80 || c > 0xbf) {
			ungetch(c);
			break;
		}
		bytes[have++] = (char)c;
	}
	return text_next(&at, bytes + have);
}

int input_char(WINDOW *pad, int wait_ms, bool has_own_utf8, wint_t *c)
{
	int key;

	wtimeout(pad, wait_ms);
	if (!has_own_utf8)
		return wget_wch(pad, c);
	key = wgetch(pad);
	if (key == ERR)
		return ERR;
	*c = key >= 0x80 && key <= 0xff ? (wint_t)rest_of_char(pad, (unsigned char)key)
					: (wint_t)key;
	return key > 0xff ? KEY_CODE_YES : OK;
}
