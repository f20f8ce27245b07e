/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library for LD_PRELOAD that lets threads fail to start, as at the limit of a system or of a
 * container.
 *
 *     FAIL_THREAD_AT=N         the Nth thread does not start, counted from 0
 *     FAIL_THREAD_FROM=N       the Nth thread and all after it do not start
 *     FAIL_THREAD_COUNT=FILE   none fails; FILE gets their number
 *
 * Used by no-threads.sh. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef int create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *ctx);

static atomic_long n_calls;

static long number(const char *name)
{
	const char *text = getenv(name);

	return text ? atol(text) : -1;
}

__attribute__((constructor)) static void end_in_time(void)
{
	alarm(60);
}

__attribute__((destructor)) static void tell_count(void)
{
	const char *name = getenv("FAIL_THREAD_COUNT");
	FILE *f = name ? fopen(name, "w") : NULL;

	if (!f)
		return;
	fprintf(f, "%ld\n", atomic_load(&n_calls));
	fclose(f);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *ctx)
{
	long n = atomic_fetch_add(&n_calls, 1), from = number("FAIL_THREAD_FROM");
	create *real;

	if (n == number("FAIL_THREAD_AT") || (from >= 0 && n >= from))
		return EAGAIN;
	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	return real(thread, attr, run, ctx);
}
