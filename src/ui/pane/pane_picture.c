/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers of draw(). */
#include "config.h"

#include "ui/pane/pane_picture.h"

#include "ui/state.h"

#include <stdio.h>

const char pane_picture_no_match[] = "no row matches the filter; & C-u Enter shows all";

void pane_picture_place(struct pane_picture *picture, size_t cursor, size_t n)
{
	char a[UNITS_MAX], b[UNITS_MAX];

	if (n == 0)
		return;
	units_count(cursor + 1, a);
	units_count(n, b);
	snprintf(picture->position, sizeof picture->position, "%s of %s", a, b);
	picture->screen->position = picture->position;
}

void pane_picture_totals(const struct app *app, struct pane_picture *picture, bool has_filter)
{
	struct scope_line *scope = &picture->scope;

	scope_line_totals(app, has_filter, scope);
	/* The numbers are those of another range. */
	for (int i = 0; picture->screen->is_stale && i < SCREEN_SCOPES; i++)
		snprintf(scope->forms[i], sizeof scope->forms[i], "counting\342\200\246");
}
