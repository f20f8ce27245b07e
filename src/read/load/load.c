/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mutex guards what the loading thread and the caller share. All other state belongs to the
 * loading thread until it is done. Progress is reported, and cancellation polled, every 20 ms.
 *
 * A loading thread that gets no memory is lost (alloc.h): it never ends, and what it owns is never
 * freed. The caller is told that loading has failed. */
#include "config.h"

#include "read/load/load.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fingerprint.h"
#include "base/progress.h"
#include "base/stream/unpack.h"
#include "base/thread.h"
#include "base/units.h"
#include "model/build/subset.h"
#include "model/profile.h"
#include "read/load/file_set.h"
#include "read/load/load_file.h"
#include "read/reader.h"
#include "source/maps.h"
#include "source/source_maps.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* ==== preview ====
 *
 * The mutex guards all state that threads share: how far the loader is, and the profiles that are
 * ready or given back.
 *
 * Each preview reads GROWTH times as much of the file as the one before, up to one in PREVIEW_PART
 * of it. So all of them together read a sixth of the file at most, and the thread takes little from
 * a loader that has the processor to share with it.
 *
 * Who owns a profile:
 *   while it is read              the thread
 *   when it is ready              struct preview, until it is taken or a larger one replaces it
 *   after preview_take()          the caller, who returns it by preview_give_back() or keeps it
 *   after preview_give_back()     struct preview; the thread frees it, since that takes long
 *
 * The thread that loads calls preview_progress(); any thread preview_end(); the thread that shows
 * profiles all others. All functions but preview_new() accept NULL, which makes no previews. */

struct preview_options {
	const char *path;            /* borrowed */
	const struct reader *reader; /* NULL: choose by the content */
	/* As of struct load_options. */
	bool is_raw, has_idle_gaps, keeps_strays;
	const char *sample_type;
	struct unpack_limits limits; /* see stream_set_unpack_limits() */
	int64_t max_memory;          /* bytes, of the whole program; 0: no limit */
	int64_t first_ns;            /* no preview before the loader has worked for that long */
	/* Set when the loader has read a first sample or slice; no preview before. Borrowed. */
	const atomic_bool *has_begun;
};

#define PREVIEW_NICE 10
#define GROWTH 4
#define PREVIEW_PART 8

struct preview {
	struct preview_options options;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	int64_t done, total, elapsed_ns; /* of the loader */
	struct fingerprint file;         /* the identity of what it reads; empty: not known yet */
	bool is_ended;
	bool is_reading;
	bool is_left; /* nothing will be given back any more */
	struct profile *ready;
	struct profile *garbage;
};

/* ---- one preview ---- */

/* How far one preview reads. */
struct beginning {
	struct preview *preview;
	int64_t most; /* bytes of the file */
};

static bool goes_on(void *ctx, const struct progress *p)
{
	struct beginning *to = ctx;
	bool is_ended;

	pthread_mutex_lock(&to->preview->mutex);
	is_ended = to->preview->is_ended;
	pthread_mutex_unlock(&to->preview->mutex);
	return !is_ended && p->done < to->most;
}

/* Whether a profile has anything to show. */
static bool is_of_use(const struct profile *p)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].has_timeline || p->lanes[i].hits)
			return true;
	return false;
}

static struct profile *read_beginning(struct preview *v, int64_t most)
{
	const struct preview_options *o = &v->options;
	const struct load_file_order order = { o->path, o->reader, o->limits };
	struct builder *b = builder_new(
		&(struct builder_options){ .is_raw = o->is_raw,
					   .has_idle_gaps = o->has_idle_gaps,
					   .keeps_strays = o->keeps_strays,
					   .sample_type = o->sample_type });
	struct beginning to = { v, most };
	struct progress progress = { .tick = goes_on, .ctx = &to };
	struct error err = ERROR_INIT;
	struct profile *p = NULL;
	struct fingerprint file;

	pthread_mutex_lock(&v->mutex);
	file = v->file;
	pthread_mutex_unlock(&v->mutex);
	if (file.is_known && load_file(&order, b, &progress, &file, &err))
		p = builder_finish(b, &err);
	else
		builder_free(b);
	fingerprint_done(&file);
	if (p && !is_of_use(p)) {
		profile_free(p);
		p = NULL;
	}
	return p;
}

/* ---- the thread ---- */

static void set_read(struct preview *v)
{
	pthread_mutex_lock(&v->mutex);
	v->is_reading = false;
	pthread_mutex_unlock(&v->mutex);
}

/* Wait until the loader has read GROWTH times `last`. Returns how much it has read; 0: there will
 * be no further preview. */
static int64_t next_beginning(struct preview *v, int64_t last)
{
	int64_t most;

	pthread_mutex_lock(&v->mutex);
	while (!v->is_ended &&
	       (!atomic_load(v->options.has_begun) || v->elapsed_ns < v->options.first_ns ||
		v->done < GROWTH * last))
		pthread_cond_wait(&v->changed, &v->mutex);
	most = v->is_ended || v->done > v->total / PREVIEW_PART ? 0 : v->done;
	v->is_reading = most > 0;
	pthread_mutex_unlock(&v->mutex);
	return most;
}

/* Free what is given back, until nothing will be any more. */
static void free_garbage(struct preview *v)
{
	pthread_mutex_lock(&v->mutex);
	for (;;) {
		struct profile *garbage = v->garbage;

		v->garbage = NULL;
		if (garbage) {
			pthread_mutex_unlock(&v->mutex);
			profile_free(garbage);
			pthread_mutex_lock(&v->mutex);
		} else if (v->is_left) {
			break;
		} else {
			pthread_cond_wait(&v->changed, &v->mutex);
		}
	}
	pthread_mutex_unlock(&v->mutex);
}

/* Called on the thread of previews, or on one that it started, when it gets no memory: there will
 * be no further preview. No allocation happens with the mutex locked. */
static bool lose_preview(void *ctx, const char *text)
{
	struct preview *v = ctx;

	(void)text;
	pthread_mutex_lock(&v->mutex);
	v->is_ended = v->is_reading = true;
	pthread_mutex_unlock(&v->mutex);
	return true;
}

static void *run(void *ctx)
{
	struct preview *v = ctx;
	int64_t most = 0;

	die_set_rescue(&(struct die_rescue){ lose_preview, v });

#ifdef __linux__
	/* On Linux this concerns the calling thread only: the loader has priority. */
	(void)setpriority(PRIO_PROCESS, 0, PREVIEW_NICE);
#endif
	while ((most = next_beginning(v, most)) > 0) {
		struct profile *p, *before;

		/* The preview and the whole must fit together. */
		if (v->options.max_memory && memory_used() > v->options.max_memory / 3) {
			set_read(v);
			break;
		}
		p = read_beginning(v, most);
		set_read(v);
		if (!p)
			continue;
		pthread_mutex_lock(&v->mutex);
		before = v->ready;
		v->ready = p;
		pthread_mutex_unlock(&v->mutex);
		profile_free(before);
	}
	free_garbage(v);
	return NULL;
}

/* ---- for the others ---- */

static void release(struct preview *v)
{
	profile_free(v->ready);
	profile_free(v->garbage);
	pthread_cond_destroy(&v->changed);
	pthread_mutex_destroy(&v->mutex);
	free(v);
}

/* Start the thread. NULL: no thread can be started. */
static struct preview *preview_new(const struct preview_options *options)
{
	struct preview *v = xcalloc(1, sizeof *v);

	v->options = *options;
	pthread_mutex_init(&v->mutex, NULL);
	pthread_cond_init(&v->changed, NULL);
	if (thread_start(&v->thread, run, v))
		return v;
	release(v);
	return NULL;
}

/* Report how far the loader is, and the identity of the file that it reads: only this file is
 * shown. */
static void preview_progress(struct preview *v, const struct progress *progress,
			     const struct fingerprint *file)
{
	if (!v)
		return;
	pthread_mutex_lock(&v->mutex);
	v->done = progress->done;
	v->total = progress->total;
	v->elapsed_ns = progress->elapsed_ns;
	v->file = fingerprint_identity(file);
	pthread_cond_broadcast(&v->changed);
	pthread_mutex_unlock(&v->mutex);
}

/* Start no further preview, and stop the one that is being read. */
static void preview_end(struct preview *v)
{
	if (!v)
		return;
	pthread_mutex_lock(&v->mutex);
	v->is_ended = true;
	pthread_cond_broadcast(&v->changed);
	pthread_mutex_unlock(&v->mutex);
}

/* Get a preview that is larger than the last one; NULL: there is none. */
static struct profile *preview_take(struct preview *v)
{
	struct profile *p;

	if (!v)
		return NULL;
	pthread_mutex_lock(&v->mutex);
	p = v->ready;
	v->ready = NULL;
	pthread_mutex_unlock(&v->mutex);
	return p;
}

/* Free a preview later, on the thread. */
static void preview_give_back(struct preview *v, struct profile *profile)
{
	struct profile *before = profile;

	if (v) {
		pthread_mutex_lock(&v->mutex);
		before = v->garbage;
		v->garbage = profile;
		pthread_cond_broadcast(&v->changed);
		pthread_mutex_unlock(&v->mutex);
	}
	profile_free(before);
}

/* Whether a preview is being read: preview_free() would wait for the file. */
static bool preview_is_reading(struct preview *v)
{
	bool is;

	if (!v)
		return false;
	pthread_mutex_lock(&v->mutex);
	is = v->is_reading;
	pthread_mutex_unlock(&v->mutex);
	return is;
}

/* End previews, wait for the thread, and free all that was not taken. */
static void preview_free(struct preview *v)
{
	if (!v)
		return;
	pthread_mutex_lock(&v->mutex);
	v->is_ended = v->is_left = true;
	pthread_cond_broadcast(&v->changed);
	pthread_mutex_unlock(&v->mutex);
	pthread_join(v->thread, NULL);
	release(v);
}

struct load {
	const struct load_options *options;
	struct file_set set;
	struct buf missing; /* messages about files that cannot be read */
	size_t n_missing;
	size_t n_failed; /* files that could not be read, missing ones included */
	struct progress progress;
	struct load_result result;
	bool is_too_long;   /* all lanes together: see builder_options */
	int64_t over_bytes; /* memory in use when it exceeded the limit; 0: it never did */
	int64_t over_done, over_total; /* bytes of the file at that time */
	int64_t base_bytes;            /* memory in use without samples and slices */
	const char *name, *doing;      /* doing: NULL while the file is loaded for the first time */

	pthread_t loader;
	bool has_loader;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	struct progress seen;
	const char *seen_name;
	bool is_stopped, is_done;
	bool is_lost;            /* the loading thread is; then is_done is set, too */
	char lost_text[512];     /* why */
	void *reserve;           /* memory that the caller has then; NULL: none */
	atomic_bool has_begun;   /* a first sample or slice was read */
	struct preview *preview; /* NULL: no previews are made */
};

/* ==== suggest ====
 *
 * A suggestion must really fit, so estimates are conservative. Times are truncated to whole
 * units. */

/* Bytes that one sample or slice takes while the profile is built. */
#define SAMPLE_BYTES 20
#define SLICE_BYTES 120

static bool is_wanted(const struct subset *subset, uint32_t lane)
{
	return subset->sources[lane].survey && (!subset->is_lane || subset->is_lane[lane]);
}

/* The bytes of a lane from the start of the subset to t. */
static int64_t bytes_of(const struct subset *subset, uint32_t i, int64_t t)
{
	const struct lane *lane = &subset->survey->lanes[i];
	bool is_samples = lane->kind == LANE_SAMPLES;

	return (int64_t)time_survey_count(subset->sources[i].survey, lane->n_samples,
					  subset->t0 + lane->zero_ns, t + lane->zero_ns) *
		(is_samples ? SAMPLE_BYTES : SLICE_BYTES);
}

static int64_t bytes_until(const struct subset *subset, int64_t t)
{
	int64_t bytes = 0;

	for (uint32_t i = 0; i < subset->survey->n_lanes; i++)
		if (is_wanted(subset, i))
			bytes += bytes_of(subset, i, t);
	return bytes;
}

/* The latest end time with which the subset fits into `bytes`. */
static int64_t find_time(const struct subset *subset, int64_t bytes)
{
	int64_t lo = subset->t0, hi = subset->t1;

	while (lo < hi) {
		int64_t mid = lo + (hi - lo + 1) / 2;

		if (bytes_until(subset, mid) <= bytes)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

/* Append t as a value of --to, rounded down. False: that would not be after `after`. */
static bool add_time(int64_t t, int64_t after, struct buf *out)
{
	static const struct {
		int64_t ns;
		const char *unit;
	} units[] = { { NS_PER_S, "s" }, { NS_PER_MS, "ms" }, { NS_PER_US, "us" } };

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		int64_t n = t / units[i].ns;

		if (n < 10 && units[i].ns > NS_PER_US)
			continue;
		if (n * units[i].ns <= after)
			return false;
		buf_addf(out, "--to=%" PRId64 "%s", n, units[i].unit);
		return true;
	}
	return false;
}

/* The bytes of all lanes of a thread. */
static int64_t bytes_of_thread(const struct subset *subset, const struct lane *of)
{
	int64_t bytes = 0;

	for (uint32_t i = 0; i < subset->survey->n_lanes; i++) {
		const struct lane *lane = &subset->survey->lanes[i];

		if (subset->sources[i].survey && lane->pid == of->pid && lane->tid == of->tid)
			bytes += bytes_of(subset, i, subset->t1);
	}
	return bytes;
}

/* The largest thread that fits alone. NULL: none does. */
static const struct lane *find_thread(const struct subset *subset, int64_t bytes)
{
	const struct lane *best = NULL;
	int64_t most = 0;

	for (uint32_t i = 0; i < subset->survey->n_lanes; i++) {
		const struct lane *lane = &subset->survey->lanes[i];
		int64_t n;

		if (!is_wanted(subset, i) || lane->pid == LANE_NO_ID || lane->tid == LANE_NO_ID ||
		    lane->kind == LANE_MARKS)
			continue;
		n = bytes_of_thread(subset, lane);
		if (n > most && n <= bytes) {
			most = n;
			best = lane;
		}
	}
	return best;
}

/* Say which options make a subset small enough to be loaded into `bytes`, or that none does. The
 * suggestion is a part of what `subset` has chosen already. was_tried: loading that took too much
 * memory, so the suggestion is at most half of it. */
static void suggest_say(const struct subset *subset, int64_t bytes, bool was_tried, struct buf *out)
{
	int64_t asked = was_tried ? bytes_until(subset, subset->t1) : INT64_MAX, t;
	const struct lane *thread;
	BUF_LOCAL text = { 0 };

	bytes = asked / 2 < bytes ? asked / 2 : bytes;
	thread = bytes > 0 ? find_thread(subset, bytes) : NULL;
	t = bytes > 0 ? find_time(subset, bytes) : 0;
	if (t > subset->t0 && t < subset->t1)
		add_time(t, subset->t0, &text);
	if (thread) {
		buf_addf(&text, "%s--lane=%" PRId64 ":%" PRId64 " (", text.len ? " or " : "",
			 thread->pid, thread->tid);
		lane_name(subset->survey, thread, true, &text);
		buf_addc(&text, ')');
	}
	if (text.len)
		buf_addf(out, "What fits: %s%s.\n", buf_text(&text),
			 subset->t0 > 0 ? " with the same --from"
					: ", and other parts of that size");
	else
		buf_adds(out,
			 "No part of it fits: even without samples and slices it needs too much "
			 "memory.\n");
}

/* ==== load ==== */

/* What the caller needs to go on with a preview, which is an eighth of the file at most. Memory
 * that is not used costs nothing, but counts against the limit. */
#define RESERVE ((int64_t)32 << 20)
#define RESERVE_PART 8 /* at most this part of the limit */

/* ---- loading ---- */

/* The memory that loading may use, of the memory limit. The rest is for the last steps of loading,
 * and for analysis and pictures. */
static int64_t for_loading(const struct load *l)
{
	return l->options->max_memory / 6 * 5;
}

/* Whether loading exceeds the memory limit. Giving up is better than a system that swaps. */
static bool is_over(struct load *l, const struct progress *p)
{
	int64_t used = l->options->max_memory ? memory_used() : 0;

	if (used <= for_loading(l) || l->options->max_memory == 0)
		return false;
	l->over_bytes = used;
	l->progress.is_given_up = true;
	l->over_done = p->done;
	l->over_total = p->total;
	return true;
}

static bool is_stopped(struct load *l)
{
	bool is;

	pthread_mutex_lock(&l->mutex);
	is = l->is_stopped;
	pthread_mutex_unlock(&l->mutex);
	return is;
}

static bool tell(void *ctx, const struct progress *p)
{
	struct load *l = ctx;
	bool goes_on;

	pthread_mutex_lock(&l->mutex);
	l->seen = *p;
	l->seen_name = l->name;
	if (l->doing)
		l->seen.doing = l->doing;
	goes_on = !l->is_stopped;
	pthread_cond_broadcast(&l->changed);
	pthread_mutex_unlock(&l->mutex);
	/* While a directory is read, there may be no file yet. */
	if (l->set.n > 0 && !p->step)
		preview_progress(l->preview, p, &l->set.files[0].print);
	/* The last steps have memory of their own: see for_loading(). */
	return p->step || (!is_over(l, p) && goes_on);
}

/* Report how much of a file exceeded the limit; if is_subset: how much of the subset of it. */
static void say_memory(struct load *l, bool is_subset, struct buf *out)
{
	char used[UNITS_MAX], all[UNITS_MAX], done[UNITS_MAX], most[UNITS_MAX], allowed[UNITS_MAX];
	struct error err = ERROR_INIT;

	units_bytes(l->over_bytes, used);
	units_bytes(l->options->max_memory, allowed);
	units_bytes(for_loading(l), most);
	if (l->over_total > 0) {
		units_percent(l->over_done, l->over_total, done);
		units_bytes((int64_t)((double)l->over_bytes /
				      (double)(l->over_done ? l->over_done : 1) *
				      (double)l->over_total),
			    all);
		error_set(&err, ERR_LIMIT, -1,
			  is_subset ? "what you asked for in the first %s takes %s of memory; all "
				      "of it would take %s or more, and loading may take %s of "
				      "the %s allowed."
				    : "%s of it takes %s of memory; all of it would take %s or "
				      "more, and loading may take %s of the %s allowed.",
			  done, used, all, most, allowed);
	} else {
		error_set(&err, ERR_LIMIT, -1,
			  "what was read so far takes %s of memory, and loading may take %s of the "
			  "%s allowed.",
			  used, most, allowed);
	}
	file_error_line(l->name, NULL, &err, out);
}

/* Read all files once, with what the user wants of them. Files that fail are named in the messages,
 * the others are used. NULL: they took too much memory, or a file is not what it was at the reading
 * before: what was chosen by that reading does not fit it. */
static struct builder *read_files(struct load *l, const struct builder_options *options)
{
	struct builder_options own = *options;
	struct builder *b;

	own.progress = &l->progress;
	own.has_idle_gaps = l->options->has_idle_gaps;
	own.keeps_strays = l->options->keeps_strays;
	own.sample_type = l->options->sample_type;
	own.is_two_sided = l->options->is_two_sided;
	b = builder_new(&own);
	buf_clear(&l->result.messages);
	buf_add(&l->result.messages, buf_text(&l->missing), l->missing.len);
	file_set_again(&l->set);
	l->over_bytes = 0;
	l->progress = (struct progress){ .tick = tell, .ctx = l };
	l->n_failed = l->n_missing;
	l->n_failed += file_set_load(&l->set, b, &l->progress, &l->name, &l->result.messages);
	if (!l->over_bytes && !l->set.has_lost)
		return b;
	builder_free(b);
	memory_give_back();
	return NULL;
}

/* Make a profile of all files. NULL: there is nothing to show, or as for read_files(). */
static struct profile *read_profile(struct load *l, const struct builder_options *options)
{
	struct builder *b = read_files(l, options);
	struct error err = ERROR_INIT;
	struct profile *profile;

	if (!b)
		return NULL;
	profile = builder_finish(b, &err);
	/* Where no file could be read, their messages say why there is nothing. */
	if (!profile && (l->n_failed == 0 || err.kind == ERR_LIMIT))
		buf_addf(&l->result.messages, "flametty: %s\n",
			 is_stopped(l) ? "cancelled" : err.text);
	return profile;
}

/* A pipe cannot be read a second time. */
static bool can_read_again(const struct load *l)
{
	for (size_t i = 0; i < l->set.n; i++)
		if (strcmp(l->set.files[i].path, "-") == 0)
			return false;
	return l->set.bytes >= 0;
}

/* Read all files for a survey. before: an earlier one, which found what is stray; NULL: none. */
static struct subset *survey_once(struct load *l, const struct subset *before)
{
	struct error err = ERROR_INIT;
	struct builder *b;

	if (is_stopped(l))
		return NULL;
	l->doing = "Too large: looking for a part of";
	b = read_files(l,
		       &(struct builder_options){ .is_raw = l->options->is_raw_part,
						  .is_survey = true,
						  .kept_of = before ? before->survey : NULL });
	if (!b)
		return NULL;
	l->base_bytes = memory_used();
	return builder_finish_survey(b, &err);
}

/* Find out what the files hold. NULL: only the whole can be loaded, or the user stopped. Lanes of
 * a survey have the times of what is stray, too; so another one leaves that out. */
static struct subset *survey(struct load *l)
{
	struct subset *subset, *first;
	bool has_strays = false;

	if (!can_read_again(l))
		return NULL;
	subset = survey_once(l, NULL);
	for (uint32_t i = 0; subset && i < subset->survey->n_inputs; i++)
		has_strays |= subset->survey->inputs[i].has_kept;
	if (has_strays) {
		first = subset;
		subset = survey_once(l, first);
		subset_free(first);
	}
	if (!is_stopped(l))
		return subset;
	subset_free(subset);
	return NULL;
}

/* Read again, and keep what the options ask for. False, with messages in `why`: that takes too much
 * memory as well, or it is not clear what they ask for. */
static bool read_subset(struct load *l, struct subset *subset, struct buf *why)
{
	const struct load_options *o = l->options;
	struct load_choice choice = { .t0 = subset->t0, .t1 = subset->t1 };
	struct error err = ERROR_INIT;

	if (!o->choose)
		return false;
	if (!o->choose(o->choose_ctx, subset->survey, &choice, &err)) {
		buf_addf(why, "flametty: %s\n", err.text);
		return false;
	}
	subset->is_lane = choice.is_lane;
	subset->t0 = choice.t0;
	subset->t1 = choice.t1;
	l->doing = "Loading a part of";
	l->result.profile = read_profile(l,
					 &(struct builder_options){ .is_raw = o->is_raw_part,
								    .has_begun = &l->has_begun,
								    .kept_of = subset->survey,
								    .is_for_sums = l->is_too_long,
								    .subset = subset });
	if (!l->over_bytes)
		return true;
	buf_clear(why);
	say_memory(l, true, why);
	return false;
}

/* Out of memory: load the requested subset, or report what would fit. */
static void load_within_memory(struct load *l)
{
	BUF_LOCAL why = { 0 };
	struct subset *subset;

	preview_end(l->preview);
	if (l->over_bytes)
		say_memory(l, false, &why);
	subset = survey(l);
	if ((!subset || !read_subset(l, subset, &why)) && !l->set.has_lost) {
		if (subset && l->options->max_memory)
			suggest_say(subset, (for_loading(l) - l->base_bytes) / 5 * 4,
				    l->over_bytes > 0, &why);
		else if (l->over_bytes && can_read_again(l))
			buf_adds(&why,
				 "Even without samples and slices it needs too much memory.\n");
		buf_adds(&why, "--max-memory=SIZE sets another limit.\n");
		buf_clear(&l->result.messages);
		buf_add(&l->result.messages, buf_text(&l->missing), l->missing.len);
		buf_add(&l->result.messages, why.data, why.len);
	}
	subset_free(subset);
}

static void load_files(struct load *l)
{
	const struct load_options *o = l->options;

	/* Collect the files that the command line names, and those in directories. */
	l->progress = (struct progress){ .tick = tell, .ctx = l };
	progress_start(&l->progress, "Reading the directory", -1);
	for (int i = 0; i < l->options->n_files; i++) {
		const char *file = l->options->files[i];
		struct error err = ERROR_INIT;

		l->name = file;
		if (file_set_add(&l->set, file, &l->progress, &err))
			continue;
		l->n_missing++;
		file_error_line(file, NULL, &err, &l->missing);
	}
	l->n_missing += file_labels_filter(&l->set, &l->missing);
	if (!o->is_subset)
		l->result.profile = read_profile(
			l,
			&(struct builder_options){ .is_raw = o->is_raw,
						   .has_begun = &l->has_begun,
						   .is_too_long = &l->is_too_long });
	if (l->over_bytes || o->is_subset) {
		load_within_memory(l);
	} else if (l->is_too_long && o->choose) {
		struct buf before = l->result.messages, why = { 0 };
		struct subset *subset;

		/* All lanes together are too long to be counted: load those that the options
		 * choose. */
		l->result.messages = (struct buf){ 0 };
		preview_end(l->preview);
		subset = survey(l);
		if (!subset || !read_subset(l, subset, &why) || !l->result.profile) {
			buf_clear(&l->result.messages);
			buf_add(&l->result.messages, buf_text(&before), before.len);
			buf_add(&l->result.messages, buf_text(&why), why.len);
		}
		subset_free(subset);
		buf_done(&before);
		buf_done(&why);
	}
	if (l->result.profile)
		source_maps_use(l->result.profile, &o->maps);
}

const char *load_gaps_word(unsigned i)
{
	static const char
		*const word[] = { [LOAD_GAPS_UNSAMPLED] = "unsampled", [LOAD_GAPS_IDLE] = "idle" };

	return i < ARRAY_LEN(word) ? word[i] : NULL;
}

static void init(struct load *l, const struct load_options *options)
{
	memory_return_large();
	*l = (struct load){ .options = options, .name = "" };
	l->set.reader = options->format_in ? reader_find(options->format_in) : NULL;
	l->set.is_recursive = options->is_recursive;
	l->set.is_apart = options->is_apart;
	l->set.n_together = options->n_together;
	l->set.limits = options->limits;
	l->set.labels = &options->labels;
	pthread_mutex_init(&l->mutex, NULL);
	thread_cond_init(&l->changed);
}

static void done(struct load *l)
{
	file_set_done(&l->set);
	buf_done(&l->missing);
	pthread_cond_destroy(&l->changed);
	pthread_mutex_destroy(&l->mutex);
}

void load_all(const struct load_options *options, struct load_result *result)
{
	struct load l;

	init(&l, options);
	load_files(&l);
	*result = l.result;
	done(&l);
}

/* ---- on threads ---- */

/* Loading has ended. The mutex is not locked. */
static void tell_end(const struct load *l)
{
	if (l->options->ended)
		l->options->ended(l->options->ended_ctx);
}

static void *load_there(void *ctx)
{
	struct load *l = ctx;

	load_files(l);
	preview_end(l->preview);
	pthread_mutex_lock(&l->mutex);
	l->is_done = true;
	pthread_cond_broadcast(&l->changed);
	pthread_mutex_unlock(&l->mutex);
	tell_end(l);
	return NULL;
}

/* On the loading thread, or one that it started. Nothing allocates with the mutex locked. */
static bool lose(void *ctx, const char *text)
{
	struct load *l = ctx;

	preview_end(l->preview);
	pthread_mutex_lock(&l->mutex);
	if (!l->is_lost)
		snprintf(l->lost_text, sizeof l->lost_text, "%s", text);
	l->is_lost = l->is_done = true;
	free(l->reserve);
	l->reserve = NULL;
	pthread_cond_broadcast(&l->changed);
	pthread_mutex_unlock(&l->mutex);
	tell_end(l);
	return true;
}

static void *load_or_lose(void *ctx)
{
	die_set_rescue(&(struct die_rescue){ lose, ctx });
	return load_there(ctx);
}

struct load *load_begin(const struct load_options *options)
{
	struct load *l = xmalloc(sizeof *l);
	int64_t reserve = options->max_memory / RESERVE_PART;

	init(l, options);
	if (options->has_previews && options->n_files == 1 && strcmp(options->files[0], "-") != 0)
		l->preview = preview_new(&(struct preview_options){
			.path = options->files[0],
			.reader = options->format_in ? reader_find(options->format_in) : NULL,
			.is_raw = options->is_raw,
			.has_idle_gaps = options->has_idle_gaps,
			.keeps_strays = options->keeps_strays,
			.sample_type = options->sample_type,
			.limits = options->limits,
			.max_memory = options->max_memory,
			.first_ns = options->preview_ns,
			.has_begun = &l->has_begun });
	l->reserve = alloc_if_room(
		(size_t)(options->max_memory && reserve < RESERVE ? reserve : RESERVE));
	l->has_loader = thread_start(&l->loader, load_or_lose, l);
	if (!l->has_loader)
		load_there(l);
	return l;
}

bool load_wait(struct load *l, int ms)
{
	struct timespec until = thread_after_ms(ms);
	bool is_done;

	pthread_mutex_lock(&l->mutex);
	while (!l->is_done && pthread_cond_timedwait(&l->changed, &l->mutex, &until) == 0)
		;
	is_done = l->is_done;
	pthread_mutex_unlock(&l->mutex);
	return is_done;
}

void load_progress(struct load *l, struct progress *progress, const char **name)
{
	pthread_mutex_lock(&l->mutex);
	*progress = l->seen;
	*name = l->seen_name ? l->seen_name : "";
	pthread_mutex_unlock(&l->mutex);
}

void load_stop(struct load *l)
{
	pthread_mutex_lock(&l->mutex);
	l->is_stopped = true;
	pthread_cond_broadcast(&l->changed);
	pthread_mutex_unlock(&l->mutex);
	preview_end(l->preview);
}

struct profile *load_preview(struct load *l)
{
	return preview_take(l->preview);
}

void load_give_back(struct load *l, struct profile *profile)
{
	preview_give_back(l->preview, profile);
}

void load_take(struct load *l, struct load_result *result)
{
	if (l->is_lost) {
		*result = (struct load_result){ 0 };
		buf_addf(&result->messages, "flametty: %s: %s\n", l->name, l->lost_text);
		return;
	}
	if (l->has_loader)
		pthread_join(l->loader, NULL);
	l->has_loader = false;
	*result = l->result;
	l->result = (struct load_result){ 0 };
}

bool load_is_reading(struct load *l)
{
	return l->is_lost || !load_wait(l, 0) || preview_is_reading(l->preview);
}

void load_free(struct load *l)
{
	struct load_result result;

	if (!l)
		return;
	load_stop(l);
	load_take(l, &result);
	preview_free(l->preview);
	free(l->reserve);
	profile_free(result.profile);
	buf_done(&result.messages);
	done(l);
	free(l);
}
