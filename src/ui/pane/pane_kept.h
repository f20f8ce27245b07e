/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rows of a call table are open, and where its cursor is: as hashes of paths while the table
 * has no rows (pane.c), and as a value that refers to no profile, which an app keeps for the app
 * after it (ui/app_state.h). */
#ifndef FLAMETTY_UI_PANE_PANE_KEPT_H
#define FLAMETTY_UI_PANE_PANE_KEPT_H

#include "ui/pane/pane.h"

struct pane_kept {
	uint64_t *open; /* paths of rows as hashes, in ascending order; owned */
	size_t n_open, top;
	uint64_t cursor_path;
	bool has_path;
};

/* The hash of a row's path, which combines that of the row above it with its function. paths: of
 * the rows before it. */
uint64_t pane_kept_path(struct pane_paths *paths, const struct pane_tab *tab,
			const struct row *row);

/* Note which rows of a table that has rows are open, and where its cursor is. */
void pane_kept_remember(struct pane_tab *tab);

/* Whether the row of a path was open. */
bool pane_kept_is_open(const struct pane_tab *tab, uint64_t path);

/* Take the rows of a table; nothing if it has none. To be freed with pane_kept_done(), which
 * accepts zeros. */
void pane_kept_get(const struct pane_tab *tab, struct pane_kept *kept);
void pane_kept_done(struct pane_kept *kept);

/* Let a table that has no rows yet open these, and put its cursor there. */
void pane_kept_set(struct pane_tab *tab, const struct pane_kept *kept);

#endif
