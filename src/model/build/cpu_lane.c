/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a raw CPU profile to a lane, in this order: the tree is drafted (tree_draft.c), samples get
 * their times (sample_time.c) and nodes (tree_draft.c), or are made up from hit counts ("cpu hits"
 * below); the tree is numbered in preorder; the rest follows from neighbouring samples
 * (model/lane.c). */
#include "config.h"

#include "base/sort.h"
#include "model/build/cpu_raw.h"

#include "base/alloc.h"
#include "base/progress.h"
#include "base/thread.h"
#include "base/units.h"
#include "model/build/builder.h"
#include "model/build/builder_state.h"
#include "model/build/sample_time.h"
#include "model/build/stray.h"
#include "model/build/subset.h"
#include "model/build/tree_draft.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ==== cpu hits ====
 *
 * Sums of hit counts fit: a profile has at most 2^28 nodes with 2^32 hits. Those of
 * sums do, too: cpu_builder_sum() clamps them. */

/* Whether a node other than the root has hits. root: index in the file. */
static bool cpu_hits_any(const struct cpu_raw *raw, uint32_t root)
{
	for (uint32_t i = 0; raw->hits && i < raw->n; i++)
		if (raw->hits[i] && i != root)
			return true;
	return false;
}

/* Begin to make up samples: up to n, from time t on. */
static void begin_samples(struct cpu_raw *raw, size_t n, int64_t t)
{
	free(raw->samples);
	free(raw->times);
	raw->samples = xmalloc((n + 1) * sizeof *raw->samples);
	raw->times = xmalloc((n + 1) * sizeof *raw->times);
	raw->times[0] = t;
	raw->n_samples = 0;
}

static void add_sample(struct cpu_raw *raw, uint32_t node, int64_t ns)
{
	raw->samples[raw->n_samples++] = node;
	raw->times[raw->n_samples] = raw->times[raw->n_samples - 1] + ns;
}

/* Fill samples and times from the hit counts: one unit of time for each hit, which is returned. */
static int64_t cpu_hits_to_samples(struct cpu_raw *raw, uint32_t root)
{
	uint64_t sum = 0;
	int64_t unit = NS_PER_MS, t = raw->start_ns;

	for (size_t i = 0; i < raw->n; i++)
		sum += raw->hits[i];
	if (sum > 0 && raw->has_end && raw->end_ns > raw->start_ns &&
	    (raw->end_ns - raw->start_ns) / (int64_t)sum > 0)
		unit = (raw->end_ns - raw->start_ns) / (int64_t)sum;
	else if (sum > (uint64_t)(PROFILE_TIME_MAX / NS_PER_MS))
		unit = 1;
	if (sum <= (uint64_t)(PROFILE_TIME_MAX / unit) &&
	    t > PROFILE_TIME_MAX - (int64_t)sum * unit)
		t = PROFILE_TIME_MAX - (int64_t)sum * unit;
	begin_samples(raw, raw->n, t);
	for (uint32_t i = 0; i < raw->n; i++)
		if (raw->hits[i] && i != root)
			add_sample(raw, i, (int64_t)raw->hits[i] * unit);
	return unit;
}

/* ---- sums of nodes with labels ---- */

SORT_ORDER(by_node, struct raw_label_sum, SORT_BY_2(x->node, y->node, x->set, y->set))

/* Sort the sums, and add up those of one node and set. */
static void join_label_sums(struct cpu_raw *raw)
{
	struct raw_label_sum *list = raw->label_sums;
	size_t n = 0;

	qsort(list, raw->n_label_sums, sizeof *list, by_node);
	for (size_t i = 0; i < raw->n_label_sums; i++)
		if (n && by_node(&list[n - 1], &list[i]) == 0)
			list[n - 1].ns += list[i].ns;
		else
			list[n++] = list[i];
	raw->n_label_sums = n;
}

/* Whether the sums by labels are the sums of the nodes. */
static bool has_label_sums(const struct cpu_raw *raw)
{
	ALLOC_LOCAL int64_t *left = NULL;
	bool is_equal = true;

	if (!raw->label_sums)
		return false;
	left = xcalloc(raw->n, sizeof *left);
	for (size_t i = 0; i < raw->n; i++)
		left[i] = raw->sum[i];
	for (size_t i = 0; i < raw->n_label_sums && is_equal; i++) {
		const struct raw_label_sum *sum = &raw->label_sums[i];

		is_equal = sum->ns > 0 && sum->ns <= left[sum->node];
		left[sum->node] -= is_equal ? sum->ns : 0;
	}
	for (size_t i = 0; i < raw->n && is_equal; i++)
		is_equal = left[i] == 0;
	return is_equal;
}

/* Make a sample for each node and set, from time t on. */
static void samples_of_labels(struct cpu_raw *raw, int64_t t)
{
	size_t n = raw->n_label_sums;

	free(raw->labels);
	raw->labels = xmalloc((n + 1) * sizeof *raw->labels);
	raw->n_labels = n;
	begin_samples(raw, n, t);
	for (size_t i = 0; i < n; i++) {
		raw->labels[i] = raw->label_sums[i].set;
		add_sample(raw, raw->label_sums[i].node, raw->label_sums[i].ns);
	}
}

/* The same from the sums of nodes. Returns false if their labels had to be ignored, as the values
 * with labels are not the sums. */
static bool cpu_hits_of_sums(struct cpu_raw *raw)
{
	int64_t latest = PROFILE_TIME_MAX - raw->all_sums;
	int64_t t = raw->start_ns < latest ? raw->start_ns : latest;
	bool has_labels = raw->label_sums != NULL;

	if (has_label_sums(raw)) {
		join_label_sums(raw);
		samples_of_labels(raw, t);
		return true;
	}
	raw->n_label_sums = 0;
	begin_samples(raw, raw->n, t);
	for (uint32_t i = 0; i < raw->n; i++)
		if (raw->sum[i] > 0)
			add_sample(raw, i, raw->sum[i]);
	return !has_labels;
}

/* Put these samples in the order of the nodes of the lane's tree. */
static void cpu_hits_sort(struct cpu_raw *raw, const struct lane *lane)
{
	/* In preorder the calls of one caller are adjacent. Their times are assigned again. */
	ALLOC_LOCAL int64_t *dur = NULL;

	if (raw->n_label_sums) {
		for (size_t i = 0; i < raw->n_label_sums; i++)
			raw->label_sums[i].node = raw->samples[i];
		join_label_sums(raw);
		samples_of_labels(raw, raw->times[0]);
		return;
	}
	dur = xcalloc(lane->tree.n, sizeof *dur);
	for (size_t i = 0; i < raw->n_samples; i++)
		dur[raw->samples[i]] += raw->times[i + 1] - raw->times[i];
	raw->n_samples = 0;
	for (node_id i = 1; i < lane->tree.n; i++)
		if (dur[i])
			add_sample(raw, i, dur[i]);
}

/* ==== cpu lane ==== */

/* Job context: renumber sample leaves in parallel. */
struct moved {
	uint32_t *leaf;
	const node_id *order;
};

static void renumber(void *ctx, size_t from, size_t end)
{
	const struct moved *m = ctx;

	for (size_t i = from; i < end; i++)
		m->leaf[i] = m->order[m->leaf[i]];
}

/* Whether a node of the tree, or a caller of it, stands for several nodes of the draft. */
static uint8_t *find_joined(const struct tree_draft *d, const struct calltree *tree,
			    const node_id *order)
{
	ALLOC_LOCAL uint8_t *is_used = xcalloc(tree->n, 1);
	uint8_t *is_joined = xcalloc(tree->n, 1);

	for (uint32_t i = 0; i < d->n; i++) {
		is_joined[order[i]] |= is_used[order[i]];
		is_used[order[i]] = 1;
	}
	for (node_id i = 1; i < tree->n; i++)
		is_joined[i] |= is_joined[tree->parent[i]];
	return is_joined;
}

/* Sibling nodes of one function are one node of the tree, but two spans: note where samples go from
 * one to the other. parent: by node of the draft. */
static void find_breaks(const struct cpu_raw *raw, const struct tree_draft *d,
			const uint32_t *parent, const node_id *order, struct lane *lane)
{
	const struct calltree *tree = &lane->tree;
	uint8_t *is_joined;
	size_t cap = 0;

	if (tree->n == d->n || tree->max_rows == CALLTREE_MAX_ROWS)
		return;
	is_joined = find_joined(d, tree, order);
	for (size_t i = 0; i + 1 < raw->n_samples; i++) {
		uint32_t a = raw->samples[i], b = raw->samples[i + 1];
		node_id both;

		/* What they have in common is joined only if they are. */
		if (a == b || !is_joined[order[a]] || !is_joined[order[b]])
			continue;
		both = calltree_common(tree, order[a], order[b]);
		if (!is_joined[both])
			continue;
		while (a != b)
			if (tree->rows[order[a]] >= tree->rows[order[b]])
				a = parent[a];
			else
				b = parent[b];
		if (tree->rows[order[a]] == tree->rows[both])
			continue;
		*ARRAY_ADD(lane->breaks, lane->n_breaks,
			   cap) = (struct sample_break){ i, tree->rows[order[a]] };
	}
	free(is_joined);
}

/* ---- the rest of the tree, on a thread of its own ---- */

#define MANY_NODES 50000u    /* from here on, a thread pays */
#define MANY_SAMPLES 500000u /* from here on, one for their times */

struct tree_rest {
	struct calltree_work *work;
	pthread_t thread;
	bool has_thread;
};

static void *finish_tree(void *arg)
{
	calltree_work(arg, BUDGET_UNLIMITED);
	return NULL;
}

/* Wait until the tree is complete. Returns the result of calltree_end() at the first call. */
static uint32_t end_rest(struct tree_rest *rest)
{
	struct calltree_work *work = rest->work;

	if (work && rest->has_thread)
		pthread_join(rest->thread, NULL);
	rest->work = NULL;
	return calltree_end(work);
}

/* Number the nodes in preorder. order: by node, its new number. raw->samples are renumbered. */
static void number_nodes(struct builder *b, struct tree_draft *d, struct lane *lane, node_id *order,
			 struct tree_rest *rest)
{
	struct cpu_raw *raw = &b->raw;
	uint32_t n_cut = 0, other = d->root;
	frame_id f = d->frame[0];
	uint32_t p = d->parent[0];
	uint32_t *parent = NULL;
	bool may_have;

	if (!raw->is_as_recorded && !raw->is_by_function && lane->has_timeline) {
		parent = xmalloc((size_t)d->n * sizeof *parent);
		memcpy(parent, d->parent, (size_t)d->n * sizeof *parent);
	}
	/* calltree_build() expects the root first: it changes places with node 0. */
	d->frame[0] = d->frame[other];
	d->parent[0] = NODE_ROOT;
	if (other != 0) {
		d->frame[other] = f;
		d->parent[other] = p == other ? 0 : p;
		for (uint32_t i = 1; i < d->n; i++)
			if (i != other)
				d->parent[i] = d->parent[i] == other ? 0
					: d->parent[i] == 0          ? other
								     : d->parent[i];
	}
	/* Number the nodes of a tree, and begin with its rest. */
	rest->work = calltree_begin(&lane->tree, d->n, d->parent, d->frame, order);
	may_have = calltree_number(rest->work) && d->n >= MANY_NODES && thread_processors() > 1;
	rest->has_thread = may_have && thread_start_small(&rest->thread, finish_tree, rest->work);
	if (!rest->has_thread)
		finish_tree(rest->work);
	/* Warnings of nodes that are too deep, and breaks, need the whole tree. Both are rare. */
	if (lane->tree.n < d->n)
		n_cut = end_rest(rest);
	if (n_cut)
		builder_warn_times(b, WARN_TOO_DEEP, -1, n_cut);
	if (other != 0) {
		node_id swap = order[0];

		order[0] = order[other];
		order[other] = swap;
	}
	if (parent)
		find_breaks(raw, d, parent, order, lane);
	lane->has_siblings = lane->n_breaks > 0;
	free(parent);
	parallel_chunks(raw->n_samples, renumber,
			&(struct moved){ .leaf = raw->samples, .order = order });
}

/* The samples of a part are other ones than those of the file. */
static void take_recorded(struct cpu_raw *raw, struct lane *lane, const node_id *order)
{
	struct recorded *r = &raw->recorded;

	if (raw->filter || (r->n_joined == 0 && r->n_gc == 0))
		return;
	for (size_t i = 0; i < r->n_joined; i++)
		r->joined[i].node = order[r->joined[i].node];
	for (size_t i = 0; i < r->n_gc; i++) {
		r->gc[i].node = order[r->gc[i].node];
		r->gc[i].as = order[r->gc[i].as];
	}
	lane->recorded = xmalloc(sizeof *lane->recorded);
	*lane->recorded = *r;
	*r = (struct recorded){ 0 };
}

/* Give the lane the hits, reasons and ticks of nodes, by their new numbers. */
static void take_facts(struct cpu_raw *raw, struct lane *lane, const node_id *order)
{
	uint32_t n = lane->tree.n;

	if (raw->hits) {
		lane->hits = xcalloc(n, sizeof *lane->hits);
		for (size_t i = 0; i < raw->n; i++)
			lane->hits[order[i]] += raw->hits[i];
		free(raw->hits);
		raw->hits = NULL;
	}
	if (raw->n_deopts) {
		lane->deopt = xcalloc(n, sizeof *lane->deopt);
		for (size_t i = 0; i < raw->n_deopts; i++)
			lane->deopt[order[raw->deopts[i].node]] = raw->deopts[i].reason;
	}
	take_recorded(raw, lane, order);
	for (size_t i = 0; i < raw->n_ticks; i++)
		raw->ticks[i].node = order[raw->ticks[i].node];
	lane->ticks = raw->n_ticks ? xrealloc(raw->ticks, raw->n_ticks, sizeof *raw->ticks)
				   : raw->ticks;
	lane->n_ticks = raw->n_ticks;
	raw->ticks = NULL;
}

/* Set the times of the lane. `of` is of all samples, also of those not kept. Times count from the
 * start of the lane until align.c knows all lanes. */
static void place_in_time(const struct builder *b, const struct sample_bounds *of, int64_t end,
			  struct lane *lane)
{
	const struct cpu_raw *raw = &b->raw;
	struct sample_bounds others = lane->has_timeline ? sample_time_others(raw, of) : *of;

	lane->t0 = raw->has_start || !raw->is_stamps ? raw->start_ns : of->first;
	if (of->first < lane->t0)
		lane->t0 = of->first;
	lane->t1 = end;
	if (raw->has_end && raw->end_ns > lane->t1)
		lane->t1 = raw->end_ns;
	builder_stray_cut_frame(b, lane, of, end);
	lane->sampled_t0 = of->first - lane->t0;
	lane->sampled_t1 = end - lane->t0;
	lane->n_samples = of->n;
	if (others.n > 1)
		lane->interval_ns = (others.last - others.first) / (int64_t)(others.n - 1);
	if (raw->n_taken) {
		lane->n_samples = raw->n_taken;
		lane->interval_ns = raw->interval_ns;
	}
}

void cpu_lane_label(struct builder *b, struct lane *lane)
{
	uint32_t of = b->profile->inputs[lane->input].labels;
	size_t n = labels_count(&b->profile->labels);
	ALLOC_LOCAL uint32_t *joined = NULL; /* by set of a sample; 0: not known yet */

	if (!of)
		return;
	joined = xcalloc(n, sizeof *joined);
	joined[0] = of;
	if (!lane->labels)
		lane->labels = xcalloc(lane->samples.n, sizeof *lane->labels);
	for (size_t i = 0; i < lane->samples.n; i++) {
		uint32_t set = lane->labels[i];

		if (!joined[set])
			joined[set] = builder_labels_join(b, set, of);
		lane->labels[i] = joined[set] ? joined[set] : set;
	}
}

static void take_samples(struct cpu_raw *raw, const struct sample_bounds *of, int64_t end,
			 struct lane *lane)
{
	struct samples *s = &lane->samples;

	s->n = raw->n_samples;
	if (raw->labels && raw->n_labels == s->n) {
		lane->labels = raw->labels;
		raw->labels = NULL;
	}
	s->leaf = xrealloc(raw->samples, s->n, sizeof *s->leaf);
	if (raw->deltas)
		sample_time_pack(raw, of->first, end, lane->t0, &s->times);
	else if (raw->times)
		times_pack(&s->times, raw->times, s->n + 1, lane->t0);
	raw->samples = NULL;
	raw->times = NULL;
}

/* Warn of samples whose id several nodes have. */
static void check_shared(struct builder *b)
{
	struct cpu_raw *raw = &b->raw;
	bool is_placed = raw->n_placed == raw->n_samples;
	uint8_t *is_shared;
	uint64_t n = 0;

	if (raw->n_shared == 0)
		return;
	is_shared = xcalloc(raw->n, 1);
	for (size_t i = 0; i < raw->n_shared; i++)
		is_shared[raw->shared[i]] = 1;
	for (size_t i = 0; i < raw->n_samples; i++) {
		bool has_slot = !is_placed && raw->samples[i] != SLOT_NONE;
		const struct slot *slot = has_slot ? cpu_slots_find(&raw->slots, raw->samples[i])
						   : NULL;

		if (is_placed)
			n += is_shared[raw->samples[i]];
		else if (slot && slot->node)
			n += is_shared[slot->node - 1];
	}
	free(is_shared);
	if (n)
		builder_warn_times(b, WARN_AMBIGUOUS_SAMPLE, -1, n);
}

/* Whether there are samples that can be read, or hits below the root: without either, nothing can
 * be shown. */
static bool has_samples(struct cpu_raw *raw)
{
	if (raw->filter && cpu_filter_has_samples(raw->filter))
		return true;
	for (size_t i = 0; i < raw->n_samples; i++)
		if (raw->samples[i] != SLOT_NONE)
			return true;
	raw->n_samples = raw->n_times = 0;
	free(raw->deltas);
	raw->deltas = NULL;
	return false;
}

static struct lane *add_lane(struct builder *b, int64_t pid, int64_t tid)
{
	const struct cpu_raw *raw = &b->raw;
	struct lane *lane = builder_lane(b, LANE_SAMPLES, builder_this_input_index(b), pid, tid);

	lane->title = raw->title;
	lane->process_name = raw->process_name;
	lane->thread_name = raw->thread_name;
	lane->waits = raw->waits;
	lane->has_parent = raw->process_name && raw->parent_pid != LANE_NO_ID;
	lane->parent_pid = lane->has_parent ? raw->parent_pid : 0;
	lane->is_folded = raw->is_folded;
	lane->n_file_nodes = raw->n;
	builder_lane_source(b)->number = raw->number;
	return lane;
}

/* The lane of a survey has times, but no tree. */
static void survey_lane(struct builder *b, struct lane *lane)
{
	struct sample_bounds bounds;
	int64_t end;

	if (!cpu_filter_resolve(b, &bounds, &end)) {
		b->is_whole_only = true;
		return;
	}
	place_in_time(b, &bounds, end, lane);
	builder_stray_lane(b, lane, &bounds, end);
}

/* Give the samples their times and nodes. */
static bool place_samples(struct builder *b, struct tree_draft *d, struct lane *lane,
			  struct sample_bounds *bounds, int64_t *end)
{
	struct cpu_raw *raw = &b->raw;
	struct progress *progress = b->options.progress;
	int64_t n = (int64_t)raw->n_samples;

	/* Three parts, which all look at each sample once. */
	progress_step(progress, "putting samples in order", 3 * n);
	if (!raw->filter)
		sample_time_resolve(b, bounds, end);
	else if (!cpu_filter_resolve(b, bounds, end))
		return false;
	progress_step_to(progress, n);
	cpu_place_samples(b, d);
	progress_step_to(progress, 2 * n);
	lane->n_left = bounds->n - raw->n_samples;
	if (raw->filter)
		cpu_filter_fill(raw, d->root, bounds, *end);
	return true;
}

/* Job context: number the nodes, and pack the times meanwhile. */
struct filling {
	struct builder *b;
	struct tree_draft *d;
	struct lane *lane;
	node_id *order;
	struct tree_rest *rest;
	const struct sample_bounds *bounds;
	int64_t end;
};

static void number(void *ctx)
{
	const struct filling *f = ctx;

	number_nodes(f->b, f->d, f->lane, f->order, f->rest);
}

static void pack(void *ctx)
{
	const struct filling *f = ctx;

	sample_time_pack(&f->b->raw, f->bounds->first, f->end, f->lane->t0,
			 &f->lane->samples.times);
}

/* How many samples of the file each sample of sums stands for: those of one node, which follow each
 * other, have the number of the node divided as its time is. */
static void count_rows(const struct cpu_raw *raw, struct lane *lane)
{
	const int64_t *t = raw->times;

	if (!lane->hits || raw->n_samples == 0 || lane->has_timeline)
		return;
	lane->counts = xcalloc(raw->n_samples, sizeof *lane->counts);
	for (size_t i = 0, end; i < raw->n_samples; i = end) {
		uint64_t n = lane->hits[raw->samples[i]], before = 0;

		for (end = i + 1; end < raw->n_samples && raw->samples[end] == raw->samples[i];)
			end++;
		for (size_t k = i; k < end; k++) {
			uint64_t part = (uint64_t)(t[k + 1] - t[i]),
				 all = (uint64_t)(t[end] - t[i]);

			for (; all >= UINT32_MAX; all >>= 1)
				part >>= 1;
			lane->counts[k] = (uint32_t)((all ? n * part / all : n) - before);
			before += lane->counts[k];
		}
	}
}

/* V8 keeps the innermost 255 frames of a stack, and counts inlined functions as more. */
#define CUT_ROWS 250

/* By node, whether the stack to it is cut: it is that deep, and its first function has callers on
 * other stacks. NULL: none is. The caller frees it. */
static uint8_t *find_cut(const struct calltree *tree, uint32_t n_frames)
{
	uint8_t *is_cut = xcalloc(tree->n, 1);
	ALLOC_LOCAL uint8_t *is_called = xcalloc(n_frames, 1);
	bool is_any = false;

	for (node_id i = 1; i < tree->n; i++)
		is_called[tree->frame[i]] |= tree->parent[i] != NODE_ROOT;
	for (node_id top = 1; top < tree->n; top = tree->end[top])
		for (node_id i = top; is_called[tree->frame[top]] && i < tree->end[top]; i++) {
			is_cut[i] = tree->rows[i] >= CUT_ROWS;
			is_any |= is_cut[i];
		}
	if (is_any)
		return is_cut;
	free(is_cut);
	return NULL;
}

bool cpu_lane_may_be_cut(const struct lane *lane)
{
	return lane->tree.max_rows >= CUT_ROWS;
}

/* Job context: count the samples whose stacks are cut, and note their nodes. */
struct cut_count {
	const struct lane *lane;
	const uint8_t *is_cut;
	_Atomic uint8_t *has_sample; /* by node, of those that are cut */
	_Atomic uint64_t n;
};

static void count_cut(void *ctx, size_t from, size_t end)
{
	struct cut_count *count = ctx;
	const node_id *leaf = count->lane->samples.leaf;
	uint64_t n = 0;

	for (size_t i = from; i < end; i++)
		if (count->is_cut[leaf[i]]) {
			atomic_store_explicit(&count->has_sample[leaf[i]], 1, memory_order_relaxed);
			n++;
		}
	count->n += n;
}

/* Warn of samples whose stacks are cut, and mark the functions that these begin with. */
static void note_cut(struct builder *b, const struct lane *lane)
{
	const struct calltree *tree = &lane->tree;
	struct frame *frames = b->profile->frames.frames;
	struct cut_count count = { .lane = lane };
	uint8_t *is_cut = NULL;

	if (cpu_lane_may_be_cut(lane) && !b->raw.is_as_recorded)
		is_cut = find_cut(tree, b->profile->frames.n);
	if (!is_cut)
		return;
	count.is_cut = is_cut;
	count.has_sample = xcalloc(tree->n, sizeof *count.has_sample);
	parallel_chunks(lane->samples.n, count_cut, &count);
	for (node_id top = 1; top < tree->n; top = tree->end[top])
		for (node_id i = top; i < tree->end[top]; i++)
			frames[tree->frame[top]].is_cut |= count.has_sample[i] != 0;
	free((void *)count.has_sample);
	free(is_cut);
	if (count.n)
		builder_warn_times(b, WARN_CUT_STACK, -1, count.n);
}

/* Number the nodes of the draft, and give the lane its tree and samples. */
static void fill_lane(struct builder *b, struct tree_draft *d, struct lane *lane,
		      struct sample_bounds *bounds, int64_t end)
{
	struct cpu_raw *raw = &b->raw;
	node_id *order = tree_draft_scratch(d);
	struct tree_rest rest;
	struct filling filling = { b, d, lane, order, &rest, bounds, end };
	struct lane_source *source;

	if (raw->deltas && raw->n_samples >= MANY_SAMPLES) {
		/* Packing needs lane->t0. Without a thread, take_samples() packs. */
		place_in_time(b, bounds, end, lane);
		parallel_pair(number, pack, &filling);
	} else {
		number(&filling);
	}
	take_facts(raw, lane, order);
	if (!lane->has_timeline) {
		cpu_hits_sort(raw, lane);
		*bounds = (struct sample_bounds){ .n = raw->n_samples,
						  .first = raw->times[0],
						  .last = raw->times[raw->n_samples - 1] };
		end = raw->times[raw->n_samples];
	}
	place_in_time(b, bounds, end, lane);
	if (raw->has_sums) {
		lane->interval_ns = raw->tick_ns;
		lane->n_samples = 0;
		count_rows(raw, lane);
	}
	lane->value = raw->value;
	lane->is_unmeasured = raw->is_unmeasured;
	/* Note what leaving out samples needs, when lanes of all inputs are there. */
	source = builder_lane_source(b);
	source->is_stretches = sample_time_is_stretches(&b->raw, bounds);
	source->is_taken = b->raw.n_taken > 0;
	source->has_surplus = bounds->has_surplus;
	source->has_end = b->raw.has_end;
	source->end_ns = b->raw.end_ns;
	builder_stray_lane(b, lane, bounds, end);
	/* Linking needs memory, and nothing of the draft. */
	tree_draft_done(d);
	take_samples(raw, bounds, end, lane);
	cpu_lane_label(b, lane);
	if (lane_link_follows(lane))
		end_rest(&rest);
	lane_link(lane, b->profile->frames.frames, b->options.progress);
	end_rest(&rest);
	note_cut(b, lane);
	/* A single sample got 1 ns only to be visible; it does not count as a span. */
	if (raw->is_instant)
		lane->n_spans = 0;
}

bool cpu_lane_build(struct builder *b, int64_t pid, int64_t tid, struct error *err)
{
	struct cpu_raw *raw = &b->raw;
	struct sample_bounds bounds = { 0 };
	struct tree_draft d;
	struct lane *lane;
	int64_t end = 0;
	bool ok = true;

	if (raw->n == 0)
		return error_set(err, ERR_FORMAT, -1, "the profile has no nodes");
	/* Some samples have no node: all are placed later, with the warnings in order. */
	if (raw->n_placed < raw->n_samples)
		cpu_place_undo(raw);
	check_shared(b);
	tree_draft_init(&d, b);
	if (!has_samples(raw) && !raw->sum && !cpu_hits_any(raw, d.root)) {
		tree_draft_done(&d);
		return error_set(err, ERR_FORMAT, -1, "the profile has no samples");
	}
	lane = add_lane(b, pid, tid);
	lane->has_timeline = has_samples(raw);
	if (lane->has_timeline && b->options.is_survey) {
		survey_lane(b, lane);
		tree_draft_done(&d);
		return true;
	}
	cpu_lines_resolve(raw);
	if (lane->has_timeline) {
		ok = place_samples(b, &d, lane, &bounds, &end);
	} else if (raw->sum) {
		if (!cpu_hits_of_sums(raw))
			builder_warn(b, WARN_LABEL_VALUES, -1);
	} else {
		builder_warn(b, WARN_SAMPLES_MISSING, -1);
		lane->hit_ns = cpu_hits_to_samples(raw, d.root);
	}
	if (ok) {
		fill_lane(b, &d, lane, &bounds, end);
	} else {
		b->profile->n_lanes--;
		error_set(err, ERR_IO, -1, "the file has changed since the survey");
	}
	tree_draft_done(&d);
	progress_step(b->options.progress, NULL, 0);
	return ok;
}
