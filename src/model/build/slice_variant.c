/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree is built with variants as if they were frames, so that slices of one name with different
 * event categories have nodes of their own. Then they get their frames. */
#include "config.h"

#include "model/build/slice_variant.h"

#include "base/alloc.h"

bool slice_variant_number(const struct raw_variants *variants, frame_id *frame, uint32_t n)
{
	bool has_any = false;

	for (uint32_t i = 0; variants->n && i < n; i++) {
		if (!(frame[i] & RAW_VARIANT))
			continue;
		frame[i] = variants->frames->n + (frame[i] & ~RAW_VARIANT);
		has_any = true;
	}
	return has_any;
}

void slice_variant_finish(const struct raw_variants *variants, struct lane *lane)
{
	struct calltree *tree = &lane->tree;

	lane->cats = xmalloc((size_t)tree->n * sizeof *lane->cats);
	for (node_id i = 0; i < tree->n; i++) {
		if (tree->frame[i] >= variants->frames->n) {
			const struct raw_variant *v =
				&variants->list[tree->frame[i] - variants->frames->n];

			tree->frame[i] = v->frame;
			lane->cats[i] = v->cat;
		} else {
			lane->cats[i] = variants->frames->frames[tree->frame[i]].cat;
		}
	}
	calltree_set_twins(tree);
}
