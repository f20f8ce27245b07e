/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface without a terminal: `--keys` played into an app. */
#ifndef FLAMETTY_UI_SCRIPT_H
#define FLAMETTY_UI_SCRIPT_H

#include "base/error.h"
#include "ui/app.h"

/* Only look for text that is not a key. */
bool script_check(const char *keys, struct error *err) MUST_USE;

/* Another app may go on after each key: */
struct script_feed {
	/* The app that goes on after `now`, which is settled: `now` itself, or another one that
	 * replaces it, or NULL: there is none, and the keys end. */
	struct app *(*next)(void *ctx, struct app *now);
	void *ctx;
};

/* Press the keys of a text like `wwl<Enter><C-d>`. Stops at a key that quits. Fails with
 * ERR_SYNTAX at text that is not a key; err->offset is its byte. Afterwards all pending work of the
 * app is done. feed: NULL: the app stays the same. *app becomes the last one. */
bool script_play(struct app **app, const char *keys, const struct script_feed *feed,
		 struct error *err) MUST_USE;

#endif
