/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a raw CPU profile to a lane, in this order: functions get their identity, nodes
 * their parents, samples their times and nodes; lone (program) samples are joined
 * and garbage collection is put on the stack that it interrupted; the tree is
 * numbered in preorder; neighbouring samples are compared.
 *
 * Until the tree is numbered, nodes are known by their index in the file, with
 * made-up nodes (unknown, garbage collection on a stack) behind them.
 *
 * Arrays by node have megabytes, and memory that was never used costs more than most of
 * what is done with it: the draft takes over the arrays of the raw profile, and one
 * array serves all that needs a number by node for a while. */
#include "config.h"

#include "build/cpu_raw.h"
#include "build/partial/cpu_stream.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "base/units.h"
#include "model/blocks.h"

#include <stdlib.h>
#include <string.h>

#define NO_NODE UINT32_MAX

/* The tree in the order of the file. */
struct draft {
	uint32_t n;
	size_t cap;
	uint32_t *parent; /* NO_NODE for the root */
	frame_id *frame;
	uint32_t root;
	uint32_t unknown; /* the node for samples of unknown nodes; NO_NODE: none yet */
	uint32_t *
		gc_child; /* by node: its made-up garbage collection, 0: none; NULL: no GC at all */
	size_t n_gc_child;
	uint32_t *scratch; /* by node; for whoever needs it, and in the end the new order */
};

/* A number by node for a while, unset. */
static uint32_t *draft_scratch(struct draft *d)
{
	return d->scratch = xrealloc(d->scratch, d->n, sizeof *d->scratch);
}

static uint32_t draft_add(struct draft *d, uint32_t parent, frame_id frame)
{
	if (d->n >= d->cap) {
		size_t cap = d->cap;

		d->parent = xgrow(d->parent, &cap, (size_t)d->n + 1, sizeof *d->parent);
		d->frame = xrealloc(d->frame, cap, sizeof *d->frame);
		d->cap = cap;
	}
	d->parent[d->n] = parent;
	d->frame[d->n] = frame;
	return d->n++;
}

static void draft_done(struct draft *d)
{
	free(d->parent);
	free(d->frame);
	free(d->gc_child);
	free(d->scratch);
}

/* ---- functions ---- */

/* The function that has a position and the name and script of `f`, or NULL. *is_only: there is no
 * second one with another position. */
static const struct raw_frame *find_placed(const struct cpu_raw *raw,
					   const struct hash_table *placed, uint64_t hash,
					   const struct raw_frame *f, bool *is_only)
{
	struct hash_probe probe = hash_probe(hash);
	const struct raw_frame *first = NULL;

	*is_only = true;
	while (hash_table_next(placed, &probe)) {
		const struct raw_frame *found = &raw->frames[probe.index];

		if (found->name != f->name || found->script != f->script)
			continue;
		if (first) {
			*is_only = false;
			break;
		}
		first = found;
	}
	return first;
}

/* Chrome up to 66 gave inlined functions their caller's url and no position. If exactly one
 * function with that name and script has a position, it is used. */
static void repair_inlined(struct builder *b)
{
	struct cpu_raw *raw = &b->raw;
	struct hash_table placed = { 0 }; /* per name and script: the first, and one that differs */

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < raw->n_frames; i++) {
			struct raw_frame *f = &raw->frames[i];
			bool is_placed = f->line >= 0 || f->column >= 0, is_only;
			uint64_t hash = hash_u64((uint64_t)f->name << 32 | f->script);
			const struct raw_frame *found;

			if (!f->url || !f->script || is_placed != (pass == 0))
				continue;
			found = find_placed(raw, &placed, hash, f, &is_only);
			if (pass == 0) {
				if (!found ||
				    (is_only &&
				     (found->url != f->url || found->line != f->line ||
				      found->column != f->column)))
					hash_table_add(&placed, hash, (uint32_t)i);
			} else if (found && is_only) {
				f->url = found->url;
				f->line = found->line;
				f->column = found->column;
				builder_warn(b, WARN_INLINED, -1);
			}
		}
	}
	hash_table_done(&placed);
}

static int32_t from_one(int64_t zero_based)
{
	return zero_based < 0 || zero_based >= INT32_MAX ? 0 : (int32_t)zero_based + 1;
}

static frame_id add_frame(struct builder *b, const struct raw_frame *f)
{
	struct profile *p = b->profile;
	struct frame frame = { .name = f->name,
			       .url = f->url,
			       .script = f->script,
			       .line = from_one(f->line),
			       .column = from_one(f->column) };
	str_id package;

	frame.category = category_of(&p->strings, intern_text(&p->strings, f->name),
				     intern_text(&p->strings, f->url), f->script != 0, &package);
	if (frame.category == CATEGORY_NATIVE && b->raw.is_names_only)
		frame.category = CATEGORY_APP;
	frame.package = package;
	return frame_table_add(&p->frames, &frame);
}

static frame_id named_frame(struct builder *b, const char *name)
{
	struct raw_frame f = { .name = intern_adds(&b->profile->strings, name),
			       .line = -1,
			       .column = -1 };

	return add_frame(b, &f);
}

/* ---- parents ---- */

static uint32_t slot_node(struct cpu_raw *raw, uint32_t slot)
{
	return slot == SLOT_NONE ? NO_NODE : cpu_raw_slot(raw, slot)->node - 1;
}

/* What a node says of its own parent; NO_NODE: nothing. */
static uint32_t named_parent(struct builder *b, uint32_t i)
{
	struct cpu_raw *raw = &b->raw;
	uint32_t at;

	if (i >= raw->cap_parent || raw->parent[i] == SLOT_NONE)
		return NO_NODE;
	at = slot_node(raw, raw->parent[i]);
	if (at == NO_NODE)
		builder_warn(b, WARN_MISSING_PARENT, -1);
	return at;
}

/* d->parent has the nodes' own slots, and in their place the parents then. */
static void find_parents(struct builder *b, struct draft *d)
{
	struct cpu_raw *raw = &b->raw;

	for (uint32_t i = 0; i < d->n; i++) {
		uint32_t listed = NO_NODE, named = named_parent(b, i);

		if (i + SLOT_AHEAD < d->n)
			cpu_raw_prefetch(raw, d->parent[i + SLOT_AHEAD]);
		if (d->parent[i] != SLOT_NONE)
			listed = cpu_raw_slot(raw, d->parent[i])->lister - 1;
		if (listed != NO_NODE && named != NO_NODE && listed != named)
			builder_warn(b, WARN_PARENTS_DISAGREE, -1);
		d->parent[i] = listed != NO_NODE ? listed : named;
	}
}

/* Children that were named but never came. */
static void check_children(struct builder *b)
{
	struct cpu_raw *raw = &b->raw;

	for (size_t c = 0; c < SLOT_DENSE / SLOT_CHUNK; c++)
		for (size_t i = 0; raw->chunks[c] && i < SLOT_CHUNK; i++)
			if (raw->chunks[c][i].lister && !raw->chunks[c][i].node)
				builder_warn(b, WARN_MISSING_CHILD, -1);
	for (size_t i = 0; i < raw->n_sparse; i++)
		if (raw->sparse[i].lister && !raw->sparse[i].node)
			builder_warn(b, WARN_MISSING_CHILD, -1);
}

/* Cut each circle at its lowest index: walk up from every node, marking the walk. */
static void cut_cycles(struct builder *b, struct draft *d)
{
	uint32_t *walk = draft_scratch(d);

	memset(walk, 0, (size_t)d->n * sizeof *walk);
	for (uint32_t i = 0; i < d->n; i++) {
		uint32_t at = i, lowest;

		while (at != NO_NODE && walk[at] == 0) {
			walk[at] = i + 1;
			at = d->parent[at];
		}
		if (at == NO_NODE || walk[at] != i + 1)
			continue;
		lowest = at;
		for (uint32_t k = d->parent[at]; k != at; k = d->parent[k])
			if (k < lowest)
				lowest = k;
		d->parent[lowest] = NO_NODE;
		builder_warn(b, WARN_CYCLE, -1);
	}
}

/* d->frame still counts the frames of this profile alone. */
static void find_root(struct builder *b, struct draft *d)
{
	const struct cpu_raw *raw = &b->raw;
	str_id root_name = intern_adds(&b->profile->strings, "(root)");
	uint32_t first = NO_NODE, named = NO_NODE;

	for (uint32_t i = 0; i < d->n; i++) {
		if (d->parent[i] != NO_NODE)
			continue;
		if (first == NO_NODE)
			first = i;
		if (named == NO_NODE && raw->frames[d->frame[i]].name == root_name &&
		    !raw->frames[d->frame[i]].url)
			named = i;
	}
	d->root = named != NO_NODE ? named : first;
	for (uint32_t i = 0; i < d->n; i++) {
		if (d->parent[i] == NO_NODE && i != d->root) {
			d->parent[i] = d->root;
			builder_warn(b, WARN_ORPHAN, -1);
		}
	}
}

static void draft_tree(struct builder *b, struct draft *d)
{
	struct cpu_raw *raw = &b->raw;
	frame_id *global = xmalloc(raw->n_frames * sizeof *global);

	*d = (struct draft){ .n = (uint32_t)raw->n,
			     .cap = raw->cap,
			     .parent = raw->slot,
			     .frame = raw->frame,
			     .unknown = NO_NODE };
	raw->slot = raw->frame = NULL;
	repair_inlined(b);
	for (size_t i = 0; i < raw->n_frames; i++)
		global[i] = add_frame(b, &raw->frames[i]);
	find_parents(b, d);
	check_children(b);
	cut_cycles(b, d);
	find_root(b, d);
	for (size_t i = 0; i < raw->n; i++)
		d->frame[i] = global[d->frame[i]];
	free(global);
	d->frame[d->root] = FRAME_NONE;
}

/* ---- samples ---- */

static void resolve_samples(struct builder *b, struct draft *d)
{
	struct cpu_raw *raw = &b->raw;

	for (size_t i = 0; i < raw->n_samples; i++) {
		uint32_t slot = raw->samples[i], at = NO_NODE;

		if (i + SLOT_AHEAD < raw->n_samples)
			cpu_raw_prefetch(raw, raw->samples[i + SLOT_AHEAD]);
		/* Looking must not make slots for ids that are only in samples. */
		if (slot & SLOT_SPARSE || raw->chunks[slot / SLOT_CHUNK])
			at = cpu_raw_slot(raw, slot)->node - 1;
		if (at == NO_NODE) {
			if (d->unknown == NO_NODE)
				d->unknown = draft_add(d, d->root, named_frame(b, "(unknown)"));
			at = d->unknown;
			builder_warn(b, WARN_UNKNOWN_NODE, -1);
		}
		raw->samples[i] = at;
	}
}

/* By node: which of (program), (idle) and (garbage collector) it is, directly below the root where
 * they are; CATEGORY_APP for all others. */
static uint8_t *find_pseudos(const struct builder *b, const struct draft *d)
{
	uint8_t *is = xmalloc(d->n);

	for (uint32_t i = 0; i < d->n; i++) {
		enum category c = d->parent[i] == d->root
			? b->profile->frames.frames[d->frame[i]].category
			: CATEGORY_APP;

		is[i] = c == CATEGORY_PROGRAM || c == CATEGORY_IDLE || c == CATEGORY_GC
			? (uint8_t)c
			: CATEGORY_APP;
	}
	return is;
}

/* By node: the call directly below the root that it belongs to. Each walk up ends where one
 * before it came by. */
static const uint32_t *find_outermost(struct draft *d)
{
	uint32_t *top = draft_scratch(d);

	memset(top, 0xFF, (size_t)d->n * sizeof *top);
	top[d->root] = d->root;
	for (uint32_t i = 0; i < d->n; i++) {
		uint32_t at = i, is;

		while (top[at] == NO_NODE && d->parent[at] != d->root)
			at = d->parent[at];
		is = top[at] == NO_NODE ? at : top[at];
		for (at = i; top[at] == NO_NODE; at = d->parent[at])
			top[at] = is;
	}
	return top;
}

/* A single (program) sample between two of the same outermost call becomes the one
 * before. The test uses the samples as recorded. */
static void join_program(struct builder *b, struct draft *d, const uint8_t *pseudos)
{
	uint32_t *s = b->raw.samples;
	size_t n = b->raw.n_samples;
	uint32_t before = n ? s[0] : 0;
	const uint32_t *top = find_outermost(d);

	for (size_t i = 1; i + 1 < n; i++) {
		uint32_t here = s[i];

		if (pseudos[here] == CATEGORY_PROGRAM && pseudos[before] == CATEGORY_APP &&
		    pseudos[s[i + 1]] == CATEGORY_APP && top[before] == top[s[i + 1]]) {
			s[i] = before;
			builder_warn(b, WARN_JOINED, -1);
		}
		before = here;
	}
}

static uint32_t gc_on(struct draft *d, uint32_t node, uint32_t gc)
{
	if (node == d->root)
		return gc;
	if (!d->gc_child) {
		d->n_gc_child = d->n;
		d->gc_child = xcalloc(d->n_gc_child, sizeof *d->gc_child);
	}
	if (!d->gc_child[node])
		d->gc_child[node] = draft_add(d, node, d->frame[gc]);
	return d->gc_child[node];
}

/* Collections carry no stack; they happened on top of the one before. */
static void place_gc(struct builder *b, struct draft *d, const uint8_t *pseudos)
{
	uint32_t *s = b->raw.samples, below = d->root;

	for (size_t i = 0; i < b->raw.n_samples; i++) {
		if (pseudos[s[i]] == CATEGORY_GC)
			s[i] = gc_on(d, below, s[i]);
		else
			below = s[i];
	}
}

/* From slots to nodes, by the rules for what samples mean. */
static void place_samples(struct builder *b, struct draft *d)
{
	struct cpu_raw *raw = &b->raw;

	resolve_samples(b, d);
	cpu_raw_drop_slots(raw);
	if (!b->options.is_raw && !raw->is_as_recorded) {
		uint8_t *pseudos = find_pseudos(b, d);

		join_program(b, d, pseudos);
		place_gc(b, d, pseudos);
		free(pseudos);
	}
}

/* ---- the lane ---- */

/* Samples in terms of other nodes, or of another start. */
struct moved {
	uint32_t *leaf;
	const node_id *order;
	int64_t *t, by;
};

static void renumber(void *ctx, size_t from, size_t end)
{
	const struct moved *m = ctx;

	for (size_t i = from; i < end; i++)
		m->leaf[i] = m->order[m->leaf[i]];
}

static void shift(void *ctx, size_t from, size_t end)
{
	const struct moved *m = ctx;

	for (size_t i = from; i < end; i++)
		m->t[i] -= m->by;
}

/* Number the nodes in preorder; raw->samples and order know the new numbers then. */
static void number_nodes(struct builder *b, struct draft *d, struct lane *lane, node_id *order)
{
	struct cpu_raw *raw = &b->raw;
	uint32_t n_cut, other = d->root;
	frame_id f = d->frame[0];
	uint32_t p = d->parent[0];

	/* The builder of trees wants the root first: it changes places with node 0. */
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
	n_cut = calltree_build(&lane->tree, d->n, d->parent, d->frame, order);
	for (; n_cut > 0; n_cut--)
		builder_warn(b, WARN_TOO_DEEP, -1);
	if (other != 0) {
		node_id swap = order[0];

		order[0] = order[other];
		order[other] = swap;
	}
	parallel_chunks(raw->n_samples, renumber,
			&(struct moved){ .leaf = raw->samples, .order = order });
}

static int ticks_order(const void *a, const void *b)
{
	const struct line_ticks *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* What the file says of single nodes goes along with their new numbers. */
static void take_facts(struct cpu_raw *raw, struct lane *lane, const node_id *order)
{
	uint32_t n = lane->tree.n;
	bool is_sorted = true;

	if (raw->has_hits) {
		lane->hits = xcalloc(n, sizeof *lane->hits);
		for (size_t i = 0; i < raw->n; i++)
			lane->hits[order[i]] += raw->hits[i];
	}
	if (raw->n_deopts) {
		lane->deopt = xcalloc(n, sizeof *lane->deopt);
		for (size_t i = 0; i < raw->n_deopts; i++)
			lane->deopt[order[raw->deopts[i].node]] = raw->deopts[i].reason;
	}
	for (size_t i = 0; i < raw->n_ticks; i++) {
		raw->ticks[i].node = order[raw->ticks[i].node];
		is_sorted &= i == 0 || ticks_order(&raw->ticks[i - 1], &raw->ticks[i]) <= 0;
	}
	if (!is_sorted)
		qsort(raw->ticks, raw->n_ticks, sizeof *raw->ticks, ticks_order);
	lane->ticks = raw->ticks;
	lane->n_ticks = raw->n_ticks;
	raw->ticks = NULL;
}

/* When all samples are, which may be more than are here. Counted from the start of the lane until
 * the builder knows all lanes. */
static void place_in_time(const struct cpu_raw *raw, const struct sample_bounds *of, int64_t end,
			  struct lane *lane)
{
	lane->t0 = raw->has_start || !raw->is_stamps ? raw->start_ns : of->first;
	if (of->first < lane->t0)
		lane->t0 = of->first;
	lane->t1 = end;
	if (raw->has_end && raw->end_ns > lane->t1)
		lane->t1 = raw->end_ns;
	lane->sampled_t0 = of->first - lane->t0;
	lane->sampled_t1 = end - lane->t0;
	lane->n_samples = of->n;
	if (of->n > 1)
		lane->interval_ns = (of->last - of->first) / (int64_t)(of->n - 1);
}

static void take_samples(struct cpu_raw *raw, struct lane *lane)
{
	struct samples *s = &lane->samples;

	s->n = raw->n_samples;
	s->leaf = xrealloc(raw->samples, s->n, sizeof *s->leaf);
	s->t = xrealloc(raw->times, s->n + 1, sizeof *s->t);
	raw->samples = NULL;
	raw->times = NULL;
	parallel_chunks(s->n + 1, shift, &(struct moved){ .t = s->t, .by = lane->t0 });
}

/* A lane of which no sample is kept: what was sampled is one stretch without a stack. */
static void put_nothing(struct cpu_raw *raw, uint32_t root, const struct sample_bounds *of,
			int64_t end)
{
	raw->samples = xrealloc(raw->samples, 1, sizeof *raw->samples);
	raw->times = xrealloc(raw->times, 2, sizeof *raw->times);
	raw->samples[0] = root;
	raw->times[0] = of->first;
	raw->times[1] = end;
	raw->n_samples = 1;
}

/* What a survey has to say of this profile. */
static bool end_survey(struct builder *b, struct lane *lane)
{
	struct sample_bounds bounds;
	int64_t end;

	if (!sample_time_resolve(b, &bounds, &end)) {
		builder_no_part(b);
		return true;
	}
	place_in_time(&b->raw, &bounds, end, lane);
	lane->survey = b->raw.stream->survey;
	b->raw.stream->survey = NULL;
	return true;
}

/* Samples that can be read, or hits below the root: without either nothing can be shown. */
static bool has_samples(struct cpu_raw *raw)
{
	if (raw->stream && raw->stream->n_samples > raw->stream->n_unreadable)
		return true;
	for (size_t i = 0; i < raw->n_samples; i++)
		if (raw->samples[i] != SLOT_NONE)
			return true;
	raw->n_samples = raw->n_times = 0;
	return false;
}

bool cpu_lane_build(struct builder *b, int64_t pid, int64_t tid, struct error *err)
{
	struct cpu_raw *raw = &b->raw;
	struct sample_bounds bounds;
	struct lane *lane;
	struct draft d;
	node_id *order;
	int64_t end;

	if (raw->n == 0)
		return error_set(err, ERR_FORMAT, -1, "the profile has no nodes");
	draft_tree(b, &d);
	if (!has_samples(raw) && !cpu_hits_any(raw, d.root)) {
		draft_done(&d);
		return error_set(err, ERR_FORMAT, -1, "the profile has no samples");
	}
	lane = builder_lane(b, LANE_SAMPLES, b->profile->n_inputs - 1, pid, tid);
	lane->title = b->tracks.cpu_title;
	lane->is_folded = b->tracks.is_cpu_folded;
	lane->source = raw->number;
	lane->has_timeline = has_samples(raw);
	lane->n_file_nodes = raw->n;
	if (lane->has_timeline && b->options.is_survey) {
		draft_done(&d);
		return end_survey(b, lane);
	}
	if (lane->has_timeline) {
		if (!sample_time_resolve(b, &bounds, &end)) {
			draft_done(&d);
			b->profile->n_lanes--;
			return error_set(err, ERR_IO, -1,
					 "the file is another one than it was in the survey");
		}
		place_samples(b, &d);
		lane->n_left = bounds.n - raw->n_samples;
		if (raw->n_samples == 0)
			put_nothing(raw, d.root, &bounds, end);
	} else {
		builder_warn(b, WARN_SAMPLES_MISSING, -1);
		cpu_hits_to_samples(b, d.root);
	}
	order = draft_scratch(&d);
	number_nodes(b, &d, lane, order);
	take_facts(raw, lane, order);
	draft_done(&d);
	if (!lane->has_timeline) {
		cpu_hits_sort(raw, lane);
		bounds = (struct sample_bounds){ .n = raw->n_samples,
						 .first = raw->times[0],
						 .last = raw->times[raw->n_samples - 1] };
		end = raw->times[raw->n_samples];
	}
	place_in_time(raw, &bounds, end, lane);
	take_samples(raw, lane);
	lane_link(lane, b->profile->frames.frames);
	/* Its nanosecond is there to be seen; it is no time that anything took. */
	if (raw->is_instant)
		lane->n_spans = 0;
	return true;
}
