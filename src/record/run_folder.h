/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder of a run, of mode 0700 in TMPDIR, and that of its profiles.
 *
 *   hook.cjs   the script of run_hook.h
 *   notes/     of processes: see run_tally.h
 *   slices/    what they record: see run_slices.h
 *   others/    profiles that Bun and Deno write themselves
 *   profiles/  without --output
 *
 * Processes of the command write into the folder only. What comes into a folder of the user is
 * written by this program, and replaces nothing there. */
#ifndef FLAMETTY_RUN_FOLDER_H
#define FLAMETTY_RUN_FOLDER_H

#include "record/run_command.h"

/* Make them and set the command's paths. Returns false if that is not possible; the user was told
 * why. */
bool run_folder_make(struct run *run, struct run_command *command);

/* Remove the folder; is_kept: all but the profiles in it. */
void run_folder_clear(const char *folder, bool is_kept);

#endif
