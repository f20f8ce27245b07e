/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface on processes that run: `flametty live`. */
#ifndef FLAMETTY_SESSION_SESSION_LIVE_H
#define FLAMETTY_SESSION_SESSION_LIVE_H

#include "cli/run.h"

/* Show the processes that the arguments name until the user quits. With --render: record them for
 * --duration, and print the picture that would be there then. Without arguments: list the
 * JavaScript processes. */
void session_live(struct run *run);

#endif
