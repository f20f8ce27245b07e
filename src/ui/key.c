/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One table holds the keys with names; a character is its own name. The prefixes C- and S- come
 * before either; for letters the case stands for S-. */
#include "config.h"

#include "ui/key.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const struct {
	key_code code;
	const char *name;
} names[] = {
	{ KEYC_UP, "Up" },
	{ KEYC_DOWN, "Down" },
	{ KEYC_LEFT, "Left" },
	{ KEYC_RIGHT, "Right" },
	{ KEYC_HOME, "Home" },
	{ KEYC_END, "End" },
	{ KEYC_PGUP, "PgUp" },
	{ KEYC_PGDN, "PgDn" },
	{ KEYC_INSERT, "Ins" },
	{ KEYC_DELETE, "Del" },
	{ KEYC_BACKSPACE, "BS" },
	{ KEYC_TAB, "Tab" },
	{ KEYC_BACKTAB, "S-Tab" },
	{ KEYC_ENTER, "Enter" },
	{ KEYC_ESC, "Esc" },
	{ ' ', "Space" },
	{ KEYC_F1, "F1" },
	{ KEYC_F1 + 1, "F2" },
	{ KEYC_F1 + 2, "F3" },
	{ KEYC_F1 + 3, "F4" },
	{ KEYC_F1 + 4, "F5" },
	{ KEYC_F1 + 5, "F6" },
	{ KEYC_F1 + 6, "F7" },
	{ KEYC_F1 + 7, "F8" },
	{ KEYC_F1 + 8, "F9" },
	{ KEYC_F1 + 9, "F10" },
	{ KEYC_F1 + 10, "F11" },
	{ KEYC_F12, "F12" },
	{ KEYC_RESIZE, "Resize" },
	{ KEYC_HANGUP, "Hangup" },
	{ KEYC_MOUSE, "Mouse" },
	{ KEYC_LETTER, "a-z" },
	/* Further names that are read; the first name of a code is the one that is written. */
	{ KEYC_BACKSPACE, "Backspace" },
	{ KEYC_BACKTAB, "BTab" },
	{ KEYC_ENTER, "CR" },
	{ KEYC_INSERT, "Insert" },
	{ KEYC_DELETE, "Delete" },
	{ KEYC_PGUP, "PageUp" },
	{ KEYC_PGDN, "PageDown" },
	{ '<', "lt" },
	{ ' ', "Spc" },
};

/* Decode one well-formed UTF-8 character that is not a control character. Returns its length in
 * bytes, or 0. */
static size_t decode(const char *text, key_code *cp)
{
	const char *p = text, *end = text + strnlen(text, 4);
	uint32_t c = *text ? text_next(&p, end) : 0;

	if (c < 0x20 || (c >= 0x7f && c < 0xa0) || text_is_ill_formed(c, text, p))
		return 0;
	*cp = c;
	return (size_t)(p - text);
}

static const char *name_of(key_code key)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (names[i].code == key && key != '<')
			return names[i].name;
	return NULL;
}

void key_format(key_code key, char out[16])
{
	key_code base = key & ~(key_code)(KEYC_CTRL | KEYC_SHIFT);
	const char *name = name_of(base);
	char character[5] = "?";

	if (!name && base >= 0x20 && base < KEYC_SPECIAL)
		character[buf_encode_utf8(base, character)] = '\0';
	snprintf(out, 16, "%s%s%s", key & KEYC_CTRL ? "C-" : "", key & KEYC_SHIFT ? "S-" : "",
		 name ? name : character);
}

/* Apply C- and S- to a key. Keys that a terminal cannot distinguish get one code. */
static key_code with_modifiers(key_code key, key_code modifiers)
{
	if (modifiers & KEYC_CTRL && key >= 'A' && key <= 'Z')
		key += 'a' - 'A';
	if (modifiers & KEYC_CTRL && key < KEYC_SPECIAL) {
		switch (key) {
		case 'h':
			return KEYC_BACKSPACE;
		case 'i':
			return KEYC_TAB;
		case 'j':
		case 'm':
			return KEYC_ENTER;
		case '[':
			return KEYC_ESC;
		case '@':
			key = ' ';
			break;
		default:
			break;
		}
	}
	if (modifiers & KEYC_SHIFT && key < KEYC_SPECIAL) {
		if (key < 'a' || key > 'z' || modifiers & KEYC_CTRL)
			return KEYC_NONE;
		return key - ('a' - 'A');
	}
	if (modifiers == KEYC_SHIFT && key == KEYC_TAB)
		return KEYC_BACKTAB;
	return key | modifiers;
}

static key_code find_name(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strlen(names[i].name) == len && !memcmp(names[i].name, name, len))
			return names[i].code;
	return KEYC_NONE;
}

static key_code from_name(const char *name, size_t len)
{
	key_code modifiers = 0, key = find_name(name, len);

	for (; key == KEYC_NONE && len > 2 && name[1] == '-'; name += 2, len -= 2) {
		if (name[0] == 'C' || name[0] == 'c')
			modifiers |= KEYC_CTRL;
		else if (name[0] == 'S' || name[0] == 's')
			modifiers |= KEYC_SHIFT;
		else
			return KEYC_NONE;
	}
	if (key == KEYC_NONE)
		key = find_name(name, len);
	if (key == KEYC_NONE && len > 0 && decode(name, &key) != len)
		return KEYC_NONE;
	return key == KEYC_NONE ? KEYC_NONE : with_modifiers(key, modifiers);
}

size_t key_parse(const char *text, key_code *key)
{
	const char *end;

	if (text[0] != '<')
		return decode(text, key);
	end = strchr(text + 1, '>');
	if (!end)
		return 0;
	if (end[1] == '>' && end[-1] == '-') /* <C->> */
		end++;
	*key = from_name(text + 1, (size_t)(end - text) - 1);
	return *key == KEYC_NONE ? 0 : (size_t)(end - text) + 1;
}

key_code key_from_name(const char *name)
{
	return from_name(name, strlen(name));
}

/* ---- layouts ----
 *
 * The letters of keyboards by their places, in the order of PLACES; blanks: what an American
 * keyboard has there, or no letter. */

#define PLACES "qwertyuiop[]asdfghjkl;'zxcvbnm,./`"
#define SHIFTED_PLACES "QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>?~"

static const struct {
	const char *name;
	uint_least16_t plain[sizeof PLACES], shifted[sizeof PLACES];
} layouts[] = {
	{ "none", u"", u"" },
	{ "ru", u"йцукенгшщзхъфывапролджэячсмитьбю ё", u"ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ Ё" },
	{ "uk", u"йцукенгшщзхїфівапролджєячсмитьбю", u"ЙЦУКЕНГШЩЗХЇФІВАПРОЛДЖЄЯЧСМИТЬБЮ" },
	{ "be", u"йцукенгшўзх фывапролджэячсмітьбю ё", u"ЙЦУКЕНГШЎЗХ ФЫВАПРОЛДЖЭЯЧСМІТЬБЮ Ё" },
	{ "bg", u" уеишщксдзц ьяаожгтнвмчюйъэфхпрлб", u"ыУЕИШЩКСДЗЦ ѝЯАОЖГТНВМЧЮЙЪЭФХПРЛБ" },
	{ "sr", u"љњертзуиопшђасдфгхјклчћжџцвбнм", u"ЉЊЕРТЗУИОПШЂАСДФГХЈКЛЧЋЖЏЦВБНМ" },
	{ "mk", u"љњертѕуиопшѓасдфгхјклчќзџцвбнм", u"ЉЊЕРТЅУИОПШЃАСДФГХЈКЛЧЌЗЏЦВБНМ" },
	{ "el", u" ςερτυθιοπ  ασδφγηξκλ  ζχψωβνμ", u" ΣΕΡΤΥΘΙΟΠ  ΑΣΔΦΓΗΞΚΛ  ΖΧΨΩΒΝΜ" },
	{ "he", u"  קראטוןםפ  שדגכעיחלךף זסבהנמצתץ", u"" },
	{ "ar", u"ضصثقفغعهخحجدشسيبلاتنمكطئءؤر ىةوزظذ", u"" },
	{ "fa", u"ضصثقفغعهخحجچشسیبلاتنمکگظطزرذدپو", u"" },
	{ "ka", u"ქწერტყუიოპ  ასდფგჰჯკლ  ზხცვბნმ", u" ჭ ღთ        შ    ჟ    ძ ჩ" },
	{ "hy", u"ճփբսմուկըթծցջվգեանիտհպրժդչյզլքխշռ", u"ՃՓԲՍՄՈՒԿԸԹԾՑՋՎԳԵԱՆԻՏՀՊՐԺԴՉՅԶԼՔԽՇՌ" },
};

const char *key_layout_name(unsigned i)
{
	return i < ARRAY_LEN(layouts) ? layouts[i].name : NULL;
}

static key_code place_of(key_code key, size_t layout)
{
	for (size_t i = 0; i < sizeof PLACES - 1; i++) {
		if (layouts[layout].plain[i] == key)
			return (key_code)PLACES[i];
		if (layouts[layout].shifted[i] == key)
			return (key_code)SHIFTED_PLACES[i];
	}
	return key;
}

key_code key_by_place(key_code key, const char *list)
{
	key_code found = key;
	size_t len;

	for (; key >= 0x80 && found == key && *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		for (size_t i = 0; i < ARRAY_LEN(layouts); i++)
			if (strlen(layouts[i].name) == len && !memcmp(layouts[i].name, list, len))
				found = place_of(key, i);
	}
	return found;
}
