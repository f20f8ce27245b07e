/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folders of a run: for its script and notes, and for profiles. */
#ifndef FLAMETTY_RUN_FOLDER_H
#define FLAMETTY_RUN_FOLDER_H

#include "run_command.h"

/* Make them and set the command's paths. Returns false if that is not possible; the user was told
 * why. */
bool run_folder_make(struct run *run, struct run_command *command);

/* Remove what the user did not ask for. */
void run_folder_remove(const struct run_command *command);

#endif
