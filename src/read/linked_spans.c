/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans that state their parents: the file .next/trace of Next.js, and others of its form. A span
 * is {"name", "duration", "timestamp", "id", "parentId", "tags", "startTime", "traceId"}; it is
 * written when it ends, so children come before their parents. A line is an array of spans, as they
 * were flushed together.
 *
 * A process has one traceId and counts its ids from 1 on. The file of a development server is
 * continued by the next process, whose clock may begin anew: the wall clock in startTime says how
 * far the clocks of two processes are apart. All spans are one track; "linked rows" below places
 * them. */
#include "config.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/json/json_read.h"
#include "base/sort.h"
#include "model/build/track_builder.h"
#include "read/documents.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== linked rows ====
 *
 * Rows for spans that state their parents, but may overlap each other and outlast their parents:
 * each keeps its own time, and stands below its parent.
 *
 * A span goes onto the layer of its parent, inside it, if it is within its time and the one before
 * it there has ended. Otherwise it begins a chain of its own, on the first free layer below that of
 * its parent. So a layer has spans that nest, and what is on it begins when what was put there
 * before has ended.
 *
 * Spans are placed in the order of their starts, but none before its parent. The links are walked
 * without recursion. */

#define LINKED_NONE UINT32_MAX

struct linked_span {
	int64_t t0, t1;
	uint32_t parent; /* index; LINKED_NONE: it has none */
	/* The result. */
	uint32_t place; /* track_builder_place() */
	bool is_early;  /* it begins before its parent, and is inside of it later */
	uint32_t layer, depth;
	/* For the work. */
	int64_t from;       /* its start, or a later one of a span around it */
	int64_t busy_until; /* the end of what is inside it on its layer */
	uint32_t rank;      /* of spans around it */
};

struct linked_rows {
	uint32_t *order;      /* indices: parents come first. Allocated */
	size_t n_cycles;      /* parents that were taken away, as they lead back to the span */
	uint32_t first_cycle; /* such a span */
	size_t n_late;        /* spans that overlap others for want of rows */
};

/* Ranks while links are walked. */
#define UNKNOWN UINT32_MAX
#define ON_THE_WAY (UINT32_MAX - 1)

/* Set the rank of a span and of those around it, and cut a cycle. way: room for all indices. */
static void rank(struct linked_span *spans, uint32_t i, uint32_t *way, struct linked_rows *rows)
{
	size_t n = 0;

	while (spans[i].rank == UNKNOWN) {
		struct linked_span *s = &spans[i];

		s->rank = ON_THE_WAY;
		way[n++] = i;
		if (s->parent == LINKED_NONE)
			break;
		if (spans[s->parent].rank == ON_THE_WAY) {
			if (rows->n_cycles++ == 0)
				rows->first_cycle = i;
			s->parent = LINKED_NONE;
			break;
		}
		i = s->parent;
	}
	while (n > 0) {
		struct linked_span *s = &spans[way[--n]];
		const struct linked_span *p = s->parent == LINKED_NONE ? NULL : &spans[s->parent];

		s->rank = p ? p->rank + 1 : 0;
		s->from = p && p->from > s->t0 ? p->from : s->t0;
	}
}

struct item {
	int64_t from, t1;
	uint32_t rank, i;
};

SORT_ORDER(compare, struct item,
	   SORT_BY_4(x->from, y->from, x->rank, y->rank, y->t1, x->t1, x->i, y->i))

struct layers {
	int64_t until[TRACK_BUILDER_LAYERS]; /* the end of what is on the layer */
	uint32_t n;
};

/* The first free layer from `from` on. If there are too many, the last one. */
static uint32_t free_layer(struct layers *layers, uint32_t from, int64_t t, bool *is_late)
{
	for (uint32_t i = from; i < layers->n; i++)
		if (layers->until[i] <= t)
			return i;
	*is_late = layers->n == TRACK_BUILDER_LAYERS;
	if (*is_late)
		return layers->n - 1;
	layers->until[layers->n] = INT64_MIN;
	return layers->n++;
}

static void place(struct linked_span *spans, struct linked_span *s, struct layers *layers,
		  struct linked_rows *rows)
{
	struct linked_span *p = s->parent == LINKED_NONE ? NULL : &spans[s->parent];
	bool is_late = false, takes_time;

	s->busy_until = s->t0;
	if (p && p->t0 <= s->t0 && s->t1 <= p->t1 && p->busy_until <= s->t0 &&
	    p->depth + 1 < TRACK_BUILDER_DEPTHS) {
		s->layer = p->layer;
		s->depth = p->depth + 1;
		s->place = track_builder_place(s->layer, s->layer, 0);
		p->busy_until = s->t1;
		return;
	}
	s->layer = free_layer(layers, p ? p->layer + 1 : 0, s->t0, &is_late);
	s->depth = 0;
	rows->n_late += is_late;
	if (layers->until[s->layer] < s->t1)
		layers->until[s->layer] = s->t1;
	/* Of slices that begin at one time, the longest one is put onto its layer first. */
	s->is_early = p && !is_late && p->t0 < s->t1 &&
		(s->t0 < p->t0 || (s->t0 == p->t0 && s->t1 > p->t1));
	takes_time = p && !is_late && !s->is_early && p->t0 <= s->t0 && s->t0 < p->t1;
	s->place = takes_time ? track_builder_place(s->layer, p->layer, p->depth)
			      : track_builder_place(s->layer, s->layer, 0);
}

/* Place n spans. free(rows->order) by the caller. */
static void linked_rows_place(struct linked_span *spans, uint32_t n, struct linked_rows *rows)
{
	ALLOC_LOCAL struct layers *layers = xcalloc(1, sizeof *layers);
	ALLOC_LOCAL struct item *items = xmalloc(((size_t)n + 1) * sizeof *items);

	*rows = (struct linked_rows){ .order = xmalloc(((size_t)n + 1) * sizeof *rows->order) };
	for (uint32_t i = 0; i < n; i++)
		spans[i].rank = UNKNOWN;
	for (uint32_t i = 0; i < n; i++)
		rank(spans, i, rows->order, rows);
	for (uint32_t i = 0; i < n; i++)
		items[i] = (struct item){ spans[i].from, spans[i].t1, spans[i].rank, i };
	qsort(items, n, sizeof *items, compare);
	for (uint32_t i = 0; i < n; i++)
		rows->order[i] = items[i].i;
	for (uint32_t i = 0; i < n; i++)
		place(spans, &spans[rows->order[i]], layers, rows);
}

/* ==== linked spans ==== */

#define TITLE "spans"

/* Clocks that differ by less are one: startTime is in whole milliseconds. */
#define ONE_CLOCK_NS INT64_C(1000000000)

/* A span as the file has it; all ids are texts, 0: none. */
struct file_span {
	int64_t offset;
	str_id name, id, parent, trace;
};

/* The spans with one traceId. */
struct process {
	str_id trace;
	int64_t apart; /* wall clock less clock */
	bool has_wall;
};

struct spans_reader {
	struct scan *s;
	struct builder *b;
	struct error *err;
	struct intern texts;
	struct file_span *spans;
	struct linked_span *linked; /* for each of them */
	size_t n, cap, cap_linked;
	struct hash_table index; /* spans by trace and id */
	struct process *processes;
	size_t n_processes, cap_processes;
	struct hash_table process_index; /* by trace */
	int64_t good_end;
};

/* ---- a span ---- */

struct draft {
	struct file_span span;
	struct json_read_number start, duration, wall;
};

static struct process *process_of(struct spans_reader *r, str_id trace)
{
	struct hash_probe probe = hash_probe(hash_u64(trace));

	while (hash_table_next(&r->process_index, &probe))
		if (r->processes[probe.index].trace == trace)
			return &r->processes[probe.index];
	hash_table_add(&r->process_index, hash_u64(trace), (uint32_t)r->n_processes);
	*ARRAY_ADD(r->processes, r->n_processes,
		   r->cap_processes) = (struct process){ .trace = trace };
	return &r->processes[r->n_processes - 1];
}

static uint64_t key_of(str_id trace, str_id id)
{
	return hash_u64((uint64_t)trace << 32 | id);
}

/* The span of a process with an id; LINKED_NONE: there is none. */
static uint32_t find(const struct spans_reader *r, str_id trace, str_id id)
{
	struct hash_probe probe = hash_probe(key_of(trace, id));

	while (hash_table_next(&r->index, &probe))
		if (r->spans[probe.index].trace == trace && r->spans[probe.index].id == id)
			return probe.index;
	return LINKED_NONE;
}

static bool add(struct spans_reader *r, const struct draft *f)
{
	const struct file_span *span = &f->span;
	int64_t t0 = f->start.value, length = f->duration.value;
	struct process *p;

	if (!f->start.is_usable || !span->name)
		return builder_warn(r->b, WARN_ODD_EVENT, span->offset);
	if (r->n >= HASH_TABLE_INDEX_MAX - 2)
		return error_set(r->err, ERR_LIMIT, span->offset, "too many spans");
	if (!f->duration.is_usable)
		builder_warn(r->b, WARN_DUR_MISSING, span->offset);
	if (length < 0 || length > PROFILE_TIME_MAX - t0) {
		builder_warn(r->b, WARN_DUR_NEGATIVE, span->offset);
		length = 0;
	}
	p = process_of(r, span->trace);
	if (f->wall.is_usable && (!p->has_wall || f->wall.value - t0 < p->apart)) {
		p->apart = f->wall.value - t0;
		p->has_wall = true;
	}
	r->spans = xgrow(r->spans, &r->cap, r->n + 1, sizeof *r->spans);
	r->linked = xgrow(r->linked, &r->cap_linked, r->n + 1, sizeof *r->linked);
	r->spans[r->n] = *span;
	r->linked[r->n] = (struct linked_span){ .t0 = t0, .t1 = t0 + length };
	if (span->id && find(r, span->trace, span->id) == LINKED_NONE)
		hash_table_add(&r->index, key_of(span->trace, span->id), (uint32_t)r->n);
	else if (span->id)
		builder_warn(r->b, WARN_SPAN_ID, span->offset);
	r->n++;
	return true;
}

static bool read_span(struct spans_reader *r)
{
	static const struct json_field fields[] = {
		{ "name", JSON_FIELD_TEXT, offsetof(struct draft, span.name) },
		{ "timestamp", JSON_FIELD_US, offsetof(struct draft, start) },
		{ "duration", JSON_FIELD_US, offsetof(struct draft, duration) },
		{ "startTime", JSON_FIELD_MS, offsetof(struct draft, wall) },
		{ "id", JSON_FIELD_ID, offsetof(struct draft, span.id) },
		{ "parentId", JSON_FIELD_ID, offsetof(struct draft, span.parent) },
		{ "traceId", JSON_FIELD_ID, offsetof(struct draft, span.trace) },
	};
	struct draft f = { 0 };

	if (scan_peek(r->s) != '{') {
		builder_warn(r->b, WARN_ODD_EVENT, scan_offset(r->s));
		return scan_skip(r->s);
	}
	f.span.offset = scan_offset(r->s);
	if (!json_read_fields(r->s, fields, ARRAY_LEN(fields), &r->texts, &f))
		return false;
	r->good_end = scan_offset(r->s);
	return add(r, &f);
}

/* ---- the document ---- */

static bool read_list(void *ctx, bool is_bare)
{
	struct spans_reader *r = ctx;
	bool is_first = true;

	if (is_bare)
		return read_span(r);
	while (scan_element(r->s, &is_first))
		if (!read_span(r))
			return false;
	return r->err->kind == ERR_NONE;
}

static bool is_usable(void *ctx)
{
	const struct spans_reader *r = ctx;

	return r->n > 0;
}

/* ---- the track ---- */

/* Bring all clocks to that of the first process. */
static void join_clocks(struct spans_reader *r)
{
	const struct process *first = &r->processes[0];

	for (size_t i = 0; i < r->n; i++) {
		const struct process *p = process_of(r, r->spans[i].trace);
		struct linked_span *s = &r->linked[i];
		int64_t by = p->has_wall && first->has_wall ? p->apart - first->apart : 0;

		if (by > -ONE_CLOCK_NS && by < ONE_CLOCK_NS)
			continue;
		if (__builtin_add_overflow(s->t0, by, &s->t0) ||
		    __builtin_add_overflow(s->t1, by, &s->t1) || s->t0 < -PROFILE_TIME_MAX ||
		    s->t1 > PROFILE_TIME_MAX) {
			builder_warn(r->b, WARN_TIME_RANGE, r->spans[i].offset);
			s->t0 = s->t1 = by < 0 ? -PROFILE_TIME_MAX : PROFILE_TIME_MAX;
		}
	}
}

/* The frames of all names, by text. */
static frame_id *pass_frames(struct spans_reader *r)
{
	frame_id *frames = xcalloc((size_t)r->texts.n + 1, sizeof *frames);
	ALLOC_LOCAL bool *is_name = xcalloc((size_t)r->texts.n + 1, sizeof *is_name);

	for (size_t i = 0; i < r->n; i++)
		is_name[r->spans[i].name] = true;
	for (str_id i = 0; i < r->texts.n; i++)
		if (is_name[i])
			frames[i] = track_builder_frame(r->b, intern_text(&r->texts, i),
							intern_len(&r->texts, i));
	return frames;
}

static void pass_spans(struct spans_reader *r, const struct linked_rows *rows)
{
	uint32_t track = track_builder_add(r->b, LANE_SLICES, LANE_NO_ID, LANE_NO_ID, TITLE,
					   strlen(TITLE));
	frame_id *frames = pass_frames(r);

	track_builder_placed(r->b, track);
	for (size_t i = 0; i < r->n; i++) {
		const struct linked_span *s = &r->linked[rows->order[i]];
		const struct file_span *span = &r->spans[rows->order[i]];

		track_builder_slice(r->b, track,
				    &(struct track_slice){ .t0 = s->t0,
							   .t1 = s->t1,
							   .frame = frames[span->name],
							   .group = s->place,
							   .offset = span->offset,
							   .end_offset = -1 });
		if (s->is_early) {
			const struct linked_span *p = &r->linked[s->parent];

			/* Tell that the parent of a span that begins before it has no self time
			 * while both last. */
			track_builder_cover(
				r->b, track,
				&(struct track_cover){ .t0 = p->t0,
						       .t1 = s->t1 < p->t1 ? s->t1 : p->t1,
						       .layer = p->layer,
						       .depth = p->depth });
		}
	}
	free(frames);
}

static bool finish(struct spans_reader *r)
{
	struct linked_rows rows;

	if (r->n == 0)
		return error_set(r->err, ERR_FORMAT, 0, "the file has no spans");
	if (!intern_fits(&r->texts, r->err))
		return false;
	join_clocks(r);
	for (size_t i = 0; i < r->n; i++) {
		const struct file_span *span = &r->spans[i];

		r->linked[i].parent = span->parent ? find(r, span->trace, span->parent)
						   : LINKED_NONE;
		if (span->parent && r->linked[i].parent == LINKED_NONE)
			builder_warn(r->b, WARN_SPAN_PARENT, span->offset);
	}
	linked_rows_place(r->linked, (uint32_t)r->n, &rows);
	if (rows.n_cycles)
		builder_warn_times(r->b, WARN_CYCLE, r->spans[rows.first_cycle].offset,
				   rows.n_cycles);
	if (rows.n_late)
		builder_warn_times(r->b, WARN_SPAN_ROW, -1, rows.n_late);
	pass_spans(r, &rows);
	free(rows.order);
	return true;
}

static int linked_spans_sniff(const struct outline *outline)
{
	return outline_has(outline, "name", '"') && outline_has(outline, "timestamp", 0) &&
			outline_has(outline, "duration", 0) && outline_has(outline, "id", 0)
		? 70
		: 0;
}

static bool linked_spans_read(struct scan *s, struct builder *b, const struct file_hints *hints,
			      struct error *err)
{
	struct spans_reader r = { .s = s, .b = b, .err = err };
	static const struct document_member members[] = { { .name = NULL } };
	const struct documents documents = { .s = s,
					     .b = b,
					     .err = &r.err,
					     .ctx = &r,
					     .noun = "span",
					     .members = members,
					     .is_usable = is_usable,
					     .good_end = &r.good_end,
					     .list = read_list,
					     .is_bare = true,
					     .is_joined = true };
	bool ok;

	(void)hints;
	/* Spans are placed when all are known. */
	builder_no_subset(b);
	intern_init(&r.texts);
	ok = documents_read(&documents) && finish(&r);
	intern_done(&r.texts);
	free(r.spans);
	free(r.linked);
	free(r.processes);
	hash_table_done(&r.index);
	hash_table_done(&r.process_index);
	return ok;
}

const struct reader reader_linked_spans = {
	.name = "spans",
	.help = "spans with parents, as Next.js writes them (.next/trace)",
	.members = "timestamp",
	.foreign = "ph traceEvents",
	.sniff = linked_spans_sniff,
	.read = linked_spans_read,
};
