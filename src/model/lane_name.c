/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text from a file passes through text_visible(); everything else is ASCII and the middle dot. */
#include "config.h"

#include "model/lane_name.h"

#include "base/alloc.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

/* ==== lane value ====
 *
 * What a lane without a time line has instead of samples, for users. */

void lane_value_text(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	const struct lane_value *value = &lane->value;

	if (!value->type) {
		buf_adds(out, "hit counts");
		return;
	}
	text_visible(out, profile_text(profile, value->type),
		     intern_len(&profile->strings, value->type));
}

int64_t lane_value_hit_ns(const struct profile *profile)
{
	int64_t ns = 0;

	for (uint32_t i = 0; i < profile->n_lanes; i++) {
		const struct lane *lane = &profile->lanes[i];

		if (lane->kind != LANE_SAMPLES)
			continue;
		if (!lane->hit_ns || (ns && lane->hit_ns != ns))
			return 0;
		ns = lane->hit_ns;
	}
	return ns;
}

/* ==== object name ====
 *
 * A scope that contains ": " is cut at the wrong place when its title is taken apart. The objects
 * stay apart, because the rest becomes part of the type. */

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

/* ==== lane name ==== */

#define PROCESS_MIN 8  /* cells of a truncated name of a process */
#define NAME_MIN 12    /* and of a thread */
#define BRIEF_CELLS 40 /* before a sentence */

void lane_name_prepare(struct lane *lanes, uint32_t n)
{
	bool has_slices = false;

	for (uint32_t i = 0; i < n; i++) {
		struct lane *lane = &lanes[i];

		if (i == 0 || !lane_is_of_process(lane, lane - 1) || lane[-1].tid != lane->tid)
			has_slices = false;
		lane->is_below_slices = has_slices;
		has_slices |= lane->kind == LANE_SLICES;
	}
}

/* The name of a lane of which only the file is known. */
static void add_file(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	const char *name;

	if (lane->input >= profile->n_inputs) {
		buf_addf(out, "lane %" PRIu32, lane->id);
		return;
	}
	name = profile_input_name(profile, lane->input);
	text_visible(out, name, strlen(name));
}

/* `(pid 7, tid 12)`; nothing if neither is asked for. */
static void add_ids(const struct lane *lane, bool has_process, struct buf *out)
{
	bool has_pid = lane->pid != LANE_NO_ID && has_process;

	if (has_pid)
		buf_addf(out, " (pid %" PRId64, lane->pid);
	if (lane->shows_tid)
		buf_addf(out, "%stid %" PRId64, has_pid ? ", " : " (", lane->tid);
	if (has_pid || lane->shows_tid)
		buf_addc(out, ')');
}

void lane_name(const struct profile *profile, const struct lane *lane, bool has_process,
	       struct buf *out)
{
	const char *process = profile_text(profile, lane->process_name);
	const char *thread = profile_text(
		profile, lane->thread_title ? lane->thread_title : lane->thread_name);
	/* A title is sufficient, unless another file may have the same one. */
	bool is_track = lane->title && lane->tid == LANE_NO_ID &&
		(lane->kind != LANE_SAMPLES || lane->pid != LANE_NO_ID || profile->n_inputs == 1);

	/* A page says more than the name of the process, which repeats its origin. */
	if (*process && has_process && !lane->thread_title) {
		text_visible(out, process, strlen(process));
		buf_adds(out, ": ");
	}
	if (is_track)
		;
	else if (*thread)
		text_visible(out, thread, strlen(thread));
	else if (lane->tid == 0 || (lane->tid == LANE_NO_ID && profile->n_lanes == 1))
		buf_adds(out, lane->is_worker ? "worker thread" : "main thread");
	else if (lane->tid != LANE_NO_ID)
		buf_addf(out, "thread %" PRId64, lane->tid);
	else
		add_file(profile, lane, out);
	if (lane->title) {
		buf_adds(out, is_track ? "" : " \302\267 ");
		text_visible(out, profile_text(profile, lane->title),
			     intern_len(&profile->strings, lane->title));
	} else if (lane->kind == LANE_SAMPLES && lane->is_below_slices) {
		buf_adds(out, " \302\267 CPU samples");
	} else if (lane->kind == LANE_MARKS) {
		buf_adds(out, " \302\267 marks");
	}
	if (lane->shows_file) {
		buf_adds(out, " \302\267 ");
		add_file(profile, lane, out);
	}
	add_ids(lane, has_process, out);
}

const char *lane_name_kind(enum lane_kind kind)
{
	static const char *const name[] = { "samples", "slices", "async",
					    "counter", "marks",  "objects" };

	return name[kind];
}

/* Where the end of a name begins that says which lane of the thread it is, and the ids. */
static size_t find_end(const char *name, size_t len)
{
	static const char kind[] = " \302\267 CPU samples";
	const char *at = memmem(name, len, kind, strlen(kind));

	if (at)
		return (size_t)(at - name);
	at = memrchr(name, '(', len);
	return at ? (size_t)(at - name) - (at > name) : len;
}

/* Truncate a name in front of its end, if the rest has room. */
static void fit_thread(const char *name, size_t len, int room, struct buf *out)
{
	size_t end = find_end(name, len);
	int left = room - text_cells(name + end, len - end);

	if (left < NAME_MIN || text_cells(name, len) <= room) {
		text_fit(out, name, len, room);
		return;
	}
	text_fit(out, name, end, left);
	buf_add(out, name + end, len - end);
}

void lane_name_fit(const struct profile *profile, const struct lane *lane, int room,
		   struct buf *out)
{
	const char *process = profile_text(profile, lane->process_name);
	struct buf name = { 0 }, prefix = { 0 };
	bool is_prefix;
	int left;

	lane_name(profile, lane, true, &name);
	text_visible(&prefix, process, strlen(process));
	left = room - text_cells(buf_text(&name), name.len) +
		text_cells(buf_text(&prefix), prefix.len);
	/* The name may do without that of the process. */
	is_prefix = name.len > prefix.len && prefix.len > 0 &&
		memcmp(name.data, prefix.data, prefix.len) == 0 && name.data[prefix.len] == ':';
	if (is_prefix && left >= PROCESS_MIN && left < text_cells(prefix.data, prefix.len)) {
		text_fit(out, prefix.data, prefix.len, left);
		buf_add(out, name.data + prefix.len, name.len - prefix.len);
	} else {
		/* The id of the process remains. */
		size_t from = is_prefix && left < PROCESS_MIN ? prefix.len + strlen(": ") : 0;

		fit_thread(buf_text(&name) + from, name.len - from, room, out);
	}
	buf_done(&name);
	buf_done(&prefix);
}

void lane_name_brief(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	bool is_one = true;

	for (uint32_t i = 0; i < profile->n_lanes; i++)
		is_one &= lane_is_of_process(&profile->lanes[i], lane);
	if (is_one)
		lane_name(profile, lane, false, out);
	else
		lane_name_fit(profile, lane, BRIEF_CELLS, out);
}

void lane_name_of_named(const struct profile *profile, const struct profile_named *named,
			struct buf *out)
{
	const char *process = profile_text(profile, named->process_name);
	str_id thread = named->thread_title ? named->thread_title : named->thread_name;

	if (*process && !named->thread_title)
		text_visible(out, process, strlen(process));
	if (*process && !named->thread_title && thread)
		buf_adds(out, ": ");
	text_visible(out, profile_text(profile, thread), intern_len(&profile->strings, thread));
	if (named->tid != LANE_NO_ID)
		buf_addf(out, " (pid %" PRId64 ", tid %" PRId64 ")", named->pid, named->tid);
	else
		buf_addf(out, " (pid %" PRId64 ")", named->pid);
}
