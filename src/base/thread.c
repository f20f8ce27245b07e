/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread inherits the signal mask of the thread that starts it. */
#include "config.h"

#include "base/thread.h"

#include "base/alloc.h"
#include "base/signals.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static bool start(pthread_t *thread, size_t stack, void *(*run)(void *ctx), void *ctx);

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

int wake_fd(const struct wake *wake)
{
	return wake->in;
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

void parallel_chunks(size_t n, void (*work)(void *ctx, size_t from, size_t end), void *ctx)
{
	struct chunks chunks = { .work = work,
				 .ctx = ctx,
				 .n = n,
				 .size = n / CHUNKS > MIN_CHUNK ? n / CHUNKS : MIN_CHUNK };

	if (n >= MANY)
		parallel_run(take_chunks, &chunks);
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
