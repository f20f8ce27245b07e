/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Only the sort takes long: it is done in steps. Between two of them, memory may become short. */
#include "config.h"

#include "analyse/rows/rows_first.h"

#include "analyse/rows/rows_sort.h"
#include "base/alloc.h"
#include "base/reserve.h"

#include <stdlib.h>

bool rows_first_has_room(struct rows *rows, size_t bytes)
{
	rows->is_lacking |= !reserve_has_room(bytes);
	return !rows->is_lacking;
}

/* The keys of the functions, with room for as many again. */
static struct rows_key *function_keys(const struct rows *rows)
{
	const struct totals *totals = rows->totals;
	struct rows_key *keys = xmalloc(2 * (size_t)totals->n_used * sizeof *keys);

	for (uint32_t i = 0; i < totals->n_used; i++) {
		frame_id f = totals->used[i];
		int64_t here = totals->frame_self[f], all, ns[SIDES];

		keys[i] = rows_sort_key(rows->sort, f, totals->frame_self[f],
					totals->frame_total[f], i);
		if (rows->change.after) {
			rows_change_sides_of_function(&rows->change, f, rows->change.is_of_total,
						      ns);
			rows_change_sides_key(&rows->change, rows->sort, ns, &keys[i].first);
		} else if (rows->sort == ROWS_BY_CHANGE && !rows->change.is_of_calls &&
			   rows_change_of_function(&rows->change, f, &here, &all)) {
			keys[i].first = rows_change_key(&rows->change, here, all);
		}
	}
	return keys;
}

/* The first level of a bottom-up tree comes straight from the totals. The nodes of a function are
 * looked up when its row is opened. */
bool rows_first_functions(struct rows *rows, struct budget *budget)
{
	const struct totals *totals = rows->totals;
	struct rows_making *m = &rows->making;
	size_t n = totals->n_used;

	if (n == 0)
		return true;
	if (!m->keys && !rows_first_has_room(rows, n * (3 * sizeof *m->keys + sizeof *rows->rows)))
		return true;
	if (!m->keys)
		m->keys = function_keys(rows);
	if (!rows_sort_step(&m->sorting, totals->view, m->keys, n, budget))
		return false;
	if (!rows_first_has_room(rows, n * sizeof *rows->rows))
		return true;
	rows->rows = xgrow(rows->rows, &rows->cap, n, sizeof *rows->rows);
	for (size_t i = 0; i < n; i++) {
		frame_id f = m->keys[rows->is_reversed ? n - 1 - i : i].frame;

		rows->rows[i] = (struct row){ .frame = f,
					      .self = totals->frame_self[f],
					      .total = totals->frame_total[f],
					      .can_open = totals->is_called[f] };
	}
	rows->n = n;
	free(m->keys);
	m->keys = NULL;
	return true;
}
