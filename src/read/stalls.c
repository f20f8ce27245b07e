/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `flametty watch -f json` prints, and the list of stalls that it keeps beside its profiles
 * (stalls.jsonl): a JSON object in each line, so a line that is cut off or damaged costs no other.
 * A process gets its name by its line `begin`.
 *
 * Times are of the wall clock with its zone. What goes on (`open`) is told again when it ends: then
 * only its end counts. */
#include "config.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "base/json/json_read.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/units.h"
#include "model/build/track_builder.h"
#include "read/reader.h"
#include "read/text_line.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A date and a time without fractions and zone. */
#define TIME_LEN (sizeof "2026-11-23T03:12:44" - 1)

/* A thread that was watched. */
struct watched {
	int64_t pid, tid;
	str_id address; /* of the inspector of a process without a pid */
	str_id process; /* as in struct stall_entry */
	/* Of tasks, and of shares of time, which are around tasks. */
	struct {
		bool is_made;
		uint32_t track;
		int64_t t1; /* end of the last slice */
	} lanes[2];
};

struct item {
	struct stall_entry entry;
	size_t watched;
	int64_t offset; /* of its line */
	int64_t order;
	bool is_open, is_share;
};

struct stalls_reader {
	struct scan *s;
	struct builder *b;
	struct json_tree tree;
	struct intern texts; /* those of watched and items */
	struct watched *watched;
	size_t n_watched, cap_watched;
	struct item *items;
	size_t n, cap;
	int64_t first_ns, first_local_ns; /* of the earliest one: UTC, and as its text says */
};

static str_id text_of(struct stalls_reader *r, const struct json_value *line, const char *name)
{
	const char *text;
	size_t len;

	return json_tree_text(line, name, &text, &len) && len ? intern_add(&r->texts, text, len)
							      : 0;
}

/* ---- threads ---- */

/* Append the words of a command line without their directories, and without the program if it is
 * `node`: ` server.js`. */
static void add_command(struct buf *out, const char *text, size_t len)
{
	for (size_t i = 0, from; i < len; i += i < len) {
		from = i;
		for (; i < len && text[i] != ' '; i++)
			from = text[i] == '/' ? i + 1 : from;
		if (out->len == 0 && i < len && i - from == 4 &&
		    memcmp(text + from, "node", 4) == 0)
			continue;
		buf_addc(out, ' ');
		buf_add(out, text + from, i - from);
	}
}

/* Add the thread of a line. command: of its process, with a blank before it; may be empty. */
static size_t add_watched(struct stalls_reader *r, const struct watched *of, const char *command)
{
	BUF_LOCAL name = { 0 };

	if (of->pid == LANE_NO_ID)
		buf_adds(&name, intern_text(&r->texts, of->address));
	else
		buf_addf(&name, "%" PRId64, of->pid);
	if (of->tid)
		buf_addf(&name, "/%" PRId64, of->tid);
	buf_adds(&name, command);
	*ARRAY_ADD(r->watched, r->n_watched, r->cap_watched) = *of;
	r->watched[r->n_watched - 1].process = intern_add(&r->texts, buf_text(&name), name.len);
	return r->n_watched - 1;
}

static struct watched watched_of(struct stalls_reader *r, const struct json_value *line)
{
	struct watched w = { .pid = LANE_NO_ID, .address = text_of(r, line, "address") };

	json_tree_integer(line, "pid", &w.pid);
	json_tree_integer(line, "worker", &w.tid);
	return w;
}

/* The thread of a line: of the process that has begun last, as numbers are used again. */
static size_t find_watched(struct stalls_reader *r, const struct json_value *line)
{
	struct watched w = watched_of(r, line);
	const char *command = NULL;

	for (size_t i = r->n_watched; !command && i-- > 0;) {
		const struct watched *o = &r->watched[i];

		if (o->pid != w.pid || o->address != w.address)
			continue;
		if (o->tid == w.tid)
			return i;
		if (o->tid == 0)
			command = strchr(intern_text(&r->texts, o->process), ' ');
	}
	return add_watched(r, &w, command ? command : "");
}

static void begin_process(struct stalls_reader *r, const struct json_value *line)
{
	struct watched w = watched_of(r, line);
	BUF_LOCAL command = { 0 };
	const char *text;
	size_t len;

	json_tree_text(line, "text", &text, &len);
	add_command(&command, text, len);
	add_watched(r, &w, buf_text(&command));
}

/* ---- lines ---- */

/* The function that is to blame, as the frame of a slice. */
static frame_id frame_of(struct stalls_reader *r, const struct json_value *line, const char *event)
{
	const struct json_value *function = json_tree_member(line, "function", JSON_OBJECT);
	struct track_run run = { .event = track_builder_frame(r->b, event, strlen(event)),
				 .cat = { event, strlen(event) },
				 .is_plain = true };
	int64_t at[2] = { 0, 0 };

	json_tree_text(function, "name", &run.name.p, &run.name.len);
	json_tree_text(function, "url", &run.url.p, &run.url.len);
	json_tree_integer(function, "line", &at[0]);
	json_tree_integer(function, "column", &at[1]);
	run.line = at[0] > 0 && at[0] <= INT32_MAX ? (int32_t)at[0] : 0;
	run.column = at[1] > 0 && at[1] <= INT32_MAX ? (int32_t)at[1] : 0;
	return track_builder_run(r->b, &run);
}

/* What has gone on is not told twice; its recording may have been written before it ended. */
static void take_open(struct stalls_reader *r, struct item *item)
{
	for (size_t i = r->n; i-- > 0;) {
		if (r->items[i].watched != item->watched || r->items[i].is_share)
			continue;
		if (!r->items[i].is_open)
			return;
		item->entry.file = item->entry.file ? item->entry.file : r->items[i].entry.file;
		memmove(&r->items[i], &r->items[i + 1], (r->n - i - 1) * sizeof *r->items);
		r->n--;
		return;
	}
}

/* A line about a stretch of time. False: it is damaged. */
static bool add_stretch(struct stalls_reader *r, const struct json_value *line, const char *event,
			const char *time, size_t time_len)
{
	struct item item = { .offset = scan_offset(r->s) };
	struct stall_entry *e = &item.entry;
	char date[TIME_LEN + 1];
	int64_t us, local_ns;
	str_id file;
	const char *name;

	if (time_len < TIME_LEN || !date_parse(time, time_len, &e->t0) ||
	    !date_parse(time, TIME_LEN, &local_ns) ||
	    !json_tree_integer(line, "duration_us", &us) || us < 0 ||
	    us > INT64_MAX / NS_PER_US / 2)
		return false;
	memcpy(date, time, TIME_LEN);
	date[strlen("2026-11-23")] = ' ';
	e->time = intern_add(&r->texts, date, TIME_LEN);
	e->t1 = e->t0 + us * NS_PER_US;
	e->event = intern_add(&r->texts, event, strlen(event));
	e->blame = text_of(r, line, "text");
	e->frame = frame_of(r, line, event);
	/* The recording lies beside the list, whatever the directory was called. */
	file = text_of(r, line, "file");
	name = strrchr(intern_text(&r->texts, file), '/');
	e->file = name ? intern_add(&r->texts, name + 1, strlen(name + 1)) : file;
	item.watched = find_watched(r, line);
	item.is_open = strcmp(event, "open") == 0;
	item.is_share = strcmp(event, "gc") == 0 || strcmp(event, "busy") == 0 ||
		strcmp(event, "grow") == 0;
	item.order = (int64_t)r->n;
	if (strcmp(event, "stall") == 0)
		take_open(r, &item);
	if (r->n == 0 || e->t0 < r->first_ns) {
		r->first_ns = e->t0;
		r->first_local_ns = local_ns;
	}
	*ARRAY_ADD(r->items, r->n, r->cap) = item;
	return true;
}

static bool read_line(struct stalls_reader *r, struct str text)
{
	static const char *const stretches[] = { "stall", "open", "starved", "series",
						 "gc",    "busy", "grow" };
	const char *why, *event, *time;
	size_t bad_at, len;
	const struct json_value *line = json_tree_parse(&r->tree, text, &bad_at, &why);

	if (!line || !json_tree_text(line, "event", &event, &len) ||
	    !json_tree_text(line, "time", &time, &len))
		return false;
	if (strcmp(event, "begin") == 0)
		begin_process(r, line);
	for (size_t i = 0; i < ARRAY_LEN(stretches); i++)
		if (strcmp(event, stretches[i]) == 0)
			return add_stretch(r, line, event, time, len);
	return true;
}

/* ---- the whole ---- */

SORT_ORDER(by_time, struct item, SORT_BY_2(x->entry.t0, y->entry.t0, x->order, y->order))

static str_id give(struct stalls_reader *r, str_id text)
{
	return text ? builder_input_text(r->b, intern_text(&r->texts, text),
					 intern_len(&r->texts, text))
		    : 0;
}

/* Pass the slice of an item to the lane of its thread, which is made for the first one. Starts have
 * whole milliseconds: what follows another slice may seem to begin before its end. */
static void pass_slice(struct stalls_reader *r, const struct item *item)
{
	struct watched *w = &r->watched[item->watched];
	struct track_slice slice = { .t0 = item->entry.t0,
				     .t1 = item->entry.t1,
				     .frame = item->entry.frame,
				     .offset = item->offset,
				     .end_offset = -1 };
	BUF_LOCAL title = { 0 };

	if (!w->lanes[item->is_share].is_made) {
		buf_addf(&title, "%s%s", intern_text(&r->texts, w->process),
			 item->is_share ? " (shares)" : "");
		w->lanes[item->is_share].track = track_builder_add(
			r->b, LANE_SLICES, LANE_NO_ID, LANE_NO_ID, title.data, title.len);
		w->lanes[item->is_share].is_made = true;
	} else if (slice.t0 < w->lanes[item->is_share].t1) {
		slice.t0 = w->lanes[item->is_share].t1;
	}
	w->lanes[item->is_share].t1 = slice.t1;
	track_builder_slice(r->b, w->lanes[item->is_share].track, &slice);
}

static void pass_stalls(struct stalls_reader *r)
{
	qsort(r->items, r->n, sizeof *r->items, by_time);
	track_builder_keeps_all(r->b);
	builder_input_date(r->b, r->first_local_ns / NS_PER_S, false);
	for (size_t i = 0; i < r->n; i++) {
		struct stall_entry *e = &r->items[i].entry;

		e->time = give(r, e->time);
		e->process = give(r, r->watched[r->items[i].watched].process);
		e->event = give(r, e->event);
		e->blame = give(r, e->blame);
		e->file = give(r, e->file);
		pass_slice(r, &r->items[i]);
		track_builder_stall(r->b, e);
	}
}

static bool stalls_read(struct scan *s, struct builder *b, const struct file_hints *hints,
			struct error *err)
{
	struct stalls_reader r = { .s = s, .b = b };
	struct str line;
	bool is_whole;

	(void)hints;
	builder_no_subset(b);
	intern_init(&r.texts);
	while (text_line_next(s, err, &line, &is_whole)) {
		struct str text = text_line_trimmed(line);

		if (text.len && !read_line(&r, text))
			builder_warn(b, is_whole ? WARN_ODD_LINE : WARN_CUT_OFF, scan_offset(s));
		text_line_pass(s, line);
	}
	if (err->kind == ERR_NONE && r.n == 0)
		error_set(err, ERR_FORMAT, 0, "there are no stalls in it");
	if (err->kind == ERR_NONE)
		pass_stalls(&r);
	json_tree_done(&r.tree);
	intern_done(&r.texts);
	free(r.watched);
	free(r.items);
	return err->kind == ERR_NONE;
}

static int stalls_sniff(const struct outline *outline)
{
	return outline_has(outline, "time", '"') && outline_has(outline, "event", '"') &&
			outline_has(outline, "worker", 0)
		? 70
		: 0;
}

const struct reader reader_stalls = {
	.name = "stalls",
	.help = "lines of flametty watch -f json, and its list of stalls (stalls.jsonl)",
	.members = "event",
	.foreign = "ph traceEvents",
	.sniff = stalls_sniff,
	.read = stalls_read,
};
