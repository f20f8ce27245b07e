/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracks that a page defines: user timings whose `detail` is JSON text with a member `devtools`,
 * and console.timeStamp() with a track. Entries are kept until the end of the trace, then
 * nested. A page makes a measure when its work ends, inner measures first. So of two measures
 * with the same start and end, the later one is the outer. */
#include "config.h"

#include "base/sort.h"
#include "read/trace/trace.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct custom_track {
	int64_t pid;
	text_id group, name;
	struct track_slice *entries;
	size_t n, cap;
};

/* The content of a detail: a track, or a mark over all lanes. */
struct custom {
	bool is_marker;
	size_t track;
	unsigned color; /* reserved; 0: that of the event */
};

struct trace_customs {
	struct custom_track *tracks;
	size_t n_tracks, cap_tracks;
	struct custom *all;
	size_t n, cap;
	int64_t *stamps; /* by name: the time of the last console.timeStamp(name) */
	size_t n_stamps, cap_stamps;
};

static void free_customs(struct trace *t)
{
	struct trace_customs *cs = t->customs;

	if (!cs)
		return;
	for (size_t i = 0; i < cs->n_tracks; i++)
		free(cs->tracks[i].entries);
	free(cs->tracks);
	free(cs->all);
	free(cs->stamps);
	free(cs);
}

/* The last track takes the entries of all further ones. */
#define TRACKS_MAX 1024

static size_t track_of(struct trace *t, int64_t pid, text_id group, text_id name)
{
	struct trace_customs *cs = TRACE_KEPT(t, customs);

	for (size_t i = 0; i < cs->n_tracks; i++) {
		const struct custom_track *x = &cs->tracks[i];

		if ((x->pid == pid && x->group == group && x->name == name) || i + 1 == TRACKS_MAX)
			return i;
	}
	*ARRAY_ADD(cs->tracks, cs->n_tracks, cs->cap_tracks) =
		(struct custom_track){ .pid = pid, .group = group, .name = name };
	return cs->n_tracks - 1;
}

static uint32_t add_custom(struct trace *t, struct custom custom)
{
	struct trace_customs *cs = TRACE_KEPT(t, customs);

	*ARRAY_ADD(cs->all, cs->n, cs->cap) = custom;
	return (uint32_t)cs->n;
}

static unsigned color_of(struct trace *t, text_id name)
{
	const struct trace_text *text = trace_text_get(&t->texts, name);

	return frame_color_find(text->p, text->len);
}

static uint32_t custom_of(struct trace *t, const struct trace_event *e,
			  const struct json_value *devtools)
{
	text_id type = trace_text_in(t, devtools, "dataType"),
		track = trace_text_in(t, devtools, "track");
	unsigned color = color_of(t, trace_text_in(t, devtools, "color"));

	if (str_is(trace_text_str(&t->texts, type), "marker"))
		return add_custom(t, (struct custom){ true, 0, color });
	if (!track || (type && !str_is(trace_text_str(&t->texts, type), "track-entry")))
		return 0;
	return add_custom(
		t,
		(struct custom){
			false, track_of(t, e->pid, trace_text_in(t, devtools, "trackGroup"), track),
			color });
}

uint32_t trace_custom_number(struct trace *t, const struct trace_event *e)
{
	struct str detail, data = e->args;
	const struct json_value *devtools;
	BUF_LOCAL text = { 0 };
	uint32_t number = 0;

	if (trace_event_find(t, e, e->args, "data", &detail))
		data = detail;
	if (!trace_event_find(t, e, data, "detail", &detail)) {
		trace_event_no_value(t, e);
		return 0;
	}
	if (detail.len < 4 || detail.p[0] != '"')
		return 0;
	if (json_tree_decode(detail.p, detail.len, &text) &&
	    strstr(buf_text(&text), "\"devtools\"")) {
		devtools = json_tree_member(
			trace_text_json(t, (struct str){ buf_text(&text), text.len }), "devtools",
			JSON_OBJECT);
		if (devtools)
			number = custom_of(t, e, devtools);
	}
	return number;
}

void trace_custom_entry(struct trace *t, uint32_t number, const struct track_slice *entry)
{
	struct trace_customs *cs = TRACE_KEPT(t, customs);
	const struct custom *custom = &cs->all[number - 1];
	struct custom_track *track;
	struct track_slice e = *entry;

	if (e.t1 < e.t0)
		e.t1 = e.t0;
	if (custom->color)
		e.color = custom->color;
	if (custom->is_marker) {
		e.t1 = e.t0;
		e.group = 0;
		e.frame = track_builder_mark_of(t->b, e.frame);
		track_builder_slice(t->b, trace_mark_all(t), &e);
		return;
	}
	track = &cs->tracks[custom->track];
	*ARRAY_ADD(track->entries, track->n, track->cap) = e;
}

/* ---- console.timeStamp() ---- */

/* `start` and `end`: a time in us, or the name of an earlier time stamp. */
static int64_t stamp_time(struct trace *t, const struct json_value *data, const char *name,
			  int64_t otherwise)
{
	const struct trace_customs *cs = t->customs;
	enum number_kind kind;
	const char *text;
	size_t len;
	int64_t ns;
	text_id id;

	if (!json_tree_text(data, name, &text, &len) || len == 0)
		return otherwise;
	id = trace_text_add(&t->texts, text, len);
	if (id < cs->n_stamps && cs->stamps[id] != INT64_MIN)
		return cs->stamps[id];
	if (json_number_parse(text, len, 3, &ns, &kind) && ns < PROFILE_TIME_MAX &&
	    ns > -PROFILE_TIME_MAX)
		return ns;
	return otherwise;
}

bool trace_custom_time_stamp(struct trace *t, const struct trace_event *e)
{
	const struct json_value *data;
	struct str raw;
	text_id name, track;
	struct trace_customs *cs;

	data = trace_event_find(t, e, e->args, "data", &raw) && raw.p[0] == '{'
		? trace_text_json(t, raw)
		: NULL;
	if (!data)
		return trace_event_no_value(t, e);
	name = trace_text_in(t, data, "name");
	if (!name)
		name = trace_text_in(t, data, "message");
	track = trace_text_in(t, data, "track");
	cs = TRACE_KEPT(t, customs);
	if (name) {
		if (name >= cs->n_stamps) {
			cs->stamps = xgrow(cs->stamps, &cs->cap_stamps, (size_t)name + 1,
					   sizeof *cs->stamps);
			for (; cs->n_stamps <= name; cs->n_stamps++)
				cs->stamps[cs->n_stamps] = INT64_MIN;
		}
		cs->stamps[name] = e->ts;
	}
	if (track) {
		struct custom custom = {
			false, track_of(t, e->pid, trace_text_in(t, data, "trackGroup"), track),
			color_of(t, trace_text_in(t, data, "color"))
		};

		trace_custom_entry(
			t, add_custom(t, custom),
			&(struct track_slice){ .t0 = stamp_time(t, data, "start", e->ts),
					       .t1 = stamp_time(t, data, "end", e->ts),
					       .frame = trace_frame_of(t, name ? name : e->name),
					       .offset = e->offset,
					       .end_offset = -1 });
	} else {
		trace_mark_add(t, trace_mark_thread(t, e), e,
			       trace_frame_of_mark(t, name ? name : e->name));
	}
	return true;
}

/* ---- at the end ---- */

SORT_ORDER(compare, struct track_slice, SORT_BY_3(x->t0, y->t0, y->t1, x->t1, y->offset, x->offset))

/* Entries that nest are one group of slices. An entry that overlaps begins another group. */
static void pass_track(struct trace *t, struct custom_track *x)
{
	const struct trace_text *group = trace_text_get(&t->texts, x->group),
				*name = trace_text_get(&t->texts, x->name);
	struct buf title = { 0 };
	ALLOC_LOCAL int64_t *ends = xmalloc(x->n * sizeof *ends);
	uint32_t track, number = 0;
	size_t n_open = 0;

	if (x->group)
		buf_addf(&title, "%s: ", group->p);
	buf_add(&title, name->p, name->len);
	track = track_builder_add(t->b, LANE_ASYNC, x->pid, LANE_NO_ID, buf_text(&title),
				  title.len);
	buf_done(&title);
	qsort(x->entries, x->n, sizeof *x->entries, compare);
	for (size_t i = 0; i < x->n; i++) {
		struct track_slice *e = &x->entries[i];

		while (n_open && ends[n_open - 1] <= e->t0)
			n_open--;
		if (n_open && ends[n_open - 1] < e->t1)
			n_open = 0;
		if (n_open == 0)
			number++;
		ends[n_open++] = e->t1;
		e->group = number;
		track_builder_slice(t->b, track, e);
	}
}

static void finish(struct trace *t)
{
	for (size_t i = 0; t->customs && i < t->customs->n_tracks; i++)
		if (t->customs->tracks[i].n)
			pass_track(t, &t->customs->tracks[i]);
}

const struct trace_part trace_custom_part = { finish, free_customs };
