/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads lists of nodes (list_walk.h). A plain node, as V8 writes it, has the members below, each
 * once, whole numbers, and a call frame without nested values. It is taken apart here;
 * cpu_nodes_read() reads any other node. To take another member apart, add a bit, a row in
 * member_of(), a case in take_member(), and its use in keep_node(). */
#include "config.h"

#include "read/cpu/cpu_reader.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/json/list_walk.h"

#include <stdlib.h>
#include <string.h>

enum {
	SEEN_ID = 1,
	SEEN_FRAME = 2,
	SEEN_HITS = 4,
	SEEN_CHILDREN = 8,
	SEEN_PARENT = 16,
	SEEN_TICKS = 32
};

struct plain_node {
	int64_t offset, frame_offset;
	int64_t id, parent, hits;
	struct str frame;
	uint64_t frame_hash;
	size_t first_child, n_children; /* in the numbers of the batch */
	size_t first_ticks, n_ticks;    /* pairs of line and ticks */
	unsigned seen;
};

struct plain_batch {
	struct plain_node nodes[LIST_WALK_MOST];
	int64_t *numbers;
	size_t n_numbers, cap_numbers;
	bool keep_hashes; /* frame_hash is found when the batch is kept */
};

struct plain_list {
	struct cpu_reader *r;
	struct plain_batch batches[LIST_WALK_BATCHES];
};

/* ---- taking apart ---- */

/* The node is not plain. If the text ends soon, that may be the reason: try again with more. */
static enum list_walk_taken unfit(const struct cursor *c)
{
	return c->is_cut || c->end - c->p < 64 ? LIST_WALK_CUT : LIST_WALK_ODD;
}

static void add_number(struct plain_batch *b, int64_t value)
{
	if (b->n_numbers >= b->cap_numbers)
		b->numbers = xgrow(b->numbers, &b->cap_numbers, b->n_numbers + 1,
				   sizeof *b->numbers);
	b->numbers[b->n_numbers++] = value;
}

static enum list_walk_taken take_frame(struct cursor *c, const struct plain_batch *b,
				       struct plain_node *node, int64_t offset)
{
	size_t n;

	if (cursor_peek(c) != '{')
		return unfit(c);
	n = cursor_flat_object(c->p, c->end);
	if (n == 0)
		return c->end - c->p < 4096 ? LIST_WALK_CUT : LIST_WALK_ODD;
	node->frame = (struct str){ (const char *)c->p, n };
	if (!b->keep_hashes)
		node->frame_hash = hash_bytes(c->p, n);
	node->frame_offset = offset;
	c->p += n;
	return LIST_WALK_TAKEN;
}

static enum list_walk_taken take_integer(struct cursor *c, int64_t *value)
{
	cursor_peek(c);
	return cursor_integer(c, value) ? LIST_WALK_TAKEN : unfit(c);
}

static enum list_walk_taken take_children(struct cursor *c, struct plain_batch *b,
					  struct plain_node *node)
{
	int64_t value;

	node->first_child = b->n_numbers;
	if (cursor_peek(c) != '[')
		return unfit(c);
	c->p++;
	for (bool is_first = true; cursor_peek(c) != ']'; is_first = false) {
		enum list_walk_taken taken;

		if (!is_first && *c->p++ != ',')
			return c->p > c->end ? LIST_WALK_CUT : unfit(c);
		taken = take_integer(c, &value);
		if (taken != LIST_WALK_TAKEN)
			return taken;
		add_number(b, value);
	}
	c->p++;
	node->n_children = b->n_numbers - node->first_child;
	return LIST_WALK_TAKEN;
}

static bool pass_text(struct cursor *c, const char *text, size_t len)
{
	if (memcmp(c->p, text, len) != 0)
		return false;
	c->p += len;
	return true;
}

/* `[{"line":12,"ticks":3}]`, without blanks. */
static enum list_walk_taken take_ticks(struct cursor *c, struct plain_batch *b,
				       struct plain_node *node)
{
	static const char head[] = "{\"line\":", middle[] = ",\"ticks\":";

	node->first_ticks = b->n_numbers;
	if (cursor_peek(c) != '[')
		return unfit(c);
	c->p++;
	for (bool is_first = true; cursor_peek(c) != ']'; is_first = false) {
		int64_t line, ticks;

		if (c->end - c->p < 64)
			return LIST_WALK_CUT;
		if (!is_first && *c->p++ != ',')
			return LIST_WALK_ODD;
		if (!pass_text(c, head, sizeof head - 1) || !cursor_integer(c, &line) ||
		    !pass_text(c, middle, sizeof middle - 1) || !cursor_integer(c, &ticks) ||
		    *c->p++ != '}')
			return LIST_WALK_ODD;
		add_number(b, line);
		add_number(b, ticks);
	}
	c->p++;
	node->n_ticks = (b->n_numbers - node->first_ticks) / 2;
	return LIST_WALK_TAKEN;
}

/* Pass a key as V8 writes it, and return its bit; 0: it is another one. The brace of the node
 * stands only before the first key. */
static inline unsigned pass_usual_key(struct cursor *c, bool is_first)
{
#define PASS(text, bit)                                                                            \
	if (memcmp(c->p, text, sizeof text - 1) == 0)                                              \
	return c->p += sizeof text - 1, bit
	if (c->end - c->p < 32 || c->p[1] != '"')
		return 0;
	switch (c->p[2]) {
	case 'i':
		if (!is_first)
			return 0;
		PASS("{\"id\":", SEEN_ID);
		return 0;
	case 'c':
		PASS(",\"callFrame\":", SEEN_FRAME);
		PASS(",\"children\":", SEEN_CHILDREN);
		return 0;
	case 'h':
		PASS(",\"hitCount\":", SEEN_HITS);
		return 0;
	case 'p':
		PASS(",\"positionTicks\":", SEEN_TICKS);
		PASS(",\"parent\":", SEEN_PARENT);
		return 0;
	default:
		return 0;
	}
#undef PASS
}

static unsigned member_of(struct str key)
{
	return str_is(key, "id")               ? SEEN_ID
		: str_is(key, "callFrame")     ? SEEN_FRAME
		: str_is(key, "hitCount")      ? SEEN_HITS
		: str_is(key, "children")      ? SEEN_CHILDREN
		: str_is(key, "parent")        ? SEEN_PARENT
		: str_is(key, "positionTicks") ? SEEN_TICKS
					       : 0;
}

static enum list_walk_taken take_member(struct cursor *c, struct plain_batch *b,
					struct plain_node *node, unsigned bit, int64_t offset)
{
	switch (bit) {
	case SEEN_ID:
		return take_integer(c, &node->id);
	case SEEN_FRAME:
		return take_frame(c, b, node, offset);
	case SEEN_HITS:
		return take_integer(c, &node->hits);
	case SEEN_CHILDREN:
		return take_children(c, b, node);
	case SEEN_PARENT:
		return take_integer(c, &node->parent);
	case SEEN_TICKS:
		/* Warnings of both must come in the order of the file. */
		return node->seen & SEEN_FRAME ? take_ticks(c, b, node) : LIST_WALK_ODD;
	default:
		return LIST_WALK_ODD;
	}
}

/* Pass any key. Returns its bit; 0: it is unknown, or there is none. */
static __attribute__((noinline)) unsigned pass_any_key(struct cursor *c, bool is_first,
						       bool *has_key)
{
	struct str key;

	c->p += is_first;
	*has_key = cursor_key(c, &is_first, &key);
	return *has_key ? member_of(key) : 0;
}

/* The cursor is a copy, of which no function that is called has the address in the usual case: so
 * its place stays in a register. */
static enum list_walk_taken take_node(struct plain_batch *b, struct plain_node *node,
				      struct cursor *at, int64_t offset)
{
	struct cursor c = { at->p, at->end, NULL, false };
	const unsigned char *from = c.p;
	enum list_walk_taken taken;

	node->offset = offset;
	node->hits = 0;
	node->n_children = node->n_ticks = 0;
	node->seen = 0;
	for (;;) {
		unsigned bit = pass_usual_key(&c, node->seen == 0);

		if (!bit) {
			struct cursor any = c;
			bool has_key;

			bit = pass_any_key(&any, node->seen == 0, &has_key);
			c.p = any.p;
			if (!has_key) {
				at->p = c.p;
				if (any.why || any.is_cut)
					return any.is_cut ? LIST_WALK_CUT : LIST_WALK_ODD;
				break;
			}
		}
		if (!bit || (node->seen & bit))
			return LIST_WALK_ODD;
		cursor_peek(&c);
		taken = take_member(&c, b, node, bit, offset + (c.p - from));
		if (taken != LIST_WALK_TAKEN)
			return taken;
		node->seen |= bit;
	}
	return (node->seen & (SEEN_ID | SEEN_FRAME)) == (SEEN_ID | SEEN_FRAME) ? LIST_WALK_TAKEN
									       : LIST_WALK_ODD;
}

static void begin(void *ctx, unsigned b, bool keeps_more)
{
	struct plain_batch *batch = &((struct plain_list *)ctx)->batches[b];

	batch->n_numbers = 0;
	batch->keep_hashes = keeps_more;
}

static enum list_walk_taken take(void *ctx, unsigned b, size_t i, struct cursor *c, int64_t offset)
{
	struct plain_list *list = ctx;
	struct plain_batch *batch = &list->batches[b];
	size_t before = batch->n_numbers;
	enum list_walk_taken taken = take_node(batch, &batch->nodes[i], c, offset);

	/* A batch may meet many nodes that it does not take. */
	if (taken != LIST_WALK_TAKEN)
		batch->n_numbers = before;
	return taken;
}

/* ---- keeping ---- */

static bool keep_node(struct cpu_reader *r, const struct plain_batch *b,
		      const struct plain_node *node)
{
	uint32_t slot, frame, parent = SLOT_NONE;

	if (cpu_builder_node_count(r->b) >= CPU_NODES_MAX)
		return error_set(r->err, ERR_LIMIT, node->offset, "more than %u nodes",
				 CPU_NODES_MAX);
	r->has_call_frame = true;
	slot = cpu_builder_slot(r->b, node->id);
	if (!cpu_frames_of_hashed(r, node->frame, node->frame_hash, node->frame_offset, &frame))
		return false;
	for (size_t i = 0; i < node->n_children; i++)
		cpu_reader_push(r, cpu_builder_slot(r->b, b->numbers[node->first_child + i]));
	for (size_t i = 0; i < node->n_ticks; i++)
		cpu_ticks_add(r, b->numbers[node->first_ticks + 2 * i],
			      b->numbers[node->first_ticks + 2 * i + 1]);
	if (node->seen & SEEN_PARENT)
		parent = cpu_builder_slot(r->b, node->parent);
	cpu_nodes_emit(r, slot, frame, node->hits, 0, node->offset, parent);
	return true;
}

/* Looking up a call frame misses the cache up to six times when there are many. Prefetch for the
 * nodes that follow node i, each step some nodes after the one that it needs. */
static void prefetch_frames(const struct cpu_reader *r, const struct plain_batch *b, size_t i,
			    size_t n)
{
	static const struct {
		size_t ahead;
		enum cpu_frames_step step;
	} steps[] = { { 36, CPU_FRAMES_SLOT }, { 24, CPU_FRAMES_ENTRY }, { 12, CPU_FRAMES_TEXT } };

	for (size_t k = 0; k < ARRAY_LEN(steps); k++)
		if (i + steps[k].ahead < n)
			cpu_frames_prefetch(r, b->nodes[i + steps[k].ahead].frame_hash,
					    steps[k].step);
}

static bool keep(void *ctx, unsigned b, size_t n)
{
	struct plain_list *list = ctx;
	struct plain_batch *batch = &list->batches[b];

	list->r->n_children = list->r->n_ticks = 0;
	for (size_t i = 0; batch->keep_hashes && i < n; i++) {
		struct plain_node *node = &batch->nodes[i];

		node->frame_hash = hash_bytes(node->frame.p, node->frame.len);
	}
	for (size_t i = 0; i < n; i++) {
		prefetch_frames(list->r, batch, i, n);
		if (!keep_node(list->r, batch, &batch->nodes[i]))
			return false;
	}
	return true;
}

static bool read_element(struct cpu_reader *r)
{
	if (scan_peek(r->s) == '{')
		return cpu_nodes_read(r);
	builder_warn(r->b, WARN_ODD_NODE, scan_offset(r->s));
	return scan_skip(r->s);
}

static bool read(void *ctx)
{
	return read_element(((struct plain_list *)ctx)->r);
}

/* Read the nodes of a chunk in a trace, which are few. */
static bool read_few(struct cpu_reader *r)
{
	bool is_first = true;

	while (scan_element(r->s, &is_first))
		if (!read_element(r))
			return false;
	return r->err->kind == ERR_NONE;
}

bool cpu_plain_read(struct cpu_reader *r)
{
	struct plain_list *list;
	bool ok;

	if (!scan_open(r->s, '['))
		return false;
	if (!r->s->stream)
		return read_few(r);
	list = xmalloc(sizeof *list);
	list->r = r;
	for (size_t b = 0; b < LIST_WALK_BATCHES; b++) {
		list->batches[b].numbers = NULL;
		list->batches[b].n_numbers = list->batches[b].cap_numbers = 0;
	}
	ok = list_walk(&(struct list_walk){ .s = r->s,
					    .begin = begin,
					    .take = take,
					    .keep = keep,
					    .read = read,
					    .ctx = list });
	for (size_t b = 0; b < LIST_WALK_BATCHES; b++)
		free(list->batches[b].numbers);
	free(list);
	return ok;
}
