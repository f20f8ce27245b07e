/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of a lane has the samples of one value, or of several, and between them samples without a
 * stack, one for each stretch of samples of other parts. Times by part add up to those of the
 * lane. */
#include "config.h"

#include "model/build/label_lanes.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/units.h"
#include "model/build/part_lanes.h"

#include <stdlib.h>
#include <string.h>

/* A value on a lane; 0: none. */
struct part {
	str_id value;
	int64_t ns;
};

struct splitting {
	struct profile *p;
	uint32_t key;
	str_id *value_of;   /* by set of labels */
	uint32_t *part_of;  /* by value: index of its part, from 1; 0: it has none yet */
	struct part *parts; /* of the current lane */
	size_t n_parts, cap_parts;
	size_t most; /* parts of a lane with a lane of their own */
	struct lane *lanes;
	size_t n_lanes, cap_lanes;
	uint32_t *first, *end;
};

/* The samples of a part while they are collected. */
struct picked {
	int64_t *t; /* n + 1 */
	node_id *leaf;
	uint32_t *labels, *counts;
	size_t n;
	uint64_t n_samples;
};

/* ---- values ---- */

static str_id value_at(const struct splitting *s, const struct lane *lane, size_t i)
{
	return s->value_of[lane->labels[i]];
}

/* Whether a sample with a stack has the label. */
static bool has_label(const struct splitting *s, const struct lane *lane)
{
	bool has = false;

	if (lane->kind != LANE_SAMPLES || !lane->labels)
		return false;
	for (size_t i = 0; i < lane->samples.n && !has; i++)
		has = lane->samples.leaf[i] != NODE_ROOT && value_at(s, lane, i);
	return has;
}

static void add_part(struct splitting *s, str_id value, int64_t ns)
{
	if (!s->part_of[value]) {
		s->parts = xgrow(s->parts, &s->cap_parts, s->n_parts + 1, sizeof *s->parts);
		s->parts[s->n_parts++] = (struct part){ value, 0 };
		s->part_of[value] = (uint32_t)s->n_parts;
	}
	s->parts[s->part_of[value] - 1].ns += ns;
}

/* Most time first, none last; equal ones in the order of the file. */
static int by_time(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (!x->value != !y->value)
		return x->value ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

/* Find the parts of a lane, in the order of their lanes. Returns the number of values. */
static size_t find_parts(struct splitting *s, const struct lane *lane)
{
	const struct samples *samples = &lane->samples;
	size_t n;

	s->n_parts = 0;
	for (size_t i = 0; i < samples->n; i++)
		if (samples->leaf[i] != NODE_ROOT)
			add_part(s, value_at(s, lane, i),
				 samples_time(samples, i + 1) - samples_time(samples, i));
	qsort(s->parts, s->n_parts, sizeof *s->parts, by_time);
	n = s->n_parts - (s->n_parts && !s->parts[s->n_parts - 1].value);
	for (size_t i = 0; i < s->n_parts; i++)
		s->part_of[s->parts[i].value] = (uint32_t)i + 1;
	return n;
}

static void forget_parts(struct splitting *s)
{
	for (size_t i = 0; i < s->n_parts; i++)
		s->part_of[s->parts[i].value] = 0;
}

/* ---- samples of a part ---- */

/* Pick the samples of parts [first, end). Those of sums follow each other. */
static void pick(const struct splitting *s, const struct lane *lane, size_t first, size_t end,
		 struct picked *to)
{
	const struct samples *from = &lane->samples;
	int64_t sum = samples_time(from, 0), t_end = sum;

	*to = (struct picked){ .t = xcalloc(from->n + 1, sizeof *to->t),
			       .leaf = xcalloc(from->n, sizeof *to->leaf),
			       .labels = xcalloc(from->n, sizeof *to->labels),
			       .counts = lane->counts ? xcalloc(from->n, sizeof *to->counts)
						      : NULL };
	for (size_t i = 0; i < from->n; i++) {
		size_t part = s->part_of[value_at(s, lane, i)];
		int64_t t = samples_time(from, i), ns = samples_time(from, i + 1) - t;
		bool is = from->leaf[i] != NODE_ROOT && part > first && part <= end;

		if (!is && (to->n == 0 || !lane->has_timeline || !to->leaf[to->n - 1]))
			continue;
		to->t[to->n] = lane->has_timeline ? t : sum;
		to->leaf[to->n] = is ? from->leaf[i] : NODE_ROOT;
		if (to->counts)
			to->counts[to->n] = is ? lane->counts[i] : 0;
		to->labels[to->n++] = is ? lane->labels[i] : 0;
		if (!is)
			continue;
		to->n_samples++;
		sum += ns;
		t_end = lane->has_timeline ? t + ns : sum;
	}
	/* Behind the last one, nothing is sampled. */
	if (to->n && !to->leaf[to->n - 1])
		to->n--;
	to->t[to->n] = t_end;
	/* Most parts have few of the samples. */
	to->leaf = xrealloc(to->leaf, to->n + 1, sizeof *to->leaf);
	to->labels = xrealloc(to->labels, to->n + 1, sizeof *to->labels);
	if (to->counts)
		to->counts = xrealloc(to->counts, to->n + 1, sizeof *to->counts);
}

/* The tree of the nodes that the samples need; leaves, and what nodes have, move to it. */
static void make_tree(const struct lane *from, struct picked *picked, struct lane *lane)
{
	uint32_t n = from->tree.n, n_kept = 0;
	node_id *place = xcalloc(n, sizeof *place), *parent, *order;
	uint8_t *is_kept = xcalloc(n, 1);
	frame_id *frame;

	for (size_t i = 0; i < picked->n; i++)
		is_kept[picked->leaf[i]] = 1;
	for (node_id i = n; i-- > 1;)
		is_kept[from->tree.parent[i]] |= is_kept[i];
	is_kept[NODE_ROOT] = 1;
	for (node_id i = 0; i < n; i++)
		if (is_kept[i])
			place[i] = n_kept++;
	parent = xcalloc(n_kept, sizeof *parent);
	order = xcalloc(n_kept, sizeof *order);
	frame = xcalloc(n_kept, sizeof *frame);
	for (node_id i = 0; i < n; i++) {
		if (!is_kept[i])
			continue;
		parent[place[i]] = place[from->tree.parent[i]];
		frame[place[i]] = from->tree.frame[i];
	}
	calltree_build(&lane->tree, n_kept, parent, frame, order);
	lane->deopt = from->deopt ? xcalloc(lane->tree.n, sizeof *lane->deopt) : NULL;
	lane->cats = from->cats ? xcalloc(lane->tree.n, sizeof *lane->cats) : NULL;
	for (node_id i = 0; i < n; i++) {
		if (is_kept[i] && from->deopt)
			lane->deopt[order[place[i]]] = from->deopt[i];
		if (is_kept[i] && from->cats)
			lane->cats[order[place[i]]] = from->cats[i];
	}
	for (size_t i = 0; i < picked->n; i++)
		picked->leaf[i] = order[place[picked->leaf[i]]];
	free(place);
	free(is_kept);
	free(parent);
	free(order);
	free(frame);
}

static void set_title(struct splitting *s, const struct lane *from, str_id name, struct lane *lane)
{
	struct intern *strings = &s->p->strings;
	struct buf text = { 0 };

	lane->title = name;
	if (!from->title)
		return;
	buf_add(&text, intern_text(strings, name), intern_len(strings, name));
	buf_addf(&text, " \302\267 %s", intern_text(strings, from->title));
	lane->title = intern_add(strings, text.data, text.len);
	buf_done(&text);
}

static struct lane *next_lane(struct splitting *s)
{
	s->lanes = xgrow(s->lanes, &s->cap_lanes, s->n_lanes + 1, sizeof *s->lanes);
	return &s->lanes[s->n_lanes++];
}

static void add_lane(struct splitting *s, const struct lane *from, size_t first, size_t end,
		     str_id name)
{
	struct lane *lane = next_lane(s);
	struct picked picked;

	pick(s, from, first, end, &picked);
	*lane = *from;
	lane->is_part = true;
	lane->breaks = NULL;
	lane->n_breaks = 0;
	lane->hits = NULL;
	lane->ticks = NULL;
	lane->n_ticks = 0;
	lane->recorded = NULL;
	lane->n_spans = 0;
	lane->max_depth = 0;
	lane->busy_ns = lane->idle_ns = lane->program_ns = lane->gc_ns = 0;
	lane->tree = (struct calltree){ 0 };
	make_tree(from, &picked, lane);
	lane->n_file_nodes = lane->tree.n - 1;
	lane->n_samples = from->n_samples ? picked.n_samples : 0;
	lane->samples = (struct samples){ .n = picked.n, .leaf = picked.leaf };
	lane->labels = picked.labels;
	lane->counts = picked.counts;
	lane->sampled_t0 = picked.t[0];
	lane->sampled_t1 = picked.t[picked.n];
	if (!from->has_timeline)
		lane->t1 = lane->t0 + (lane->sampled_t1 - lane->sampled_t0);
	times_pack(&lane->samples.times, picked.t, picked.n + 1, 0);
	set_title(s, from, name, lane);
	lane_link(lane, s->p->frames.frames);
}

/* ---- lanes ---- */

static str_id name_of_rest(struct splitting *s, size_t n)
{
	struct buf text = { 0 };
	char count[UNITS_MAX];
	str_id id;

	units_count(n, count);
	buf_addf(&text, "(%s other values of %s)", count,
		 profile_text(s->p, s->p->labels.keys[s->key].name));
	id = intern_add(&s->p->strings, text.data, text.len);
	buf_done(&text);
	return id;
}

static void split_lane(struct splitting *s, uint32_t i)
{
	const struct lane *lane = &s->p->lanes[i];
	struct label_lanes_of *of = &s->p->label_lanes;
	size_t n = find_parts(s, lane), n_own = n <= s->most ? n : s->most;

	s->first[i] = (uint32_t)s->n_lanes;
	for (size_t k = 0; k < n_own; k++)
		add_lane(s, lane, k, k + 1, s->parts[k].value);
	if (n_own < n)
		add_lane(s, lane, n_own, n, name_of_rest(s, n - n_own));
	if (n < s->n_parts)
		add_lane(s, lane, n, n + 1, s->p->labels.keys[s->key].none);
	s->end[i] = (uint32_t)s->n_lanes;
	if (n > of->n_all) {
		of->n_own = n_own;
		of->n_all = n;
	}
	forget_parts(s);
}

static void find_values(struct splitting *s)
{
	size_t n = labels_count(&s->p->labels);

	s->value_of = xcalloc(n, sizeof *s->value_of);
	for (size_t i = 0; i < n; i++)
		s->value_of[i] = labels_value(&s->p->labels, (uint32_t)i, s->key);
}

/* How many lanes are split. */
static size_t count_lanes(const struct splitting *s)
{
	size_t n = 0;

	for (uint32_t i = 0; i < s->p->n_lanes; i++)
		n += has_label(s, &s->p->lanes[i]);
	return n;
}

bool label_lanes_find(const struct profile *p, const char *key, uint32_t *index, struct error *err)
{
	return labels_find(&p->labels, &p->strings, key, index, err);
}

void label_lanes_make(struct profile *p, uint32_t key)
{
	struct splitting s = { .p = p,
			       .key = key,
			       .part_of = xcalloc(p->strings.n + 1, sizeof *s.part_of),
			       .first = xcalloc((size_t)p->n_lanes + 1, sizeof *s.first),
			       .end = xcalloc((size_t)p->n_lanes + 1, sizeof *s.end) };
	size_t n;

	find_values(&s);
	n = count_lanes(&s);
	s.most = n > LABEL_LANES_ALL / LABEL_LANES_MOST ? LABEL_LANES_ALL / n + 1
							: LABEL_LANES_MOST;
	p->label_lanes = (struct label_lanes_of){ .key = key + 1 };
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		if (has_label(&s, &p->lanes[i])) {
			split_lane(&s, i);
			continue;
		}
		s.first[i] = s.end[i] = (uint32_t)s.n_lanes;
		*next_lane(&s) = p->lanes[i];
	}
	part_lanes_take(p, s.lanes, s.n_lanes, s.first, s.end);
	free(s.value_of);
	free(s.part_of);
	free(s.parts);
	free(s.first);
	free(s.end);
}
