/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Passes keep the node of a draft that a node of a lane is placed on as a caller. Several nodes of
 * a lane may be placed on one: that from which it was made, and nodes below it which a pass has
 * joined with it. As a lane has parents first, the first one is that from which it was made. */
#include "config.h"

#include "analyse/view/view_cats.h"

#include "base/alloc.h"

#include <stdlib.h>

static void add_source(void *ctx, uint32_t i, size_t from, size_t end)
{
	struct view_cats *c = ctx;
	const struct view_source *source = &c->view->sources[i];
	const node_id *place = source->place ? source->place : source->map;
	const struct profile *p = c->view->profile;

	for (size_t k = from ? from : 1; place && k < end; k++) {
		node_id node = place[k];

		if (node == VIEW_DROPPED || node == NODE_ROOT || c->is_known[node])
			continue;
		c->is_known[node] = 1;
		if (c->draft->frame[node] < p->frames.n)
			c->of[node] = profile_node_cat(p, source->lane, (node_id)k);
	}
}

bool view_cats_work(struct view_cats *c, const struct view *view, const struct draft *draft,
		    struct budget *budget)
{
	if (!c->of) {
		c->view = view;
		c->draft = draft;
		c->of = xcalloc(draft->n, sizeof *c->of);
		c->is_known = xcalloc(draft->n, 1);
	}
	return view_transform_sources(view, &c->place, add_source, c, budget);
}

void view_cats_done(struct view_cats *c)
{
	free(c->of);
	free(c->is_known);
	*c = (struct view_cats){ 0 };
}
