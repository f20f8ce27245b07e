/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The main thread waits for news of the processes, each of which a thread records. A signal cancels
 * all recordings; their last chunks are still taken. A second signal ends the program at once: the
 * guard closes the inspectors. */
#include "config.h"

#include "record/watch_command.h"

#include "analyse/totals.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/json/cursor.h"
#include "base/pattern.h"
#include "base/text.h"
#include "base/thread.h"
#include "base/units.h"
#include "cli/options.h"
#include "cli/run.h"
#include "read/load/load_file.h"
#include "record/recording.h"
#include "record/remote/process.h"
#include "record/remote/record.h"
#include "record/watch_thread.h"
#include "source/source_maps.h"

#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* What all processes have in common. Borrowed from the caller, and not changed by it. */
struct watch_process_options {
	struct record_options record;       /* on_chunk, on_end and ctx are set here */
	const struct wake *news;            /* woken when a process needs watch_process_work() */
	struct watch_thread_options thread; /* on_line and on_error are set here */
	void (*on_line)(void *ctx, const struct watch_line *line);
	/* Something about a process went wrong; text for people. */
	void (*on_error)(void *ctx, const char *text);
	void *ctx; /* of both */
};

enum watch_process_state {
	WATCH_PROCESS_RUNS,
	WATCH_PROCESS_ENDED, /* the process has ended */
	WATCH_PROCESS_FAILED /* it cannot be recorded, or its recording has stopped */
};

struct watch_process;

struct watch_find {
	struct pattern *pattern; /* borrowed */
	struct watch_find_seen *seen;
	size_t n, cap;
};

struct watch_find_seen {
	pid_t pid;
	uint64_t start_ticks;
	int64_t again_ns; /* INT64_MAX: never */
};

struct watch {
	struct run *run;
	struct watch_settings settings;
	struct watch_process_options options;
	struct watch_files files;
	struct watch_limit limit;
	struct watch_find find;
	struct recording recording;
	struct wake news;
	struct watch_process **processes;
	uint32_t n;
	int64_t looked_ns; /* for processes; 0: never */
	bool is_broken;    /* standard output is closed */
	bool is_repeating; /* errors are about a process that was tried before */
};

static void watch(struct watch *w);

/* ==== watch find ====
 *
 * A process is known by its number and the time of its start: numbers are used again. */

static struct watch_find_seen *find_seen(const struct watch_find *f, pid_t pid)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->seen[i].pid == pid)
			return &f->seen[i];
	return NULL;
}

static void remember(struct watch_find *f, const struct process *p)
{
	struct watch_find_seen *seen = find_seen(f, p->pid);

	if (!seen) {
		seen = ARRAY_ADD(f->seen, f->n, f->cap);
	}
	*seen = (struct watch_find_seen){ p->pid, p->start_ticks, INT64_MAX };
}

/* Whether a process is to be returned. */
static bool is_wanted(struct watch_find *f, const struct process *p, int64_t now_ns, bool *is_new)
{
	const struct watch_find_seen *seen = find_seen(f, p->pid);

	if (p->is_zombie || p->runtime == RUNTIME_NONE || p->runtime == RUNTIME_CHROMIUM)
		return false;
	*is_new = !seen || seen->start_ticks != p->start_ticks;
	return (*is_new || now_ns >= seen->again_ns) &&
		pattern_find(f->pattern, buf_text(&p->command), p->command.len, NULL, NULL);
}

/* Look for the next JavaScript process that matches, and that was not returned before, or is to be
 * tried again; 0: there is none. now_ns: of clock_ns(). is_new: it was not returned before. */
static pid_t watch_find_next(struct watch_find *f, int64_t now_ns, bool *is_new)
{
	pid_t *pids, found = 0;
	size_t n = process_list(PROCESS_PROC, &pids);
	size_t kept = 0;

	/* Forget processes that are no more. pids: ascending. */
	for (size_t i = 0; i < f->n; i++) {
		size_t k = 0;

		while (k < n && pids[k] != f->seen[i].pid)
			k++;
		if (k < n)
			f->seen[kept++] = f->seen[i];
	}
	f->n = kept;
	for (size_t i = 0; i < n && found == 0; i++) {
		struct error err = ERROR_INIT;
		struct process p = { 0 };

		if (pids[i] != getpid() && process_read(PROCESS_PROC, pids[i], &p, &err) &&
		    is_wanted(f, &p, now_ns, is_new)) {
			found = p.pid;
			remember(f, &p);
		}
		process_done(&p);
	}
	free(pids);
	return found;
}

/* ==== watch settings ====
 *
 * What the options of `flametty watch` ask for. */

#define STALL_NS (200 * NS_PER_MS)
#define STALL_MIN_NS (5 * NS_PER_MS)
#define KEEP_NS (30 * NS_PER_S)
#define KEEP_MIN_NS NS_PER_S
#define KEEP_MAX_NS (300 * NS_PER_S)
#define WINDOW_NS (10 * NS_PER_S)
#define WINDOW_MIN_NS NS_PER_S
#define WINDOW_MAX_NS (3600 * NS_PER_S)
#define GROW_MIN (1 << 20)
#define GROW_NS (600 * NS_PER_S)
#define GROW_MIN_NS (60 * NS_PER_S)
#define GROW_MAX_NS (24 * 3600 * NS_PER_S)
#define FILES 20
#define FILES_MAX 1000000
#define WATCHED_MAX 64 /* processes that begin at the same time */

/* A time in [least, most]; a percentage is none. */
static bool parse_time(const char *text, int64_t least, int64_t most, int64_t *ns)
{
	return !strchr(text, '%') && units_parse_time(text, 0, ns) && *ns >= least && *ns <= most;
}

static bool find_stall(struct watch_settings *s, const char *text, struct error *err)
{
	s->stall_ns = STALL_NS;
	if (!text)
		return true;
	if (strcmp(text, "0") == 0) {
		s->stall_ns = INT64_MAX;
		return true;
	}
	return parse_time(text, STALL_MIN_NS, WINDOW_MAX_NS, &s->stall_ns) ||
		error_set(err, ERR_FORMAT, -1,
			  "--stall wants a time from 5ms to 1 hour, or 0 for none, not '%s'", text);
}

/* `40%`, `40%/10s` */
static bool parse_share(const char *text, struct watch_share *share)
{
	char *end;
	double percent = strtod(text, &end);

	if (end == text || *end != '%' || !(percent > 0 && percent <= 100))
		return false;
	share->limit = percent / 100;
	if (end[1] == '\0')
		return true;
	return end[1] == '/' &&
		parse_time(end + 2, WINDOW_MIN_NS, WINDOW_MAX_NS, &share->window_ns);
}

static bool find_share(struct watch_share *share, const char *option, const char *text,
		       struct error *err)
{
	*share = (struct watch_share){ HUGE_VAL, WINDOW_NS };
	return !text || parse_share(text, share) ||
		error_set(
			err, ERR_FORMAT, -1,
			"--%s wants a percentage, as 40%%, or one of a time from 1s to 1 hour, as "
			"40%%/10s, not '%s'",
			option, text);
}

/* `200M`, `200M/10min` */
static bool find_growth(struct watch_settings *s, const char *text, struct error *err)
{
	BUF_LOCAL size = { 0 };
	const char *slash = text ? strchr(text, '/') : NULL;
	int64_t bytes;

	if (!text)
		return true;
	buf_add(&size, text, slash ? (size_t)(slash - text) : strlen(text));
	s->grow_ns = GROW_NS;
	if (!memory_parse(buf_text(&size), 0, &bytes) || bytes < GROW_MIN ||
	    (slash && !parse_time(slash + 1, GROW_MIN_NS, GROW_MAX_NS, &s->grow_ns)))
		return error_set(err, ERR_FORMAT, -1,
				 "--grow wants a size of at least 1M, as 200M, or one in a time "
				 "from 1min to a day, as 200M/10min, not '%s'",
				 text);
	s->grow_kb = bytes / 1024;
	return true;
}

static bool find_most(struct watch_settings *s, const char *text, struct error *err)
{
	char *end;
	long n;

	s->most = FILES;
	if (!text)
		return true;
	n = strtol(text, &end, 10);
	if (end == text || *end != '\0' || n < 0 || n > FILES_MAX)
		return error_set(err, ERR_FORMAT, -1,
				 "--max wants a number of files up to 1000000, not '%s'", text);
	s->most = (uint32_t)n;
	return true;
}

bool watch_settings_find(struct watch_settings *s, const struct options *o, struct error *err)
{
	*s = (struct watch_settings){ .keep_ns = KEEP_NS };
	if (o->keep && !parse_time(o->keep, KEEP_MIN_NS, KEEP_MAX_NS, &s->keep_ns))
		return error_set(err, ERR_FORMAT, -1,
				 "--keep wants a time from 1s to 5min, not '%s'", o->keep);
	if (!recording_find_interval(o, &s->interval_us, NULL, err))
		return false;
	s->is_json = o->format && strcmp(o->format, watch_line_word(1)) == 0;
	return find_stall(s, o->stall, err) && find_share(&s->gc, "gc", o->gc, err) &&
		find_share(&s->busy, "busy", o->busy, err) && find_most(s, o->max_files, err) &&
		find_growth(s, o->grow, err);
}

/* ==== watch process ====
 *
 * One watched process: it is recorded on a thread of its own, which hands over what comes;
 * everything else happens on the main thread.
 *
 * What comes is copied into a list, under a lock, on the thread that records; so a full disk or a
 * slow analysis does not keep the process waiting for its inspector.
 *
 * The connection ends a little before the process does. Then it has some time to go; if it is still
 * there after that, the recording was stopped for another reason. */

#define STARTED_S 10 /* a process of this age has started up */
#define LEAVE_NS (3 * NS_PER_S)
#define GONE_US INT64_C(60000000) /* after its last chunk a worker has ended */

/* What has come: a chunk, a text of requests, or a line to say. */
struct item {
	struct item *next;
	uint32_t thread;
	int tid;
	char *title; /* NULL: a line */
	bool is_requests;
	unsigned heap_part; /* as in struct recorder_chunk */
	int64_t grown_kb, grown_ns;
	struct buf text; /* with CURSOR_PAD bytes at the end */
};

struct watch_process {
	const struct watch_process_options *options;
	struct watch_thread_options thread_options;
	struct record_options record_options;
	struct record_process who;
	struct record *record;
	struct process process; /* as it was at the beginning; zeroed: known by an address */
	char address[96];
	pthread_mutex_t lock; /* of the list */
	struct item *first, **last;
	struct watch_thread **threads;
	uint32_t n_threads;
	struct buf heap; /* the first heap profile of two */
	bool has_begun, is_silent;
	unsigned listed_in; /* watch_files.n_cuts + 1 when the list of stalls got its name; or 0 */
	int64_t ended_ns;   /* when the recording has ended; 0: it goes on */
};

/* ---- on the thread that records ---- */

static void add_item(struct watch_process *p, const struct item *like, struct str text)
{
	struct item *item = xcalloc(1, sizeof *item);
	static const char pad[CURSOR_PAD];

	*item = *like;
	buf_add(&item->text, text.p, text.len);
	buf_add(&item->text, pad, sizeof pad);
	pthread_mutex_lock(&p->lock);
	*p->last = item;
	p->last = &item->next;
	pthread_mutex_unlock(&p->lock);
	wake_up(p->options->news);
}

static void on_chunk(void *ctx, uint32_t process, const struct recorder_chunk *chunk)
{
	const bool is_requests = chunk->requests.len > 0;

	(void)process;
	add_item(ctx,
		 &(struct item){ .thread = chunk->thread,
				 .tid = chunk->tid,
				 .title = xstrdup(chunk->title),
				 .is_requests = is_requests,
				 .heap_part = chunk->heap_part,
				 .grown_kb = chunk->grown_kb,
				 .grown_ns = chunk->grown_ns },
		 is_requests ? chunk->requests : chunk->profile);
}

static void on_note(void *ctx, uint32_t process, const char *text)
{
	(void)process;
	add_item(ctx, &(struct item){ 0 }, (struct str){ text, strlen(text) });
}

static void on_end(void *ctx, uint32_t process)
{
	const struct watch_process *p = ctx;

	(void)process;
	wake_up(p->options->news);
}

/* ---- lines and errors ---- */

static void pass_error(void *ctx, const char *text)
{
	const struct watch_process *p = ctx;
	BUF_LOCAL message = { 0 };

	buf_addf(&message, "process %s: ", p->address);
	text_visible(&message, text, strlen(text));
	p->options->on_error(p->options->ctx, buf_text(&message));
}

/* Whether the list of stalls has a row for it. */
static bool is_listed(enum watch_line_kind kind)
{
	return kind == WATCH_STALL || kind == WATCH_STARVED || kind == WATCH_SERIES ||
		kind == WATCH_OPEN || kind == WATCH_GC || kind == WATCH_BUSY || kind == WATCH_GROW;
}

/* Append an event to the list of stalls, after the name of its process, which is there once. */
static void list_line(struct watch_process *p, const struct watch_line *line)
{
	struct watch_files *files = p->options->thread.files;
	struct watch_line begin = { .kind = WATCH_BEGIN,
				    .wall_ns = line->wall_ns,
				    .pid = line->pid,
				    .address = line->address,
				    .text = buf_text(&p->process.command) };
	struct error err = ERROR_INIT;

	if (!is_listed(line->kind))
		return;
	if ((p->listed_in == files->n_cuts + 1 || watch_files_note(files, &begin, &err)) &&
	    watch_files_note(files, line, &err))
		p->listed_in = files->n_cuts + 1;
	else
		pass_error(p, err.text);
}

static void pass_line(void *ctx, struct watch_line *line)
{
	struct watch_process *p = ctx;

	line->pid = p->who.pid;
	line->address = p->address;
	list_line(p, line);
	p->options->on_line(p->options->ctx, line);
}

static void tell(struct watch_process *p, enum watch_line_kind kind, int64_t ago_ns,
		 const char *text)
{
	struct watch_line line = { .kind = kind,
				   .wall_ns = clock_wall_ns() - ago_ns,
				   .length_ns = ago_ns,
				   .text = text };

	pass_line(p, &line);
}

static void tell_begin(struct watch_process *p)
{
	if (p->has_begun || record_began(p->record) == 0)
		return;
	p->has_begun = true;
	tell(p, WATCH_BEGIN, 0, buf_text(&p->process.command));
}

/* ---- what has come ---- */

static struct watch_thread *find_thread(struct watch_process *p, const struct item *item)
{
	while (p->n_threads <= item->thread) {
		p->threads = xrealloc(p->threads, (size_t)p->n_threads + 1, sizeof *p->threads);
		p->threads[p->n_threads++] = NULL;
	}
	if (!p->threads[item->thread]) {
		struct watch_thread *t = xcalloc(1, sizeof *t);
		BUF_LOCAL name = { 0 };

		watch_thread_init(t, &p->thread_options, p, record_number(&p->who), item->tid,
				  item->tid == 0 && p->process.age_seconds >= STARTED_S);
		record_name(&p->who, item->title, &name);
		ring_begin_with(t->ring, buf_text(&name));
		p->threads[item->thread] = t;
	}
	return p->threads[item->thread];
}

/* ---- what grows ---- */

#define SITES 5

/* Add the bytes of each function, times `sign`. What other code allocates is of the nearest caller
 * that the user has written or installed. */
static void add_bytes(const struct profile *profile, uint32_t input, int sign, int64_t *bytes)
{
	for (uint32_t i = 0; i < profile->n_lanes; i++) {
		struct totals totals;
		struct view view;

		if (profile->lanes[i].input != input)
			continue;
		view_init_lane(&view, profile, &profile->lanes[i]);
		totals_init(&totals, &view);
		totals_compute(&totals, 0, profile->t1);
		for (node_id n = 1; n < view.tree->n; n++) {
			node_id at = n;

			while (at != NODE_ROOT &&
			       profile_frame(profile, view.tree->frame[at])->category >
				       CATEGORY_DEPENDENCY)
				at = view.tree->parent[at];
			bytes[view.tree->frame[at == NODE_ROOT ? n : at]] += sign * totals.self[n];
		}
		totals_done(&totals);
		view_done(&view);
	}
}

/* The functions that have grown most. Returns how many; *sum: of all that have grown. */
static size_t find_sites(const struct profile *profile, int64_t *bytes, struct watch_site *sites,
			 int64_t *sum)
{
	size_t n = 0;

	*sum = 0;
	for (frame_id f = 0; f < profile->frames.n; f++)
		*sum += bytes[f] > 0 ? bytes[f] : 0;
	for (; n < SITES; n++) {
		const struct frame *frame;
		frame_id most = 0;

		for (frame_id f = 1; f < profile->frames.n; f++)
			most = bytes[f] > bytes[most] ? f : most;
		if (bytes[most] <= 0)
			break;
		frame = profile_frame(profile, most);
		sites[n] = (struct watch_site){ .name = profile_text(profile, frame->name),
						.url = profile_text(profile, frame->url),
						.line = frame->line,
						.column = frame->column,
						.bytes = bytes[most],
						.share = (double)bytes[most] / (double)*sum };
		bytes[most] = 0;
	}
	return n;
}

static void add_site(const struct watch_site *s, struct buf *out)
{
	const char *slash = strrchr(s->url, '/');
	char bytes[UNITS_MAX];

	buf_addf(out, "%s%s", out->len ? "; " : "", *s->name ? s->name : "(anonymous)");
	if (*s->url)
		buf_addf(out, " %s:%d", slash && slash[1] ? slash + 1 : s->url, (int)s->line);
	buf_addf(out, " %s, %.0f %%", units_bytes(s->bytes, bytes), 100 * s->share);
}

static void tell_growth(struct watch_process *p, const struct profile *profile,
			const struct item *item)
{
	ALLOC_LOCAL int64_t *bytes = xcalloc(profile->frames.n, sizeof *bytes);
	struct watch_site sites[SITES];
	BUF_LOCAL text = { 0 };
	struct watch_line line = { .kind = WATCH_GROW,
				   .wall_ns = clock_wall_ns() - item->grown_ns,
				   .length_ns = item->grown_ns,
				   .ns = item->grown_kb * 1024,
				   .sites = sites };
	int64_t sum;

	add_bytes(profile, 0, -1, bytes);
	add_bytes(profile, 1, 1, bytes);
	line.n_sites = find_sites(profile, bytes, sites, &sum);
	for (size_t i = 0; i < line.n_sites; i++)
		add_site(&sites[i], &text);
	if (line.n_sites == 0)
		buf_adds(&text, "no objects of JavaScript since then: buffers, native memory");
	line.text = buf_text(&text);
	pass_line(p, &line);
}

static void take_heap(struct watch_process *p, const struct item *item, struct str text)
{
	struct error err = ERROR_INIT;
	struct profile *profile;

	if (item->heap_part == 2 && p->heap.len) {
		/* One profile, so that the frames of both are the same. */
		profile = load_file_memory((struct str[]){ { p->heap.data, p->heap.len }, text }, 2,
					   &err);
		if (profile) {
			source_maps_use(profile, &p->thread_options.maps);
			tell_growth(p, profile, item);
		} else {
			pass_error(p, err.text);
		}
		profile_free(profile);
	}
	buf_clear(&p->heap);
	if (item->heap_part == 1)
		buf_add(&p->heap, text.p, text.len);
}

static void take_items(struct watch_process *p)
{
	struct item *item;

	pthread_mutex_lock(&p->lock);
	item = p->first;
	p->first = NULL;
	p->last = &p->first;
	pthread_mutex_unlock(&p->lock);
	while (item) {
		struct item *next = item->next;
		struct str text = { item->text.data, item->text.len - CURSOR_PAD };

		if (!item->title)
			pass_error(p, text.p);
		else if (item->heap_part)
			take_heap(p, item, text);
		else if (item->is_requests)
			ring_add_requests(find_thread(p, item)->ring, text);
		else
			watch_thread_add(find_thread(p, item), text);
		buf_done(&item->text);
		free(item->title);
		free(item);
		item = next;
	}
}

/* ---- the end ---- */

static bool is_alive(const struct watch_process *p)
{
	return p->who.pid != 0 && process_is_same(PROCESS_PROC, &p->process);
}

static void end_thread(struct watch_process *p, uint32_t i)
{
	if (p->threads[i])
		watch_thread_end(p->threads[i]);
	free(p->threads[i]);
	p->threads[i] = NULL;
}

/* Workers that have ended tell nothing any more, while the main thread goes on: of a program that
 * starts one for each job, they would be many. */
static void end_workers(struct watch_process *p)
{
	for (uint32_t i = 1; i < p->n_threads && p->threads[0]; i++)
		if (p->threads[i] && p->threads[0]->done_us - p->threads[i]->done_us > GONE_US)
			end_thread(p, i);
}

static void end_threads(struct watch_process *p)
{
	for (uint32_t i = 0; i < p->n_threads; i++)
		end_thread(p, i);
	free(p->threads);
	p->threads = NULL;
	p->n_threads = 0;
}

/* Take what has come, and print what there is to say. is_ending: the user has ended the program:
 * nothing is said about the end of the recording. When the state is another than
 * WATCH_PROCESS_RUNS, all is done: free it. */
static enum watch_process_state watch_process_work(struct watch_process *p, bool is_ending)
{
	bool is_over = record_is_done(p->record), has_failed;
	int64_t silence;

	tell_begin(p);
	take_items(p);
	silence = record_silence(p->record);
	if (silence >= RECORDING_SILENT_NS && !p->is_silent)
		tell(p, WATCH_SILENT, silence, NULL);
	p->is_silent = silence >= RECORDING_SILENT_NS;
	if (!is_over) {
		end_workers(p);
		return WATCH_PROCESS_RUNS;
	}
	if (p->ended_ns == 0)
		p->ended_ns = clock_ns();
	has_failed = !is_ending && (!p->has_begun || is_alive(p));
	if (has_failed && p->has_begun && clock_ns() - p->ended_ns < LEAVE_NS)
		return WATCH_PROCESS_RUNS;
	end_threads(p);
	if (has_failed) {
		BUF_LOCAL why = { 0 };

		/* Say why a process that is still there is not recorded any more. */
		if (p->who.err.kind != ERR_NONE)
			buf_adds(&why, p->who.err.text);
		else if (p->who.notes.len > 1)
			buf_add(&why, buf_text(&p->who.notes), p->who.notes.len - 1);
		else
			buf_adds(&why, "the recording has ended");
		if (p->who.err.kind != ERR_NONE || !p->record_options.on_note || !p->who.notes.len)
			pass_error(p, buf_text(&why));
		if (p->has_begun)
			tell(p, WATCH_END, 0, buf_text(&why));
	} else if (!is_ending) {
		tell(p, WATCH_END, 0, "the process has ended");
	}
	if (p->who.is_left_open && is_alive(p))
		pass_error(p, RECORDING_LEFT_OPEN);
	return has_failed ? WATCH_PROCESS_FAILED : WATCH_PROCESS_ENDED;
}

/* ---- the whole ---- */

/* Begin to watch a process. who: its pid, or the address of its inspector. */
static struct watch_process *watch_process_new(const struct watch_process_options *options,
					       const struct record_process *who)
{
	struct watch_process *p = xcalloc(1, sizeof *p);
	struct error err = ERROR_INIT;

	p->options = options;
	p->thread_options = options->thread;
	p->thread_options.on_line = pass_line;
	p->thread_options.on_error = pass_error;
	p->record_options = options->record;
	p->record_options.on_chunk = on_chunk;
	if (p->record_options.requests)
		p->record_options.on_note = on_note;
	p->record_options.on_end = on_end;
	p->record_options.ctx = p;
	p->who = *who;
	if (p->who.pid) {
		snprintf(p->address, sizeof p->address, "%d", (int)p->who.pid);
		process_read(PROCESS_PROC, p->who.pid, &p->process, &err);
	} else {
		snprintf(p->address, sizeof p->address, "%s:%d", p->who.host, p->who.port);
		p->process.age_seconds = STARTED_S;
	}
	p->last = &p->first;
	pthread_mutex_init(&p->lock, NULL);
	p->record = record_start(&p->who, 1, &p->record_options);
	return p;
}

/* Wait for the end of the recording, and free everything. */
static void watch_process_free(struct watch_process *p)
{
	record_free(p->record);
	take_items(p);
	end_threads(p);
	record_process_done(&p->who);
	process_done(&p->process);
	buf_done(&p->heap);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

/* ==== watch command ==== */

#define LOOK_MS 500
#define FIND_NS NS_PER_S             /* between two looks for processes, if none is watched, */
#define FIND_MORE_NS (10 * NS_PER_S) /* and if one is */
#define AGAIN_NS (60 * NS_PER_S)     /* until a process that cannot be watched is tried again */

/* ---- what is printed ---- */

static void on_line(void *ctx, const struct watch_line *line)
{
	struct watch *w = ctx;
	BUF_LOCAL out = { 0 };

	if (w->settings.is_json)
		watch_line_json(line, &out);
	else
		watch_line_text(line, &out);
	if (!w->is_broken && !run_print(w->run, &out)) {
		w->is_broken = true;
		wake_up(&w->recording.cancel);
	}
}

static void on_error(void *ctx, const char *text)
{
	struct watch *w = ctx;

	if (!w->is_repeating)
		run_warn("%s", text);
}

/* ---- processes ---- */

static void add_process(struct watch *w, const struct record_process *who)
{
	w->processes = xrealloc(w->processes, (size_t)w->n + 1, sizeof(struct watch_process *));
	w->processes[w->n++] = watch_process_new(&w->options, who);
}

/* Watch processes that have come. */
static void look_for_processes(struct watch *w)
{
	int64_t now = clock_ns();
	bool is_new;
	pid_t pid;

	if (!w->find.pattern ||
	    (w->looked_ns != 0 && now - w->looked_ns < (w->n > 0 ? FIND_MORE_NS : FIND_NS)))
		return;
	while ((pid = watch_find_next(&w->find, now, &is_new)) != 0)
		add_process(w, &(struct record_process){ .pid = pid, .err = ERROR_INIT });
	w->looked_ns = now;
}

static void work(struct watch *w)
{
	bool is_ending = recording_is_cancelled() || w->is_broken;

	for (uint32_t i = 0; i < w->n; i++) {
		struct watch_process *p = w->processes[i];
		enum watch_process_state state = watch_process_work(p, is_ending);

		if (state == WATCH_PROCESS_RUNS)
			continue;
		if (state == WATCH_PROCESS_FAILED) {
			int64_t at_ns;
			struct watch_find_seen *seen;

			w->run->status = w->find.pattern ? w->run->status : EXIT_FAILED;
			at_ns = clock_ns() + AGAIN_NS;
			seen = find_seen(&w->find, p->who.pid);
			if (seen)
				seen->again_ns = at_ns;
		}
		watch_process_free(p);
		w->processes[i--] = w->processes[--w->n];
		/* The next one may be starting already. */
		w->looked_ns = 0;
	}
}

static void watch(struct watch *w)
{
	for (;;) {
		struct pollfd fd = { .fd = wake_fd(&w->news), .events = POLLIN };

		if (!recording_is_cancelled() && !w->is_broken)
			look_for_processes(w);
		if (w->n == 0 && (recording_is_cancelled() || w->is_broken || !w->find.pattern))
			return;
		poll(&fd, 1, LOOK_MS);
		wake_forget(&w->news);
		work(w);
	}
}

/* ---- the whole ---- */

static void set_options(struct watch *w, uint32_t n)
{
	const struct watch_settings *s = &w->settings;

	w->options = (struct watch_process_options){
		.record = { .target = recording_target(&w->recording, n),
			    .interval_us = s->interval_us,
			    .chunk_ms = RECORDING_CHUNK_MS,
			    .requests = recording_requests(&w->run->options),
			    .grow_kb = s->grow_kb,
			    .grow_ns = s->grow_ns,
			    .has_workers = w->run->options.has_workers },
		.news = &w->news,
		.thread = { .stall_ns = s->stall_ns,
			    .interval_us = s->interval_us,
			    .keep_ns = s->keep_ns,
			    .gc = s->gc,
			    .busy = s->busy,
			    .maps = run_maps_options(w->run),
			    .files = &w->files,
			    .limit = &w->limit },
		.on_line = on_line,
		.on_error = on_error,
		.ctx = w,
	};
	recording_warn_of_interval(s->interval_us);
}

/* Check the options, and find the processes that are there. */
static bool prepare(struct watch *w, struct record_process **who, uint32_t *n)
{
	struct run *run = w->run;
	const char *folder = run->options.output, *pattern = run->options.command_line;
	struct error err = ERROR_INIT;

	if (!watch_settings_find(&w->settings, &run->options, &err))
		return run_complain_usage(run, "", err.text, "");
	if (run->options.n_files == 0 && !pattern && !run->options.is_all_node)
		return run_complain_usage(run, "watch needs a process or --command-line", "", "");
	if (recording_requests(&run->options) && (!folder || !*folder))
		return run_complain_usage(
			run, "--requests of watch needs a folder for its files: -o DIR", "", "");
	if (pattern && !(w->find.pattern = pattern_new(pattern, strlen(pattern), false, &err)))
		return run_complain_usage(run, "--command-line: ", err.text, "");
	if (folder && *folder && !watch_files_open(&w->files, folder, w->settings.most, &err))
		return run_complain_output(run, folder, &err);
	return (run->options.n_files == 0 && !run->options.is_all_node) ||
		recording_processes_find(run, who, n);
}

void watch_command(struct run *run)
{
	struct watch w = { .run = run, .recording = RECORDING_NONE };
	struct record_process *who = NULL;
	uint32_t n = 0;

	if (prepare(&w, &who, &n) && recording_begin(&w.recording, run)) {
		if (wake_open(&w.news)) {
			/* More may come with --command-line. */
			set_options(&w, w.find.pattern ? WATCHED_MAX : n);
			/* When the reader of the lines is gone, the program ends as after a signal.
			 */
			signal(SIGPIPE, SIG_IGN);
			recording_catch_signals(&w.recording);
			for (uint32_t i = 0; i < n; i++) {
				if (who[i].pid) {
					struct error err = ERROR_INIT;
					struct process p = { 0 };

					/* A process is watched already, and not to be returned. */
					if (process_read(PROCESS_PROC, who[i].pid, &p, &err))
						remember(&w.find, &p);
					process_done(&p);
				}
				add_process(&w, &who[i]);
			}
			watch(&w);
			wake_close(&w.news);
		} else {
			run_complain(run, "no file descriptors are left");
		}
	}
	recording_end(&w.recording);
	free(who);
	free(w.processes);
	watch_files_done(&w.files);
	pattern_free(w.find.pattern);
	free(w.find.seen);
	if (recording_fatal_signal())
		raise(recording_fatal_signal());
}
