/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/build/track_names.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>

void track_names_done(struct track_names *names)
{
	free(names->list);
	hash_table_done(&names->index);
	*names = (struct track_names){ 0 };
}

static uint64_t hash_of(uint32_t of, int64_t pid, int64_t tid)
{
	return hash_u64(hash_u64((uint64_t)pid ^ (uint64_t)of << 32) ^ (uint64_t)tid);
}

static struct track_name *find(const struct track_names *names, uint32_t of, int64_t pid,
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

const struct track_name *track_names_find(const struct track_names *names, uint32_t of, int64_t pid,
					  int64_t tid)
{
	return find(names, of, pid, tid);
}

const struct track_name *track_names_use(struct track_names *names, uint32_t of, int64_t pid,
					 int64_t tid)
{
	struct track_name *name = find(names, of, pid, tid);

	if (name)
		name->has_lane = true;
	return name;
}

struct track_name *track_names_get(struct track_names *names, uint32_t of, int64_t pid, int64_t tid)
{
	struct track_name *name = find(names, of, pid, tid);

	if (name)
		return name;
	names->list = xgrow(names->list, &names->cap, names->n + 1, sizeof *names->list);
	names->list[names->n] = (struct track_name){ .pid = pid, .tid = tid, .of = of, .rank = 2 };
	hash_table_add(&names->index, hash_of(of, pid, tid), (uint32_t)names->n);
	return &names->list[names->n++];
}

void track_names_group(struct track_names *names, const uint32_t *group)
{
	struct track_names joined = { 0 };

	for (size_t i = 0; i < names->n; i++) {
		const struct track_name *from = &names->list[i];
		struct track_name *to = track_names_get(&joined, group[from->of], from->pid,
							from->tid);

		to->name = from->name ? from->name : to->name;
		to->title = from->page ? from->title : to->title;
		to->page = from->page ? from->page : to->page;
		to->sort = from->has_sort ? from->sort : to->sort;
		to->rank = from->has_sort ? from->rank : to->rank;
	}
	track_names_done(names);
	*names = joined;
}
