/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text that `perf script` prints, line by line; the text is not kept. A head begins a sample,
 * frames follow, innermost first, and an empty line, the next head or the end of the text ends it.
 * `perf script --header` prints facts about the recording before, as lines that begin with `#`.
 *
 *	event     what takes samples: cpu-clock, cycles, a trace point. One of them is shown
 *	sample    a head (its thread, its time, its event) and a stack of frames, innermost first
 *	thread    its samples become a lane; the idle task, thread 0, has one for each processor */
#include "config.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "base/sort.h"
#include "base/units.h"
#include "model/build/cpu_builder.h"
#include "read/perf/perf_line.h"
#include "read/reader.h"
#include "read/stack_lane.h"
#include "read/text_line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* How V8 compiled a function. */
enum perf_tier { PERF_INTERPRETED, PERF_BASELINE, PERF_MAGLEV, PERF_TURBOFAN, PERF_TIERS };

struct perf_thread {
	struct stack_lane lane; /* its frames: ids of perf.frames */
	str_id comm;            /* its last name */
	uint32_t *hits;         /* the samples of these */
	int64_t *sum;           /* of an event that is counted: occurrences by node of the lane */
	size_t cap_sum, n_sum;
	int64_t pid, tid; /* pid: LANE_NO_ID unknown */
	int64_t cpu;      /* of the idle task; -1: of another thread, or unknown */
};

/* A frame of the sample that is being read. */
struct perf_stacked {
	str_id frame; /* in perf.frames */
	uint64_t address;
	bool is_inlined; /* its module is not known yet */
};

struct perf {
	struct scan *s;
	struct builder *b;
	struct error *err;

	struct intern frames; /* as "perf frame" has them */
	struct intern comms;
	struct intern thread_keys; /* id - 1 is the index in `threads` */
	struct perf_thread *threads;
	size_t n_threads, cap_threads;

	struct intern events; /* those after the first count from id 1 */
	uint64_t *n_samples;  /* by event: how many there are */
	size_t cap_events;
	str_id event; /* the one that is shown, once has_event */
	bool has_event;
	bool is_count;     /* it is occurrences of something, not time */
	int64_t period;    /* of most of its samples; while counting, of the sample being read */
	uint64_t n_period; /* how many more samples had it than others, of those that count */

	struct perf_thread *open; /* the sample being read is of this one; NULL: none */
	bool is_other;            /* the sample being read is of an event that is not shown */
	bool has_empty_lines;     /* samples end with empty lines */
	int64_t t;                /* its time */
	struct perf_stacked *stack;
	size_t n_stack, cap_stack;

	bool is_monotonic; /* times are those of the clock that V8 uses */
	uint64_t n_tier[PERF_TIERS], n_in_kernel, n_unnamed, n_branches, n_sources;
	int64_t n_lost;
	struct buf key, text; /* scratch */
};

/* ==== perf frame ====
 *
 * A frame is interned as its name, a NUL, the kind of its place, and its module. All samples of a
 * function, at whatever offset and as whatever tier, are the same text.
 *
 * V8 names its code in a map of the process: a kind, how it was compiled, the function, and where
 * it begins: `JS:*fib /srv/app.js:3:13`; Node.js up to 18 has no column, and other kinds.
 *
 *	~  interpreted    ^  baseline    +  Maglev    *  TurboFan
 *	o+ o*  entered in the middle of a loop    +' *'  for one context */

enum place_kind {
	PLACE_NONE = '-',   /* no url: the module is not known, or is the map of a process */
	PLACE_JS = 'J',     /* the url is in the name */
	PLACE_MODULE = 'M', /* a program, a library, or the vdso */
	PLACE_KERNEL = 'K', /* the module is that of the kernel; empty: the kernel itself */
	PLACE_JIT = 'C'     /* compiled code that no map names */
};

static inline bool takes(struct str *text, const char *prefix)
{
	if (!str_begins(*text, prefix))
		return false;
	text->p += strlen(prefix);
	text->len -= strlen(prefix);
	return true;
}

/* ---- functions of JavaScript ---- */

/* Take how the function was compiled. -1: not stated. */
static int take_tier(struct str *name)
{
	static const char marks[] = "~^+*";
	size_t i = name->len > 1 && name->p[0] == 'o' && strchr("+*", name->p[1]);
	const char *mark = i < name->len && name->p[i] ? strchr(marks, name->p[i]) : NULL;

	if (!mark)
		return -1;
	i++;
	i += i < name->len && name->p[i] == '\'';
	name->p += i;
	name->len -= i;
	return (int)(mark - marks);
}

static bool take_kind(struct str *name)
{
	static const char *const kinds[] = { "JS:", "LazyCompile:", "Function:", "Script:",
					     "Eval:" };

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (takes(name, kinds[i]))
			return true;
	return false;
}

/* Take `:12` from the end. */
static bool take_last_number(struct str *text, int64_t *value)
{
	size_t at = text->len;

	while (at > 0 && text->p[at - 1] != ':')
		at--;
	if (at == 0 || !perf_line_number((struct str){ text->p + at, text->len - at }, value))
		return false;
	text->len = at - 1;
	return true;
}

/* Split `NAME URL:LINE:COLUMN` or `NAME URL:LINE`; both count from 1. */
static void split_place(struct str text, struct str *name, struct str *url, int64_t *line,
			int64_t *column)
{
	size_t at;
	size_t last = 0, found = SIZE_MAX;

	*name = text;
	*url = (struct str){ text.p, 0 };
	*line = *column = 0;
	if (!take_last_number(&text, line))
		return;
	if (take_last_number(&text, column)) {
		int64_t first = *column;

		*column = *line;
		*line = first;
	}
	/* Where the url begins: with its last word that can begin one, or with the last word. Names
	 * and urls may have blanks. */
	for (size_t i = 0; i <= text.len; i++) {
		struct str word = { text.p + i, 0 };

		if (i > 0 && text.p[i - 1] != ' ')
			continue;
		last = i;
		while (i + word.len < text.len && word.p[word.len] != ' ')
			word.len++;
		if (word.len &&
		    (word.p[0] == '/' || memmem(word.p, word.len, "://", 3) ||
		     takes(&word, "node:") || takes(&word, "file:")))
			found = i;
	}
	at = found < SIZE_MAX ? found : last;
	*name = text_line_trimmed((struct str){ text.p, at });
	*url = (struct str){ text.p + at, text.len - at };
}

/* ---- other code ---- */

/* `RegExp.< src: 'a+' flags: 'g'` becomes `RegExp: a+`, as in CPU profiles. */
static void add_name(struct buf *out, struct str name)
{
	static const char src[] = " src: '", flags[] = "' flags: '";
	struct str rest = name;
	const char *from, *to = NULL;

	from = takes(&rest, "RegExp.") ? memmem(rest.p, rest.len, src, strlen(src)) : NULL;
	if (from) {
		from += strlen(src);
		for (to = rest.p + rest.len - strlen(flags); to > from; to--)
			if (memcmp(to, flags, strlen(flags)) == 0)
				break;
	}
	if (!from || to < from) {
		buf_add(out, name.p, name.len);
		return;
	}
	buf_adds(out, "RegExp: ");
	buf_add(out, from, (size_t)(to - from));
}

/* Whether the module is the map of a process, or memory without a file, where a compiler puts its
 * code. */
static bool is_jit(struct str module)
{
	struct str rest = module;

	return str_ends(module, ".map") || takes(&rest, "//anon") || takes(&rest, "[JIT") ||
		takes(&rest, "[anon:") || takes(&rest, "anon_inode:") ||
		memmem(module.p, module.len, "/jitted-", 8) ||
		memmem(module.p, module.len, "jit-cache", 9) ||
		memmem(module.p, module.len, "jit-code-cache", 14);
}

/* Whether the module is of the kernel; it becomes the name of that module, or empty. */
static bool take_kernel(struct str *module, uint64_t address)
{
	static const char *const of_process[] = { "[vdso",  "[vsyscall]", "[vvar",
						  "[heap]", "[stack",     "[uprobes]" };
	static const char *const endings[] = { ".ko", ".ko.xz", ".ko.gz", ".ko.zst" };
	struct str rest = *module;

	if (module->len == 0)
		return address >> 63;
	if (takes(&rest, "[kernel") || takes(&rest, "[guest.kernel") ||
	    str_ends(*module, "/vmlinux")) {
		module->len = 0;
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
		if (!str_ends(*module, endings[i]))
			continue;
		module->len -= strlen(endings[i]);
		*module = str_after_last(*module, '/');
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(of_process); i++)
		if (takes(&rest, of_process[i]))
			return false;
	/* Names of modules have no blanks. */
	if (module->len < 3 || module->p[0] != '[' || !str_ends(*module, "]") ||
	    memchr(module->p, ' ', module->len))
		return false;
	module->p++;
	module->len -= 2;
	return true;
}

/* ---- frames ---- */

static str_id add_frame(struct perf *r, struct str name, enum place_kind kind, struct str module)
{
	buf_clear(&r->key);
	add_name(&r->key, name);
	buf_addc(&r->key, '\0');
	buf_addc(&r->key, (char)kind);
	buf_add(&r->key, module.p, module.len);
	return intern_add(&r->frames, buf_text(&r->key), r->key.len);
}

/* The frame of a symbol. tier: set where it is of JavaScript. is_kernel, is_unnamed: of the kernel;
 * compiled code of which perf knows no function. */
struct perf_frame {
	str_id id;
	int tier; /* -1: none */
	bool is_kernel, is_unnamed;
};

static struct perf_frame perf_frame_add(struct perf *r, const struct perf_symbol *symbol)
{
	static const struct str none = { "", 0 }, unknown = { "[unknown]", 9 };
	struct perf_frame frame = { .tier = -1 };
	struct str name = symbol->name, module = symbol->module;
	bool has_name = name.len && !str_is(name, unknown.p);

	if (!has_name)
		name = unknown;
	if (str_is(module, "[unknown]") || str_is(module, "inlined"))
		module.len = 0;
	if (is_jit(module) || take_kind(&(struct str){ name.p, name.len })) {
		bool is_js = take_kind(&name);

		frame.is_unnamed = !has_name;
		if (is_js)
			frame.tier = take_tier(&name);
		frame.id = add_frame(r, name,
				     is_js              ? PLACE_JS
					     : has_name ? PLACE_NONE
							: PLACE_JIT,
				     none);
		return frame;
	}
	frame.is_kernel = take_kernel(&module, symbol->address);
	frame.id = add_frame(r, name,
			     frame.is_kernel      ? PLACE_KERNEL
				     : module.len ? PLACE_MODULE
						  : PLACE_NONE,
			     module);
	return frame;
}

/* The frame (idle). */
static str_id perf_frame_idle(struct perf *r)
{
	return add_frame(r, (struct str){ "(idle)", 6 }, PLACE_NONE, (struct str){ "", 0 });
}

/* Whether a function is one in which the idle task waits. */
static bool perf_frame_is_idle(const struct perf *r, str_id frame)
{
	static const char *const words[] = { "idle", "halt", "mwait" };
	const char *name = intern_text(&r->frames, frame);

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strstr(name, words[i]))
			return true;
	return false;
}

/* Pass a frame to the builder. Returns its number there. */
static uint32_t perf_frame_pass(struct perf *r, str_id frame)
{
	const char *text = intern_text(&r->frames, frame);
	size_t len = intern_len(&r->frames, frame);
	/* A name may have NULs; the kind is after the last one. */
	const char *end = memrchr(text, '\0', len);
	struct str name, url = { "", 0 }, script = { "0", 1 };
	int64_t line = 0, column = 0;

	if (!end || end + 1 == text + len)
		return cpu_builder_named(r->b, text, len);
	name = (struct str){ text, (size_t)(end - text) };
	buf_clear(&r->text);
	switch ((enum place_kind)end[1]) {
	case PLACE_JS:
		split_place(name, &name, &url, &line, &column);
		/* Code of eval() has no url. */
		if (url.len == 0 && line > 0)
			script = (struct str){ "eval", 4 };
		break;
	case PLACE_MODULE:
		buf_addf(&r->text, "native %.*s", (int)(text + len - (end + 2)), end + 2);
		break;
	case PLACE_KERNEL:
		buf_addf(&r->text, "native [kernel]%s%.*s", end + 2 < text + len ? " " : "",
			 (int)(text + len - (end + 2)), end + 2);
		break;
	case PLACE_JIT:
		buf_adds(&r->text, "native compiled code");
		break;
	case PLACE_NONE:
		break;
	}
	if (r->text.len)
		url = (struct str){ buf_text(&r->text), r->text.len };
	return cpu_builder_frame(r->b,
				 &(struct cpu_frame){ name.p, name.len, url.p, url.len, script.p,
						      script.len, line - 1, column - 1 });
}

/* ==== perf event ====
 *
 * Events are known by their names. A processor with two kinds of cores counts an event of both
 * kinds as two (`cpu_core/cycles/P`, `cpu_atom/cycles/P`); they are one event here, `cycles/P`. The
 * event of id 0 has no name: `perf script -F` may leave it out. */

#define LIST_MAX 20u /* events that a list names */

/* Without the name of the kind of core. */
static struct str event_name(struct str event)
{
	struct str name = event;

	return (takes(&name, "cpu_core/") || takes(&name, "cpu_atom/")) && name.len ? name : event;
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

/* Whether the event that is shown is occurrences of something: a trace point, page faults. */
static bool perf_event_is_count(const struct perf *r)
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
	const char *colon;
	size_t n;

	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		if (has_name(event, (struct str){ counts[i], strlen(counts[i]) }))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(caches); i++)
		if (str_begins(event, caches[i]) && event.len > strlen(caches[i]))
			return true;
	/* A name that begins with `subsystem:` is that of a trace point; modifiers follow a colon,
	 * too. */
	colon = memchr(event.p, ':', event.len);
	n = colon ? (size_t)(colon - event.p) : 0;
	return n > 0 && n + 1 < event.len && !memchr(event.p, '/', n) &&
		!has_name(event, (struct str){ event.p, n });
}

/* The distance of samples that the event states; 0: none. */
static int64_t perf_event_interval(const struct perf *r)
{
	static const char *const clocks[] = { "cpu-clock", "task-clock" };

	for (size_t i = 0; i < ARRAY_LEN(clocks); i++)
		if (has_name(event_text(r, r->event), (struct str){ clocks[i], strlen(clocks[i]) }))
			return r->period;
	return 0;
}

/* Count a sample of this event. Returns whether the event is shown. */
static bool perf_event_add(struct perf *r, struct str event)
{
	const char *wanted = builder_options(r->b)->sample_type;
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
		buf_addf(out, "%s%s (%" PRIu64 ")", n > 1 ? ", " : "",
			 i ? intern_text(&r->events, (str_id)i) : "samples without an event",
			 r->n_samples[i]);
	}
}

/* After the last sample. Fails when there is no event of the name that the user wants. Adds notes
 * about events that are not shown. */
static bool perf_event_end(struct perf *r)
{
	BUF_LOCAL events = { 0 };

	if (r->has_event) {
		const char *event = intern_text(&r->events, r->event);
		BUF_LOCAL others = { 0 };
		int64_t interval = perf_event_interval(r);

		if (r->is_count)
			builder_warn_text(r->b, WARN_OCCURRENCES, -1, event);
		if (interval)
			builder_input_note(r->b, false, "a sample for each %s of %s",
					   units_time(interval, UNITS_ROOM), event);
		else if (r->event)
			builder_input_note(r->b, false, "samples of the event %s", event);
		add_events(r, r->event, &others);
		if (others.len)
			builder_input_note(
				r->b, true,
				"samples of other events, for --sample-type, not shown: %s",
				buf_text(&others));
		return true;
	}
	add_events(r, SIZE_MAX, &events);
	if (events.len)
		error_set(r->err, ERR_FORMAT, -1, "no event %s; it has %s",
			  builder_options(r->b)->sample_type, buf_text(&events));
	else
		error_set(r->err, ERR_FORMAT, -1, "the text has no samples of perf");
	return false;
}

/* ==== perf thread ====
 *
 * From samples to lanes. A sample lasts until the next one of its thread, if that comes within two
 * intervals; otherwise it lasts one interval, and the thread was not sampled until the next. The
 * interval is that of the event if it counts time, or else the lower quartile of the distances of
 * all samples of a thread: threads that wait have longer distances, and an event that adapts its
 * period begins with shorter ones. */

#define FRAME_NOT_PASSED UINT32_MAX

/* The thread of a sample, added if it is new. Valid until the next one is added. */
static struct perf_thread *perf_thread_find(struct perf *r, const struct perf_head *head)
{
	int64_t cpu = head->tid == 0 ? head->cpu : -1, key[2] = { head->tid, cpu };
	str_id id = intern_add(&r->thread_keys, (const char *)key, sizeof key);
	struct perf_thread *thread;

	/* If texts do not fit, the end of the document is an error. */
	if (id > r->n_threads) {
		thread = ARRAY_ADD(r->threads, r->n_threads, r->cap_threads);
		*thread = (struct perf_thread){ .pid = LANE_NO_ID, .tid = head->tid, .cpu = cpu };
		stack_lane_init(&thread->lane);
	}
	thread = &r->threads[id ? id - 1 : 0];
	thread->comm = intern_add(&r->comms, head->comm.p, head->comm.len);
	if (head->pid != LANE_NO_ID)
		thread->pid = head->pid;
	return thread;
}

/* Add occurrences to a node of a thread. */
static void perf_thread_count(struct perf_thread *thread, uint32_t node, int64_t n)
{
	const int64_t most = PROFILE_TIME_MAX / NS_PER_US;
	int64_t *sum;

	if (node >= thread->n_sum) {
		thread->sum = xgrow(thread->sum, &thread->cap_sum, (size_t)node + 1,
				    sizeof *thread->sum);
		thread->hits = xrealloc(thread->hits, thread->cap_sum, sizeof *thread->hits);
	}
	for (; thread->n_sum <= node; thread->n_sum++)
		thread->sum[thread->n_sum] = thread->hits[thread->n_sum] = 0;
	thread->hits[node] += thread->hits[node] < UINT32_MAX;
	sum = &thread->sum[node];
	*sum = n > most - *sum ? most : *sum + n;
}

SORT_ORDER(by_value, int64_t, SORT_BY_1(*x, *y))

/* The distance of samples in a thread that is busy. The samples are sorted. */
static int64_t find_interval(const struct perf *r)
{
	ALLOC_LOCAL int64_t *distances = NULL;
	int64_t interval = perf_event_interval(r);
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
	return interval > 0 ? interval : 1;
}

/* Put samples without a stack where the thread was not sampled. */
static bool add_gaps(struct perf *r, struct stack_lane *l, int64_t interval)
{
	size_t n = l->n_samples;
	uint32_t *samples = l->samples, idle = 0;
	int64_t *times = l->times;

	if (builder_options(r->b)->has_idle_gaps &&
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

/* frames: by id, FRAME_NOT_PASSED before and after. */
static bool make_lane(struct perf *r, struct perf_thread *thread, int64_t interval,
		      uint32_t *frames)
{
	const struct node_map *map = &thread->lane.map;
	const struct str event = event_text(r, r->event);
	size_t n = thread->lane.n_samples;
	bool ok = r->is_count || add_gaps(r, &thread->lane, interval);

	if (!ok)
		return false;
	cpu_builder_begin(r->b);
	if (!r->is_count)
		cpu_builder_taken(r->b, n, interval);
	/* Pass the frames that the lane uses. */
	for (uint32_t i = 1; i < map->n; i++)
		if (frames[map->frame[i]] == FRAME_NOT_PASSED)
			frames[map->frame[i]] = perf_frame_pass(r, map->frame[i]);
	stack_lane_emit(&thread->lane, r->b, frames);
	for (uint32_t i = 1; i < map->n; i++)
		frames[map->frame[i]] = FRAME_NOT_PASSED;
	if (r->is_count)
		cpu_builder_value(
			r->b,
			&(struct cpu_value){ event.p, event.len, "count", 5, NS_PER_US, 0, true });
	/* The builder has the nodes of the lane in their order. */
	for (size_t i = 1; r->is_count && i < thread->n_sum; i++) {
		cpu_builder_hits(r->b, (uint32_t)i, thread->hits[i]);
		cpu_builder_sum(r->b, (uint32_t)i, thread->sum[i] * NS_PER_US);
	}
	buf_clear(&r->text);
	buf_adds(&r->text, intern_text(&r->comms, thread->comm));
	if (thread->cpu >= 0)
		buf_addf(&r->text, " of processor %lld", (long long)thread->cpu);
	cpu_builder_title(r->b, buf_text(&r->text), r->text.len, false);
	ok = cpu_builder_end(r->b, thread->pid, thread->tid, r->err);
	stack_lane_done(&thread->lane);
	return ok;
}

/* Make a lane of each thread. */
static bool perf_thread_lanes(struct perf *r)
{
	int64_t interval;
	ALLOC_LOCAL uint32_t *frames = NULL;
	bool ok = true;

	for (size_t i = 0; i < r->n_threads; i++) {
		/* Times have six decimals, so equal ones are not odd. */
		size_t n_odd = stack_lane_sort(&r->threads[i].lane, true);

		if (n_odd)
			builder_warn_times(r->b, WARN_UNSORTED, -1, n_odd);
	}
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
	return ok;
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

static void take_symbol(struct perf *r, const struct perf_symbol *symbol)
{
	struct perf_frame frame = perf_frame_add(r, symbol);
	bool is_inlined = str_is(symbol->module, "inlined");

	/* Inlined functions come before the function that they are part of, at its address; perf
	 * does not say their module. */
	for (size_t i = r->n_stack; !is_inlined && i-- > 0 && r->stack[i].is_inlined &&
	     r->stack[i].address == symbol->address;) {
		const char *name = intern_text(&r->frames, r->stack[i].frame);
		struct perf_symbol inlined = { symbol->address,
					       { name, strlen(name) },
					       symbol->module };

		r->stack[i].frame = perf_frame_add(r, &inlined).id;
		r->stack[i].is_inlined = false;
	}
	if (r->n_stack == 0) {
		r->n_in_kernel += frame.is_kernel;
		if (frame.tier >= 0)
			r->n_tier[frame.tier]++;
	}
	r->n_unnamed += frame.is_unnamed;
	*ARRAY_ADD(r->stack, r->n_stack,
		   r->cap_stack) = (struct perf_stacked){ frame.id, symbol->address, is_inlined };
}

static void begin_sample(struct perf *r, const struct perf_head *head)
{
	struct perf_symbol symbol;

	r->is_other = !perf_event_add(r, head->event);
	if (r->is_other)
		return;
	/* One odd sample must not decide how long all others last: the period that more than half
	 * of the samples have is left at the end. */
	if (r->is_count || r->n_period == 0)
		r->period = head->period;
	if (r->period == head->period)
		r->n_period++;
	else
		r->n_period--;
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
	if (takes(&line, "# clockid: monotonic"))
		r->is_monotonic = line.len == 0 || line.p[0] == ' ';
	else if (takes(&line, "# hostname : ") && line.len)
		builder_this_input(r->b)->host[INPUT_HOST_NAME] = builder_input_text(r->b, line.p,
										     line.len);
	else if (takes(&line, "# cmdline : ") && line.len)
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
		builder_input_note(r->b, is_loss, "%" PRIu64 " %s", n, what);
}

static void add_notes(struct perf *r)
{
	const uint64_t *n = r->n_tier;

	if (n[0] + n[1] + n[2] + n[3])
		builder_input_note(r->b, false,
				   "samples in JavaScript, by compiler: interpreted %" PRIu64
				   ", baseline %" PRIu64 ", Maglev %" PRIu64 ", TurboFan %" PRIu64,
				   n[PERF_INTERPRETED], n[PERF_BASELINE], n[PERF_MAGLEV],
				   n[PERF_TURBOFAN]);
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
			cpu_builder_clock(b, CPU_CLOCK_OWN);
		ok = perf_thread_lanes(&r);
	}
	for (size_t i = 0; i < r.n_threads; i++) {
		stack_lane_done(&r.threads[i].lane);
		free(r.threads[i].sum);
		free(r.threads[i].hits);
	}
	free(r.threads);
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
	struct str text = { outline->text, outline->len }, line;
	bool is_first = true, after_head = false;

	if (str_begins(text, "# ========\n# captured on"))
		return 80;
	for (int i = 0; i < LOOK_LINES && text_line_take(&text, true, &line);) {
		struct perf_symbol symbol;
		struct perf_head head;

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
	.name = "perf-script",
	.help = "what `perf script` prints: stacks of all threads, with native frames and the "
		"kernel",
	.is_not_json = true,
	.sniff = perf_script_sniff,
	.read = perf_script_read,
};
