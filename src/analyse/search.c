/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions share names, files and packages, so each text is matched once and the result is kept by
 * its id: in steps for a search, at once for a set of frames or lanes ("frame set" below). The
 * matches of a lane are spread over its tree once. From then on, a sample's leaf tells whether the
 * sample opens a matched span: its nearest match must be deeper than the rows that it shares with
 * the sample before. */
#include "config.h"

#include "analyse/search.h"

#include "analyse/scope.h"
#include "analyse/search_slices.h"
#include "base/alloc.h"
#include "base/budget.h"
#include "model/blocks.h"
#include "model/function_id.h"
#include "model/profile.h"

#include <stdlib.h>
#include <string.h>

/* ==== match set ====
 *
 * An event category is a list of words with commas between them, with or without blanks. */

struct match_set match_set_copy(const struct match_set *set, uint32_t n_frames,
				const struct profile *profile)
{
	size_t n_cats = (size_t)profile->n_event_cats + 1;
	struct match_set copy = { 0 };
	size_t n_labels = labels_count(&profile->labels);

	if (set->frames)
		copy.frames = memcpy(xmalloc((size_t)n_frames + 1), set->frames, n_frames);
	if (set->cats)
		copy.cats = memcpy(xmalloc(n_cats), set->cats, n_cats);
	if (set->labels)
		copy.labels = memcpy(xmalloc(n_labels), set->labels, n_labels);
	copy.during = during_share(set->during);
	return copy;
}

void match_set_done(struct match_set *set)
{
	free(set->frames);
	free(set->cats);
	free(set->labels);
	during_free(set->during);
	*set = (struct match_set){ 0 };
}

static bool has_word(struct pattern *pattern, const char *text, size_t len)
{
	const char *end = text + len, *comma;

	for (; text <= end; text = comma + 1) {
		const char *from = text, *to;

		comma = memchr(text, ',', (size_t)(end - text));
		comma = comma ? comma : end;
		for (to = comma; from < to && *from == ' ';)
			from++;
		while (to > from && to[-1] == ' ')
			to--;
		if (pattern_find(pattern, from, (size_t)(to - from), NULL, NULL))
			return true;
	}
	return false;
}

/* The event categories of a profile that match, by event_cat: one of the comma-separated ones does.
 * Texts on which the pattern gives up do not match. The caller frees the result. */
static uint8_t *match_set_cats(const struct profile *profile, struct pattern *pattern)
{
	uint8_t *cats = xcalloc((size_t)profile->n_event_cats + 1, 1);

	for (uint32_t i = 1; i < profile->n_event_cats && !pattern_failures(pattern); i++) {
		str_id text = profile->event_cats[i].text;

		cats[i] = has_word(pattern, profile_text(profile, text),
				   intern_len(&profile->strings, text));
	}
	return cats;
}

/* Set is_name[name] (by str_id) for the names of all slices whose event category matches and is not
 * that of their frame. cats: by event_cat. In steps: *next is 0 at first; returns whether it is
 * complete. */
static bool match_set_names(const struct profile *profile, const uint8_t *cats, uint32_t *next,
			    uint8_t *is_name, struct budget *budget)
{
	while (*next < profile->n_lanes) {
		const struct lane *lane = &profile->lanes[(*next)++];
		uint32_t n = lane->cats ? lane->tree.n : 1;

		for (node_id i = 1; i < n; i++)
			if (cats[lane->cats[i]])
				is_name[profile_node_frame(profile, lane, i)->name] = 1;
		if (*next < profile->n_lanes && budget_use(budget, n))
			return false;
	}
	return true;
}

struct match_set match_set_of_cats(const struct profile *profile, uint8_t *cats)
{
	const struct frame_table *frames = &profile->frames;
	struct match_set set = { .frames = xcalloc((size_t)frames->n + 1, 1), .cats = cats };
	ALLOC_LOCAL uint8_t *is_name = xcalloc(profile->strings.n + 1, 1);
	uint32_t next = 0;

	match_set_names(profile, cats, &next, is_name, BUDGET_UNLIMITED);
	for (frame_id f = 1; f < frames->n; f++)
		set.frames[f] = cats[frames->frames[f].cat] ||
			(frame_is_slice(&frames->frames[f]) && is_name[frames->frames[f].name]);
	return set;
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

BLOCKS_MANY(add_times, add_time)

/* Count the functions that have time. */
static void count_functions(struct search_count *count, const struct search_lane *l)
{
	const struct calltree *tree = &l->lane->tree;

	for (node_id i = count->used ? tree->n : 1; i-- > 1;) {
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
	count_functions(count, l);
	free(count->used);
	count->used = NULL;
	return true;
}

void search_count_done(struct search_count *count)
{
	free(count->lanes);
	free(count->used);
	free(count->seen);
	*count = (struct search_count){ 0 };
}

void search_count_init(struct search_count *count, const uint32_t *lanes, uint32_t n_lanes,
		       int64_t t0, int64_t t1)
{
	*count = (struct search_count){ .t0 = t0, .t1 = t1, .end = SIZE_MAX, .n_lanes = n_lanes };
	count->lanes = xcalloc((size_t)n_lanes + 1, sizeof *count->lanes);
	for (uint32_t i = 0; i < n_lanes; i++)
		count->lanes[i] = lanes[i];
}

/* ---- spans ---- */

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
				/* Marks are always leaves. */
				n_marks += lane->n_marks && l->near[leaf] == leaf &&
					profile_is_mark(profile, lane, leaf);
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
	ALLOC_LOCAL char *key = pattern_label_key(text, skip);

	return labels_find(&profile->labels, &profile->strings, key, label, err);
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
	if (subject == PATTERN_STATUS && !is_plain)
		pattern = search_slices_status(text + skip, len - skip, err);
	else
		pattern = pattern_new(text + skip, len - skip, is_plain, err);
	if (!pattern)
		return false;
	init(search, profile);
	search->pattern = pattern;
	search->subject = subject;
	search->wants_hits = pattern_is_of_files(subject);
	if (pattern_is_of_events(subject) && !search->wants_hits)
		search_slices_requests(search);
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
	const struct match_set others = { .cats = found->cats, .labels = found->labels };
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
		struct search_lane *l = &search->lanes[i];

		blocks_free(blocks_work_end(l->blocks));
		l->own.times = (struct times){ 0 };
		samples_done(&l->own);
		search_slices_done(l);
		free(l->near);
		free(l->deep);
		free(l->n);
	}
	free(search->lanes);
	free(search->matches);
	free(search->known);
	free(search->cats);
	free(search->labels);
	free(search->is_name);
	free(search->hits.at);
	free(search->hits.why);
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
	const str_id texts[] = { f->name, f->url, f->package, f->event };
	enum pattern_result result = PATTERN_NO;

	switch (search->subject) {
	case PATTERN_FILE:
	case PATTERN_URL:
		return match_text(search, f->url, budget);
	case PATTERN_PACKAGE:
		return match_text(search, f->package, budget);
	case PATTERN_CAT:
		return search->cats[f->cat] ? PATTERN_YES : PATTERN_NO;
	case PATTERN_ARG: /* find_matches() */
	case PATTERN_ID:
	case PATTERN_STATUS:
	case PATTERN_TRACE:
		return PATTERN_NO;
	case PATTERN_LABEL: /* match_samples() */
	case PATTERN_ANY:
		break;
	}
	for (size_t i = 0; i < ARRAY_LEN(texts) && result == PATTERN_NO; i++)
		result = match_text(search, texts[i], budget);
	return result;
}

/* Compare the functions. If the pattern gives up too often, the matches so far count. */
static bool match_functions(struct search *search, struct budget *budget)
{
	uint32_t n = search->profile->frames.n;

	if (search->subject == PATTERN_CAT && !search->cats)
		search->cats = match_set_cats(search->profile, search->pattern);
	while (search->next < n && pattern_failures(search->pattern) <= MAX_FAILURES) {
		const struct frame *f = profile_frame(search->profile, search->next);
		enum pattern_result is = match_function(search, f, budget);

		if (is == PATTERN_BUSY)
			return false;
		search->matches[search->next++] = is == PATTERN_YES;
		search->n_functions += is == PATTERN_YES;
		if (search->next < n && budget_use(budget, FUNCTION_WORK))
			return false;
	}
	return true;
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

bool search_match(struct search *search, struct budget *budget)
{
	if (search->is_complete)
		return true;
	if (search->wants_hits)
		return false;
	if (search->labels ? !match_samples(search, budget)
			   : !match_functions(search, budget) ||
			    (search->cats && !match_slices(search, budget)))
		return false;
	/* Slices tell which other functions match. */
	while (pattern_is_of_events(search->subject) && search->next_lane < search->n_lanes)
		if (!search_prepare(search, search->next_lane++, budget))
			return false;
	search->is_complete = true;
	search->is_costly = pattern_failures(search->pattern) > 0;
	free(search->known);
	search->known = NULL;
	return true;
}

/* ---- spans ---- */

static bool has_node(const struct search *search, const struct search_lane *l, node_id node)
{
	const struct match_set set = { .frames = search->matches, .cats = search->cats };

	if (!pattern_is_of_events(search->subject))
		return match_set_has(&set, search->profile, l->lane, node);
	return l->is_hit ? l->is_hit[node] : search->matches[l->lane->tree.frame[node]] == 1;
}

/* Find the matches of a lane. Most lanes have none, and need no arrays. */
static void find_matches(struct search *search, struct search_lane *l)
{
	const struct calltree *tree = &l->lane->tree;
	node_id first = 1;

	while (first < tree->n && !has_node(search, l, first))
		first++;
	if (first >= tree->n)
		return;
	if (!reserve_has_room(tree->n * (size_t)SEARCH_NODE_BYTES)) {
		search->is_lacking = true;
		return;
	}
	search_slices_arrays(l);
	for (node_id i = first; i < tree->n; i++) {
		node_id above = tree->parent[i];
		bool is = has_node(search, l, i);

		l->near[i] = is ? i : l->near[above];
		l->deep[i] = is ? tree->rows[i] : l->deep[above];
		l->n[i] = (uint16_t)(l->n[above] + is);
		if (l->is_hit && is && !search->matches[tree->frame[i]]) {
			search->matches[tree->frame[i]] = 2;
			search->n_functions++;
		}
	}
}

bool search_prepare(struct search *search, uint32_t lane, struct budget *budget)
{
	struct search_lane *l = &search->lanes[lane];

	if (!l->lane) {
		l->lane = &search->profile->lanes[lane];
		l->samples = &l->lane->samples;
		l->is_made = l->lane->tree.n < 2;
	}
	if (l->is_made)
		return true;
	if (search->labels)
		return search_samples_prepare(search, l, budget);
	search->is_blind |= pattern_is_of_events(search->subject) && !l->lane->slices.n &&
		l->lane->kind != LANE_SAMPLES;
	if (search->hits.n && l->lane->slices.n && !search_slices_prepare(search, l, budget))
		return false;
	find_matches(search, l);
	l->is_made = true;
	/* Small lanes together are a step, too. */
	return !budget_use(budget, l->lane->tree.n);
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
	if (!span_of_sample(l->samples, &l->lane->tree, i, l->lane->tree.rows[node] - 1, out))
		return false;
	out->node = l->nodes ? l->nodes[out->node] : out->node;
	return (l->lane->kind != LANE_SAMPLES || out->t1 > out->t0);
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
		 bool is_back, struct search_at *out)
{
	uint32_t n = search->profile->n_lanes;
	struct search_at found;
	bool has_found = false;

	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = is_back ? n - 1 - k : k;
		const struct search_lane *l = walked_lane(search, is_shown, i);
		unsigned depth = is_back ? UINT16_MAX : 0;
		const struct samples *s;
		struct span span;
		size_t from;

		if (!l)
			continue;
		s = &l->lane->samples;
		from = is_back ? s->n : 0;
		if (at && i == at->lane) {
			from = at->span.first + is_back;
			depth = (unsigned)at->span.depth + !is_back;
		} else if (at) {
			/* Behind the samples that begin at t or earlier. */
			int64_t t = at->span.t0 - (i > at->lane);

			from = t < samples_time(s, 0) ? 0 : samples_find(s, t) + 1;
		}
		if (is_back ? from > 0 &&
				    find_before(l, from - 1, depth,
						has_found ? found.span.t0 + 1 : INT64_MIN, &span)
			    : find_next(l, from, depth, has_found ? found.span.t0 : INT64_MAX,
					&span)) {
			found = (struct search_at){ i, span };
			has_found = true;
		}
	}
	if (has_found)
		*out = found;
	return has_found;
}

/* ==== frame set ====
 *
 * All at once, of any frames whose texts are those of the profile. */

static struct pattern *compile(const char *pattern, struct error *err)
{
	struct error why = ERROR_INIT;
	struct pattern *made;
	size_t skip;

	if (pattern_is_of_events(pattern_subject(pattern, strlen(pattern), &skip))) {
		error_set(err, ERR_FORMAT, -1, "'%.200s' is about events; / and & take it",
			  pattern);
		return NULL;
	}
	made = pattern_new(pattern + skip, strlen(pattern + skip), false, &why);
	if (!made)
		error_set(err, ERR_FORMAT, -1, "'%.200s' is no pattern: %s", pattern, why.text);
	return made;
}

/* Begin; set_end() ends it. has_labels: the pattern may be one for labels. */
static bool set_begin(struct search *set, const struct profile *profile, const char *pattern,
		      bool has_labels, struct error *err)
{
	size_t skip;

	*set = (struct search){ .profile = profile,
				.subject = pattern_subject(pattern, strlen(pattern), &skip) };
	if (set->subject == PATTERN_LABEL && !has_labels) {
		error_set(err, ERR_FORMAT, -1,
			  "'%.200s' is about samples, not functions; --only and --drop take it",
			  pattern);
		return false;
	}
	set->pattern = compile(pattern, err);
	if (!set->pattern)
		return false;
	set->known = xcalloc(profile->strings.n + 1, 1);
	return true;
}

/* Return the set, or NULL with an error if matching was given up. */
static uint8_t *set_end(struct search *set, const char *pattern, uint8_t *is, struct error *err)
{
	if (pattern_failures(set->pattern)) {
		error_set(err, ERR_LIMIT, -1, "the pattern '%.200s' takes too long", pattern);
		free(is);
		is = NULL;
	}
	search_done(set);
	return is;
}

static bool has_match(struct search *set, str_id text)
{
	return match_text(set, text, BUDGET_UNLIMITED) == PATTERN_YES;
}

static uint8_t *find_frames(struct search *set, const struct frame *frames, uint32_t n)
{
	uint8_t *is = xcalloc(n, 1);
	uint32_t next = 0;

	if (set->subject == PATTERN_LABEL)
		return is;
	if (set->subject == PATTERN_CAT) {
		set->cats = match_set_cats(set->profile, set->pattern);
		set->is_name = xcalloc(set->profile->strings.n + 1, 1);
		match_set_names(set->profile, set->cats, &next, set->is_name, BUDGET_UNLIMITED);
	}
	for (frame_id f = 1; f < n && !pattern_failures(set->pattern); f++)
		is[f] = match_function(set, &frames[f], BUDGET_UNLIMITED) == PATTERN_YES ||
			(set->is_name && frame_is_slice(&frames[f]) &&
			 set->is_name[frames[f].name]);
	return is;
}

/* Find the sets of labels in which the key has a value that matches. */
static bool find_labels(struct search *set, const char *pattern, uint8_t **out, struct error *err)
{
	const struct labels *labels = &set->profile->labels;
	size_t skip, n = labels_count(labels);
	uint32_t key;

	pattern_subject(pattern, strlen(pattern), &skip);
	if (!find_label(set->profile, pattern, skip, &key, err))
		return false;
	*out = xcalloc(n, 1);
	for (size_t i = 0; i < n && !pattern_failures(set->pattern); i++)
		(*out)[i] = has_match(set, labels_value(labels, (uint32_t)i, key));
	return true;
}

/* The set of the function with an id; NULL: err tells why there is none. */
static uint8_t *find_id(const struct profile *profile, const struct frame *frames, uint32_t n,
			const char *id, struct error *err)
{
	frame_id found = function_id_find(profile, id, err);
	const struct frame *f = found == FRAME_NONE ? NULL : profile_frame(profile, found);
	uint8_t *is = f ? xcalloc(n ? n : 1, 1) : NULL;

	for (uint32_t i = 1; f && i < n; i++)
		is[i] = frames[i].name == f->name && frames[i].url == f->url &&
			frames[i].script == f->script && frames[i].line == f->line &&
			frames[i].column == f->column && frames[i].category == f->category;
	return is;
}

uint8_t *frame_set_find(const struct profile *profile, const struct frame *frames, uint32_t n,
			const char *pattern, struct error *err)
{
	struct search set;

	if (function_id_is(pattern))
		return find_id(profile, frames, n, pattern, err);
	if (!set_begin(&set, profile, pattern, false, err))
		return NULL;
	return set_end(&set, pattern, find_frames(&set, frames, n), err);
}

bool frame_set_match(const struct profile *profile, const char *pattern, struct match_set *out,
		     struct error *err)
{
	bool is_known = true;
	struct search set;

	*out = (struct match_set){ 0 };
	if (function_id_is(pattern)) {
		out->frames = find_id(profile, profile->frames.frames, profile->frames.n, pattern,
				      err);
		return out->frames != NULL;
	}
	if (!set_begin(&set, profile, pattern, true, err))
		return false;
	out->frames = find_frames(&set, profile->frames.frames, profile->frames.n);
	out->cats = set.cats;
	set.cats = NULL;
	if (set.subject == PATTERN_LABEL)
		is_known = find_labels(&set, pattern, &out->labels, err);
	out->frames = set_end(&set, pattern, out->frames, err);
	is_known &= out->frames != NULL;
	if (!is_known)
		match_set_done(out);
	return is_known;
}

uint8_t *frame_set_lanes(const struct profile *profile, const char *pattern, struct error *err)
{
	ALLOC_LOCAL uint8_t *labels = NULL; /* by set: match_set.labels */
	struct search set;
	uint8_t *is;

	if (!set_begin(&set, profile, pattern, true, err))
		return NULL;
	if (set.subject == PATTERN_LABEL && !find_labels(&set, pattern, &labels, err)) {
		search_done(&set);
		return NULL;
	}
	is = xcalloc(profile->n_lanes, 1);
	for (uint32_t i = 0; i < profile->n_lanes && labels; i++)
		is[i] = labels[profile->inputs[profile->lanes[i].input].labels];
	for (uint32_t i = 0; i < profile->n_lanes && !labels; i++) {
		const struct lane *l = &profile->lanes[i];
		const str_id texts[] = {
			l->thread_name,  l->title, l->process_name,
			l->thread_title, l->page,  profile->inputs[l->input].path
		};

		for (size_t k = 0; k < ARRAY_LEN(texts) && !is[i]; k++)
			is[i] = has_match(&set, texts[k]);
	}
	return set_end(&set, pattern, is, err);
}

bool frame_set_check(const char *pattern, struct error *err)
{
	struct pattern *made = compile(pattern, err);

	pattern_free(made);
	return made != NULL;
}

/* ---- times ---- */

struct match_time {
	const struct search_lane *l;
	int64_t ns;
};

static void add_match(void *ctx, node_id leaf, int64_t ns)
{
	struct match_time *time = ctx;

	time->ns += time->l->near[leaf] != NODE_ROOT ? ns : 0;
}

BLOCKS_MANY(add_matches, add_match)

int64_t search_lane_ns(const struct search_lane *l, int64_t t0, int64_t t1)
{
	const struct samples *s = l->samples;
	struct match_time time = { l, 0 };
	const struct blocks_visitor visitor = { &time, add_matches, add_match, NULL };

	if (l->near && s->n && samples_time(s, s->n) > t0 && samples_time(s, 0) < t1)
		blocks_each(s, t0, t1, &visitor);
	return time.ns;
}
