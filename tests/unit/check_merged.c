/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random profiles, transforms and ranges: scoped profiles, merged lanes and the flat table must
 * give the same numbers as the totals of a view, which check_view compares with sums over stacks. A
 * failure prints the seed. */
#include "config.h"

#include "suite.h"
#include "view_of.h"

#include "analyse/cover.h"
#include "analyse/functions.h"
#include "analyse/gc_part.h"
#include "analyse/rows/rows.h"
#include "merged_now.h"
#include "analyse/view/scoped.h"
#include "base/hash.h"
#include "random_mix.h"
#include "random_transform.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>

#define SEEDS 6000
#define SCOPES 2 /* of a profile */
#define RANGES 3 /* of a scope: so 36,000 cases, each of all lanes */
#define MAX_TRANSFORMS 3

/* ---- a case ---- */

struct kase {
	struct profile *p;
	struct scope scope;
	uint8_t *sets[MAX_TRANSFORMS];
	frame_id *paths[MAX_TRANSFORMS];
	struct scoped scoped;
	int64_t t0, t1;
	const char *what; /* is being compared */
};

static const char *label(const struct kase *k)
{
	static char text[1000];
	struct buf out = { 0 };

	scope_describe(&k->scope, k->p, &out);
	snprintf(text, sizeof text, "seed %d: %s, [%" PRId64 ", %" PRId64 "): %s", seed,
		 out.data ? out.data : "plain", k->t0, k->t1, k->what);
	buf_done(&out);
	return text;
}

#define SAME(kase, name, is, expected)                                                             \
	do {                                                                                       \
		int64_t is_ = (int64_t)(is), expected_ = (int64_t)(expected);                      \
		if (is_ != expected_)                                                              \
			ck_abort_msg("%s: %s is %" PRId64 ", not %" PRId64, label(kase), name,     \
				     is_, expected_);                                              \
	} while (0)

/* The path to a random node of a random lane. */
static void pick_path(struct kase *k, struct transform *t, size_t i)
{
	const struct lane *lane = &k->p->lanes[below(k->p->n_lanes)];
	node_id node = lane->tree.n ? (node_id)below(lane->tree.n) : NODE_ROOT;

	t->n_path = lane->tree.n ? lane->tree.rows[node] : 0;
	k->paths[i] = xmalloc((t->n_path + 1) * sizeof *k->paths[i]);
	for (uint32_t row = t->n_path; row-- > 0; node = lane->tree.parent[node])
		k->paths[i][row] = lane->tree.frame[node];
	t->path = k->paths[i];
}

static void pick_transform(struct kase *k, size_t i)
{
	struct transform *t = &k->scope.transforms[i];

	random_transform(k->p, t, &k->sets[i]);
	if (t->by == BY_PATH)
		pick_path(k, t, i);
}

static void pick_scope(struct kase *k, struct profile *p)
{
	struct error err = ERROR_INIT;

	*k = (struct kase){ .p = p, .what = "scope" };
	scope_all(&k->scope, p);
	if (below(3) == 0) {
		k->scope.is_lane = xcalloc(p->n_lanes, 1);
		for (uint32_t i = 0; i < p->n_lanes; i++)
			k->scope.is_lane[i] = below(3) > 0;
	}
	k->scope.transforms = xcalloc(MAX_TRANSFORMS, sizeof *k->scope.transforms);
	k->scope.n_transforms = below(MAX_TRANSFORMS + 1);
	for (size_t i = 0; i < k->scope.n_transforms; i++)
		pick_transform(k, i);
	k->scope.group = below(2) ? GROUP_FUNCTION : (enum view_group)below(GROUP_COUNT);
	ck_assert(scoped_init(&k->scoped, p, &k->scope, &err));
}

static void drop_scope(struct kase *k)
{
	scoped_done(&k->scoped);
	free(k->scope.transforms);
	free(k->scope.is_lane);
	for (size_t i = 0; i < MAX_TRANSFORMS; i++) {
		free(k->sets[i]);
		free(k->paths[i]);
	}
}

static void pick_range(struct kase *k, int i)
{
	int64_t len = k->p->t1 + 20;

	k->t0 = i == 0 ? 0 : (int64_t)below((uint64_t)len) - 10;
	k->t1 = i == 0 ? k->p->t1 : k->t0 + 1 + (int64_t)below((uint64_t)len);
	if (i == 2) {
		const struct samples *s = &k->p->lanes[below(k->p->n_lanes)].samples;

		if (s->n) {
			k->t0 = samples_time(s, below(s->n + 1));
			k->t1 = samples_time(s, below(s->n + 1));
		}
	}
	if (k->t1 <= k->t0)
		k->t1 = k->t0 + 1;
}

/* A view of some lanes with its totals. */
struct sums {
	struct view view;
	struct totals totals;
	struct totals_counts counts;
};

static void sums_init(struct sums *s, const struct kase *k, const struct profile *p,
		      const struct lane *const *lanes, uint32_t n, bool is_changed)
{
	view_of(&s->view, p, lanes, n, k->scope.transforms, is_changed ? k->scope.n_transforms : 0,
		is_changed ? k->scope.group : GROUP_FUNCTION);
	totals_init(&s->totals, &s->view);
	totals_compute(&s->totals, k->t0, k->t1);
	totals_counts(&s->totals, &s->counts);
}

static void sums_done(struct sums *s)
{
	totals_counts_done(&s->counts);
	totals_done(&s->totals);
	view_done(&s->view);
}

/* The frame of another view of profiles with the same texts. */
static frame_id frame_in(const struct view *v, const struct view *other, frame_id f,
			 uint32_t n_given)
{
	const struct frame *is = &other->frames[f];

	if (f < n_given)
		return f;
	for (frame_id g = n_given; g < v->n_frames; g++)
		if (v->frames[g].name == is->name && v->frames[g].url == is->url &&
		    v->frames[g].script == is->script && v->frames[g].package == is->package &&
		    v->frames[g].category == is->category)
			return g;
	return FRAME_NONE;
}

/* ---- scoped ---- */

/* `a` and `b` must have the same times. */
static void check_sums(struct kase *k, const struct sums *a, const struct sums *b)
{
	SAME(k, "sampled time", b->totals.sampled_ns, a->totals.sampled_ns);
	SAME(k, "idle time", b->totals.idle_ns, a->totals.idle_ns);
	SAME(k, "number of frames with time", b->totals.n_used, a->totals.n_used);
	for (frame_id f = 1; f < a->view.n_frames; f++) {
		frame_id g = frame_in(&b->view, &a->view, f, k->p->frames.n);

		/* A frame that was made for a stack which no sample has is nowhere else. */
		if (g == FRAME_NONE && !a->counts.is_used[f])
			continue;
		SAME(k, "self", b->totals.frame_self[g], a->totals.frame_self[f]);
		SAME(k, "total", b->totals.frame_total[g], a->totals.frame_total[f]);
		SAME(k, "spans", b->counts.spans[g], a->counts.spans[f]);
		SAME(k, "samples", b->counts.self_samples[g], a->counts.self_samples[f]);
		SAME(k, "use", b->counts.is_used[g], a->counts.is_used[f]);
	}
}

/* Columns side by side are the totals, row by row. */
static void check_columns(struct kase *k, const struct lane *lane, const struct totals *totals)
{
	int64_t *rows = xcalloc((size_t)lane->tree.max_rows + 1, sizeof *rows), t0 = k->t0;
	struct cover *cover = cover_new(lane);

	for (node_id i = 1; i < lane->tree.n; i++)
		rows[lane->tree.rows[i] - 1] += totals->total[i];
	while (t0 < k->t1) {
		int64_t t1 = t0 + 1 + (int64_t)below((uint64_t)(k->t1 - t0));
		const struct cover_cell *cells;
		int n;

		cells = cover_column(cover, t0, t1, &n);
		for (int row = 0; row < n; row++)
			rows[row] -= cells[row].all_ns;
		t0 = t1;
	}
	for (int row = 0; row < lane->tree.max_rows; row++)
		SAME(k, "difference of columns", rows[row], 0);
	cover_free(cover);
	free(rows);
}

/* The times that a lane states of itself. */
static void check_lane(struct kase *k, const struct lane *lane)
{
	const struct samples *s = &lane->samples;

	SAME(k, "time of the lane",
	     lane->busy_ns + lane->idle_ns + lane->program_ns + lane->gc_ns + lane->unsampled_ns,
	     lane->t1 - lane->t0);
	for (size_t i = 0; i < s->n; i++) {
		unsigned most = i + 1 < s->n
			? lane->tree.rows[calltree_common(&lane->tree, s->leaf[i], s->leaf[i + 1])]
			: 0;

		if (samples_shared(s, i) > most)
			ck_abort_msg("%s: %u rows shared, %u equal", label(k), samples_shared(s, i),
				     most);
	}
}

static bool is_changed(const struct lane *lane)
{
	return lane->kind == LANE_SAMPLES || lane->kind == LANE_SLICES;
}

static void check_scoped(struct kase *k)
{
	const struct profile *p = k->scoped.profile;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i], *from = scoped_original(&k->scoped, lane);
		struct sums a, b;

		if (lane->tree.n == 0)
			continue;
		k->what = "scoped lane";
		sums_init(&a, k, k->p, &from, 1, is_changed(from));
		sums_init(&b, k, p, &lane, 1, false);
		check_sums(k, &a, &b);
		SAME(k, "dropped time", scoped_dropped(&k->scoped, lane, k->t0, k->t1),
		     a.totals.dropped_ns);
		check_columns(k, lane, &b.totals);
		check_lane(k, lane);
		sums_done(&a);
		sums_done(&b);
	}
}

/* ---- merged ---- */

/* When each node has its first time, and whether it is one stretch; heavier children of a node come
 * first. */
static void check_order(struct kase *k, const struct lane *lane)
{
	const struct calltree *tree = &lane->tree;
	const struct samples *s = &lane->samples;
	int64_t *first = xmalloc(tree->n * sizeof *first), *total = xcalloc(tree->n, sizeof *total);

	for (node_id i = 0; i < tree->n; i++)
		first[i] = -1;
	SAME(k, "begin of the lane", s->n ? samples_time(s, 0) : 0, 0);
	SAME(k, "end of the lane", samples_time(s, s->n), lane->t1);
	for (size_t i = 0; i < s->n; i++)
		for (node_id node = s->leaf[i]; node != NODE_ROOT; node = tree->parent[node]) {
			first[node] = first[node] < 0 ? samples_time(s, i) : first[node];
			SAME(k, "time of a node before it goes on",
			     samples_time(s, i) - first[node], total[node]);
			total[node] += samples_time(s, i + 1) - samples_time(s, i);
		}
	for (node_id above = 0; above < tree->n; above++) {
		int64_t last = -1, last_total = INT64_MAX;

		for (node_id i = above + 1; i < tree->end[above]; i = tree->end[i]) {
			if (first[i] <= last || total[i] > last_total)
				ck_abort_msg("%s: not the heaviest first", label(k));
			last = first[i];
			last_total = total[i];
		}
	}
	free(first);
	free(total);
}

static void check_left_heavy(struct kase *k, const struct totals *totals)
{
	struct profile *p = merged_now(totals, MERGED_LEFT_HEAVY, FRAME_NONE, NULL);
	const struct lane *lane;
	struct kase whole = *k;
	struct sums is;

	k->what = whole.what = "left heavy";
	SAME(k, "whether there is one", p != NULL, totals->sampled_ns > 0);
	if (!p)
		return;
	lane = &p->lanes[0];
	whole.t0 = 0;
	whole.t1 = lane->t1 + 1;
	sums_init(&is, &whole, p, &lane, 1, false);
	SAME(k, "number of lanes", p->n_lanes, 1);
	SAME(k, "length", lane->t1, totals->sampled_ns);
	SAME(k, "end", p->t1, lane->t1);
	SAME(k, "number of frames", is.view.n_frames, totals->n_frames);
	for (frame_id f = 1; f < totals->n_frames; f++) {
		SAME(k, "self", is.totals.frame_self[f], totals->frame_self[f]);
		SAME(k, "total", is.totals.frame_total[f], totals->frame_total[f]);
	}
	SAME(k, "idle time", is.totals.idle_ns, totals->idle_ns);
	check_order(k, lane);
	check_lane(k, lane);
	sums_done(&is);
	profile_free(p);
}

/* The stacks of a lane with their times as one number. is_inverted: read each from the leaf on. */
static uint64_t hash_stacks(const struct lane *lane, bool is_inverted)
{
	const struct calltree *tree = &lane->tree;
	const struct samples *s = &lane->samples;
	uint64_t sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		uint64_t hash = 0, frame, weight = 1;

		/* As a number in a system whose digits are frames: the order counts. */
		for (node_id node = s->leaf[i]; node != NODE_ROOT; node = tree->parent[node]) {
			frame = hash_u64(tree->frame[node]);
			hash = is_inverted ? hash * 31 + frame : hash + frame * weight;
			weight *= 31;
		}
		sum += hash * (uint64_t)(samples_time(s, i + 1) - samples_time(s, i));
	}
	return sum;
}

static void check_inverted(struct kase *k, const struct totals *totals)
{
	uint32_t n_levels;
	struct profile *p = merged_now(totals, MERGED_INVERTED, FRAME_NONE, &n_levels), *straight;
	const struct lane *lane;
	int64_t *outer;

	k->what = "inverted";
	SAME(k, "whether there is one", p != NULL, totals->sampled_ns > 0);
	if (!p)
		return;
	lane = &p->lanes[0];
	straight = merged_now(totals, MERGED_LEFT_HEAVY, FRAME_NONE, NULL);
	outer = xcalloc(totals->n_frames, sizeof *outer);
	SAME(k, "number of lanes", p->n_lanes, 1);
	SAME(k, "levels that are left out", n_levels, 0);
	SAME(k, "length", lane->t1, totals->sampled_ns);
	SAME(k, "stacks", hash_stacks(lane, true), hash_stacks(&straight->lanes[0], false));
	for (size_t i = 0; i < lane->samples.n; i++) {
		node_id node = lane->samples.leaf[i];

		while (lane->tree.parent[node] != NODE_ROOT)
			node = lane->tree.parent[node];
		outer[lane->tree.frame[node]] += samples_time(&lane->samples, i + 1) -
			samples_time(&lane->samples, i);
	}
	for (frame_id f = 1; f < totals->n_frames; f++)
		SAME(k, "time of row 0", outer[f], totals->frame_self[f]);
	check_order(k, lane);
	check_lane(k, lane);
	free(outer);
	profile_free(straight);
	profile_free(p);
}

/* ---- the part of garbage collection ---- */

static bool is_gc(const struct view *v, node_id node)
{
	return node != NODE_ROOT && v->frames[v->tree->frame[node]].category == CATEGORY_GC;
}

/* Each function has the time of the stacks that it is on and that end in garbage collection; the
 * rows of a table have it in the same way. */
static void check_gc(struct kase *k, const struct totals *totals)
{
	const struct view *v = totals->view;
	int64_t *frame = xcalloc((size_t)totals->n_frames + 1, sizeof *frame), all = 0, sum = 0;
	struct gc_part part;
	struct rows rows;

	k->what = "garbage collection";
	gc_part_find(&part, totals);
	for (node_id i = 1; v->tree && i < v->tree->n; i++) {
		if (!is_gc(v, i))
			continue;
		all += totals->self[i];
		for (node_id at = i; at != NODE_ROOT; at = v->tree->parent[at]) {
			bool is_inner = false;

			for (node_id up = v->tree->parent[at]; up != NODE_ROOT;
			     up = v->tree->parent[up])
				is_inner |= v->tree->frame[up] == v->tree->frame[at];
			frame[v->tree->frame[at]] += is_inner ? 0 : totals->self[i];
		}
	}
	for (frame_id f = 1; f < totals->n_frames; f++)
		SAME(k, "part of a function", part.frame[f], frame[f]);
	rows_init(&rows, totals, ROWS_TOPDOWN, ROWS_BY_TOTAL, FRAME_NONE);
	for (size_t i = 0; i < rows.n; i++)
		sum += gc_part_of_row(&part, ROWS_TOPDOWN, &rows.rows[i]);
	SAME(k, "sum of the first rows", sum, all);
	rows_done(&rows);
	rows_init(&rows, totals, ROWS_BOTTOMUP, ROWS_BY_SELF, FRAME_NONE);
	for (size_t i = 0; i < rows.n; i++)
		SAME(k, "part of a row", gc_part_of_row(&part, ROWS_BOTTOMUP, &rows.rows[i]),
		     frame[rows.rows[i].frame]);
	rows_done(&rows);
	gc_part_done(&part);
	free(frame);
}

/* Below the only box of row 0 there is a box for each row below the first, as wide as its time. */
static void check_around(struct kase *k, const struct totals *totals, const struct profile *p,
			 uint32_t at, frame_id frame, enum rows_kind kind)
{
	const struct lane *lane = &p->lanes[at];
	const struct calltree *tree = &lane->tree;
	struct kase whole = *k;
	struct rows rows;
	struct sums is;
	size_t n = 0;

	whole.t0 = 0;
	whole.t1 = lane->t1 + 1;
	sums_init(&is, &whole, p, &lane, 1, false);
	SAME(k, "length", lane->t1, totals->frame_total[frame]);
	SAME(k, "sampled", is.totals.sampled_ns, totals->frame_total[frame]);
	SAME(k, "number of boxes on row 0", tree->n > 1 ? tree->end[1] : 0, tree->n);
	SAME(k, "box on row 0", tree->frame[1], frame);
	if (kind == ROWS_TOPDOWN)
		SAME(k, "self", is.totals.frame_self[frame], totals->frame_self[frame]);
	rows_init(&rows, totals, kind, (enum rows_sort)below(3), frame);
	SAME(k, "total of the first row", rows.rows[0].total, totals->frame_total[frame]);
	for (node_id i = 2; i < tree->n; i = tree->end[i]) {
		size_t r = 1;

		while (r < rows.n && rows.rows[r].frame != tree->frame[i])
			r++;
		SAME(k, "presence of a row", r < rows.n, true);
		SAME(k, "width of a box", is.totals.total[i], rows.rows[r].total);
		n++;
	}
	/* Callers of a recursive call have self time only. */
	for (size_t r = 1; r < rows.n; r++)
		n += rows.rows[r].total == 0;
	SAME(k, "number of boxes on row 1", n, rows.n - 1);
	rows_done(&rows);
	sums_done(&is);
	check_order(k, lane);
	check_lane(k, lane);
}

static void check_sandwich(struct kase *k, const struct totals *totals, frame_id frame)
{
	uint32_t n_levels;
	struct profile *p = merged_now(totals, MERGED_SANDWICH, frame, &n_levels);

	k->what = "sandwich";
	SAME(k, "whether there is one", p != NULL, totals->frame_total[frame] > 0);
	if (!p)
		return;
	SAME(k, "number of lanes", p->n_lanes, 2);
	k->what = "callers";
	check_around(k, totals, p, 0, frame, ROWS_BOTTOMUP);
	k->what = "callees";
	check_around(k, totals, p, 1, frame, ROWS_TOPDOWN);
	profile_free(p);
}

/* ---- the flat table ---- */

/* Spans of a lane of samples, one by one. */
static void check_spans(struct kase *k, const struct lane *lane, const struct functions *is,
			uint32_t n_frames)
{
	struct functions found = { .list = xcalloc(n_frames, sizeof *found.list), .n = n_frames };

	for (int depth = 0; depth < lane->tree.max_rows; depth++) {
		struct span span;

		for (size_t from = 0; from < lane->samples.n &&
		     span_next(&lane->samples, &lane->tree, depth, from, &span);
		     from = span.end) {
			int64_t t0 = span.t0 > k->t0 ? span.t0 : k->t0,
				ns = (span.t1 < k->t1 ? span.t1 : k->t1) - t0;
			struct function *f = &found.list[lane->tree.frame[span.node]];

			if (ns <= 0)
				continue;
			f->shortest = f->n_spans == 0 || ns < f->shortest ? ns : f->shortest;
			if (ns > f->longest || (ns == f->longest && t0 < f->longest_t0)) {
				f->longest = ns;
				f->longest_t0 = t0;
			}
			f->n_spans++;
			f->spans_ns += ns;
		}
	}
	for (frame_id f = 1; f < n_frames; f++) {
		SAME(k, "spans", is->list[f].n_spans, found.list[f].n_spans);
		SAME(k, "time of spans", is->list[f].spans_ns, found.list[f].spans_ns);
		SAME(k, "longest span", is->list[f].longest, found.list[f].longest);
		SAME(k, "shortest span", is->list[f].shortest, found.list[f].shortest);
		SAME(k, "begin of the longest span", is->list[f].longest_t0,
		     found.list[f].longest_t0);
	}
	free(found.list);
}

static void check_functions(struct kase *k, const struct sums *sums)
{
	struct functions fs;
	struct functions_walk *walk = functions_begin(&fs, &sums->view, k->t0, k->t1);
	uint32_t step = below(2) ? 1 + (uint32_t)below(50) : BUDGET_STEP;
	struct budget budget;

	k->what = "functions";
	do
		budget = budget_steps(1, step);
	while (!functions_step(walk, &budget));
	functions_end(walk);
	SAME(k, "number of frames", fs.n, sums->view.n_frames);
	SAME(k, "dropped time", fs.dropped_ns, sums->totals.dropped_ns);
	for (frame_id f = 1; f < fs.n; f++) {
		SAME(k, "self", fs.list[f].self, sums->totals.frame_self[f]);
		SAME(k, "total", fs.list[f].total, sums->totals.frame_total[f]);
		SAME(k, "spans", fs.list[f].n_spans, sums->counts.spans[f]);
		if (fs.list[f].n_spans &&
		    (fs.list[f].shortest > fs.list[f].longest ||
		     fs.list[f].spans_ns < fs.list[f].total))
			ck_abort_msg("%s: spans from %" PRId64 " to %" PRId64 ", %" PRId64
				     " in all, total %" PRId64,
				     label(k), fs.list[f].shortest, fs.list[f].longest,
				     fs.list[f].spans_ns, fs.list[f].total);
	}
	if (sums->view.n_sources == 1 && !sums->view.sources[0].map &&
	    sums->view.sources[0].lane->kind == LANE_SAMPLES &&
	    samples_time(&sums->view.sources[0].lane->samples,
			 sums->view.sources[0].lane->samples.n) >
		    samples_time(&sums->view.sources[0].lane->samples, 0))
		check_spans(k, sums->view.sources[0].lane, &fs, fs.n);
	functions_done(&fs);
}

/* ---- all together ---- */

/* Compare for these lanes, with the transforms of the case or without them. */
static void check_merged(struct kase *k, const struct profile *p, const struct lane *const *lanes,
			 uint32_t n, bool is_changed_here)
{
	struct sums sums;

	sums_init(&sums, k, p, lanes, n, is_changed_here);
	check_left_heavy(k, &sums.totals);
	check_inverted(k, &sums.totals);
	check_gc(k, &sums.totals);
	for (uint32_t i = 0; i < sums.totals.n_used && i < 3; i++)
		check_sandwich(k, &sums.totals, sums.totals.used[below(sums.totals.n_used)]);
	check_sandwich(k, &sums.totals, (frame_id)below(sums.view.n_frames));
	check_functions(k, &sums);
	sums_done(&sums);
}

static void check_range(struct kase *k)
{
	const struct profile *p = k->scoped.profile;
	const struct lane *here[64], *there[64];
	uint32_t n = 0;

	check_scoped(k);
	for (uint32_t i = 0; i < p->n_lanes && n < ARRAY_LEN(here); i++) {
		if (below(4) == 0)
			continue;
		here[n] = &p->lanes[i];
		there[n] = scoped_original(&k->scoped, here[n]);
		n++;
	}
	check_merged(k, p, here, below(2) ? n : n < 1 ? n : 1, false);
	check_merged(k, k->p, there, n, true);
}

static void check_profile(struct profile *p)
{
	/* Operations overlap; here each lane is measured alone. */
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		forget_slice_time(&p->lanes[i]);
	}
	for (int v = 0; v < SCOPES && p->n_lanes > 0; v++) {
		struct kase k;

		pick_scope(&k, p);
		for (int r = 0; r < RANGES; r++) {
			pick_range(&k, r);
			check_range(&k);
		}
		drop_scope(&k);
	}
	profile_free(p);
}

START_TEST(random_scopes)
{
	random_mix_loop(_i, check_profile);
}
END_TEST

START_TEST(random_scopes_of_blocks)
{
	random_long_mix_loop(_i, check_profile);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "merged", 120);

	tcase_add_loop_test(t, random_scopes, 0, SUITE_CASES(SEEDS / RANDOM_SEEDS_A_LOOP));
	tcase_add_loop_test(t, random_scopes_of_blocks, 0, RANDOM_LONG_LOOPS);
}

int main(void)
{
	return suite_run("merged", add_tests);
}
