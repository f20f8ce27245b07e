/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches for labels over random profiles: what is counted, walked to and highlighted is compared
 * with a look at all samples, and its time with that of the transform that keeps them. */
#include "config.h"

#include "random_labels.h"
#include "suite.h"

#include "analyse/label_share.h"
#include "analyse/cover.h"
#include "analyse/scope.h"
#include "analyse/search.h"
#include "analyse/totals.h"
#include "analyse/view/scoped.h"

/* The time that --only with the pattern keeps in [t0, t1). */
static int64_t time_of_scope(const struct profile *p, const char *pattern, int64_t t0, int64_t t1)
{
	struct transform only = { .kind = TRANSFORM_KEEP, .by = BY_SET };
	struct error err = ERROR_INIT;
	struct scope scope;
	struct scoped scoped;
	int64_t sum = 0;

	ck_assert_msg(frame_set_match(p, pattern, &only.set, &err), "%s", err.text);
	scope_all(&scope, p);
	scope.transforms = &only;
	scope.n_transforms = 1;
	ck_assert(scoped_init(&scoped, p, &scope, &err));
	for (uint32_t i = 0; i < scoped.profile->n_lanes; i++) {
		const struct samples *s = &scoped.profile->lanes[i].samples;

		for (size_t k = 0; k < s->n; k++) {
			int64_t from = samples_time(s, k), to = samples_time(s, k + 1);

			from = from > t0 ? from : t0;
			to = to < t1 ? to : t1;
			sum += s->leaf[k] != NODE_ROOT && to > from ? to - from : 0;
		}
	}
	scoped_done(&scoped);
	scope.transforms = NULL;
	scope.n_transforms = 0;
	scope_done(&scope);
	match_set_done(&only.set);
	return sum;
}

/* The time of all samples with a stack, whether they match or not. */
static int64_t sampled(const struct lane *l, int64_t t0, int64_t t1)
{
	int64_t sum = 0;

	for (size_t i = 0; i < l->samples.n; i++) {
		int64_t from = samples_time(&l->samples, i), to = samples_time(&l->samples, i + 1);

		from = from > t0 ? from : t0;
		to = to < t1 ? to : t1;
		sum += l->samples.leaf[i] != NODE_ROOT && to > from ? to - from : 0;
	}
	return sum;
}

/* Stretches of samples whose label (of the key at index `key`) is as the pattern says. */
static uint64_t stretches(const struct profile *p, const char *key, const char *begins, int64_t t0,
			  int64_t t1, uint8_t *is_match)
{
	const struct lane *l = &p->lanes[0];
	uint64_t n = 0;
	bool was = false;

	for (size_t i = 0; i < l->samples.n; i++) {
		const char *value = value_of(p, l, i, key);

		is_match[i] = l->samples.leaf[i] != NODE_ROOT && *value &&
			!strncmp(value, begins, strlen(begins));
		if (samples_time(&l->samples, i + 1) <= t0 || samples_time(&l->samples, i) >= t1)
			continue;
		n += is_match[i] && !was;
		was = is_match[i];
	}
	return n;
}

static void rows_have_matches(struct search *search, const struct lane *l, const uint8_t *is_match)
{
	struct match_rows *rows = match_rows_new(search_lane(search, 0));

	for (size_t i = 0; i < l->samples.n; i++) {
		int64_t t0 = samples_time(&l->samples, i), t1 = samples_time(&l->samples, i + 1);

		ck_assert(match_rows_make(rows, t0, t1, BUDGET_UNLIMITED));
		for (int depth = 0; depth < 3; depth++)
			ck_assert_int_eq(match_rows_has(rows, t0, t1, depth),
					 is_match[i] && depth < l->tree.rows[l->samples.leaf[i]]);
	}
	match_rows_free(rows);
}

/* Walk to all matches and back. */
static void walk_is(struct search *search, const struct lane *l, const uint8_t *is_match,
		    uint64_t n)
{
	struct search_at at = { 0 }, before = { 0 };
	const uint8_t is_shown = 1;
	uint64_t found = 0;

	for (bool has = search_next(search, &is_shown, NULL, false, &at); has;
	     has = search_next(search, &is_shown, &at, false, &at), found++) {
		size_t i = at.span.first;

		ck_assert_int_eq(at.span.t0, samples_time(&l->samples, i));
		ck_assert(i == 0 || !is_match[i - 1]);
		for (; i < at.span.end; i++)
			ck_assert(is_match[i]);
		ck_assert(i == l->samples.n || !is_match[i]);
		if (found) {
			struct search_at back;

			ck_assert(search_next(search, &is_shown, &at, true, &back));
			ck_assert_uint_eq(back.span.first, before.span.first);
		}
		before = at;
	}
	ck_assert_uint_eq(found, n);
}

START_TEST(searches_find_samples_by_label)
{
	static const struct {
		const char *pattern, *key, *begins;
	} cases[] = {
		{ "label:endpoint=^GET", "endpoint", "GET" },
		{ "label:endpoint", "endpoint", "" },
		{ "label:span=^3$", "span", "3" },
		{ "label:span=^none$", "span", "none" },
		{ "label:endpoint=", "endpoint", "" },
	};
	struct error err = ERROR_INIT;
	struct search search;

	for (int round = 0; round < 20; round++) {
		struct profile *p = random_labels(round, 4);
		const struct lane *l = &p->lanes[0];
		uint8_t *is_match = xcalloc(l->samples.n + 1, 1);

		for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
			const char *text = cases[i].pattern;
			int64_t t0 = (int64_t)below(3000000), t1 = t0 + (int64_t)below(3000000);
			struct search_count count;
			uint32_t lane = 0;
			uint64_t n;

			if (round == 0) {
				t0 = 0;
				t1 = samples_time(&l->samples, l->samples.n);
			}
			n = stretches(p, cases[i].key, cases[i].begins, t0, t1, is_match);
			ck_assert(search_init(&search, p, text, strlen(text), false, &err));
			while (!search_match(&search, a_step()))
				;
			search_count_init(&count, &lane, 1, t0, t1);
			while (!search_count_step(&count, &search, a_step()))
				;
			ck_assert_int_eq(count.ns, time_of_scope(p, text, t0, t1));
			ck_assert_int_eq(count.sampled_ns, sampled(l, t0, t1));
			ck_assert_uint_eq(count.n_spans, n);
			search_count_done(&count);
			if (memchr(is_match, 1, l->samples.n))
				rows_have_matches(&search, l, is_match);
			else
				ck_assert_ptr_null(search_lane(&search, 0)->near);
			n = stretches(p, cases[i].key, cases[i].begins, 0, INT64_MAX, is_match);
			walk_is(&search, l, is_match, n);
			search_done(&search);
		}
		free(is_match);
		profile_free(p);
	}
}
END_TEST

START_TEST(searches_for_no_label_say_which_there_are)
{
	struct profile *p = random_labels(0, 4);
	struct error err = ERROR_INIT;
	struct search search;

	ck_assert(!search_init(&search, p, "label:end", 9, false, &err));
	ck_assert_str_eq(err.text, "no sample has a label 'end'; there are endpoint, span");
	search_done(&search);
	err = (struct error)ERROR_INIT;
	ck_assert(!search_init(&search, p, "label:span=(", 12, false, &err));
	ck_assert_int_eq(err.kind, ERR_SYNTAX);
	search_done(&search);
	/* Plain text is plain text. */
	ck_assert(search_init(&search, p, "label:span=.", 12, true, &err));
	ck_assert(search_match(&search, BUDGET_UNLIMITED));
	ck_assert_uint_eq(search.n_functions, 0);
	search_done(&search);
	profile_free(p);
}
END_TEST

/* The time and the number of samples with a value in [t0, t1). */
static void sum_of(const struct profile *p, const char *key, const char *value, int64_t t0,
		   int64_t t1, int64_t *ns, uint64_t *n)
{
	const struct lane *l = &p->lanes[0];

	*ns = 0;
	*n = 0;
	for (size_t i = 0; i < l->samples.n; i++) {
		int64_t from = samples_time(&l->samples, i), to = samples_time(&l->samples, i + 1);

		from = from > t0 ? from : t0;
		to = to < t1 ? to : t1;
		if (l->samples.leaf[i] == NODE_ROOT || to <= from ||
		    strcmp(value_of(p, l, i, key), value) != 0)
			continue;
		*ns += to - from;
		*n += 1;
	}
}

static void shares_are(const struct profile *p, int64_t t0, int64_t t1)
{
	const struct lane *lane = &p->lanes[0];
	struct label_share *shares;
	size_t n = label_share_of(p, &lane, 1, t0, t1, true, &shares);

	for (size_t i = 0; i < n; i++) {
		int64_t all_ns = 0;

		for (size_t k = 0; k < shares[i].n; k++) {
			const struct label_part *part = &shares[i].parts[k];
			const char *key = profile_text(p, p->labels.keys[shares[i].key].name);
			uint64_t samples;
			int64_t ns;

			sum_of(p, key, profile_text(p, part->value), t0, t1, &ns, &samples);
			ck_assert_int_eq(part->ns, ns);
			ck_assert_uint_eq(part->n, samples);
			ck_assert(k == 0 || shares[i].parts[k - 1].ns >= ns);
			all_ns += ns;
		}
		ck_assert_int_eq(all_ns, shares[i].all_ns);
	}
	label_share_free(shares, n);
}

START_TEST(shares_are_the_times_of_the_samples)
{
	for (int i = 0; i < 20; i++) {
		struct profile *p = random_labels(i, 6);
		int64_t t0 = (int64_t)below(3000000), t1 = t0 + (int64_t)below(5000000);

		shares_are(p, 0, p->t1);
		shares_are(p, t0, t1);
		profile_free(p);
	}
}
END_TEST

/* `name=self/samples|` of all frames of totals, in the order of the frames. */
static void add_selves(const struct totals *t, struct buf *out)
{
	struct totals_counts counts;

	totals_counts(t, &counts);
	for (frame_id f = 1; f < t->n_frames; f++)
		if (t->frame_self[f])
			buf_addf(out, "%s=%d/%d|",
				 profile_text(t->view->profile, t->view->frames[f].name),
				 (int)t->frame_self[f], (int)counts.self_samples[f]);
	buf_addf(out, "%d", (int)t->self_ns);
	totals_counts_done(&counts);
}

/* Totals of a view with labels are those of a view of the profile that it makes. */
static void totals_agree(const struct profile *p, const char *only, const char *group, int64_t t0,
			 int64_t t1)
{
	struct transform keep = { .kind = TRANSFORM_KEEP, .by = BY_SET };
	const struct lane *lane;
	struct error err = ERROR_INIT;
	struct scope scope;
	struct scoped scoped;
	struct view view, plain;
	struct view_work *work;
	struct totals totals;
	struct buf direct = { 0 }, made = { 0 };

	scope_all(&scope, p);
	ck_assert(!only || frame_set_match(p, only, &keep.set, &err));
	scope.transforms = &keep;
	scope.n_transforms = only != NULL;
	ck_assert(!group || view_group_find_label(p, group, &scope.group, &err));
	work = scope_view_begin(&scope, p, &view);
	view_work(work, BUDGET_UNLIMITED);
	view_end(work);
	totals_init(&totals, &view);
	totals_begin(&totals, t0, t1);
	while (!totals_step(&totals, a_step()))
		;
	add_selves(&totals, &direct);
	totals_done(&totals);
	view_done(&view);
	ck_assert(scoped_init(&scoped, p, &scope, &err));
	lane = &scoped.profile->lanes[0];
	view_init_lane(&plain, scoped.profile, lane);
	totals_init(&totals, &plain);
	totals_compute(&totals, t0, t1);
	add_selves(&totals, &made);
	ck_assert_str_eq(buf_text(&direct), buf_text(&made));
	totals_done(&totals);
	view_done(&plain);
	scoped_done(&scoped);
	scope.transforms = NULL;
	scope.n_transforms = 0;
	scope_done(&scope);
	match_set_done(&keep.set);
	buf_done(&direct);
	buf_done(&made);
}

START_TEST(totals_know_labels)
{
	for (int i = 0; i < 20; i++) {
		struct profile *p = random_labels(i, 4);
		int64_t t0 = (int64_t)below(3000000), t1 = t0 + (int64_t)below(5000000);

		totals_agree(p, NULL, "span", 0, p->t1);
		totals_agree(p, NULL, "span", t0, t1);
		totals_agree(p, "label:endpoint=GET", NULL, t0, t1);
		totals_agree(p, "label:endpoint=GET", "span", t0, t1);
		profile_free(p);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "searches", SUITE_SECONDS);

	tcase_add_test(t, searches_find_samples_by_label);
	tcase_add_test(t, searches_for_no_label_say_which_there_are);
	tcase_add_test(t, shares_are_the_times_of_the_samples);
	tcase_add_test(t, totals_know_labels);
}

int main(void)
{
	return suite_run("label_search", add_tests);
}
