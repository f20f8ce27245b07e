/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The outline is made by the scanner that reads documents, from the beginning of the document only.
 * Raw replies of protocols and envelopes of uploads wrap the profile in an object: the members of
 * such objects are listed, too. */
#include "config.h"

#include "base/json/outline.h"

#include "base/alloc.h"
#include "base/json/scan.h"
#include "base/str.h"

#include <stdio.h>
#include <string.h>

#define WRAPPER_DEPTH 4

bool outline_is_wrapper(const char *name, size_t len)
{
	static const char *const wrapper[] = { "profile", "result",  "cpuProfile",
					       "trace",   "payload", "params" };

	return STR_IN(((struct str){ name, len }), wrapper);
}

static size_t pass_blanks(struct str text, size_t at)
{
	while (at < text.len && memchr(" \t\r\n", text.p[at], 4))
		at++;
	return at;
}

/* Look at what the value at the scanner begins with, without passing it. */
static void look_inside(struct scan *s, struct outline_key *k)
{
	struct str ahead;
	size_t at, end;

	if ((k->value != '[' && k->value != '{') || !scan_window(s, 256, &ahead))
		return;
	at = pass_blanks(ahead, 1);
	if (at >= ahead.len)
		return;
	if (k->value == '[') {
		k->element = ahead.p[at] != ']' ? ahead.p[at] : '\0';
		return;
	}
	for (end = at + 1; end < ahead.len && ahead.p[end] != '"';)
		end++;
	if (ahead.p[at] != '"' || end >= ahead.len || end - at > sizeof k->inner)
		return;
	snprintf(k->inner, sizeof k->inner, "%.*s", (int)(end - at - 1), ahead.p + at + 1);
	at = pass_blanks(ahead, end + 1);
	at = at < ahead.len && ahead.p[at] == ':' ? pass_blanks(ahead, at + 1) : ahead.len;
	if (at >= ahead.len || ahead.p[at] != '[')
		k->inner[0] = '\0';
}

/* What the names of the members of an object with this name begin with; NULL: they are not listed.
 */
static const char *prefix_inside(const char *name)
{
	if (strcmp(name, "head") == 0)
		return "head.";
	if (strcmp(name, "recording") == 0)
		return "recording.";
	return outline_is_wrapper(name, strlen(name)) ? "" : NULL;
}

static void look_keys(struct scan *s, struct outline *outline, const char *prefix, int depth)
{
	bool is_first = true;
	struct str key;

	if (!scan_open(s, '{'))
		return;
	while (outline->n_keys < OUTLINE_KEYS && scan_key(s, &is_first, &key)) {
		struct outline_key *k = &outline->keys[outline->n_keys++];
		const char *inside;

		snprintf(k->name, sizeof k->name, "%s%.*s", prefix,
			 key.len > 31 ? 31 : (int)key.len, key.p);
		k->value = (char)scan_peek(s);
		look_inside(s, k);
		inside = prefix_inside(k->name);
		if (k->value == '{' && depth < WRAPPER_DEPTH && inside) {
			look_keys(s, outline, inside, depth + 1);
			continue;
		}
		if (!scan_skip(s))
			return;
	}
}

/* The first object that has members counts; null and the like may come before it. */
static void look_elements(struct scan *s, struct outline *outline)
{
	bool is_first = true;

	scan_open(s, '[');
	for (int i = 0; i < 100 && scan_element(s, &is_first); i++) {
		char c = (char)scan_peek(s);

		if (!outline->element || c == '{')
			outline->element = c;
		if (c == '{')
			look_keys(s, outline, "", 0);
		else if (!scan_skip(s))
			return;
		if (outline->n_keys)
			return;
	}
}

void outline_look(struct outline *outline, const char *text, size_t len, bool is_all)
{
	struct error err = ERROR_INIT;
	struct stream *stream = stream_open_memory(text, len, SIZE_MAX);
	struct scan s;

	*outline =
		(struct outline){ .text = text, .len = len, .is_all = is_all, .err = ERROR_INIT };
	scan_init(&s, stream, &err);
	outline->top = (char)scan_peek(&s);
	if (outline->top == '[') {
		look_elements(&s, outline);
	} else if (outline->top == '{') {
		look_keys(&s, outline, "", 0);
	}
	outline->is_whole = !s.is_cut;
	if (!s.is_cut)
		outline->err = err;
	scan_done(&s);
	stream_close(stream);
}

bool outline_has(const struct outline *outline, const char *name, char value)
{
	for (size_t i = 0; i < outline->n_keys; i++)
		if (strcmp(outline->keys[i].name, name) == 0 &&
		    (!value || outline->keys[i].value == value))
			return true;
	return false;
}

bool outline_has_any(const struct outline *outline, const char *names)
{
	for (size_t len; *names; names += len + (names[len] == ' ')) {
		len = strcspn(names, " ");
		for (size_t i = 0; i < outline->n_keys; i++)
			if (strlen(outline->keys[i].name) == len &&
			    memcmp(outline->keys[i].name, names, len) == 0)
				return true;
	}
	return false;
}

bool outline_has_list(const struct outline *outline, const char *name, const char *elements)
{
	for (size_t i = 0; i < outline->n_keys; i++) {
		const struct outline_key *k = &outline->keys[i];

		if (strcmp(k->name, name) == 0 && k->value == '[' &&
		    (!k->element || strchr(elements, k->element)))
			return true;
	}
	return false;
}

/* Whether a name in quotes stands at p. */
static bool is_quoted(const char *p, const char *end, const char *name)
{
	size_t len = strlen(name);

	return (size_t)(end - p) >= len + 2 && memcmp(p + 1, name, len) == 0 && p[len + 1] == '"';
}

int outline_first_key(const struct outline *outline, const char *name, const char *const *keys,
		      int n)
{
	const char *end = outline->text + outline->len, *p = outline->text;

	/* A list without elements says nothing. */
	do {
		while ((p = memchr(p, '"', (size_t)(end - p))) && !is_quoted(p, end, name))
			p++;
		if (!p)
			return -1;
		for (p += strlen(name) + 2; p < end && strchr(" \t\r\n:[{", *p);)
			p++;
	} while (p < end && *p == ']');
	if (p == end || *p != '"')
		return -1;
	for (int i = 0; i < n; i++)
		if (is_quoted(p, end, keys[i]))
			return i;
	return n;
}
