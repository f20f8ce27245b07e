/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything is drawn as a time. What is no time says how long one unit is drawn; of bytes, a
 * million, since one is a nanosecond. */
#include "config.h"

#include "model/lane_value.h"

#include "base/text.h"

void lane_value_text(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	const struct lane_value *value = &lane->value;
	char each[UNITS_MAX];

	if (!value->type) {
		buf_adds(out, "hit counts");
		return;
	}
	text_visible(out, profile_text(profile, value->type),
		     intern_len(&profile->strings, value->type));
	if (value->unit_ns == 0)
		return;
	units_time(value->unit_ns == 1 ? NS_PER_MS : value->unit_ns, each);
	buf_addf(out, " (%s as %s)", value->unit_ns == 1 ? "1 MB" : "1", each);
}

const struct lane *lane_value_first(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		if (!profile->lanes[i].has_timeline)
			return &profile->lanes[i];
	return NULL;
}
