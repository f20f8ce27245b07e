/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions share names, files and packages, so each text is matched once and the result is kept by
 * its id. The matches of a lane are spread over its tree once. From then on, a sample's leaf tells
 * whether the sample opens a matched span: its nearest match must be deeper than the rows that it
 * shares with the sample before. */
#include "config.h"

#include "analyse/search.h"

#include "analyse/search_samples.h"
#include "base/alloc.h"
#include "base/reserve.h"

#include <stdlib.h>
#include <string.h>

#define MOST_FAILURES 100 /* texts on which a pattern may give up before the search gives up */
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

	while (search->next_set < n && pattern_failures(search->pattern) <= MOST_FAILURES) {
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

void search_give_up(struct search *search)
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
		if (pattern_failures(search->pattern) > MOST_FAILURES)
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

static void make_nodes(const struct search *search, struct search_lane *l, node_id end)
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
			make_nodes(search, l, end);
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
