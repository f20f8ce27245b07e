/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An export that the user asks for on the command line. The program writes it (app_host.export).
 * Meanwhile a message tells how much there is, and the user can cancel it. */
#ifndef FLAMETTY_UI_LINE_LINE_KEYS_H
#define FLAMETTY_UI_LINE_LINE_KEYS_H

#include "base/buf.h"

#include <stdbool.h>

struct app;

struct export_request {
	struct buf format, path;
	bool is_forced;
	bool is_fleet; /* of the grid of a fleet */
};

static inline void export_request_done(struct export_request *r)
{
	buf_done(&r->format);
	buf_done(&r->path);
}

/* Have it written; a message says what came of it. `look`: as for app_export(). */
void export_request_run(struct app *app, bool (*look)(void *ctx), void *ctx);

#endif
