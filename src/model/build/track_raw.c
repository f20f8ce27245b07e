/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/build/track_raw.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"
#include "model/build/slice_pack.h"
#include "model/build/slice_samples.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* ==== thread names ====
 *
 * Names and sort order of processes and threads, as a trace states them. */

static void thread_names_done(struct thread_names *names)
{
	free(names->list);
	hash_table_done(&names->index);
	*names = (struct thread_names){ 0 };
}

static uint64_t hash_of(uint32_t of, int64_t pid, int64_t tid)
{
	return hash_u64(hash_u64((uint64_t)pid ^ (uint64_t)of << 32) ^ (uint64_t)tid);
}

static struct track_name *find(const struct thread_names *names, uint32_t of, int64_t pid,
			       int64_t tid)
{
	struct hash_probe probe = hash_probe(hash_of(of, pid, tid));

	while (hash_table_next(&names->index, &probe)) {
		struct track_name *name = &names->list[probe.index];

		if (name->pid == pid && name->tid == tid && name->of == of)
			return name;
	}
	return NULL;
}

const struct track_name *thread_names_find(const struct thread_names *names, uint32_t of,
					   int64_t pid, int64_t tid)
{
	return find(names, of, pid, tid);
}

const struct track_name *thread_names_use(struct thread_names *names, uint32_t of, int64_t pid,
					  int64_t tid)
{
	struct track_name *name = find(names, of, pid, tid);

	if (name)
		name->has_lane = true;
	return name;
}

struct track_name *thread_names_get(struct thread_names *names, uint32_t of, int64_t pid,
				    int64_t tid)
{
	struct track_name *name = find(names, of, pid, tid);

	if (name)
		return name;
	names->list = xgrow(names->list, &names->cap, names->n + 1, sizeof *names->list);
	names->list[names->n] = (struct track_name){ .pid = pid, .tid = tid, .of = of, .rank = 2 };
	hash_table_add(&names->index, hash_of(of, pid, tid), (uint32_t)names->n);
	return &names->list[names->n++];
}

void thread_names_group(struct thread_names *names, const uint32_t *group)
{
	struct thread_names joined = { 0 };

	for (size_t i = 0; i < names->n; i++) {
		const struct track_name *from = &names->list[i];
		struct track_name *to = thread_names_get(&joined, group[from->of], from->pid,
							 from->tid);

		to->name = from->name ? from->name : to->name;
		to->title = from->page ? from->title : to->title;
		to->page = from->page ? from->page : to->page;
		to->sort = from->has_sort ? from->sort : to->sort;
		to->rank = from->has_sort ? from->rank : to->rank;
	}
	thread_names_done(names);
	*names = joined;
}

/* ==== track raw ==== */

void track_raw_done(struct tracks *tracks)
{
	for (uint32_t i = 0; i < tracks->n; i++) {
		track_raw_free_slices(&tracks->tracks[i]);
		free(tracks->tracks[i].covers);
	}
	for (uint32_t i = 0; i < tracks->n_counters; i++) {
		for (uint32_t k = 0; k < tracks->counters[i].n_series; k++) {
			free(tracks->counters[i].series[k].t);
			free(tracks->counters[i].series[k].value);
		}
		free(tracks->counters[i].series);
	}
	free(tracks->variants.list);
	hash_table_done(&tracks->event_cats);
	free(tracks->tracks);
	free(tracks->counters);
	free(tracks->flows);
	free(tracks->left_flows);
	thread_names_done(&tracks->names);
	*tracks = (struct tracks){ 0 };
}

void track_raw_add(struct raw_track *t, const struct raw_slice *slice, int64_t end_offset,
		   uint32_t group)
{
	bool has_more = end_offset >= 0 || lane_kind_has_groups(t->kind) || t->has_layers ||
		t->is_placed;

	slice_pack_add(&t->pack, slice, has_more, (struct raw_more){ end_offset, group });
	t->n++;
	t->n_more += has_more;
}

void track_raw_unpack(struct raw_track *t)
{
	if (t->slices || t->n == 0)
		return;
	t->is_in_room = t->room && t->n <= SLICE_ARENA_MAX;
	t->slices = t->is_in_room ? slice_arena_slices(t->room, t->n)
				  : xmalloc(t->n * sizeof *t->slices);
	if (t->n_more)
		t->more = t->is_in_room ? slice_arena_more(t->room, t->n_more)
					: xmalloc(t->n_more * sizeof *t->more);
	slice_pack_take(&t->pack, t->slices, t->more);
}

void track_raw_free_slices(struct raw_track *t)
{
	slice_pack_done(&t->pack);
	if (!t->is_in_room) {
		free(t->slices);
		free(t->more);
	}
	t->slices = NULL;
	t->more = NULL;
}
