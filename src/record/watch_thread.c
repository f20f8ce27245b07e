/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A chunk is added to the ring; then what is new in the ring is read as a profile, in which stalls
 * and shares are followed. The last sample of the ring has no length yet: it is looked at with the
 * next chunk.
 *
 * Only when there is a line to print, the stretch that it is about is read with source maps and
 * sources, and blamed on a function.
 *
 * A file has what is around the first of its events; events that come before it is written are in
 * it, too. */
#include "config.h"

#include "record/watch_thread.h"

#include "analyse/shares.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/sink.h"
#include "base/sort.h"
#include "base/str.h"
#include "base/units.h"
#include "cli/user_file.h"
#include "findings/stalls.h"
#include "read/load/load_file.h"
#include "read/reader.h"
#include "record/recording.h"
#include "record/remote/ring.h"
#include "record/watch_line.h"
#include "source/maps.h"
#include "source/source_maps.h"
#include "source/source_reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ==== watch files ====
 *
 * The folder into which `flametty watch` writes profiles: their names, how many there may be, and
 * the list of stalls. Only profiles that the list names are removed: others are not of `watch`.
 *
 * A line of the list is written at once and by one call, so that what ends the program costs at
 * most the line that is being written. */

static bool is_profile(const char *name)
{
	static const char begin[] = "CPU.", end[] = ".cpuprofile";
	size_t len = strlen(name);

	return strncmp(name, begin, strlen(begin)) == 0 && len > strlen(end) &&
		strcmp(name + len - strlen(end), end) == 0;
}

static void add_path(const struct watch_files *files, const char *name, struct buf *out)
{
	buf_adds(out, files->folder);
	recording_add_slash(out);
	buf_adds(out, name);
}

/* Read the list of stalls; nothing if there is none. */
static bool read_list(const struct watch_files *files, struct buf *out, struct error *err)
{
	BUF_LOCAL path = { 0 };

	add_path(files, READER_STALLS_LIST, &path);
	return user_file_read(path.data, SIZE_MAX / 2, true, out, err) != USER_FILE_FAILED;
}

static void know_list(struct watch_files *files, struct str list)
{
	files->list_len = (int64_t)list.len;
	files->is_list_cut = list.len && list.p[list.len - 1] != '\n';
}

/* Open the list to append to it, if it is not open. A last line that was cut off is ended. */
static bool open_list(struct watch_files *files)
{
	BUF_LOCAL path = { 0 };

	if (files->list >= 0)
		return true;
	add_path(files, READER_STALLS_LIST, &path);
	files->list = open(path.data, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	return files->list >= 0 && (!files->is_list_cut || write(files->list, "\n", 1) == 1);
}

/* Drop the older half of the list. */
static bool cut_list(struct watch_files *files, struct error *err)
{
	BUF_LOCAL list = { 0 }, path = { 0 };
	struct str rest = { "", 0 };
	const char *end;
	struct sink *sink;

	if (!read_list(files, &list, err))
		return false;
	end = memchr(buf_text(&list) + list.len / 2, '\n', list.len - list.len / 2);
	if (end)
		rest = (struct str){ end + 1, list.len - (size_t)(end + 1 - list.data) };
	add_path(files, READER_STALLS_LIST, &path);
	sink = sink_open(path.data, true, err);
	if (!sink)
		return false;
	buf_add(sink_buf(sink), rest.p, rest.len);
	files->n_cuts++;
	if (!sink_close(sink, err))
		return false;
	if (files->list >= 0)
		close(files->list);
	files->list = -1;
	know_list(files, rest);
	return true;
}

static void add_own(struct watch_files *files, const char *name)
{
	*ARRAY_ADD(files->own, files->n_own, files->cap_own) = xstrdup(name);
}

bool watch_files_open(struct watch_files *files, const char *folder, uint32_t most,
		      struct error *err)
{
	const struct dirent *entry;
	BUF_LOCAL list = { 0 };
	DIR *dir;

	*files = (struct watch_files){ .folder = folder, .most = most, .list = -1 };
	if (mkdir(folder, 0777) != 0 && errno != EEXIST)
		return error_errno(err, errno, "cannot be made");
	if (!read_list(files, &list, err))
		return false;
	dir = opendir(folder);
	if (!dir)
		return error_errno(err, errno, "cannot be read");
	while ((entry = readdir(dir))) {
		if (!is_profile(entry->d_name))
			continue;
		files->n++;
		if (memmem(buf_text(&list), list.len, entry->d_name, strlen(entry->d_name)))
			add_own(files, entry->d_name);
	}
	closedir(dir);
	sort_texts(files->own, files->n_own);
	know_list(files, (struct str){ buf_text(&list), list.len });
	if (access(folder, W_OK | X_OK) != 0)
		return error_errno(err, errno, "cannot be written to");
	return true;
}

void watch_files_done(struct watch_files *files)
{
	for (size_t i = 0; i < files->n_own; i++)
		free(files->own[i]);
	free(files->own);
	if (files->folder && files->list >= 0)
		close(files->list);
	*files = (struct watch_files){ 0 };
}

bool watch_files_note(struct watch_files *files, const struct watch_line *line, struct error *err)
{
	const char *slash = line->file ? strrchr(line->file, '/') : NULL;
	struct watch_line listed = *line;
	BUF_LOCAL text = { 0 };

	if (!files->folder || files->has_failed)
		return true;
	listed.file = slash ? slash + 1 : line->file;
	watch_line_json(&listed, &text);
	files->has_failed = files->list_len > WATCH_LIST_MAX && !cut_list(files, err);
	if (files->has_failed)
		return false;
	files->list_len += (int64_t)text.len;
	files->has_failed = !open_list(files) ||
		write(files->list, text.data, text.len) != (ssize_t)text.len;
	return !files->has_failed ||
		error_errno(err, errno, "the list of stalls cannot be written");
}

/* Append the path of the requests beside a file: NAME.requests.trace.json. */
static void watch_files_requests(const char *path, struct buf *out)
{
	buf_add(out, path, strlen(path) - strlen(".cpuprofile"));
	buf_adds(out, "." RECORDING_REQUESTS);
}

/* Remove the oldest profile that is our own, with its requests. False: there is none. */
static bool remove_oldest(struct watch_files *files)
{
	BUF_LOCAL path = { 0 }, requests = { 0 };

	if (files->n_own == 0)
		return false;
	add_path(files, files->own[0], &path);
	watch_files_requests(path.data, &requests);
	unlink(requests.data);
	unlink(path.data);
	free(files->own[0]);
	memmove(files->own, files->own + 1, --files->n_own * sizeof *files->own);
	files->n--;
	return true;
}

/* Append the path of a new file, for a recording that begins at wall_ns. pid: of the process, or
 * the port of its inspector. Returns false if there is no folder, or enough files. */
static bool watch_files_name(struct watch_files *files, int64_t wall_ns, int pid, int tid,
			     struct buf *path)
{
	size_t before = path->len;
	struct stat st;

	if (!files->folder || files->most == 0)
		return false;
	while (files->n >= files->most)
		if (!remove_oldest(files))
			return false;
	do {
		path->len = before;
		buf_adds(path, files->folder);
		recording_file_name(false, (time_t)(wall_ns / NS_PER_S), pid, tid, ++files->number,
				    path);
	} while (lstat(path->data, &st) == 0);
	files->n++;
	return true;
}

/* A name that was taken is not used. */
static void watch_files_drop(struct watch_files *files)
{
	files->n--;
}

/* Write a file whose name was taken: it is there when it is complete. Returns false and err on
 * failure; then it does not count. */
static bool watch_files_write(struct watch_files *files, const char *path, const struct buf *text,
			      struct error *err)
{
	struct sink *sink = sink_open(path, false, err);
	bool is_written = false;

	if (sink) {
		buf_add(sink_buf(sink), buf_text(text), text->len);
		is_written = sink_close(sink, err);
	}
	if (is_written)
		add_own(files, strrchr(path, '/') + 1);
	else
		watch_files_drop(files);
	return is_written;
}

/* ==== watch limit ====
 *
 * A line is allowed if the one that came WATCH_LIMIT_LINES lines before it is old enough. */

#define WATCH_LIMIT_NS (INT64_C(10) * 1000000000)

static bool is_free(const struct watch_limit *limit, int64_t now_ns)
{
	return limit->n < WATCH_LIMIT_LINES ||
		now_ns - limit->times[limit->n % WATCH_LIMIT_LINES] >= WATCH_LIMIT_NS;
}

/* Whether a stall of a length gets a line at a time, which does not fall; ns of any clock. There
 * are at most WATCH_LIMIT_LINES in WATCH_LIMIT_NS. A stall without a line is counted, with when it
 * began. */
static bool watch_limit_allows(struct watch_limit *limit, int64_t now_ns, int64_t began_ns,
			       int64_t length_ns)
{
	if (is_free(limit, now_ns)) {
		limit->times[limit->n++ % WATCH_LIMIT_LINES] = now_ns;
		return true;
	}
	if (limit->n_left++ == 0)
		limit->first_ns = began_ns;
	if (length_ns > limit->longest_ns)
		limit->longest_ns = length_ns;
	return false;
}

/* Whether stalls were left out and it is time to say so: a line is allowed again. */
static bool watch_limit_has_left(const struct watch_limit *limit, int64_t now_ns)
{
	return limit->n_left > 0 && is_free(limit, now_ns);
}

/* ==== watch thread ==== */

#define RING_MORE_US INT64_C(120000000) /* beyond what a file has before an event */
#define AROUND_US INT64_C(1000000)      /* for blame: shows which code is the user's own */
#define OPEN_MIN_NS (2 * NS_PER_S)      /* a stall of this length is reported before it ends */
#define BLAME_MAX_US INT64_C(60000000)  /* of a stall */

/* ---- profiles ---- */

/* Read [t0, t1] of the ring; NULL: there is nothing. */
static struct profile *read_stretch(struct watch_thread *t, int64_t t0_us, int64_t t1_us)
{
	struct error err = ERROR_INIT;
	struct profile *profile = NULL;
	struct buf text = { 0 };

	if (ring_write(t->ring, t0_us, t1_us + 1, &text)) {
		profile = load_file_memory(&(struct str){ text.data, text.len }, 1, &err);
		if (!profile)
			t->options->on_error(t->ctx, err.text);
	}
	buf_done(&text);
	if (profile && profile->n_lanes != 1) {
		profile_free(profile);
		return NULL;
	}
	return profile;
}

/* Blame [t0, t1). */
static void find_blame(struct watch_thread *t, int64_t t0_ns, int64_t t1_ns, struct blame *blame)
{
	const struct maps_options *maps = &t->options->maps;
	int64_t t0_us = t0_ns / NS_PER_US, t1_us = t1_ns / NS_PER_US;
	struct jobs *reader;
	struct source_host host;
	struct profile *profile;

	*blame = (struct blame){ 0 };
	if (t1_us - t0_us > BLAME_MAX_US)
		t0_us = t1_us - BLAME_MAX_US;
	profile = read_stretch(t, t0_us - AROUND_US, t1_us);
	if (!profile)
		return;
	source_maps_use(profile, maps);
	reader = source_reader_new(maps, true);
	host = source_reader_host(reader);
	blame_find(profile, &profile->lanes[0], t0_us * NS_PER_US, t1_ns, &host, blame);
	jobs_free(reader);
	profile_free(profile);
}

/* ---- files ---- */

static void tell_failure(struct watch_thread *t, const char *path, const struct error *err)
{
	BUF_LOCAL message = { 0 };

	buf_addf(&message, "%s: %s", path, err->text);
	t->options->on_error(t->ctx, buf_text(&message));
}

/* Say what the requests of the file lack. */
static void tell_lack(void *ctx, const char *line)
{
	struct watch_thread *t = ctx;
	BUF_LOCAL message = { 0 };

	buf_addf(&message, "%s: %s", t->file.data, line);
	t->options->on_error(t->ctx, buf_text(&message));
}

/* Write the requests of a stretch beside its file. */
static void write_requests(struct watch_thread *t, int64_t t0_us, int64_t t1_us)
{
	BUF_LOCAL texts = { 0 }, path = { 0 };
	struct error err = ERROR_INIT;
	struct request_counts counts;

	ring_requests(t->ring, 0, &texts);
	watch_files_requests(t->file.data, &path);
	if (texts.len &&
	    !request_trace_file(&(struct request_source){ .pid = t->pid,
							  .tid = t->tid,
							  .process = "",
							  .thread = "",
							  .texts = { texts.data, texts.len } },
				1, (struct request_range){ t0_us, t1_us }, path.data, false,
				&counts, &err))
		tell_failure(t, path.data, &err);
	else if (texts.len)
		request_trace_lacks(&counts, tell_lack, t);
}

static void write_file(struct watch_thread *t)
{
	struct error err = ERROR_INIT;
	BUF_LOCAL text = { 0 };
	int64_t last_us = ring_last_us(t->ring), first_us = ring_first_us(t->ring);
	int64_t t0_us = t->file_t0_us > first_us ? t->file_t0_us : first_us;
	int64_t t1_us = t->file_t1_us < last_us ? t->file_t1_us : last_us;

	t->has_file = false;
	if (!ring_write(t->ring, t0_us, t1_us + 1, &text)) {
		watch_files_drop(t->options->files);
	} else if (watch_files_write(t->options->files, t->file.data, &text, &err)) {
		struct watch_line line = { .kind = WATCH_FILE,
					   .wall_ns = ring_wall_ns(t0_us),
					   .length_ns = (t1_us - t0_us) * NS_PER_US,
					   .n = t->n_file_events,
					   .tid = t->tid,
					   .file = t->file.data };

		write_requests(t, t0_us, t1_us);
		t->options->on_line(t->ctx, &line);
	} else {
		tell_failure(t, t->file.data, &err);
	}
}

/* The path of the file to be written, if it has an event that ends at t1; NULL: it does not. */
static const char *share_file(struct watch_thread *t, int64_t t1_us)
{
	if (!t->has_file || t1_us > t->file_t1_us)
		return NULL;
	t->n_file_events++;
	return buf_text(&t->file);
}

/* Have a file around [t0, t1); events that are near share it. Returns its path; NULL: none. */
static const char *want_file(struct watch_thread *t, int64_t t0_us, int64_t t1_us)
{
	int64_t keep_us = t->options->keep_ns / NS_PER_US, first_us = ring_first_us(t->ring);
	const char *shared = share_file(t, t1_us);

	if (shared)
		return shared;
	if (t->has_file)
		write_file(t);
	t->file_t0_us = t0_us - keep_us * 2 / 3;
	t->file_t1_us = t1_us + keep_us / 3;
	if (t->file_t0_us < first_us)
		t->file_t0_us = first_us;
	buf_clear(&t->file);
	if (!watch_files_name(t->options->files, ring_wall_ns(t->file_t0_us), t->pid, t->tid,
			      &t->file))
		return NULL;
	t->has_file = true;
	t->n_file_events = 1;
	return buf_text(&t->file);
}

/* ---- events ---- */

static void tell(struct watch_thread *t, struct watch_line *line, int64_t t0_ns)
{
	line->tid = t->tid;
	line->wall_ns = ring_wall_ns(t0_ns / NS_PER_US);
	t->options->on_line(t->ctx, line);
}

/* An event that has the path of its file; blame [t0, t1). */
static void tell_event(struct watch_thread *t, const struct watch_line *event, int64_t t0_ns,
		       int64_t t1_ns)
{
	struct watch_line line = *event;
	struct blame blame;

	find_blame(t, t0_ns, t1_ns, &blame);
	line.blame = &blame;
	tell(t, &line, t0_ns);
	blame_done(&blame);
}

static void tell_left(struct watch_thread *t)
{
	struct watch_limit *limit = t->options->limit;
	struct watch_line line = { .kind = WATCH_LEFT_OUT,
				   .length_ns = limit->longest_ns,
				   .n = limit->n_left };

	tell(t, &line, limit->first_ns);
	limit->n_left = 0;
	limit->longest_ns = limit->first_ns = 0;
}

static void on_stall(void *ctx, const struct stall *stall)
{
	struct watch_thread *t = ctx;
	struct watch_line line = { .kind = WATCH_STALL, .length_ns = stall->t1 - stall->t0 };
	bool was_told = t->open_ns == stall->t0;

	t->open_ns = 0;
	if (!was_told) {
		if (watch_limit_has_left(t->options->limit, clock_ns()))
			tell_left(t);
		if (!watch_limit_allows(t->options->limit, clock_ns(), stall->t0, line.length_ns))
			return;
	}
	if (stalls_is_starved(&t->stalls, stall)) {
		line.kind = WATCH_STARVED;
		line.ns = stall->ran_ns;
		tell_event(t, &line, stall->t0, stall->t1);
		return;
	}
	if (!was_told && stalls_is_series(&t->stalls, stall)) {
		line.kind = WATCH_SERIES;
		line.ns = stall->call_ns;
		tell_event(t, &line, stall->t0, stall->t1);
		return;
	}
	/* One that was told before has a file, which may be written already. */
	line.file = was_told ? share_file(t, stall->t1 / NS_PER_US)
			     : want_file(t, stall->t0 / NS_PER_US, stall->t1 / NS_PER_US);
	tell_event(t, &line, stall->t0, stall->t1);
}

/* A stall that has lasted as long as a file has after an event is reported before it ends: it may
 * last for ever. */
static void look_at_open(struct watch_thread *t)
{
	struct watch_line line = { .kind = WATCH_OPEN };
	struct stall stall;

	if (t->open_ns != 0 || !stalls_is_open(&t->stalls, &stall) ||
	    stalls_is_starved(&t->stalls, &stall) || stalls_is_series(&t->stalls, &stall) ||
	    stall.t1 - stall.t0 < OPEN_MIN_NS || stall.t1 - stall.t0 < t->options->keep_ns / 3)
		return;
	t->open_ns = stall.t0;
	line.length_ns = stall.t1 - stall.t0;
	line.file = want_file(t, stall.t0 / NS_PER_US, stall.t1 / NS_PER_US);
	tell_event(t, &line, stall.t0, stall.t1);
}

static void on_period(struct watch_thread *t, const struct shares_period *p,
		      enum watch_line_kind begin, enum watch_line_kind end)
{
	struct watch_line line = { .kind = p->has_ended ? end : begin,
				   .length_ns = p->t1 - p->t0,
				   .ns = p->ns };
	int64_t before_us = t->options->keep_ns / NS_PER_US * 2 / 3;
	int64_t t0_us = p->t0 / NS_PER_US, t1_us = p->t1 / NS_PER_US;

	if (p->has_ended) {
		tell(t, &line, p->t0);
		return;
	}
	/* The event is the end of the window, which the file has as a whole. */
	line.file = want_file(t, t0_us + before_us < t1_us ? t0_us + before_us : t1_us, t1_us);
	tell_event(t, &line, p->t0, p->t1);
}

static void on_gc(void *ctx, const struct shares_period *period)
{
	on_period(ctx, period, WATCH_GC, WATCH_GC_END);
}

static void on_busy(void *ctx, const struct shares_period *period)
{
	on_period(ctx, period, WATCH_BUSY, WATCH_BUSY_END);
}

static void on_sample(void *ctx, int64_t t0, int64_t t1, enum charge_kind kind)
{
	struct watch_thread *t = ctx;

	if (t->gc.window_ns > 0)
		shares_add(&t->gc, t0, t1, kind == CHARGE_GC);
	if (t->busy.window_ns > 0)
		shares_add(&t->busy, t0, t1, charge_times_is_busy(kind));
}

/* ---- the whole ---- */

void watch_thread_init(struct watch_thread *t, const struct watch_thread_options *options,
		       void *ctx, int pid, int tid, bool is_started)
{
	struct ring_limits limits = { .us = options->keep_ns / NS_PER_US + RING_MORE_US };

	*t = (struct watch_thread){ .options = options, .ctx = ctx, .pid = pid, .tid = tid };
	t->ring = ring_new(limits);
	t->stalls = (struct stalls){ .least_ns = options->stall_ns,
				     .sample_most_ns = 2 * options->interval_us * NS_PER_US,
				     .counts_waiting = tid == 0,
				     .is_started = is_started,
				     .visit = on_stall,
				     .sample = on_sample,
				     .ctx = t };
	if (options->gc.limit <= 1)
		shares_init(&t->gc, options->gc.window_ns, options->gc.limit, on_gc, t);
	if (options->busy.limit <= 1)
		shares_init(&t->busy, options->busy.window_ns, options->busy.limit, on_busy, t);
}

void watch_thread_add(struct watch_thread *t, struct str profile)
{
	struct error err = ERROR_INIT;
	int64_t t0_us, t1_us, known_us = t->stalls.known_t0 / NS_PER_US;
	struct profile *part;

	if (!ring_add(t->ring, profile, &err)) {
		t->options->on_error(t->ctx, err.text);
		return;
	}
	t0_us = t->done_us > 0 ? t->done_us : ring_first_us(t->ring);
	t1_us = ring_last_us(t->ring);
	if (t1_us <= t0_us)
		return;
	part = read_stretch(t, known_us > 0 && known_us < t0_us ? known_us : t0_us, t1_us);
	if (part)
		stalls_add(&t->stalls, part, &part->lanes[0], t0_us * NS_PER_US, t1_us * NS_PER_US);
	profile_free(part);
	t->done_us = t1_us;
	look_at_open(t);
	if (watch_limit_has_left(t->options->limit, clock_ns()))
		tell_left(t);
	if (t->has_file && t1_us >= t->file_t1_us)
		write_file(t);
}

void watch_thread_end(struct watch_thread *t)
{
	stalls_end(&t->stalls);
	shares_end(&t->gc);
	shares_end(&t->busy);
	if (t->has_file)
		write_file(t);
	shares_done(&t->gc);
	shares_done(&t->busy);
	ring_free(t->ring);
	buf_done(&t->file);
}
