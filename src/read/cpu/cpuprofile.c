/* SPDX-License-Identifier: GPL-2.0-or-later */
/* V8 CPU profiles: `nodes` with `samples` and `timeDeltas`, in any order, or the old nested `head`
 * with `timestamps`. documents.c walks the file.
 *
 * Call frames are looked up in a table by their bytes (cpu_plain.c), so each distinct one is
 * decoded once: a profile with hundreds of thousands of nodes has a few thousand of them.
 *
 * A profile that is cut off is kept if its nodes are complete, or if the user stopped
 * loading. */
#include "config.h"

#include "read/cpu/cpuprofile.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/json/json_read.h"
#include "base/thread.h"
#include "model/build/cpu_builder.h"
#include "read/documents.h"
#include "read/reader.h"
#include <errno.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== cpu reader ====
 *
 * Creates and frees the state that the files of the reader share, and reads what CPU and heap
 * profiles both have. */

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

bool cpu_reader_identity(void *ctx)
{
	struct cpu_reader *r = ctx;
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
	cpu_builder_identity(r->b, text_of(v, "process"), text_of(v, "thread"), text_of(v, "waits"),
			     parent);
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

/* Add samples and positions of a chunk while r->has_lines, in any order of members. */
static void add_slots(struct cpu_reader *r, const uint32_t *slots, size_t n)
{
	r->line_slots = xgrow(r->line_slots, &r->cap_line_slots, r->n_line_slots + n,
			      sizeof *r->line_slots);
	memcpy(r->line_slots + r->n_line_slots, slots, n * sizeof *slots);
	r->n_line_slots += n;
}

static void add_lines(struct cpu_reader *r, bool is_columns, const int64_t *values, size_t n)
{
	int64_t **all = is_columns ? &r->columns.all : &r->lines.all;
	size_t *have = is_columns ? &r->columns.n : &r->lines.n;

	*all = xgrow(*all, is_columns ? &r->columns.cap : &r->lines.cap, *have + n, sizeof **all);
	memcpy(*all + *have, values, n * sizeof *values);
	*have += n;
}

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
			add_slots(r, slots, some);
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
		add_slots(r, &slot, 1);
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
	add_lines(r, false, values, n);
}

static void pass_columns(struct cpu_reader *r, const int64_t *values, size_t n)
{
	add_lines(r, true, values, n);
}

/* What is no number takes its place as an unknown line. */
static bool odd_position(struct cpu_reader *r, bool is_columns)
{
	int64_t value;
	enum number_kind kind;
	bool is_text;

	if (!scan_number(r->s, 0, &value, &kind, &is_text))
		return false;
	add_lines(r, is_columns, &value, 1);
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

void cpu_numbers_pass_lines(struct cpu_reader *r)
{
	for (size_t i = 0; i < r->n_line_slots && i < r->lines.n; i++)
		cpu_builder_line(r->b, r->line_slots[i], r->lines.all[i],
				 i < r->columns.n ? r->columns.all[i] : 0);
	r->n_line_slots = r->lines.n = r->columns.n = 0;
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
	*ARRAY_ADD(st->nodes, st->n, st->cap) = (struct head_node){ .slot = SLOT_NONE,
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
	if (r->is_heap) {
		*ARRAY_ADD(r->sizes, r->n_sizes, r->cap_sizes) = (struct heap_size){ node->slot, at,
										     node->size };
	}
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
		return cpu_frames_read(r, &node->has_frame, &node->frame);
	if (r->is_heap && str_is(key, "selfSize")) {
		int64_t offset = scan_offset(r->s);
		struct json_read_number size;

		/* Read the size of a node of a heap profile; 0 if it is not usable. */
		if (!json_read_number(r->s, 0, PROFILE_TIME_MAX, &size))
			return false;
		if (!size.is_usable || size.value < 0)
			builder_warn(r->b, WARN_ODD_WEIGHT, offset);
		node->size = size.value > 0 ? size.value : 0;
		return true;
	}
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
	cpu_builder_clear(r->b, CPU_NODES);
	cpu_frames_done(r);
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

	cpu_builder_clear(r->b, CPU_SAMPLES);
	return cpu_numbers_samples(r);
}

static bool read_deltas(void *ctx)
{
	struct cpu_reader *r = ctx;

	cpu_builder_clear(r->b, CPU_DELTAS);
	return cpu_numbers_times(r, false);
}

static bool read_timestamps(void *ctx)
{
	struct cpu_reader *r = ctx;

	cpu_builder_clear(r->b, CPU_TIMESTAMPS);
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

static const struct document_member members_cpuprofile[] = {
	{ "nodes", .read = read_nodes },
	{ "head", .read = read_head },
	{ "samples", .read = read_samples },
	{ "timeDeltas", .read = read_deltas },
	{ "timestamps", .read = read_timestamps },
	{ "startTime", .read = read_start },
	{ "endTime", .read = read_end },
	{ "flametty", .read = cpu_reader_identity },
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
	cpu_frames_done(r);
	r->has_nodes = r->is_complete = r->is_head = r->has_call_frame = r->is_message = false;
	r->start[0] = r->end[0] = '\0';
	r->n_children = r->n_ticks = 0;
}

/* If the user stopped loading while nodes were being read, keep them: their hit counts are
 * useful. */
static bool is_usable(void *ctx)
{
	const struct cpu_reader *r = ctx;

	return r->is_complete || (r->has_nodes && stream_facts(r->s->stream).is_stopped);
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
	cpu_frames_trim(r);
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
	struct cpu_reader r = { .s = s, .b = b, .err = err, .hints = hints, .keeps_texts = true };

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
	.name = "cpuprofile",
	.help = "V8 CPU profile (.cpuprofile of Node.js, Chrome, Deno, Bun; also the old nested "
		"form)",
	.members = "nodes head timeDeltas samples",
	.sniff = cpuprofile_sniff,
	.read = cpuprofile_read,
};
