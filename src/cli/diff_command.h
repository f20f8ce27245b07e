/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `flametty diff`: loads the runs of the command line and compares them. */
#ifndef FLAMETTY_CLI_DIFF_COMMAND_H
#define FLAMETTY_CLI_DIFF_COMMAND_H

#include "cli/run.h"
#include "ui/chart/chart_diff.h"

/* What the interface compares at first (diff -i), by the options; it borrows from them. False:
 * wrong usage. */
bool diff_command_begin(struct run *run, struct chart_diff_what *what);

/* Whether the runs in a profile can be compared. False: err says why not. */
bool diff_command_check(const struct profile *profile, const struct chart_diff_what *what,
			struct error *err) MUST_USE;

/* Whether nothing was loaded of a file of the options, which loading has said. */
bool diff_command_lacks(const struct run *run);

/* The first of some files that is the same as one before it; -1: there is none. */
int diff_command_same(char *const *files, int n_files);

/* What that means for a comparison, to be said after the file. */
#define DIFF_COMMAND_SAME "is given twice: a run differs from itself in nothing"

/* Load, compare and write, by the options. What failed was said. */
void diff_command(struct run *run);

#endif
