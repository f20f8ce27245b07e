/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface's editor: finds the file, and gives the terminal to the editor of the user. */
#ifndef FLAMETTY_SESSION_EDIT_H
#define FLAMETTY_SESSION_EDIT_H

#include "cli/run.h"
#include "ui/app.h"

/* Open the first place of the request whose file is on this machine. Returns when the editor does:
 * one with a window of its own returns at once. Appends a message, also on failure. */
bool session_edit(const struct run *run, const struct app_edit *request, struct buf *said);

#endif
