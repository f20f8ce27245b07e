/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line to the terminal below curses: its files, its settings, its size, waiting, and the
 * signals that come by it. One for the program; for term.c.
 *
 * Signals, in two kinds:
 * 1. Those that end the program: the handler writes what tty_prepare_reset() made in advance,
 * restores the line settings, and lets the signal do what it would have done. It touches nothing
 * when the terminal is not ours at that moment.
 * 2. SIGWINCH, SIGTSTP, SIGCONT: the handler sets a flag, which is looked at before each wait; they
 * are blocked from the look to the wait, so none is missed. */
#ifndef FLAMETTY_TERM_TTY_H
#define FLAMETTY_TERM_TTY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Standard input and output if both are a terminal, else the controlling one. To be closed. */
bool tty_open(FILE **in, FILE **out, struct error *err);
void tty_close(void);

int tty_in_fd(void);
int tty_out_fd(void);

/* False: it does not tell. */
bool tty_size(int *rows, int *cols);

/* Past curses, all of it whatever interrupts. */
void tty_write(const char *text, size_t len);

/* Keep the settings of the line as they are now; false: there are none. Set them again. */
bool tty_keep_settings(void);
void tty_restore_settings(void);

/* Wait for bytes, a signal of the second kind, or the end of the time (below 0: there is none). */
void tty_wait(int64_t wait_ms);

/* The same without a look at signals. */
void tty_wait_bytes(int64_t wait_ms);

/* Handlers for all signals that were not ignored; before newterm(), which would set its own where
 * there are none. */
void tty_install_signals(void);
void tty_remove_signals(void);

/* Whether a signal of the second kind came that was not forgotten yet. */
bool tty_has_signal(int number);
void tty_forget_signal(int number);

/* What a handler has to write: `first`, then what gives the terminal back by its description. */
void tty_prepare_reset(const char *first, int rows);

/* Whether the terminal is ours; then give it back as a handler does, without curses. */
void tty_set_taken(bool is_taken);
void tty_give_back(void);

/* Whether the terminal has such a text; after setupterm() or newterm(). */
bool tty_has_capability(const char *name);

#endif
