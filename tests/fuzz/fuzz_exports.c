/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every export of a profile of any format is read back, and has the times that the profile has. */
#include "config.h"

#include "fuzz.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Self time of samples. */
struct sums {
	int64_t worked, idle;
	uint64_t n_samples;
};

/* Whether its samples are times, not sums or counts. */
static bool has_times(const struct lane *l)
{
	return lane_has_times(l) && !l->value.type;
}

static void add(struct sums *sums, const struct lane *l)
{
	if (l->kind != LANE_SAMPLES || !has_times(l))
		return;
	sums->worked += lane_worked_ns(l);
	sums->idle += l->idle_ns;
	sums->n_samples += l->samples.n;
}

/* Whether a format has the same samples: speedscope writes all calls as if they were samples. */
static bool keeps_samples(const struct export_format *format, const struct profile *p)
{
	bool has_all = format == &export_speedscope;

	if (format != &export_trace && !has_all)
		return false;
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *l = &p->lanes[i];

		if (l->kind == LANE_SAMPLES ? !has_times(l) : has_all && l->samples.n)
			return false;
	}
	return true;
}

static struct sums sums_of(const struct profile *p)
{
	struct sums sums = { 0 };

	for (uint32_t i = 0; p && i < p->n_lanes; i++)
		add(&sums, &p->lanes[i]);
	return sums;
}

/* Times of exports are microseconds, so that each sample may differ by one. Where times are cut to
 * PROFILE_TIME_MAX, those of a second time line may not fit. */
static void compare(const char *format, struct sums was, struct sums is)
{
	int64_t most = (int64_t)was.n_samples * 1000 + 1000;

	if (was.worked + was.idle > PROFILE_TIME_MAX / 2)
		return;
	if (llabs(was.worked - is.worked) > most || llabs(was.idle - is.idle) > most)
		fuzz_found("%s of %" PRIu64 " samples: %" PRId64 " ns work and %" PRId64
			   " idle are read back as %" PRId64 " and %" PRId64,
			   format, was.n_samples, was.worked, was.idle, is.worked, is.idle);
}

static void write_lanes(const struct profile *p)
{
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		struct profile *back = fuzz_export(p, &export_cpuprofile, false, i);
		struct sums was = { 0 };

		add(&was, &p->lanes[i]);
		if (back && was.n_samples)
			compare("cpuprofile", was, sums_of(back));
		profile_free(back);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile *p = fuzz_load(data, size), *back;

	if (!p)
		return 0;
	if (amount_is_time(&p->unit))
		write_lanes(p);
	for (size_t i = 0; export_formats[i]; i++) {
		if (export_formats[i]->is_by_lane ||
		    (export_formats[i]->is_of_times && !amount_is_time(&p->unit)))
			continue;
		profile_free(fuzz_export(p, export_formats[i], true, 0));
		back = fuzz_export(p, export_formats[i], false, 0);
		if (keeps_samples(export_formats[i], p))
			compare(export_formats[i]->name, sums_of(p), sums_of(back));
		profile_free(back);
	}
	profile_free(p);
	return 0;
}
