/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When the bytes of requests and answers arrived that a busy process has not read yet: what the
 * kernel knows of its connections (sock_diag(7), TCP_INFO). A request that waits while the event
 * loop is blocked is seen by the process itself only after that, and looks fast; an answer to a
 * call of the process looks slow. Linux only.
 *
 * Cheap: every ROUND_MS the connections that are known are asked for one by one, 6 us each; all
 * connections of the machine once a second, five times where that is less than a fiftieth of the
 * time, and when some wait to be accepted. */
#ifndef FLAMETTY_RECORD_REMOTE_SOCKET_WATCH_H
#define FLAMETTY_RECORD_REMOTE_SOCKET_WATCH_H

#include "base/buf.h"

#include <stdbool.h>
#include <sys/types.h>

struct socket_watch;

/* Begin, on a thread of its own. proc: "/proc"; borrowed. NULL, and the reason in `why`, static
 * text: the kernel does not tell, or the process is in a network namespace that cannot be entered.
 */
struct socket_watch *socket_watch_start(const char *proc, pid_t pid, const char **why);

/* Append a line of what was seen since the last call: `k1`, and in each round for each connection
 * `;REMOTE_PORT,LOCAL_PORT,SEEN,ARRIVED`, if bytes of it lie unread at SEEN, or no longer. ARRIVED:
 * when the last of these bytes arrived, exact to 4 ms or so; 0: all is read. Times are us of
 * CLOCK_MONOTONIC. Nothing is appended if there was nothing, or to NULL. */
void socket_watch_take(struct socket_watch *w, struct buf *out);

/* End it. False: something is missing, as there was no room for it. NULL is allowed. */
bool socket_watch_end(struct socket_watch *w);

#endif
