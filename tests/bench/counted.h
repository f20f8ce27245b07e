/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What instructions.sh counts the instructions of, by the names of these functions: they
 * do nothing else. Nothing here has a second thread, so the counts repeat. */
#ifndef FLAMETTY_TESTS_BENCH_COUNTED_H
#define FLAMETTY_TESTS_BENCH_COUNTED_H

#include "base/buf.h"
#include "model/profile.h"
#include "ui/app.h"

/* From bytes to a profile. */
struct profile *counted_load(const struct buf *text);

/* One picture. */
void counted_frame(struct app *app, struct grid *grid);

/* `load FILE`: load it, print the number of samples. `first FILE`: the first picture. `pan FILE`:
 * one after a pan key. Returns an exit status. */
int counted_main(const char *what, const char *path);

#endif
