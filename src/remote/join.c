/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A slice is read into arrays (struct slice), then its nodes are found in, or added to, the joined
 * tree, from the root on. A call frame is the text that V8 wrote: within one process the same
 * function has the same text.
 *
 * Invariants:
 * 1. Node 0 of the joined tree is the root; a parent comes before its children.
 * 2. Times of the joined samples do not fall. */
#include "config.h"

#include "remote/join.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "base/intern.h"
#include "json/cursor.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NO_NODE UINT32_MAX

/* ---- the joined profile ---- */

struct node {
	uint32_t parent;
	str_id frame;  /* the call frame as JSON */
	str_id reason; /* deoptReason as JSON; 0: none */
	uint32_t hits;
};

struct tick {
	uint32_t node, line;
	uint64_t n;
};

struct join {
	struct intern texts;
	struct node *nodes;
	uint32_t n_nodes;
	size_t cap_nodes;
	struct hash_table index; /* of nodes, by parent and frame */
	struct tick *ticks;
	size_t n_ticks, cap_ticks;
	struct hash_table tick_index; /* of ticks, by node and line */
	uint32_t *samples;            /* nodes */
	int64_t *times;               /* us */
	size_t n_samples, cap_samples, cap_times;
	int64_t start_us, end_us;
};

/* ---- a slice ---- */

struct slice_node {
	int64_t id;
	struct str frame, children, ticks, reason;
	int64_t parent_id; /* where the file says so; 0: it does not */
	uint32_t parent;   /* index; NO_NODE: the root */
	uint32_t joined;
};

struct slice {
	struct slice_node *nodes;
	size_t n_nodes, cap_nodes;
	struct hash_table ids;
	struct str samples, deltas;
	int64_t start_us, end_us;
	bool has_start;
};

static void slice_done(struct slice *s)
{
	free(s->nodes);
	hash_table_done(&s->ids);
}

static uint64_t hash_of(uint64_t a, uint64_t b)
{
	const uint64_t both[2] = { a, b };

	return hash_bytes(both, sizeof both);
}

static uint32_t find_id(const struct slice *s, int64_t id)
{
	struct hash_probe probe = hash_probe(hash_of((uint64_t)id, 0));

	while (hash_table_next(&s->ids, &probe))
		if (s->nodes[probe.index].id == id)
			return probe.index;
	return NO_NODE;
}

static bool whole(struct cursor *c, int64_t *value)
{
	enum number_kind kind;
	bool is_text;

	return cursor_number(c, 0, value, &kind, &is_text);
}

static bool read_node(struct cursor *c, struct slice_node *node)
{
	bool is_first = true;
	struct str key;

	*node = (struct slice_node){ .parent = NO_NODE };
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

/* Go to the first element of an array; false: it is empty, or no array. */
static bool enter(struct cursor *c)
{
	if (cursor_peek(c) != '[')
		return false;
	c->p++;
	return cursor_peek(c) != ']' && cursor_peek(c) != 0;
}

/* Pass the comma before the next element; false: the array ends. */
static bool go_on(struct cursor *c)
{
	if (cursor_peek(c) != ',')
		return false;
	c->p++;
	return true;
}

static bool read_nodes(struct slice *s, struct str raw)
{
	struct cursor c = cursor_of(raw);

	if (!enter(&c))
		return false;
	do {
		s->nodes = xgrow(s->nodes, &s->cap_nodes, s->n_nodes + 1, sizeof *s->nodes);
		if (s->n_nodes == INT32_MAX || !read_node(&c, &s->nodes[s->n_nodes]))
			return false;
		hash_table_add(&s->ids, hash_of((uint64_t)s->nodes[s->n_nodes].id, 0),
			       (uint32_t)s->n_nodes);
		s->n_nodes++;
	} while (go_on(&c));
	return true;
}

/* Find the parents. A node that two others call their child keeps the first; so no circle can
 * arise from nodes whose parents come before them, which V8 guarantees and join_nodes() checks. */
static bool find_parents(struct slice *s)
{
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		struct cursor c = cursor_of(s->nodes[i].children);
		int64_t id;

		if (s->nodes[i].parent_id != 0)
			s->nodes[i].parent = find_id(s, s->nodes[i].parent_id);
		if (!enter(&c))
			continue;
		do {
			uint32_t child;

			if (!whole(&c, &id) || (child = find_id(s, id)) == NO_NODE)
				return false;
			if (s->nodes[child].parent == NO_NODE)
				s->nodes[child].parent = i;
		} while (go_on(&c));
	}
	return true;
}

static bool read_slice(struct slice *s, struct str profile)
{
	struct cursor c = cursor_of(profile);
	bool is_first = true;
	struct str key, nodes = { "", 0 };

	if (cursor_peek(&c) != '{')
		return false;
	c.p++;
	while (cursor_key(&c, &is_first, &key)) {
		struct str raw;

		if (str_is(key, "startTime")) {
			if (!whole(&c, &s->start_us))
				return false;
			s->has_start = true;
			continue;
		}
		if (str_is(key, "endTime") ? !whole(&c, &s->end_us) : !cursor_raw(&c, &raw))
			return false;
		if (str_is(key, "nodes"))
			nodes = raw;
		else if (str_is(key, "samples"))
			s->samples = raw;
		else if (str_is(key, "timeDeltas"))
			s->deltas = raw;
	}
	return !c.why && !c.is_cut && s->has_start && nodes.len > 0 && s->samples.len > 0 &&
		s->deltas.len > 0 && read_nodes(s, nodes) && find_parents(s);
}

/* ---- joining ---- */

static uint32_t join_node(struct join *j, uint32_t parent, str_id frame)
{
	uint64_t hash = hash_of(parent, frame);
	struct hash_probe probe = hash_probe(hash);

	while (hash_table_next(&j->index, &probe))
		if (j->nodes[probe.index].parent == parent && j->nodes[probe.index].frame == frame)
			return probe.index;
	j->nodes = xgrow(j->nodes, &j->cap_nodes, (size_t)j->n_nodes + 1, sizeof *j->nodes);
	j->nodes[j->n_nodes] = (struct node){ .parent = parent, .frame = frame };
	hash_table_add_missing(&j->index, &probe, j->n_nodes);
	return j->n_nodes++;
}

static void add_tick(struct join *j, uint32_t node, int64_t line, int64_t n)
{
	uint64_t hash = hash_of(node, (uint64_t)line);
	struct hash_probe probe = hash_probe(hash);

	if (line <= 0 || line > INT32_MAX || n <= 0)
		return;
	while (hash_table_next(&j->tick_index, &probe)) {
		struct tick *t = &j->ticks[probe.index];

		if (t->node == node && t->line == (uint32_t)line) {
			t->n += (uint64_t)n;
			return;
		}
	}
	j->ticks = xgrow(j->ticks, &j->cap_ticks, j->n_ticks + 1, sizeof *j->ticks);
	j->ticks[j->n_ticks] = (struct tick){ node, (uint32_t)line, (uint64_t)n };
	hash_table_add_missing(&j->tick_index, &probe, (uint32_t)j->n_ticks++);
}

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

static void join_ticks(struct join *j, uint32_t node, struct str list)
{
	struct cursor c = cursor_of(list);
	int64_t line, n;

	if (!enter(&c))
		return;
	do {
		if (!read_tick(&c, &line, &n))
			return;
		add_tick(j, node, line, n);
	} while (go_on(&c));
}

static bool join_nodes(struct join *j, struct slice *s)
{
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		struct slice_node *node = &s->nodes[i];
		uint32_t parent = NO_NODE;

		if (node->parent != NO_NODE) {
			if (node->parent >= i)
				return false;
			parent = s->nodes[node->parent].joined;
		}
		node->joined = join_node(j, parent,
					 intern_add(&j->texts, node->frame.p, node->frame.len));
		if (node->reason.len > 0)
			j->nodes[node->joined].reason = intern_add(&j->texts, node->reason.p,
								   node->reason.len);
		if (node->ticks.len > 0)
			join_ticks(j, node->joined, node->ticks);
	}
	return true;
}

/* Drop samples at and after a time. */
static void cut(struct join *j, int64_t time)
{
	while (j->n_samples > 0 && j->times[j->n_samples - 1] >= time)
		j->nodes[j->samples[--j->n_samples]].hits--;
}

static bool join_samples_of(struct join *j, const struct slice *s)
{
	struct cursor samples = cursor_of(s->samples), deltas = cursor_of(s->deltas);
	int64_t time = s->start_us, id, delta;
	bool is_first = true;

	if (!enter(&samples) || !enter(&deltas))
		return true;
	do {
		uint32_t node;

		if (!whole(&samples, &id) || !whole(&deltas, &delta) ||
		    (node = find_id(s, id)) == NO_NODE)
			return false;
		time += delta;
		if (is_first)
			cut(j, time);
		is_first = false;
		j->samples = xgrow(j->samples, &j->cap_samples, j->n_samples + 1,
				   sizeof *j->samples);
		j->times = xgrow(j->times, &j->cap_times, j->n_samples + 1, sizeof *j->times);
		j->samples[j->n_samples] = s->nodes[node].joined;
		j->times[j->n_samples++] = time;
		j->nodes[s->nodes[node].joined].hits++;
	} while (go_on(&samples) && go_on(&deltas));
	return true;
}

bool join_add(struct join *j, struct str profile, struct error *err)
{
	struct slice s = { 0 };
	bool is_first = j->n_nodes == 0;
	bool is_added = read_slice(&s, profile) && join_nodes(j, &s) && join_samples_of(j, &s);

	if (is_added) {
		if (is_first)
			j->start_us = s.start_us;
		j->end_us = s.end_us;
	}
	slice_done(&s);
	return is_added ||
		error_set(err, ERR_FORMAT, -1, "what the process sent is no CPU profile");
}

/* ---- the result ---- */

uint64_t join_samples(const struct join *j)
{
	return j->n_samples;
}

int64_t join_first_us(const struct join *j)
{
	return j->n_samples > 0 ? j->times[0] : 0;
}

int64_t join_last_us(const struct join *j)
{
	return j->n_samples > 0 ? j->times[j->n_samples - 1] : 0;
}

/* Children and ticks of all nodes: offsets into one array each, by node. */
struct lists {
	uint32_t *first_child, *child; /* n_nodes + 1; n_nodes */
	uint32_t *first_tick, *tick;   /* n_nodes + 1; n_ticks */
};

static void sort_lists(const struct join *j, struct lists *l)
{
	l->first_child = xcalloc((size_t)j->n_nodes + 2, sizeof *l->first_child);
	l->first_tick = xcalloc((size_t)j->n_nodes + 2, sizeof *l->first_tick);
	l->child = xcalloc((size_t)j->n_nodes + 1, sizeof *l->child);
	l->tick = xcalloc(j->n_ticks + 1, sizeof *l->tick);
	for (uint32_t i = 0; i < j->n_nodes; i++)
		if (j->nodes[i].parent != NO_NODE)
			l->first_child[j->nodes[i].parent + 2]++;
	for (size_t i = 0; i < j->n_ticks; i++)
		l->first_tick[j->ticks[i].node + 2]++;
	for (uint32_t i = 2; i <= j->n_nodes + 1; i++) {
		l->first_child[i] += l->first_child[i - 1];
		l->first_tick[i] += l->first_tick[i - 1];
	}
	for (uint32_t i = 0; i < j->n_nodes; i++)
		if (j->nodes[i].parent != NO_NODE)
			l->child[l->first_child[j->nodes[i].parent + 1]++] = i;
	for (uint32_t i = 0; i < j->n_ticks; i++)
		l->tick[l->first_tick[j->ticks[i].node + 1]++] = i;
}

static void lists_done(struct lists *l)
{
	free(l->first_child);
	free(l->child);
	free(l->first_tick);
	free(l->tick);
}

static void add_text(const struct join *j, str_id id, struct buf *out)
{
	buf_add(out, intern_text(&j->texts, id), intern_len(&j->texts, id));
}

static void write_node(const struct join *j, uint32_t i, const struct lists *l, struct buf *out)
{
	const struct node *node = &j->nodes[i];

	buf_addf(out, "%s{\"id\":%" PRIu32 ",\"callFrame\":", i > 0 ? "," : "", i + 1);
	add_text(j, node->frame, out);
	buf_addf(out, ",\"hitCount\":%" PRIu32, node->hits);
	if (node->reason != 0) {
		buf_adds(out, ",\"deoptReason\":");
		add_text(j, node->reason, out);
	}
	for (uint32_t k = l->first_child[i]; k < l->first_child[i + 1]; k++)
		buf_addf(out, "%s%" PRIu32, k == l->first_child[i] ? ",\"children\":[" : ",",
			 l->child[k] + 1);
	if (l->first_child[i] < l->first_child[i + 1])
		buf_addc(out, ']');
	for (uint32_t k = l->first_tick[i]; k < l->first_tick[i + 1]; k++)
		buf_addf(out, "%s{\"line\":%" PRIu32 ",\"ticks\":%" PRIu64 "}",
			 k == l->first_tick[i] ? ",\"positionTicks\":[" : ",",
			 j->ticks[l->tick[k]].line, j->ticks[l->tick[k]].n);
	if (l->first_tick[i] < l->first_tick[i + 1])
		buf_addc(out, ']');
	buf_addc(out, '}');
}

void join_write(const struct join *j, struct buf *out)
{
	struct lists lists;
	int64_t last = j->start_us;

	sort_lists(j, &lists);
	buf_adds(out, "{\"nodes\":[");
	for (uint32_t i = 0; i < j->n_nodes; i++)
		write_node(j, i, &lists, out);
	buf_addf(out, "],\"startTime\":%" PRId64 ",\"endTime\":%" PRId64 ",\"samples\":[",
		 j->start_us, j->end_us);
	for (size_t i = 0; i < j->n_samples; i++)
		buf_addf(out, "%s%" PRIu32, i > 0 ? "," : "", j->samples[i] + 1);
	buf_adds(out, "],\"timeDeltas\":[");
	for (size_t i = 0; i < j->n_samples; i++) {
		buf_addf(out, "%s%" PRId64, i > 0 ? "," : "", j->times[i] - last);
		last = j->times[i];
	}
	buf_adds(out, "]}\n");
	lists_done(&lists);
}

struct join *join_new(void)
{
	struct join *j = xcalloc(1, sizeof *j);

	intern_init(&j->texts);
	return j;
}

void join_free(struct join *j)
{
	if (!j)
		return;
	intern_done(&j->texts);
	free(j->nodes);
	hash_table_done(&j->index);
	free(j->ticks);
	hash_table_done(&j->tick_index);
	free(j->samples);
	free(j->times);
	free(j);
}
