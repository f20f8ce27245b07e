/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads lists of nodes (list_walk.h). A plain node, as V8 writes it, has the members below, each
 * once, whole numbers, and a call frame without nested values. It is taken apart here;
 * read_node() reads any other node. To take another member apart, add a bit, a row in
 * member_of(), a case in take_member(), and its use in keep_node(). */
#include "config.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/json/list_walk.h"
#include "read/cpu/cpuprofile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== cpu frames ====
 *
 * Call frames of CPU profiles: an index table finds the builder's frame by the bytes of a call
 * frame. A new call frame is decoded: here, when it has only the five known members, texts without
 * escapes and whole numbers; as a tree, when it has anything else. */

#define CACHE_LINE 64u
#define PREFETCH_MAX (4 * CACHE_LINE) /* bytes of a text; the processor itself reads on */

static struct cpu_texts *texts_of(struct cpu_reader *r)
{
	return r->keeps_texts ? cpu_builder_texts(r->b) : &r->texts;
}

/* The members of a call frame. A missing text is empty, a missing number is -1. */
struct frame_parts {
	struct str text[3]; /* functionName, url, scriptId */
	int64_t number[2];  /* lineNumber, columnNumber */
};

static uint32_t add_parts(struct cpu_reader *r, const struct frame_parts *f, int64_t line_base)
{
	int64_t line = f->number[0] >= line_base ? f->number[0] - line_base : -1;
	int64_t column = f->number[1] >= line_base ? f->number[1] - line_base : -1;

	return cpu_builder_frame(r->b,
				 &(struct cpu_frame){ f->text[0].p, f->text[0].len, f->text[1].p,
						      f->text[1].len, f->text[2].p, f->text[2].len,
						      line, column });
}

/* ---- the plain form ---- */

static const char *pass_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
		p++;
	return p;
}

/* Each of these functions passes blanks and then one token at p, and returns its end. NULL: the
 * token has another form. */
static const char *plain_text(const char *p, const char *end, struct str *out)
{
	p = pass_blanks(p, end);
	if (p == end || *p++ != '"')
		return NULL;
	out->p = p;
	for (; p < end && *p != '"'; p++)
		if (*p == '\\' || (unsigned char)*p < 0x20)
			return NULL;
	out->len = (size_t)(p - out->p);
	return p < end ? p + 1 : NULL;
}

static const char *plain_integer(const char *p, const char *end, int64_t *out)
{
	bool is_negative;
	int64_t v = 0;
	int n = 0;

	p = pass_blanks(p, end);
	is_negative = p < end && *p == '-';
	for (p += is_negative; p < end && *p >= '0' && *p <= '9' && n < 16; p++, n++)
		v = v * 10 + (*p - '0');
	*out = is_negative ? -v : v;
	/* No leading zero, and no minus before a zero. The caller checks what follows. */
	return n == 0 || (p[-n] == '0' && (n > 1 || is_negative)) ? NULL : p;
}

static const char *plain_sign(const char *p, const char *end, char sign)
{
	p = pass_blanks(p, end);
	return p < end && *p == sign ? p + 1 : NULL;
}

static const char *plain_member(const char *p, const char *end, struct frame_parts *f)
{
	static const char *const name[] = { "functionName", "url", "scriptId", "lineNumber",
					    "columnNumber" };
	struct str key;
	size_t which = 0;

	p = plain_text(p, end, &key);
	while (p && which < ARRAY_LEN(name) && !str_is(key, name[which]))
		which++;
	/* Of two members with one name the last counts, as in a tree. */
	if (!p || which == ARRAY_LEN(name))
		return NULL;
	p = plain_sign(p, end, ':');
	if (!p)
		return NULL;
	return which < 3 ? plain_text(p, end, &f->text[which])
			 : plain_integer(p, end, &f->number[which - 3]);
}

static bool plain_frame(struct str raw, struct frame_parts *f)
{
	const char *p = raw.p + 1, *end = raw.p + raw.len, *next;

	*f = (struct frame_parts){ { { "", 0 }, { "", 0 }, { "", 0 } }, { -1, -1 } };
	for (;;) {
		p = plain_member(p, end, f);
		if (!p)
			return false;
		next = plain_sign(p, end, ',');
		if (!next)
			return plain_sign(p, end, '}') == end;
		p = next;
	}
}

/* ---- any form ---- */

uint32_t cpu_frames_add(struct cpu_reader *r, const struct json_value *o, int64_t line_base)
{
	struct frame_parts f = { .number = { -1, -1 } };

	json_tree_text(o, "functionName", &f.text[0].p, &f.text[0].len);
	json_tree_text(o, "url", &f.text[1].p, &f.text[1].len);
	json_tree_text(o, "scriptId", &f.text[2].p, &f.text[2].len);
	json_tree_integer(o, "lineNumber", &f.number[0]);
	json_tree_integer(o, "columnNumber", &f.number[1]);
	return add_parts(r, &f, line_base);
}

static bool decode(struct cpu_reader *r, struct str raw, int64_t offset, uint32_t *frame)
{
	struct frame_parts f;
	const struct json_value *o;
	const char *why;
	size_t bad_at;

	if (plain_frame(raw, &f)) {
		*frame = add_parts(r, &f, 0);
		return true;
	}
	o = json_tree_parse(r->tree, raw, &bad_at, &why);
	if (!o)
		return error_set(r->err, ERR_SYNTAX, offset + (int64_t)bad_at, "bad call frame: %s",
				 why);
	*frame = cpu_frames_add(r, o, 0);
	return true;
}

/* Prefetch what looking up a call frame with this hash will read. Each step needs what the step
 * before it has prefetched. */
enum prefetch_step { PREFETCH_SLOT, PREFETCH_ENTRY, PREFETCH_TEXT };

static void prefetch_frame(const struct cpu_texts *texts, uint64_t hash, enum prefetch_step step)
{
	struct hash_probe probe = hash_probe(hash);
	const struct cpu_text *t;

	if (step == PREFETCH_SLOT) {
		hash_table_prefetch(&texts->index, hash);
		return;
	}
	if (!hash_table_next(&texts->index, &probe))
		return;
	t = &texts->all[probe.index];
	if (step == PREFETCH_ENTRY) {
		__builtin_prefetch(t);
		return;
	}
	for (uint32_t at = 0; at < t->len && at < PREFETCH_MAX; at += CACHE_LINE)
		__builtin_prefetch(t->text + at);
}

/* Find or make the frame of a call frame's text, of which `hash` is the hash_bytes(). */
static bool frame_of(struct cpu_reader *r, struct str raw, uint64_t hash, int64_t offset,
		     uint32_t *frame)
{
	struct cpu_texts *texts = texts_of(r);
	struct hash_probe probe = hash_probe(hash);
	uint64_t n_repaired = cpu_builder_repairs(r->b);

	while (hash_table_next(&texts->index, &probe)) {
		const struct cpu_text *t = &texts->all[probe.index];

		if (t->len == raw.len && memcmp(t->text, raw.p, raw.len) == 0) {
			*frame = cpu_builder_text_frame(r->b, texts, probe.index);
			return true;
		}
	}
	if (!decode(r, raw, offset, frame))
		return false;
	texts->is_odd |= cpu_builder_repairs(r->b) != n_repaired;
	cpu_builder_text_add(texts, raw, hash, *frame);
	return true;
}

bool cpu_frames_read(struct cpu_reader *r, bool *has_frame, uint32_t *frame)
{
	int64_t offset;
	struct str raw;

	if (scan_peek(r->s) != '{')
		return scan_skip(r->s);
	offset = scan_offset(r->s);
	*has_frame = true;
	return scan_raw(r->s, CPU_VALUE_MAX, &raw) &&
		frame_of(r, raw, hash_bytes(raw.p, raw.len), offset, frame);
}

void cpu_frames_done(struct cpu_reader *r)
{
	struct cpu_texts *texts = texts_of(r);

	/* Those of the profiles before are kept. */
	if (!r->keeps_texts || texts->is_used)
		cpu_builder_texts_done(texts);
}

void cpu_frames_trim(struct cpu_reader *r)
{
	if (!r->keeps_texts || !cpu_builder_texts_are_few(texts_of(r)))
		cpu_frames_done(r);
}

/* ==== cpu nodes ====
 *
 * Reads nodes of a CPU profile in any form, with the scanner. "cpu plain" below reads the common
 * form faster. */

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
		BUF_LOCAL text = { 0 };

		if (!scan_raw(r->s, CPU_VALUE_MAX, &raw))
			return false;
		if (json_tree_decode(raw.p, raw.len, &text))
			*slot = cpu_builder_slot_text(r->b, buf_text(&text), text.len);
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

/* ---- ticks ---- */

/* Read a number, which nearly always is a plain one. */
static bool read_number(struct cpu_reader *r, int64_t *value)
{
	enum number_kind kind;
	bool is_text, one = true;

	return scan_number_list(r->s, 0, value, 1, &one) == 1 ||
		scan_number(r->s, 0, value, &kind, &is_text);
}

/* Note how many samples found a line executing. */
static void add_ticks(struct cpu_reader *r, int64_t line, int64_t ticks)
{
	if (line <= 0 || ticks <= 0) {
		builder_warn(r->b, WARN_ODD_TICKS, -1);
		return;
	}
	r->ticks = xgrow(r->ticks, &r->cap_ticks, r->n_ticks + 1, sizeof *r->ticks);
	r->ticks[r->n_ticks].line = line;
	r->ticks[r->n_ticks++].ticks = ticks;
}

/* Read positionTicks into r->ticks. */
static bool read_ticks(struct cpu_reader *r)
{
	bool first_entry = true;

	r->n_ticks = 0;
	if (scan_peek(r->s) != '[')
		return scan_skip(r->s);
	if (!scan_open(r->s, '['))
		return false;
	while (scan_element(r->s, &first_entry)) {
		int64_t line = 0, ticks = 0;
		bool first_key = true;
		struct str key;

		if (scan_peek(r->s) != '{') {
			builder_warn(r->b, WARN_ODD_TICKS, scan_offset(r->s));
			if (!scan_skip(r->s))
				return false;
			continue;
		}
		scan_open(r->s, '{');
		while (scan_key(r->s, &first_key, &key)) {
			bool is_line = str_is(key, "line"), is_ticks = str_is(key, "ticks");

			if (is_line || is_ticks ? !read_number(r, is_line ? &line : &ticks)
						: !scan_skip(r->s))
				return false;
		}
		if (r->err->kind != ERR_NONE)
			return false;
		add_ticks(r, line, ticks);
	}
	return r->err->kind == ERR_NONE;
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

static bool read_member(struct cpu_reader *r, struct str key, struct node_parts *node)
{
	if (str_is(key, "callFrame")) {
		node->has_frame = false;
		return cpu_frames_read(r, &node->has_frame, &node->frame);
	}
	if (str_is(key, "id"))
		return cpu_nodes_id(r, &node->slot);
	if (str_is(key, "hitCount"))
		return read_number(r, &node->hits);
	if (str_is(key, "children"))
		return read_children(r);
	if (str_is(key, "parent"))
		return cpu_nodes_id(r, &node->parent);
	if (str_is(key, "positionTicks"))
		return read_ticks(r);
	if (str_is(key, "deoptReason") || str_is(key, "bailoutReason")) {
		struct str raw;
		BUF_LOCAL text = { 0 };

		/* Read deoptReason or bailoutReason. An empty reason does not replace another one.
		 */
		if (scan_peek(r->s) != '"')
			return scan_skip(r->s);
		if (!scan_raw(r->s, CPU_VALUE_MAX, &raw))
			return false;
		if (raw.len > 2 && json_tree_decode(raw.p, raw.len, &text)) {
			buf_clear(&r->deopt);
			buf_add(&r->deopt, buf_text(&text), text.len);
		}
		return true;
	}
	if (str_is(key, "functionName") || str_is(key, "scriptId") || str_is(key, "url") ||
	    str_is(key, "lineNumber") || str_is(key, "columnNumber"))
		return read_bare(r, key, node);
	return scan_skip(r->s);
}

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

/* Read one node, with the scanner before its brace, into the profile of the builder. */
static bool read_node(struct cpu_reader *r)
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
		struct str raw;

		buf_addc(&r->bare, '}');
		raw = (struct str){ buf_text(&r->bare), r->bare.len };
		if (!frame_of(r, raw, hash_bytes(raw.p, raw.len), offset, &node.frame))
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
	struct plain_node *nodes; /* LIST_WALK_MAX; NULL: not used so far, as in a small file */
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

#define NUMBERS_FIRST 1024u /* room at once: most small files have fewer */

static void add_number(struct plain_batch *b, int64_t value)
{
	if (b->n_numbers >= b->cap_numbers)
		b->numbers = xgrow(b->numbers, &b->cap_numbers,
				   b->n_numbers ? b->n_numbers + 1 : NUMBERS_FIRST,
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

	if (!batch->nodes)
		batch->nodes = xmalloc(LIST_WALK_MAX * sizeof *batch->nodes);
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
	uint32_t slot, frame = 0, parent = SLOT_NONE;

	if (cpu_builder_node_count(r->b) >= CPU_NODES_MAX)
		return error_set(r->err, ERR_LIMIT, node->offset, "more than %u nodes",
				 CPU_NODES_MAX);
	r->has_call_frame = true;
	slot = cpu_builder_slot(r->b, node->id);
	if (!frame_of(r, node->frame, node->frame_hash, node->frame_offset, &frame))
		return false;
	for (size_t i = 0; i < node->n_children; i++)
		cpu_reader_push(r, cpu_builder_slot(r->b, b->numbers[node->first_child + i]));
	for (size_t i = 0; i < node->n_ticks; i++)
		add_ticks(r, b->numbers[node->first_ticks + 2 * i],
			  b->numbers[node->first_ticks + 2 * i + 1]);
	if (node->seen & SEEN_PARENT)
		parent = cpu_builder_slot(r->b, node->parent);
	cpu_nodes_emit(r, slot, frame, node->hits, 0, node->offset, parent);
	return true;
}

/* Looking up a call frame misses the cache up to six times when there are many. Prefetch for the
 * nodes that follow node i, each step some nodes after the one that it needs. */
static void prefetch_frames(const struct cpu_texts *texts, const struct plain_batch *b, size_t i,
			    size_t n)
{
	static const struct {
		size_t ahead;
		enum prefetch_step step;
	} steps[] = { { 36, PREFETCH_SLOT }, { 24, PREFETCH_ENTRY }, { 12, PREFETCH_TEXT } };

	for (size_t k = 0; k < ARRAY_LEN(steps); k++)
		if (i + steps[k].ahead < n)
			prefetch_frame(texts, b->nodes[i + steps[k].ahead].frame_hash,
				       steps[k].step);
}

static bool keep(void *ctx, unsigned b, size_t n)
{
	struct plain_list *list = ctx;
	struct plain_batch *batch = &list->batches[b];
	const struct cpu_texts *texts = texts_of(list->r);

	list->r->n_children = list->r->n_ticks = 0;
	for (size_t i = 0; batch->keep_hashes && i < n; i++) {
		struct plain_node *node = &batch->nodes[i];

		node->frame_hash = hash_bytes(node->frame.p, node->frame.len);
	}
	for (size_t i = 0; i < n; i++) {
		prefetch_frames(texts, batch, i, n);
		if (!keep_node(list->r, batch, &batch->nodes[i]))
			return false;
	}
	return true;
}

static bool read_element(struct cpu_reader *r)
{
	if (scan_peek(r->s) == '{')
		return read_node(r);
	builder_warn(r->b, WARN_ODD_NODE, scan_offset(r->s));
	return scan_skip(r->s);
}

static bool read(void *ctx)
{
	return read_element(((struct plain_list *)ctx)->r);
}

bool cpu_plain_read(struct cpu_reader *r)
{
	struct plain_list *list;
	bool ok;

	if (!scan_open(r->s, '['))
		return false;
	if (!r->s->stream) {
		bool is_first = true;

		/* Read the nodes of a chunk in a trace, which are few. */
		while (scan_element(r->s, &is_first))
			if (!read_element(r))
				return false;
		return r->err->kind == ERR_NONE;
	}
	list = xcalloc(1, sizeof *list);
	list->r = r;
	ok = list_walk(&(struct list_walk){ .s = r->s,
					    .begin = begin,
					    .take = take,
					    .keep = keep,
					    .read = read,
					    .ctx = list });
	for (size_t b = 0; b < LIST_WALK_BATCHES; b++) {
		free(list->batches[b].nodes);
		free(list->batches[b].numbers);
	}
	free(list);
	return ok;
}
