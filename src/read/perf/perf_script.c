/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text that `perf script` prints, line by line; the text is not kept. A head begins a sample,
 * frames follow, innermost first, and an empty line, the next head or the end of the text ends it.
 * `perf script --header` prints facts about the recording before, as lines that begin with `#`. */
#include "config.h"

#include "read/perf/perf.h"

#include "base/alloc.h"
#include "model/build/cpu_builder.h"
#include "read/text_line.h"

#include <stdlib.h>

#define LOOK_LINES 100
#define NOTE_MOST 200

/* ---- samples ---- */

static bool end_sample(struct perf *r)
{
	static const struct perf_symbol unknown = { 0, { "", 0 }, { "", 0 } };
	struct perf_thread *thread = r->open;
	struct stack_lane *lane;
	uint32_t node = 0;

	if (!thread)
		return true;
	lane = &thread->lane;
	if (r->n_stack == 0)
		r->stack[r->n_stack++].frame = perf_frame_add(r, &unknown).id;
	if (r->open->tid == 0 && !r->is_count && perf_frame_is_idle(r, r->stack[0].frame)) {
		r->stack[0].frame = perf_frame_idle(r);
		r->n_stack = 1;
	}
	r->open = NULL;
	for (size_t i = r->n_stack; i-- > 0;)
		if (!stack_lane_child(lane, node, r->stack[i].frame, &node, r->err))
			return false;
	if (r->is_count)
		perf_thread_count(thread, node, r->period > 0 ? r->period : 1);
	else
		stack_lane_sample(lane, node, r->t);
	return true;
}

/* Inlined functions come before the function that they are part of, at its address; perf does not
 * say their module. */
static void name_inlined(struct perf *r, const struct perf_symbol *symbol)
{
	for (size_t i = r->n_stack;
	     i-- > 0 && r->stack[i].is_inlined && r->stack[i].address == symbol->address;) {
		const char *name = intern_text(&r->frames, r->stack[i].frame);
		struct perf_symbol inlined = { symbol->address,
					       { name, strlen(name) },
					       symbol->module };

		r->stack[i].frame = perf_frame_add(r, &inlined).id;
		r->stack[i].is_inlined = false;
	}
}

static void take_symbol(struct perf *r, const struct perf_symbol *symbol)
{
	struct perf_frame frame = perf_frame_add(r, symbol);
	bool is_inlined = str_is(symbol->module, "inlined");

	if (!is_inlined)
		name_inlined(r, symbol);
	if (r->n_stack == 0) {
		r->n_in_kernel += frame.is_kernel;
		if (frame.tier >= 0)
			r->n_tier[frame.tier]++;
	}
	r->n_unnamed += frame.is_unnamed;
	r->stack = xgrow(r->stack, &r->cap_stack, r->n_stack + 1, sizeof *r->stack);
	r->stack[r->n_stack++] = (struct perf_stacked){ frame.id, symbol->address, is_inlined };
}

/* One odd sample must not decide how long all others last: the period that more than half of the
 * samples have is left at the end. */
static void take_period(struct perf *r, int64_t period)
{
	if (r->is_count || r->n_period == 0)
		r->period = period;
	if (r->period == period)
		r->n_period++;
	else
		r->n_period--;
}

static void begin_sample(struct perf *r, const struct perf_head *head)
{
	struct perf_symbol symbol;

	r->is_other = !perf_event_add(r, head->event);
	if (r->is_other)
		return;
	take_period(r, head->period);
	r->open = perf_thread_find(r, head);
	r->t = head->t;
	r->n_stack = 0;
	r->stack = xgrow(r->stack, &r->cap_stack, 1, sizeof *r->stack);
	if (head->rest.len && perf_line_symbol(head->rest, &symbol) && symbol.module.len)
		take_symbol(r, &symbol);
}

/* PERF_RECORD_LOST lost 27 */
static void take_record(struct perf *r, const struct perf_head *head)
{
	static const char lost[] = "lost ";
	const char *at = memmem(head->rest.p, head->rest.len, lost, strlen(lost));
	int64_t n;

	if (!at || !memmem(head->event.p, head->event.len, "_LOST", 5))
		return;
	at += strlen(lost);
	if (perf_line_number((struct str){ at, (size_t)(head->rest.p + head->rest.len - at) },
			     &n) &&
	    r->n_lost <= INT64_MAX / 2)
		r->n_lost += n;
}

/* ---- lines ---- */

/* `# cmdline : perf record ...`, `# hostname : build-3` */
static void take_comment(struct perf *r, struct str line)
{
	static const char command[] = "# cmdline : ", clock[] = "# clockid: monotonic",
			  host[] = "# hostname : ";

	if (line.len >= strlen(clock) && memcmp(line.p, clock, strlen(clock)) == 0)
		r->is_monotonic = line.len == strlen(clock) || line.p[strlen(clock)] == ' ';
	if (line.len > strlen(host) && memcmp(line.p, host, strlen(host)) == 0)
		builder_input_host(r->b, INPUT_HOST_NAME, line.p + strlen(host),
				   line.len - strlen(host));
	if (line.len <= strlen(command) || memcmp(line.p, command, strlen(command)) != 0)
		return;
	line.p += strlen(command);
	line.len -= strlen(command);
	builder_input_note(r->b, false, "recorded by: %.*s",
			   (int)(line.len < NOTE_MOST ? line.len : NOTE_MOST), line.p);
}

/* Whether a line within a sample is a frame, or another one that follows frames. A line that begins
 * with blanks may also be a head, whose thread may have a name such as `add`. */
static bool take_sample_line(struct perf *r, struct str line)
{
	struct perf_symbol symbol;
	size_t n;

	if (perf_line_symbol(line, &symbol) &&
	    (symbol.module.len || (line.p[0] == '\t' && symbol.name.len))) {
		if (r->open)
			take_symbol(r, &symbol);
		return true;
	}
	if (perf_line_is_source(line)) {
		r->n_sources++;
		return true;
	}
	n = perf_line_branches(line);
	r->n_branches += n;
	return n > 0;
}

static bool take_line(struct perf *r, struct str line)
{
	struct str text = text_line_trimmed(line);
	bool is_inside = (r->open || r->is_other) && text_line_is_blank(line.len ? *line.p : ' ');
	struct perf_head head;

	if (text.len == 0) {
		r->has_empty_lines |= r->open || r->is_other;
		r->is_other = false;
		return end_sample(r);
	}
	if (text.p[0] == '#') {
		take_comment(r, text);
		return true;
	}
	if (is_inside && line.p[0] == '\t' && take_sample_line(r, line))
		return true;
	if (perf_line_head(text, &head)) {
		if (!end_sample(r))
			return false;
		r->is_other = false;
		if (head.is_record)
			take_record(r, &head);
		else
			begin_sample(r, &head);
		return true;
	}
	if (!is_inside || line.p[0] == '\t' || !take_sample_line(r, line))
		builder_warn(r->b, WARN_ODD_LINE, scan_offset(r->s));
	return true;
}

/* A text that is cut off ends inside a line, or inside a sample although other samples end with an
 * empty line. The outer frames of the last sample are missing then. */
static bool read_lines(struct perf *r)
{
	bool is_whole = true, is_cut = false;
	struct str line;

	while (text_line_next(r->s, r->err, &line, &is_whole)) {
		is_cut = !is_whole && line.p[0] != '#';
		if (!is_cut && !take_line(r, line))
			return false;
		text_line_pass(r->s, line);
	}
	if (is_cut || (r->open && r->has_empty_lines))
		builder_warn(r->b, WARN_CUT_OFF, scan_offset(r->s));
	return r->err->kind == ERR_NONE && end_sample(r);
}

/* ---- the document ---- */

static void note(struct perf *r, bool is_loss, uint64_t n, const char *what)
{
	if (n)
		builder_input_note(r->b, is_loss, "%llu %s", (unsigned long long)n, what);
}

static void add_notes(struct perf *r)
{
	const uint64_t *n = r->n_tier;

	if (n[0] + n[1] + n[2] + n[3])
		builder_input_note(r->b, false,
				   "samples in JavaScript, by compiler: interpreted %llu, baseline "
				   "%llu, Maglev %llu, TurboFan %llu",
				   (unsigned long long)n[PERF_INTERPRETED],
				   (unsigned long long)n[PERF_BASELINE],
				   (unsigned long long)n[PERF_MAGLEV],
				   (unsigned long long)n[PERF_TURBOFAN]);
	note(r, false, r->n_in_kernel, "samples in the kernel");
	note(r, true, r->n_unnamed,
	     "frames of compiled code have no name; node --perf-basic-prof "
	     "--interpreted-frames-native-stack gives them names");
	note(r, true, (uint64_t)r->n_lost, "samples or records were lost by perf");
	note(r, true, r->n_branches, "entries of branch stacks are not shown");
	note(r, true, r->n_sources, "lines of the source are not shown");
}

static bool perf_script_read(struct scan *s, struct builder *b, const struct file_hints *hints,
			     struct error *err)
{
	struct perf r = { .s = s, .b = b, .err = err };
	bool ok;

	(void)hints;
	intern_init(&r.frames);
	intern_init(&r.comms);
	intern_init(&r.thread_keys);
	intern_init(&r.events);
	ok = read_lines(&r) && perf_event_end(&r);
	if (ok) {
		add_notes(&r);
		if (!r.is_monotonic)
			cpu_builder_own_clock(b);
		ok = perf_thread_lanes(&r);
	}
	perf_thread_done(&r);
	free(r.n_samples);
	free(r.stack);
	buf_done(&r.key);
	buf_done(&r.text);
	intern_done(&r.frames);
	intern_done(&r.comms);
	intern_done(&r.thread_keys);
	intern_done(&r.events);
	return ok;
}

/* The first line of perf is a head with an event or a frame. Other programs may have printed lines
 * before; then a head must have a frame after it. */
static int perf_script_sniff(const struct outline *outline)
{
	static const char header[] = "# ========\n# captured on";
	const char *p = outline->text, *end = outline->text + outline->len;
	bool is_first = true, after_head = false;

	if (outline->len > strlen(header) && memcmp(p, header, strlen(header)) == 0)
		return 80;
	for (int i = 0; p < end && i < LOOK_LINES;) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		struct str line = { p, (size_t)((stop ? stop : end) - p) };
		struct perf_symbol symbol;
		struct perf_head head;

		p = stop ? stop + 1 : end;
		if (text_line_trimmed(line).len == 0 || line.p[0] == '#')
			continue;
		if (after_head && line.p[0] == '\t' && perf_line_symbol(line, &symbol))
			return 80;
		after_head = perf_line_head(line, &head);
		if (after_head && is_first && (head.event.len || head.rest.len))
			return 80;
		is_first = false;
		i++;
	}
	return 0;
}

const struct reader reader_perf_script = {
	"perf-script",
	"what `perf script` prints: stacks of all threads, with native frames and the kernel",
	perf_script_sniff,
	perf_script_read,
	NULL,
	NULL,
};
