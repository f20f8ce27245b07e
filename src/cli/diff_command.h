/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `flametty diff`: loads the runs of the command line and compares them. */
#ifndef FLAMETTY_CLI_DIFF_COMMAND_H
#define FLAMETTY_CLI_DIFF_COMMAND_H

#include "analyse/gate/gate.h"
#include "cli/run.h"
#include "model/fleet.h"
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

/* Writes a comparison with the results of its gates. */
typedef void diff_write_fn(struct run *run, const struct compare *c, const struct gate_runs *gates,
			   void *ctx);

/* Compare the sides of a fleet by the options: each host of a side is a run by its name. sides: the
 * KEY=VALUE of both. Then run->profile has their sums. What failed was said, also that a side has
 * no profiles; then `write` is not called. */
void diff_command_hosts(struct run *run, const struct fleet *fleet, diff_write_fn *write,
			void *ctx);

/* Load, compare and write, by the options. What failed was said. */
void diff_command(struct run *run);

#endif
