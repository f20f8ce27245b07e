/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The walk keeps a stack of open spans. At each sample of a lane, the spans that the sample does
 * not share with the one before close, and its additional ones open.
 * 1. open[r] is the start of the span on row r + 1; the open spans are the stack of the current
 *    leaf.
 * 2. depth[f] is the number of open spans of frame f. The frame's total grows when it returns to 0.
 *    Samples of the view's own tree do not need it: all their times are those of its nodes.
 *
 * Two walks at the same time do the two halves of a lane of which at some sample no span is open.
 *
 * Where stacks have many rows, a sample can open and close thousands of spans. There, the spans
 * that one sample opens are one piece: the rows above `from` of the stack of a node. Pieces of the
 * same node and rows are added up when they close, and passed on to the functions of their rows
 * once, at the end of the lane.
 * 3. The pieces on the stack are the open rows, without a gap. */
#include "config.h"

#include "analyse/functions.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/thread.h"
#include "model/request.h"

#include <stdlib.h>
#include <string.h>

/* Spans that close cost as much as a sample. Between deep stacks without a common caller, there are
 * tens of thousands for each sample. */
#define SPANS_A_SAMPLE 16u

/* Units of work of a sample, whose functions stand anywhere in memory. */
#define SAMPLE_WORK 8u

/* Lanes with more rows are walked by pieces. */
#define DEEP_ROWS 1000u

/* Spans that opened at one time and are open: rows above `from` up to those of the node. */
struct open_piece {
	node_id node;
	unsigned from;
	int64_t t;
};

/* All spans of these rows that opened and closed together. */
struct piece {
	node_id node;
	unsigned from;
	uint64_t n;
	int64_t ns, longest, longest_t0, shortest;
};

/* The spans of a function in plain samples: what their nodes do not say. */
struct lengths {
	uint64_t n;
	int64_t longest, longest_t0, shortest;
};

struct open_plain {
	int64_t t;
	frame_id frame;
};

struct functions_walk {
	const struct view *view;
	struct functions *functions;
	uint32_t source;
	bool has_begun;             /* with the source: */
	size_t next;                /* the next sample, */
	size_t from, until;         /* of these; 0, SIZE_MAX: all */
	bool is_plain;              /* samples are of the view's own tree, and have time: */
	struct lengths *lengths_of; /* by frame */
	struct open_plain *plain;   /* by row */
	unsigned kept;              /* rows that stayed open since the last sample that counted */
	int64_t t0, t1;
	int64_t *open; /* by row */
	node_id *node; /* of the view, by row */
	unsigned n_open;
	int64_t end;     /* end of the open spans, as far as known */
	uint32_t *depth; /* by frame */
	int64_t *since;  /* by frame: start of its outermost open span */

	/* Lengths of slices with their frames, until they are sorted: LENGTH_OF(). */
	uint64_t *lengths;
	size_t n_lengths, cap_lengths;
	bool is_measured; /* none is missing */
	struct number_sorting *sorting;
	uint32_t stated_source; /* requests and times of the processor are added first */
	size_t stated_next;     /* sample; 0: those that are open at t0 are to come */

	bool is_passing; /* its pieces are being passed on */
	bool is_deep;    /* the source is walked by pieces: */
	struct open_piece *stack;
	size_t n_stack, cap_stack;
	struct piece *pieces;
	size_t n_pieces, cap_pieces, next_piece;
	struct hash_table pieces_index;
};

static int64_t clip(const struct functions_walk *w, int64_t t)
{
	return t < w->t0 ? w->t0 : t > w->t1 ? w->t1 : t;
}

/* The time in the range of the slice on a row behind the end of its span. */
static int64_t over_of(const struct functions_walk *w, unsigned row)
{
	const struct slice_time *time = w->view->sources[w->source].lane->slice_time;
	const struct slice_stretches *over;

	if (!time || time->over.n == 0)
		return 0;
	over = &time->over;
	for (size_t i = slice_time_from(over, w->end); i < over->n && over->list[i].t0 == w->end;
	     i++)
		if (view_node(w->view, w->source, over->list[i].node) == w->node[row])
			return clip(w, over->list[i].t1) - w->end;
	return 0;
}

#define LENGTH_BITS 40
#define LENGTH_OF(frame, ns) ((uint64_t)(frame) << LENGTH_BITS | (uint64_t)(ns))
#define LENGTHS_AT_ONCE 65536u /* more memory than for these is asked for */

static void note_length(struct functions_walk *w, frame_id f, int64_t ns)
{
	enum lane_kind kind = w->view->sources[w->source].lane->kind;
	size_t more = w->n_lengths == w->cap_lengths ? 4 * w->n_lengths * sizeof *w->lengths : 0;

	if (!w->is_measured || (kind != LANE_SLICES && kind != LANE_ASYNC))
		return;
	w->is_measured = !(LENGTH_OF(f, 0) >> LENGTH_BITS ^ f) && !(ns >> LENGTH_BITS) &&
		(more < LENGTHS_AT_ONCE * sizeof *w->lengths || reserve_has_room(more));
	*ARRAY_ADD(w->lengths, w->n_lengths, w->cap_lengths) = LENGTH_OF(f, ns);
}

/* Find the ranks from the lengths. In steps: returns whether that is done. */
static bool rank_lengths(struct functions_walk *w, struct budget *budget)
{
	static const unsigned percent[] = { 50, 95, 99 };
	size_t n;

	if (!w->is_measured || !w->n_lengths)
		return true;
	if (!w->sorting)
		w->sorting = sort_numbers_begin(w->lengths, w->n_lengths);
	if (!sort_numbers_step(w->sorting, budget))
		return false;
	for (size_t i = 0; i < w->n_lengths; i += n) {
		uint64_t f = w->lengths[i] >> LENGTH_BITS;
		struct function *fn = &w->functions->list[f];

		for (n = 1; i + n < w->n_lengths && w->lengths[i + n] >> LENGTH_BITS == f;)
			n++;
		for (size_t k = 0; k < ARRAY_LEN(percent); k++)
			fn->ranks[k] = (int64_t)(w->lengths[i + (n * percent[k] + 99) / 100 - 1] &
						 (LENGTH_OF(1, 0) - 1));
		fn->has_ranks = w->functions->has_ranks = true;
	}
	w->n_lengths = 0;
	return true;
}

/* Close the innermost span. */
static void close_span(struct functions_walk *w, int64_t end)
{
	unsigned row = --w->n_open;
	frame_id f = w->view->tree->frame[w->node[row]];
	struct function *fn = &w->functions->list[f];
	int64_t from = w->open[row], ns = end - from;

	if (fn->n_spans == 0 || ns > fn->longest) {
		fn->longest = ns;
		fn->longest_t0 = from;
		fn->longest_source = w->source;
	}
	if (fn->n_spans == 0 || ns < fn->shortest)
		fn->shortest = ns;
	fn->n_spans++;
	fn->spans_ns += ns;
	note_length(w, f, ns);
	if (--w->depth[f] == 0)
		fn->total += end - w->since[f];
}

/* ---- plain ---- */

/* `stop`, n samples sooner, but after sample i. */
static size_t sooner(size_t stop, size_t i, size_t n)
{
	return stop - (i + 1) > n ? stop - n : i + 1;
}

static void close_plain(struct functions_walk *w, unsigned rows)
{
	int64_t end = w->end;

	while (w->n_open > rows) {
		const struct open_plain *open = &w->plain[--w->n_open];
		struct lengths *l = &w->lengths_of[open->frame];
		int64_t ns = end - open->t;

		if (l->n == 0 || ns > l->longest) {
			l->longest = ns;
			l->longest_t0 = open->t;
		}
		if (l->n == 0 || ns < l->shortest)
			l->shortest = ns;
		l->n++;
	}
}

static void open_plain(struct functions_walk *w, node_id leaf, int64_t t)
{
	const struct calltree *tree = w->view->tree;
	const frame_id *frame = tree->frame;
	const node_id *parent = tree->parent;
	struct open_plain *open = w->plain;
	unsigned rows = tree->rows[leaf], from = w->n_open;

	w->n_open = rows;
	for (unsigned r = rows; r > from; r--, leaf = parent[leaf]) {
		open[r - 1] = (struct open_plain){ t, frame[leaf] };
		/* It is needed when the span closes. */
		__builtin_prefetch(&w->lengths_of[frame[leaf]], 1);
	}
}

#define AHEAD 16 /* samples */

/* walk_samples() of plain samples. */
static bool walk_plain(struct functions_walk *w, size_t stop)
{
	const struct samples *s = &w->view->sources[w->source].lane->samples;
	const struct calltree *tree = w->view->tree;
	const node_id *leaf = s->leaf;
	int64_t t_end = w->t1 >= samples_time(s, s->n) ? INT64_MAX : w->t1, t[TIMES_GROUP + 1];
	unsigned n_closed = 0, kept = w->kept;
	size_t base = w->next, i;

	for (i = base; i < stop; i++) {
		size_t k = (i - base) % TIMES_GROUP;
		unsigned shared = samples_shared(s, i);

		if (k == 0)
			times_read(&s->times, i,
				   1 + (s->n - i < TIMES_GROUP ? s->n - i : TIMES_GROUP), t);
		if (t[k] >= t_end)
			break;
		if (i + AHEAD < s->n) {
			__builtin_prefetch(&tree->rows[leaf[i + AHEAD]]);
			__builtin_prefetch(&tree->frame[leaf[i + AHEAD]]);
			__builtin_prefetch(&tree->parent[leaf[i + AHEAD]]);
		}
		if (t[k + 1] > t[k] && t[k + 1] > w->t0) {
			unsigned n_open = w->n_open;

			close_plain(w, kept);
			n_closed += n_open - w->n_open;
			open_plain(w, leaf[i], clip(w, t[k]));
			w->end = clip(w, t[k + 1]);
			kept = UINT16_MAX;
			if (n_closed >= SPANS_A_SAMPLE) {
				stop = sooner(stop, i, n_closed / SPANS_A_SAMPLE);
				n_closed = 0;
			}
		}
		kept = shared < kept ? shared : kept;
	}
	w->next = i;
	w->kept = kept;
	return i == stop;
}

/* The end of a lane: add the spans, and once the times, which are those of the nodes. */
static void end_plain(struct functions_walk *w)
{
	const struct calltree *tree = w->view->tree;
	ALLOC_LOCAL int64_t *ns = NULL;

	for (frame_id f = 0; f < w->functions->n; f++) {
		const struct lengths *l = &w->lengths_of[f];

		if (l->n)
			functions_add(&w->functions->list[f],
				      &(struct function){ .n_spans = l->n,
							  .longest = l->longest,
							  .longest_t0 = l->longest_t0,
							  .longest_source = w->source,
							  .shortest = l->shortest });
	}
	free(w->lengths_of);
	free(w->plain);
	w->lengths_of = NULL;
	w->plain = NULL;
	if (w->from)
		return;
	ns = lane_self_times(w->view->sources[w->source].lane, w->t0, w->t1, NULL);
	for (node_id i = 1; i < tree->n; i++)
		w->functions->list[tree->frame[i]].self += ns[i];
	for (node_id i = tree->n; i-- > 1;) {
		struct function *fn = &w->functions->list[tree->frame[i]];

		ns[tree->parent[i]] += ns[i];
		fn->spans_ns += ns[i];
		fn->total += tree->is_outer[i] ? ns[i] : 0;
	}
}

/* ---- by pieces ---- */

static struct piece *find_piece(struct functions_walk *w, node_id node, unsigned from)
{
	uint64_t hash = hash_u64((uint64_t)node << 16 | from);
	struct hash_probe probe = hash_probe(hash);

	while (hash_table_next(&w->pieces_index, &probe)) {
		struct piece *known = &w->pieces[probe.index];

		if (known->node == node && known->from == from)
			return known;
	}
	hash_table_add(&w->pieces_index, hash, (uint32_t)w->n_pieces);
	*ARRAY_ADD(w->pieces, w->n_pieces, w->cap_pieces) = (struct piece){ .node = node,
									    .from = from };
	return &w->pieces[w->n_pieces - 1];
}

static void close_pieces(struct functions_walk *w, unsigned rows)
{
	while (w->n_open > rows) {
		struct open_piece *top = &w->stack[w->n_stack - 1];
		unsigned from = top->from > rows ? top->from : rows;
		struct piece *piece = find_piece(w, top->node, from);
		int64_t ns = w->end - top->t;

		w->is_measured = false;
		if (piece->n == 0 || ns > piece->longest) {
			piece->longest = ns;
			piece->longest_t0 = top->t;
		}
		if (piece->n == 0 || ns < piece->shortest)
			piece->shortest = ns;
		piece->n++;
		piece->ns += ns;
		if (from == top->from)
			w->n_stack--;
		else
			top->node = calltree_ancestor(w->view->tree, top->node, from);
		w->n_open = from;
	}
}

static void open_piece(struct functions_walk *w, node_id leaf, int64_t t)
{
	unsigned rows = w->view->tree->rows[leaf];

	if (rows <= w->n_open)
		return;
	*ARRAY_ADD(w->stack, w->n_stack, w->cap_stack) = (struct open_piece){ leaf, w->n_open, t };
	w->n_open = rows;
}

/* Pass a piece on to the functions of its rows. */
static void pass_on(struct functions_walk *w, const struct piece *piece)
{
	const struct calltree *tree = w->view->tree;
	node_id node = piece->node;

	for (unsigned row = tree->rows[node]; row > piece->from; row--, node = tree->parent[node]) {
		struct function *fn = &w->functions->list[tree->frame[node]];

		if (fn->n_spans == 0 || piece->longest > fn->longest ||
		    (piece->longest == fn->longest && fn->longest_source == w->source &&
		     piece->longest_t0 < fn->longest_t0)) {
			fn->longest = piece->longest;
			fn->longest_t0 = piece->longest_t0;
			fn->longest_source = w->source;
		}
		if (fn->n_spans == 0 || piece->shortest < fn->shortest)
			fn->shortest = piece->shortest;
		fn->n_spans += piece->n;
		fn->spans_ns += piece->ns;
		fn->total += tree->is_outer[node] ? piece->ns : 0;
	}
}

/* Pass on all pieces, or a step of the budget of them; returns whether there are more. */
static bool pass_on_all(struct functions_walk *w, struct budget *budget)
{
	while (w->next_piece < w->n_pieces) {
		const struct piece *piece = &w->pieces[w->next_piece++];

		pass_on(w, piece);
		budget->used += w->view->tree->rows[piece->node] - piece->from;
		if (budget->used >= budget->step) {
			budget->used = budget->step;
			return w->next_piece < w->n_pieces;
		}
	}
	return false;
}

static void forget_pieces(struct functions_walk *w)
{
	free(w->pieces);
	hash_table_done(&w->pieces_index);
	w->pieces = NULL;
	w->n_pieces = w->cap_pieces = w->next_piece = 0;
}

/* The end of a lane; returns whether there is more to do. */
static bool end_pieces(struct functions_walk *w, struct budget *budget)
{
	if (pass_on_all(w, budget))
		return true;
	forget_pieces(w);
	w->is_passing = w->has_begun = w->is_deep = false;
	return false;
}

/* ---- both ---- */

static void close_to(struct functions_walk *w, unsigned rows)
{
	if (w->is_deep) {
		close_pieces(w, rows);
		return;
	}
	if (w->is_plain) {
		close_plain(w, rows);
		return;
	}
	while (w->n_open > rows)
		close_span(w, w->end + over_of(w, w->n_open - 1));
}

static void open_to(struct functions_walk *w, node_id leaf, int64_t t)
{
	const struct calltree *tree = w->view->tree;
	unsigned rows = tree->rows[leaf], from = w->n_open;

	w->n_open = rows;
	for (unsigned r = rows; r > from; r--, leaf = tree->parent[leaf]) {
		w->open[r - 1] = t;
		w->node[r - 1] = leaf;
	}
	for (unsigned r = from; r < rows; r++)
		if (w->depth[tree->frame[w->node[r]]]++ == 0)
			w->since[tree->frame[w->node[r]]] = t;
}

/* Walk up to sample `stop`, or less far where many spans close; returns false if the range or the
 * lane ends before. The samples that count are those of totals_counts(). */
static bool walk_samples(struct functions_walk *w, size_t stop)
{
	const struct lane *lane = w->view->sources[w->source].lane;
	const struct samples *s = &lane->samples;
	bool has_time = lane->kind == LANE_SAMPLES && s->n &&
		samples_time(s, s->n) > samples_time(s, 0);
	int64_t t_end = s->n && w->t1 >= samples_time(s, s->n) ? INT64_MAX : w->t1;

	for (; w->next < stop && samples_time(s, w->next) < t_end; w->next++) {
		size_t i = w->next;
		node_id leaf = view_node(w->view, w->source, s->leaf[i]);
		int64_t t = clip(w, samples_time(s, i)), end = clip(w, samples_time(s, i + 1));
		unsigned shared, n_open = w->n_open;

		if (leaf == VIEW_DROPPED) {
			w->functions->dropped_ns += s->leaf[i] == NODE_ROOT ? 0 : end - t;
		} else if (samples_time(s, i + 1) > w->t0
				   ? !has_time || samples_time(s, i + 1) > samples_time(s, i)
				   : !has_time && samples_time(s, i) >= w->t0) {
			const struct calltree *tree = w->view->tree;

			close_to(w, w->kept);
			if (!w->is_deep && n_open - w->n_open >= SPANS_A_SAMPLE)
				stop = sooner(stop, i, (n_open - w->n_open) / SPANS_A_SAMPLE);
			/* Count a sample that lies in the range at least in part. */
			if (w->is_deep)
				open_piece(w, leaf, t);
			else
				open_to(w, leaf, t);
			if (leaf != NODE_ROOT)
				w->functions->list[tree->frame[leaf]].self += end - t;
			w->end = end;
			w->kept = UINT16_MAX;
		}
		shared = view_shared(w->view, w->source, i);
		if (shared < w->kept)
			w->kept = shared;
	}
	return w->next == stop;
}

/* Slices that are in the range only behind the end of their span. */
static void add_ends(struct functions_walk *w)
{
	const struct slice_time *time = w->view->sources[w->source].lane->slice_time;
	const struct calltree *tree = w->view->tree;

	for (size_t i = time ? slice_time_reaching(&time->over, w->t0) : 0;
	     time && i < time->over.n && time->over.list[i].t0 <= w->t0; i++) {
		const struct slice_stretch *over = &time->over.list[i];
		node_id node = view_node(w->view, w->source, over->node);

		if (node == VIEW_DROPPED || node == NODE_ROOT || over->t1 <= w->t0)
			continue;
		w->open[0] = w->t0;
		w->node[0] = node;
		w->n_open = 1;
		w->depth[tree->frame[node]] = 1;
		w->since[tree->frame[node]] = w->t0;
		w->end = clip(w, over->t1);
		close_span(w, w->end);
	}
}

/* Self time of slices that their samples do not say. */
static void add_self(void *ctx, node_id node, int64_t self_ns, int64_t total_ns)
{
	struct functions_walk *w = ctx;

	(void)total_ns;
	node = view_node(w->view, w->source, node);
	if (node != VIEW_DROPPED && node != NODE_ROOT)
		w->functions->list[w->view->tree->frame[node]].self += self_ns;
}

/* Whether the samples of a source are plain. */
static bool is_plain(const struct view *view, uint32_t source)
{
	const struct lane *lane = view->sources[source].lane;
	const struct samples *s = &lane->samples;

	return lane->kind == LANE_SAMPLES && !view->sources[source].map && !view_has_labels(view) &&
		s->n && s->leaf && samples_time(s, s->n) > samples_time(s, 0) &&
		!lane->slice_time && view->tree->max_rows <= DEEP_ROWS;
}

static void begin_lane(struct functions_walk *w)
{
	const struct lane *lane = w->view->sources[w->source].lane;
	const struct slice_time *time = lane->slice_time;

	w->has_begun = true;
	/* What slices have behind the end of their span is known by row only. */
	w->is_deep = w->view->tree->max_rows > DEEP_ROWS && !(time && time->over.n);
	w->is_plain = is_plain(w->view, w->source);
	if (w->is_plain) {
		w->lengths_of = xcalloc(w->functions->n, sizeof *w->lengths_of);
		w->plain = xcalloc(w->view->tree->max_rows, sizeof *w->plain);
	}
	w->n_open = w->kept = 0;
	w->next = lane->samples.n ? samples_find(&lane->samples, w->t0 - 1) : 0;
	w->next = w->next > w->from ? w->next : w->from;
}

/* Walk through the next samples of the source, at most a step of the budget; returns whether there
 * are more. */
static bool walk_lane(struct functions_walk *w, struct budget *budget)
{
	const struct samples *s = &w->view->sources[w->source].lane->samples;
	size_t n = s->n < w->until ? s->n : w->until, first, stop,
	       most = (budget->step - budget->used + SAMPLE_WORK - 1) / SAMPLE_WORK;

	if (w->is_passing)
		return end_pieces(w, budget);
	if (!w->has_begun)
		begin_lane(w);
	first = w->next;
	stop = first + (n > first && n - first < most ? n - first : n > first ? most : 0);
	if ((w->is_plain ? walk_plain(w, stop) : walk_samples(w, stop)) && w->next < n)
		return true;
	close_to(w, 0);
	if (w->is_plain && !w->from)
		end_plain(w);
	add_ends(w);
	slice_time_each(w->view->sources[w->source].lane->slice_time, w->t0, w->t1, add_self, w);
	budget->used += (uint32_t)(w->next - first) * SAMPLE_WORK;
	w->is_passing = w->is_deep;
	if (w->is_passing)
		return end_pieces(w, budget);
	w->has_begun = w->is_plain = false;
	return false;
}

/* Add what the file states of a span: its request, and the part in the range of its time of the
 * processor. */
static void add_stated(struct functions_walk *w, const struct lane *lane, const struct span *span)
{
	const struct calltree *tree = w->view->tree;
	node_id node = view_node(w->view, w->stated_source, span->node);
	size_t k = slice_of_span(lane, span);
	int64_t cpu = k == SIZE_MAX ? -1 : slice_cpu(&lane->slices, k),
		part = clip(w, span->t1) - clip(w, span->t0);
	const struct request *r;
	struct function *f;

	if (node == VIEW_DROPPED || node == NODE_ROOT || span->t1 < w->t0)
		return;
	f = &w->functions->list[tree->frame[node]];
	r = w->functions->has_requests ? request_of(w->view->profile, lane, span) : NULL;
	if (r) {
		if (f->request_t0 == 0 || span->t0 < f->request_t0)
			f->request_t0 = span->t0;
		f->waited += r->first_byte_ns;
		f->received += r->total_ns - r->first_byte_ns;
		f->bytes += r->bytes > 0 ? r->bytes : 0;
	}
	w->functions->has_cpu |= cpu >= 0 && (span->t1 > w->t0 || span->t0 == w->t0);
	if (cpu >= 0 && tree->is_outer[node] && part > 0)
		f->cpu += (int64_t)((double)cpu * (double)part / (double)(span->t1 - span->t0));
}

/* The spans that are open at t0, and those that open later. In steps: returns whether that is done.
 */
static bool add_all_stated(struct functions_walk *w, struct budget *budget)
{
	for (; w->stated_source < w->view->n_sources; w->stated_source++, w->stated_next = 0) {
		const struct lane *lane = w->view->sources[w->stated_source].lane;
		const struct samples *s = &lane->samples;
		bool has_any = lane->slices.n_cpu || (lane->has_requests && s->n);

		while (has_any && w->stated_next < s->n) {
			size_t i = w->stated_next ? w->stated_next : samples_find(s, w->t0 - 1);
			int rows = lane->tree.rows[samples_leaf(s, i)];
			int from = w->stated_next ? (int)samples_shared(s, i - 1) : 0;
			struct span span;

			if (samples_time(s, i) >= w->t1)
				break;
			w->stated_next = i + 1;
			for (int depth = from; depth < rows; depth++)
				if (span_of_sample(s, &lane->tree, i, depth, &span))
					add_stated(w, lane, &span);
			if (budget_use(budget, SAMPLE_WORK * (uint32_t)(1 + rows - from)))
				return false;
		}
	}
	return true;
}

struct functions_walk *functions_begin(struct functions *functions, const struct view *view,
				       int64_t t0, int64_t t1)
{
	unsigned rows = view->tree ? view->tree->max_rows : 0;
	struct functions_walk *w = xcalloc(1, sizeof *w);

	*w = (struct functions_walk){ .view = view, .functions = functions, .t0 = t0, .t1 = t1 };
	w->until = SIZE_MAX;
	*functions = (struct functions){ .n = view->n_frames };
	functions->list = xcalloc(view->n_frames, sizeof *functions->list);
	functions->has_requests = view->n_sources && view->sources[0].lane->has_requests;
	w->is_measured = true;
	w->open = xcalloc(rows, sizeof *w->open);
	w->node = xcalloc(rows, sizeof *w->node);
	w->depth = xcalloc(view->n_frames, sizeof *w->depth);
	w->since = xcalloc(view->n_frames, sizeof *w->since);
	return w;
}

size_t functions_bytes(const struct view *view)
{
	const struct functions_walk *w = NULL;
	size_t rows = view->tree ? view->tree->max_rows : 0, n = view->tree ? view->tree->n : 0;

	/* The last one is by node: lane_self_times(). */
	return view->n_frames *
		(sizeof *w->functions->list + sizeof *w->depth + sizeof *w->since +
		 sizeof *w->lengths_of) +
		rows * (sizeof *w->open + sizeof *w->node + sizeof *w->plain) + n * sizeof(int64_t);
}

bool functions_step(struct functions_walk *w, struct budget *budget)
{
	if (w->view->tree && !add_all_stated(w, budget))
		return false;
	while (w->view->tree && w->source < w->view->n_sources) {
		if (!walk_lane(w, budget))
			w->source++;
		else if (budget_use(budget, budget->step - budget->used))
			return false;
	}
	return rank_lengths(w, budget);
}

void functions_end(struct functions_walk *w)
{
	if (!w)
		return;
	forget_pieces(w);
	sort_numbers_end(w->sorting);
	free(w->lengths_of);
	free(w->plain);
	free(w->lengths);
	free(w->stack);
	free(w->open);
	free(w->node);
	free(w->depth);
	free(w->since);
	free(w);
}

/* ---- at once ---- */

#define HALVES_MIN (1u << 18) /* samples; fewer are walked through by one thread */

/* Halves of the samples of a range, of plain samples. The second one adds nothing to the list,
 * which both have, before the first one has ended. */
struct half {
	struct functions_walk *walk, *other;
};

static void walk_half(void *ctx)
{
	functions_step(((struct half *)ctx)->walk, BUDGET_UNLIMITED);
}

static void walk_other(void *ctx)
{
	functions_step(((struct half *)ctx)->other, BUDGET_UNLIMITED);
}

/* A sample in the middle of the range at which no span of the one before stays open; 0: there is
 * none, or it is not worth while. */
static size_t find_cut(const struct view *view, int64_t t0, int64_t t1)
{
	const struct samples *s;
	size_t first, end, cut;

	if (view->n_sources != 1 || !view->tree || !is_plain(view, 0))
		return 0;
	s = &view->sources[0].lane->samples;
	if (!samples_range(s, t0, t1, &first, &end) || end - first < HALVES_MIN)
		return 0;
	cut = samples_run_end(s, first + (end - first) / 2, 1) + 1;
	return cut < end ? cut : 0;
}

void functions_init(struct functions *functions, const struct view *view, int64_t t0, int64_t t1)
{
	struct functions_walk *walk = functions_begin(functions, view, t0, t1), other = *walk;
	size_t cut = find_cut(view, t0, t1);
	struct half halves = { walk, &other };

	if (cut) {
		other.from = walk->until = cut;
		parallel_pair(walk_half, walk_other, &halves);
		/* There may have been no thread. */
		if (!other.source)
			walk_other(&halves);
		other.source = 0;
		end_plain(&other);
	} else {
		walk_half(&halves);
	}
	functions_end(walk);
}

void functions_add(struct function *to, const struct function *more)
{
	bool is_first = to->n_spans == 0;

	to->self += more->self;
	to->total += more->total;
	to->cpu += more->cpu;
	if (!more->n_spans)
		return;
	to->has_ranks = is_first && more->has_ranks;
	memcpy(to->ranks, more->ranks, sizeof to->ranks);
	if (is_first || more->longest > to->longest) {
		to->longest = more->longest;
		to->longest_t0 = more->longest_t0;
		to->longest_source = more->longest_source;
	}
	if (is_first || more->shortest < to->shortest)
		to->shortest = more->shortest;
	to->n_spans += more->n_spans;
	to->spans_ns += more->spans_ns;
}
