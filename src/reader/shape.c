/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The outline is found with the same scanner that reads documents, over a window of
 * their beginning; where the window ends, the outline does. Raw protocol replies and
 * upload envelopes wrap the interesting object: such members are looked into. */
#include "config.h"

#include "reader/shape.h"

#include "base/alloc.h"
#include "reader/json_scan.h"

#include <stdio.h>
#include <string.h>

#define WRAPPER_DEPTH 4

bool shape_is_wrapper(const char *name, size_t len)
{
	static const char *const wrapper[] = { "profile", "result", "cpuProfile", "trace", "payload" };

	for (size_t i = 0; i < ARRAY_LEN(wrapper); i++)
		if (strlen(wrapper[i]) == len && memcmp(name, wrapper[i], len) == 0)
			return true;
	return false;
}

static void look_keys(struct scan *s, struct shape *shape, const char *prefix, int depth)
{
	bool is_first = true;
	struct slice key;

	if (!scan_open(s, '{'))
		return;
	while (shape->n_keys < SHAPE_KEYS && scan_key(s, &is_first, &key)) {
		struct shape_key *k = &shape->keys[shape->n_keys++];

		snprintf(k->name, sizeof k->name, "%s%.*s", prefix, key.len > 31 ? 31 : (int)key.len, key.p);
		k->value = (char)scan_peek(s);
		if (k->value == '[') {
			struct slice ahead;

			if (scan_window(s, 256, &ahead)) {
				size_t i = 1;

				while (i < ahead.len && memchr(" \t\r\n", ahead.p[i], 4))
					i++;
				k->element = i < ahead.len && ahead.p[i] != ']' ? ahead.p[i] : '\0';
			}
		}
		if (k->value == '{' && depth < WRAPPER_DEPTH && (shape_is_wrapper(k->name, strlen(k->name)) || strcmp(k->name, "head") == 0)) {
			look_keys(s, shape, strcmp(k->name, "head") == 0 ? "head." : "", depth + 1);
			continue;
		}
		if (!scan_skip(s))
			return;
	}
}

/* The first object with members tells; null and its like may stand before it. */
static void look_elements(struct scan *s, struct shape *shape)
{
	bool is_first = true;

	scan_open(s, '[');
	for (int i = 0; i < 100 && scan_element(s, &is_first); i++) {
		char c = (char)scan_peek(s);

		if (!shape->element || c == '{')
			shape->element = c;
		if (c == '{')
			look_keys(s, shape, "", 0);
		else if (!scan_skip(s))
			return;
		if (shape->n_keys)
			return;
	}
}

void shape_look(struct shape *shape, const char *text, size_t len, bool is_all)
{
	struct error err = ERROR_INIT;
	struct stream *stream = stream_open_memory(text, len, SIZE_MAX);
	struct scan s;

	*shape = (struct shape){ .text = text, .len = len, .is_all = is_all, .err = ERROR_INIT };
	scan_init(&s, stream, &err);
	shape->top = (char)scan_peek(&s);
	if (shape->top == '[') {
		look_elements(&s, shape);
	} else if (shape->top == '{') {
		look_keys(&s, shape, "", 0);
	}
	shape->is_whole = !s.is_cut;
	if (!s.is_cut)
		shape->err = err;
	scan_done(&s);
	stream_close(stream);
}

bool shape_has(const struct shape *shape, const char *name, char value)
{
	for (size_t i = 0; i < shape->n_keys; i++)
		if (strcmp(shape->keys[i].name, name) == 0 && (!value || shape->keys[i].value == value))
			return true;
	return false;
}

bool shape_has_list(const struct shape *shape, const char *name, const char *elements)
{
	for (size_t i = 0; i < shape->n_keys; i++) {
		const struct shape_key *k = &shape->keys[i];

		if (strcmp(k->name, name) == 0 && k->value == '[' && (!k->element || strchr(elements, k->element)))
			return true;
	}
	return false;
}
