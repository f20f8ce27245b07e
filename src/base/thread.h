/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads other than the main thread. */
#ifndef FLAMETTY_BASE_THREAD_H
#define FLAMETTY_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* ---- pipeline ----
 *
 * Two-stage pipeline: the caller fills the items of a small ring, a worker thread processes them in
 * that order, so that two steps of one job run at the same time.
 *
 * Threads: all functions here are for the caller's thread. What `work` uses besides the items
 * belongs to the worker from pipeline_start() until pipeline_drain() or pipeline_stop() has
 * returned. The worker blocks signals. */

/* One being processed, one being filled, and four that wait: with those a thread seldom has to be
 * woken. */
#define PIPELINE_ITEMS 6u

struct pipeline;

/* Start the worker. work: called with the number of an item, below PIPELINE_ITEMS; returns false
 * when it wants no more items. help: called while there is no item, to do some of the caller's
 * work, until it returns false, and again after the next wait; NULL: there is no such work. Returns
 * NULL when no thread can be started. */
struct pipeline *pipeline_start(bool (*work)(void *ctx, unsigned item), bool (*help)(void *ctx),
				void *ctx);

/* The item to fill next. Waits until it is free. All items but the last PIPELINE_ITEMS - 1 that
 * were passed are processed by then. */
unsigned pipeline_next(struct pipeline *r);

/* Pass that item to the worker, which may wait for more items before it begins, until
 * pipeline_drain() at the latest. Returns false when `work` wants no more. */
bool pipeline_pass(struct pipeline *r);

/* Whether the worker has enough to do for some time, so that the caller should do what either of
 * them can do. */
bool pipeline_is_busy(struct pipeline *r);

/* Wait until the worker has processed all items that were passed. */
void pipeline_drain(struct pipeline *r);

/* The same, then end the thread and free the pipeline. NULL is allowed. */
void pipeline_stop(struct pipeline *r);

/* Start a thread that blocks all signals except faults, that has the caller's rescue (alloc.h), and
 * that may write no files if the sandbox says so (sandbox.h). Returns false when no thread can be
 * started. */
bool thread_start(pthread_t *thread, void *(*run)(void *ctx), void *ctx);

/* The same for a thread that writes files, and reads none of others. */
bool thread_start_writer(pthread_t *thread, void *(*run)(void *ctx), void *ctx);

/* The same as thread_start() with a stack of 1 MiB, all of which counts against the memory limit:
 * for threads that call nothing that recurses. */
bool thread_start_small(pthread_t *thread, void *(*run)(void *ctx), void *ctx);

/* Number of processors that the program may use, at least 1. */
int thread_processors(void);

/* The processor that runs the caller; -1: unknown. */
int thread_cpu(void);

/* Keep the calling thread off a processor (-1: none), if it may use others. before: the result of
 * its last call, whose processor it may use again; -1: there was none. Returns `cpu`, or -1 if the
 * thread may use it. On virtual machines Linux takes a halted processor for a busy one, so it wakes
 * a thread on the processor of its waker: the two would take turns on one processor while another
 * one idles. */
int thread_stay_off(int cpu, int before);

/* Initialise a condition variable for waiting until a time that thread_after_ms() gives, on the
 * monotonic clock where the system supports that. */
void thread_cond_init(pthread_cond_t *condition);
struct timespec thread_after_ms(int ms);

struct wake {
	int in, out; /* ends of a pipe; -1: not open */
};

/* False: there are no file descriptors left. */
bool wake_open(struct wake *wake);
void wake_close(struct wake *wake);

/* For any thread. Never waits. */
void wake_up(const struct wake *wake);

/* The file descriptor that can be read while there are news. */
static inline int wake_fd(const struct wake *wake)
{
	return wake->in;
}

/* Whether there are news. */
bool wake_has_news(const struct wake *wake);

/* Forget the news; call this before looking at what they are. */
void wake_forget(const struct wake *wake);

/* Run work(ctx) on the calling thread and, when a thread can be started, on a second one at the
 * same time. Returns when both calls have returned. work() must be able to do everything alone. The
 * second thread blocks signals. */
void parallel_run(void (*work)(void *ctx), void *ctx);

/* Run own(ctx) on the calling thread and, when a thread can be started, other(ctx) on a second one
 * at the same time; when none can, other() is not called. Returns when they have returned. */
void parallel_pair(void (*own)(void *ctx), void (*other)(void *ctx), void *ctx);

/* The same as parallel_run() for `n` independent items: work(ctx, from, end) is called for chunks
 * of them, in any order. Few items are done on the calling thread alone. */
void parallel_chunks(size_t n, void (*work)(void *ctx, size_t from, size_t end), void *ctx);

/* The same for items that are much work each, such as a pass over samples. */
void parallel_parts(size_t n, void (*work)(void *ctx, size_t from, size_t end), void *ctx);

/* Jobs: what is read on threads, one for each job, for an interface that must not wait for a file.
 * All functions are for one thread, the one that asks. */
struct jobs;
struct progress;

/* What jobs do. job: what make() returned, which belongs to the thread until run() returns. ctx:
 * that of jobs_new(). */
struct jobs_kind {
	bool (*is)(const void *job, const void *wanted);
	void *(*make)(const void *wanted); /* with copies of all that run() needs */
	void (*run)(const void *ctx, void *job, struct progress *progress); /* it may cancel */
	/* Instead of run(), when no thread can be started. */
	void (*run_here)(const void *ctx, void *job, struct progress *progress);
	void (*free)(void *job);
	int patience_ms; /* how long jobs_get() waits for a new job */

	/* Jobs are kept until they are forgotten; if size is set, the last ones that were asked
	 * for, until they are more than n_max or their sizes above size_max. */
	size_t (*size)(const void *job);
	int n_max;
	size_t size_max;
};

enum jobs_state { JOBS_BUSY, JOBS_DONE, JOBS_LOST };

/* ctx: is taken, and freed at the end by free(); may be NULL. is_here: all jobs are run by
 * jobs_get(), without threads. */
struct jobs *jobs_new(const struct jobs_kind *kind, void *ctx, bool is_here);

/* Abandon all jobs, and free what no thread uses. NULL is allowed. */
void jobs_free(struct jobs *jobs);

/* Get the job that is wanted, or start it. JOBS_BUSY: ask again later; only atomic members of *job
 * may be looked at, which may be NULL. JOBS_LOST: its thread had no
 * memory. JOBS_DONE: *job has it, until it is forgotten. */
enum jobs_state jobs_get(struct jobs *jobs, const void *wanted, const void **job);

/* Abandon all jobs. A thread ends as soon as it can; one that is blocked keeps what it uses. ctx: a
 * struct jobs. */
void jobs_forget(void *ctx);

/* Whether a thread works on a job, also one that was abandoned. */
bool jobs_are_busy(struct jobs *jobs);

#endif
