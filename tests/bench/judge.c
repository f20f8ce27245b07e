/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What findings cost: charging a lane, once; then the findings of a window, of another half of the
 * recording in each run, and of the whole. */
#include "config.h"

#include "subjects.h"

#include "findings/findings.h"

struct judging {
	const struct profile *profile;
	const struct lane *lane;
	struct findings findings;
	int64_t t0, t1;
};

static void forget(void *ctx, int run)
{
	struct judging *j = ctx;

	(void)run;
	findings_done(&j->findings);
	findings_init(&j->findings, j->profile, j->lane);
}

static void charge(void *ctx, int run)
{
	struct judging *j = ctx;

	(void)run;
	charge_work(&j->findings.charge, BUDGET_UNLIMITED);
}

static void choose_half(void *ctx, int run)
{
	struct judging *j = ctx;
	int64_t length = j->lane->t1 - j->lane->t0;

	j->t0 = j->lane->t0 + length / 100 * (10 + run % 40) + run;
	j->t1 = j->t0 + length / 2;
}

static void choose_whole(void *ctx, int run)
{
	struct judging *j = ctx;

	(void)run;
	j->t0 = j->lane->t0;
	j->t1 = j->lane->t1;
}

static void judge(void *ctx, int run)
{
	struct judging *j = ctx;

	(void)run;
	findings_begin(&j->findings, j->t0, j->t1);
	findings_work(&j->findings, BUDGET_UNLIMITED);
}

/* Busy time, by a loop over the samples. */
static int64_t busy_of(const struct judging *j)
{
	const struct samples *s = &j->lane->samples;
	int64_t ns = 0;

	for (size_t i = 0; i < s->n; i++) {
		node_id leaf = s->leaf[i];

		if (leaf != NODE_ROOT &&
		    profile_node_frame(j->profile, j->lane, leaf)->category != CATEGORY_IDLE)
			ns += samples_time(s, i + 1) - samples_time(s, i);
	}
	return ns;
}

void measure_findings(const struct subject *subject)
{
	static const struct measure charging = { FIGURE_CHARGE, forget, charge };
	static const struct measure half = { FIGURE_FINDINGS_HALF, choose_half, judge };
	static const struct measure whole = { FIGURE_FINDINGS, choose_whole, judge };
	struct judging j = { .profile = subject->profile, .lane = subject->lane };

	if (!findings_is_for(j.lane))
		return;
	findings_init(&j.findings, j.profile, j.lane);
	sheet_measure(subject->sheet, &charging, &j);
	sheet_measure(subject->sheet, &half, &j);
	sheet_measure(subject->sheet, &whole, &j);
	sheet_check(subject->sheet, j.findings.result.busy == busy_of(&j), "busy time of findings");
	findings_done(&j.findings);
}
