/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The builder's collecting half: inputs, warnings, frames, nodes and samples as a
 * reader passes them on. Node ids of the file become slots: small numbers stand for
 * themselves, everything else goes through a table of texts. To add a kind of
 * warning: a name in builder.h, a row in `kinds` below. */
#include "config.h"

#include "build/builder.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "build/align.h"
#include "build/cpu_raw.h"
#include "build/partial/cpu_stream.h"
#include "model/lane_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *kind;
	const char *text;
	bool is_note;
} kinds[WARN_COUNT] = {
	[WARN_NEGATIVE_DELTA] = { "negative-delta", "negative time delta; samples sorted by time",
				  true },
	[WARN_ODD_DELTA] = { "odd-delta", "time delta that is no number, above 1 h or below -1 s",
			     false },
	[WARN_DELTAS_MISSING] = { "deltas-missing", "no time deltas; samples spread evenly",
				  false },
	[WARN_DELTAS_SHORT] = { "deltas-short",
				"fewer time deltas than samples; the rest filled with the average",
				false },
	[WARN_DELTAS_LONG] = { "deltas-long",
			       "more time deltas than samples; the surplus is ignored", false },
	[WARN_TIME_RANGE] = { "time-range", "time beyond what can be shown; cut", false },
	[WARN_ZERO_DURATION] = { "zero-duration",
				 "the samples have no duration; shown spread evenly, the tables count samples",
				 false },
	[WARN_SAMPLES_MISSING] = { "samples-missing",
				   "no samples; totals from hit counts, aggregated, no time line",
				   false },
	[WARN_ODD_SAMPLE] = { "odd-sample",
			      "sample that is no node id; its time goes to the one before", false },
	[WARN_UNKNOWN_NODE] = { "unknown-node",
				"sample of a node that does not exist; shown as (unknown)", false },
	[WARN_END_TIME] = { "end-time",
			    "endTime missing or not after the last sample; the average interval ends it",
			    true },
	[WARN_START_TIME] = { "start-time", "startTime missing; taken as 0", true },
	[WARN_DUPLICATE_NODE] = { "duplicate-node",
				  "two nodes with one id; the last wins, children united", false },
	[WARN_ODD_NODE] = { "odd-node", "entry of nodes that is no node; left out", false },
	[WARN_NODE_ID] = { "node-id", "node without a usable id", false },
	[WARN_CALL_FRAME] = { "call-frame", "node without a call frame; shown as (anonymous)",
			      false },
	[WARN_PARENTS_DISAGREE] = { "parents-disagree",
				    "parent and children disagree; children win", false },
	[WARN_TWO_PARENTS] = { "two-parents",
			       "node listed as a child more than once; the first wins", false },
	[WARN_MISSING_CHILD] = { "missing-child", "child that does not exist", false },
	[WARN_MISSING_PARENT] = { "missing-parent",
				  "parent that does not exist; node hung below the root", false },
	[WARN_ORPHAN] = { "orphan", "node without a parent; hung below the root", false },
	[WARN_CYCLE] = { "cycle", "circle of parents; cut", false },
	[WARN_ODD_CHILDREN] = { "odd-children", "children that are no node ids; left out", false },
	[WARN_ODD_TICKS] = { "odd-ticks", "positionTicks that are no line and count; left out",
			     true },
	[WARN_TOO_DEEP] = { "too-deep",
			    "node below the deepest row that is shown (65 000); counted there",
			    false },
	[WARN_INLINED] = { "inlined",
			   "inlined function without position; url and position taken from its own entry",
			   true },
	[WARN_JOINED] = { "joined", "lone (program) sample joined with the call around it", true },
	[WARN_TRAILING] = { "trailing", "text after the end of the profile; ignored", false },
	[WARN_CUT_OFF] = { "cut-off", "the file is cut off", false },
	[WARN_COMPRESSION] = { "compression",
			       "the compressed data is damaged; used as far as it goes", false },
	[WARN_TRAILING_COMMA] = { "trailing-comma", "comma before a closing bracket; ignored",
				  false },
	[WARN_ENCODING] = { "encoding", "not UTF-8; converted", true },
	[WARN_TEXT] = { "text", "text that is no valid UTF-8; shown with U+FFFD", true },
	[WARN_NUMBER_TEXT] = { "number-text", "number written as text", true },
	[WARN_SECOND_PROFILE] = { "second-profile",
				  "another profile after the first; a lane of its own", true },
	[WARN_ODD_EVENT] = { "odd-event", "entry of traceEvents that is no event; left out",
			     false },
	[WARN_UNKNOWN_PHASE] = { "unknown-phase", "event of an unknown phase; not drawn", false },
	[WARN_TIME_MISSING] = { "time-missing",
				"event or sample without a usable time stamp; not drawn", false },
	[WARN_TIME_ZERO] = { "time-zero",
			     "event at time 0 or more than a day from the others; left out of the range",
			     false },
	[WARN_DUR_MISSING] = { "dur-missing", "X event without dur; taken as 0", false },
	[WARN_DUR_NEGATIVE] = { "dur-negative", "negative dur; taken as 0", false },
	[WARN_OVERLAP] = { "overlap",
			   "slice that begins inside another and outlasts it; on a row of its own",
			   false },
	[WARN_UNMATCHED_END] = { "unmatched-end", "end without a begin; left out", false },
	[WARN_UNFINISHED] = { "unfinished",
			      "begin without an end; drawn to the end of the recording", false },
	[WARN_CLOSED_BY_OUTER] = { "closed-by-outer", "slice closed by the end of one around it",
				   false },
	[WARN_ASYNC_UNMATCHED] = { "async-unmatched", "async begin or end without its partner",
				   false },
	[WARN_ODD_COUNTER] = { "odd-counter", "counter value that is no number; left out", false },
	[WARN_NO_IDS] = { "no-ids", "event without pid or tid; taken as 0", true },
	[WARN_CHUNK] = { "chunk", "ProfileChunk without its Profile or without data", false },
	[WARN_SECOND_RECORDING] = { "second-recording",
				    "profile announced a second time; a lane of its own", true },
	[WARN_STACK_FRAME] = { "stack-frame", "stack that names a missing frame; shown as ?",
			       false },
	[WARN_NO_EVENTS] = { "no-events", "no events", true },
	[WARN_FLOW_ID] = { "flow-id", "flow event without an id; left out", false },
	[WARN_ODD_INDEX] = { "odd-index",
			     "index that points nowhere; shown as (unknown) or without url",
			     false },
	[WARN_STACK_CYCLE] = { "stack-cycle", "circle of stacks; cut", false },
	[WARN_UNSORTED] = { "unsorted", "samples out of order or of one time; sorted", true },
	[WARN_ONE_SAMPLE] = { "one-sample", "a single sample has no duration", true },
	[WARN_ODD_LINE] = { "odd-line", "line that is no stack and count; left out", false },
	[WARN_PART] = { "part", "only a part was loaded, because of --max-memory", false },
	[WARN_STOPPED] = { "stopped",
			   "reading was stopped; what comes later in the file is missing", false },
	[WARN_ODD_WEIGHT] = { "odd-weight",
			      "sample weight that is no number or negative; taken as 0", false },
};

struct builder *builder_new(const struct builder_options *options)
{
	struct builder *b = xcalloc(1, sizeof *b);
	struct profile *p = xcalloc(1, sizeof *p);

	b->options = *options;
	b->profile = p;
	p->is_raw = options->is_raw;
	intern_init(&p->strings);
	frame_table_init(&p->frames);
	p->frames.frames[FRAME_NONE].name = intern_adds(&p->strings, "(root)");
	for (int c = 0; c < CATEGORY_COUNT; c++)
		p->category_names[c] = intern_adds(&p->strings, category_name((enum category)c));
	return b;
}

void cpu_raw_drop_slots(struct cpu_raw *raw)
{
	if (raw->chunks)
		for (size_t i = 0; i < SLOT_DENSE / SLOT_CHUNK; i++)
			free(raw->chunks[i]);
	free(raw->chunks);
	raw->chunks = NULL;
	free(raw->sparse);
	raw->sparse = NULL;
	raw->n_sparse = raw->cap_sparse = 0;
	intern_done(&raw->sparse_ids);
}

static void raw_done(struct cpu_raw *raw)
{
	cpu_raw_drop_slots(raw);
	free(raw->frames);
	free(raw->frame);
	free(raw->slot);
	free(raw->hits);
	free(raw->parent);
	free(raw->ticks);
	free(raw->deopts);
	free(raw->samples);
	free(raw->times);
	cpu_stream_free(raw->stream);
	*raw = (struct cpu_raw){ 0 };
}

void builder_free(struct builder *b)
{
	if (!b)
		return;
	raw_done(&b->raw);
	tracks_done(&b->tracks);
	profile_free(b->profile);
	free(b);
}

static void link_children(struct builder *b, size_t most);

/* ---- inputs and warnings ---- */

void builder_input(struct builder *b, const char *path)
{
	struct profile *p = b->profile;

	p->inputs = xgrow(p->inputs, &p->cap_inputs, (size_t)p->n_inputs + 1, sizeof *p->inputs);
	b->clock = 0;
	p->inputs[p->n_inputs++] = (struct input){ .path = intern_adds(&p->strings, path),
						   .bytes = -1 };
}

void builder_input_facts(struct builder *b, const char *format, const char *compression,
			 int64_t bytes)
{
	struct input *in = &b->profile->inputs[b->profile->n_inputs - 1];

	in->format = format;
	in->compression = compression;
	in->bytes = bytes;
}

void builder_input_date(struct builder *b, int64_t seconds)
{
	struct input *in = &b->profile->inputs[b->profile->n_inputs - 1];

	in->has_date = true;
	in->date_s = seconds;
}

void builder_input_drop(struct builder *b)
{
	struct input *in = &b->profile->inputs[--b->profile->n_inputs];

	free(in->warnings);
	free(in->facts);
}

void builder_own_clock(struct builder *b)
{
	b->clock = ++b->n_clocks;
}

static void warn_input(struct builder *b, uint32_t input, enum warn kind, int64_t offset,
		       const char *detail)
{
	struct profile *p = b->profile;
	struct input *in = &p->inputs[input];
	char text[600];

	for (size_t i = 0; i < in->n_warnings; i++) {
		if (strcmp(in->warnings[i].kind, kinds[kind].kind) == 0) {
			in->warnings[i].count++;
			return;
		}
	}
	in->warnings = xgrow(in->warnings, &in->cap_warnings, in->n_warnings + 1,
			     sizeof *in->warnings);
	snprintf(text, sizeof text, "%s%s%s", kinds[kind].text, detail ? ": " : "",
		 detail ? detail : "");
	in->warnings[in->n_warnings++] = (struct warning){ .kind = kinds[kind].kind,
							   .text = intern_adds(&p->strings, text),
							   .offset = offset,
							   .count = 1,
							   .is_note = kinds[kind].is_note };
}

static void add_warning(struct builder *b, enum warn kind, int64_t offset, const char *detail)
{
	warn_input(b, b->profile->n_inputs - 1, kind, offset, detail);
}

void builder_warn_input(struct builder *b, uint32_t input, enum warn kind, const char *detail)
{
	warn_input(b, input, kind, -1, detail);
}

void builder_warn_text(struct builder *b, enum warn kind, int64_t offset, const char *detail)
{
	/* Warnings stand in the order in which they came up. */
	link_children(b, 0);
	add_warning(b, kind, offset, detail);
}

void builder_warn(struct builder *b, enum warn kind, int64_t offset)
{
	builder_warn_text(b, kind, offset, NULL);
}

void builder_stopped(struct builder *b)
{
	struct input *in = &b->profile->inputs[b->profile->n_inputs - 1];
	size_t kept = 0;

	for (size_t i = 0; i < in->n_warnings; i++)
		if (strcmp(in->warnings[i].kind, kinds[WARN_CUT_OFF].kind) != 0)
			in->warnings[kept++] = in->warnings[i];
	in->n_warnings = kept;
	builder_warn(b, WARN_STOPPED, -1);
}

/* ---- slots ---- */

struct slot *cpu_raw_chunk(struct cpu_raw *raw, uint32_t slot)
{
	return raw->chunks[slot / SLOT_CHUNK] = xcalloc(SLOT_CHUNK, sizeof(struct slot));
}

uint32_t builder_cpu_slot_text(struct builder *b, const char *id, size_t len)
{
	struct cpu_raw *raw = &b->raw;
	str_id at;

	/* "7" is the same id as 7, and "" is none. */
	if (len == 0)
		return SLOT_NONE;
	if (len <= 8 && (len == 1 || id[0] != '0')) {
		uint32_t value = 0;
		size_t i = 0;

		for (; i < len && id[i] >= '0' && id[i] <= '9'; i++)
			value = value * 10 + (uint32_t)(id[i] - '0');
		if (i == len && value < SLOT_DENSE)
			return value;
	}
	if (!raw->sparse_ids.n)
		intern_init(&raw->sparse_ids);
	at = intern_add(&raw->sparse_ids, id, len);
	if (at >= 1u << 30)
		die("more than %u different node ids", 1u << 30);
	if (at > raw->n_sparse) {
		raw->sparse = xgrow(raw->sparse, &raw->cap_sparse, at, sizeof *raw->sparse);
		raw->sparse[raw->n_sparse++] = (struct slot){ 0 };
	}
	return SLOT_SPARSE | (at - 1);
}

uint32_t builder_cpu_slot(struct builder *b, int64_t id)
{
	char text[24];
	int len;

	if (id >= 0 && id < SLOT_DENSE) {
		cpu_raw_prefetch(&b->raw, (uint32_t)id);
		return (uint32_t)id;
	}
	len = snprintf(text, sizeof text, "%lld", (long long)id);
	return builder_cpu_slot_text(b, text, (size_t)len);
}

/* ---- nodes ---- */

void builder_cpu_begin(struct builder *b)
{
	raw_done(&b->raw);
	b->raw.chunks = xcalloc(SLOT_DENSE / SLOT_CHUNK, sizeof(*b->raw.chunks));
	cpu_stream_begin(b);
}

void builder_cpu_as_recorded(struct builder *b)
{
	b->raw.is_as_recorded = true;
}

void builder_cpu_names_only(struct builder *b)
{
	b->raw.is_names_only = true;
}

void builder_cpu_drop(struct builder *b)
{
	raw_done(&b->raw);
}

struct cpu_raw *builder_cpu_park(struct builder *b)
{
	struct cpu_raw *parked = xmalloc(sizeof *parked);

	link_children(b, 0);
	*parked = b->raw;
	b->raw = (struct cpu_raw){ 0 };
	return parked;
}

void builder_cpu_resume(struct builder *b, struct cpu_raw *parked)
{
	raw_done(&b->raw);
	b->raw = *parked;
	free(parked);
}

void builder_cpu_parked_free(struct cpu_raw *parked)
{
	if (!parked)
		return;
	raw_done(parked);
	free(parked);
}

static str_id intern_repaired(struct builder *b, const char *text, size_t len)
{
	struct buf clean = { 0 };
	str_id id;

	if (!text_repair(&clean, text, len)) {
		buf_done(&clean);
		return intern_add(&b->profile->strings, text, len);
	}
	id = intern_add(&b->profile->strings, clean.data, clean.len);
	buf_done(&clean);
	builder_warn(b, WARN_TEXT, -1);
	return id;
}

uint32_t builder_cpu_frame(struct builder *b, const char *name, size_t name_len, const char *url,
			   size_t url_len, const char *script, size_t script_len, int64_t line,
			   int64_t column)
{
	struct cpu_raw *raw = &b->raw;
	struct raw_frame f = { .line = line, .column = column };

	f.name = name_len ? intern_repaired(b, name, name_len)
			  : intern_adds(&b->profile->strings, "(anonymous)");
	f.url = intern_repaired(b, url, url_len);
	if (!(script_len == 1 && script[0] == '0'))
		f.script = intern_repaired(b, script, script_len);
	raw->frames = xgrow(raw->frames, &raw->cap_frames, raw->n_frames + 1, sizeof *raw->frames);
	raw->frames[raw->n_frames] = f;
	return (uint32_t)raw->n_frames++;
}

uint32_t builder_cpu_node(struct builder *b, uint32_t slot, uint32_t frame, int64_t offset)
{
	struct cpu_raw *raw = &b->raw;
	struct slot *s = NULL;
	uint32_t at = (uint32_t)raw->n;

	if (slot != SLOT_NONE) {
		s = cpu_raw_slot(raw, slot);
		if (s->node) {
			builder_warn(b, WARN_DUPLICATE_NODE, offset);
			raw->frame[s->node - 1] = frame;
			return s->node - 1;
		}
		s->node = at + 1;
	}
	if (raw->n >= raw->cap) {
		size_t cap = raw->cap;

		raw->frame = xgrow(raw->frame, &cap, raw->n + 1, sizeof *raw->frame);
		raw->slot = xrealloc(raw->slot, cap, sizeof *raw->slot);
		raw->hits = xrealloc(raw->hits, cap, sizeof *raw->hits);
		raw->cap = cap;
	}
	raw->frame[at] = frame;
	raw->slot[at] = slot;
	raw->hits[at] = 0;
	raw->n++;
	return at;
}

void builder_cpu_hits(struct builder *b, uint32_t node, int64_t hits)
{
	if (hits <= 0)
		return;
	builder_begun(b);
	b->raw.hits[node] = hits > UINT32_MAX ? UINT32_MAX : (uint32_t)hits;
	b->raw.has_hits = true;
}

static void link_child(struct builder *b, const struct raw_child *c)
{
	struct slot *s = cpu_raw_slot(&b->raw, c->slot);

	if (s->lister)
		add_warning(b, WARN_TWO_PARENTS, c->offset, NULL);
	else
		s->lister = c->node + 1;
}

/* Link the children that wait until no more than `most` do. */
static void link_children(struct builder *b, size_t most)
{
	struct cpu_raw *raw = &b->raw;

	while (raw->n_children - raw->n_linked > most) {
		struct raw_child c = raw->children[raw->n_linked++ % SLOT_AHEAD];

		link_child(b, &c);
	}
}

void builder_cpu_child(struct builder *b, uint32_t node, uint32_t child_slot, int64_t offset)
{
	struct cpu_raw *raw = &b->raw;

	link_children(b, SLOT_AHEAD - 1);
	raw->children[raw->n_children++ % SLOT_AHEAD] = (struct raw_child){ node, child_slot,
									    offset };
}

void builder_cpu_parent(struct builder *b, uint32_t node, uint32_t parent_slot)
{
	struct cpu_raw *raw = &b->raw;

	if (raw->cap_parent <= node) {
		size_t before = raw->cap_parent;

		raw->parent = xgrow(raw->parent, &raw->cap_parent, (size_t)node + 1,
				    sizeof *raw->parent);
		memset(raw->parent + before, 0xFF,
		       (raw->cap_parent - before) * sizeof *raw->parent);
	}
	raw->parent[node] = parent_slot;
}

void builder_cpu_deopt(struct builder *b, uint32_t node, const char *reason, size_t len)
{
	struct cpu_raw *raw = &b->raw;

	if (len == 0 || (len == 9 && memcmp(reason, "no reason", 9) == 0))
		return;
	raw->deopts = xgrow(raw->deopts, &raw->cap_deopts, raw->n_deopts + 1, sizeof *raw->deopts);
	raw->deopts[raw->n_deopts].node = node;
	raw->deopts[raw->n_deopts++].reason = intern_repaired(b, reason, len);
}

void builder_cpu_ticks(struct builder *b, uint32_t node, int64_t line, int64_t ticks)
{
	struct cpu_raw *raw = &b->raw;

	if (line <= 0 || line > INT32_MAX || ticks <= 0 || ticks > UINT32_MAX)
		return;
	raw->ticks = xgrow(raw->ticks, &raw->cap_ticks, raw->n_ticks + 1, sizeof *raw->ticks);
	raw->ticks[raw->n_ticks++] = (struct line_ticks){ node, (int32_t)line, (uint32_t)ticks };
}

size_t builder_cpu_node_count(const struct builder *b)
{
	return b->raw.n;
}

void builder_cpu_title(struct builder *b, const char *title, size_t len, bool is_folded)
{
	b->tracks.cpu_title = len ? intern_repaired(b, title, len) : 0;
	b->tracks.is_cpu_folded = is_folded;
}

bool builder_cpu_end(struct builder *b, int64_t pid, int64_t tid, struct error *err)
{
	bool ok;

	link_children(b, 0);
	ok = cpu_lane_build(b, pid, tid, err);
	raw_done(&b->raw);
	b->tracks.cpu_title = 0;
	b->tracks.is_cpu_folded = false;
	return ok;
}

static void name_lanes(struct profile *p)
{
	struct buf name = { 0 };
	bool has_processes = false;

	for (uint32_t i = 1; i < p->n_lanes; i++)
		has_processes |= p->lanes[i].pid != p->lanes[0].pid;
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		buf_clear(&name);
		lane_name(p, &p->lanes[i], has_processes, &name);
		p->lanes[i].name = intern_add(&p->strings, buf_text(&name), name.len);
	}
	buf_done(&name);
}

struct profile *builder_finish(struct builder *b, struct error *err)
{
	struct profile *p = b->profile;

	tracks_build(b);
	if (p->n_lanes == 0 && !b->tracks.is_empty_ok) {
		error_set(err, ERR_FORMAT, -1, "no profile to show");
		builder_free(b);
		return NULL;
	}
	align_lanes(p);
	lane_order(b);
	flows_build(b);
	name_lanes(p);
	if (b->options.part)
		tracks_tell_part(b);
	if (b->tracks.has_window && !p->has_own_zero) {
		int64_t t0 = b->tracks.window_t0 - p->origin_ns,
			t1 = b->tracks.window_t1 - p->origin_ns;

		/* A window that lies outside is of no use. */
		if (t0 >= 0 && t1 <= p->t1 && t0 < t1) {
			p->window_t0 = t0;
			p->window_t1 = t1;
		}
	}
	b->profile = NULL;
	builder_free(b);
	return p;
}
