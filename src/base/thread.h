/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads other than the main thread. */
#ifndef FLAMETTY_BASE_THREAD_H
#define FLAMETTY_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

/* Start a thread that blocks all signals except faults, and that has the caller's rescue (alloc.h).
 * Returns false when no thread can be started. */
bool thread_start(pthread_t *thread, void *(*run)(void *ctx), void *ctx);

/* The same with a stack of 1 MiB, all of which counts against the memory limit: for threads that
 * call nothing that recurses. */
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

#endif
