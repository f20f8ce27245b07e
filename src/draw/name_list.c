/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile.named is in the order of processes, so the row of a process is drawn before the first
 * entry with its id. An entry of a process itself (tid -1) is that row. */
#include "config.h"

#include "draw/name_list.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

#define INDENT 2

static bool begins_process(const struct profile *profile, uint32_t i)
{
	return i == 0 || profile->named[i - 1].pid != profile->named[i].pid;
}

/* The number of rows for entry `i`. */
static int rows_of(const struct profile *profile, uint32_t i)
{
	return begins_process(profile, i) + (profile->named[i].tid != LANE_NO_ID);
}

int name_list_rows(const struct profile *profile)
{
	int rows = 0;

	for (uint32_t i = 0; i < profile->n_named && rows < INT32_MAX - 2; i++)
		rows += rows_of(profile, i);
	return rows;
}

/* `name (pid 7)`; nothing in front of the number if there is no name. */
static void put(struct grid *g, struct rect r, int indent, const char *name, const char *what,
		int64_t id)
{
	struct buf text = { 0 }, fit = { 0 };

	text_visible(&text, name, strlen(name));
	buf_addf(&text, *name ? " (%s %" PRId64 ")" : "%s %" PRId64, what, id);
	text_fit(&fit, buf_text(&text), text.len, r.cols - indent);
	grid_put(g, r.row, r.col + indent, r.cols - indent, buf_text(&fit), fit.len,
		 indent > 1 ? ROLE_PLAIN : ROLE_TITLE);
	buf_done(&text);
	buf_done(&fit);
}

void name_list_draw(struct grid *g, struct rect r, const struct chart *chart)
{
	const struct profile *p = chart->profile;
	int64_t at = -(int64_t)chart->view->scroll;

	for (uint32_t i = 0; i < p->n_named && at < r.rows; i++) {
		const struct profile_named *named = &p->named[i];
		struct rect row = { r.row + (int)at, r.col, 1, r.cols };

		if (begins_process(p, i)) {
			if (at >= 0 && r.cols > INDENT) {
				grid_fill(g, row.row, row.col, row.cols, ROLE_TITLE);
				put(g, row, 1, profile_text(p, named->process_name), "pid",
				    named->pid);
			}
			row.row++;
			at++;
		}
		if (named->tid == LANE_NO_ID)
			continue;
		if (at >= 0 && at < r.rows && r.cols > 2 * INDENT)
			put(g, row, 1 + INDENT,
			    profile_text(p,
					 named->thread_title ? named->thread_title
							     : named->thread_name),
			    "tid", named->tid);
		at++;
	}
}
