/* SPDX-License-Identifier: GPL-2.0-or-later */
/* V8 CPU profiles: `nodes` with `samples` and `timeDeltas`, in any order, and the old
 * nested `head` with `timestamps`. The scanner walks the document; json-c sees each
 * distinct call frame once: its bytes are the key of a table, and of the hundred
 * thousands of nodes of a real profile all but some thousand are found there.
 *
 * A document that ends too early still gives a profile if its nodes are complete. */
#include "config.h"

#include "reader/cpu_reader.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 4096
#define FRAME_MOST ((size_t)256 << 20)
#define WRAPPER_DEPTH 8

/* ---- ids ---- */

/* A number that is written as 2E+1 or 3.0 but is whole. */
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

bool cpu_reader_id(struct cpu_reader *r, uint32_t *slot)
{
	struct slice raw;
	int64_t value;
	bool is_first = true;

	*slot = SLOT_NONE;
	if (scan_integers(r->s, 0, &value, 1, &is_first) == 1) {
		*slot = builder_cpu_slot(r->b, value);
		return true;
	}
	switch (scan_peek(r->s)) {
	case '"': {
		struct buf text = { 0 };

		if (!scan_raw(r->s, FRAME_MOST, &raw))
			return false;
		if (json_text_decode(raw.p, raw.len, &text))
			*slot = builder_cpu_slot_text(r->b, buf_text(&text), text.len);
		buf_done(&text);
		return true;
	}
	case '-': case '0': case '1': case '2': case '3': case '4':
	case '5': case '6': case '7': case '8': case '9':
		if (!scan_raw(r->s, FRAME_MOST, &raw))
			return false;
		if (strcspn(raw.p, ".eE,]} \t\r\n") >= raw.len)
			*slot = builder_cpu_slot_text(r->b, raw.p, raw.len);
		else if (whole_number(raw.p, raw.len, &value))
			*slot = builder_cpu_slot(r->b, value);
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
	bool has_frame, has_bare;
};

static bool read_children(struct cpu_reader *r)
{
	int64_t batch[64];
	bool is_first = true;
	int c = scan_peek(r->s);
	size_t n;

	if (c != '[') {
		if (c != 'n')
			builder_warn(r->b, WARN_ODD_CHILDREN, scan_offset(r->s));
		return scan_skip(r->s);
	}
	if (!scan_open(r->s, '['))
		return false;
	for (;;) {
		uint32_t slot;

		while ((n = scan_integers(r->s, 0, batch, ARRAY_LEN(batch), &is_first)) > 0)
			for (size_t i = 0; i < n; i++)
				cpu_reader_push(r, builder_cpu_slot(r->b, batch[i]));
		if (!scan_element(r->s, &is_first))
			return r->err->kind == ERR_NONE;
		if (scan_peek(r->s) == '{')
			builder_warn(r->b, WARN_ODD_CHILDREN, scan_offset(r->s));
		if (!cpu_reader_id(r, &slot))
			return false;
		if (slot != SLOT_NONE)
			cpu_reader_push(r, slot);
	}
}

/* deoptReason and bailoutReason: kept only where there is one. */
static bool read_deopt(struct cpu_reader *r)
{
	struct slice raw;
	struct buf text = { 0 };

	if (scan_peek(r->s) != '"')
		return scan_skip(r->s);
	if (!scan_raw(r->s, FRAME_MOST, &raw))
		return false;
	if (raw.len > 2 && json_text_decode(raw.p, raw.len, &text)) {
		buf_clear(&r->deopt);
		buf_add(&r->deopt, buf_text(&text), text.len);
	}
	buf_done(&text);
	return true;
}

static bool read_call_frame(struct cpu_reader *r, struct node_parts *node)
{
	int64_t offset;
	struct slice raw;

	if (scan_peek(r->s) != '{')
		return scan_skip(r->s);
	offset = scan_offset(r->s);
	node->has_frame = true;
	return scan_raw(r->s, FRAME_MOST, &raw) && cpu_frames_of_text(r, raw, offset, &node->frame);
}

/* A call frame's member that stands on the node itself. */
static bool read_bare(struct cpu_reader *r, struct slice key, struct node_parts *node)
{
	struct slice raw;
	char name[16];

	snprintf(name, sizeof name, "%.*s", (int)key.len, key.p);
	if (!scan_raw(r->s, FRAME_MOST, &raw))
		return false;
	if (!node->has_bare)
		buf_clear(&r->bare);
	node->has_bare = true;
	buf_addf(&r->bare, "%s\"%s\":", r->bare.len ? "," : "{", name);
	buf_add(&r->bare, raw.p, raw.len);
	return true;
}

static bool read_hits(struct cpu_reader *r, int64_t *hits)
{
	enum number_kind kind;
	bool is_text, one = true;

	if (scan_integers(r->s, 0, hits, 1, &one) == 1)
		return true;
	return scan_number(r->s, 0, hits, &kind, &is_text);
}

static bool read_member(struct cpu_reader *r, struct slice key, struct node_parts *node)
{
	if (cpu_reader_is_key(key, "callFrame"))
		return read_call_frame(r, node);
	if (cpu_reader_is_key(key, "id"))
		return cpu_reader_id(r, &node->slot);
	if (cpu_reader_is_key(key, "hitCount"))
		return read_hits(r, &node->hits);
	if (cpu_reader_is_key(key, "children"))
		return read_children(r);
	if (cpu_reader_is_key(key, "parent"))
		return cpu_reader_id(r, &node->parent);
	if (cpu_reader_is_key(key, "positionTicks"))
		return cpu_reader_ticks(r);
	if (cpu_reader_is_key(key, "deoptReason") || cpu_reader_is_key(key, "bailoutReason"))
		return read_deopt(r);
	if (cpu_reader_is_key(key, "functionName") || cpu_reader_is_key(key, "scriptId") || cpu_reader_is_key(key, "url") || cpu_reader_is_key(key, "lineNumber") || cpu_reader_is_key(key, "columnNumber"))
		return read_bare(r, key, node);
	return scan_skip(r->s);
}

static bool bare_frame(struct cpu_reader *r, struct node_parts *node, int64_t offset)
{
	struct slice raw;

	buf_addc(&r->bare, '}');
	raw = (struct slice){ buf_text(&r->bare), r->bare.len };
	return cpu_frames_of_text(r, raw, offset, &node->frame);
}

/* Pass a node with all that belongs to it to the builder. */
void cpu_reader_emit(struct cpu_reader *r, uint32_t slot, uint32_t frame, int64_t hits, size_t first_child, int64_t offset, uint32_t parent)
{
	uint32_t node;

	node = builder_cpu_node(r->b, slot, frame, offset);
	builder_cpu_hits(r->b, node, hits);
	for (size_t i = first_child; i < r->n_children; i++)
		builder_cpu_child(r->b, node, r->children[i], offset);
	r->n_children = first_child;
	if (parent != SLOT_NONE)
		builder_cpu_parent(r->b, node, parent);
	for (size_t i = 0; i < r->n_ticks; i++)
		builder_cpu_ticks(r->b, node, r->ticks[i].line, r->ticks[i].ticks);
	r->n_ticks = 0;
	if (r->deopt.len)
		builder_cpu_deopt(r->b, node, buf_text(&r->deopt), r->deopt.len);
	buf_clear(&r->deopt);
}

static bool read_node(struct cpu_reader *r)
{
	struct node_parts node = { .slot = SLOT_NONE, .parent = SLOT_NONE };
	int64_t offset = scan_offset(r->s);
	bool is_first = true;
	struct slice key;

	r->n_children = r->n_ticks = 0;
	if (builder_cpu_node_count(r->b) >= CPU_NODES_MAX)
		return error_set(r->err, ERR_LIMIT, offset, "more than %u nodes", CPU_NODES_MAX);
	if (!scan_open(r->s, '{'))
		return false;
	while (scan_key(r->s, &is_first, &key))
		if (!read_member(r, key, &node))
			return false;
	if (r->err->kind != ERR_NONE)
		return false;
	if (!node.has_frame && node.has_bare) {
		if (!bare_frame(r, &node, offset))
			return false;
	} else if (!node.has_frame) {
		builder_warn(r->b, WARN_CALL_FRAME, offset);
		node.frame = builder_cpu_frame(r->b, "", 0, "", 0, "", 0, -1, -1);
	}
	if (node.slot == SLOT_NONE)
		builder_warn(r->b, WARN_NODE_ID, offset);
	cpu_reader_emit(r, node.slot, node.frame, node.hits, 0, offset, node.parent);
	return true;
}

static bool read_nodes(struct cpu_reader *r)
{
	bool is_first = true;

	if (!scan_open(r->s, '['))
		return false;
	while (scan_element(r->s, &is_first)) {
		if (scan_peek(r->s) == '{') {
			if (!read_node(r))
				return false;
			continue;
		}
		builder_warn(r->b, WARN_ODD_NODE, scan_offset(r->s));
		if (!scan_skip(r->s))
			return false;
	}
	return r->err->kind == ERR_NONE;
}

/* ---- samples and times ---- */

static bool read_samples(struct cpu_reader *r)
{
	bool is_first = true;

	builder_cpu_clear_samples(r->b);
	if (scan_peek(r->s) != '[')
		return scan_skip(r->s);
	if (!scan_open(r->s, '['))
		return false;
	for (;;) {
		uint32_t slot;
		size_t n;

		while ((n = scan_integers(r->s, 0, r->batch, BATCH, &is_first)) > 0) {
			for (size_t i = 0; i < n; i++)
				r->slots[i] = builder_cpu_slot(r->b, r->batch[i]);
			builder_cpu_samples(r->b, r->slots, n);
		}
		if (!scan_element(r->s, &is_first))
			return r->err->kind == ERR_NONE;
		r->sample_offset = scan_offset(r->s);
		if (!cpu_reader_id(r, &slot))
			return false;
		if (slot == SLOT_NONE)
			builder_warn(r->b, WARN_ODD_SAMPLE, r->sample_offset);
		builder_cpu_samples(r->b, &slot, 1);
	}
}

static bool read_times(struct cpu_reader *r, bool is_stamps)
{
	void (*pass)(struct builder *, const int64_t *, size_t) = is_stamps ? builder_cpu_timestamps : builder_cpu_deltas;
	bool is_first = true;

	builder_cpu_clear_times(r->b, is_stamps);
	if (scan_peek(r->s) != '[')
		return scan_skip(r->s);
	if (!scan_open(r->s, '['))
		return false;
	for (;;) {
		enum number_kind kind;
		int64_t value, offset;
		bool is_text;
		size_t n;

		while ((n = scan_integers(r->s, 3, r->batch, BATCH, &is_first)) > 0)
			pass(r->b, r->batch, n);
		if (!scan_element(r->s, &is_first))
			return r->err->kind == ERR_NONE;
		offset = scan_offset(r->s);
		if (!scan_number(r->s, 3, &value, &kind, &is_text))
			return false;
		if (is_text)
			builder_warn(r->b, WARN_NUMBER_TEXT, offset);
		if (kind == NUMBER_NONE) {
			builder_warn(r->b, WARN_ODD_DELTA, offset);
			value = 0;
		}
		pass(r->b, &value, 1);
	}
}

/* Keep startTime or endTime as text. What is longer than the room is no time. */
static bool read_time(struct cpu_reader *r, char out[64])
{
	struct slice raw;
	int c = scan_peek(r->s);

	out[0] = '\0';
	if (c != '"' && c != '-' && !(c >= '0' && c <= '9'))
		return scan_skip(r->s);
	if (!scan_raw(r->s, FRAME_MOST, &raw))
		return false;
	if (c == '"')
		raw = (struct slice){ raw.p + 1, raw.len - 2 };
	if (raw.len < 64) {
		memcpy(out, raw.p, raw.len);
		out[raw.len] = '\0';
	}
	return true;
}

/* ---- the document ---- */

static bool read_members(struct cpu_reader *r, int depth);

static bool read_top_member(struct cpu_reader *r, struct slice key, int depth)
{
	if (cpu_reader_is_key(key, "nodes")) {
		r->has_nodes = true;
		r->is_complete = false;
		if (!read_nodes(r))
			return false;
		return r->is_complete = true;
	}
	if (cpu_reader_is_key(key, "head") && scan_peek(r->s) == '{') {
		r->has_nodes = r->is_head = true;
		if (!cpu_reader_head(r))
			return false;
		return r->is_complete = true;
	}
	if (cpu_reader_is_key(key, "samples"))
		return read_samples(r);
	if (cpu_reader_is_key(key, "timeDeltas"))
		return read_times(r, false);
	if (cpu_reader_is_key(key, "timestamps"))
		return read_times(r, true);
	if (cpu_reader_is_key(key, "startTime"))
		return read_time(r, r->start);
	if (cpu_reader_is_key(key, "endTime"))
		return read_time(r, r->end);
	if (depth < WRAPPER_DEPTH && !r->has_nodes && shape_is_wrapper(key.p, key.len) && scan_peek(r->s) == '{')
		return read_members(r, depth + 1);
	return scan_skip(r->s);
}

static bool read_members(struct cpu_reader *r, int depth)
{
	bool is_first = true;
	struct slice key;

	if (!scan_open(r->s, '{'))
		return false;
	while (scan_key(r->s, &is_first, &key))
		if (!read_top_member(r, key, depth))
			return false;
	return r->err->kind == ERR_NONE;
}

static void pass_time(struct cpu_reader *r, const char *text, void (*pass)(struct builder *, int64_t))
{
	enum number_kind kind;
	int64_t ns;

	/* The old format has seconds there. */
	if (!json_number_parse(text, strlen(text), r->is_head ? 9 : 3, &ns, &kind))
		return;
	if (kind == NUMBER_HUGE)
		builder_warn(r->b, WARN_TIME_RANGE, -1);
	else
		pass(r->b, ns);
}

/* One object with a profile in it becomes a lane. *is_cut: the document ended in it, but
 * its nodes were complete. */
static bool read_profile(struct cpu_reader *r, const struct file_facts *facts, bool *is_cut)
{
	int64_t from = scan_offset(r->s);
	bool ok;

	builder_cpu_begin(r->b);
	cpu_frames_reset(r);
	r->has_nodes = r->is_complete = r->is_head = false;
	r->start[0] = r->end[0] = '\0';
	r->n_children = r->n_ticks = 0;
	ok = read_members(r, 0);
	if (!ok && r->s->is_cut && r->err->kind == ERR_SYNTAX && r->is_complete) {
		builder_warn_text(r->b, WARN_CUT_OFF, r->err->offset, r->err->text);
		*r->err = (struct error)ERROR_INIT;
		*is_cut = ok = true;
	}
	if (!ok)
		return false;
	if (!r->has_nodes)
		return error_set(r->err, ERR_FORMAT, from, "the profile has no nodes");
	pass_time(r, r->start, builder_cpu_start_time);
	pass_time(r, r->end, builder_cpu_end_time);
	/* All nodes are read, and building needs memory. */
	cpu_frames_done(r);
	if (builder_cpu_end(r->b, facts->pid, facts->tid, r->err))
		return true;
	if (r->err->offset < 0)
		r->err->offset = from;
	return false;
}

/* What stands behind the document: another profile, or something that is ignored. */
static bool read_rest(struct cpu_reader *r, const struct file_facts *facts)
{
	int64_t from;
	struct error rest = ERROR_INIT, *own = r->err;
	bool is_cut = false;
	char detail[64];
	int c;

	while ((c = scan_peek(r->s)) == '{') {
		from = scan_offset(r->s);
		r->err = r->s->err = &rest;
		if (!read_profile(r, facts, &is_cut)) {
			builder_cpu_drop(r->b);
			if (rest.kind == ERR_SYNTAX || rest.kind == ERR_FORMAT)
				builder_warn_text(r->b, WARN_TRAILING, from, rest.text);
			else
				*own = rest;
			break;
		}
		builder_warn(r->b, WARN_SECOND_PROFILE, from);
		if (is_cut)
			break;
	}
	r->err = r->s->err = own;
	if (c == 0 || c == '{')
		return own->kind == ERR_NONE;
	from = scan_offset(r->s);
	while (scan_peek(r->s) && own->kind == ERR_NONE)
		r->s->p = r->s->end;
	snprintf(detail, sizeof detail, "%" PRId64 " bytes", scan_offset(r->s) - from);
	builder_warn_text(r->b, WARN_TRAILING, from, detail);
	return own->kind == ERR_NONE;
}

static bool read_document(struct cpu_reader *r, const struct file_facts *facts)
{
	bool is_first = true, is_cut = false;
	int64_t from = 0;
	size_t n = 0;

	if (scan_peek(r->s) == '{')
		return read_profile(r, facts, &is_cut) && (is_cut || read_rest(r, facts));
	if (!scan_open(r->s, '['))
		return false;
	while (!is_cut && scan_element(r->s, &is_first)) {
		if (scan_peek(r->s) != '{') {
			builder_warn(r->b, WARN_ODD_NODE, scan_offset(r->s));
			if (!scan_skip(r->s))
				return false;
			continue;
		}
		from = scan_offset(r->s);
		if (!read_profile(r, facts, &is_cut)) {
			builder_cpu_drop(r->b);
			break;
		}
		n++;
	}
	/* What is good stays: a later element that is none, or the end of the file, is a warning. */
	if (n > 0 && (r->err->kind == ERR_SYNTAX || r->err->kind == ERR_FORMAT)) {
		builder_warn_text(r->b, WARN_CUT_OFF, from, r->err->text);
		*r->err = (struct error)ERROR_INIT;
		return true;
	}
	if (n == 0 && r->err->kind == ERR_NONE)
		return error_set(r->err, ERR_FORMAT, 0, "the array holds no profile");
	return r->err->kind == ERR_NONE && (is_cut || read_rest(r, facts));
}

static int cpuprofile_sniff(const struct shape *shape)
{
	if (shape_has(shape, "traceEvents", '['))
		return 0;
	if (shape_has_list(shape, "nodes", "{"))
		return 90;
	if (shape_has(shape, "head", '{') && !shape_has(shape, "head.selfSize", 0) && !shape_has(shape, "head.callFrame", 0))
		return 80;
	/* Nothing but long arrays so far: the nodes come behind them. */
	if (!shape->is_whole && !shape_has(shape, "stacks", 0) &&
	    (shape_has_list(shape, "timeDeltas", "-0123456789\"") || shape_has_list(shape, "samples", "-0123456789\"")))
		return 30;
	return 0;
}

static bool cpuprofile_read(struct scan *s, struct builder *b, const struct file_facts *facts, struct error *err)
{
	struct cpu_reader r = { .s = s, .b = b, .err = err };
	bool ok;

	r.tok = json_tokener_new_ex(JSON_TEXT_DEPTH);
	r.batch = xmalloc(BATCH * sizeof *r.batch);
	r.slots = xmalloc(BATCH * sizeof *r.slots);
	ok = read_document(&r, facts);
	json_tokener_free(r.tok);
	cpu_frames_done(&r);
	buf_done(&r.bare);
	buf_done(&r.deopt);
	free(r.batch);
	free(r.slots);
	free(r.children);
	free(r.ticks);
	return ok;
}

const struct reader reader_cpuprofile = {
	"cpuprofile", "V8 CPU profile (.cpuprofile of Node.js, Chrome, Deno, Bun; also the old nested form)",
	cpuprofile_sniff, cpuprofile_read,
};
