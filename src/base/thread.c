/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread inherits the signal mask of the thread that starts it. */
#include "config.h"

#include "base/thread.h"

#include "base/alloc.h"
#include "base/signals.h"

#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

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
};

static void *begin(void *arg)
{
	struct start given = *(struct start *)arg;

	free(arg);
	die_set_rescue(&given.rescue);
	return given.run(given.ctx);
}

static bool start(pthread_t *thread, size_t stack, void *(*run)(void *ctx), void *ctx)
{
	struct start *given = alloc_if_room(sizeof *given);
	sigset_t before;
	pthread_attr_t attr;
	int failed;

	if (!given)
		return false;
	*given = (struct start){ run, ctx, die_get_rescue() };
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
	return start(thread, 0, run, ctx);
}

bool thread_start_small(pthread_t *thread, void *(*run)(void *ctx), void *ctx)
{
	return start(thread, SMALL_STACK, run, ctx);
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
