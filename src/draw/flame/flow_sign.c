/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "draw/flame/flow_sign.h"

const char *flow_sign(const struct chart *chart, int lane, const struct span *span)
{
	const struct profile *p = chart->profile;
	bool leads_on = false;
	size_t first, n;

	if (!p->n_flows || chart->is_merged)
		return NULL;
	n = profile_flows_of(p, (uint32_t)lane, span, &first);
	for (size_t i = 0; i < n && !leads_on; i++) {
		size_t at = p->flows_by_lane[first + i];

		leads_on = at + 1 < p->n_flows && p->flows[at + 1].flow == p->flows[at].flow;
	}
	if (!n)
		return NULL;
	if (chart->is_ascii)
		return leads_on ? ">" : "<";
	return leads_on ? "\342\206\222" : "\342\206\220";
}
