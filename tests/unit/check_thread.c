/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads: which signals they block, on which processors they run, and until when they wait. */
#include "config.h"

#include "base/thread.h"

#include "suite.h"

#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

static int64_t ns_of(struct timespec t)
{
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t now(void)
{
	struct timespec t;

#ifdef HAVE_PTHREAD_CONDATTR_SETCLOCK
	clock_gettime(CLOCK_MONOTONIC, &t);
#else
	clock_gettime(CLOCK_REALTIME, &t);
#endif
	return ns_of(t);
}

/* Between two looks at the clock, whichever time passes between them. */
START_TEST(a_time_to_wait_until_is_that_much_later)
{
	static const int waits[] = { 0, 1, 999, 1000, 1001, 2500, 86400000, INT_MAX };

	for (int i = 0; i < 200; i++)
		for (size_t k = 0; k < ARRAY_LEN(waits); k++) {
			int64_t ns = (int64_t)waits[k] * 1000000, before = now();
			struct timespec t = thread_after_ms(waits[k]);

			ck_assert_int_ge(ns_of(t), before + ns);
			ck_assert_int_le(ns_of(t), now() + ns);
			ck_assert(t.tv_nsec >= 0 && t.tv_nsec < 1000000000);
		}
}
END_TEST

/* Waiting until a time that has passed ends at once. */
START_TEST(a_condition_waits_by_the_clock_of_thread_after_ms)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t condition;
	struct timespec until = thread_after_ms(0);

	thread_cond_init(&condition);
	pthread_mutex_lock(&mutex);
	while (pthread_cond_timedwait(&condition, &mutex, &until) == 0)
		;
	ck_assert_int_ge(now(), ns_of(until));
	pthread_mutex_unlock(&mutex);
	pthread_cond_destroy(&condition);
}
END_TEST

/* What a thread finds out about itself. */
struct found {
	int lost_calls;
	bool blocks_term, blocks_fault;
	size_t stack;
};

static bool note_lost(void *ctx, const char *text)
{
	(void)text;
	++*(int *)ctx;
	return true;
}

static void *look(void *ctx)
{
	struct found *found = ctx;
	struct die_rescue rescue = die_get_rescue();
	sigset_t mask;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	found->blocks_term = sigismember(&mask, SIGTERM) == 1;
	found->blocks_fault = sigismember(&mask, SIGSEGV) == 1;
	if (rescue.lost)
		rescue.lost(rescue.ctx, "");
#ifdef __GLIBC__
	{
		pthread_attr_t attr;

		pthread_getattr_np(pthread_self(), &attr);
		pthread_attr_getstacksize(&attr, &found->stack);
		pthread_attr_destroy(&attr);
	}
#endif
	return found;
}

START_TEST(a_thread_blocks_signals_and_has_the_rescue_of_its_caller)
{
	for (int is_small = 0; is_small < 2; is_small++) {
		struct found found = { 0 };
		pthread_t thread;
		sigset_t mask;
		void *result;
		int n_lost = 0;

		die_set_rescue(&(struct die_rescue){ .lost = note_lost, .ctx = &n_lost });
		ck_assert(is_small ? thread_start_small(&thread, look, &found)
				   : thread_start(&thread, look, &found));
		ck_assert_int_eq(pthread_join(thread, &result), 0);
		die_set_rescue(&(struct die_rescue){ 0 });
		ck_assert_ptr_eq(result, &found);
		ck_assert(found.blocks_term && !found.blocks_fault);
		ck_assert_int_eq(n_lost, 1);
#if defined __GLIBC__ && !defined ALLOC_SANITIZED
		ck_assert_int_eq(found.stack <= (size_t)1 << 20, is_small);
#endif
		/* The caller's own mask is as before. */
		pthread_sigmask(SIG_BLOCK, NULL, &mask);
		ck_assert_int_eq(sigismember(&mask, SIGTERM), 0);
	}
}
END_TEST

#ifdef HAVE_PTHREAD_SETAFFINITY_NP

static cpu_set_t own_cpus(void)
{
	cpu_set_t cpus;

	ck_assert_int_eq(pthread_getaffinity_np(pthread_self(), sizeof cpus, &cpus), 0);
	return cpus;
}

static void *leave_all(void *ctx)
{
	cpu_set_t before = own_cpus(), after;
	int off;

	(void)ctx;
	ck_assert_int_eq(thread_processors(), CPU_COUNT(&before));
	ck_assert_int_eq(thread_stay_off(-1, -1), -1);
	ck_assert_int_eq(thread_stay_off(CPU_SETSIZE, -1), -1);
	after = own_cpus();
	ck_assert(CPU_EQUAL(&before, &after));
	/* One after the other; the only one it may use stays. */
	off = -1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		cpu_set_t expect = before;
		bool is_off = CPU_ISSET((size_t)cpu, &before) && CPU_COUNT(&before) > 1;

		if (is_off)
			CPU_CLR((size_t)cpu, &expect);
		off = thread_stay_off(cpu, off);
		ck_assert_int_eq(off, is_off ? cpu : -1);
		after = own_cpus();
		ck_assert(CPU_EQUAL(&expect, &after));
		ck_assert_int_eq(thread_processors(), CPU_COUNT(&expect));
	}
	ck_assert_int_eq(thread_stay_off(-1, off), -1);
	after = own_cpus();
	ck_assert(CPU_EQUAL(&before, &after));
	return NULL;
}

START_TEST(a_thread_stays_off_processors_while_it_may_use_others)
{
	cpu_set_t before = own_cpus(), after;
	pthread_t thread;

	ck_assert(thread_start(&thread, leave_all, NULL));
	pthread_join(thread, NULL);
	after = own_cpus();
	ck_assert(CPU_EQUAL(&before, &after));
	ck_assert(thread_cpu() < 0 || CPU_ISSET((size_t)thread_cpu(), &before));
}
END_TEST

#endif

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "thread", SUITE_SECONDS);

	tcase_add_test(t, a_time_to_wait_until_is_that_much_later);
	tcase_add_test(t, a_condition_waits_by_the_clock_of_thread_after_ms);
	tcase_add_test(t, a_thread_blocks_signals_and_has_the_rescue_of_its_caller);
#ifdef HAVE_PTHREAD_SETAFFINITY_NP
	tcase_add_test(t, a_thread_stays_off_processors_while_it_may_use_others);
#endif
}

int main(void)
{
	return suite_run("thread", add_tests);
}
