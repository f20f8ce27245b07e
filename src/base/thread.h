/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads beside the one that reads keys. */
#ifndef FLAMETTY_BASE_THREAD_H
#define FLAMETTY_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

/* Start a thread that takes no signals but those of its own faults. False: there is none to be had. */
bool thread_start(pthread_t *thread, void *(*run)(void *ctx), void *ctx);

/* A condition to wait on up to a time that thread_after_ms() gives, on a clock that nobody sets back where there is one. */
void thread_cond_init(pthread_cond_t *condition);
struct timespec thread_after_ms(int ms);

#endif
