/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The elements of a JSON list that lies in memory, as they are written. */
#ifndef FLAMETTY_SOURCE_RAW_LIST_H
#define FLAMETTY_SOURCE_RAW_LIST_H

#include "base/json/cursor.h"

/* Ends at its bracket, or where it is broken. */
struct raw_list {
	struct cursor c;
	bool is_first;
};

/* raw: any value, also none; what is no list has no elements. CURSOR_PAD bytes after it must be
 * readable. */
static inline struct raw_list raw_list_of(struct str raw)
{
	struct raw_list list = { cursor_of(raw), true };

	if (cursor_peek(&list.c) == '[')
		list.c.p++;
	else
		list.c.p = list.c.end;
	return list;
}

static inline bool raw_list_next(struct raw_list *list, struct str *element)
{
	int byte = cursor_peek(&list->c);

	if (!list->is_first) {
		if (byte != ',')
			return false;
		list->c.p++;
		byte = cursor_peek(&list->c);
	}
	list->is_first = false;
	return byte && byte != ']' && cursor_raw(&list->c, element);
}

/* Whether a value is a string. */
static inline bool raw_list_is_string(struct str raw)
{
	return raw.p && raw.len >= 2 && raw.p[0] == '"';
}

#endif
