/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random transforms of a profile. */
#ifndef FLAMETTY_TESTS_RANDOM_TRANSFORM_H
#define FLAMETTY_TESTS_RANDOM_TRANSFORM_H

#include "random_mix.h"

#include "analyse/view/view.h"
#include "base/alloc.h"
#include "model/profile.h"

/* Fill *t. BY_SET: *set is the set, which the caller frees. BY_PATH: the caller adds the path. */
static inline void random_transform(const struct profile *p, struct transform *t, uint8_t **set)
{
	const struct frame_table *frames = &p->frames;
	frame_id some = (frame_id)below(frames->n);

	*t = (struct transform){ .kind = (enum transform_kind)below(TRANSFORM_COUNT),
				 .by = (enum transform_by)below(BY_ALL + 1),
				 .text = "set" };
	if (t->by == BY_PATH)
		t->kind = TRANSFORM_FOCUS;
	if (t->by == BY_ALL && below(2))
		t->kind = TRANSFORM_RECURSION;
	if (t->by == BY_FUNCTION)
		t->id = some;
	if (t->by == BY_FILE)
		t->id = frames->frames[some].url;
	if (t->by == BY_PACKAGE)
		t->id = frames->frames[some].package;
	if (t->by == BY_CATEGORY)
		t->id = below(4) ? frames->frames[some].category : (uint32_t)below(CATEGORY_LABEL);
	if (t->by != BY_SET)
		return;
	t->set.frames = *set = xcalloc(frames->n, 1);
	for (frame_id f = 0; f < frames->n; f++)
		(*set)[f] = below(3) == 0;
}

#endif
