/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of lanes (formats(5), LANES): first what is of the whole trace; then processes, by sort
 * index, name and start. Within a process its threads, main thread first, then the lanes that
 * belong to the process alone. Within a thread its slices, its marks, its samples. */
#include "config.h"

#include "model/build/lane_order.h"

#include "base/alloc.h"
#include "model/build/builder_state.h"

#include <stdlib.h>
#include <string.h>

/* A lane and its sort keys. */
struct place {
	const struct lane *lane;
	const char *process_name, *thread_name;
	int64_t process_sort, process_start, thread_sort;
	uint32_t at; /* index before sorting */
	int rank;
	bool is_whole; /* belongs to the whole trace */
};

static int compare_text(const char *a, const char *b)
{
	/* A name comes before no name. */
	if (!*a != !*b)
		return *a ? -1 : 1;
	return strcmp(a, b);
}

static int compare(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int kind_rank(const struct lane *lane)
{
	static const int rank[] = { [LANE_SLICES] = 0, [LANE_MARKS] = 1,   [LANE_SAMPLES] = 2,
				    [LANE_ASYNC] = 4,  [LANE_OBJECTS] = 5, [LANE_COUNTER] = 6 };

	return rank[lane->kind] + (lane->kind == LANE_SAMPLES && lane->is_folded);
}

/* Marks of a process come first, so that their lines have their names at the top; its other tracks
 * come after its threads. Ranges of the whole trace come before its marks. */
static int process_rank(const struct lane *lane)
{
	if (lane->tid != LANE_NO_ID)
		return 1;
	if (lane->pid == LANE_NO_ID && lane->kind == LANE_ASYNC)
		return -1;
	return lane->is_across ? 0 : 2;
}

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int c = y->is_whole - x->is_whole;

	if (!c)
		c = compare(x->process_sort, y->process_sort);
	if (!c)
		c = compare_text(x->process_name, y->process_name);
	if (!c)
		c = compare(x->process_start, y->process_start);
	if (!c)
		c = compare(x->lane->pid, y->lane->pid);
	if (!c)
		c = compare(x->lane->group, y->lane->group);
	/* Lanes of a file that names no process stay together. */
	if (!c && x->lane->pid == LANE_NO_ID)
		c = compare(x->lane->input, y->lane->input);
	if (!c)
		c = process_rank(x->lane) - process_rank(y->lane);
	if (!c)
		c = compare(x->thread_sort, y->thread_sort);
	if (!c)
		c = x->rank - y->rank;
	if (!c)
		c = compare_text(x->thread_name, y->thread_name);
	if (!c)
		c = compare(x->lane->tid, y->lane->tid);
	if (!c)
		c = kind_rank(x->lane) - kind_rank(y->lane);
	return c ? c : compare(x->at, y->at);
}

/* The order in which the first lane of a process is the one that starts first. */
static int by_pid(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int c = compare(x->lane->pid, y->lane->pid);

	if (!c)
		c = compare(x->lane->group, y->lane->group);
	if (!c && x->lane->pid == LANE_NO_ID)
		c = compare(x->lane->input, y->lane->input);
	if (!c)
		c = compare(x->lane->t0, y->lane->t0);
	return c ? c : compare(x->at, y->at);
}

static void find_starts(struct place *places, uint32_t n)
{
	qsort(places, n, sizeof *places, by_pid);
	for (uint32_t i = 0; i < n; i++) {
		const struct lane *lane = places[i].lane, *before = i ? places[i - 1].lane : NULL;
		bool is_same = before && lane_is_of_process(before, lane) &&
			(lane->pid != LANE_NO_ID || before->input == lane->input);

		places[i].process_start = is_same ? places[i - 1].process_start : lane->t0;
	}
}

/* Mark the processes whose id another machine has, too. by_pid() is the order. */
static void find_twins(struct profile *p, const struct place *places, uint32_t n)
{
	for (uint32_t i = 0, end; i < n; i = end) {
		const struct lane *first = places[i].lane;

		for (end = i + 1; end < n && places[end].lane->pid == first->pid;)
			end++;
		for (uint32_t k = i; k < end && first->pid != LANE_NO_ID &&
		     places[end - 1].lane->group != first->group;
		     k++)
			p->lanes[places[k].at].is_twin = true;
	}
}

static int main_first(int64_t tid, int rank)
{
	return tid == 0 ? 0 : rank;
}

/* Names are those that files of one group state. A file that was dropped behind the last one is of
 * the first group. */
static void group_names(struct builder *b)
{
	const struct profile *p = b->profile;
	uint32_t *group = xcalloc((size_t)p->n_inputs + 1, sizeof *group);

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (b->sources[i].clock == 0)
			group[p->lanes[i].input] = p->lanes[i].group;
	track_names_group(&b->tracks.names, group);
	free(group);
}

void lane_order(struct builder *b)
{
	struct profile *p = b->profile;
	struct place *places = xcalloc(p->n_lanes, sizeof *places);
	struct lane *sorted = xmalloc((size_t)p->n_lanes * sizeof *sorted);
	struct lane_source *sources = xmalloc((size_t)p->n_lanes * sizeof *sources);

	group_names(b);
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		struct lane *lane = &p->lanes[i];
		const struct track_name *process = track_names_use(&b->tracks.names, lane->group,
								   lane->pid, LANE_NO_ID);
		const struct track_name *thread = lane->tid != LANE_NO_ID
			? track_names_use(&b->tracks.names, lane->group, lane->pid, lane->tid)
			: NULL;

		if (process && process->name)
			lane->process_name = process->name;
		/* A file may name its own thread. */
		if (thread && thread->name && !lane->thread_name)
			lane->thread_name = thread->name;
		if (thread && thread->page) {
			lane->thread_title = thread->title;
			lane->page = thread->page;
		}
		places[i] = (struct place){
			.lane = lane,
			.at = i,
			/* Processes of a tree are in the order in which they began. */
			.process_name = !lane->has_parent ? profile_text(p, lane->process_name)
							  : "",
			.thread_name = profile_text(p, lane->thread_name),
			.process_sort = process ? process->sort : 0,
			.thread_sort = thread ? thread->sort : 0,
			.rank = main_first(lane->tid, thread ? thread->rank : 2),
			.is_whole = lane->pid == LANE_NO_ID && lane->tid == LANE_NO_ID &&
				lane->kind != LANE_SAMPLES,
		};
	}
	find_starts(places, p->n_lanes);
	find_twins(p, places, p->n_lanes);
	qsort(places, p->n_lanes, sizeof *places, by_place);
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		struct lane *lane = &sorted[i];

		*lane = *places[i].lane;
		sources[i] = b->sources[places[i].at];
		lane->id = i + 1;
		/* Marks continue the slices of their thread with one more row. */
		if (i && lane->kind == LANE_MARKS && !lane->title && lane->tid != LANE_NO_ID &&
		    sorted[i - 1].kind == LANE_SLICES && lane_is_of_process(&sorted[i - 1], lane) &&
		    sorted[i - 1].tid == lane->tid)
			lane->is_joined = true;
	}
	free(p->lanes);
	free(b->sources);
	p->lanes = sorted;
	b->sources = sources;
	b->cap_lanes = p->n_lanes;
	free(places);
}
