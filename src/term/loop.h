/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface on a terminal: keys from it, pictures to it; and a bar while a
 * profile is loaded. */
#ifndef FLAMETTY_TERM_LOOP_H
#define FLAMETTY_TERM_LOOP_H

#include "base/progress.h"
#include "layout/grid.h"
#include "term/term.h"
#include "ui/app.h"

#include <stdbool.h>
#include <stdint.h>

/* Run until the user quits or the terminal is gone. The terminal must be open. */
void loop_run(struct app *app);

/* What somebody sees who waits for a file. Zeroed but for the first three. Set
 * progress.tick to loop_progress_tick and progress.ctx to this. */
struct loop_progress {
	const struct term_options *options;
	const char *name;          /* of the file */
	bool is_ascii;

	bool is_cancelled;         /* Esc, C-c or q was pressed */
	bool has_failed;           /* there is no terminal to draw on; loading goes on */
	int64_t next_ns;           /* drawn then */
	struct grid grid;
};

/* Opens the terminal after 100 ms, and draws ten times a second. Returns false when
 * loading is to stop. The terminal stays open for loop_run(). */
bool loop_progress_tick(void *ctx, const struct progress *progress);

void loop_progress_done(struct loop_progress *progress);

#endif
