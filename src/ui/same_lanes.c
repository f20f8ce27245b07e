/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lanes mostly come in the same order, so each search begins where the one before ended. */
#include "config.h"

#include "ui/same_lanes.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

struct same_lane same_lanes_of(const struct profile *profile, const struct lane *lane)
{
	const char *title = profile_text(profile, lane->title);
	const uint64_t name[] = { (uint64_t)lane->kind, lane->is_joined,
				  hash_bytes(title, strlen(title)) };
	const uint64_t id[] = { hash_bytes(name, sizeof name), (uint64_t)lane->pid,
				(uint64_t)lane->tid };

	return (struct same_lane){ .id = hash_bytes(id, sizeof id), .name = id[0] };
}

/* by_name: lanes of `before` that are taken are left out. */
static int find(const struct same_lane *before, int n, const struct same_lane *lane, int near,
		const bool *is_taken, bool by_name)
{
	for (int k = 0; k < n; k++) {
		int at = (near + k) % n;

		if (by_name ? !is_taken[at] && before[at].name == lane->name
			    : before[at].id == lane->id)
			return at;
	}
	return -1;
}

void same_lanes_find(const struct same_lane *before, int n_before, const struct same_lane *now,
		     int n, int *found)
{
	bool *is_taken = xcalloc((size_t)n_before + 1, sizeof *is_taken);
	int near = 0;

	for (int i = 0; i < n; i++) {
		found[i] = find(before, n_before, &now[i], near, is_taken, false);
		if (found[i] < 0)
			continue;
		is_taken[found[i]] = true;
		near = found[i] + 1;
	}
	near = 0;
	for (int i = 0; i < n; i++) {
		if (found[i] >= 0)
			continue;
		found[i] = find(before, n_before, &now[i], near, is_taken, true);
		if (found[i] < 0)
			continue;
		is_taken[found[i]] = true;
		near = found[i] + 1;
	}
	free(is_taken);
}
