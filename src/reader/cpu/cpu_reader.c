/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creates and frees the state that the files of the reader share. */
#include "config.h"

#include "reader/cpu/cpu_reader.h"

#include <stdlib.h>

void cpu_reader_init(struct cpu_reader *r)
{
	r->tok = json_tokener_new_ex(JSON_TEXT_DEPTH);
}

void cpu_reader_done(struct cpu_reader *r)
{
	if (r->tok)
		json_tokener_free(r->tok);
	cpu_frames_done(r);
	buf_done(&r->bare);
	buf_done(&r->deopt);
	free(r->children);
	free(r->ticks);
}
