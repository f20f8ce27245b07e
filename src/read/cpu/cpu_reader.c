/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creates and frees the state that the files of the reader share, and reads what CPU and heap
 * profiles both have. */
#include "config.h"

#include "read/cpu/cpu_reader.h"

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

static struct str text_of(const struct json_value *v, const char *name)
{
	struct str text;

	json_tree_text(v, name, &text.p, &text.len);
	return text;
}

bool cpu_reader_identity(struct cpu_reader *r)
{
	const struct json_value *v;
	const char *why;
	int64_t parent;
	struct str raw;
	size_t bad_at;

	if (scan_peek(r->s) != '{')
		return scan_skip(r->s);
	if (!scan_raw(r->s, CPU_VALUE_MAX, &raw))
		return false;
	v = json_tree_parse(r->tree, raw, &bad_at, &why);
	if (!json_tree_integer(v, "parent", &parent))
		parent = LANE_NO_ID;
	cpu_builder_identity(r->b, text_of(v, "process"), text_of(v, "thread"), parent);
	return true;
}
