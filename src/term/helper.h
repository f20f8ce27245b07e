/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The helper: a process that starts the programs of the interface, which itself is in a sandbox
 * where it cannot. It is started first, knows two requests, and chooses the programs itself: the
 * editor of the user at a place in a file, and tmux for a copied text. It ends when this process
 * does. */
#ifndef FLAMETTY_TERM_HELPER_H
#define FLAMETTY_TERM_HELPER_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

#define HELPER_PATH_MAX 4096 /* bytes, with the zero at the end */

struct editor_place {
	const char *path;
	int line, column;   /* from 1 on; 0: unknown */
	const char *editor; /* its name, for messages */
};

/* Start it, before there are threads, a memory limit or a sandbox. words_of: called in the helper:
 * the words of the editor for execvp(), NULL after the last; NULL: there are none. If it cannot be
 * started, its requests fail. */
void helper_start(char **(*words_of)(const struct editor_place *place));

/* End it. */
void helper_stop(void);

/* Run the editor in the process group of this process, so that job control stops and continues
 * both, and wait until it ends. It gets the terminal, in_fd and out_fd, as standard input and
 * output, standard signals, and no memory limit of this process. *status: as for waitpid(). Fails
 * with ERR_IO when it cannot be started, or in_fd or out_fd is no terminal. The terminal must be
 * given back before, and tty_install_signals() in effect. */
bool helper_edit(const struct editor_place *place, int in_fd, int out_fd, int *status,
		 struct error *err);

/* Let `tmux load-buffer` read a text from in_fd; has_w: and pass it on to the terminal. False: it
 * cannot be started. After true, call helper_copied(): it waits until clock_ns() is end_ns, then
 * ends tmux, and returns whether that had ended with success. */
bool helper_copy(bool has_w, int in_fd);
bool helper_copied(int64_t end_ns);

#endif
