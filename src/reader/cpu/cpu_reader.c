/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creates and frees the state that the files of the reader share. */
#include "config.h"

#include "reader/cpu/cpu_reader.h"

#include <stdlib.h>

void cpu_reader_init(struct cpu_reader *r)
{
	r->tree = xcalloc(1, sizeof *r->tree);
}

void cpu_reader_done(struct cpu_reader *r)
{
	if (r->tree)
		json_tree_done(r->tree);
	free(r->tree);
	cpu_frames_done(r);
	buf_done(&r->bare);
	buf_done(&r->deopt);
	free(r->children);
	free(r->ticks);
	free(r->line_slots);
	free(r->lines.all);
	free(r->columns.all);
	free(r->sizes);
}
