/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `flametty diff`: loads the runs of the command line and compares them. */
#ifndef FLAMETTY_DIFF_COMMAND_H
#define FLAMETTY_DIFF_COMMAND_H

#include "run.h"
#include "ui/chart/diff.h"

/* What the interface compares at first (diff -i), by the options; it borrows from them. False:
 * wrong usage. */
bool diff_command_begin(struct run *run, struct diff_what *what);

/* Whether the runs in run->profile can be compared. False: err says why not. */
bool diff_command_check(const struct run *run, const struct diff_what *what, struct error *err);

/* Load, compare and write, by the options. What failed was said. */
void diff_command(struct run *run);

#endif
