/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "build/track_raw.h"

#include "base/alloc.h"

#include <stdlib.h>

void track_raw_done(struct tracks *tracks)
{
	for (uint32_t i = 0; i < tracks->n; i++) {
		free(tracks->tracks[i].slices);
		free(tracks->tracks[i].more);
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

void track_raw_grow(struct raw_track *t)
{
	t->slices = xgrow(t->slices, &t->cap, t->n + 1, sizeof *t->slices);
}

void track_raw_add_more(struct raw_track *t, int64_t end_offset, uint32_t group)
{
	t->more = xgrow(t->more, &t->cap_more, t->n_more + 1, sizeof *t->more);
	t->more[t->n_more++] = (struct raw_more){ end_offset, group };
	t->slices[t->n - 1].more = (uint32_t)t->n_more;
}
