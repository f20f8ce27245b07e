/* SPDX-License-Identifier: GPL-2.0-or-later */
/* V8 CPU profiles: `nodes` with `samples` and `timeDeltas`, in any order, and the old
 * nested `head` with `timestamps`. The scanner walks the document; json-c sees each
 * distinct call frame once: its bytes are the key of a table, and of the hundred
 * thousands of nodes of a real profile all but some thousand are found there.
 *
 * A document that ends too early still gives a profile if its nodes are complete, or the user said
 * stop. */
#include "config.h"

#include "reader/cpu/cpu_reader.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WRAPPER_DEPTH 8

/* Keep startTime or endTime as text. What is longer than the room is no time. */
static bool read_time(struct cpu_reader *r, char out[64])
{
	struct slice raw;
	int c = scan_peek(r->s);

	out[0] = '\0';
	if (c != '"' && c != '-' && !(c >= '0' && c <= '9'))
		return scan_skip(r->s);
	if (!scan_raw(r->s, CPU_VALUE_MOST, &raw))
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
		if (!cpu_plain_read(r))
			return false;
		return r->is_complete = true;
	}
	if (cpu_reader_is_key(key, "head") && scan_peek(r->s) == '{') {
		r->has_nodes = r->is_head = true;
		if (!cpu_head_read(r))
			return false;
		return r->is_complete = true;
	}
	/* A member that comes a second time takes the place of the first. */
	if (cpu_reader_is_key(key, "samples")) {
		builder_cpu_clear_samples(r->b);
		return cpu_numbers_samples(r);
	}
	if (cpu_reader_is_key(key, "timeDeltas") || cpu_reader_is_key(key, "timestamps")) {
		bool is_stamps = key.len == 10 && key.p[4] == 's';

		builder_cpu_clear_times(r->b, is_stamps);
		return cpu_numbers_times(r, is_stamps);
	}
	if (cpu_reader_is_key(key, "startTime"))
		return read_time(r, r->start);
	if (cpu_reader_is_key(key, "endTime"))
		return read_time(r, r->end);
	if (depth < WRAPPER_DEPTH && !r->has_nodes && outline_is_wrapper(key.p, key.len) &&
	    scan_peek(r->s) == '{')
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

static void pass_time(struct cpu_reader *r, const char *text,
		      void (*pass)(struct builder *, int64_t))
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
static bool read_profile(struct cpu_reader *r, const struct file_hints *hints, bool *is_cut)
{
	int64_t from = scan_offset(r->s);
	bool ok;

	builder_cpu_begin(r->b);
	cpu_frames_reset(r);
	r->has_nodes = r->is_complete = r->is_head = false;
	r->start[0] = r->end[0] = '\0';
	r->n_children = r->n_ticks = 0;
	ok = read_members(r, 0);
	/* Who stopped in the middle of the nodes wants those there are: their hit counts. */
	if (!ok && r->s->is_cut && r->err->kind == ERR_SYNTAX &&
	    (r->is_complete || (r->has_nodes && stream_is_stopped(r->s->stream)))) {
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
	if (builder_cpu_end(r->b, hints->pid, hints->tid, r->err))
		return true;
	if (r->err->offset < 0)
		r->err->offset = from;
	return false;
}

/* What stands behind the document: another profile, or something that is ignored. */
static bool read_rest(struct cpu_reader *r, const struct file_hints *hints)
{
	int64_t from;
	struct error rest = ERROR_INIT, *own = r->err;
	bool is_cut = false;
	int c;

	while ((c = scan_peek(r->s)) == '{') {
		from = scan_offset(r->s);
		r->err = r->s->err = &rest;
		if (!read_profile(r, hints, &is_cut)) {
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
	return own->kind == ERR_NONE && (c == '{' || reader_pass_rest(r->s, r->b));
}

static bool read_document(struct cpu_reader *r, const struct file_hints *hints)
{
	bool is_first = true, is_cut = false;
	int64_t from = 0;
	size_t n = 0;

	if (scan_peek(r->s) == '{')
		return read_profile(r, hints, &is_cut) && (is_cut || read_rest(r, hints));
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
		if (!read_profile(r, hints, &is_cut)) {
			builder_cpu_drop(r->b);
			break;
		}
		n++;
	}
	/* What is good stays: a later element that is none, or the end of the file, is a warning.
	 */
	if (n > 0 && (r->err->kind == ERR_SYNTAX || r->err->kind == ERR_FORMAT)) {
		builder_warn_text(r->b, WARN_CUT_OFF, from, r->err->text);
		*r->err = (struct error)ERROR_INIT;
		return true;
	}
	if (n == 0 && r->err->kind == ERR_NONE)
		return error_set(r->err, ERR_FORMAT, 0, "the array holds no profile");
	return r->err->kind == ERR_NONE && (is_cut || read_rest(r, hints));
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
	/* Nothing but long arrays so far: the nodes come behind them. */
	if (!outline->is_whole && !outline_has(outline, "stacks", 0) &&
	    (outline_has_list(outline, "timeDeltas", "-0123456789\"") ||
	     outline_has_list(outline, "samples", "-0123456789\"")))
		return 30;
	return 0;
}

static bool cpuprofile_read(struct scan *s, struct builder *b, const struct file_hints *hints,
			    struct error *err)
{
	struct cpu_reader r = { .s = s, .b = b, .err = err };
	bool ok;

	cpu_reader_init(&r);
	ok = read_document(&r, hints);
	cpu_reader_done(&r);
	return ok;
}

const struct reader reader_cpuprofile = {
	"cpuprofile",
	"V8 CPU profile (.cpuprofile of Node.js, Chrome, Deno, Bun; also the old nested form)",
	cpuprofile_sniff,
	cpuprofile_read,
};
