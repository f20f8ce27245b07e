/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must be undone before a signal ends the program: the state of the terminal, a file that is
 * not complete.
 *
 * An undo function runs inside a signal handler, so it calls only async-signal-safe functions, and
 * it must not wait without a limit. It runs at most once, on the main thread, except after a fault:
 * then on the thread that has it. After it the signal gets its default action, so that the exit
 * status of the program tells which signal it was. */
#ifndef FLAMETTY_BASE_SIGNALS_H
#define FLAMETTY_BASE_SIGNALS_H

#include <signal.h>

typedef void signals_undo(void);

/* Call `undo` before a signal ends the program, until it is removed. Handlers are installed for all
 * signals whose default action ends the program, as long as there is an undo function. Signals that
 * are ignored stay so, and signals for which a library has a handler are left to it, except faults:
 * these go to its handler afterwards. For the main thread. */
void signals_add(signals_undo *undo);
void signals_remove(signals_undo *undo);

/* Block all signals in the calling thread, except faults: a blocked fault ends the program without
 * calling its handler. before: filled with the mask for pthread_sigmask() that ends this. */
void signals_block(sigset_t *before);

#endif
