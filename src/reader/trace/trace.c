/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chrome trace-event files: the document. Writers append events and may be killed: whatever the
 * document lacks at its end, the events before are kept. */
#include "config.h"

#include "reader/trace/trace.h"

#include "base/alloc.h"
#include "base/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRAPPER_DEPTH 8

/* ---- the other members ---- */

/* What is passed over is named, with its size. */
static bool skip_member(struct trace *t, struct slice key)
{
	char name[40], bytes[UNITS_MAX];
	int64_t from = scan_offset(t->s);
	bool is_known = cursor_is(key, "displayTimeUnit");

	snprintf(name, sizeof name, "%.*s", key.len > 32 ? 32 : (int)key.len, key.p);
	if (!scan_skip(t->s))
		return false;
	units_bytes(scan_offset(t->s) - from, bytes);
	if (!is_known && trace_may_tell(t))
		builder_fact(t->b, true, "member %s (%s) not shown", name, bytes);
	return true;
}

static bool read_members(struct trace *t, int depth);

static bool read_member(struct trace *t, struct slice key, int depth)
{
	int c = scan_peek(t->s);

	if (cursor_is(key, "traceEvents") && c == '[')
		return scan_open(t->s, '[') && trace_events_read(t, false);
	if (cursor_is(key, "stackFrames") && c == '{')
		return trace_samples_frames_read(t);
	if (cursor_is(key, "samples") && c == '[')
		return trace_samples_read(t);
	if (cursor_is(key, "metadata") && c == '{')
		return trace_metadata_read(t);
	if (depth < WRAPPER_DEPTH && !t->has_events && c == '{' &&
	    outline_is_wrapper(key.p, key.len))
		return read_members(t, depth + 1);
	return skip_member(t, key);
}

static bool read_members(struct trace *t, int depth)
{
	bool is_first = true;
	struct slice key;

	if (!scan_open(t->s, '{'))
		return false;
	while (scan_key(t->s, &is_first, &key))
		if (!read_member(t, key, depth))
			return false;
	return t->err->kind == ERR_NONE;
}

/* ---- the document ---- */

/* The document ends too early, or goes on with something else: what is good stays. */
static bool keep_good(struct trace *t)
{
	if (!(t->s->is_cut && t->err->kind == ERR_SYNTAX && (t->has_events || t->has_samples)))
		return false;
	builder_warn_text(t->b, WARN_CUT_OFF, t->good_end, t->err->text);
	*t->err = (struct error)ERROR_INIT;
	return true;
}

static bool read_value(struct trace *t)
{
	int c = scan_peek(t->s);

	if (c == '[')
		return scan_open(t->s, '[') && trace_events_read(t, false);
	if (t->is_bare)
		return trace_events_read(t, true);
	return read_members(t, 0);
}

/* Another trace behind the first, or text that is ignored. */
static bool read_rest(struct trace *t)
{
	struct error rest = ERROR_INIT, *own = t->err;
	int64_t from;
	char detail[64];
	int c;

	while ((c = scan_peek(t->s)) == '[' || c == '{') {
		bool ok;

		from = scan_offset(t->s);
		t->err = t->s->err = &rest;
		ok = read_value(t);
		if (!ok && rest.kind != ERR_SYNTAX)
			*own = rest;
		t->err = t->s->err = own;
		if (!ok) {
			if (rest.kind == ERR_SYNTAX)
				builder_warn_text(t->b, WARN_TRAILING, from, rest.text);
			return own->kind == ERR_NONE;
		}
	}
	if (c == 0)
		return own->kind == ERR_NONE;
	from = scan_offset(t->s);
	while (scan_peek(t->s) && own->kind == ERR_NONE)
		t->s->p = t->s->end;
	snprintf(detail, sizeof detail, "%" PRId64 " bytes", scan_offset(t->s) - from);
	builder_warn_text(t->b, WARN_TRAILING, from, detail);
	return own->kind == ERR_NONE;
}

static bool read_document(struct trace *t)
{
	bool ok = read_value(t);

	if (ok)
		ok = read_rest(t);
	else
		ok = keep_good(t);
	if (!ok)
		return false;
	if (!t->has_events && !t->has_samples)
		return error_set(t->err, ERR_FORMAT, 0, "the trace has no traceEvents");
	builder_accept_empty(t->b);
	if (t->n_events == 0 && !t->has_samples)
		builder_warn(t->b, WARN_NO_EVENTS, -1);
	trace_range_finish(t);
	trace_phase_finish(t);
	trace_names_finish(t);
	trace_pairs_finish(t);
	trace_async_finish(t);
	trace_custom_finish(t);
	return trace_cpu_finish(t) && trace_samples_finish(t);
}

static int trace_sniff(const struct outline *outline)
{
	if (outline_has(outline, "traceEvents", '['))
		return 95;
	if (outline->top == '[')
		return !outline->element                ? (outline->is_whole ? 50 : 0)
			: outline_has(outline, "ph", 0) ? 95
							: 0;
	if (outline_has(outline, "ph", '"'))
		return 40;
	return outline_has(outline, "stackFrames", '{') && outline_has_list(outline, "samples", "{")
		? 60
		: 0;
}

static void trace_done(struct trace *t)
{
	for (size_t i = 0; i < t->n_threads; i++)
		trace_pairs_free(&t->threads[i]);
	free(t->threads);
	free(t->processes);
	hash_table_done(&t->thread_index);
	hash_table_done(&t->process_index);
	trace_async_free(t);
	trace_cpu_free(t);
	trace_counter_free(t);
	trace_custom_free(t);
	trace_samples_free(t);
	trace_text_done(&t->texts);
	json_tokener_free(t->tok);
}

static bool trace_read(struct scan *s, struct builder *b, const struct file_hints *hints,
		       struct error *err)
{
	struct trace t = { .s = s, .b = b, .err = err, .first = INT64_MAX, .last = INT64_MIN };
	struct slice head;
	bool ok;

	(void)hints;
	t.tok = json_tokener_new_ex(JSON_TEXT_DEPTH);
	trace_text_init(&t.texts);
	/* An object that is an event itself: events one to a line. */
	if (scan_peek(s) == '{' && scan_window(s, 4096, &head)) {
		struct outline *outline = xmalloc(sizeof *outline);

		outline_look(outline, head.p, head.len, head.len < 4096);
		t.is_bare = outline_has(outline, "ph", '"') &&
			!outline_has(outline, "traceEvents", 0);
		free(outline);
	}
	ok = read_document(&t);
	trace_done(&t);
	return ok;
}

const struct reader reader_trace = {
	"trace",
	"Chrome trace events (DevTools Performance saves, chrome://tracing, node_trace.*.log, Hermes)",
	trace_sniff,
	trace_read,
};
