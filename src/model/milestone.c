/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of milestones, and vitals as text. The thresholds are those of web-vitals:
 * https://web.dev/articles/lcp, /inp and /cls. */
#include "config.h"

#include "model/milestone.h"

#include "base/units.h"

const char *milestone_name(enum milestone_kind kind)
{
	static const char *const names[MILESTONE_KINDS] = {
		[MILESTONE_LCP] = "LCP",        [MILESTONE_FCP] = "FCP",
		[MILESTONE_NAVIGATION] = "nav", [MILESTONE_LOAD] = "L",
		[MILESTONE_DCL] = "DCL",        [MILESTONE_SOFT] = "nav*",
		[MILESTONE_FP] = "FP",          [MILESTONE_SHIFT] = "shift",
		[MILESTONE_TIMING] = "",        [MILESTONE_INP] = "",
	};

	return names[kind];
}

/* ==== vital ==== */

/* Append one behind `before`. False: it is unknown. */
static bool add_vital(const struct page_load *load, enum vital v, const char *before,
		      struct buf *out)
{
	static const struct {
		const char *name;
		double good, poor; /* good up to here, poor beyond */
	} vitals[VITALS] = { { "LCP", 2500e6, 4000e6 },
			     { "INP", 200e6, 500e6 },
			     { "CLS", .1, .25 } };
	const struct interaction *x = &load->worst;
	/* -1: unknown. */
	const double values[VITALS] = { (double)load->after[MILESTONE_LCP],
					x->type ? (double)interaction_ns(x) : -1,
					load->has_shifts ? load->shifts : -1 };
	double value = values[v];
	char text[UNITS_MAX];

	if (value < 0)
		return false;
	units_time((int64_t)value, text);
	buf_addf(out, "%s%s ", before, vitals[v].name);
	if (v == VITAL_CLS)
		buf_addf(out, "%.*f", value > 0 && value < .01 ? 4 : 2, value);
	else
		buf_adds(out, text);
	buf_addf(out, " %s",
		 value <= vitals[v].good          ? "good"
			 : value > vitals[v].poor ? "poor"
						  : "needs improvement");
	return true;
}

void vital_format(const struct page_load *load, struct buf *out)
{
	bool is_next = false;

	for (enum vital v = 0; v < VITALS; v++)
		is_next |= add_vital(load, v, is_next ? " \302\267 " : "", out);
}

void milestone_format(const struct page_load *load, enum milestone_kind kind, struct buf *out)
{
	enum vital v = kind == MILESTONE_LCP ? VITAL_LCP
		: kind == MILESTONE_INP      ? VITAL_INP
		: kind == MILESTONE_SHIFT    ? VITAL_CLS
					     : VITALS;
	char text[UNITS_MAX];

	units_time(kind < MILESTONE_KINDS ? load->after[kind] : 0, text);
	if (v == VITALS)
		buf_addf(out, "%s, %s", kind == MILESTONE_LOAD ? "load" : milestone_name(kind),
			 text);
	else
		add_vital(load, v, "", out);
	if (v == VITAL_CLS)
		buf_addf(out, ": largest shift %.4f, %s", load->largest_shift, text);
	buf_adds(out,
		 v == VITAL_LCP           ? ", after navigation: "
			 : v == VITAL_INP ? ": "
					  : " after navigation");
	if (v == VITAL_LCP || v == VITAL_INP)
		vital_phases_format(load, v, out);
}

void vital_phases_format(const struct page_load *load, enum vital vital, struct buf *out)
{
	const struct interaction *x = &load->worst;
	const struct {
		const char *name;
		int64_t end; /* -1: there is no such phase */
	} phases[VITALS][4] = {
		[VITAL_LCP] = { { "first byte", load->first_byte },
				{ "load delay", load->image_t0 },
				{ "load", load->image_t1 },
				{ "render delay", load->after[MILESTONE_LCP] } },
		[VITAL_INP] = { { "input delay", x->delay },
				{ "processing", x->delay + x->processing },
				{ "presentation", interaction_ns(x) },
				{ "", -1 } },
	};
	int64_t from = 0;

	for (int i = 0; i < 4; i++) {
		if (phases[vital][i].end < 0)
			continue;
		buf_addf(out, "%s%s %s", i ? ", " : "", phases[vital][i].name,
			 units_time(phases[vital][i].end - from, UNITS_ROOM));
		from = phases[vital][i].end;
	}
}
