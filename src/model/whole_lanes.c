/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/whole_lanes.h"

#include <stdlib.h>

void whole_lanes_restore(struct profile *p)
{
	struct whole_lanes *whole = p->whole;

	if (!whole || p->is_borrower)
		return;
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].is_part)
			lane_done(&p->lanes[i]);
	free(p->lanes);
	free(p->flows);
	free(p->flows_by_lane);
	p->lanes = whole->lanes;
	p->n_lanes = whole->n_lanes;
	p->flows = whole->flows;
	p->flows_by_lane = whole->flows_by_lane;
	p->n_flows = whole->n_flows;
	p->whole = NULL;
	p->has_cat_lanes = false;
	p->label_lanes = (struct label_lanes_of){ 0 };
	free(whole);
}
