/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of a chunk are found in, or added to, the joined tree, from the root on. A call frame
 * is the text that V8 wrote: within one process the same function has the same text.
 *
 * Samples and ticks of all chunks are in one array each, in the order of chunks. What is dropped
 * leaves a gap at the beginning of the array, which is closed when it is half of it.
 *
 * Invariants:
 * 1. Node 0 of the joined tree is the root; a parent comes before its children.
 * 2. Each chunk in `chunks` had a sample when it was added.
 * 3. No sample is before start_us. */
#include "config.h"

#include "record/remote/join.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/json/cursor.h"
#include "base/json/json_read.h"
#include "base/json/json_writer.h"
#include "base/sort.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== chunk ====
 *
 * The members of the profile may come in any order: they are found first, then read.
 *
 * Call frames are copied to other profiles, so each is parsed: cursors look only at the brackets of
 * what they pass. Deltas may be negative: V8 queues samples of deoptimisations and those of its
 * timer separately. */

struct chunk_node {
	int64_t id;
	struct str frame;    /* the call frame as JSON */
	struct str reason;   /* deoptReason as JSON; empty: none */
	struct str children; /* for the reader, as is what follows */
	struct str ticks;
	int64_t parent_id; /* where the profile says so; 0: it does not */
	uint32_t parent;   /* index, smaller than its own; CHUNK_NO_NODE: the root */
};

struct chunk_sample {
	uint32_t node;   /* index */
	int64_t time_us; /* of CLOCK_MONOTONIC */
};

/* Samples of a node that were in one line. */
struct chunk_tick {
	uint32_t node; /* index */
	uint32_t line; /* from 1 */
	uint32_t n;
};

struct chunk {
	struct chunk_node *nodes; /* parents before their children */
	size_t n_nodes, cap_nodes;
	struct hash_table ids;
	struct chunk_sample *samples; /* sorted by time; of equal times as V8 sent them */
	size_t n_samples, cap_samples;
	struct chunk_tick *ticks;
	size_t n_ticks, cap_ticks;
	int64_t start_us, end_us; /* all times are within +-2^61 us; no sample is before start_us */
};

#define TIME_MAX ((int64_t)1 << 61) /* the difference of two times fits into an int64_t */

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
	return us <= TIME_MAX && us >= -TIME_MAX;
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

static uint32_t find_id(const struct chunk *s, int64_t id)
{
	struct hash_probe probe = hash_probe(hash_of(id));

	while (hash_table_next(&s->ids, &probe))
		if (s->nodes[probe.index].id == id)
			return probe.index;
	return CHUNK_NO_NODE;
}

static bool read_node(struct cursor *c, struct chunk_node *node)
{
	bool is_first = true;
	struct str key;

	*node = (struct chunk_node){ .parent = CHUNK_NO_NODE };
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

static bool add_node(struct chunk *s, struct cursor *c, struct json_tree *tree)
{
	struct chunk_node *node;

	s->nodes = xgrow(s->nodes, &s->cap_nodes, s->n_nodes + 1, sizeof *s->nodes);
	node = &s->nodes[s->n_nodes];
	if (s->n_nodes == INT32_MAX || !read_node(c, node) ||
	    !is_json(tree, node->frame, JSON_OBJECT) || !is_json(tree, node->reason, JSON_STRING) ||
	    find_id(s, node->id) != CHUNK_NO_NODE)
		return false;
	hash_table_add(&s->ids, hash_of(node->id), (uint32_t)s->n_nodes++);
	return true;
}

static bool read_nodes(struct chunk *s, struct str raw)
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
static bool find_children(struct chunk *s, uint32_t parent)
{
	struct cursor c = cursor_of(s->nodes[parent].children);
	int64_t id;

	if (enter(&c))
		do {
			uint32_t child;

			if (!whole(&c, &id) || (child = find_id(s, id)) == CHUNK_NO_NODE)
				return false;
			if (s->nodes[child].parent == CHUNK_NO_NODE)
				s->nodes[child].parent = parent;
		} while (go_on(&c));
	return s->nodes[parent].children.len == 0 || is_end(&c);
}

/* Find the parents, which come before their children: V8 guarantees that. */
static bool find_parents(struct chunk *s)
{
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		if (s->nodes[i].parent_id != 0)
			s->nodes[i].parent = find_id(s, s->nodes[i].parent_id);
		if (!find_children(s, i))
			return false;
	}
	for (uint32_t i = 0; i < s->n_nodes; i++)
		if (s->nodes[i].parent != CHUNK_NO_NODE && s->nodes[i].parent >= i)
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
static void read_ticks(struct chunk *s)
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
			*ARRAY_ADD(s->ticks, s->n_ticks, s->cap_ticks) =
				(struct chunk_tick){ i, (uint32_t)line, (uint32_t)n };
		} while (go_on(&c));
	}
}

/* ---- samples ---- */

SORT_BEFORE(is_before, struct chunk_sample, x->time_us < y->time_us)

static bool add_sample(struct chunk *s, int64_t id, int64_t us)
{
	uint32_t node = find_id(s, id);

	if (node == CHUNK_NO_NODE || !is_time(us))
		return false;
	*ARRAY_ADD(s->samples, s->n_samples, s->cap_samples) = (struct chunk_sample){ node, us };
	return true;
}

/* Each sample has a delta. */
static bool read_samples(struct chunk *s, struct str ids, struct str deltas)
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

/* Read the text of a profile, CURSOR_PAD bytes after which can be read; its texts are borrowed.
 * Returns false if it is no CPU profile. chunk_done() in both cases. s: zeroed. */
static bool chunk_read(struct chunk *s, struct str profile)
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

static void chunk_done(struct chunk *s)
{
	free(s->nodes);
	free(s->samples);
	free(s->ticks);
	hash_table_done(&s->ids);
}

/* ==== join ==== */

#define NO_NODE CHUNK_NO_NODE
#define NODES_MIN 1024u /* so few nodes are not worth tidying */

/* ---- the joined profile ---- */

struct node {
	uint32_t parent;
	str_id frame;  /* the call frame as JSON */
	str_id reason; /* deoptReason as JSON; 0: none */
};

/* A chunk that was added. */
struct added_chunk {
	int64_t first_us; /* its first sample */
	int64_t end_us;
	uint32_t n_ticks;
};

struct sample {
	int64_t us;
	uint32_t node;
};

struct join {
	struct intern texts;
	struct node *nodes;
	uint32_t n_nodes;
	size_t cap_nodes;
	struct hash_table index; /* of nodes, by parent and frame */
	size_t text_bytes;
	uint32_t n_tidy; /* nodes after the last join_tidy() */
	struct added_chunk *chunks;
	size_t n_chunks, cap_chunks;
	struct sample *samples; /* from first_sample on */
	size_t first_sample, n_samples, cap_samples;
	struct chunk_tick *ticks; /* from first_tick on */
	size_t first_tick, n_ticks, cap_ticks;
	int64_t start_us, end_us;
	char *member; /* at the beginning of what is written; NULL: none */
};

static uint64_t hash_of_join(uint32_t parent, str_id frame)
{
	const uint32_t both[2] = { parent, frame };

	return hash_bytes(both, sizeof both);
}

static str_id add_text(struct join *j, struct str text)
{
	size_t n = j->texts.n;
	str_id id = intern_add(&j->texts, text.p, text.len);

	if (j->texts.n > n)
		j->text_bytes += text.len;
	return id;
}

static uint32_t add_node_join(struct join *j, uint32_t parent, str_id frame)
{
	struct hash_probe probe = hash_probe(hash_of_join(parent, frame));

	while (hash_table_next(&j->index, &probe))
		if (j->nodes[probe.index].parent == parent && j->nodes[probe.index].frame == frame)
			return probe.index;
	hash_table_add_missing(&j->index, &probe, j->n_nodes);
	*ARRAY_ADD(j->nodes, j->n_nodes, j->cap_nodes) = (struct node){ .parent = parent,
									.frame = frame };
	return j->n_nodes - 1;
}

/* ---- adding ---- */

bool join_add(struct join *j, struct str profile, struct error *err)
{
	struct chunk s = { 0 };
	bool is_first = j->n_nodes == 0;
	bool is_good = chunk_read(&s, profile);

	if (is_good) {
		ALLOC_LOCAL uint32_t *joined = xcalloc(s.n_nodes, sizeof *joined);

		/* *joined: by node of the chunk. */
		for (size_t i = 0; i < s.n_nodes; i++) {
			const struct chunk_node *node = &s.nodes[i];

			joined[i] = add_node_join(
				j, node->parent == NO_NODE ? NO_NODE : joined[node->parent],
				add_text(j, node->frame));
			if (node->reason.len > 0)
				j->nodes[joined[i]].reason = add_text(j, node->reason);
		}
		if (s.n_samples != 0) {
			while (j->n_samples > j->first_sample &&
			       j->samples[j->n_samples - 1].us >= s.samples[0].time_us)
				j->n_samples--;
			j->samples = xgrow(j->samples, &j->cap_samples, j->n_samples + s.n_samples,
					   sizeof *j->samples);
			for (size_t i = 0; i < s.n_samples; i++)
				j->samples[j->n_samples++] = (struct sample){
					s.samples[i].time_us, joined[s.samples[i].node]
				};
		}
		if (s.n_samples > 0) {
			if (s.n_ticks != 0) {
				j->ticks = xgrow(j->ticks, &j->cap_ticks, j->n_ticks + s.n_ticks,
						 sizeof *j->ticks);
				for (size_t i = 0; i < s.n_ticks; i++) {
					struct chunk_tick tick = s.ticks[i];

					tick.node = joined[tick.node];
					j->ticks[j->n_ticks++] = tick;
				}
			}
			*ARRAY_ADD(j->chunks, j->n_chunks, j->cap_chunks) = (struct added_chunk){
				s.samples[0].time_us, s.end_us, (uint32_t)s.n_ticks
			};
		}
		if (is_first || j->start_us > s.start_us)
			j->start_us = s.start_us;
		j->end_us = s.end_us;
	}
	chunk_done(&s);
	return is_good || error_set(err, ERR_FORMAT, -1, "what the process sent is no CPU profile");
}

/* ---- dropping ---- */

size_t join_chunks(const struct join *j)
{
	return j->n_chunks;
}

int64_t join_chunk_us(const struct join *j, size_t chunk)
{
	return j->chunks[chunk].first_us;
}

/* Close the gap at the beginning of an array. */
static void close_gap(void *items, size_t size, size_t *first, size_t *n)
{
	if (*first == 0 || *first * 2 < *n)
		return;
	*n -= *first;
	memmove(items, (char *)items + *first * size, *n * size);
	*first = 0;
}

void join_drop(struct join *j, size_t n_chunks)
{
	int64_t before;

	if (n_chunks == 0)
		return;
	before = n_chunks < j->n_chunks ? j->chunks[n_chunks].first_us : INT64_MAX;
	while (j->first_sample < j->n_samples && j->samples[j->first_sample].us < before)
		j->first_sample++;
	for (size_t i = 0; i < n_chunks; i++)
		j->first_tick += j->chunks[i].n_ticks;
	j->n_chunks -= n_chunks;
	memmove(j->chunks, j->chunks + n_chunks, j->n_chunks * sizeof *j->chunks);
	j->start_us = j->n_chunks > 0 ? j->chunks[0].first_us : j->end_us;
	close_gap(j->samples, sizeof *j->samples, &j->first_sample, &j->n_samples);
	close_gap(j->ticks, sizeof *j->ticks, &j->first_tick, &j->n_ticks);
}

size_t join_bytes(const struct join *j)
{
	return j->n_chunks * sizeof *j->chunks + j->n_samples * sizeof *j->samples +
		j->n_ticks * sizeof *j->ticks + j->n_nodes * sizeof *j->nodes +
		j->index.n_slots * sizeof *j->index.slots +
		j->texts.index.n_slots * sizeof *j->texts.index.slots + j->text_bytes;
}

bool join_is_untidy(const struct join *j)
{
	return j->n_nodes > NODES_MIN && j->n_nodes / 2 > j->n_tidy;
}

/* Mark the nodes above those that are marked, too. */
static void mark_parents(const struct join *j, uint8_t *is_needed)
{
	is_needed[0] = 1;
	for (uint32_t i = j->n_nodes; i-- > 1;)
		if (is_needed[i] && j->nodes[i].parent != NO_NODE)
			is_needed[j->nodes[i].parent] = 1;
}

/* Move the node to the new tree, texts and all. */
static uint32_t move(const struct join *old, uint32_t i, const uint32_t *moved, struct join *to)
{
	const struct node *node = &old->nodes[i];
	str_id frame = add_text(to,
				(struct str){ intern_text(&old->texts, node->frame),
					      intern_len(&old->texts, node->frame) });
	uint32_t at = add_node_join(to, node->parent == NO_NODE ? NO_NODE : moved[node->parent],
				    frame);

	if (node->reason != 0)
		to->nodes[at].reason = add_text(
			to,
			(struct str){ intern_text(&old->texts, node->reason),
				      intern_len(&old->texts, node->reason) });
	return at;
}

void join_tidy(struct join *j)
{
	ALLOC_LOCAL uint8_t *is_needed = xcalloc((size_t)j->n_nodes + 1, 1);
	ALLOC_LOCAL uint32_t *moved = xcalloc((size_t)j->n_nodes + 1, sizeof *moved);
	struct join to = { 0 };

	intern_init(&to.texts);
	for (size_t i = j->first_sample; i < j->n_samples; i++)
		is_needed[j->samples[i].node] = 1;
	for (size_t i = j->first_tick; i < j->n_ticks; i++)
		is_needed[j->ticks[i].node] = 1;
	mark_parents(j, is_needed);
	for (uint32_t i = 0; i < j->n_nodes; i++)
		if (is_needed[i])
			moved[i] = move(j, i, moved, &to);
	for (size_t i = j->first_sample; i < j->n_samples; i++)
		j->samples[i].node = moved[j->samples[i].node];
	for (size_t i = j->first_tick; i < j->n_ticks; i++)
		j->ticks[i].node = moved[j->ticks[i].node];
	intern_done(&j->texts);
	free(j->nodes);
	hash_table_done(&j->index);
	j->texts = to.texts;
	j->nodes = to.nodes;
	j->n_nodes = j->n_tidy = to.n_nodes;
	j->cap_nodes = to.cap_nodes;
	j->index = to.index;
	j->text_bytes = to.text_bytes;
}

/* ---- cutting ---- */

static bool has_text(const struct join *j, str_id frame, const char *text)
{
	return memmem(intern_text(&j->texts, frame), intern_len(&j->texts, frame), text,
		      strlen(text)) != NULL;
}

/* Which nodes are below such a frame: 1. */
static uint8_t *find_below(const struct join *j, const char *a, const char *b)
{
	uint8_t *is_below = xcalloc((size_t)j->n_nodes + 1, 1);
	uint8_t *has_it = xcalloc(j->texts.n + 1, 1); /* by text: 1: yes, 2: no */

	for (uint32_t i = 0; i < j->n_nodes; i++) {
		str_id frame = j->nodes[i].frame;

		if (has_it[frame] == 0)
			has_it[frame] = has_text(j, frame, a) || has_text(j, frame, b) ? 1 : 2;
		is_below[i] = has_it[frame] == 1 ||
			(j->nodes[i].parent != NO_NODE && is_below[j->nodes[i].parent]);
	}
	free(has_it);
	return is_below;
}

void join_cut(struct join *j, const char *a, const char *b)
{
	static const char own[] = "{\"functionName\":\"(flametty)\",\"scriptId\":\"0\","
				  "\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1}";
	uint8_t *is_below = find_below(j, a, b);
	uint32_t node = NO_NODE;
	size_t from, to;

	while (j->first_sample < j->n_samples && is_below[j->samples[j->first_sample].node])
		j->first_sample++;
	if (join_samples(j) > 0 && j->first_sample > 0)
		j->start_us = j->samples[j->first_sample].us;
	while (j->n_samples > j->first_sample && is_below[j->samples[j->n_samples - 1].node])
		j->end_us = j->samples[--j->n_samples].us;
	for (size_t i = j->first_sample; i < j->n_samples; i++) {
		if (!is_below[j->samples[i].node])
			continue;
		if (node == NO_NODE)
			node = add_node_join(j, 0,
					     add_text(j, (struct str){ own, sizeof own - 1 }));
		j->samples[i].node = node;
	}
	/* Drop the ticks of these nodes. */
	from = j->first_tick;
	to = from;
	for (size_t i = 0; i < j->n_chunks; i++) {
		uint32_t n = j->chunks[i].n_ticks;

		for (size_t k = 0; k < n; k++, from++)
			if (is_below[j->ticks[from].node])
				j->chunks[i].n_ticks--;
			else
				j->ticks[to++] = j->ticks[from];
	}
	j->n_ticks = to;
	free(is_below);
	join_tidy(j);
}

/* ---- the result ---- */

uint64_t join_samples(const struct join *j)
{
	return j->n_samples - j->first_sample;
}

int64_t join_first_us(const struct join *j)
{
	return join_samples(j) > 0 ? j->samples[j->first_sample].us : 0;
}

int64_t join_last_us(const struct join *j)
{
	return join_samples(j) > 0 ? j->samples[j->n_samples - 1].us : 0;
}

/* What is written. */
struct output {
	const struct join *join;
	struct json_writer w;
	size_t from, to;    /* samples */
	int64_t t0, t1;     /* of the profile */
	uint8_t *is_needed; /* by node */
	uint32_t *id;       /* by node: in the output, from 1 */
	uint32_t *hits;     /* by node */
	/* Children and ticks of all nodes: offsets into one array each, by node. */
	uint32_t *first_child, *child; /* n_nodes + 2; n_nodes */
	uint32_t *first_tick;          /* n_nodes + 2 */
	struct chunk_tick *tick;
};

/* The ticks of chunks that touch the stretch, sorted by node. */
static void sort_ticks(struct output *o)
{
	const struct join *j = o->join;
	size_t at = j->first_tick, from = SIZE_MAX, to = 0;

	for (size_t i = 0; i < j->n_chunks; i++) {
		if (j->chunks[i].first_us < o->t1 && j->chunks[i].end_us >= o->t0) {
			from = at < from ? at : from;
			to = at + j->chunks[i].n_ticks;
		}
		at += j->chunks[i].n_ticks;
	}
	for (size_t i = from; i < to; i++)
		o->first_tick[j->ticks[i].node + 2]++;
	for (uint32_t i = 2; i <= j->n_nodes + 1; i++)
		o->first_tick[i] += o->first_tick[i - 1];
	o->tick = xcalloc(from < to ? to - from + 1 : 1, sizeof *o->tick);
	for (size_t i = from; i < to; i++)
		o->tick[o->first_tick[j->ticks[i].node + 1]++] = j->ticks[i];
}

/* Add up the ticks of a line: it has some from each chunk. Returns how many lines there are, now at
 * the beginning. */
static uint32_t merge_lines(struct chunk_tick *ticks, uint32_t n)
{
	uint32_t n_lines = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = 0;

		while (k < n_lines && ticks[k].line != ticks[i].line)
			k++;
		if (k < n_lines)
			ticks[k].n += ticks[i].n;
		else
			ticks[n_lines++] = ticks[i];
	}
	return n_lines;
}

static struct json_item text_of(const char *key, const struct join *j, str_id id)
{
	return json_copy(key, intern_text(&j->texts, id), intern_len(&j->texts, id));
}

static void write_node(struct output *o, uint32_t i)
{
	const struct node *node = &o->join->nodes[i];
	struct chunk_tick *ticks = o->tick + o->first_tick[i];
	uint32_t n_lines = merge_lines(ticks, o->first_tick[i + 1] - o->first_tick[i]);
	uint32_t first = o->first_child[i], end = o->first_child[i + 1];
	struct json_writer *w = &o->w;

	json_put(w, json_begin(NULL, "{"), json_integer("id", o->id[i]),
		 text_of("callFrame", o->join, node->frame), json_integer("hitCount", o->hits[i]),
		 json_if(node->reason != 0, text_of("deoptReason", o->join, node->reason)));
	for (uint32_t k = first; k < end; k++)
		json_put(w, json_if(k == first, json_begin("children", "[")),
			 json_integer(NULL, o->id[o->child[k]]),
			 json_if(k + 1 == end, json_end("]")));
	for (uint32_t k = 0; k < n_lines; k++)
		json_put(w, json_if(k == 0, json_begin("positionTicks", "[")),
			 json_begin(NULL, "{"), json_integer("line", ticks[k].line),
			 json_integer("ticks", ticks[k].n), json_end(k + 1 < n_lines ? "}" : "}]"));
	json_put(w, json_end("}"));
}

static void write_samples(struct output *o)
{
	const struct join *j = o->join;
	struct json_writer *w = &o->w;
	int64_t last = o->t0;

	json_put(w, json_integer("startTime", o->t0), json_integer("endTime", o->t1),
		 json_begin("samples", "["));
	for (size_t i = o->from; i < o->to; i++)
		json_put(w, json_integer(NULL, o->id[j->samples[i].node]));
	json_put(w, json_end("]"), json_begin("timeDeltas", "["));
	for (size_t i = o->from; i < o->to; i++) {
		/* The first one may have begun before the stretch. */
		int64_t us = i == o->from && j->samples[i].us < o->t0 ? o->t0 : j->samples[i].us;

		json_put(w, json_integer(NULL, us - last));
		last = us;
	}
	json_put(w, json_end("]}\n"));
}

static void write_profile(struct output *o)
{
	const struct join *j = o->join;
	uint32_t n = 0;

	o->id = xcalloc((size_t)j->n_nodes + 1, sizeof *o->id);
	o->hits = xcalloc((size_t)j->n_nodes + 1, sizeof *o->hits);
	o->first_child = xcalloc((size_t)j->n_nodes + 2, sizeof *o->first_child);
	o->child = xcalloc((size_t)j->n_nodes + 1, sizeof *o->child);
	o->first_tick = xcalloc((size_t)j->n_nodes + 2, sizeof *o->first_tick);
	for (uint32_t i = 0; i < j->n_nodes; i++)
		if (o->is_needed[i] && j->nodes[i].parent != NO_NODE)
			o->first_child[j->nodes[i].parent + 2]++;
	for (uint32_t i = 2; i <= j->n_nodes + 1; i++)
		o->first_child[i] += o->first_child[i - 1];
	for (uint32_t i = 0; i < j->n_nodes; i++)
		if (o->is_needed[i] && j->nodes[i].parent != NO_NODE)
			o->child[o->first_child[j->nodes[i].parent + 1]++] = i;
	sort_ticks(o);
	for (uint32_t i = 0; i < j->n_nodes; i++)
		if (o->is_needed[i])
			o->id[i] = ++n;
	for (size_t i = o->from; i < o->to; i++)
		o->hits[j->samples[i].node]++;
	json_put(&o->w, json_begin(NULL, "{"));
	buf_adds(o->w.out, j->member ? j->member : "");
	json_put(&o->w, json_begin("nodes", "["));
	for (uint32_t i = 0; i < j->n_nodes; i++)
		if (o->is_needed[i])
			write_node(o, i);
	json_put(&o->w, json_end("]"));
	write_samples(o);
	free(o->id);
	free(o->hits);
	free(o->first_child);
	free(o->child);
	free(o->first_tick);
	free(o->tick);
}

void join_begin_with(struct join *j, const char *member)
{
	free(j->member);
	j->member = xstrdup(member);
}

void join_write(const struct join *j, struct buf *out)
{
	struct output o = { .join = j,
			    .w = { .out = out },
			    .from = j->first_sample,
			    .to = j->n_samples,
			    .t0 = j->start_us,
			    .t1 = j->end_us,
			    .is_needed = xcalloc((size_t)j->n_nodes + 1, 1) };

	memset(o.is_needed, 1, j->n_nodes);
	write_profile(&o);
	free(o.is_needed);
}

void join_write_range(const struct join *j, int64_t t0, int64_t t1, bool is_whole, struct buf *out)
{
	struct output o = { .join = j,
			    .w = { .out = out },
			    .from = j->first_sample,
			    .t0 = is_whole || t0 > j->start_us ? t0 : j->start_us,
			    .t1 = is_whole || t1 < j->end_us ? t1 : j->end_us };

	while (o.from + 1 < j->n_samples && j->samples[o.from + 1].us <= t0)
		o.from++;
	o.to = o.from;
	while (o.to < j->n_samples && j->samples[o.to].us < t1)
		o.to++;
	if (o.from == o.to || o.t0 >= o.t1)
		return;
	o.is_needed = xcalloc((size_t)j->n_nodes + 1, 1);
	for (size_t i = o.from; i < o.to; i++)
		o.is_needed[j->samples[i].node] = 1;
	mark_parents(j, o.is_needed);
	write_profile(&o);
	free(o.is_needed);
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
	free(j->chunks);
	free(j->samples);
	free(j->ticks);
	free(j->member);
	free(j);
}
