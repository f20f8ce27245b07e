/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state is global, because a signal handler has no context.
 *
 * Invariants:
 * 1. The first n_undo entries of `undo` are valid whenever a handler can run.
 * 2. is_ours[n] says that the handler of signal n is ours; old_actions[n] is the action before. */
#include "config.h"

#include "base/signals.h"

#include "base/alloc.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#define UNDO_MAX 4
#define NUMBERS 129 /* Linux has signals up to 64, or up to 128 on MIPS */

/* Signals whose default action ends the program; real-time signals are added at run time. */
static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };
static const int ends[] = { SIGTERM, SIGHUP,    SIGINT,  SIGQUIT, SIGUSR1,   SIGUSR2,
			    SIGALRM, SIGPIPE,   SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF,
#ifdef __linux__
			    SIGIO,   SIGSTKFLT, SIGPWR
#endif
};

static signals_undo *volatile undo[UNDO_MAX];
static volatile sig_atomic_t n_undo;
static struct sigaction old_actions[NUMBERS];
static bool is_ours[NUMBERS];
static char fault_stack[32768];

/* Default actions do not end the first process of a container, so there is an _exit() after them.
 * An old handler runs when this one returns: it may want to see where the fault was. */
static void on_signal(int number)
{
	int saved_errno = errno;
	sigset_t set;

	for (int i = n_undo; i-- > 0;) {
		n_undo = i;
		undo[i]();
	}
	sigaction(number, &old_actions[number], NULL);
	raise(number); /* blocked while this handler runs */
	if (old_actions[number].sa_handler == SIG_DFL) {
		sigemptyset(&set);
		sigaddset(&set, number);
		pthread_sigmask(SIG_UNBLOCK, &set, NULL);
		_exit(128 + number);
	}
	errno = saved_errno;
}

static void install(int number, bool is_fault)
{
	struct sigaction action = { .sa_handler = on_signal };

	if (number >= NUMBERS || sigaction(number, NULL, &old_actions[number]) != 0 ||
	    old_actions[number].sa_handler == SIG_IGN ||
	    (old_actions[number].sa_handler != SIG_DFL && !is_fault))
		return;
	/* Faults need the alternate stack: the cause may be a stack overflow. */
	action.sa_flags = is_fault ? SA_ONSTACK : SA_RESTART;
	sigfillset(&action.sa_mask);
	is_ours[number] = sigaction(number, &action, NULL) == 0;
}

static void install_all(void)
{
	stack_t stack = { .ss_sp = fault_stack, .ss_size = sizeof fault_stack };

	sigaltstack(&stack, NULL);
	for (size_t i = 0; i < ARRAY_LEN(faults); i++)
		install(faults[i], true);
	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		install(ends[i], false);
#ifdef SIGRTMIN
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		install(number, false);
#endif
}

void signals_add(signals_undo *new_undo)
{
	assert(n_undo < UNDO_MAX);
	undo[n_undo] = new_undo;
	n_undo++;
	if (n_undo == 1)
		install_all();
}

void signals_remove(signals_undo *old_undo)
{
	stack_t stack = { .ss_flags = SS_DISABLE, .ss_size = sizeof fault_stack };
	sigset_t before;
	int kept = 0;

	signals_block(&before);
	for (int i = 0; i < n_undo; i++)
		if (undo[i] != old_undo)
			undo[kept++] = undo[i];
	if (n_undo > 0 && kept == 0) {
		for (int number = 0; number < NUMBERS; number++)
			if (is_ours[number]) {
				is_ours[number] = false;
				sigaction(number, &old_actions[number], NULL);
			}
		sigaltstack(&stack, NULL);
	}
	n_undo = kept;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void signals_block(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	for (size_t i = 0; i < ARRAY_LEN(faults); i++)
		sigdelset(&all, faults[i]);
	pthread_sigmask(SIG_SETMASK, &all, before);
}
