/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Indices: kinds without an id are below FINDING_MECHANISM_KINDS, then frames, groups and modules
 * follow. A frame is of one kind only: a regular expression, an internal of Node.js, or native. */
#include "config.h"

#include "findings/finding_mechanism.h"

uint32_t finding_mechanism_of(const struct charge *c, charge_key key)
{
	const struct charge_node *n = charge_of(c, key);
	frame_id frame = charge_key_frame(c, key);
	uint32_t groups = FINDING_MECHANISM_KINDS + c->profile->frames.n;

	if (CHARGE_KEY_IS_GC(key))
		return MECHANISM_GC;
	if (n->regexp)
		return FINDING_MECHANISM_KINDS + n->regexp;
	if (n->sync)
		return FINDING_MECHANISM_KINDS + n->sync;
	if (n->flags & CHARGE_IN_LOAD)
		return MECHANISM_LOAD;
	if (n->package && !c->is_tool)
		return groups + n->package;
	if (n->flags & CHARGE_IN_MODULE)
		return groups + c->n_groups + n->module;
	if (c->profile->frames.frames[frame].category == CATEGORY_NATIVE &&
	    !c->functions[frame].is_own)
		return FINDING_MECHANISM_KINDS + frame;
	return MECHANISM_SELF;
}

struct finding_mechanism finding_mechanism_at(const struct charge *c, uint32_t index)
{
	uint32_t frames = c->profile->frames.n;

	if (index < FINDING_MECHANISM_KINDS)
		return (struct finding_mechanism){ (enum mechanism_kind)index, 0 };
	index -= FINDING_MECHANISM_KINDS;
	if (index < frames) {
		enum category category = c->profile->frames.frames[index].category;

		return (struct finding_mechanism){ category == CATEGORY_REGEXP ? MECHANISM_REGEXP
							   : category == CATEGORY_NODE
							   ? MECHANISM_SYNC
							   : MECHANISM_NATIVE,
						   index };
	}
	index -= frames;
	if (index < c->n_groups)
		return (struct finding_mechanism){ MECHANISM_PACKAGE, index };
	return (struct finding_mechanism){ MECHANISM_NODE, index - c->n_groups };
}

bool finding_mechanism_is_io(const struct charge *c, uint32_t index)
{
	struct finding_mechanism m = finding_mechanism_at(c, index);

	if (m.kind == MECHANISM_NATIVE)
		return (c->functions[m.id].frame.flags & CHARGE_NATIVE_IO) != 0;
	return m.kind == MECHANISM_NODE && c->modules.list[m.id].is_io;
}
