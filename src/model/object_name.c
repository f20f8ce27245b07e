/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scope that contains ": " is cut at the wrong place when its title is taken apart. The objects
 * stay apart, because the rest becomes part of the type. */
#include "config.h"

#include "model/object_name.h"

#include "base/alloc.h"

#include <string.h>

#define OBJECTS "Objects"
#define IN " in "
#define BEFORE_TYPE ": "

void object_name_title(struct str scope, struct str type, struct buf *out)
{
	buf_adds(out, OBJECTS);
	if (scope.len) {
		buf_adds(out, IN);
		buf_add(out, scope.p, scope.len);
	}
	if (type.len) {
		buf_adds(out, BEFORE_TYPE);
		buf_add(out, type.p, type.len);
	}
}

static struct str after(struct str text, size_t n)
{
	return (struct str){ text.p + n, text.len - n };
}

static bool begins(struct str text, const char *start)
{
	return text.len >= strlen(start) && memcmp(text.p, start, strlen(start)) == 0;
}

static void parts_of_title(struct str title, struct object_name *out)
{
	struct str rest = begins(title, OBJECTS) ? after(title, strlen(OBJECTS)) : title;
	const char *colon;

	if (begins(rest, IN)) {
		rest = after(rest, strlen(IN));
		colon = memmem(rest.p, rest.len, BEFORE_TYPE, strlen(BEFORE_TYPE));
		out->scope = (struct str){ rest.p, colon ? (size_t)(colon - rest.p) : rest.len };
		rest = after(rest, out->scope.len);
	}
	if (begins(rest, BEFORE_TYPE))
		out->type = after(rest, strlen(BEFORE_TYPE));
}

struct object_name object_name_of_lane(struct str title)
{
	struct object_name out = { .scope = { "", 0 }, .type = { "", 0 }, .id = { "", 0 } };

	parts_of_title(title, &out);
	return out;
}

struct object_name object_name_of(struct str title, struct str name)
{
	struct object_name out = object_name_of_lane(title);
	size_t n = out.type.len;

	if (n && name.len >= n && memcmp(name.p, out.type.p, n) == 0 &&
	    (name.len == n || name.p[n] == ' ')) {
		out.id = after(name, name.len > n ? n + 1 : n);
		return out;
	}
	for (n = name.len; n > 0 && name.p[n - 1] != ' ';)
		n--;
	out.type = (struct str){ name.p, n ? n - 1 : name.len };
	out.id = n ? after(name, n) : out.id;
	return out;
}

char object_name_phase(struct str mark, struct str *type)
{
	static const struct {
		const char *tail;
		char phase;
	} tails[] = { { OBJECT_NAME_CREATED, 'N' },
		      { OBJECT_NAME_SNAPSHOT, 'O' },
		      { OBJECT_NAME_DELETED, 'D' } };

	for (size_t i = 0; i < ARRAY_LEN(tails); i++) {
		size_t len = strlen(tails[i].tail);

		if (mark.len < len || memcmp(mark.p + mark.len - len, tails[i].tail, len) != 0)
			continue;
		*type = (struct str){ mark.p, mark.len - len };
		return tails[i].phase;
	}
	return '\0';
}
