/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table remembers its rows by the numbers of their functions (pane.c), which are those of one
 * profile. What is kept for another one is by their hashes: pane_tab.is_kept says so, until the
 * table remembers its rows anew. */
#include "config.h"

#include "ui/pane/pane_kept.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "ui/same_frames.h"

#include <stdlib.h>
#include <string.h>

#define MAX_OPEN 4096

/* ---- in one app ---- */

static uint64_t key_of(const struct rows *rows, const struct row *row)
{
	const struct view *view = rows->totals->view;

	return same_frames_hash(view->profile, &view->frames[row->frame], true);
}

uint64_t pane_kept_path(struct pane_paths *paths, const struct pane_tab *tab, const struct row *row)
{
	size_t depth = (size_t)row->depth;
	uint64_t above;

	paths->hash = xgrow(paths->hash, &paths->cap, depth + 1, sizeof(*paths->hash));
	above = depth ? paths->hash[depth - 1] : 0;
	paths->hash[depth] = hash_u64(above * 31 +
				      (tab->is_kept ? key_of(&tab->rows, row) : row->frame + 1));
	return paths->hash[depth];
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

void pane_kept_remember(struct pane_tab *tab)
{
	struct pane_paths paths = { 0 };

	tab->n_open = 0;
	tab->has_path = false;
	for (size_t i = 0; i < tab->rows.n; i++) {
		uint64_t path = pane_kept_path(&paths, tab, &tab->rows.rows[i]);

		if (tab->rows.rows[i].is_open && tab->n_open < MAX_OPEN) {
			tab->open = xgrow(tab->open, &tab->cap_open, tab->n_open + 1,
					  sizeof(*tab->open));
			tab->open[tab->n_open++] = path;
		}
		if (i == tab->cursor) {
			tab->cursor_path = path;
			tab->has_path = true;
		}
	}
	if (tab->n_open)
		qsort(tab->open, tab->n_open, sizeof(*tab->open), by_value);
	free(paths.hash);
}

bool pane_kept_is_open(const struct pane_tab *tab, uint64_t path)
{
	return tab->n_open && bsearch(&path, tab->open, tab->n_open, sizeof path, by_value);
}

/* ---- from app to app ---- */

void pane_kept_get(const struct pane_tab *tab, struct pane_kept *kept)
{
	struct pane_tab copy = { .rows = tab->rows, .cursor = tab->cursor, .is_kept = true };

	*kept = (struct pane_kept){ .top = tab->top };
	if (tab->is_kept && !tab->has_rows) {
		kept->open = xmalloc((tab->n_open + 1) * sizeof *kept->open);
		memcpy(kept->open, tab->open, tab->n_open * sizeof *kept->open);
		kept->n_open = tab->n_open;
		kept->cursor_path = tab->cursor_path;
		kept->has_path = tab->has_path;
	}
	if (!tab->has_rows || tab->is_stale || tab->is_restoring || !tab->rows.n)
		return;
	if (!pane_has_choice(tab)) {
		kept->top = 0;
		return;
	}
	pane_kept_remember(&copy);
	kept->open = copy.open;
	kept->n_open = copy.n_open;
	kept->cursor_path = copy.cursor_path;
	kept->has_path = copy.has_path;
}

void pane_kept_done(struct pane_kept *kept)
{
	free(kept->open);
	*kept = (struct pane_kept){ 0 };
}

void pane_kept_set(struct pane_tab *tab, const struct pane_kept *kept)
{
	if (!kept->has_path || tab->has_rows)
		return;
	tab->is_kept = true;
	tab->open = xgrow(tab->open, &tab->cap_open, kept->n_open + 1, sizeof *tab->open);
	if (kept->n_open)
		memcpy(tab->open, kept->open, kept->n_open * sizeof *tab->open);
	tab->n_open = kept->n_open;
	tab->cursor_path = kept->cursor_path;
	tab->has_path = true;
	tab->top = tab->kept_top = kept->top;
}
