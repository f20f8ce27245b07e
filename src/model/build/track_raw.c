/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/build/track_raw.h"

#include "base/alloc.h"

#include <stdlib.h>

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
	track_names_done(&tracks->names);
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
	t->is_in_room = t->room && t->n <= SLICE_ROOM_MOST;
	t->slices = t->is_in_room ? slice_room_slices(t->room, t->n)
				  : xmalloc(t->n * sizeof *t->slices);
	if (t->n_more)
		t->more = t->is_in_room ? slice_room_more(t->room, t->n_more)
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
