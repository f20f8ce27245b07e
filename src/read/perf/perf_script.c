/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text that `perf script` prints, line by line; the text is not kept. A head begins a sample,
 * frames follow, innermost first, and an empty line, the next head or the end of the text ends it.
 * `perf script --header` prints facts about the recording before, as lines that begin with `#`. */
#include "config.h"

#include "base/alloc.h"
#include "base/units.h"
#include "model/build/cpu_builder.h"
#include "read/perf/perf.h"
#include "read/text_line.h"

#include <stdlib.h>
#include <string.h>

/* ==== perf event ====
 *
 * Events are known by their names. A processor with two kinds of cores counts an event of both
 * kinds as two (`cpu_core/cycles/P`, `cpu_atom/cycles/P`); they are one event here, `cycles/P`. The
 * event of id 0 has no name: `perf script -F` may leave it out. */

#define LIST_MAX 20u /* events that a list names */

/* Without the name of the kind of core. */
static struct str event_name(struct str event)
{
	static const char *const cores[] = { "cpu_core/", "cpu_atom/" };

	for (size_t i = 0; i < ARRAY_LEN(cores); i++) {
		size_t len = strlen(cores[i]);

		if (event.len > len && memcmp(event.p, cores[i], len) == 0)
			return (struct str){ event.p + len, event.len - len };
	}
	return event;
}

/* Whether an event has that name, with or without its modifiers: `cpu-clock:ppp`, `cycles/P`. */
static bool has_name(struct str event, struct str name)
{
	static const char modifiers[] = "ukhIGHpPSDWeb";
	size_t i = name.len;

	if (event.len < name.len || memcmp(event.p, name.p, name.len) != 0)
		return false;
	if (i < event.len && !(name.len && (event.p[i] == ':' || event.p[i] == '/')))
		return false;
	for (i++; i < event.len; i++)
		if (!memchr(modifiers, event.p[i], strlen(modifiers)))
			return false;
	return true;
}

static struct str event_text(const struct perf *r, str_id event)
{
	return (struct str){ intern_text(&r->events, event), intern_len(&r->events, event) };
}

bool perf_event_add(struct perf *r, struct str event)
{
	const char *wanted = builder_sample_type(r->b);
	str_id id;
	size_t had = r->cap_events;

	event = event_name(event);
	id = intern_add(&r->events, event.p, event.len);
	r->n_samples = xgrow(r->n_samples, &r->cap_events, r->events.n, sizeof *r->n_samples);
	if (r->cap_events > had)
		memset(r->n_samples + had, 0, (r->cap_events - had) * sizeof *r->n_samples);
	r->n_samples[id]++;
	if (!r->has_event &&
	    (!wanted || has_name(event, event_name((struct str){ wanted, strlen(wanted) })))) {
		r->has_event = true;
		r->event = id;
		r->is_count = perf_event_is_count(r);
	}
	return r->has_event && id == r->event;
}

/* Append the events but one, with their numbers of samples. but: SIZE_MAX: none. */
static void add_events(const struct perf *r, size_t but, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < r->events.n; i++) {
		if (i == but || !r->n_samples || r->n_samples[i] == 0)
			continue;
		if (n++ == LIST_MAX) {
			buf_adds(out, " and others");
			return;
		}
		buf_addf(out, "%s%s (%llu)", n > 1 ? ", " : "",
			 i ? intern_text(&r->events, (str_id)i) : "samples without an event",
			 (unsigned long long)r->n_samples[i]);
	}
}

static void note_events(struct perf *r)
{
	struct buf others = { 0 };
	char time[UNITS_MAX];
	int64_t interval = perf_event_interval(r);

	if (r->is_count)
		builder_warn_text(r->b, WARN_OCCURRENCES, -1, intern_text(&r->events, r->event));
	if (interval) {
		units_time(interval, time);
		builder_input_note(r->b, false, "a sample for each %s of %s", time,
				   intern_text(&r->events, r->event));
	} else if (r->event) {
		builder_input_note(r->b, false, "samples of the event %s",
				   intern_text(&r->events, r->event));
	}
	add_events(r, r->event, &others);
	if (others.len)
		builder_input_note(r->b, true,
				   "samples of other events, for --sample-type, not shown: %s",
				   buf_text(&others));
	buf_done(&others);
}

bool perf_event_end(struct perf *r)
{
	struct buf events = { 0 };

	if (r->has_event) {
		note_events(r);
		return true;
	}
	add_events(r, SIZE_MAX, &events);
	if (events.len)
		error_set(r->err, ERR_FORMAT, -1, "no event %s; it has %s",
			  builder_sample_type(r->b), buf_text(&events));
	else
		error_set(r->err, ERR_FORMAT, -1, "the text has no samples of perf");
	buf_done(&events);
	return false;
}

/* A name that begins with `subsystem:` is that of a trace point; modifiers follow a colon, too. */
static bool is_trace_point(struct str event)
{
	const char *colon = memchr(event.p, ':', event.len);
	size_t n = colon ? (size_t)(colon - event.p) : 0;

	return n > 0 && n + 1 < event.len && !memchr(event.p, '/', n) &&
		!has_name(event, (struct str){ event.p, n });
}

bool perf_event_is_count(const struct perf *r)
{
	static const char *const counts[] = {
		"page-faults",      "faults",           "minor-faults",
		"major-faults",     "context-switches", "cs",
		"cpu-migrations",   "migrations",       "alignment-faults",
		"emulation-faults", "cgroup-switches",  "cache-references",
		"cache-misses",     "branches",         "branch-instructions",
		"branch-misses",    "branch-loads",     "branch-load-misses",
		"bpf-output"
	};
	static const char *const caches[] = { "L1-dcache-", "L1-icache-",   "LLC-",
					      "dTLB-",      "iTLB-",        "node-load",
					      "node-store", "node-prefetch" };
	struct str event = event_text(r, r->event);

	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		if (has_name(event, (struct str){ counts[i], strlen(counts[i]) }))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(caches); i++)
		if (event.len > strlen(caches[i]) &&
		    memcmp(event.p, caches[i], strlen(caches[i])) == 0)
			return true;
	return is_trace_point(event);
}

int64_t perf_event_interval(const struct perf *r)
{
	static const char *const clocks[] = { "cpu-clock", "task-clock" };

	for (size_t i = 0; i < ARRAY_LEN(clocks); i++)
		if (has_name(event_text(r, r->event), (struct str){ clocks[i], strlen(clocks[i]) }))
			return r->period;
	return 0;
}

/* ==== perf thread ====
 *
 * From samples to lanes. A sample lasts until the next one of its thread, if that comes within two
 * intervals; otherwise it lasts one interval, and the thread was not sampled until the next. The
 * interval is that of the event if it counts time, or else the lower quartile of the distances of
 * all samples of a thread: threads that wait have longer distances, and an event that adapts its
 * period begins with shorter ones. */

#define FRAME_NOT_PASSED UINT32_MAX

struct perf_thread *perf_thread_find(struct perf *r, const struct perf_head *head)
{
	int64_t cpu = head->tid == 0 ? head->cpu : -1, key[2] = { head->tid, cpu };
	str_id id = intern_add(&r->thread_keys, (const char *)key, sizeof key);
	struct perf_thread *thread;

	/* If texts do not fit, the end of the document is an error. */
	if (id > r->n_threads) {
		r->threads = xgrow(r->threads, &r->cap_threads, r->n_threads + 1,
				   sizeof *r->threads);
		thread = &r->threads[r->n_threads++];
		*thread = (struct perf_thread){ .pid = LANE_NO_ID, .tid = head->tid, .cpu = cpu };
		stack_lane_init(&thread->lane);
	}
	thread = &r->threads[id ? id - 1 : 0];
	thread->comm = intern_add(&r->comms, head->comm.p, head->comm.len);
	if (head->pid != LANE_NO_ID)
		thread->pid = head->pid;
	return thread;
}

void perf_thread_count(struct perf_thread *thread, uint32_t node, int64_t n)
{
	const int64_t most = PROFILE_TIME_MAX / NS_PER_US;
	int64_t *sum;

	if (node >= thread->n_sum) {
		thread->sum = xgrow(thread->sum, &thread->cap_sum, (size_t)node + 1,
				    sizeof *thread->sum);
		thread->hits = xrealloc(thread->hits, thread->cap_sum, sizeof *thread->hits);
		memset(thread->hits + thread->n_sum, 0,
		       (node + 1 - thread->n_sum) * sizeof *thread->hits);
		memset(thread->sum + thread->n_sum, 0,
		       (node + 1 - thread->n_sum) * sizeof *thread->sum);
		thread->n_sum = (size_t)node + 1;
	}
	thread->hits[node] += thread->hits[node] < UINT32_MAX;
	sum = &thread->sum[node];
	*sum = n > most - *sum ? most : *sum + n;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* The distance of samples in a thread that is busy. The samples are sorted. */
static int64_t find_interval(const struct perf *r)
{
	int64_t interval = perf_event_interval(r), *distances;
	size_t n = 0;

	if (interval > 0)
		return interval;
	for (size_t i = 0; i < r->n_threads; i++)
		n += r->threads[i].lane.n_samples;
	distances = xmalloc((n + 1) * sizeof *distances);
	n = 0;
	for (size_t i = 0; i < r->n_threads; i++) {
		const struct stack_lane *l = &r->threads[i].lane;

		for (size_t k = 1; k < l->n_samples; k++)
			distances[n++] = l->times[k] - l->times[k - 1];
	}
	qsort(distances, n, sizeof *distances, by_value);
	interval = n ? distances[n / 4] : NS_PER_MS;
	free(distances);
	return interval > 0 ? interval : 1;
}

/* Equal times are not odd: they have six decimals. */
static void sort_samples(struct perf *r, struct stack_lane *l)
{
	size_t n_equal = 0, n;

	for (size_t i = 1; i < l->n_samples; i++)
		n_equal += l->times[i] == l->times[i - 1];
	for (n = stack_lane_sort(l); n > n_equal; n--)
		builder_warn(r->b, WARN_UNSORTED, -1);
}

/* Put samples without a stack where the thread was not sampled. */
static bool add_gaps(struct perf *r, struct stack_lane *l, int64_t interval)
{
	size_t n = l->n_samples;
	uint32_t *samples = l->samples, idle = 0;
	int64_t *times = l->times;

	if (builder_has_idle_gaps(r->b) &&
	    !stack_lane_child(l, 0, perf_frame_idle(r), &idle, r->err))
		return false;
	l->samples = NULL;
	l->times = NULL;
	l->n_samples = l->cap_samples = 0;
	for (size_t i = 0; i < n; i++) {
		stack_lane_sample(l, samples[i], times[i]);
		if (i + 1 < n && (times[i + 1] - times[i]) / 2 > interval)
			stack_lane_sample(l, idle, times[i] + interval);
	}
	l->end_ns = times[n - 1] + interval;
	l->has_end = true;
	free(samples);
	free(times);
	return true;
}

/* Pass the frames that the lane uses. frames: by id, FRAME_NOT_PASSED before and after. */
static void emit(struct perf *r, struct stack_lane *l, uint32_t *frames)
{
	for (uint32_t i = 1; i < l->map.n; i++)
		if (frames[l->map.frame[i]] == FRAME_NOT_PASSED)
			frames[l->map.frame[i]] = perf_frame_pass(r, l->map.frame[i]);
	stack_lane_emit(l, r->b, frames);
	for (uint32_t i = 1; i < l->map.n; i++)
		frames[l->map.frame[i]] = FRAME_NOT_PASSED;
}

/* Pass the occurrences. The builder has the nodes of the lane in their order. */
static void pass_sums(struct perf *r, const struct perf_thread *thread)
{
	const char *event = intern_text(&r->events, r->event);
	const struct cpu_value value = { event,     intern_len(&r->events, r->event),
					 "count",   5,
					 NS_PER_US, 0 };

	cpu_builder_sums(r->b, &value);
	for (size_t i = 1; i < thread->n_sum; i++) {
		cpu_builder_hits(r->b, (uint32_t)i, thread->hits[i]);
		cpu_builder_sum(r->b, (uint32_t)i, thread->sum[i] * NS_PER_US);
	}
}

static bool make_lane(struct perf *r, struct perf_thread *thread, int64_t interval,
		      uint32_t *frames)
{
	size_t n = thread->lane.n_samples;
	bool ok = r->is_count || add_gaps(r, &thread->lane, interval);

	if (!ok)
		return false;
	cpu_builder_begin(r->b);
	if (!r->is_count)
		cpu_builder_taken(r->b, n, interval);
	emit(r, &thread->lane, frames);
	if (r->is_count)
		pass_sums(r, thread);
	buf_clear(&r->text);
	buf_adds(&r->text, intern_text(&r->comms, thread->comm));
	if (thread->cpu >= 0)
		buf_addf(&r->text, " of processor %lld", (long long)thread->cpu);
	cpu_builder_title(r->b, buf_text(&r->text), r->text.len, false);
	ok = cpu_builder_end(r->b, thread->pid, thread->tid, r->err);
	stack_lane_done(&thread->lane);
	return ok;
}

bool perf_thread_lanes(struct perf *r)
{
	int64_t interval;
	uint32_t *frames;
	bool ok = true;

	for (size_t i = 0; i < r->n_threads; i++)
		sort_samples(r, &r->threads[i].lane);
	interval = find_interval(r);
	/* Lanes may use this frame. It is added before they are made. */
	(void)perf_frame_idle(r);
	if (!intern_fits(&r->frames, r->err) || !intern_fits(&r->comms, r->err) ||
	    !intern_fits(&r->thread_keys, r->err))
		return false;
	frames = xmalloc(r->frames.n * sizeof *frames);
	for (size_t i = 0; i < r->frames.n; i++)
		frames[i] = FRAME_NOT_PASSED;
	for (size_t i = 0; i < r->n_threads && ok; i++)
		ok = make_lane(r, &r->threads[i], interval, frames);
	free(frames);
	return ok;
}

void perf_thread_done(struct perf *r)
{
	for (size_t i = 0; i < r->n_threads; i++) {
		stack_lane_done(&r->threads[i].lane);
		free(r->threads[i].sum);
		free(r->threads[i].hits);
	}
	free(r->threads);
	r->threads = NULL;
	r->n_threads = r->cap_threads = 0;
}

/* ==== perf script ==== */

#define LOOK_LINES 100
#define NOTE_MAX 200

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
			   (int)(line.len < NOTE_MAX ? line.len : NOTE_MAX), line.p);
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
