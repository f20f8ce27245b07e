/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/lane_value.h"

#include "base/text.h"

void lane_value_text(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	const struct lane_value *value = &lane->value;

	if (!value->type) {
		buf_adds(out, "hit counts");
		return;
	}
	text_visible(out, profile_text(profile, value->type),
		     intern_len(&profile->strings, value->type));
}

const struct lane *lane_value_first(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		if (!profile->lanes[i].has_timeline)
			return &profile->lanes[i];
	return NULL;
}

int64_t lane_value_hit_ns(const struct profile *profile)
{
	int64_t ns = 0;

	for (uint32_t i = 0; i < profile->n_lanes; i++) {
		const struct lane *lane = &profile->lanes[i];

		if (lane->kind != LANE_SAMPLES)
			continue;
		if (!lane->hit_ns || (ns && lane->hit_ns != ns))
			return 0;
		ns = lane->hit_ns;
	}
	return ns;
}
