/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads beside the one that reads keys. */
#ifndef FLAMETTY_BASE_THREAD_H
#define FLAMETTY_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

/* Start a thread that takes no signals but those of its own faults. False: there is none to be had.
 */
bool thread_start(pthread_t *thread, void *(*run)(void *ctx), void *ctx);

/* How many processors the program may use, at least 1. */
int thread_processors(void);

/* The processor that the caller runs on; -1: unknown. */
int thread_cpu(void);

/* Stay off a processor (-1: any will do) as far as there are others. Virtual machines take a
 * processor that is halted for one that is busy, so Linux wakes a thread where its waker runs, and
 * the two take turns on one while another one idles. */
void thread_stay_off(int cpu);

/* A condition to wait on up to a time that thread_after_ms() gives, on a clock that nobody sets
 * back where there is one. */
void thread_cond_init(pthread_cond_t *condition);
struct timespec thread_after_ms(int ms);

#endif
