/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The members of the profile may come in any order: they are found first, then read.
 *
 * Call frames are copied to other profiles, so each is parsed: cursors look only at the brackets of
 * what they pass. Deltas may be negative: V8 queues samples of deoptimisations and those of its
 * timer separately. */
#include "config.h"

#include "record/remote/slice.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/json/cursor.h"
#include "base/json/json_tree.h"
#include "base/sort.h"

#include <stdlib.h>

#define TIME_MOST ((int64_t)1 << 61) /* the difference of two times fits into an int64_t */

/* ---- values ---- */

static bool whole(struct cursor *c, int64_t *value)
{
	enum number_kind kind;
	bool is_text;

	return cursor_number(c, 0, value, &kind, &is_text) && kind != NUMBER_NONE &&
		kind != NUMBER_HUGE;
}

static bool is_time(int64_t us)
{
	return us <= TIME_MOST && us >= -TIME_MOST;
}

/* Go to the first element of an array; false: it is empty, or no array. */
static bool enter(struct cursor *c)
{
	if (cursor_peek(c) != '[')
		return false;
	c->p++;
	return cursor_peek(c) != ']' && cursor_peek(c) != 0;
}

/* Pass the comma before the next element; false: there is none. */
static bool go_on(struct cursor *c)
{
	if (cursor_peek(c) != ',')
		return false;
	c->p++;
	return true;
}

/* Whether the array ends here. */
static bool is_end(struct cursor *c)
{
	return cursor_peek(c) == ']';
}

/* ---- nodes ---- */

static uint64_t hash_of(int64_t id)
{
	return hash_bytes(&id, sizeof id);
}

static uint32_t find_id(const struct slice *s, int64_t id)
{
	struct hash_probe probe = hash_probe(hash_of(id));

	while (hash_table_next(&s->ids, &probe))
		if (s->nodes[probe.index].id == id)
			return probe.index;
	return SLICE_NO_NODE;
}

static bool read_node(struct cursor *c, struct slice_node *node)
{
	bool is_first = true;
	struct str key;

	*node = (struct slice_node){ .parent = SLICE_NO_NODE };
	if (cursor_peek(c) != '{')
		return false;
	c->p++;
	while (cursor_key(c, &is_first, &key)) {
		struct str raw;

		if (str_is(key, "id")               ? !whole(c, &node->id)
			    : str_is(key, "parent") ? !whole(c, &node->parent_id)
						    : !cursor_raw(c, &raw))
			return false;
		if (str_is(key, "callFrame"))
			node->frame = raw;
		else if (str_is(key, "children"))
			node->children = raw;
		else if (str_is(key, "positionTicks"))
			node->ticks = raw;
		else if (str_is(key, "deoptReason"))
			node->reason = raw;
	}
	return !c->why && !c->is_cut && node->frame.len > 0;
}

static bool is_json(struct json_tree *tree, struct str raw, enum json_tree_type type)
{
	const struct json_value *value;
	const char *why;
	size_t bad_at;

	if (raw.len == 0)
		return true;
	value = json_tree_parse(tree, raw, &bad_at, &why);
	return value && value->type == type;
}

static bool add_node(struct slice *s, struct cursor *c, struct json_tree *tree)
{
	struct slice_node *node;

	s->nodes = xgrow(s->nodes, &s->cap_nodes, s->n_nodes + 1, sizeof *s->nodes);
	node = &s->nodes[s->n_nodes];
	if (s->n_nodes == INT32_MAX || !read_node(c, node) ||
	    !is_json(tree, node->frame, JSON_OBJECT) || !is_json(tree, node->reason, JSON_STRING) ||
	    find_id(s, node->id) != SLICE_NO_NODE)
		return false;
	hash_table_add(&s->ids, hash_of(node->id), (uint32_t)s->n_nodes++);
	return true;
}

static bool read_nodes(struct slice *s, struct str raw)
{
	struct cursor c = cursor_of(raw);
	struct json_tree tree = { 0 };
	bool is_good = enter(&c) && add_node(s, &c, &tree);

	while (is_good && go_on(&c))
		is_good = add_node(s, &c, &tree);
	json_tree_done(&tree);
	return is_good && is_end(&c);
}

/* A node that two others call their child keeps the first. */
static bool find_children(struct slice *s, uint32_t parent)
{
	struct cursor c = cursor_of(s->nodes[parent].children);
	int64_t id;

	if (enter(&c))
		do {
			uint32_t child;

			if (!whole(&c, &id) || (child = find_id(s, id)) == SLICE_NO_NODE)
				return false;
			if (s->nodes[child].parent == SLICE_NO_NODE)
				s->nodes[child].parent = parent;
		} while (go_on(&c));
	return s->nodes[parent].children.len == 0 || is_end(&c);
}

/* Find the parents, which come before their children: V8 guarantees that. */
static bool find_parents(struct slice *s)
{
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		if (s->nodes[i].parent_id != 0)
			s->nodes[i].parent = find_id(s, s->nodes[i].parent_id);
		if (!find_children(s, i))
			return false;
	}
	for (uint32_t i = 0; i < s->n_nodes; i++)
		if (s->nodes[i].parent != SLICE_NO_NODE && s->nodes[i].parent >= i)
			return false;
	return true;
}

/* ---- ticks ---- */

/* `{"line":12,"ticks":3}` */
static bool read_tick(struct cursor *c, int64_t *line, int64_t *n)
{
	bool is_first = true;
	struct str key, raw;

	*line = *n = 0;
	if (cursor_peek(c) != '{')
		return false;
	c->p++;
	while (cursor_key(c, &is_first, &key))
		if (str_is(key, "line")            ? !whole(c, line)
			    : str_is(key, "ticks") ? !whole(c, n)
						   : !cursor_raw(c, &raw))
			return false;
	return !c->why && !c->is_cut;
}

/* Ticks that cannot be read are left out: they are not what a profile is about. */
static void read_ticks(struct slice *s)
{
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		struct cursor c = cursor_of(s->nodes[i].ticks);
		int64_t line, n;

		if (!enter(&c))
			continue;
		do {
			if (!read_tick(&c, &line, &n))
				break;
			if (line <= 0 || line > INT32_MAX || n <= 0 || n > INT32_MAX)
				continue;
			s->ticks = xgrow(s->ticks, &s->cap_ticks, s->n_ticks + 1, sizeof *s->ticks);
			s->ticks[s->n_ticks++] = (struct slice_tick){ i, (uint32_t)line,
								      (uint32_t)n };
		} while (go_on(&c));
	}
}

/* ---- samples ---- */

static bool is_before(const void *a, const void *b, const void *ctx)
{
	const struct slice_sample *x = a, *y = b;

	(void)ctx;
	return x->time_us < y->time_us;
}

static bool add_sample(struct slice *s, int64_t id, int64_t us)
{
	uint32_t node = find_id(s, id);

	if (node == SLICE_NO_NODE || !is_time(us))
		return false;
	s->samples = xgrow(s->samples, &s->cap_samples, s->n_samples + 1, sizeof *s->samples);
	s->samples[s->n_samples++] = (struct slice_sample){ node, us };
	return true;
}

/* Each sample has a delta. */
static bool read_samples(struct slice *s, struct str ids, struct str deltas)
{
	struct cursor id_at = cursor_of(ids), delta_at = cursor_of(deltas);
	int64_t us = s->start_us, id, delta;
	bool has_id = enter(&id_at), has_delta = enter(&delta_at);

	while (has_id && has_delta) {
		if (!whole(&id_at, &id) || !whole(&delta_at, &delta) ||
		    __builtin_add_overflow(us, delta, &us) || !add_sample(s, id, us))
			return false;
		has_id = go_on(&id_at);
		has_delta = go_on(&delta_at);
	}
	if (has_id || has_delta || !is_end(&id_at) || !is_end(&delta_at))
		return false;
	if (s->n_samples > 0) {
		sort_stable(s->samples, s->n_samples, sizeof *s->samples, is_before, NULL);
		if (s->samples[0].time_us < s->start_us)
			s->start_us = s->samples[0].time_us;
	}
	return true;
}

/* ---- the whole ---- */

bool slice_read(struct slice *s, struct str profile)
{
	struct cursor c = cursor_of(profile);
	bool is_first = true, has_start = false;
	struct str key, nodes = { "", 0 }, samples = { "", 0 }, deltas = { "", 0 };

	if (cursor_peek(&c) != '{')
		return false;
	c.p++;
	while (cursor_key(&c, &is_first, &key)) {
		struct str raw;

		if (str_is(key, "startTime")) {
			if (!whole(&c, &s->start_us))
				return false;
			has_start = true;
			continue;
		}
		if (str_is(key, "endTime") ? !whole(&c, &s->end_us) : !cursor_raw(&c, &raw))
			return false;
		if (str_is(key, "nodes"))
			nodes = raw;
		else if (str_is(key, "samples"))
			samples = raw;
		else if (str_is(key, "timeDeltas"))
			deltas = raw;
	}
	if (c.why || c.is_cut || !has_start || nodes.len == 0 || samples.len == 0 ||
	    deltas.len == 0 || !is_time(s->start_us) || !is_time(s->end_us) ||
	    !read_nodes(s, nodes) || !find_parents(s) || !read_samples(s, samples, deltas))
		return false;
	read_ticks(s);
	return true;
}

void slice_done(struct slice *s)
{
	free(s->nodes);
	free(s->samples);
	free(s->ticks);
	hash_table_done(&s->ids);
}
