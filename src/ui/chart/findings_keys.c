/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that go from finding to finding. */
#include "config.h"

#include "ui/actions.h"

#include "ui/chart/findings_walk.h"
#include "ui/state.h"

unsigned findings_keys_next(struct app *app, int count)
{
	findings_walk_go(app, count);
	return APP_REDRAW;
}

unsigned findings_keys_previous(struct app *app, int count)
{
	findings_walk_go(app, -count);
	return APP_REDRAW;
}
