/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers stay what they are, with these exceptions:
 * 1. A lane without a process gets one, the same for all lanes of one file.
 * 2. Thread 0, Node's name for the main thread, becomes the one with the number of its process, as
 *    the system has it; 0 is the idle thread of a machine to other programs.
 * 3. A thread holds one lane of slices and their joined rows; another lane of spans gets a thread
 *    of its own, or its spans would lie across those. Counters and marks stand with any. */
#include "config.h"

#include "export/places.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>

/* Numbers that are in use, as a set with open addressing. */
struct used {
	struct {
		int64_t pid, tid;
		bool is_used;
	} * at;
	size_t n_at, n;
};

static bool add(struct used *u, int64_t pid, int64_t tid)
{
	size_t at = hash_u64((uint64_t)pid * 31 + hash_u64((uint64_t)tid)) & (u->n_at - 1);

	for (; u->at[at].is_used; at = (at + 1) & (u->n_at - 1))
		if (u->at[at].pid == pid && u->at[at].tid == tid)
			return false;
	u->at[at].pid = pid;
	u->at[at].tid = tid;
	u->at[at].is_used = true;
	u->n++;
	return true;
}

static bool has_spans(const struct lane *lane)
{
	return lane->kind == LANE_SAMPLES || lane->kind == LANE_SLICES;
}

/* Rule 2; before threads are made up, so that these do not take the number. */
static void take_known(const struct profile *p, struct place *places, struct used *u)
{
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		int64_t tid = lane->tid == 0 && lane->pid > 0 ? lane->pid : lane->tid;

		places[i] = (struct place){ lane->pid, tid, false };
	}
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].pid >= 0)
			add(u, p->lanes[i].pid, -1);
}

/* Rule 1. */
static void make_processes(const struct profile *p, struct place *places, struct used *u)
{
	int64_t *of_input = xcalloc(p->n_inputs ? p->n_inputs : 1, sizeof *of_input), next = 1;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		int64_t *pid = &of_input[p->lanes[i].input];

		if (places[i].pid >= 0)
			continue;
		while (*pid == 0)
			if (add(u, next++, -1))
				*pid = next - 1;
		places[i].pid = *pid;
		if (places[i].tid < 0)
			places[i].tid = *pid;
	}
	free(of_input);
}

/* Rule 3. */
static void part_lanes(const struct profile *p, struct place *places, struct used *u, bool is_split)
{
	/* Threads with slices come first, so that it is the samples that move. */
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < p->n_lanes; i++) {
			const struct lane *lane = &p->lanes[i];

			if (!has_spans(lane) || (lane->kind == LANE_SLICES) != (pass == 0))
				continue;
			if (lane->is_joined && i) {
				places[i].tid = places[i - 1].tid;
				continue;
			}
			if (pass == 1 && !is_split)
				continue;
			if (places[i].tid < 0)
				places[i].tid = places[i].pid;
			while (!add(u, places[i].pid, places[i].tid)) {
				/* Far from what systems give to threads. */
				places[i].tid = places[i].is_new ? places[i].tid + 1
								 : INT64_C(1000000000);
				places[i].is_new = true;
			}
		}
	}
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (places[i].tid < 0)
			places[i].tid = places[i].pid;
}

struct place *places_of(const struct profile *p, bool is_split)
{
	struct place *places = xcalloc(p->n_lanes ? p->n_lanes : 1, sizeof *places);
	struct used u = { .n_at = 64 };

	while (u.n_at < (size_t)p->n_lanes * 4)
		u.n_at *= 2;
	u.at = xcalloc(u.n_at, sizeof *u.at);
	take_known(p, places, &u);
	make_processes(p, places, &u);
	part_lanes(p, places, &u, is_split);
	free(u.at);
	return places;
}
