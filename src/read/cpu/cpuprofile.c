/* SPDX-License-Identifier: GPL-2.0-or-later */
/* V8 CPU profiles: `nodes` with `samples` and `timeDeltas`, in any order, or the old nested `head`
 * with `timestamps`. documents.c walks the file.
 *
 * Call frames are looked up in a table by their bytes (cpu_frames.c), so each distinct one is
 * decoded once: a profile with hundreds of thousands of nodes has a few thousand of them.
 *
 * A profile that is cut off is kept if its nodes are complete, or if the user stopped
 * loading. */
#include "config.h"

#include "read/cpu/cpu_reader.h"

#include "read/documents.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Keep startTime or endTime as text, because the unit may be known only later. A text that is
 * longer than `out` is not a time. */
static bool read_time(struct cpu_reader *r, char out[64])
{
	struct str raw;
	int c = scan_peek(r->s);

	out[0] = '\0';
	if (c != '"' && c != '-' && !(c >= '0' && c <= '9'))
		return scan_skip(r->s);
	if (!scan_raw(r->s, CPU_VALUE_MOST, &raw))
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

static const struct document_member members[] = {
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
	if (!scan_raw(r->s, CPU_VALUE_MOST, &raw))
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
					     .members = members,
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
