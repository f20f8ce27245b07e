/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface on a profile: on the terminal while files load and after, or one screen as text. */
#ifndef FLAMETTY_SESSION_H
#define FLAMETTY_SESSION_H

#include "cli/run.h"

/* Load the files and show them on the terminal until the user quits. Does not return if the user
 * quits while files are being loaded: the process ends with run->status. */
void session_interact(struct run *run);

/* Print the screen of --render, after the keys of --keys. Takes the profile of `run`. */
void session_render(struct run *run);

#endif
