/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "build/track_names.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>

void track_names_done(struct track_names *names)
{
	free(names->list);
	hash_table_done(&names->index);
	*names = (struct track_names){ 0 };
}

static uint64_t hash_of(int64_t pid, int64_t tid)
{
	return hash_u64(hash_u64((uint64_t)pid) ^ (uint64_t)tid);
}

static struct track_name *find(const struct track_names *names, int64_t pid, int64_t tid)
{
	struct hash_probe probe = hash_probe(hash_of(pid, tid));

	while (hash_table_next(&names->index, &probe))
		if (names->list[probe.index].pid == pid && names->list[probe.index].tid == tid)
			return &names->list[probe.index];
	return NULL;
}

const struct track_name *track_names_find(const struct track_names *names, int64_t pid, int64_t tid)
{
	return find(names, pid, tid);
}

const struct track_name *track_names_use(struct track_names *names, int64_t pid, int64_t tid)
{
	struct track_name *name = find(names, pid, tid);

	if (name)
		name->has_lane = true;
	return name;
}

struct track_name *track_names_get(struct track_names *names, int64_t pid, int64_t tid)
{
	struct track_name *name = find(names, pid, tid);

	if (name)
		return name;
	names->list = xgrow(names->list, &names->cap, names->n + 1, sizeof *names->list);
	names->list[names->n] = (struct track_name){ .pid = pid, .tid = tid, .rank = 2 };
	hash_table_add(&names->index, hash_of(pid, tid), (uint32_t)names->n);
	return &names->list[names->n++];
}
