/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads lists of nodes (list_walk.h). A plain node, as V8 writes it, has the members below, each
 * once, whole numbers, and a call frame without nested values. It is taken apart here;
 * cpu_nodes_read() reads any other node. To take another member apart, add a bit, a row in
 * member_of(), a case in take_member(), and its use in keep_node(). */
#include "config.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/json/list_walk.h"
#include "base/thread.h"
#include "read/cpu/cpuprofile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== cpu nodes ====
 *
 * Reads nodes of a CPU profile in any form, with the scanner. cpu_plain.c reads the common form
 * faster. */

/* ---- ids ---- */

/* Read a whole number that is written as 2E+1 or 3.0. */
static bool whole_number(const char *text, size_t len, int64_t *value)
{
	char copy[64];
	double v;

	if (len >= sizeof copy)
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	v = strtod(copy, NULL);
	if (!isfinite(v) || v != floor(v) || fabs(v) > 9007199254740992.0)
		return false;
	*value = (int64_t)v;
	return true;
}

bool cpu_nodes_id(struct cpu_reader *r, uint32_t *slot)
{
	struct str raw;
	int64_t value;
	bool is_first = true;

	*slot = SLOT_NONE;
	if (scan_number_list(r->s, 0, &value, 1, &is_first) == 1) {
		*slot = cpu_builder_slot(r->b, value);
		return true;
	}
	switch (scan_peek(r->s)) {
	case '"': {
		struct buf text = { 0 };

		if (!scan_raw(r->s, CPU_VALUE_MAX, &raw))
			return false;
		if (json_tree_decode(raw.p, raw.len, &text))
			*slot = cpu_builder_slot_text(r->b, buf_text(&text), text.len);
		buf_done(&text);
		return true;
	}
	case '-':
	case '0':
	case '1':
	case '2':
	case '3':
	case '4':
	case '5':
	case '6':
	case '7':
	case '8':
	case '9':
		if (!scan_raw(r->s, CPU_VALUE_MAX, &raw))
			return false;
		if (strcspn(raw.p, ".eE,]} \t\r\n") >= raw.len)
			*slot = cpu_builder_slot_text(r->b, raw.p, raw.len);
		else if (whole_number(raw.p, raw.len, &value))
			*slot = cpu_builder_slot(r->b, value);
		return true;
	default:
		return scan_skip(r->s);
	}
}

/* ---- nodes ---- */

/* Members of the node being read. */
struct node_parts {
	uint32_t slot, frame, parent;
	int64_t hits;
	bool has_frame, has_bare, has_name;
};

static bool read_children(struct cpu_reader *r)
{
	int64_t batch[64];
	bool is_first = true;
	int c = scan_peek(r->s);
	size_t n;

	r->n_children = 0;
	if (c != '[') {
		if (c != 'n')
			builder_warn(r->b, WARN_ODD_CHILDREN, scan_offset(r->s));
		return scan_skip(r->s);
	}
	if (!scan_open(r->s, '['))
		return false;
	for (;;) {
		uint32_t slot;

		while ((n = scan_number_list(r->s, 0, batch, ARRAY_LEN(batch), &is_first)) > 0)
			for (size_t i = 0; i < n; i++)
				cpu_reader_push(r, cpu_builder_slot(r->b, batch[i]));
		if (!scan_element(r->s, &is_first))
			return r->err->kind == ERR_NONE;
		if (scan_peek(r->s) == '{')
			builder_warn(r->b, WARN_ODD_CHILDREN, scan_offset(r->s));
		if (!cpu_nodes_id(r, &slot))
			return false;
		if (slot != SLOT_NONE)
			cpu_reader_push(r, slot);
	}
}

/* Read deoptReason or bailoutReason. An empty reason does not replace another one. */
static bool read_deopt(struct cpu_reader *r)
{
	struct str raw;
	struct buf text = { 0 };

	if (scan_peek(r->s) != '"')
		return scan_skip(r->s);
	if (!scan_raw(r->s, CPU_VALUE_MAX, &raw))
		return false;
	if (raw.len > 2 && json_tree_decode(raw.p, raw.len, &text)) {
		buf_clear(&r->deopt);
		buf_add(&r->deopt, buf_text(&text), text.len);
	}
	buf_done(&text);
	return true;
}

static bool read_call_frame(struct cpu_reader *r, struct node_parts *node)
{
	int64_t offset;
	struct str raw;

	node->has_frame = false;
	if (scan_peek(r->s) != '{')
		return scan_skip(r->s);
	offset = scan_offset(r->s);
	node->has_frame = true;
	return scan_raw(r->s, CPU_VALUE_MAX, &raw) &&
		cpu_frames_of_text(r, raw, offset, &node->frame);
}

/* Collect a member of a call frame that the node has itself, without a callFrame. */
static bool read_bare(struct cpu_reader *r, struct str key, struct node_parts *node)
{
	struct str raw;
	char name[16];

	snprintf(name, sizeof name, "%.*s", (int)key.len, key.p);
	if (!scan_raw(r->s, CPU_VALUE_MAX, &raw))
		return false;
	if (!node->has_bare)
		buf_clear(&r->bare);
	node->has_bare = true;
	node->has_name |= strcmp(name, "functionName") == 0;
	buf_addf(&r->bare, "%s\"%s\":", r->bare.len ? "," : "{", name);
	buf_add(&r->bare, raw.p, raw.len);
	return true;
}

static bool read_hits(struct cpu_reader *r, int64_t *hits)
{
	enum number_kind kind;
	bool is_text, one = true;

	if (scan_number_list(r->s, 0, hits, 1, &one) == 1)
		return true;
	return scan_number(r->s, 0, hits, &kind, &is_text);
}

static bool read_member(struct cpu_reader *r, struct str key, struct node_parts *node)
{
	if (str_is(key, "callFrame"))
		return read_call_frame(r, node);
	if (str_is(key, "id"))
		return cpu_nodes_id(r, &node->slot);
	if (str_is(key, "hitCount"))
		return read_hits(r, &node->hits);
	if (str_is(key, "children"))
		return read_children(r);
	if (str_is(key, "parent"))
		return cpu_nodes_id(r, &node->parent);
	if (str_is(key, "positionTicks"))
		return cpu_ticks_read(r);
	if (str_is(key, "deoptReason") || str_is(key, "bailoutReason"))
		return read_deopt(r);
	if (str_is(key, "functionName") || str_is(key, "scriptId") || str_is(key, "url") ||
	    str_is(key, "lineNumber") || str_is(key, "columnNumber"))
		return read_bare(r, key, node);
	return scan_skip(r->s);
}

static bool bare_frame(struct cpu_reader *r, struct node_parts *node, int64_t offset)
{
	struct str raw;

	buf_addc(&r->bare, '}');
	raw = (struct str){ buf_text(&r->bare), r->bare.len };
	return cpu_frames_of_text(r, raw, offset, &node->frame);
}

/* Pass a node with its children, ticks and reason to the builder. */
uint32_t cpu_nodes_emit(struct cpu_reader *r, uint32_t slot, uint32_t frame, int64_t hits,
			size_t first_child, int64_t offset, uint32_t parent)
{
	uint32_t node;

	node = cpu_builder_node(r->b, slot, frame, offset);
	cpu_builder_hits(r->b, node, hits);
	for (size_t i = first_child; i < r->n_children; i++)
		cpu_builder_child(r->b, node, r->children[i], offset);
	r->n_children = first_child;
	if (parent != SLOT_NONE)
		cpu_builder_parent(r->b, node, parent);
	for (size_t i = 0; i < r->n_ticks; i++)
		cpu_builder_ticks(r->b, node, r->ticks[i].line, r->ticks[i].ticks);
	r->n_ticks = 0;
	if (r->deopt.len)
		cpu_builder_deopt(r->b, node, buf_text(&r->deopt), r->deopt.len);
	buf_clear(&r->deopt);
	return node;
}

bool cpu_nodes_read(struct cpu_reader *r)
{
	struct node_parts node = { .slot = SLOT_NONE, .parent = SLOT_NONE };
	int64_t offset = scan_offset(r->s);
	bool is_first = true;
	struct str key;

	r->n_children = r->n_ticks = 0;
	if (cpu_builder_node_count(r->b) >= CPU_NODES_MAX)
		return error_set(r->err, ERR_LIMIT, offset, "more than %u nodes", CPU_NODES_MAX);
	if (!scan_open(r->s, '{'))
		return false;
	while (scan_key(r->s, &is_first, &key))
		if (!read_member(r, key, &node))
			return false;
	if (r->err->kind != ERR_NONE)
		return false;
	r->has_call_frame |= node.has_frame || node.has_name;
	if (!node.has_frame && node.has_bare) {
		if (!bare_frame(r, &node, offset))
			return false;
	} else if (!node.has_frame) {
		builder_warn(r->b, WARN_CALL_FRAME, offset);
		node.frame = cpu_builder_frame(r->b,
					       &(struct cpu_frame){ "", 0, "", 0, "", 0, -1, -1 });
	}
	if (node.slot == SLOT_NONE)
		builder_warn(r->b, WARN_NODE_ID, offset);
	cpu_nodes_emit(r, node.slot, node.frame, node.hits, 0, offset, node.parent);
	return true;
}

/* ==== cpu numbers ====
 *
 * Samples, times and lines of a CPU profile: millions of whole numbers, which are read in batches.
 * For a long list, a second thread passes a batch to the builder while the next one is read.
 * Elements that are not plain numbers are read one at a time, in their turn. */

#define BATCH 16384u
#define FEW 256u /* for a chunk in a trace */

struct numbers {
	struct cpu_reader *r;
	void (*pass)(struct cpu_reader *r, const int64_t *values, size_t n);
	int scale;
	int64_t start; /* offset of the list */
	size_t most;   /* in a batch */
	struct pipeline *pipeline;
	int64_t *values[PIPELINE_ITEMS];
	size_t n[PIPELINE_ITEMS];
};

static bool pass_item(void *ctx, unsigned item)
{
	struct numbers *all = ctx;

	all->pass(all->r, all->values[item], all->n[item]);
	return true;
}

static bool help_read(void *ctx)
{
	return stream_help(((struct numbers *)ctx)->r->s->stream);
}

/* Read plain numbers up to the first other element. */
static void read_plain(struct numbers *all, bool *is_first)
{
	struct scan *s = all->r->s;

	for (;;) {
		unsigned item;

		if (!all->pipeline && s->stream &&
		    stream_leaves_room(s->stream, scan_offset(s) - all->start))
			all->pipeline = pipeline_start(pass_item, help_read, all);
		item = all->pipeline ? pipeline_next(all->pipeline) : 0;
		if (!all->values[item])
			all->values[item] = xmalloc(BATCH * sizeof *all->values[item]);
		all->n[item] = scan_number_list(s, all->scale, all->values[item], all->most,
						is_first);
		if (all->n[item] == 0)
			break;
		if (all->pipeline)
			pipeline_pass(all->pipeline);
		else
			pass_item(all, item);
	}
	if (all->pipeline)
		pipeline_drain(all->pipeline);
}

/* Read a list from the byte after its bracket on. `odd` reads an element that is not a plain
 * number, and passes it to the builder. */
static bool read_list(struct cpu_reader *r, int scale,
		      void (*pass)(struct cpu_reader *r, const int64_t *values, size_t n),
		      bool (*odd)(struct cpu_reader *r))
{
	struct numbers all = { .r = r,
			       .pass = pass,
			       .scale = scale,
			       .start = scan_offset(r->s),
			       .most = r->s->stream ? BATCH : FEW };
	bool is_first = true, ok = true;
	int64_t few[FEW];

	all.values[0] = r->s->stream ? NULL : few;
	while (ok) {
		read_plain(&all, &is_first);
		if (!scan_element(r->s, &is_first))
			break;
		ok = odd(r);
	}
	pipeline_stop(all.pipeline);
	for (size_t i = 0; i < PIPELINE_ITEMS; i++)
		if (all.values[i] != few)
			free(all.values[i]);
	return ok && r->err->kind == ERR_NONE;
}

/* ---- samples ---- */

static void pass_samples(struct cpu_reader *r, const int64_t *values, size_t n)
{
	uint32_t slots[256];
	size_t usual = r->has_lines ? 0 : cpu_builder_samples_usual(r->b, values, n);

	for (size_t from = usual; from < n; from += ARRAY_LEN(slots)) {
		size_t some = n - from < ARRAY_LEN(slots) ? n - from : ARRAY_LEN(slots);

		for (size_t i = 0; i < some; i++)
			slots[i] = cpu_builder_slot(r->b, values[from + i]);
		cpu_builder_samples(r->b, slots, some);
		if (r->has_lines)
			cpu_ticks_slots(r, slots, some);
	}
}

static bool odd_sample(struct cpu_reader *r)
{
	uint32_t slot;

	r->sample_offset = scan_offset(r->s);
	if (!cpu_nodes_id(r, &slot))
		return false;
	if (slot == SLOT_NONE)
		builder_warn(r->b, WARN_ODD_SAMPLE, r->sample_offset);
	cpu_builder_samples(r->b, &slot, 1);
	if (r->has_lines)
		cpu_ticks_slots(r, &slot, 1);
	return true;
}

bool cpu_numbers_samples(struct cpu_reader *r)
{
	if (scan_peek(r->s) != '[')
		return scan_skip(r->s);
	return scan_open(r->s, '[') && read_list(r, 0, pass_samples, odd_sample);
}

/* ---- times ---- */

static void pass_deltas(struct cpu_reader *r, const int64_t *values, size_t n)
{
	cpu_builder_deltas(r->b, values, n);
}

static void pass_stamps(struct cpu_reader *r, const int64_t *values, size_t n)
{
	cpu_builder_timestamps(r->b, values, n);
}

/* *value: 0 for what is no number. *raw: its text, without quotation marks; empty for what is no
 * number. */
static bool odd_time(struct cpu_reader *r, int64_t *value, enum number_kind *kind, struct str *raw)
{
	int64_t offset = scan_offset(r->s);
	int c = scan_peek(r->s);
	bool is_text = c == '"';

	*value = 0;
	*kind = NUMBER_NONE;
	*raw = (struct str){ "", 0 };
	if (!is_text && c != '-' && !(c >= '0' && c <= '9')) {
		if (!scan_skip(r->s))
			return false;
	} else {
		if (!scan_raw(r->s, CPU_VALUE_MAX, raw))
			return false;
		if (is_text)
			*raw = (struct str){ raw->p + 1, raw->len - 2 };
		json_number_parse(raw->p, raw->len, 3, value, kind);
	}
	if (is_text && *kind != NUMBER_NONE)
		builder_warn(r->b, WARN_NUMBER_TEXT, offset);
	if (*kind == NUMBER_NONE)
		builder_warn(r->b, WARN_ODD_DELTA, offset);
	return true;
}

#define TWO_64 18446744073709551616.0

/* Whether a number may be a negative one in 64 bits without a sign; *less: how much it is less than
 * 0. A writer may have rounded it to a double, as 18446744073709552000. */
static bool is_unsigned(struct str raw, uint64_t *less)
{
	char copy[32], *end;
	unsigned long long exact;
	double v;

	if (raw.len >= sizeof copy)
		return false;
	memcpy(copy, raw.p, raw.len);
	copy[raw.len] = '\0';
	v = strtod(copy, &end);
	if (*end || v < TWO_64 / 2 || v > TWO_64)
		return false;
	errno = 0;
	exact = strtoull(copy, &end, 10);
	*less = *end || errno ? (uint64_t)(TWO_64 - v) : 0 - (uint64_t)exact;
	return true;
}

static bool odd_delta(struct cpu_reader *r)
{
	enum number_kind kind;
	uint64_t less;
	struct str raw;
	int64_t value;

	if (!odd_time(r, &value, &kind, &raw))
		return false;
	if (kind == NUMBER_HUGE && is_unsigned(raw, &less))
		cpu_builder_unsigned_delta(r->b, less);
	else
		pass_deltas(r, &value, 1);
	return true;
}

static bool odd_stamp(struct cpu_reader *r)
{
	enum number_kind kind;
	struct str raw;
	int64_t value;

	if (!odd_time(r, &value, &kind, &raw))
		return false;
	pass_stamps(r, &value, 1);
	return true;
}

bool cpu_numbers_times(struct cpu_reader *r, bool is_stamps)
{
	if (scan_peek(r->s) != '[')
		return scan_skip(r->s);
	return scan_open(r->s, '[') &&
		read_list(r, 3, is_stamps ? pass_stamps : pass_deltas,
			  is_stamps ? odd_stamp : odd_delta);
}

/* ---- lines of samples ---- */

static void pass_lines(struct cpu_reader *r, const int64_t *values, size_t n)
{
	cpu_ticks_lines(r, false, values, n);
}

static void pass_columns(struct cpu_reader *r, const int64_t *values, size_t n)
{
	cpu_ticks_lines(r, true, values, n);
}

/* What is no number takes its place as an unknown line. */
static bool odd_position(struct cpu_reader *r, bool is_columns)
{
	int64_t value;
	enum number_kind kind;
	bool is_text;

	if (!scan_number(r->s, 0, &value, &kind, &is_text))
		return false;
	cpu_ticks_lines(r, is_columns, &value, 1);
	return true;
}

static bool odd_line(struct cpu_reader *r)
{
	return odd_position(r, false);
}

static bool odd_column(struct cpu_reader *r)
{
	return odd_position(r, true);
}

bool cpu_numbers_lines(struct cpu_reader *r, bool is_columns)
{
	/* Of a member given twice the last one counts. */
	*(is_columns ? &r->columns.n : &r->lines.n) = 0;
	return scan_open(r->s, '[') &&
		read_list(r, 0, is_columns ? pass_columns : pass_lines,
			  is_columns ? odd_column : odd_line);
}

/* ==== cpu plain ==== */

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
	struct plain_node nodes[LIST_WALK_MAX];
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
