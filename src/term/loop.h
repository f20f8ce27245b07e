/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface on a terminal: keys from it, pictures to it; and a bar while there is nothing to
 * show yet. */
#ifndef FLAMETTY_TERM_LOOP_H
#define FLAMETTY_TERM_LOOP_H

#include "base/progress.h"
#include "layout/grid.h"
#include "term/term.h"
#include "ui/app.h"

#include <stdbool.h>
#include <stdint.h>

/* Where apps come from while files are loaded. */
struct loop_feed {
	/* The app to show; NULL: there is none yet. *is_loading: another one will come, which is
	 * when the one before is freed. `now` is the one that is shown, or NULL. */
	struct app *(*next)(void *ctx, struct app *now, bool *is_loading);
	/* How far loading is; `name` of the file. */
	void (*progress)(void *ctx, struct progress *progress, const char **name);
	/* Load no more than there is. */
	void (*stop)(void *ctx);
	void *ctx;
	bool is_ascii;
};

/* Run until the user quits, the terminal is gone, or loading ends with nothing to show. The
 * terminal must be open. */
void loop_run(const struct loop_feed *feed);

#endif
