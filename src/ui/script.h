/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface without a terminal: `--keys` played into an app. */
#ifndef FLAMETTY_UI_SCRIPT_H
#define FLAMETTY_UI_SCRIPT_H

#include "base/error.h"
#include "ui/app.h"

/* Press the keys of a text like `wwl<Enter><C-d>`. Stops at a key that quits. Fails with
 * ERR_SYNTAX at text that is not a key; err->offset is its byte. Afterwards all pending work of the
 * app is done. */
bool script_run(struct app *app, const char *keys, struct error *err);

#endif
