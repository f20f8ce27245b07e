/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread inherits the signal mask of the thread that starts it. */
#include "config.h"

#include "base/thread.h"

#include "base/alloc.h"
#include "base/progress.h"
#include "base/sandbox.h"
#include "base/signals.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ==== pipeline ====
 *
 * Two counters under one mutex: items passed and items done. Both only grow; modulo PIPELINE_ITEMS
 * they are the numbers of items.
 *
 * Waking a thread costs more than most items do, so a thread that waits is woken for several items
 * at once: the worker when WAKE_AT items wait for it, the caller when at most RESUME_AT are left. A
 * caller that begins to wait wakes the worker for fewer items, so that never both wait. A thread
 * that goes on sends its signal after it has released the mutex, which the woken thread takes
 * first.
 *
 * The system may move the caller to the processor of the worker, which then moves away itself. */

#define WAKE_AT (PIPELINE_ITEMS / 2)
#define RESUME_AT (PIPELINE_ITEMS / 3)

struct pipeline {
	bool (*work)(void *ctx, unsigned item);
	bool (*help)(void *ctx);
	void *ctx;
	pthread_t thread;
	pthread_mutex_t mutex; /* protects everything below */
	int cpu; /* the processor of the caller, when it passed an item; -1: unknown */
	size_t n_passed, n_done;
	size_t enough_done; /* the caller waits for that many items done; SIZE_MAX: it does not */
	bool is_enough;     /* `work` wants no more: the remaining items are skipped */
	bool is_stopping;
	pthread_cond_t has_passed, has_done;
};

/* Wait for an item, and help the caller meanwhile. cpu: the processor of the caller. Returns false
 * when there will be no more. */
static bool next_passed(struct pipeline *r, bool *is_enough, int *cpu)
{
	bool has_item, has_helped = r->help != NULL;

	pthread_mutex_lock(&r->mutex);
	while (r->n_done == r->n_passed && !r->is_stopping) {
		if (has_helped) {
			pthread_mutex_unlock(&r->mutex);
			has_helped = r->help(r->ctx);
			pthread_mutex_lock(&r->mutex);
		} else {
			pthread_cond_wait(&r->has_passed, &r->mutex);
			has_helped = r->help != NULL;
		}
	}
	has_item = r->n_done < r->n_passed;
	*is_enough = r->is_enough;
	*cpu = r->cpu;
	pthread_mutex_unlock(&r->mutex);
	return has_item;
}

static void *work_on(void *arg)
{
	struct pipeline *r = arg;
	bool is_enough, is_awaited;
	int cpu, off = -1;

	for (size_t i = 0; next_passed(r, &is_enough, &cpu); i++) {
		off = thread_stay_off(cpu, off);
		if (!is_enough)
			is_enough = !r->work(r->ctx, (unsigned)(i % PIPELINE_ITEMS));
		pthread_mutex_lock(&r->mutex);
		r->is_enough = is_enough;
		is_awaited = ++r->n_done == r->enough_done;
		pthread_mutex_unlock(&r->mutex);
		if (is_awaited)
			pthread_cond_signal(&r->has_done);
	}
	return NULL;
}

static void pipeline_free(struct pipeline *r)
{
	pthread_cond_destroy(&r->has_passed);
	pthread_cond_destroy(&r->has_done);
	pthread_mutex_destroy(&r->mutex);
	free(r);
}

struct pipeline *pipeline_start(bool (*work)(void *ctx, unsigned item), bool (*help)(void *ctx),
				void *ctx)
{
	struct pipeline *r = xcalloc(1, sizeof *r);

	r->work = work;
	r->help = help;
	r->ctx = ctx;
	r->enough_done = SIZE_MAX;
	pthread_mutex_init(&r->mutex, NULL);
	thread_cond_init(&r->has_passed);
	thread_cond_init(&r->has_done);
	if (thread_start_small(&r->thread, work_on, r))
		return r;
	pipeline_free(r);
	return NULL;
}

/* If more than `most` items are not processed yet, wait until at most `left` of them are. */
static void wait_for(struct pipeline *r, size_t most, size_t left)
{
	pthread_mutex_lock(&r->mutex);
	if (r->n_passed - r->n_done > most) {
		r->enough_done = r->n_passed - left;
		pthread_cond_signal(&r->has_passed);
		while (r->n_done < r->enough_done)
			pthread_cond_wait(&r->has_done, &r->mutex);
		r->enough_done = SIZE_MAX;
	}
	pthread_mutex_unlock(&r->mutex);
}

unsigned pipeline_next(struct pipeline *r)
{
	wait_for(r, PIPELINE_ITEMS - 1, RESUME_AT);
	return (unsigned)(r->n_passed % PIPELINE_ITEMS);
}

bool pipeline_pass(struct pipeline *r)
{
	bool is_enough, are_many;

	pthread_mutex_lock(&r->mutex);
	r->cpu = thread_cpu();
	r->n_passed++;
	is_enough = r->is_enough;
	are_many = r->n_passed - r->n_done >= WAKE_AT;
	pthread_mutex_unlock(&r->mutex);
	if (are_many)
		pthread_cond_signal(&r->has_passed);
	return !is_enough;
}

bool pipeline_is_busy(struct pipeline *r)
{
	bool is_busy;

	pthread_mutex_lock(&r->mutex);
	is_busy = r->n_passed - r->n_done >= WAKE_AT;
	pthread_mutex_unlock(&r->mutex);
	return is_busy;
}

void pipeline_drain(struct pipeline *r)
{
	wait_for(r, 0, 0);
}

void pipeline_stop(struct pipeline *r)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->mutex);
	r->is_stopping = true;
	pthread_mutex_unlock(&r->mutex);
	pthread_cond_signal(&r->has_passed);
	pthread_join(r->thread, NULL);
	pipeline_free(r);
}

/* ==== wake ====
 *
 * A full pipe loses a byte, which does no harm: it can be read already. */

static void set_flags(int fd)
{
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_SETFL, O_NONBLOCK);
}

bool wake_open(struct wake *wake)
{
	int ends[2];

	*wake = (struct wake){ -1, -1 };
	if (pipe(ends) != 0)
		return false;
	set_flags(ends[0]);
	set_flags(ends[1]);
	*wake = (struct wake){ ends[0], ends[1] };
	return true;
}

void wake_close(struct wake *wake)
{
	if (wake->in >= 0)
		close(wake->in);
	if (wake->out >= 0)
		close(wake->out);
	*wake = (struct wake){ -1, -1 };
}

void wake_up(const struct wake *wake)
{
	if (write(wake->out, "", 1) < 0)
		return;
}

bool wake_has_news(const struct wake *wake)
{
	struct pollfd fd = { .fd = wake->in, .events = POLLIN };

	return poll(&fd, 1, 0) > 0;
}

void wake_forget(const struct wake *wake)
{
	char bytes[64];

	while (read(wake->in, bytes, sizeof bytes) == (ssize_t)sizeof bytes)
		;
}

/* ==== parallel ====
 *
 * The two threads share one atomic counter, the index of the next chunk. Each takes the next chunk
 * when it has finished one, so that neither waits for the other before the end. */

#define CHUNKS 64u /* small enough that the faster thread takes more of them */
#define MIN_CHUNK 4096u
#define MANY 20000u /* below that a second thread costs more than it saves */

struct task {
	void (*work)(void *ctx);
	void *ctx;
};

static void *run_parallel(void *arg)
{
	const struct task *task = arg;

	task->work(task->ctx);
	return NULL;
}

void parallel_pair(void (*own)(void *ctx), void (*other)(void *ctx), void *ctx)
{
	struct task task = { other, ctx };
	pthread_t second;
	bool has_second = thread_start_small(&second, run_parallel, &task);

	own(ctx);
	if (has_second)
		pthread_join(second, NULL);
}

void parallel_run(void (*work)(void *ctx), void *ctx)
{
	parallel_pair(work, work, ctx);
}

struct chunks {
	void (*work)(void *ctx, size_t from, size_t end);
	void *ctx;
	size_t n, size;
	atomic_size_t next;
};

static void take_chunks(void *arg)
{
	struct chunks *c = arg;
	size_t from;

	while ((from = atomic_fetch_add(&c->next, c->size)) < c->n)
		c->work(c->ctx, from, c->n - from > c->size ? from + c->size : c->n);
}

static void share_out(size_t n, size_t size, void (*work)(void *ctx, size_t from, size_t end),
		      void *ctx)
{
	struct chunks chunks = { .work = work, .ctx = ctx, .n = n, .size = size };

	parallel_run(take_chunks, &chunks);
}

void parallel_chunks(size_t n, void (*work)(void *ctx, size_t from, size_t end), void *ctx)
{
	if (n >= MANY)
		share_out(n, n / CHUNKS > MIN_CHUNK ? n / CHUNKS : MIN_CHUNK, work, ctx);
	else
		work(ctx, 0, n);
}

void parallel_parts(size_t n, void (*work)(void *ctx, size_t from, size_t end), void *ctx)
{
	if (n > 1)
		share_out(n, n / CHUNKS > 1 ? n / CHUNKS : 1, work, ctx);
	else
		work(ctx, 0, n);
}

/* ==== thread ==== */

#ifdef ALLOC_SANITIZED
#define SMALL_STACK 0 /* of the usual size */
#else
#define SMALL_STACK ((size_t)1 << 20)
#endif

/* What a new thread is given. */
struct start {
	void *(*run)(void *ctx);
	void *ctx;
	struct die_rescue rescue;
	bool is_in_sandbox;
};

static void *begin(void *arg)
{
	struct start given = *(struct start *)arg;

	free(arg);
	die_set_rescue(&given.rescue);
	sandbox_enter_thread(given.is_in_sandbox);
	return given.run(given.ctx);
}

static bool start(pthread_t *thread, size_t stack, bool may_write, void *(*run)(void *ctx),
		  void *ctx)
{
	struct start *given = alloc_if_room(sizeof *given);
	sigset_t before;
	pthread_attr_t attr;
	int failed;

	if (!given)
		return false;
	*given = (struct start){ run, ctx, die_get_rescue(), may_write || sandbox_is_inside() };
	pthread_attr_init(&attr);
	if (stack)
		pthread_attr_setstacksize(&attr, stack);
	signals_block(&before);
	failed = pthread_create(thread, &attr, begin, given);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	if (failed)
		free(given);
	return !failed;
}

bool thread_start(pthread_t *thread, void *(*run)(void *ctx), void *ctx)
{
	return start(thread, 0, false, run, ctx);
}

bool thread_start_writer(pthread_t *thread, void *(*run)(void *ctx), void *ctx)
{
	return start(thread, 0, true, run, ctx);
}

bool thread_start_small(pthread_t *thread, void *(*run)(void *ctx), void *ctx)
{
	return start(thread, SMALL_STACK, false, run, ctx);
}

int thread_processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef HAVE_PTHREAD_SETAFFINITY_NP
	cpu_set_t cpus;

	if (pthread_getaffinity_np(pthread_self(), sizeof cpus, &cpus) == 0)
		n = CPU_COUNT(&cpus);
#endif
	return n > 0 ? (int)n : 1;
}

int thread_cpu(void)
{
#ifdef HAVE_SCHED_GETCPU
	return sched_getcpu();
#else
	return -1;
#endif
}

int thread_stay_off(int cpu, int before)
{
#ifdef HAVE_PTHREAD_SETAFFINITY_NP
	cpu_set_t cpus;
	bool is_off = false;

	if (cpu == before || pthread_getaffinity_np(pthread_self(), sizeof cpus, &cpus) != 0)
		return before;
	if (before >= 0)
		CPU_SET((size_t)before, &cpus);
	if (cpu >= 0 && cpu < CPU_SETSIZE && CPU_ISSET((size_t)cpu, &cpus) &&
	    CPU_COUNT(&cpus) > 1) {
		CPU_CLR((size_t)cpu, &cpus);
		is_off = true;
	}
	if ((is_off || before >= 0) &&
	    pthread_setaffinity_np(pthread_self(), sizeof cpus, &cpus) != 0)
		return before;
	return is_off ? cpu : -1;
#else
	(void)cpu;
	(void)before;
	return -1;
#endif
}

#ifdef HAVE_PTHREAD_CONDATTR_SETCLOCK
#define WAITING_CLOCK CLOCK_MONOTONIC
#else
#define WAITING_CLOCK CLOCK_REALTIME
#endif

void thread_cond_init(pthread_cond_t *condition)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
#ifdef HAVE_PTHREAD_CONDATTR_SETCLOCK
	pthread_condattr_setclock(&attr, WAITING_CLOCK);
#endif
	pthread_cond_init(condition, &attr);
	pthread_condattr_destroy(&attr);
}

struct timespec thread_after_ms(int ms)
{
	struct timespec t;

	clock_gettime(WAITING_CLOCK, &t);
	t.tv_nsec += ms % 1000 * 1000000L;
	t.tv_sec += ms / 1000 + t.tv_nsec / 1000000000L;
	t.tv_nsec %= 1000000000L;
	return t;
}

/* ==== jobs ====
 *
 * Two own a job: the list until it is forgotten, and its thread until it is done; the last one
 * frees it. The mutex protects who owns what and the number of threads; it is freed by its last
 * owner, too.
 *
 * A thread without memory stops for ever (base/alloc.h). Its job is done and lost: what the thread
 * holds is not freed.
 *
 * Threads are detached: joining one that is blocked would block. When all THREADS_MAX of them are
 * blocked by one file system, another thread would be blocked, too. */

#define THREADS_MAX 4

struct one_job {
	struct one_job *next;
	struct jobs *jobs;
	void *data;
	bool is_wanted, is_done, is_lost;
};

struct jobs {
	const struct jobs_kind *kind;
	void *ctx;
	bool is_here;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	int n_threads;
	bool has_owner;
	struct one_job *first; /* the last one that was asked for */
};

struct jobs *jobs_new(const struct jobs_kind *kind, void *ctx, bool is_here)
{
	struct jobs *jobs = xcalloc(1, sizeof *jobs);

	jobs->kind = kind;
	jobs->ctx = ctx;
	jobs->is_here = is_here;
	jobs->has_owner = true;
	pthread_mutex_init(&jobs->mutex, NULL);
	thread_cond_init(&jobs->changed);
	return jobs;
}

static void unlock_jobs(struct jobs *jobs)
{
	bool is_last = !jobs->has_owner && jobs->n_threads == 0;

	pthread_mutex_unlock(&jobs->mutex);
	if (!is_last)
		return;
	pthread_cond_destroy(&jobs->changed);
	pthread_mutex_destroy(&jobs->mutex);
	free(jobs->ctx);
	free(jobs);
}

static void free_job(struct one_job *job)
{
	if (job->is_lost)
		return;
	job->jobs->kind->free(job->data);
	free(job);
}

/* ---- the thread of a job ---- */

/* The job is done, or its thread can do no more. */
static void end_job(struct one_job *job)
{
	struct jobs *jobs = job->jobs;

	pthread_mutex_lock(&jobs->mutex);
	job->is_done = true;
	if (!job->is_wanted)
		free_job(job);
	jobs->n_threads--;
	pthread_cond_broadcast(&jobs->changed);
	unlock_jobs(jobs);
}

static bool lose_job(void *ctx, const char *text)
{
	struct one_job *job = ctx;

	(void)text;
	job->is_lost = true;
	end_job(job);
	return true;
}

static bool is_job_wanted(void *ctx, const struct progress *p)
{
	const struct one_job *job = ctx;
	bool is;

	(void)p;
	pthread_mutex_lock(&job->jobs->mutex);
	is = job->is_wanted;
	pthread_mutex_unlock(&job->jobs->mutex);
	return is;
}

static void *run_job(void *ctx)
{
	struct one_job *job = ctx;
	struct progress progress = { .tick = is_job_wanted, .ctx = job, .is_given_up = true };

	die_set_rescue(&(struct die_rescue){ lose_job, job });
	job->jobs->kind->run(job->jobs->ctx, job->data, &progress);
	end_job(job);
	return NULL;
}

/* ---- who asks ---- */

static void forget_from(struct one_job **at)
{
	while (*at) {
		struct one_job *job = *at;

		*at = job->next;
		job->is_wanted = false;
		if (job->is_done)
			free_job(job);
	}
}

/* Keep only what was asked for last. */
static void forget_rest(struct jobs *jobs)
{
	const struct jobs_kind *kind = jobs->kind;
	size_t size = 0;
	int n = 0;

	for (struct one_job **at = &jobs->first; *at; at = &(*at)->next) {
		size += (*at)->is_done && !(*at)->is_lost ? kind->size((*at)->data) : 0;
		if (n++ && (n > kind->n_max || size > kind->size_max)) {
			forget_from(at);
			return;
		}
	}
}

static struct one_job *start_job(struct jobs *jobs, const void *wanted)
{
	const struct jobs_kind *kind = jobs->kind;
	struct timespec until = thread_after_ms(kind->patience_ms);
	struct one_job *job;
	pthread_t thread;

	if (kind->size)
		forget_rest(jobs);
	job = xmalloc(sizeof *job);
	*job = (struct one_job){ jobs->first, jobs, kind->make(wanted), .is_wanted = true };
	jobs->first = job;
	if (jobs->is_here || !thread_start(&thread, run_job, job)) {
		kind->run_here(jobs->ctx, job->data, NULL);
		job->is_done = true;
		return job;
	}
	pthread_detach(thread);
	jobs->n_threads++;
	while (!job->is_done && pthread_cond_timedwait(&jobs->changed, &jobs->mutex, &until) == 0)
		;
	return job;
}

enum jobs_state jobs_get(struct jobs *jobs, const void *wanted, const void **job)
{
	enum jobs_state state = JOBS_BUSY;
	struct one_job **at, *one;

	pthread_mutex_lock(&jobs->mutex);
	for (at = &jobs->first; *at && !jobs->kind->is((*at)->data, wanted);)
		at = &(*at)->next;
	one = *at;
	if (one) {
		*at = one->next;
		one->next = jobs->first;
		jobs->first = one;
	} else if (jobs->n_threads < THREADS_MAX) {
		one = start_job(jobs, wanted);
	}
	*job = one ? one->data : NULL;
	if (one && one->is_done)
		state = one->is_lost ? JOBS_LOST : JOBS_DONE;
	pthread_mutex_unlock(&jobs->mutex);
	return state;
}

void jobs_forget(void *ctx)
{
	struct jobs *jobs = ctx;

	pthread_mutex_lock(&jobs->mutex);
	forget_from(&jobs->first);
	pthread_mutex_unlock(&jobs->mutex);
}

bool jobs_are_busy(struct jobs *jobs)
{
	bool are;

	pthread_mutex_lock(&jobs->mutex);
	are = jobs->n_threads > 0;
	pthread_mutex_unlock(&jobs->mutex);
	return are;
}

void jobs_free(struct jobs *jobs)
{
	if (!jobs)
		return;
	pthread_mutex_lock(&jobs->mutex);
	forget_from(&jobs->first);
	jobs->has_owner = false;
	unlock_jobs(jobs);
}
