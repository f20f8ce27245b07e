/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys as numbers: a Unicode code point for keys that produce a character, codes from KEYC_SPECIAL
 * on for other keys, KEYC_CTRL | letter for control keys. The names are those of vim and tmux:
 * `C-d`, `S-Left`, `PgDn`, `Enter`, `Space`, `<`. C-h, C-i, C-j, C-m and C-[ are Backspace, Tab,
 * Enter, Enter and Esc. */
#ifndef FLAMETTY_UI_KEY_H
#define FLAMETTY_UI_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t key_code;

enum {
	KEYC_NONE = 0,
	KEYC_SPECIAL = 0x110000,
	KEYC_UP,
	KEYC_DOWN,
	KEYC_LEFT,
	KEYC_RIGHT,
	KEYC_HOME,
	KEYC_END,
	KEYC_PGUP,
	KEYC_PGDN,
	KEYC_INSERT,
	KEYC_DELETE,
	KEYC_BACKSPACE,
	KEYC_TAB,
	KEYC_BACKTAB,
	KEYC_ENTER,
	KEYC_ESC,
	KEYC_F1,
	KEYC_F12 = KEYC_F1 + 11,
	KEYC_RESIZE, /* not a key: the terminal was resized */
	KEYC_HANGUP, /* not a key: the terminal is gone */
	KEYC_MOUSE,  /* not a key: ask term_mouse() */
	KEYC_LETTER, /* not a key: in tables any letter from a to z or A to Z, written `a-z` */
	KEYC_CTRL = 0x200000,
	KEYC_SHIFT = 0x400000
};

static inline bool key_is_letter(key_code key)
{
	return (key >= 'a' && key <= 'z') || (key >= 'A' && key <= 'Z');
}

/* Write the name of a key in the form that key_from_name() reads. The name key_name() is taken by
 * curses. */
void key_format(key_code key, char out[16]);

/* Read one key from `text`: a name in angle brackets (`<PgDn>`, `<C-d>`, `<lt>` for `<`), or one
 * UTF-8 character. Returns the number of bytes read; 0 at the end of the text or if it is not a
 * key. */
size_t key_parse(const char *text, key_code *key);

/* Read a name without brackets, as in the tables: `C-d`, `PgDn`, `<`, `x`. KEYC_NONE: there is no
 * such key. */
key_code key_from_name(const char *name);

/* The key at the same place of an American keyboard: `w` for the Russian letter that stands there.
 * list: names of layouts, as `ru,el`, the first one that has the letter counts; unknown names are
 * skipped. Keys of ASCII, and those that are on none of the layouts, stay as they are. */
key_code key_by_place(key_code key, const char *list);

/* The name of layout i, as `ru`; the first one is `none`. NULL: i is past the last one. Static. */
const char *key_layout_name(unsigned i);

#endif
