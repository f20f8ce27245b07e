/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times of labels are added up by set first; there are few sets. */
#include "config.h"

#include "analyse/label_share.h"

#include "analyse/scope.h"
#include "analyse/view/view.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "model/profile.h"
#include "model/slices.h"

#include <stdlib.h>

/* ==== event cats ====
 *
 * Times are those of nodes. */

SORT_ORDER(by_cat_name, struct event_cat_share, SORT_BY_1(x->name, y->name))

SORT_ORDER(heaviest_cat_first, struct event_cat_share,
	   SORT_BY_2(y->self, x->self, x->name, y->name))

/* Join categories with the same first one. Returns the number of shares with time; 0 also if no
 * slice with time has a category. */
static size_t join_cats(struct event_cat_share *list, size_t n)
{
	size_t k = 0;

	qsort(list, n, sizeof *list, by_cat_name);
	for (size_t i = 0; i < n; i++) {
		if (!list[i].self)
			continue;
		if (k && list[k - 1].name == list[i].name)
			list[k - 1].self += list[i].self;
		else
			list[k++] = list[i];
	}
	qsort(list, k, sizeof *list, heaviest_cat_first);
	return k == 1 && !list[0].name ? 0 : k;
}

size_t event_cats_shares(const struct profile *profile, const struct lane *const *lanes,
			 uint32_t n_lanes, int64_t t0, int64_t t1, struct event_cat_share **out)
{
	size_t n = profile->n_event_cats;

	*out = NULL;
	if (!n)
		return 0;
	*out = xcalloc(n, sizeof **out);
	for (size_t i = 0; i < n; i++)
		(*out)[i].name = profile->event_cats[i].first;
	for (uint32_t i = 0; i < n_lanes; i++) {
		ALLOC_LOCAL int64_t *self = NULL;

		if (lanes[i]->kind != LANE_SLICES)
			continue;
		self = lane_self_times(lanes[i], t0, t1, NULL);
		for (node_id k = 1; k < lanes[i]->tree.n; k++)
			(*out)[profile_node_cat(profile, lanes[i], k)].self += self[k];
	}
	return join_cats(*out, n);
}

/* ==== label parts ====
 *
 * The self times of a lane by node and labels, as pprof has them. */

SORT_ORDER(by_node, struct label_parts_row, SORT_BY_2(x->node, y->node, x->set, y->set))

static size_t join(struct label_parts_row *rows, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(rows, n, sizeof *rows, by_node);
	for (size_t i = 0; i < n; i++)
		if (kept && by_node(&rows[kept - 1], &rows[i]) == 0) {
			rows[kept - 1].ns += rows[i].ns;
			rows[kept - 1].n += rows[i].n;
		} else {
			rows[kept++] = rows[i];
		}
	return kept;
}

size_t label_parts(const struct view *view, const struct scope *scope,
		   struct label_parts_row **rows)
{
	const struct view_source *source = &view->sources[0];
	const struct lane *lane = source->lane;
	const struct samples *s = &lane->samples;
	/* Samples of no length at the end, as in leaf_counts(). */
	int64_t t1 = s->n && scope->t1 >= samples_time(s, s->n) ? INT64_MAX : scope->t1;
	size_t n = 0;

	*rows = NULL;
	if (!lane->labels)
		return 0;
	*rows = xcalloc(s->n + 1, sizeof **rows);
	for (size_t i = 0; i < s->n && samples_time(s, i) < t1; i++) {
		int64_t from = samples_time(s, i), to = samples_time(s, i + 1);
		node_id node = source->map ? source->map[s->leaf[i]] : s->leaf[i];
		bool is_in = from >= scope->t0 || to > scope->t0;

		if (!is_in || node == NODE_ROOT || node == VIEW_DROPPED)
			continue;
		from = from > scope->t0 ? from : scope->t0;
		to = to < scope->t1 ? to : scope->t1;
		(*rows)[n++] = (struct label_parts_row){ node, lane->labels[i],
							 to > from ? to - from : 0,
							 lane->has_timeline };
	}
	return join(*rows, n);
}

/* ==== label share ==== */

#define FEW_SAMPLES ((size_t)65536) /* these are sorted; of more, each set has its sum */

/* Time by set, or by value; `value` is then the number of the set. */
struct sums {
	struct label_part *list;
	size_t n;
};

SORT_ORDER(by_value, struct label_part, SORT_BY_1(x->value, y->value))

SORT_ORDER(by_time, struct label_part, SORT_BY_2(y->ns, x->ns, x->value, y->value))

/* Sort the parts, and add up those with one value. */
static void join_share(struct sums *sums)
{
	struct label_part *list = sums->list;
	size_t kept = 0;

	if (sums->n)
		qsort(list, sums->n, sizeof *list, by_value);
	for (size_t i = 0; i < sums->n; i++)
		if (kept && list[kept - 1].value == list[i].value) {
			list[kept - 1].ns += list[i].ns;
			list[kept - 1].n += list[i].n;
		} else {
			list[kept++] = list[i];
		}
	sums->n = kept;
}

static void add(struct label_part *to, int64_t ns, bool is_sample)
{
	to->ns += ns;
	to->n += is_sample && ns > 0;
}

/* Leave out sets without samples. They have a sum each until then. */
static void drop_unused(struct sums *sums, const uint8_t *is_used)
{
	size_t kept = 0;

	for (size_t i = 0; i < sums->n; i++) {
		if (!is_used[i])
			continue;
		sums->list[kept] = sums->list[i];
		sums->list[kept++].value = (str_id)i;
	}
	sums->n = kept;
}

/* False: no set has the key. */
static bool find_share(const struct profile *p, uint32_t key, const struct sums *sets,
		       struct label_share *share)
{
	struct sums values = { xcalloc(sets->n, sizeof *values.list), sets->n };
	bool has_any = false;

	*share = (struct label_share){ .key = key };
	for (size_t i = 0; i < sets->n; i++) {
		values.list[i] = sets->list[i];
		values.list[i].value = labels_value(&p->labels, sets->list[i].value, key);
		has_any |= values.list[i].value != 0;
		share->all_ns += sets->list[i].ns;
	}
	if (has_any) {
		join_share(&values);
		qsort(values.list, values.n, sizeof *values.list, by_time);
		share->parts = values.list;
		share->n = values.n;
	} else {
		free(values.list);
	}
	return has_any;
}

/* Takes the sets. */
static size_t find_shares(const struct profile *p, struct sums *sets, struct label_share **shares)
{
	size_t n = 0;

	*shares = xcalloc((size_t)p->labels.n_keys + 1, sizeof **shares);
	for (uint32_t key = 0; key < p->labels.n_keys; key++)
		n += find_share(p, key, sets, &(*shares)[n]);
	free(sets->list);
	return n;
}

size_t label_share_find(const struct profile *p, const struct lane *lane, size_t first, size_t end,
			struct label_share **shares)
{
	const struct samples *s = &lane->samples;
	bool is_few = end - first <= FEW_SAMPLES;
	struct sums sets = { .n = is_few ? end - first : labels_count(&p->labels) };
	ALLOC_LOCAL uint8_t *is_used = NULL;

	*shares = NULL;
	if (!lane->labels || end == first)
		return 0;
	sets.list = xcalloc(sets.n, sizeof *sets.list);
	is_used = xcalloc(sets.n, 1);
	for (size_t i = first; i < end; i++) {
		struct label_part *to = &sets.list[is_few ? i - first : lane->labels[i]];

		to->value = lane->labels[i];
		is_used[to - sets.list] = 1;
		add(to, samples_time(s, i + 1) - samples_time(s, i), lane->has_timeline);
	}
	if (is_few)
		join_share(&sets);
	else
		drop_unused(&sets, is_used);
	return find_shares(p, &sets, shares);
}

/* Add the samples of a lane in [t0, t1), by set. */
static void add_lane(const struct profile *p, const struct lane *lane, int64_t t0, int64_t t1,
		     bool has_idle, struct sums *sets, uint8_t *is_used)
{
	const struct samples *s = &lane->samples;

	for (size_t i = s->n ? samples_find(s, t0) : 0; i < s->n && samples_time(s, i) < t1; i++) {
		int64_t from = samples_time(s, i), to = samples_time(s, i + 1);
		uint32_t set = lane->labels ? lane->labels[i] : 0;

		from = from > t0 ? from : t0;
		to = to < t1 ? to : t1;
		if (s->leaf[i] == NODE_ROOT || to <= from ||
		    (!has_idle &&
		     profile_node_frame(p, lane, s->leaf[i])->category == CATEGORY_IDLE))
			continue;
		add(&sets->list[set], to - from, lane->has_timeline);
		is_used[set] = 1;
	}
}

size_t label_share_of(const struct profile *p, const struct lane *const *lanes, uint32_t n,
		      int64_t t0, int64_t t1, bool has_idle, struct label_share **shares)
{
	struct sums sets = { .n = labels_count(&p->labels) };
	ALLOC_LOCAL uint8_t *is_used = xcalloc(sets.n, 1);

	sets.list = xcalloc(sets.n, sizeof *sets.list);
	for (uint32_t i = 0; i < n; i++)
		if (lanes[i]->kind == LANE_SAMPLES)
			add_lane(p, lanes[i], t0, t1, has_idle, &sets, is_used);
	drop_unused(&sets, is_used);
	return find_shares(p, &sets, shares);
}

/* ==== origins ====
 *
 * The time of a node goes to the innermost frame with a url on its stack, and from there to its url
 * or origin. */

static void add_urls(const struct profile *p, const struct lane *lane, int64_t t0, int64_t t1,
		     int64_t *by_frame)
{
	ALLOC_LOCAL int64_t *self = lane_self_times(lane, t0, t1, NULL);
	ALLOC_LOCAL frame_id *of = xcalloc((size_t)lane->tree.n + 1, sizeof *of);

	for (node_id i = 1; i < lane->tree.n; i++) {
		frame_id f = lane->tree.frame[i];

		of[i] = p->frames.frames[f].url ? f : of[lane->tree.parent[i]];
		by_frame[of[i]] += self[i];
	}
}

static bool has_samples(const struct profile *p, const struct lane *of)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].kind == LANE_SAMPLES && lane_is_of_thread(&p->lanes[i], of))
			return true;
	return false;
}

/* Whether a lane is of one of these threads, and has what counts there. */
static bool counts(const struct profile *p, const struct lane *lane,
		   const struct lane *const *lanes, uint32_t n)
{
	uint32_t i = 0;

	while (i < n &&
	       (!lane_is_of_thread(lanes[i], lane) ||
		(lanes[i]->kind != LANE_SLICES && lanes[i]->kind != LANE_SAMPLES)))
		i++;
	return i < n &&
		(lane->kind == LANE_SLICES ? !has_samples(p, lane)
					   : lane->kind == LANE_SAMPLES && lane_has_times(lane));
}

SORT_ORDER(heaviest_origin, struct origin_share,
	   SORT_BY_3(y->self, x->self, x->url, y->url, x->origin, y->origin))

bool origins_are_several(const struct profile *p)
{
	str_id first = 0;

	for (frame_id f = 1; f < p->frames.n && p->has_origins; f++) {
		str_id origin = p->frames.frames[f].origin;

		if (origin && first && origin != first)
			return true;
		first = origin ? origin : first;
	}
	return false;
}

size_t origins_find(const struct profile *p, const struct lane *const *lanes, uint32_t n_lanes,
		    int64_t t0, int64_t t1, bool is_by_url, struct origin_share **out)
{
	ALLOC_LOCAL int64_t *by_frame = xcalloc((size_t)p->frames.n + 1, sizeof *by_frame);
	uint32_t *at = xcalloc(p->strings.n + 1, sizeof *at); /* by url or origin: in list, + 1 */
	struct origin_share *list = NULL;
	size_t n = 0, cap = 0;

	for (uint32_t i = 0; i < p->n_lanes && p->has_origins; i++)
		if (counts(p, &p->lanes[i], lanes, n_lanes))
			add_urls(p, &p->lanes[i], t0, t1, by_frame);
	for (frame_id f = 1; f < p->frames.n; f++) {
		str_id origin = p->frames.frames[f].origin;
		uint32_t *of = &at[is_by_url ? p->frames.frames[f].url : origin];

		if (!by_frame[f] || !origin)
			continue;
		if (!*of) {
			*ARRAY_ADD(list, n, cap) = (struct origin_share){
				.url = is_by_url ? p->frames.frames[f].url : 0,
				.origin = origin,
				.party = p->frames.frames[f].party,
			};
			*of = (uint32_t)n;
		}
		list[*of - 1].self += by_frame[f];
	}
	if (n)
		qsort(list, n, sizeof *list, heaviest_origin);
	free(at);
	*out = list;
	return n;
}
