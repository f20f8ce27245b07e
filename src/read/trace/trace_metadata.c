/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The member `metadata`. Small values become input notes. Page sources and source maps, which
 * may be most of a file, are skipped; of source maps their place is noted, so that those of the
 * scripts that ran can be read later. Modifications that a user made in DevTools give the first
 * window, and labelled ranges. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"
#include "base/json/cursor.h"
#include "base/units.h"

#include <stdio.h>
#include <string.h>

#define LABELS "Labelled ranges"
#define VALUE_MOST ((size_t)16 << 20)
#define MAP_BEGIN 4096u /* bytes of an object in which its url is looked for */

/* Note a value that is a string, a number or a boolean. */
static void note_value(struct trace *t, const char *name, struct str raw)
{
	const struct json_value *v = trace_text_json(t, raw);

	if (v && v->text.len > 0 && *v->text.p && trace_may_note(t))
		builder_input_note(t->b, false, "%s: %.200s", name, v->text.p);
}

/* Note what a value says of the machine. */
static void note_host(struct trace *t, const char *name, struct str raw)
{
	static const struct {
		const char *name;
		enum input_host is;
	} keys[] = {
		{ "hostname", INPUT_HOST_NAME },
		{ "cpu-brand", INPUT_HOST_CPU },
		{ "os-name", INPUT_HOST_OS },
		{ "clock-domain", INPUT_HOST_CLOCK },
	};
	const struct json_value *v = raw.p[0] == '"' ? trace_text_json(t, raw) : NULL;

	for (size_t i = 0; v && i < ARRAY_LEN(keys); i++)
		if (strcmp(name, keys[i].name) == 0)
			builder_input_host(t->b, keys[i].is, v->text.p, v->text.len);
}

/* Get the times `min` and `max`, which are in us, in ns. */
static bool range_of(const struct json_value *o, int64_t *t0, int64_t *t1)
{
	enum number_kind kind;
	const char *a, *b;
	size_t a_len, b_len;

	return json_tree_text(o, "min", &a, &a_len) && json_tree_text(o, "max", &b, &b_len) &&
		json_number_parse(a, a_len, 3, t0, &kind) && kind != NUMBER_HUGE &&
		json_number_parse(b, b_len, 3, t1, &kind) && kind != NUMBER_HUGE &&
		*t0 > -PROFILE_TIME_MAX && *t1 < PROFILE_TIME_MAX && *t0 <= *t1;
}

/* Breadcrumbs nest. The innermost one is the last view in DevTools. */
static void take_window(struct trace *t, const struct json_value *crumb)
{
	const struct json_value *child;
	int64_t t0, t1;

	while ((child = json_tree_member(crumb, "child", JSON_OBJECT)) != NULL)
		crumb = child;
	if (!range_of(json_tree_find(crumb, "window"), &t0, &t1) || t0 == t1)
		return;
	track_builder_window(t->b, t0, t1);
}

/* A range of time with a label is a slice of a track of its own. Ranges that overlap stand on rows
 * of their own, so each is a group. */
static void take_label(struct trace *t, const struct json_value *o)
{
	const char *label;
	size_t len;
	int64_t t0, t1;

	if (!json_tree_text(o, "label", &label, &len) ||
	    !range_of(json_tree_find(o, "bounds"), &t0, &t1))
		return;
	if (!t->labels)
		t->labels = track_builder_add(t->b, LANE_ASYNC, LANE_NO_ID, LANE_NO_ID, LABELS,
					      strlen(LABELS)) +
			1;
	track_builder_slice(t->b, t->labels - 1,
			    &(struct track_slice){ .t0 = t0,
						   .t1 = t1,
						   .frame = track_builder_frame(t->b, label, len),
						   .group = ++t->n_labels,
						   .offset = -1,
						   .end_offset = -1 });
}

static void modifications(struct trace *t, struct str raw)
{
	const struct json_value *all = trace_text_json(t, raw), *list;

	take_window(t, json_tree_find(all, "initialBreadcrumb"));
	list = json_tree_member(json_tree_find(all, "annotations"), "labelledTimeRanges",
				JSON_ARRAY);
	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next)
		take_label(t, v);
	trace_entry_modifications(t, all);
}

/* Note the place of the object that is next, if its url is among its first bytes. Returns whether
 * it is. */
static bool note_map(struct trace *t)
{
	char begin[MAP_BEGIN + CURSOR_PAD] = { 0 };
	int64_t offset = scan_offset(t->s);
	struct buf url = { 0 };
	bool is_noted = false;
	struct str text, value;
	struct cursor c;

	if (!scan_window(t->s, MAP_BEGIN, &text) || !text.len || text.p[0] != '{')
		return false;
	text.len = text.len < MAP_BEGIN ? text.len : MAP_BEGIN;
	memcpy(begin, text.p, text.len);
	c = cursor_of((struct str){ begin, text.len });
	c.p++;
	for (bool is_first = true; cursor_key(&c, &is_first, &text) && cursor_raw(&c, &value);) {
		if (!str_is(text, "url"))
			continue;
		is_noted = value.p[0] == '"' && json_tree_decode(value.p, value.len, &url) &&
			url.len;
		if (is_noted)
			builder_input_map(t->b, url.data, url.len, offset);
		break;
	}
	buf_done(&url);
	return is_noted;
}

/* has_some: set if the place of any map was noted. */
static bool read_maps(struct trace *t, bool *has_some)
{
	bool is_first = true;

	if (scan_peek(t->s) != '[')
		return scan_skip(t->s);
	scan_open(t->s, '[');
	while (scan_element(t->s, &is_first)) {
		scan_peek(t->s);
		*has_some |= note_map(t);
		if (!scan_skip(t->s))
			return false;
	}
	return t->err->kind == ERR_NONE;
}

bool trace_metadata_read(struct trace *t)
{
	bool is_first = true;
	struct str key, raw;
	char name[40], bytes[UNITS_MAX];

	if (!scan_open(t->s, '{'))
		return false;
	track_builder_metadata(t->b);
	while (scan_key(t->s, &is_first, &key)) {
		bool is_maps = str_is(key, "sourceMaps");
		bool is_large = str_is(key, "resources") || is_maps, has_maps = false;
		int64_t from = scan_offset(t->s);
		int c = scan_peek(t->s);

		snprintf(name, sizeof name, "%.*s", key.len > 32 ? 32 : (int)key.len, key.p);
		if (!is_large &&
		    (c != '{' && c != '[' ? true : strcmp(name, "modifications") == 0)) {
			if (!scan_raw(t->s, VALUE_MOST, &raw))
				return false;
			if (c == '{') {
				modifications(t, raw);
			} else {
				note_value(t, name, raw);
				note_host(t, name, raw);
			}
			continue;
		}
		if (is_maps ? !read_maps(t, &has_maps) : !scan_skip(t->s))
			return false;
		units_bytes(scan_offset(t->s) - from, bytes);
		/* What maps give is told when they are read. */
		if (is_large && !has_maps && scan_offset(t->s) - from > 4 && trace_may_note(t))
			builder_input_note(t->b, true, "metadata.%s (%s) not shown", name, bytes);
	}
	return t->err->kind == ERR_NONE;
}
