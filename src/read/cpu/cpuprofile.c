/* SPDX-License-Identifier: GPL-2.0-or-later */
/* V8 CPU profiles: `nodes` with `samples` and `timeDeltas`, in any order, or the old nested `head`
 * with `timestamps`. documents.c walks the file.
 *
 * Call frames are looked up in a table by their bytes ("cpu frames" below), so each distinct one is
 * decoded once: a profile with hundreds of thousands of nodes has a few thousand of them.
 *
 * A profile that is cut off is kept if its nodes are complete, or if the user stopped
 * loading. */
#include "config.h"

#include "read/cpu/cpuprofile.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/json/json_read.h"
#include "model/build/cpu_builder.h"
#include "read/documents.h"
#include "read/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== cpu reader ====
 *
 * Creates and frees the state that the files of the reader share, and reads what CPU and heap
 * profiles both have. */

/* A distinct call frame. */
struct frame_text {
	const char *text; /* its bytes, as in the file */
	uint32_t len;
	uint32_t frame; /* of cpu_builder_frame() */
};

/* Add the size of a node of a heap profile. */
static inline void cpu_reader_add_size(struct cpu_reader *r, uint32_t slot, uint32_t node,
				       int64_t size)
{
	if (r->n_sizes >= r->cap_sizes)
		r->sizes = xgrow(r->sizes, &r->cap_sizes, r->n_sizes + 1, sizeof *r->sizes);
	r->sizes[r->n_sizes++] = (struct heap_size){ slot, node, size };
}

void cpu_reader_init(struct cpu_reader *r)
{
	r->tree = xcalloc(1, sizeof *r->tree);
}

void cpu_reader_done(struct cpu_reader *r)
{
	if (r->tree)
		json_tree_done(r->tree);
	free(r->tree);
	cpu_frames_done(r);
	buf_done(&r->bare);
	buf_done(&r->deopt);
	free(r->children);
	free(r->ticks);
	free(r->line_slots);
	free(r->lines.all);
	free(r->columns.all);
	free(r->sizes);
}

static struct str text_of(const struct json_value *v, const char *name)
{
	struct str text;

	json_tree_text(v, name, &text.p, &text.len);
	return text;
}

bool cpu_reader_identity(struct cpu_reader *r)
{
	const struct json_value *v;
	const char *why;
	int64_t parent;
	struct str raw;
	size_t bad_at;

	if (scan_peek(r->s) != '{')
		return scan_skip(r->s);
	if (!scan_raw(r->s, CPU_VALUE_MAX, &raw))
		return false;
	v = json_tree_parse(r->tree, raw, &bad_at, &why);
	if (!json_tree_integer(v, "parent", &parent))
		parent = LANE_NO_ID;
	cpu_builder_identity(r->b, text_of(v, "process"), text_of(v, "thread"), parent);
	return true;
}

static bool is_usable(void *ctx, int64_t *offset);

/* ==== cpu ticks ====
 *
 * Reads how many samples found each line executing: positionTicks of a node in any form, and the
 * position of each sample of a chunk. */

void cpu_ticks_add(struct cpu_reader *r, int64_t line, int64_t ticks)
{
	if (line <= 0 || ticks <= 0) {
		builder_warn(r->b, WARN_ODD_TICKS, -1);
		return;
	}
	r->ticks = xgrow(r->ticks, &r->cap_ticks, r->n_ticks + 1, sizeof *r->ticks);
	r->ticks[r->n_ticks].line = line;
	r->ticks[r->n_ticks++].ticks = ticks;
}

bool cpu_ticks_read(struct cpu_reader *r)
{
	bool first_entry = true;

	r->n_ticks = 0;
	if (scan_peek(r->s) != '[')
		return scan_skip(r->s);
	if (!scan_open(r->s, '['))
		return false;
	while (scan_element(r->s, &first_entry)) {
		int64_t line = 0, ticks = 0, value;
		bool first_key = true, is_text;
		enum number_kind kind;
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
			bool one = true;

			if (!is_line && !is_ticks) {
				if (!scan_skip(r->s))
					return false;
				continue;
			}
			if (scan_number_list(r->s, 0, &value, 1, &one) == 0 &&
			    !scan_number(r->s, 0, &value, &kind, &is_text))
				return false;
			*(is_line ? &line : &ticks) = value;
		}
		if (r->err->kind != ERR_NONE)
			return false;
		cpu_ticks_add(r, line, ticks);
	}
	return r->err->kind == ERR_NONE;
}

void cpu_ticks_slots(struct cpu_reader *r, const uint32_t *slots, size_t n)
{
	r->line_slots = xgrow(r->line_slots, &r->cap_line_slots, r->n_line_slots + n,
			      sizeof *r->line_slots);
	memcpy(r->line_slots + r->n_line_slots, slots, n * sizeof *slots);
	r->n_line_slots += n;
}

void cpu_ticks_lines(struct cpu_reader *r, bool is_columns, const int64_t *values, size_t n)
{
	int64_t **all = is_columns ? &r->columns.all : &r->lines.all;
	size_t *have = is_columns ? &r->columns.n : &r->lines.n;

	*all = xgrow(*all, is_columns ? &r->columns.cap : &r->lines.cap, *have + n, sizeof **all);
	memcpy(*all + *have, values, n * sizeof *values);
	*have += n;
}

void cpu_ticks_pass(struct cpu_reader *r)
{
	for (size_t i = 0; i < r->n_line_slots && i < r->lines.n; i++)
		cpu_builder_line(r->b, r->line_slots[i], r->lines.all[i],
				 i < r->columns.n ? r->columns.all[i] : 0);
	r->n_line_slots = r->lines.n = r->columns.n = 0;
}

/* ==== cpu frames ====
 *
 * Call frames of CPU profiles: an index table finds the builder's frame by the bytes of a call
 * frame. A new call frame is decoded: here, when it has only the five known members, texts without
 * escapes and whole numbers; as a tree, when it has anything else. */

#define CACHE_LINE 64u
#define PREFETCH_MAX (4 * CACHE_LINE) /* bytes of a text; the processor itself reads on */

void cpu_frames_reset(struct cpu_reader *r)
{
	cpu_frames_done(r);
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

static uint32_t cpu_frames_add(struct cpu_reader *r, const struct json_value *o, int64_t line_base)
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

void cpu_frames_prefetch(const struct cpu_reader *r, uint64_t hash, enum cpu_frames_step step)
{
	struct hash_probe probe = hash_probe(hash);
	const struct frame_text *t;

	if (step == CPU_FRAMES_SLOT) {
		hash_table_prefetch(&r->frame_index, hash);
		return;
	}
	if (!hash_table_next(&r->frame_index, &probe))
		return;
	t = &r->frame_texts[probe.index];
	if (step == CPU_FRAMES_ENTRY) {
		__builtin_prefetch(t);
		return;
	}
	for (uint32_t at = 0; at < t->len && at < PREFETCH_MAX; at += CACHE_LINE)
		__builtin_prefetch(t->text + at);
}

bool cpu_frames_of_text(struct cpu_reader *r, struct str raw, int64_t offset, uint32_t *frame)
{
	return cpu_frames_of_hashed(r, raw, hash_bytes(raw.p, raw.len), offset, frame);
}

bool cpu_frames_of_hashed(struct cpu_reader *r, struct str raw, uint64_t hash, int64_t offset,
			  uint32_t *frame)
{
	struct hash_probe probe = hash_probe(hash);
	size_t n = r->n_frame_texts;

	while (hash_table_next(&r->frame_index, &probe)) {
		const struct frame_text *t = &r->frame_texts[probe.index];

		if (t->len == raw.len && memcmp(t->text, raw.p, raw.len) == 0) {
			*frame = t->frame;
			return true;
		}
	}
	if (!decode(r, raw, offset, frame))
		return false;
	r->frame_texts = xgrow(r->frame_texts, &r->cap_frame_texts, n + 1, sizeof *r->frame_texts);
	r->frame_texts[n] = (struct frame_text){ arena_copy(&r->texts, raw.p, raw.len),
						 (uint32_t)raw.len, *frame };
	hash_table_add(&r->frame_index, hash, (uint32_t)n);
	r->n_frame_texts++;
	return true;
}

void cpu_frames_done(struct cpu_reader *r)
{
	arena_done(&r->texts);
	free(r->frame_texts);
	hash_table_done(&r->frame_index);
	r->frame_texts = NULL;
	r->n_frame_texts = r->cap_frame_texts = 0;
}

/* ==== cpu head ====
 *
 * Nodes that are nested in `head`: the old form of CPU profiles, of Chrome up to 57 and Node.js up
 * to 6, and the form of heap profiles. The nesting is as deep as the profile's stacks, so open
 * nodes are on a stack in the heap. A node is passed to the builder when it is complete, after its
 * children, because its id may follow them. Ids only say which node a sample is of: of nodes with
 * one id, it is the one that ends first.
 *
 * The old form has no call frames: nodes have their members. Lines and columns count from 1, except
 * where the root's lineNumber is -1. Heap profiles have call frames, as CPU profiles of today. */

#define HEAD_MAX_DEPTH 1000000u
#define VALUE_MAX ((size_t)256 << 20)

struct head_node {
	uint32_t slot;
	int64_t hits;
	int64_t size;   /* of a heap profile: selfSize */
	uint32_t frame; /* of a call frame, if has_frame */
	bool has_frame;
	int64_t offset;
	size_t first_child; /* in r->children */
	struct buf members; /* those that are kept: an object without its closing brace, or "" */
	bool is_first_key;
	bool in_children;
	bool is_first_child;
};

struct head_stack {
	struct head_node *nodes;
	size_t n, cap;
	int64_t line_base; /* of the first line and column: 0 or 1 */
	uint32_t n_unnamed, n_same;
};

/* The slot of a node without an id, or with that of another node: nesting decides. */
static uint32_t own_slot(struct cpu_reader *r, const char *what, uint32_t number)
{
	char id[32];
	int len = snprintf(id, sizeof id, "%s %u", what, number);

	return cpu_builder_slot_text(r->b, id, (size_t)len);
}

static bool push_node(struct cpu_reader *r, struct head_stack *st)
{
	if (st->n >= HEAD_MAX_DEPTH)
		return error_set(r->err, ERR_LIMIT, scan_offset(r->s),
				 "calls nested deeper than %u", HEAD_MAX_DEPTH);
	if (cpu_builder_node_count(r->b) >= CPU_NODES_MAX)
		return error_set(r->err, ERR_LIMIT, scan_offset(r->s), "more than %u nodes",
				 CPU_NODES_MAX);
	st->nodes = xgrow(st->nodes, &st->cap, st->n + 1, sizeof *st->nodes);
	st->nodes[st->n++] = (struct head_node){ .slot = SLOT_NONE,
						 .offset = scan_offset(r->s),
						 .first_child = r->n_children,
						 .is_first_key = true };
	return scan_open(r->s, '{');
}

/* After a node's closing brace: pass the node to the builder, and add it to its parent's
 * children. */
static void finish_node(struct cpu_reader *r, struct head_stack *st)
{
	struct head_node *node = &st->nodes[st->n - 1];
	size_t first_child = node->first_child, bad_at;
	const struct json_value *members, *deopt;
	const char *why;
	uint32_t frame, at;

	buf_adds(&node->members, node->members.len ? "}" : "{}");
	members = json_tree_parse(r->tree,
				  (struct str){ buf_text(&node->members), node->members.len },
				  &bad_at, &why);
	frame = node->has_frame ? node->frame : cpu_frames_add(r, members, st->line_base);

	if (node->slot == SLOT_NONE) {
		node->slot = own_slot(r, "unnamed", ++st->n_unnamed);
	} else if (cpu_builder_has_node(r->b, node->slot)) {
		builder_warn(r->b, WARN_NESTED_ID, node->offset);
		if (!r->is_heap)
			cpu_builder_shared_id(r->b, node->slot);
		node->slot = own_slot(r, "same", ++st->n_same);
	}
	deopt = json_tree_find(members, "deoptReason");
	if (!deopt)
		deopt = json_tree_find(members, "bailoutReason");
	if (deopt)
		buf_adds(&r->deopt, deopt->text.p);
	at = cpu_nodes_emit(r, node->slot, frame, node->hits, first_child, node->offset, SLOT_NONE);
	if (r->is_heap)
		cpu_reader_add_size(r, node->slot, at, node->size);
	cpu_reader_push(r, node->slot);
	buf_done(&node->members);
	st->n--;
}

static bool read_value(struct cpu_reader *r, struct head_stack *st, const char *name)
{
	struct head_node *node = &st->nodes[st->n - 1];
	const struct json_value *v;
	struct str raw;
	int64_t offset = scan_offset(r->s);
	const char *why;
	size_t bad_at;
	int64_t line;

	if (scan_peek(r->s) == '{' || scan_peek(r->s) == '[')
		return scan_skip(r->s);
	if (!scan_raw(r->s, VALUE_MAX, &raw))
		return false;
	v = json_tree_parse(r->tree, raw, &bad_at, &why);
	if (!v)
		return error_set(r->err, ERR_SYNTAX, offset + (int64_t)bad_at, "bad call frame: %s",
				 why);
	if (st->n == 1 && strcmp(name, "lineNumber") == 0)
		st->line_base = json_tree_is_integer(v, &line) && line == -1 ? 0 : 1;
	buf_addf(&node->members, "%s\"%s\":", node->members.len ? "," : "{", name);
	buf_add(&node->members, raw.p, raw.len);
	return true;
}

/* Read a call frame. */
static bool read_call_frame(struct cpu_reader *r, struct head_node *node)
{
	int64_t offset;
	struct str raw;

	if (scan_peek(r->s) != '{')
		return scan_skip(r->s);
	offset = scan_offset(r->s);
	node->has_frame = true;
	return scan_raw(r->s, CPU_VALUE_MAX, &raw) &&
		cpu_frames_of_text(r, raw, offset, &node->frame);
}

/* Read the size of a node of a heap profile; 0 if it is not usable. */
static bool read_size(struct cpu_reader *r, struct head_node *node)
{
	int64_t offset = scan_offset(r->s);
	struct json_read_number size;

	if (!json_read_number(r->s, 0, PROFILE_TIME_MAX, &size))
		return false;
	if (!size.is_usable || size.value < 0)
		builder_warn(r->b, WARN_ODD_WEIGHT, offset);
	node->size = size.value > 0 ? size.value : 0;
	return true;
}

/* Read one member of the innermost open node. The caller reads its children. */
static bool read_head_member(struct cpu_reader *r, struct head_stack *st, struct str key)
{
	struct head_node *node = &st->nodes[st->n - 1];
	static const char *const kept[] = { "functionName", "scriptId",     "url",
					    "lineNumber",   "columnNumber", "deoptReason",
					    "bailoutReason" };
	enum number_kind kind;
	bool is_text;

	if (key.len == 2 && memcmp(key.p, "id", 2) == 0)
		return cpu_nodes_id(r, &node->slot);
	if (key.len == 8 && memcmp(key.p, "hitCount", 8) == 0)
		return scan_number(r->s, 0, &node->hits, &kind, &is_text);
	if (key.len == 8 && memcmp(key.p, "children", 8) == 0 && scan_peek(r->s) == '[') {
		node->in_children = node->is_first_child = true;
		return scan_open(r->s, '[');
	}
	if (r->is_heap && str_is(key, "callFrame"))
		return read_call_frame(r, node);
	if (r->is_heap && str_is(key, "selfSize"))
		return read_size(r, node);
	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		if (key.len == strlen(kept[i]) && memcmp(key.p, kept[i], key.len) == 0)
			return read_value(r, st, kept[i]);
	return scan_skip(r->s);
}

/* Read one member, the start of one child, or the end of a node. */
static bool step_head(struct cpu_reader *r, struct head_stack *st)
{
	struct head_node *node = &st->nodes[st->n - 1];
	struct str key;

	if (node->in_children) {
		if (scan_element(r->s, &node->is_first_child)) {
			if (scan_peek(r->s) == '{')
				return push_node(r, st);
			builder_warn(r->b, WARN_ODD_CHILDREN, scan_offset(r->s));
			return scan_skip(r->s);
		}
		node->in_children = false;
		return r->err->kind == ERR_NONE;
	}
	if (scan_key(r->s, &node->is_first_key, &key))
		return read_head_member(r, st, key);
	if (r->err->kind != ERR_NONE)
		return false;
	finish_node(r, st);
	return true;
}

bool cpu_head_read(struct cpu_reader *r)
{
	struct head_stack st = { .line_base = 1 };
	bool ok;

	r->n_children = r->n_ticks = 0;
	ok = push_node(r, &st);
	while (ok && st.n > 0)
		ok = step_head(r, &st);
	while (st.n > 0)
		buf_done(&st.nodes[--st.n].members);
	free(st.nodes);
	r->n_children = 0;
	return ok;
}

/* ==== cpuprofile ==== */

/* Keep startTime or endTime as text, because the unit may be known only later. A text that is
 * longer than `out` is not a time. */
static bool read_time(struct cpu_reader *r, char out[64])
{
	struct str raw;
	int c = scan_peek(r->s);

	out[0] = '\0';
	if (c != '"' && c != '-' && !(c >= '0' && c <= '9'))
		return scan_skip(r->s);
	if (!scan_raw(r->s, CPU_VALUE_MAX, &raw))
		return false;
	if (c == '"')
		raw = (struct str){ raw.p + 1, raw.len - 2 };
	if (raw.len < 64) {
		memcpy(out, raw.p, raw.len);
		out[raw.len] = '\0';
	}
	return true;
}

/* ---- the members of a profile ---- */

/* Forget the nodes of an earlier member. */
static void clear_nodes(struct cpu_reader *r)
{
	cpu_builder_clear_nodes(r->b);
	cpu_frames_reset(r);
	r->has_nodes = r->is_complete = r->is_head = r->has_call_frame = false;
}

static bool read_nodes(void *ctx)
{
	struct cpu_reader *r = ctx;

	clear_nodes(r);
	if (scan_peek(r->s) != '[')
		return scan_skip(r->s);
	r->has_nodes = true;
	return r->is_complete = cpu_plain_read(r);
}

static bool read_head(void *ctx)
{
	struct cpu_reader *r = ctx;

	if (scan_peek(r->s) != '{')
		return scan_skip(r->s);
	clear_nodes(r);
	r->has_nodes = r->is_head = true;
	if (!cpu_head_read(r))
		return false;
	return r->is_complete = true;
}

static bool read_samples(void *ctx)
{
	struct cpu_reader *r = ctx;

	cpu_builder_clear_samples(r->b);
	return cpu_numbers_samples(r);
}

static bool read_deltas(void *ctx)
{
	struct cpu_reader *r = ctx;

	cpu_builder_clear_times(r->b, false);
	return cpu_numbers_times(r, false);
}

static bool read_timestamps(void *ctx)
{
	struct cpu_reader *r = ctx;

	cpu_builder_clear_times(r->b, true);
	return cpu_numbers_times(r, true);
}

static bool read_start(void *ctx)
{
	struct cpu_reader *r = ctx;

	return read_time(r, r->start);
}

static bool read_end(void *ctx)
{
	struct cpu_reader *r = ctx;

	return read_time(r, r->end);
}

static bool read_identity(void *ctx)
{
	return cpu_reader_identity(ctx);
}

static const struct document_member members_cpuprofile[] = {
	{ "nodes", .read = read_nodes },
	{ "head", .read = read_head },
	{ "samples", .read = read_samples },
	{ "timeDeltas", .read = read_deltas },
	{ "timestamps", .read = read_timestamps },
	{ "startTime", .read = read_start },
	{ "endTime", .read = read_end },
	{ "flametty", .read = read_identity },
	{ .name = NULL },
};

/* ---- messages ---- */

/* Between replies with profiles, a log of the DevTools protocol has other messages. */
static bool read_other(void *ctx, struct str key)
{
	struct cpu_reader *r = ctx;
	struct str raw;

	r->is_message |= str_is(key, "method") || str_is(key, "id");
	if (!str_is(key, "method") || scan_peek(r->s) != '"')
		return scan_skip(r->s);
	if (!scan_raw(r->s, CPU_VALUE_MAX, &raw))
		return false;
	r->n_traces += str_is(raw, "\"Tracing.dataCollected\"");
	return true;
}

/* ---- a profile ---- */

static void pass_time(struct cpu_reader *r, const char *text,
		      void (*pass)(struct builder *, int64_t))
{
	enum number_kind kind;
	int64_t ns;

	/* The old form has seconds. */
	if (!json_number_parse(text, strlen(text), r->is_head ? 9 : 3, &ns, &kind))
		return;
	if (kind == NUMBER_HUGE)
		builder_warn(r->b, WARN_TIME_RANGE, -1);
	else
		pass(r->b, ns);
}

static bool is_found(void *ctx)
{
	const struct cpu_reader *r = ctx;

	return r->has_nodes;
}

static void begin(void *ctx)
{
	struct cpu_reader *r = ctx;

	cpu_builder_begin(r->b);
	cpu_frames_reset(r);
	r->has_nodes = r->is_complete = r->is_head = r->has_call_frame = r->is_message = false;
	r->start[0] = r->end[0] = '\0';
	r->n_children = r->n_ticks = 0;
}

/* If the user stopped loading while nodes were being read, keep them: their hit counts are
 * useful. */
static bool is_usable(void *ctx, int64_t *offset)
{
	const struct cpu_reader *r = ctx;

	(void)offset;
	return r->is_complete || (r->has_nodes && stream_is_stopped(r->s->stream));
}

static bool finish(void *ctx, int64_t offset)
{
	struct cpu_reader *r = ctx;

	if (!r->has_nodes && r->is_message && r->n_profiles > 0)
		return true;
	if (!r->has_nodes)
		return error_set(r->err, ERR_FORMAT, offset, "the profile has no nodes");
	if (!r->has_call_frame && !r->is_head && cpu_builder_node_count(r->b) > 0)
		return error_set(r->err, ERR_UNKNOWN, offset,
				 "JSON whose nodes have no call frames, as a model that an editor "
				 "computes from a profile; not a CPU profile");
	pass_time(r, r->start, cpu_builder_start_time);
	pass_time(r, r->end, cpu_builder_end_time);
	/* All nodes are read: free what building, which needs memory, does not need. */
	cpu_frames_done(r);
	if (r->s->stream)
		stream_trim(r->s->stream);
	if (cpu_builder_end(r->b, r->hints->pid, r->hints->tid, r->err)) {
		if (r->n_profiles++ > 0 && !r->is_list)
			builder_warn(r->b, WARN_SECOND_PROFILE, offset);
		return true;
	}
	if (r->err->offset < 0)
		r->err->offset = offset;
	return false;
}

static void drop(void *ctx)
{
	struct cpu_reader *r = ctx;

	cpu_builder_drop(r->b);
}

static int cpuprofile_sniff(const struct outline *outline)
{
	if (outline_has(outline, "traceEvents", '['))
		return 0;
	if (outline_has_list(outline, "nodes", "{"))
		return 90;
	if (outline_has(outline, "head", '{') && !outline_has(outline, "head.selfSize", 0) &&
	    !outline_has(outline, "head.callFrame", 0))
		return 80;
	/* Only long arrays so far. The nodes may follow them. */
	if (!outline->is_whole && !outline_has(outline, "stacks", 0) &&
	    (outline_has_list(outline, "timeDeltas", "-0123456789\"") ||
	     outline_has_list(outline, "samples", "-0123456789\"")))
		return 30;
	return 0;
}

static bool read_with(struct cpu_reader *r, bool (*read)(const struct documents *))
{
	const struct documents documents = { .s = r->s,
					     .b = r->b,
					     .err = &r->err,
					     .ctx = r,
					     .noun = "profile",
					     .members = members_cpuprofile,
					     .other = read_other,
					     .is_found = is_found,
					     .begin = begin,
					     .is_usable = is_usable,
					     .finish = finish,
					     .drop = drop,
					     .is_joined = true };
	bool ok;

	cpu_reader_init(r);
	ok = read(&documents);
	cpu_reader_done(r);
	return ok;
}

static bool cpuprofile_read(struct scan *s, struct builder *b, const struct file_hints *hints,
			    struct error *err)
{
	struct cpu_reader r = { .s = s, .b = b, .err = err, .hints = hints };

	r.is_list = scan_peek(s) == '[';
	if (!read_with(&r, documents_read))
		return false;
	if (r.n_traces)
		builder_input_note(b, true, "messages with events of a trace, not shown: %" PRIu64,
				   r.n_traces);
	return true;
}

bool cpuprofile_read_value(struct scan *s, struct builder *b, const struct file_hints *hints,
			   struct error *err)
{
	struct cpu_reader r = { .s = s, .b = b, .err = err, .hints = hints };

	return read_with(&r, documents_read_one);
}

const struct reader reader_cpuprofile = {
	"cpuprofile",
	"V8 CPU profile (.cpuprofile of Node.js, Chrome, Deno, Bun; also the old nested form)",
	cpuprofile_sniff,
	cpuprofile_read,
	NULL,
	NULL,
};
