/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `report --format=json`: one object; times in microseconds with a fraction where there
 * is one, null where a value is unknown. The schema is in flametty(1), JSON; members
 * are only ever added. */
#include "config.h"

#include "report/report.h"

#include "base/alloc.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What one lane needs while it is written. */
struct lane_out {
	const struct profile *profile;
	const struct lane *lane;
	struct totals totals;
	struct totals_counts counts;
	uint32_t *index;                  /* by frame: its place in "functions" */
	frame_id *order;                  /* frames in that order */
	uint32_t n;
};

static void add_us(struct buf *out, int64_t ns)
{
	uint64_t abs = ns < 0 ? (uint64_t)0 - (uint64_t)ns : (uint64_t)ns;

	buf_addf(out, "%s%" PRIu64, ns < 0 ? "-" : "", abs / 1000);
	if (abs % 1000)
		buf_addf(out, ".%03u", (unsigned)(abs % 1000));
}

static void add_text(struct buf *out, const char *text, size_t len)
{
	buf_addc(out, '"');
	text_json(out, text, len);
	buf_addc(out, '"');
}

static void add_string(struct buf *out, const struct profile *p, str_id id)
{
	if (id)
		add_text(out, profile_text(p, id), intern_len(&p->strings, id));
	else
		buf_adds(out, "null");
}

static void add_known(struct buf *out, int64_t value, bool is_known)
{
	if (is_known)
		buf_addf(out, "%" PRId64, value);
	else
		buf_adds(out, "null");
}

static void add_warnings(struct buf *out, const struct profile *p, const struct input *in)
{
	buf_adds(out, "[");
	for (size_t i = 0; i < in->n_warnings; i++) {
		const struct warning *w = &in->warnings[i];

		buf_adds(out, i ? ", {\"offset\": " : "{\"offset\": ");
		add_known(out, w->offset, w->offset >= 0);
		buf_addf(out, ", \"kind\": \"%s\", \"text\": ", w->kind);
		add_string(out, p, w->text);
		buf_addf(out, ", \"count\": %" PRIu64 ", \"note\": %s}", w->count, w->is_note ? "true" : "false");
	}
	buf_adds(out, "]");
}

static void add_inputs(struct buf *out, const struct profile *p)
{
	buf_adds(out, " \"inputs\": [");
	for (uint32_t i = 0; i < p->n_inputs; i++) {
		const struct input *in = &p->inputs[i];

		buf_adds(out, i ? ",\n  {\"path\": " : "{\"path\": ");
		add_text(out, profile_text(p, in->path), intern_len(&p->strings, in->path));
		buf_addf(out, ", \"format\": \"%s\", \"compression\": ", in->format ? in->format : "");
		if (in->compression)
			buf_addf(out, "\"%s\"", in->compression);
		else
			buf_adds(out, "null");
		buf_adds(out, ", \"bytes\": ");
		add_known(out, in->bytes, in->bytes >= 0);
		buf_adds(out, ", \"warnings\": ");
		add_warnings(out, p, in);
		buf_adds(out, "}");
	}
	buf_adds(out, "],\n");
}

/* ---- functions ---- */

struct sort_key {
	int64_t self, total;
	const char *name;
	frame_id frame;
};

static int heaviest_first(const void *a, const void *b)
{
	const struct sort_key *x = a, *y = b;
	int c;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	c = strcmp(x->name, y->name);
	return c ? c : x->frame < y->frame ? -1 : x->frame > y->frame;
}

static void lane_out_init(struct lane_out *o, const struct profile *p, const struct lane *lane, const struct scope *scope)
{
	struct sort_key *keys = xmalloc((size_t)p->frames.n * sizeof *keys);

	*o = (struct lane_out){ .profile = p, .lane = lane };
	totals_init(&o->totals, p, lane);
	totals_compute(&o->totals, scope->t0, scope->t1);
	totals_counts(&o->totals, &o->counts);
	o->index = xcalloc(p->frames.n, sizeof *o->index);
	o->order = xmalloc((size_t)p->frames.n * sizeof *o->order);
	for (frame_id f = 1; f < p->frames.n; f++)
		if (o->totals.frame_total[f] || o->counts.is_used[f])
			keys[o->n++] = (struct sort_key){ o->totals.frame_self[f], o->totals.frame_total[f], profile_text(p, p->frames.frames[f].name), f };
	qsort(keys, o->n, sizeof *keys, heaviest_first);
	for (uint32_t i = 0; i < o->n; i++) {
		o->order[i] = keys[i].frame;
		o->index[keys[i].frame] = i;
	}
	free(keys);
}

static void lane_out_done(struct lane_out *o)
{
	totals_done(&o->totals);
	totals_counts_done(&o->counts);
	free(o->index);
	free(o->order);
}

static void add_functions(struct buf *out, const struct lane_out *o)
{
	const struct profile *p = o->profile;

	buf_adds(out, "   \"functions\": [");
	for (uint32_t i = 0; i < o->n; i++) {
		frame_id id = o->order[i];
		const struct frame *f = profile_frame(p, id);

		buf_adds(out, i ? ",\n    {\"name\": " : "\n    {\"name\": ");
		add_string(out, p, f->name);
		buf_adds(out, ", \"url\": ");
		add_string(out, p, f->url);
		buf_adds(out, ", \"line\": ");
		add_known(out, f->line, f->line > 0);
		buf_adds(out, ", \"column\": ");
		add_known(out, f->column, f->column > 0);
		buf_addf(out, ", \"category\": \"%s\", \"package\": ", category_name(f->category));
		add_string(out, p, f->package);
		buf_adds(out, ", \"self_us\": ");
		add_us(out, o->totals.frame_self[id]);
		buf_adds(out, ", \"total_us\": ");
		add_us(out, o->totals.frame_total[id]);
		buf_addf(out, ", \"self_samples\": %" PRIu64 ", \"spans\": %" PRIu64 "}", o->counts.self_samples[id], o->counts.spans[id]);
	}
	buf_adds(out, "]");
}

/* ---- what --with adds ---- */

/* One row of the first level with all below it. */
static void add_subtree(struct buf *out, const struct lane_out *o, struct rows *from, size_t at)
{
	struct rows rows;

	rows_init_one(&rows, from, at);
	for (size_t i = 0; i < rows.n; i++) {
		const struct row *row = &rows.rows[i];

		buf_addf(out, "%s[%d, %u, ", at || i ? ", " : "", row->depth, (unsigned)o->index[row->frame]);
		add_us(out, row->self);
		buf_adds(out, ", ");
		add_us(out, row->total);
		buf_adds(out, "]");
		rows_open(&rows, i);
	}
	rows_done(&rows);
}

static void add_rows(struct buf *out, const struct lane_out *o, enum rows_kind kind)
{
	struct rows rows;

	rows_init(&rows, &o->totals, kind, kind == ROWS_TOPDOWN ? ROWS_BY_TOTAL : ROWS_BY_SELF);
	buf_addf(out, ",\n   \"%s\": [", kind == ROWS_TOPDOWN ? "tree" : "bottomup");
	for (size_t i = 0; i < rows.n; i++)
		add_subtree(out, o, &rows, i);
	buf_adds(out, "]");
	rows_done(&rows);
}

static void add_spans(struct buf *out, const struct lane_out *o, const struct scope *scope)
{
	const struct samples *s = &o->lane->samples;
	const struct calltree *tree = &o->lane->tree;
	size_t first = s->n ? samples_find(s, scope->t0 - 1) : 0;
	bool is_first = true;

	buf_adds(out, ",\n   \"spans_list\": [");
	for (size_t i = first; i < s->n && s->t[i] < scope->t1; i++) {
		int from = i > first ? s->shared[i - 1] : 0;

		for (int depth = from; depth < tree->rows[s->leaf[i]]; depth++) {
			struct span span;

			if (!span_of_sample(s, tree, i, depth, &span) || (span.t1 <= scope->t0 && span.t0 < scope->t0))
				continue;
			buf_addf(out, "%s[%d, %u, ", is_first ? "" : ", ", depth, (unsigned)o->index[tree->frame[span.node]]);
			add_us(out, span.t0);
			buf_adds(out, ", ");
			add_us(out, span.t1 - span.t0);
			buf_adds(out, "]");
			is_first = false;
		}
	}
	buf_adds(out, "]");
}

/* ---- lanes ---- */

static const char *kind_name(enum lane_kind kind)
{
	static const char *const name[] = { "samples", "slices", "async", "counter", "marks" };

	return name[kind];
}

/* Time by kind within the range. */
static void add_kinds(struct buf *out, const struct lane_out *o, const struct scope *scope)
{
	const struct lane *lane = o->lane;
	int64_t by[CATEGORY_COUNT] = { 0 }, busy, t0, t1;

	for (uint32_t i = 0; i < o->n; i++)
		by[profile_frame(o->profile, o->order[i])->category] += o->totals.frame_self[o->order[i]];
	busy = o->totals.sampled_ns - by[CATEGORY_IDLE] - by[CATEGORY_PROGRAM] - by[CATEGORY_GC];
	t0 = scope->t0 > lane->t0 ? scope->t0 : lane->t0;
	t1 = scope->t1 < lane->t1 ? scope->t1 : lane->t1;
	buf_adds(out, "   \"busy_us\": ");
	add_us(out, busy);
	buf_adds(out, ", \"idle_us\": ");
	add_us(out, by[CATEGORY_IDLE]);
	buf_adds(out, ", \"program_us\": ");
	add_us(out, by[CATEGORY_PROGRAM]);
	buf_adds(out, ", \"gc_us\": ");
	add_us(out, by[CATEGORY_GC]);
	buf_adds(out, ", \"unsampled_us\": ");
	add_us(out, (t1 > t0 ? t1 - t0 : 0) - o->totals.sampled_ns);
	buf_adds(out, ",\n");
}

static void add_lane(struct buf *out, const struct profile *p, const struct lane *lane, const struct report_options *options)
{
	struct lane_out o;

	lane_out_init(&o, p, lane, &options->scope);
	buf_addf(out, "{\"id\": %u, \"kind\": \"%s\", \"process\": {\"pid\": ", (unsigned)lane->id, kind_name(lane->kind));
	add_known(out, lane->pid, lane->pid >= 0);
	buf_adds(out, ", \"name\": ");
	add_string(out, p, lane->process_name);
	buf_adds(out, "}, \"thread\": {\"tid\": ");
	add_known(out, lane->tid, lane->tid >= 0);
	buf_adds(out, ", \"name\": ");
	add_string(out, p, lane->thread_name);
	buf_addf(out, "}, \"input\": %u,\n   \"start_us\": ", (unsigned)lane->input);
	add_us(out, lane->t0);
	buf_adds(out, ", \"end_us\": ");
	add_us(out, lane->t1);
	buf_addf(out, ", \"samples\": %zu, \"nodes\": %zu, \"spans\": %" PRIu64 ", \"max_depth\": %d, \"timeline\": %s,\n",
		 lane->has_timeline ? lane->samples.n : 0, lane->n_file_nodes, lane->n_spans, lane->max_depth, lane->has_timeline ? "true" : "false");
	add_kinds(out, &o, &options->scope);
	add_functions(out, &o);
	if (options->with & REPORT_WITH_TREE)
		add_rows(out, &o, ROWS_TOPDOWN);
	if (options->with & REPORT_WITH_BOTTOMUP)
		add_rows(out, &o, ROWS_BOTTOMUP);
	if (options->with & REPORT_WITH_SPANS)
		add_spans(out, &o, &options->scope);
	buf_adds(out, "}");
	lane_out_done(&o);
}

static void json_write(const struct profile *p, const struct report_options *options, struct buf *out)
{
	buf_addf(out, "{\"flametty\": \"%s\", \"schema\": 1,\n", PACKAGE_VERSION);
	add_inputs(out, p);
	buf_adds(out, " \"start_us\": ");
	add_us(out, p->origin_ns);
	buf_adds(out, ", \"duration_us\": ");
	add_us(out, p->t1);
	buf_adds(out, ", \"from_us\": ");
	add_us(out, options->scope.t0);
	buf_adds(out, ", \"to_us\": ");
	add_us(out, options->scope.t1);
	buf_adds(out, ",\n \"lanes\": [\n  ");
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		if (i)
			buf_adds(out, ",\n  ");
		add_lane(out, p, &p->lanes[i], options);
	}
	buf_adds(out, "]}\n");
}

const struct report report_json = { "json", "everything, as one JSON object", json_write };
