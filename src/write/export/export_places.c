/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lanes keep their numbers, with these exceptions:
 * 1. A lane without a process gets one, the same for all lanes of one file.
 * 2. Thread 0, as Node.js numbers the main thread, gets the number of its process, as the operating
 *    system does; other programs take 0 for the idle thread of the machine.
 * 3. A thread has one lane of slices and the lanes joined to it. Another lane of spans gets a
 *    thread of its own, because its spans would overlap. Counters and marks need no thread of their
 *    own. Rows that the reader chose do not follow from times, so that each such lane has a thread,
 *    and events say which slices another thread takes self time from (add_covered()).
 * 4. Samples that are written as samples share the thread of slices, but a thread has one lane of
 *    them: DevTools keeps only the last profile of a thread. */
#include "config.h"

#include "write/export/export_places.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <assert.h>
#include <stdlib.h>

/* The set of numbers that are in use. */
struct used {
	struct thread_number {
		int64_t pid, tid;
	} * list;
	size_t n, cap;
	struct hash_table index;
};

static bool add(struct used *u, int64_t pid, int64_t tid)
{
	uint64_t hash = hash_u64((uint64_t)pid * 31 + hash_u64((uint64_t)tid));
	struct hash_probe probe = hash_probe(hash);

	assert(u->list || u->n == 0);
	while (u->n && hash_table_next(&u->index, &probe))
		if (u->list[probe.index].pid == pid && u->list[probe.index].tid == tid)
			return false;
	u->list = xgrow(u->list, &u->cap, u->n + 1, sizeof *u->list);
	u->list[u->n] = (struct thread_number){ pid, tid };
	hash_table_add(&u->index, hash, (uint32_t)u->n++);
	return true;
}

/* Rule 1. */
static void make_processes(const struct profile *p, struct lane_ids *places, struct used *u)
{
	int64_t *of_input = xcalloc(p->n_inputs ? p->n_inputs : 1, sizeof *of_input), next = 1;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		int64_t *pid = &of_input[p->lanes[i].input];

		if (places[i].pid != LANE_NO_ID)
			continue;
		while (*pid == 0)
			if (add(u, next++, LANE_NO_ID))
				*pid = next - 1;
		places[i].pid = *pid;
		if (places[i].tid == LANE_NO_ID)
			places[i].tid = *pid;
	}
	free(of_input);
}

/* Rules 3 and 4. */
static void part_lanes(const struct profile *p, struct lane_ids *places, struct used *u,
		       bool is_split)
{
	struct used samples = { 0 };

	/* Threads with slices come first: their samples get the new number. */
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < p->n_lanes; i++) {
			const struct lane *lane = &p->lanes[i];

			if (!export_places_has_spans(lane) ||
			    (lane->kind == LANE_SLICES) != (pass == 0))
				continue;
			if (lane->is_joined && !lane->is_placed && i) {
				places[i].tid = places[i - 1].tid;
				continue;
			}
			if (places[i].tid == LANE_NO_ID)
				places[i].tid = places[i].pid;
			/* A number for a lane whose thread has such a lane: no operating system
			 * gives threads numbers from a thousand million. A lane that has no thread
			 * gets the next free number. */
			while (!add(pass == 1 && !is_split ? &samples : u, places[i].pid,
				    places[i].tid)) {
				if (!places[i].is_new && lane->tid != LANE_NO_ID)
					places[i].tid = INT64_C(1000000000);
				else
					places[i].tid = places[i].tid == INT64_MAX
						? 1
						: places[i].tid + 1;
				places[i].is_new = true;
			}
		}
	}
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (places[i].tid == LANE_NO_ID)
			places[i].tid = places[i].pid;
	free(samples.list);
	hash_table_done(&samples.index);
}

struct lane_ids *export_places_of(const struct profile *p, bool is_split)
{
	struct lane_ids *places = xcalloc(p->n_lanes ? p->n_lanes : 1, sizeof *places);
	struct used u = { 0 };

	/* Rule 2. It comes before numbers are invented, so that those are different. */
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		int64_t tid = lane->tid == 0 && lane->pid > 0 ? lane->pid : lane->tid;

		places[i] = (struct lane_ids){ lane->pid, tid, false };
	}
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].pid != LANE_NO_ID)
			add(&u, p->lanes[i].pid, LANE_NO_ID);
	make_processes(p, places, &u);
	part_lanes(p, places, &u, is_split);
	free(u.list);
	hash_table_done(&u.index);
	return places;
}
