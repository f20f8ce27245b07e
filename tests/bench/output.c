/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transforms as a user would ask for them, and exports to /dev/null. */
#include "config.h"

#include "subjects.h"

#include "analyse/view/scoped.h"
#include "base/alloc.h"
#include "write/export/export.h"

/* Samples that become slices; above a million, the output has gigabytes. */
#define EXPORTED 100000u

struct changing {
	const struct profile *profile;
	struct scope scope;
	struct scoped scoped;
	bool is_made;
};

static void add(struct changing *c, enum transform_kind kind, const char *pattern)
{
	struct error err = ERROR_INIT;

	if (!scope_add(&c->scope, c->profile, kind, pattern, &err))
		die("transform: %s", err.text);
}

static void undo(void *ctx, int run)
{
	struct changing *c = ctx;

	(void)run;
	if (c->is_made)
		scoped_done(&c->scoped);
	c->is_made = false;
}

static void change(void *ctx, int run)
{
	struct changing *c = ctx;

	struct error err = ERROR_INIT;

	(void)run;
	c->is_made = scoped_init(&c->scoped, c->profile, &c->scope, &err);
}

static int64_t stack_ns(const struct lane *lane)
{
	const struct samples *s = &lane->samples;
	int64_t sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += s->leaf[i] == NODE_ROOT ? 0 : samples_time(s, i + 1) - samples_time(s, i);
	return sum;
}

/* No time is lost: what the view has and what was dropped add up. */
static bool is_all_there(const struct changing *c)
{
	const struct profile *p = c->scoped.profile;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];

		if (lane->kind == LANE_SAMPLES &&
		    stack_ns(lane) + scoped_dropped(&c->scoped, lane, 0, p->t1) !=
			    stack_ns(scoped_original(&c->scoped, lane)))
			return false;
	}
	return true;
}

static void measure_transforms(const struct subject *subject)
{
	static const struct measure one = { FIGURE_TRANSFORM, undo, change };
	static const struct measure three = { FIGURE_TRANSFORMS, undo, change };
	struct changing c = { .profile = subject->profile };

	scope_all(&c.scope, c.profile);
	add(&c, TRANSFORM_MERGE, BENCH_PATTERN);
	sheet_measure(subject->sheet, &one, &c);
	sheet_check(subject->sheet, is_all_there(&c), "time after a transform");
	undo(&c, 0);
	add(&c, TRANSFORM_DROP, NULL);
	add(&c, TRANSFORM_RECURSION, NULL);
	sheet_measure(subject->sheet, &three, &c);
	sheet_check(subject->sheet, is_all_there(&c), "time after transforms");
	undo(&c, 0);
	scope_done(&c.scope);
}

struct writing {
	const struct profile *profile;
	struct export_options options;
};

static void write_trace(void *ctx, int run)
{
	const struct writing *w = ctx;
	struct error err = ERROR_INIT;
	struct sink *sink = sink_open("/dev/null", true, &err);

	(void)run;
	if (!sink)
		die("/dev/null: %s", err.text);
	export_trace.write(w->profile, &w->options, sink);
	if (!sink_close(sink, &err))
		die("/dev/null: %s", err.text);
}

static void measure_export(const struct subject *subject)
{
	static const struct measure slices = { FIGURE_EXPORT_SLICES, NULL, write_trace };
	static const struct measure samples = { FIGURE_EXPORT_SAMPLES, NULL, write_trace };
	const struct samples *s = &subject->lane->samples;
	struct writing w = { .profile = subject->profile, .options.is_slices = true };

	scope_all(&w.options.scope, w.profile);
	if (s->n > EXPORTED)
		w.options.scope.t1 = samples_time(s, EXPORTED);
	sheet_measure(subject->sheet, &slices, &w);
	w.options.scope.t1 = w.profile->t1;
	w.options.is_slices = false;
	/* Slices of a trace stay slices. */
	if (subject->lane->kind == LANE_SAMPLES)
		sheet_measure(subject->sheet, &samples, &w);
	scope_done(&w.options.scope);
}

void measure_output(const struct subject *subject)
{
	measure_transforms(subject);
	measure_export(subject);
}
