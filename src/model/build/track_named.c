/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process is listed by itself only if none of its threads is listed and it has no lane at all:
 * otherwise its name stands with its threads. */
#include "config.h"

#include "model/build/track_named.h"

#include "base/alloc.h"
#include "model/build/builder_state.h"

#include <stdlib.h>

static int by_thread(const void *a, const void *b)
{
	const struct profile_named *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static bool has_named_thread(const struct profile *p, size_t at)
{
	return at + 1 < p->n_named && p->named[at + 1].pid == p->named[at].pid;
}

void track_named_build(struct builder *b)
{
	struct profile *p = b->profile;
	size_t cap = 0;
	uint32_t n = 0;

	/* Of a part of the file it is not known which threads have no events. */
	if (builder_is_partial(b))
		return;
	for (size_t i = 0; i < b->tracks.names.n; i++) {
		const struct track_name *name = &b->tracks.names.list[i];
		const struct track_name *process = track_names_find(&b->tracks.names, name->of,
								    name->pid, LANE_NO_ID);

		if (name->has_lane || !name->name)
			continue;
		p->named = xgrow(p->named, &cap, (size_t)p->n_named + 1, sizeof *p->named);
		p->named[p->n_named++] = (struct profile_named){
			.pid = name->pid,
			.tid = name->tid,
			.process_name = process ? process->name : 0,
			.thread_name = name->tid != LANE_NO_ID ? name->name : 0,
			.thread_title = name->title,
		};
	}
	if (p->n_named)
		qsort(p->named, p->n_named, sizeof *p->named, by_thread);
	/* The entry of a process (tid LANE_NO_ID) comes before those of its threads. */
	for (uint32_t i = 0; i < p->n_named; i++)
		if (p->named[i].tid != LANE_NO_ID || !has_named_thread(p, i))
			p->named[n++] = p->named[i];
	p->n_named = n;
}
