/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The member `metadata`. Small values become input notes. Page sources and source maps, which
 * may be most of a file, are skipped. Modifications that a user made in DevTools give the first
 * window, and marks. */
#include "config.h"

#include "reader/trace/trace.h"

#include "base/units.h"

#include <stdio.h>
#include <string.h>

#define VALUE_MOST ((size_t)16 << 20)

/* Note a value that is a string, a number or a boolean. */
static void note_value(struct trace *t, const char *name, struct str raw)
{
	struct json_object *o = trace_text_json(t, raw);
	const char *text = json_object_is_type(o, json_type_string) ||
			json_object_is_type(o, json_type_int) ||
			json_object_is_type(o, json_type_double) ||
			json_object_is_type(o, json_type_boolean)
		? json_object_get_string(o)
		: NULL;

	if (text && *text && trace_may_note(t))
		builder_input_note(t->b, false, "%s: %.200s", name, text);
	json_object_put(o);
}

/* Get the times `min` and `max`, which are in us, in ns. */
static bool range_of(struct json_object *o, int64_t *t0, int64_t *t1)
{
	enum number_kind kind;
	const char *a, *b;
	size_t a_len, b_len;

	return json_text_member(o, "min", &a, &a_len) && json_text_member(o, "max", &b, &b_len) &&
		json_number_parse(a, a_len, 3, t0, &kind) && kind != NUMBER_HUGE &&
		json_number_parse(b, b_len, 3, t1, &kind) && kind != NUMBER_HUGE &&
		*t0 > -PROFILE_TIME_MAX && *t1 < PROFILE_TIME_MAX && *t0 <= *t1;
}

/* Breadcrumbs nest. The innermost one is the last view in DevTools. */
static void take_window(struct trace *t, struct json_object *crumb)
{
	struct json_object *window, *child;
	int64_t t0, t1;

	while (json_object_object_get_ex(crumb, "child", &child) &&
	       json_object_is_type(child, json_type_object))
		crumb = child;
	if (!json_object_object_get_ex(crumb, "window", &window) ||
	    !json_object_is_type(window, json_type_object) || !range_of(window, &t0, &t1) ||
	    t0 == t1)
		return;
	track_builder_window(t->b, t0, t1);
	t->has_window = true;
}

static void take_label(struct trace *t, struct json_object *o)
{
	struct json_object *bounds;
	const char *label;
	size_t len;
	int64_t t0, t1;
	frame_id frame;

	if (!json_object_is_type(o, json_type_object) ||
	    !json_text_member(o, "label", &label, &len) ||
	    !json_object_object_get_ex(o, "bounds", &bounds) ||
	    !json_object_is_type(bounds, json_type_object) || !range_of(bounds, &t0, &t1))
		return;
	frame = track_builder_frame(t->b, label, len, NULL, 0);
	track_builder_slice(t->b, trace_mark_all(t),
			    &(struct track_slice){ .t0 = t0,
						   .t1 = t1,
						   .frame = frame,
						   .offset = -1,
						   .end_offset = -1 });
}

static void modifications(struct trace *t, struct str raw)
{
	struct json_object *all = trace_text_json(t, raw), *o, *list;

	if (json_object_is_type(all, json_type_object)) {
		if (json_object_object_get_ex(all, "initialBreadcrumb", &o) &&
		    json_object_is_type(o, json_type_object))
			take_window(t, o);
		if (json_object_object_get_ex(all, "annotations", &o) &&
		    json_object_is_type(o, json_type_object) &&
		    json_object_object_get_ex(o, "labelledTimeRanges", &list) &&
		    json_object_is_type(list, json_type_array))
			for (size_t i = 0; i < json_object_array_length(list); i++)
				take_label(t, json_object_array_get_idx(list, i));
		if (json_object_object_get_ex(all, "entriesModifications", &o) &&
		    json_object_is_type(o, json_type_object) &&
		    json_object_object_get_ex(o, "hiddenEntries", &list) &&
		    json_object_is_type(list, json_type_array) && json_object_array_length(list))
			builder_input_note(t->b, false, "%zu entries hidden in DevTools are shown",
					   json_object_array_length(list));
	}
	json_object_put(all);
}

bool trace_metadata_read(struct trace *t)
{
	bool is_first = true;
	struct str key, raw;
	char name[40], bytes[UNITS_MAX];

	if (!scan_open(t->s, '{'))
		return false;
	while (scan_key(t->s, &is_first, &key)) {
		bool is_large = str_is(key, "resources") || str_is(key, "sourceMaps");
		int64_t from = scan_offset(t->s);
		int c = scan_peek(t->s);

		snprintf(name, sizeof name, "%.*s", key.len > 32 ? 32 : (int)key.len, key.p);
		if (!is_large &&
		    (c != '{' && c != '[' ? true : strcmp(name, "modifications") == 0)) {
			if (!scan_raw(t->s, VALUE_MOST, &raw))
				return false;
			if (c == '{')
				modifications(t, raw);
			else
				note_value(t, name, raw);
			continue;
		}
		if (!scan_skip(t->s))
			return false;
		units_bytes(scan_offset(t->s) - from, bytes);
		if (is_large && scan_offset(t->s) - from > 4 && trace_may_note(t))
			builder_input_note(t->b, true, "metadata.%s (%s) not shown", name, bytes);
	}
	return t->err->kind == ERR_NONE;
}
