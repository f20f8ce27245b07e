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
		[MILESTONE_TIMING] = "",
	};

	return names[kind];
}

/* ==== vital ==== */

bool vital_find(const struct page_load *load, enum vital vital, double *value)
{
	if (vital == VITAL_LCP)
		*value = (double)load->after[MILESTONE_LCP];
	else if (vital == VITAL_INP)
		*value = load->worst.type ? (double)interaction_ns(&load->worst) : -1;
	else
		*value = load->has_shifts ? load->shifts : -1;
	return *value >= 0;
}

const char *vital_rating(enum vital vital, double value)
{
	static const double good[] = { 2500e6, 200e6, .1 }, poor[] = { 4000e6, 500e6, .25 };

	return value <= good[vital] ? "good" : value <= poor[vital] ? "needs improvement" : "poor";
}

void vital_format(const struct page_load *load, struct buf *out)
{
	static const char *const names[] = { "LCP", "INP", "CLS" };
	char text[UNITS_MAX];
	double value;
	bool is_later = false;

	for (enum vital v = 0; v < VITALS; v++) {
		if (!vital_find(load, v, &value))
			continue;
		buf_addf(out, "%s%s ", is_later ? " \302\267 " : "", names[v]);
		units_time((int64_t)value, text);
		if (v == VITAL_CLS)
			buf_addf(out, "%.*f", value > 0 && value < .01 ? 4 : 2, value);
		else
			buf_adds(out, text);
		buf_addf(out, " %s", vital_rating(v, value));
		is_later = true;
	}
}

/* The phases that end at n times in ns, each with its name; a time of -1: there is no such phase.
 */
static void add_phases(const char *const *names, const int64_t *ends, size_t n, struct buf *out)
{
	int64_t from = 0;

	for (size_t i = 0; i < n; i++) {
		char text[UNITS_MAX];

		if (ends[i] < 0)
			continue;
		units_time(ends[i] > from ? ends[i] - from : 0, text);
		buf_addf(out, "%s%s %s", from || i ? ", " : "", names[i], text);
		from = ends[i];
	}
}

void vital_phases_format(const struct page_load *load, enum vital vital, struct buf *out)
{
	static const char *const paint[] = { "first byte", "load delay", "load", "render delay" },
				 *const input[] = { "input delay", "processing", "presentation" };
	const struct interaction *x = &load->worst;
	const int64_t paints[] = { load->first_byte, load->image_t0, load->image_t1,
				   load->after[MILESTONE_LCP] },
		      inputs[] = { x->delay, x->delay + x->processing, interaction_ns(x) };

	if (vital == VITAL_LCP && load->first_byte >= 0 && load->after[MILESTONE_LCP] >= 0)
		add_phases(paint, paints, 4, out);
	if (vital == VITAL_INP && x->type)
		add_phases(input, inputs, 3, out);
}
