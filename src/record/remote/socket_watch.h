/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When the bytes of requests arrived that a busy process has not read yet: what the kernel knows of
 * its connections (sock_diag(7), TCP_INFO). A request that waits while the event loop is blocked is
 * seen by the process itself only after that, and looks fast. Linux only.
 *
 * Cheap: every ROUND_MS the connections that are known are asked for one by one, 6 us each; all
 * connections of the machine only once a second, and when some wait to be accepted. */
#ifndef FLAMETTY_RECORD_REMOTE_SOCKET_WATCH_H
#define FLAMETTY_RECORD_REMOTE_SOCKET_WATCH_H

#include "base/buf.h"

#include <sys/types.h>

struct socket_watch;

/* Begin, on a thread of its own. proc: "/proc"; borrowed. NULL, and the reason in `why`, static
 * text: the kernel does not tell, or the process is in a network namespace that cannot be entered.
 */
struct socket_watch *socket_watch_start(const char *proc, pid_t pid, const char **why);

/* End it, and append what was seen: `k1`, and for each time when bytes lay unread
 * `;REMOTE_PORT,LOCAL_PORT,SEEN,ARRIVED` with times in us of CLOCK_MONOTONIC, exact to 4 ms or so.
 * NULL is allowed. */
void socket_watch_end(struct socket_watch *w, struct buf *out);

#endif
