/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Self times of the last seconds: a figure is the sum of the parts of samples inside its stretch.
 */
#include "config.h"

#include "story.h"
#include "suite.h"

#include "analyse/recent.h"

#include <stdlib.h>
#include <string.h>

#define NAMES 8
#define MOST 3000

static const char *const names[NAMES] = { "a", "b",      "c",         "d",
					  "e", "(idle)", "(program)", "(garbage collector)" };

/* One thread, whose samples are leaves below the root. */
struct thread {
	int n;
	int name[MOST];
	int64_t us[MOST + 1];
};

static struct profile *load(const struct thread *t)
{
	struct buf out = { 0 };
	int64_t last = 0;
	struct profile *p;

	buf_adds(&out,
		 "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\","
		 "\"scriptId\":\"0\",\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1},"
		 "\"children\":[2,3,4,5,6,7,8,9]}");
	for (int i = 0; i < NAMES; i++)
		buf_addf(&out,
			 ",{\"id\":%d,\"callFrame\":{\"functionName\":\"%s\",\"scriptId\":\"%d\","
			 "\"url\":\"%s\",\"lineNumber\":%d,\"columnNumber\":1}}",
			 i + 2, names[i], i, names[i][0] == '(' ? "" : "file:///x.js", i);
	buf_addf(&out, "],\"startTime\":0,\"endTime\":%lld,\"samples\":[", (long long)t->us[t->n]);
	for (int i = 0; i < t->n; i++)
		buf_addf(&out, "%s%d", i ? "," : "", t->name[i] + 2);
	buf_adds(&out, "],\"timeDeltas\":[");
	for (int i = 0; i < t->n; i++) {
		buf_addf(&out, "%s%lld", i ? "," : "", (long long)(t->us[i] - last));
		last = t->us[i];
	}
	buf_adds(&out, "]}");
	p = story_load(buf_text(&out));
	buf_done(&out);
	return p;
}

static const struct recent_row *row_of(const struct profile *p, const struct recent *r,
				       const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(profile_text(p, profile_frame(p, r->rows[i].frame)->name), name) == 0)
			return &r->rows[i];
	return NULL;
}

/* The part of the time of a name that is in [t0, t1), by the samples of the profile. */
static int64_t part(const struct profile *p, const char *name, int64_t t0, int64_t t1)
{
	const struct lane *l = &p->lanes[0];
	const struct samples *s = &l->samples;
	int64_t ns = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct frame *f = profile_frame(p, l->tree.frame[s->leaf[i]]);
		int64_t from = samples_time(s, i) > t0 ? samples_time(s, i) : t0;
		int64_t to = samples_time(s, i + 1) < t1 ? samples_time(s, i + 1) : t1;

		if (s->leaf[i] != NODE_ROOT && from < to &&
		    (!name || strcmp(profile_text(p, f->name), name) == 0))
			ns += to - from;
	}
	return ns;
}

static void check_all(const struct profile *p, int64_t end)
{
	const struct lane *lane = &p->lanes[0];
	struct recent r;

	for (unsigned sort = 0; sort < RECENT_SPANS; sort++) {
		recent_init(&r, p, &lane, 1, end, sort);
		for (int i = 0; i < NAMES; i++) {
			const struct recent_row *row = row_of(p, &r, names[i]);
			int64_t minute = part(p, names[i], end - 60 * NS_PER_S, end);

			ck_assert_int_eq(row != NULL,
					 minute > 0 && strcmp(names[i], "(idle)") != 0);
			for (int k = 0; row && k < RECENT_SPANS; k++)
				ck_assert_int_eq(row->ns[k],
						 part(p, names[i], end - recent_spans[k], end));
			for (int c = 0; row && c < RECENT_CELLS; c++) {
				int64_t t0 = end - 60 * NS_PER_S + c * RECENT_CELL_NS;

				ck_assert_int_eq(row->us[c],
						 part(p, names[i], t0, t0 + RECENT_CELL_NS) /
							 NS_PER_US);
			}
		}
		for (int k = 0; k < RECENT_SPANS; k++) {
			int64_t t0 = end - recent_spans[k];

			ck_assert_int_eq(r.sampled_ns[k], part(p, NULL, t0, end));
			ck_assert_int_eq(r.busy_ns[k],
					 part(p, NULL, t0, end) - part(p, "(idle)", t0, end));
			ck_assert_int_eq(r.gc_ns[k], part(p, "(garbage collector)", t0, end));
		}
		for (size_t i = 1; i < r.n; i++)
			ck_assert_int_ge(r.rows[i - 1].ns[sort], r.rows[i].ns[sort]);
		for (size_t i = 0; i < r.n; i++)
			ck_assert_uint_eq(recent_find(&r, r.rows[i].frame), i);
		recent_done(&r);
	}
}

START_TEST(figures_are_sums_of_the_parts_of_samples)
{
	for (int seed = 0; seed < SUITE_CASES(12); seed++) {
		struct thread t = { .n = 1 + seed * 200 };
		struct profile *p;

		srandom((unsigned)seed);
		for (int i = 0; i <= t.n; i++)
			t.us[i] = (i > 0 ? t.us[i - 1] : 0) + 1 +
				random() % (seed % 3 ? 60000 : 999);
		for (int i = 0; i < t.n; i++)
			t.name[i] = (int)(random() % NAMES);
		p = load(&t);
		check_all(p, p->t1);
		check_all(p, p->t1 / 2 / NS_PER_US * NS_PER_US);
		check_all(p, p->t1 + 3 * NS_PER_S);
		profile_free(p);
	}
}
END_TEST

START_TEST(equal_rows_are_in_the_order_of_their_names)
{
	struct thread t = { .n = 3, .name = { 2, 1, 0 }, .us = { 0, 1000, 2000, 3000 } };
	struct profile *p = load(&t);
	const struct lane *lane = &p->lanes[0];
	struct recent r;

	recent_init(&r, p, &lane, 1, 3 * NS_PER_MS, 0);
	ck_assert_uint_eq(r.n, 3);
	for (size_t i = 0; i < r.n; i++)
		ck_assert_str_eq(profile_text(p, profile_frame(p, r.rows[i].frame)->name),
				 names[i]);
	recent_done(&r);
	recent_init(&r, p, NULL, 0, 3 * NS_PER_MS, 0);
	ck_assert_uint_eq(r.n, 0);
	recent_done(&r);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_test(tc, figures_are_sums_of_the_parts_of_samples);
	tcase_add_test(tc, equal_rows_are_in_the_order_of_their_names);
}

int main(void)
{
	return suite_run("recent", add_tests);
}
