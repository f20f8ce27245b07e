/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes that are nested in `head`: the old form of CPU profiles, of Chrome up to 57 and Node.js up
 * to 6, and the form of heap profiles. The nesting is as deep as the profile's stacks, so open
 * nodes are on a stack in the heap. A node is passed to the builder when it is complete, after its
 * children, because its id may follow them. Ids only say which node a sample is of: of nodes with
 * one id, it is the one that ends first.
 *
 * The old form has no call frames: nodes have their members. Lines and columns count from 1, except
 * where the root's lineNumber is -1. Heap profiles have call frames, as CPU profiles of today. */
#include "config.h"

#include "read/cpu/cpu_reader.h"

#include "base/alloc.h"
#include "base/json/json_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_MOST_DEPTH 1000000u
#define VALUE_MOST ((size_t)256 << 20)

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
	if (st->n >= HEAD_MOST_DEPTH)
		return error_set(r->err, ERR_LIMIT, scan_offset(r->s),
				 "calls nested deeper than %u", HEAD_MOST_DEPTH);
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
	if (!scan_raw(r->s, VALUE_MOST, &raw))
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
	return scan_raw(r->s, CPU_VALUE_MOST, &raw) &&
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
static bool step(struct cpu_reader *r, struct head_stack *st)
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
		ok = step(r, &st);
	while (st.n > 0)
		buf_done(&st.nodes[--st.n].members);
	free(st.nodes);
	r->n_children = 0;
	return ok;
}
