/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions whose instructions instructions.sh and compare.sh count, by their names; they do
 * nothing else. There is no second thread, so the counts repeat. */
#ifndef FLAMETTY_TESTS_BENCH_COUNTED_H
#define FLAMETTY_TESTS_BENCH_COUNTED_H

#include "base/buf.h"
#include "model/profile.h"
#include "ui/app.h"
#include "write/report/report.h"

/* Loads a profile from memory. */
struct profile *counted_load(const struct buf *text);

/* Draws one picture. */
void counted_frame(struct app *app, struct grid *grid);

/* Writes the JSON report. */
void counted_report(const struct scoped *scoped, const struct report_options *options,
		    struct sink *sink);

/* `load FILE`: load it, print the number of samples. `first FILE`: draw the first picture. `pan
 * FILE`: draw a picture after a pan key. `report FILE`: write the JSON report. `figures FILE`:
 * measure everything else once, and print the names. Returns an exit status. */
int counted_main(const char *what, const char *path);

#endif
