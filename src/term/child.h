/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that has the terminal for a while, such as an editor. */
#ifndef FLAMETTY_TERM_CHILD_H
#define FLAMETTY_TERM_CHILD_H

#include "base/error.h"

/* Run a program in the process group of this one, so that job control stops and continues both, and
 * wait until it ends. words: for execvp(), NULL after the last; no shell takes part. It gets in_fd
 * and out_fd as standard input and output, standard signals, and no memory limit of this process.
 * *status: as for waitpid(). Fails with ERR_IO when the program cannot be started.
 * The terminal must be given back before, and tty_install_signals() in effect. */
bool child_run(char *const *words, int in_fd, int out_fd, int *status, struct error *err);

#endif
