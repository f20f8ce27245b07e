/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal device below curses: its files, settings and size, waiting for it, and signals.
 * There is one per program. For term.c.
 *
 * Signals are of two kinds:
 * 1. Those that end the program (base/signals): before they do, the text of tty_prepare_reset() is
 *    written and the settings are restored. That takes half a second at most, also if the terminal
 *    takes no output. A terminal that the program has not taken is not touched.
 * 2. SIGWINCH, SIGTSTP, SIGCONT: the handler sets a flag, which is checked before each wait. They
 *    are blocked between the check and the wait, so none is missed. */
#ifndef FLAMETTY_TERM_TTY_H
#define FLAMETTY_TERM_TTY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Open standard input and output if both are a terminal, else the controlling terminal. If standard
 * output does not block, the terminal is opened again for `out`. */
bool tty_open(FILE **in, FILE **out, struct error *err) MUST_USE;
void tty_close(void);

int tty_in_fd(void);
int tty_out_fd(void);

/* The size of the terminal, or of its upper left part if it is larger than these limits, which cost
 * about 70 MB of memory. If it does not tell its size, that of LINES and COLUMNS, or else 24 rows
 * of 80 columns. Returns whether the terminal tells that size itself, so that curses can find it.
 */
#define TTY_ROWS_MAX 500
#define TTY_COLS_MAX 1000
bool tty_size(int *rows, int *cols);

/* Write all of `text`, also if a signal interrupts; bypasses curses. The bytes that were written
 * since the last call. */
void tty_write(const char *text, size_t len);
uint64_t tty_take_written(void);

/* Save the settings of the terminal; false: it has none. Restore them. */
bool tty_keep_settings(void);
void tty_restore_settings(void);

/* Wait for input or a signal of the second kind, or until other_fd (-1: none) can be read, for
 * wait_ms at most (below 0: no limit). Returns whether other_fd can be read. */
bool tty_wait(int64_t wait_ms, int other_fd);

/* Wait for input, wait_ms at most; signals of the second kind do not end the wait. Returns whether
 * there is some. */
bool tty_wait_bytes(int64_t wait_ms);

/* Read a byte if there is one: 1, or 0; -1: the terminal is gone. */
int tty_read(unsigned char *byte);

/* Install handlers for all signals that are not ignored. Call this before newterm(), which installs
 * its own for signals without one. */
void tty_install_signals(void);
void tty_remove_signals(void);

/* Whether a signal of the second kind has come since the last call, which forgets it. */
bool tty_take_signal(int number);

/* Prepare the text that a handler writes: `first`, then the sequences that reset the terminal. */
void tty_prepare_reset(const char *first, int rows);

/* Set whether the program has taken the terminal. tty_give_back(): if it has, reset it without
 * curses, as before a signal ends the program. */
void tty_set_taken(bool is_ours);
void tty_give_back(void);

/* Whether the terminal description has this string; after setupterm() or newterm(). */
bool tty_has_capability(const char *name);

#endif
