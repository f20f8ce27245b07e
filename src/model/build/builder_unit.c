/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The unit follows from the name that the file gives it. Tracks of a trace become lanes when the
 * builder finishes, so they count as lanes from their first event on. */
#include "config.h"

#include "model/build/builder_unit.h"

#include "model/build/builder_state.h"

#include <string.h>

static struct amount_unit unit_of(const struct profile *p, const struct lane_value *value)
{
	const char *name = value->unit ? profile_text(p, value->unit) : "";
	bool is_bytes = strcmp(name, "bytes") == 0 || strcmp(name, "byte") == 0;

	if (!value->type || value->unit_ns == 0)
		return (struct amount_unit){ .kind = AMOUNT_TIME };
	return (struct amount_unit){ .kind = is_bytes ? AMOUNT_BYTES : AMOUNT_COUNT,
				     .ns = value->unit_ns };
}

static bool fail(const struct amount_unit *is, const struct amount_unit *other, struct error *err)
{
	static const char *const names[] = { "times", "bytes", "counts" };

	return error_set(err, ERR_FORMAT, -1,
			 "its values are %s, those of the file before are %s: they cannot be "
			 "added up; open them one by one",
			 names[is->kind], names[other->kind]);
}

static bool take(struct builder *b, const struct amount_unit *unit, bool has_lanes,
		 struct error *err)
{
	struct amount_unit *is = &b->profile->unit;

	if (has_lanes && is->kind != unit->kind)
		return fail(unit, is, err);
	*is = *unit;
	return true;
}

bool builder_unit_take(struct builder *b, const struct lane_value *value, struct error *err)
{
	struct amount_unit unit = unit_of(b->profile, value);

	return take(b, &unit, b->profile->n_lanes > 0 || b->tracks.n > 0, err);
}

bool builder_unit_take_tracks(struct builder *b, struct error *err)
{
	const struct amount_unit times = { .kind = AMOUNT_TIME };

	return b->tracks.n == 0 || take(b, &times, b->profile->n_lanes > 0, err);
}
