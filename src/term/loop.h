/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs an app on the terminal: takes keys, draws pictures, and shows a progress bar while there is
 * no app yet. */
#ifndef FLAMETTY_TERM_LOOP_H
#define FLAMETTY_TERM_LOOP_H

#include "base/progress.h"

#include <stdbool.h>

struct app;

/* Provides apps: while files are being loaded, and when the files are to be shown in another way.
 */
struct loop_feed {
	/* The app to show; NULL: there is none yet. `now` is the app that is shown, or NULL; it is
	 * freed when the function returns another one. *is_loading: more apps will come. */
	struct app *(*next)(void *ctx, struct app *now, bool *is_loading);
	/* Whether next() has another app although loading has ended. */
	bool (*has_next)(void *ctx);
	/* The progress of loading, and the name of the file. */
	void (*progress)(void *ctx, struct progress *progress, const char **name);
	/* Stop loading and keep what was read. */
	void (*stop)(void *ctx);
	void *ctx;
	bool is_ascii;
	const char *layouts; /* for key_by_place(); NULL: none */
	int tick_ms;         /* at most this long between two calls of has_next(); 0: no limit */
};

/* Run until the user quits, the terminal is gone, or loading ends with nothing to show. The
 * terminal must be open. */
void loop_run(const struct loop_feed *feed);

#endif
