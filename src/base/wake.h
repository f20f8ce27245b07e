/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wakes a thread that waits for a file descriptor: another thread has news for it. What the news
 * are is told elsewhere; several may come as one. */
#ifndef FLAMETTY_BASE_WAKE_H
#define FLAMETTY_BASE_WAKE_H

#include <stdbool.h>

struct wake {
	int in, out; /* ends of a pipe; -1: not open */
};

/* False: there are no file descriptors left. */
bool wake_open(struct wake *wake);
void wake_close(struct wake *wake);

/* For any thread. Never waits. */
void wake_up(const struct wake *wake);

/* The file descriptor that can be read while there are news. */
int wake_fd(const struct wake *wake);

/* Whether there are news. */
bool wake_has_news(const struct wake *wake);

/* Forget the news; call this before looking at what they are. */
void wake_forget(const struct wake *wake);

#endif
