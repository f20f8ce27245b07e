/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads nodes of a CPU profile in any form, with the scanner. cpu_plain.c reads the common form
 * faster. */
#include "config.h"

#include "read/cpu/cpu_reader.h"

#include "base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

		if (!scan_raw(r->s, CPU_VALUE_MOST, &raw))
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
		if (!scan_raw(r->s, CPU_VALUE_MOST, &raw))
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
	if (!scan_raw(r->s, CPU_VALUE_MOST, &raw))
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
	return scan_raw(r->s, CPU_VALUE_MOST, &raw) &&
		cpu_frames_of_text(r, raw, offset, &node->frame);
}

/* Collect a member of a call frame that the node has itself, without a callFrame. */
static bool read_bare(struct cpu_reader *r, struct str key, struct node_parts *node)
{
	struct str raw;
	char name[16];

	snprintf(name, sizeof name, "%.*s", (int)key.len, key.p);
	if (!scan_raw(r->s, CPU_VALUE_MOST, &raw))
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
