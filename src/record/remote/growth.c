/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "record/remote/growth.h"

#include "base/units.h"

void growth_begin(struct growth *g, const char *proc, const struct process *process,
		  bool is_by_minute, int64_t now_ns)
{
	*g = (struct growth){ .proc = proc,
			      .pid = process->pid,
			      .is_by_minute = is_by_minute,
			      .resident_kb = process->resident_kb,
			      .resident_ns = now_ns,
			      .looked_ns = now_ns };
}

int64_t growth_look(struct growth *g, int64_t now_ns)
{
	struct process now = { 0 };
	struct error err = ERROR_INIT;
	int64_t gained_kb = 0;

	if (g->pid == 0 || now_ns - g->looked_ns < GROWTH_LOOK_MS * NS_PER_MS)
		return 0;
	g->looked_ns = now_ns;
	if (process_read(g->proc, g->pid, &now, &err)) {
		gained_kb = now.resident_kb - g->resident_kb;
		if (gained_kb <= GROWTH_MOST_KB && g->is_by_minute &&
		    now_ns - g->resident_ns > GROWTH_WITHIN_MS * NS_PER_MS) {
			g->resident_kb = now.resident_kb;
			g->resident_ns = now_ns;
		}
	}
	process_done(&now);
	return gained_kb > GROWTH_MOST_KB ? gained_kb : 0;
}
