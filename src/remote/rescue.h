/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that records itself by the script of `flametty run`, and that has received a signal but
 * never returns to its loop to handle it. */
#ifndef FLAMETTY_REMOTE_RESCUE_H
#define FLAMETTY_REMOTE_RESCUE_H

#include "remote/target.h"

/* Have it write its profile now, by its inspector, and end it with the signal. One that the program
 * itself handles is left to it. Waits some seconds. Returns false and err if the process does not
 * answer (ERR_IO), has no such script, or handles the signal itself (ERR_UNKNOWN); then it goes on
 * as before. */
bool rescue_end(pid_t pid, int signal, const struct target_options *options, struct error *err);

#endif
