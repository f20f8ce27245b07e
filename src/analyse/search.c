/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions share names, files and packages, so each text is matched once and the result is kept by
 * its id. The matches of a lane are spread over its tree once. From then on, a sample's leaf tells
 * whether the sample opens a matched span: its nearest match must be deeper than the rows that it
 * shares with the sample before. */
#include "config.h"

#include "analyse/search.h"

#include "analyse/match_set.h"
#include "base/alloc.h"
#include "base/budget.h"
#include "model/blocks.h"
#include "model/profile.h"

#include <stdlib.h>
#include <string.h>

static node_id above(const struct search_lane *l, node_id node);

/* ==== search samples ====
 *
 * The samples of a lane keep their numbers and times, so spans of them are stretches of the lane.
 * Two samples that match share a row even if their stacks do not. */

#define SAMPLE_BYTES (2 * sizeof(node_id) + 2 * sizeof(uint16_t)) /* with their blocks, about */

/* ---- functions ---- */

static void mark_lane(struct search *search, const struct lane *lane)
{
	const struct calltree *tree = &lane->tree;
	const struct samples *s = &lane->samples;
	uint8_t *is_used = xcalloc((size_t)tree->n + 1, 1);

	for (size_t i = 0; i < s->n; i++)
		is_used[s->leaf[i]] |= search->labels[lane->labels[i]];
	for (node_id i = tree->n; i-- > 1;) {
		uint8_t *is_match = &search->matches[tree->frame[i]];

		if (!is_used[i])
			continue;
		is_used[tree->parent[i]] = 1;
		search->n_functions += !*is_match;
		*is_match = 1;
	}
	free(is_used);
}

/* Mark the functions on the stacks of samples whose sets match: search.labels is complete. In
 * steps: returns whether all lanes are done. */
static bool search_samples_mark(struct search *search, struct budget *budget)
{
	const struct profile *p = search->profile;

	while (search->next_lane < p->n_lanes) {
		const struct lane *lane = &p->lanes[search->next_lane++];
		size_t work = 1;

		if (lane->labels) {
			mark_lane(search, lane);
			work += lane->samples.n + lane->tree.n;
		}
		if (search->next_lane < p->n_lanes &&
		    budget_use(budget, work < BUDGET_STEP ? (uint32_t)work : BUDGET_STEP))
			return false;
	}
	return true;
}

/* ---- samples ---- */

/* Take samples up to `end`. */
static void take_samples(const struct search *search, struct search_lane *l, size_t end)
{
	const struct lane *lane = l->lane;
	const struct samples *s = &lane->samples;

	for (size_t i = l->n_own; i < end; i++) {
		node_id leaf = search->labels[lane->labels[i]] ? s->leaf[i] : NODE_ROOT;
		uint16_t shared = i ? samples_shared(s, i - 1) : 0;

		l->own.leaf[i] = leaf;
		if (leaf == NODE_ROOT)
			continue;
		l->has_any = true;
		if (i && l->own.leaf[i - 1] != NODE_ROOT)
			l->own.shared[i - 1] = shared ? shared : 1;
	}
	l->n_own = end;
}

/* All rows of a sample that matches are one match, the outermost one. */
static void make_nodes(struct search_lane *l)
{
	const struct calltree *tree = &l->lane->tree;

	l->near = xcalloc(tree->n, sizeof *l->near);
	l->deep = xcalloc(tree->n, sizeof *l->deep);
	l->n = xcalloc(tree->n, sizeof *l->n);
	for (node_id i = 1; i < tree->n; i++) {
		l->near[i] = tree->parent[i] == NODE_ROOT ? i : l->near[tree->parent[i]];
		l->deep[i] = 1;
		l->n[i] = 1;
	}
}

static size_t bytes(const struct lane *lane)
{
	return lane->samples.n * SAMPLE_BYTES +
		lane->tree.n * (sizeof(node_id) + 2 * sizeof(uint16_t));
}

/* Make the samples and nodes of a lane, in the same way. */
static bool search_samples_prepare(struct search *search, struct search_lane *l,
				   struct budget *budget)
{
	const struct samples *s = &l->lane->samples;

	if (!l->own.leaf && (!l->lane->labels || s->n == 0 || !reserve_has_room(bytes(l->lane)))) {
		search->is_lacking |= l->lane->labels && s->n;
		l->is_made = true;
		return true;
	}
	if (!l->own.leaf) {
		l->own.n = s->n;
		l->own.times = s->times;
		l->own.leaf = xcalloc(s->n, sizeof *l->own.leaf);
		l->own.shared = xcalloc(s->n, sizeof *l->own.shared);
	}
	while (l->n_own < s->n) {
		size_t left = s->n - l->n_own;
		uint32_t n = left < budget->step ? (uint32_t)left : budget->step;

		take_samples(search, l, l->n_own + n);
		if (budget_use(budget, n))
			return false;
	}
	if (l->has_any) {
		if (!l->blocks)
			l->blocks = blocks_work_begin(&l->own, l->lane->tree.n);
		if (!blocks_work(l->blocks, budget))
			return false;
		l->own.blocks = blocks_work_end(l->blocks);
		l->blocks = NULL;
		samples_index(&l->own, &l->lane->tree, NULL);
		make_nodes(l);
		l->samples = &l->own;
		l->is_whole = true;
	}
	l->is_made = true;
	return true;
}

/* Free the samples. */
static void search_samples_done(struct search_lane *l)
{
	if (l->blocks)
		blocks_free(blocks_work_end(l->blocks));
	l->own.times = (struct times){ 0 };
	samples_done(&l->own);
}

/* ==== search count ====
 *
 * Two passes over the lanes: sums of time, from the blocks of the samples, then spans, from the
 * samples themselves.
 *
 * The count of spans follows totals_counts(): samples without time are skipped, slices without time
 * count. */

/* ---- sums ---- */

struct sums {
	const struct search *search;
	const struct search_lane *l;
	struct search_count *count;
	/* Of a search for labels, whose samples have no stack where they do not match: this pass is
	 * over all samples, or over those that match. */
	bool is_whole, is_part;
};

static void add_time(void *ctx, node_id leaf, int64_t ns)
{
	struct sums *sums = ctx;
	struct search_count *count = sums->count;
	bool is_idle;

	if (leaf == NODE_ROOT || ns == 0)
		return;
	is_idle = profile_node_frame(sums->search->profile, sums->l->lane, leaf)->category ==
		CATEGORY_IDLE;
	if (!sums->is_part) {
		count->sampled_ns += ns;
		count->idle_ns += is_idle ? ns : 0;
	}
	if (sums->is_whole || !count->used || sums->l->near[leaf] == NODE_ROOT)
		return;
	count->ns += ns;
	count->matched_idle_ns += is_idle ? ns : 0;
	count->used[search_lane_at(sums->l, leaf)] = 1;
}

static void add_times(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_time(ctx, leaf[i], ns[i]);
}

/* Count the functions of the next nodes, from the last to the first. */
static void count_functions(struct search_count *count, const struct search_lane *l, uint32_t most)
{
	const struct calltree *tree = &l->lane->tree;
	node_id i = count->n_left, least = i - 1 > most ? i - most : 1;

	for (count->n_left = least; i-- > least;) {
		frame_id f = tree->frame[i];

		if (!count->used[i])
			continue;
		count->used[search_lane_at(l, tree->parent[i])] = 1;
		count->n_functions += !count->seen[f];
		count->seen[f] = 1;
	}
}

/* Add the sums of a lane; false: the budget was spent before the end. */
static bool sum_lane(struct search_count *count, const struct search *search,
		     const struct search_lane *l, struct budget *budget)
{
	bool is_own = l->samples != &l->lane->samples;
	struct sums sums = { search, l, count, is_own && !count->has_whole,
			     is_own && count->has_whole };
	const struct blocks_visitor visitor = { &sums, add_times, add_time, NULL };

	if (!count->has_begun) {
		count->used = l->near ? xcalloc(l->lane->tree.n, 1) : NULL;
		count->n_left = l->near ? l->lane->tree.n : 1;
		blocks_begin(&count->walk, &l->lane->samples, count->t0, count->t1, &visitor);
		count->has_begun = true;
	}
	if (!blocks_walk_work(&count->walk, &visitor, budget))
		return false;
	if (sums.is_whole) {
		count->has_whole = true;
		sums = (struct sums){ search, l, count, false, true };
		blocks_begin(&count->walk, l->samples, count->t0, count->t1, &visitor);
		if (!blocks_walk_work(&count->walk, &visitor, budget))
			return false;
	}
	while (count->n_left > 1) {
		count_functions(count, l, budget->step);
		if (count->n_left > 1 && budget_spent(budget))
			return false;
	}
	free(count->used);
	count->used = NULL;
	return true;
}

void search_count_init(struct search_count *count, const uint32_t *lanes, uint32_t n_lanes,
		       int64_t t0, int64_t t1)
{
	*count = (struct search_count){ .t0 = t0, .t1 = t1, .end = SIZE_MAX, .n_lanes = n_lanes };
	count->lanes = xcalloc((size_t)n_lanes + 1, sizeof *count->lanes);
	for (uint32_t i = 0; i < n_lanes; i++)
		count->lanes[i] = lanes[i];
}

void search_count_done(struct search_count *count)
{
	free(count->lanes);
	free(count->used);
	free(count->seen);
	*count = (struct search_count){ 0 };
}

/* ---- spans ---- */

/* Whether the leaf is a mark that matches: marks are always leaves. */
static bool is_mark(const struct profile *profile, const struct search_lane *l, node_id leaf)
{
	return l->near[leaf] == leaf && profile_is_mark(profile, l->lane, leaf);
}

/* Count samples [count->next, stop) of a lane; false: the range ends before `stop`. */
static bool count_samples(struct search_count *count, const struct profile *profile,
			  const struct search_lane *l, size_t stop)
{
	const struct lane *lane = l->lane;
	const struct samples *s = l->samples;
	bool has_time = lane->kind == LANE_SAMPLES && samples_time(s, s->n) > samples_time(s, 0);
	int64_t t0 = count->t0, t_end = count->t1 >= samples_time(s, s->n) ? INT64_MAX : count->t1;
	unsigned kept = count->kept;
	uint64_t n = 0, n_marks = 0;
	size_t i;

	for (i = count->next; i < stop && samples_time(s, i) < t_end; i++) {
		node_id leaf = s->leaf[i];

		if ((!has_time || samples_time(s, i + 1) > samples_time(s, i)) &&
		    (samples_time(s, i) >= t0 || samples_time(s, i + 1) > t0)) {
			if (l->deep[leaf] > kept) {
				n += (unsigned)l->n[leaf] -
					l->n[calltree_ancestor(&lane->tree, leaf, kept)];
				n_marks += lane->n_marks && is_mark(profile, l, leaf);
			}
			kept = UINT16_MAX;
		}
		if (samples_shared(s, i) < kept)
			kept = samples_shared(s, i);
	}
	count->n_spans += n;
	count->n_marks += n_marks;
	count->kept = kept;
	count->next = i;
	return i == stop;
}

/* Count samples of a lane; false: the budget was spent before the end. */
static bool count_lane(struct search_count *count, const struct profile *profile,
		       const struct search_lane *l, struct budget *budget)
{
	const struct samples *s = l->samples;
	size_t end = count->end < s->n ? count->end : s->n;

	if (!l->near || s->n == 0)
		return true;
	if (!count->has_begun) {
		count->next = samples_find(s, count->t0 - 1);
		count->kept = 0;
		count->has_begun = true;
	}
	while (count->next < end) {
		size_t left = end - count->next;
		size_t stop = count->next + (left < budget->step ? left : budget->step);

		if (!count_samples(count, profile, l, stop))
			break;
		if (count->next < end && budget_spent(budget))
			return false;
	}
	return true;
}

/* Do the next lanes of a pass; false: the budget was spent before the end. */
static bool pass_lanes(struct search_count *count, struct search *search, struct budget *budget)
{
	while (count->lane < count->n_lanes) {
		uint32_t i = count->lanes[count->lane];
		const struct search_lane *l = &search->lanes[i];

		if (!search_prepare(search, i, budget) ||
		    !(count->has_sums ? count_lane(count, search->profile, l, budget)
				      : sum_lane(count, search, l, budget)))
			return false;
		count->lane++;
		count->has_begun = count->has_whole = false;
		if (count->lane < count->n_lanes && budget_spent(budget))
			return false;
	}
	count->lane = 0;
	return true;
}

bool search_count_step(struct search_count *count, struct search *search, struct budget *budget)
{
	if (count->is_complete)
		return true;
	if (!count->has_sums) {
		if (!count->seen)
			count->seen = xcalloc((size_t)search->profile->frames.n + 1, 1);
		if (!pass_lanes(count, search, budget))
			return false;
		free(count->seen);
		count->seen = NULL;
		count->has_sums = true;
	}
	count->is_complete = pass_lanes(count, search, budget);
	return count->is_complete;
}

/* ==== search ==== */

#define MAX_FAILURES 100 /* texts on which a pattern may give up before the search gives up */
#define FUNCTION_WORK (BUDGET_STEP / 16) /* units of work of matching the texts of one function */

enum { UNKNOWN, MATCH, NO_MATCH };

/* ---- functions ---- */

static void init(struct search *search, const struct profile *profile)
{
	*search = (struct search){ .profile = profile };
	search->matches = xcalloc((size_t)profile->frames.n + 1, 1);
	search->n_lanes = profile->n_lanes;
	search->lanes = xcalloc((size_t)profile->n_lanes + 1, sizeof *search->lanes);
	search->next = FRAME_NONE + 1;
}

static bool find_label(const struct profile *profile, const char *text, size_t skip,
		       uint32_t *label, struct error *err)
{
	char *key = pattern_label_key(text, skip);
	bool is_found = labels_find(&profile->labels, &profile->strings, key, label, err);

	free(key);
	return is_found;
}

bool search_init(struct search *search, const struct profile *profile, const char *text, size_t len,
		 bool is_plain, struct error *err)
{
	size_t skip;
	enum pattern_subject subject = pattern_subject(text, len, &skip);
	struct pattern *pattern;
	uint32_t label = 0;

	*search = (struct search){ 0 };
	if (subject == PATTERN_LABEL && !find_label(profile, text, skip, &label, err))
		return false;
	pattern = pattern_new(text + skip, len - skip, is_plain, err);
	if (!pattern)
		return false;
	init(search, profile);
	search->pattern = pattern;
	search->subject = subject;
	search->label = label;
	if (subject == PATTERN_LABEL)
		search->labels = xcalloc(labels_count(&profile->labels), 1);
	search->known = xcalloc(profile->strings.n + 1, 1);
	return true;
}

void search_init_frame(struct search *search, const struct profile *profile, frame_id frame)
{
	init(search, profile);
	search->matches[frame] = 1;
	search->n_functions = 1;
	search->is_complete = true;
}

void search_init_drawn(struct search *search, const struct search *found,
		       const struct profile *drawn)
{
	const struct match_set others = { NULL, found->cats, found->labels };
	struct match_set copy = match_set_copy(&others, 0, found->profile);

	init(search, drawn);
	memcpy(search->matches, found->matches, found->profile->frames.n);
	search->cats = copy.cats;
	search->labels = copy.labels;
	search->subject = found->subject;
	search->n_functions = found->n_functions;
	search->is_complete = true;
}

void search_done(struct search *search)
{
	for (uint32_t i = 0; i < search->n_lanes; i++) {
		search_samples_done(&search->lanes[i]);
		free(search->lanes[i].near);
		free(search->lanes[i].deep);
		free(search->lanes[i].n);
	}
	free(search->lanes);
	free(search->matches);
	free(search->known);
	free(search->cats);
	free(search->labels);
	free(search->is_name);
	pattern_free(search->pattern);
	*search = (struct search){ 0 };
}

static enum pattern_result match_text(struct search *search, str_id id, struct budget *budget)
{
	const struct intern *strings = &search->profile->strings;
	enum pattern_result result;

	if (id == 0)
		return PATTERN_NO;
	if (search->known[id] == UNKNOWN) {
		result = pattern_look(search->pattern, intern_text(strings, id),
				      intern_len(strings, id), budget);
		if (result == PATTERN_BUSY)
			return PATTERN_BUSY;
		search->known[id] = result == PATTERN_YES ? MATCH : NO_MATCH;
	}
	return search->known[id] == MATCH ? PATTERN_YES : PATTERN_NO;
}

/* Whether any text of a function matches. What was found before is known. */
static enum pattern_result match_function(struct search *search, const struct frame *f,
					  struct budget *budget)
{
	const str_id texts[] = { f->name, f->url, f->package };
	enum pattern_result result = PATTERN_NO;

	switch (search->subject) {
	case PATTERN_FILE:
		return match_text(search, f->url, budget);
	case PATTERN_PACKAGE:
		return match_text(search, f->package, budget);
	case PATTERN_CAT:
		return search->cats[f->cat] ? PATTERN_YES : PATTERN_NO;
	case PATTERN_LABEL: /* match_samples() */
	case PATTERN_ANY:
		break;
	}
	for (size_t i = 0; i < ARRAY_LEN(texts) && result == PATTERN_NO; i++)
		result = match_text(search, texts[i], budget);
	return result;
}

/* Slices of one name may have several event categories: match the names of those that match. */
static bool match_slices(struct search *search, struct budget *budget)
{
	const struct profile *p = search->profile;

	if (!search->is_name)
		search->is_name = xcalloc((size_t)p->strings.n + 1, 1);
	if (!match_set_names(p, search->cats, &search->next_lane, search->is_name, budget))
		return false;
	for (frame_id f = 1; f < p->frames.n; f++) {
		const struct frame *frame = profile_frame(p, f);

		if (search->matches[f] || !frame_is_slice(frame) || !search->is_name[frame->name])
			continue;
		search->matches[f] = 1;
		search->n_functions++;
	}
	free(search->is_name);
	search->is_name = NULL;
	return true;
}

/* Compare the values of the label, then find the functions of the samples that have them. */
static bool match_samples(struct search *search, struct budget *budget)
{
	const struct labels *labels = &search->profile->labels;
	size_t n = labels_count(labels);

	while (search->next_set < n && pattern_failures(search->pattern) <= MAX_FAILURES) {
		str_id value = labels_value(labels, (uint32_t)search->next_set, search->label);
		enum pattern_result is = match_text(search, value, budget);

		if (is == PATTERN_BUSY)
			return false;
		search->labels[search->next_set++] = is == PATTERN_YES;
		if (budget_use(budget, 1))
			return false;
	}
	return search_samples_mark(search, budget);
}

/* No work is left. */
static void complete(struct search *search)
{
	search->is_complete = true;
	search->is_costly = search->is_costly || pattern_failures(search->pattern) > 0;
	free(search->known);
	search->known = NULL;
}

/* Complete the search with the matches so far. */
static void search_give_up(struct search *search)
{
	if (search->is_complete)
		return;
	search->is_costly = true;
	complete(search);
}

bool search_match(struct search *search, struct budget *budget)
{
	uint32_t n = search->profile ? search->profile->frames.n : 0;

	if (search->profile && search->labels) {
		if (!search->is_complete && !match_samples(search, budget))
			return false;
		complete(search);
		return true;
	}
	if (search->subject == PATTERN_CAT && search->profile && !search->cats)
		search->cats = match_set_cats(search->profile, search->pattern);
	while (!search->is_complete && search->next < n) {
		const struct frame *f = profile_frame(search->profile, search->next);
		enum pattern_result is = match_function(search, f, budget);

		if (is == PATTERN_BUSY)
			return false;
		search->matches[search->next++] = is == PATTERN_YES;
		search->n_functions += is == PATTERN_YES;
		if (pattern_failures(search->pattern) > MAX_FAILURES)
			search_give_up(search);
		else if (search->next < n && budget_use(budget, FUNCTION_WORK))
			return false;
	}
	if (!search->is_complete) {
		if (search->profile && search->cats && !match_slices(search, budget))
			return false;
		complete(search);
	}
	return true;
}

/* ---- spans ---- */

/* Look for a match in nodes up to `end`. Most lanes have none, and need no arrays. */
static void look(struct search *search, struct search_lane *l, node_id end)
{
	const struct calltree *tree = &l->lane->tree;

	while (l->next < end && !search_has(search, l->lane, l->next))
		l->next++;
	if (l->next == end) {
		l->is_made = end == tree->n;
		return;
	}
	if (!reserve_has_room(tree->n * (sizeof *l->near + sizeof *l->deep + sizeof *l->n))) {
		l->is_made = search->is_lacking = true;
		return;
	}
	l->near = xcalloc(tree->n, sizeof *l->near);
	l->deep = xcalloc(tree->n, sizeof *l->deep);
	l->n = xcalloc(tree->n, sizeof *l->n);
	l->next = 1;
}

static void make_nodes_search(const struct search *search, struct search_lane *l, node_id end)
{
	const struct calltree *tree = &l->lane->tree;

	for (node_id i = l->next; i < end; i++) {
		node_id above = tree->parent[i];
		bool is = search_has(search, l->lane, i);

		l->near[i] = is ? i : l->near[above];
		l->deep[i] = is ? tree->rows[i] : l->deep[above];
		l->n[i] = (uint16_t)(l->n[above] + is);
	}
	l->next = end;
	l->is_made = end == tree->n;
}

static void begin_lane(struct search_lane *l, const struct lane *lane)
{
	l->lane = lane;
	l->samples = &lane->samples;
	l->next = 1;
	l->is_made = lane->tree.n < 2;
}

bool search_prepare(struct search *search, uint32_t lane, struct budget *budget)
{
	struct search_lane *l = &search->lanes[lane];

	if (!l->lane)
		begin_lane(l, &search->profile->lanes[lane]);
	if (search->labels && !l->is_made)
		return search_samples_prepare(search, l, budget);
	while (!l->is_made) {
		node_id first = l->next, left = l->lane->tree.n - first,
			end = first + (left < budget->step ? left : budget->step);

		if (l->near)
			make_nodes_search(search, l, end);
		else
			look(search, l, end);
		/* Small lanes together are a step, too. */
		if (budget_use(budget, end - first))
			return false;
	}
	return true;
}

const struct search_lane *search_lane(struct search *search, uint32_t lane)
{
	search_prepare(search, lane, BUDGET_UNLIMITED);
	return &search->lanes[lane];
}

/* The nearest match above a matched node. */
static node_id above(const struct search_lane *l, node_id node)
{
	return l->near[l->lane->tree.parent[node]];
}

/* The span of a matched node that opens with sample i. False: a sampled span without time, which
 * does not count. */
static bool take_span(const struct search_lane *l, size_t i, node_id node, struct span *out)
{
	return span_of_sample(l->samples, &l->lane->tree, i, l->lane->tree.rows[node] - 1, out) &&
		(l->lane->kind != LANE_SAMPLES || out->t1 > out->t0);
}

static unsigned rows_before(const struct samples *s, size_t i)
{
	return i ? samples_shared(s, i - 1) : 0;
}

/* Find the first match that opens with sample `from` at `depth` or deeper, or with a later sample
 * before t1. */
static bool find_next(const struct search_lane *l, size_t from, unsigned depth, int64_t t1,
		      struct span *out)
{
	const struct samples *s = l->samples;
	const uint16_t *rows = l->lane->tree.rows;

	for (size_t i = from; i < s->n && samples_time(s, i) < t1; i++, depth = 0) {
		unsigned kept = rows_before(s, i);

		for (kept = kept > depth ? kept : depth; l->deep[s->leaf[i]] > kept;) {
			node_id node = l->near[s->leaf[i]];

			for (node_id k = above(l, node); rows[k] > kept; k = above(l, k))
				node = k;
			if (take_span(l, i, node, out))
				return true;
			kept = rows[node];
		}
	}
	return false;
}

/* Find the last match that opens with sample `from` above `depth`, or with an earlier sample at t0
 * or later. */
static bool find_before(const struct search_lane *l, size_t from, unsigned depth, int64_t t0,
			struct span *out)
{
	const struct samples *s = l->samples;
	const uint16_t *rows = l->lane->tree.rows;

	for (size_t i = from + 1; i-- > 0 && samples_time(s, i) >= t0; depth = UINT16_MAX) {
		unsigned kept = rows_before(s, i);
		node_id node = l->near[s->leaf[i]];

		for (; rows[node] > kept; node = above(l, node))
			if (rows[node] <= depth && take_span(l, i, node, out))
				return true;
	}
	return false;
}

/* Number of samples that begin at t or earlier. */
static size_t samples_until(const struct samples *s, int64_t t)
{
	return t < samples_time(s, 0) ? 0 : samples_find(s, t) + 1;
}

static const struct search_lane *walked_lane(struct search *search, const uint8_t *is_shown,
					     uint32_t i)
{
	const struct search_lane *l;

	if (!is_shown[i] || !search->profile->lanes[i].has_timeline ||
	    search->profile->lanes[i].samples.n == 0)
		return NULL;
	l = search_lane(search, i);
	return l->near ? l : NULL;
}

/* Each lane is searched only up to the match found on the lanes before it. */
bool search_next(struct search *search, const uint8_t *is_shown, const struct search_at *at,
		 struct search_at *out)
{
	struct search_at found;
	bool has_found = false;

	for (uint32_t i = 0; i < search->profile->n_lanes; i++) {
		const struct search_lane *l = walked_lane(search, is_shown, i);
		size_t from = 0;
		unsigned depth = 0;
		struct span span;

		if (!l)
			continue;
		if (at && i == at->lane) {
			from = at->span.first;
			depth = (unsigned)at->span.depth + 1;
		} else if (at) {
			from = samples_until(&l->lane->samples,
					     i < at->lane ? at->span.t0 : at->span.t0 - 1);
		}
		if (find_next(l, from, depth, has_found ? found.span.t0 : INT64_MAX, &span)) {
			found = (struct search_at){ i, span };
			has_found = true;
		}
	}
	if (has_found)
		*out = found;
	return has_found;
}

bool search_before(struct search *search, const uint8_t *is_shown, const struct search_at *at,
		   struct search_at *out)
{
	struct search_at found;
	bool has_found = false;

	for (uint32_t i = search->profile->n_lanes; i-- > 0;) {
		const struct search_lane *l = walked_lane(search, is_shown, i);
		unsigned depth = UINT16_MAX;
		struct span span;
		size_t end;

		if (!l)
			continue;
		end = l->lane->samples.n;
		if (at && i == at->lane) {
			end = at->span.first + 1;
			depth = (unsigned)at->span.depth;
		} else if (at) {
			end = samples_until(&l->lane->samples,
					    i < at->lane ? at->span.t0 : at->span.t0 - 1);
		}
		if (end > 0 &&
		    find_before(l, end - 1, depth, has_found ? found.span.t0 + 1 : INT64_MIN,
				&span)) {
			found = (struct search_at){ i, span };
			has_found = true;
		}
	}
	if (has_found)
		*out = found;
	return has_found;
}

bool search_from(struct search *search, const uint8_t *is_shown, int64_t t, struct search_at *out)
{
	/* A position before all lanes, 1 ns earlier. */
	const struct search_at before = { UINT32_MAX, { .t0 = t - 1 } };

	return search_next(search, is_shown, &before, out);
}
