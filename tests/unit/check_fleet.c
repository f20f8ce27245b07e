/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answers of a fleet, on fleets that are filled by hand. */
#include "config.h"

#include "suite.h"

#include "analyse/fleet.h"
#include "draw/fleet_grid.h"
#include "base/alloc.h"

#include <math.h>
#include <stdio.h>

#define MS INT64_C(1000000)
#define HOUR 3600
#define PROFILES 10u
#define SAMPLES 20000u

/* A fleet with functions f0, f1, ..., and (program) and (garbage collector) as the last two. */
static struct fleet *new_fleet(uint32_t n_functions)
{
	struct fleet *f = xcalloc(1, sizeof *f);
	char name[32];

	intern_init(&f->strings);
	f->n_functions = n_functions;
	f->functions = xcalloc(n_functions, sizeof *f->functions);
	for (uint32_t i = 0; i < n_functions; i++) {
		snprintf(name, sizeof name, "f%u", i);
		f->functions[i].name = intern_adds(&f->strings, name);
	}
	f->functions[n_functions - 2].category = CATEGORY_PROGRAM;
	f->functions[n_functions - 1].category = CATEGORY_GC;
	return f;
}

/* Facts of a host that is busy half of the time, with a sample every ms. */
static struct fleet_facts facts_of(uint32_t n_samples)
{
	return (struct fleet_facts){ .n_profiles = PROFILES,
				     .n_samples = n_samples,
				     .n_expected = n_samples,
				     .length_ns = n_samples * MS,
				     .busy_ns = n_samples * MS / 2,
				     .idle_ns = n_samples * MS / 2,
				     .gap_ns = 2 * MS };
}

/* Cells with these shares of the busy time. */
static struct fleet_cells cells_of(const struct fleet *f, const struct fleet_facts *facts,
				   const double *shares)
{
	struct fleet_cells cells = { .list = xcalloc(f->n_functions, sizeof *cells.list) };

	for (uint32_t i = 0; i < f->n_functions; i++) {
		int64_t ns = (int64_t)(shares[i] * (double)facts->busy_ns);

		if (ns > 0)
			cells.list[cells.n++] = (struct fleet_cell){ i, facts->n_profiles, ns, ns };
	}
	return cells;
}

static struct fleet_group *add_group(struct fleet *f, const char *host, const char *version,
				     const double *shares)
{
	struct fleet_group *g;

	f->groups = xrealloc(f->groups, f->n_groups + 1, sizeof *f->groups);
	g = &f->groups[f->n_groups++];
	*g = (struct fleet_group){ .host = intern_adds(&f->strings, host),
				   .version = intern_adds(&f->strings, version),
				   .facts = facts_of(SAMPLES) };
	g->cells = cells_of(f, &g->facts, shares);
	return g;
}

static const char *text(const struct fleet *f, str_id id)
{
	return intern_text(&f->strings, id);
}

/* ---- the table ---- */

START_TEST(columns_of_hosts_and_versions)
{
	struct fleet *f = new_fleet(4);
	struct fleet_table t;

	add_group(f, "h10", "1.9.0", (double[]){ 0.5, 0.1, 0, 0 });
	add_group(f, "h10", "1.10.0", (double[]){ 0.3, 0.1, 0, 0 })->side = FLEET_AFTER;
	add_group(f, "h9", "1.9.0", (double[]){ 0, 0.6, 0, 0 });

	fleet_table_init(&t, f, FLEET_BY_HOST, FLEET_NO_SIDE);
	ck_assert_uint_eq(t.n_cols, 2);
	ck_assert_str_eq(text(f, t.cols[0]), "h9");
	ck_assert_str_eq(text(f, t.cols[1]), "h10");
	ck_assert_uint_eq(t.n_rows, 2);
	ck_assert_uint_eq(t.rows[0], 1);
	ck_assert_double_eq_tol(fleet_table_share(&t, 0, 0, false), 0.6, 1e-9);
	ck_assert_double_eq_tol(fleet_table_share(&t, 1, 1, true), 0.4, 1e-9);
	ck_assert_double_eq_tol(fleet_table_share(&t, 1, 0, false), 0, 1e-9);
	ck_assert_uint_eq(t.n_profiles[3], 2 * PROFILES);
	ck_assert_uint_eq(t.facts[1].n_samples, 2 * SAMPLES);
	fleet_table_done(&t);

	fleet_table_init(&t, f, FLEET_BY_VERSION, FLEET_NO_SIDE);
	ck_assert_str_eq(text(f, t.cols[0]), "1.9.0");
	ck_assert_str_eq(text(f, t.cols[1]), "1.10.0");
	fleet_table_done(&t);

	fleet_table_init(&t, f, FLEET_BY_HOST, FLEET_AFTER);
	ck_assert_uint_eq(t.n_cols, 1);
	ck_assert_double_eq_tol(fleet_table_share(&t, 0, 0, false), 0.3, 1e-9);
	fleet_table_done(&t);
	fleet_free(f);
}
END_TEST

START_TEST(empty_tables)
{
	struct fleet *f = new_fleet(2);
	struct fleet_table t;

	for (int axis = FLEET_BY_HOST; axis <= FLEET_BY_BIN; axis++) {
		fleet_table_init(&t, f, (enum fleet_axis)axis, FLEET_NO_SIDE);
		ck_assert_uint_eq(t.n_cols + t.n_rows, 0);
		fleet_table_done(&t);
	}
	add_group(f, "a", "", (double[]){ 0.5, 0.1 })->facts.busy_ns = 0;
	fleet_table_init(&t, f, FLEET_BY_HOST, FLEET_NO_SIDE);
	ck_assert_double_eq(fleet_table_share(&t, 0, 0, false), 0);
	fleet_table_done(&t);
	fleet_free(f);
}
END_TEST

START_TEST(times_that_do_not_fit)
{
	struct fleet *f = new_fleet(2);
	struct fleet_table t;

	for (int i = 0; i < 2; i++) {
		struct fleet_group *g = add_group(f, "a", i ? "1" : "2", (double[]){ 0.5, 0.5 });

		g->facts.busy_ns = g->facts.length_ns = INT64_MAX - 1;
		g->cells.list[0].self_ns = g->cells.list[0].total_ns = INT64_MAX - 2;
	}
	fleet_table_init(&t, f, FLEET_BY_HOST, FLEET_NO_SIDE);
	ck_assert_double_eq_tol(fleet_table_share(&t, 0, 0, false), 1, 1e-9);
	ck_assert_int_eq(t.facts[0].busy_ns, INT64_MAX);
	fleet_table_done(&t);
	fleet_free(f);
}
END_TEST

/* ---- hosts ---- */

#define N_FUNCTIONS 12u

/* What the functions take on a host, or in an hour: within 10 % of the usual, and nothing is left.
 */
static void usual_shares(double *shares, uint64_t n)
{
	static const double usual[N_FUNCTIONS] = { 0.30, 0.15, 0.10, 0.08, 0.06, 0.03,
						   0.03, 0.05, 0.05, 0.05, 0.02, 0.08 };
	double sum = 0;

	for (uint32_t i = 0; i < N_FUNCTIONS; i++) {
		double noise = (double)(hash_u64(n * N_FUNCTIONS + i + 1) % 1000) / 1000;

		shares[i] = usual[i] * (0.9 + 0.2 * noise);
		sum += shares[i];
	}
	for (uint32_t i = 0; i < N_FUNCTIONS; i++)
		shares[i] /= sum;
}

/* Make a function take this share of the whole. */
static void set_share(double *shares, uint32_t function, double share)
{
	double others = 1 - shares[function];

	for (uint32_t i = 0; i < N_FUNCTIONS; i++)
		shares[i] *= (1 - share) / others;
	shares[function] = share;
}

/* Hosts h1, h2, ..., on the last of which a function takes this share; 0: as everywhere. */
static struct fleet *hosts_of(unsigned n, uint64_t seed, uint32_t function, double share)
{
	struct fleet *f = new_fleet(N_FUNCTIONS);
	double shares[N_FUNCTIONS];
	char host[32];

	for (unsigned i = 1; i <= n; i++) {
		snprintf(host, sizeof host, "h%u", i);
		usual_shares(shares, seed * 1000 + i);
		if (i == n && share > 0)
			set_share(shares, function, share);
		add_group(f, host, "", shares);
	}
	return f;
}

static void count_outliers(struct fleet *f, size_t n)
{
	struct fleet_answers a;

	fleet_answers_init(&a, f);
	ck_assert_uint_eq(a.n_outliers, n);
	fleet_answers_done(&a);
	fleet_free(f);
}

START_TEST(odd_host)
{
	struct fleet *f = hosts_of(8, (uint64_t)_i, 5, 0.2);
	struct fleet_answers a;

	fleet_answers_init(&a, f);
	/* What shrinks to make room is not named. */
	ck_assert_uint_eq(a.n_outliers, 1);
	ck_assert_uint_eq(a.outliers[0].function, 5);
	ck_assert_str_eq(text(f, a.hosts.cols[a.outliers[0].col]), "h8");
	ck_assert_double_eq_tol(a.outliers[0].share, 0.2, 1e-6);
	ck_assert_double_eq_tol(a.outliers[0].median, 0.03, 0.005);
	ck_assert_uint_eq(a.outliers[0].n_with, PROFILES);
	ck_assert_uint_eq(a.tops[0].function, 0);
	ck_assert_uint_eq(a.tops[0].n_hosts, 8);
	for (size_t i = 0; i < a.n_tops; i++) {
		ck_assert_double_le(a.tops[i].least, a.tops[i].median);
		ck_assert_double_ge(a.tops[i].most, a.tops[i].median);
		if (a.tops[i].function != 5)
			continue;
		ck_assert_uint_eq(a.tops[i].n_hosts, 7);
		ck_assert_uint_eq(a.tops[i].n_all, 8);
		ck_assert_double_lt(a.tops[i].most, 0.04);
	}
	fleet_answers_done(&a);
	fleet_free(f);
}
END_TEST

START_TEST(host_that_is_mostly_one_function)
{
	struct fleet *f = hosts_of(12, 7, 1, 0.9);
	struct fleet_answers a;

	fleet_answers_init(&a, f);
	ck_assert_uint_eq(a.n_outliers, 1);
	ck_assert_uint_eq(a.outliers[0].function, 1);
	fleet_answers_done(&a);
	fleet_free(f);
}
END_TEST

START_TEST(hosts_without_an_odd_one)
{
	count_outliers(hosts_of(4 + (unsigned)_i, (uint64_t)_i, 0, 0), 0);
}
END_TEST

START_TEST(too_few_hosts)
{
	count_outliers(hosts_of((unsigned)_i, 3, 5, 0.3), 0);
}
END_TEST

START_TEST(group_of_hosts)
{
	struct fleet *f = hosts_of(5, 1, 5, 0.2);
	double shares[N_FUNCTIONS];

	for (uint64_t i = 0; i < 2; i++) {
		usual_shares(shares, i);
		set_share(shares, 5, 0.2);
		add_group(f, i ? "x" : "y", "", shares);
	}
	count_outliers(f, 0);
}
END_TEST

/* The share that is the darkest in the grid is the largest of the hosts that are judged. */
static void check_scale(const struct fleet_answers *from)
{
	const struct fleet_table *t = &from->hosts;
	struct fleet_unjudged largest = { 0 };
	struct fleet_answers a = *from;
	uint32_t *order = xcalloc(t->n_rows, sizeof *order);
	struct fleet_grid grid = { .answers = &a, .table = t, .order = order };
	double most = 0, others = 0;

	for (size_t row = 0; row < t->n_rows; row++) {
		order[row] = (uint32_t)row;
		for (size_t col = 0; col < t->n_cols; col++)
			if (fleet_table_share(t, row, col, false) > most) {
				most = fleet_table_share(t, row, col, false);
				largest.col = col;
			}
	}
	for (size_t row = 0; row < t->n_rows; row++)
		for (size_t col = 0; col < t->n_cols; col++)
			if (col != largest.col)
				others = fmax(others, fleet_table_share(t, row, col, false));
	a.n_unjudged = 0;
	fleet_grid_place(&grid, (struct rect){ 0, 0, 60, 120 });
	ck_assert_double_eq(grid.most, most);
	a.unjudged = &largest;
	a.n_unjudged = 1;
	fleet_grid_place(&grid, (struct rect){ 0, 0, 60, 120 });
	ck_assert_double_eq(grid.most, others);
	ck_assert_double_lt(others, most);
	free(order);
}

/* What is wrong with the odd host, and how often it is named. */
static const struct guard {
	struct fleet_facts facts;
	uint32_t n_with;
	size_t n_outliers, n_unjudged;
	enum fleet_reason reason;
} guards[] = {
	{ .n_with = PROFILES, .n_outliers = 1 },
	{ .n_with = 1 },
	{ .facts = { .n_samples = 300 }, .n_with = PROFILES, .n_unjudged = 1 },
	{ .facts = { .busy_ns = SAMPLES * MS / 40 }, .n_with = PROFILES, .n_unjudged = 1 },
	{ .facts = { .n_expected = SAMPLES * 3 },
	  .n_with = PROFILES,
	  .n_unjudged = 1,
	  .reason = FLEET_BAD_SAMPLING },
	{ .facts = { .n_expected = SAMPLES * 5 / 4, .program_ns = SAMPLES * MS / 4 },
	  .n_with = PROFILES,
	  .n_unjudged = 1,
	  .reason = FLEET_BAD_SAMPLING },
	{ .facts = { .gap_ns = SAMPLES * MS / 5 }, .n_with = PROFILES },
};

START_TEST(guards_of_hosts)
{
	const struct guard *guard = &guards[_i];
	struct fleet *f = hosts_of(8, 2, 5, 0.2);
	struct fleet_group *g = &f->groups[7];
	struct fleet_answers a;

#define TAKE(member)                                                                               \
	if (guard->facts.member)                                                                   \
	g->facts.member = guard->facts.member
	TAKE(n_samples);
	TAKE(n_expected);
	TAKE(gap_ns);
	TAKE(program_ns);
	if (guard->facts.busy_ns) {
		g->facts.busy_ns = guard->facts.busy_ns;
		for (size_t i = 0; i < g->cells.n; i++)
			g->cells.list[i].self_ns /= 20;
	}
	g->cells.list[5].n_profiles = guard->n_with;
	fleet_answers_init(&a, f);
	ck_assert_uint_eq(a.n_outliers, guard->n_outliers);
	ck_assert_uint_eq(a.n_unjudged, guard->n_unjudged);
	if (a.n_unjudged) {
		ck_assert_int_eq(a.unjudged[0].reason, guard->reason);
		ck_assert_uint_eq(a.unjudged[0].col, 7);
	}
	check_scale(&a);
	fleet_answers_done(&a);
	fleet_free(f);
}
END_TEST

/* (program) is a fact as any other, but not where samples are missing. */
START_TEST(much_program)
{
	struct fleet *f = hosts_of(8, 2, 10, 0.18);

	if (_i)
		f->groups[7].facts.n_expected = SAMPLES * 5 / 4;
	count_outliers(f, _i ? 0 : 1);
}
END_TEST

START_TEST(hostile_sums)
{
	struct fleet *f = hosts_of(6, 2, 5, 0.2);
	struct fleet_answers a;

	for (size_t g = 0; g < f->n_groups; g++) {
		struct fleet_facts *facts = &f->groups[g].facts;

		facts->busy_ns = facts->idle_ns = facts->length_ns = INT64_MAX;
		facts->gap_ns = facts->program_ns = INT64_MAX;
		facts->n_samples = facts->n_expected = UINT64_MAX;
		for (size_t i = 0; i < f->groups[g].cells.n; i++)
			f->groups[g].cells.list[i].self_ns = i % 2 ? INT64_MAX : INT64_MIN;
	}
	fleet_answers_init(&a, f);
	for (size_t i = 0; i < a.n_tops; i++)
		ck_assert(a.tops[i].median > 0 && a.tops[i].median <= 1);
	fleet_answers_done(&a);
	for (size_t g = 0; g < f->n_groups; g++)
		f->groups[g].facts = (struct fleet_facts){ .n_profiles = 1 };
	fleet_answers_init(&a, f);
	ck_assert_uint_eq(a.n_outliers + a.n_tops + a.n_breaks, 0);
	ck_assert_uint_eq(a.n_unjudged, 6);
	fleet_answers_done(&a);
	fleet_free(f);
}
END_TEST

/* ---- time ---- */

enum course { FLAT, STEP, RHYTHM, EVERY_DAY, RAMP, BACK_AGAIN };

/* The share of a function in an hour, of n. */
static double share_at(enum course course, size_t hour, size_t n)
{
	size_t from = n / 2 + 1;

	switch (course) {
	case STEP:
		return hour >= from ? 0.15 : 0.03;
	case RHYTHM:
		return 0.1 + 0.06 * sin(2 * acos(-1) * (double)hour / 24);
	case EVERY_DAY:
		return hour % 24 >= 9 && hour % 24 < 18 ? 0.15 : 0.03;
	case RAMP:
		return 0.03 + 0.12 * (double)hour / (double)n;
	case BACK_AGAIN:
		return hour >= n / 3 && hour < n * 2 / 3 ? 0.15 : 0.03;
	case FLAT:
	default:
		return 0.08;
	}
}

static struct fleet *hours_of(size_t n, enum course course)
{
	struct fleet *f = new_fleet(N_FUNCTIONS);
	char value[32];

	f->bins = xcalloc(n, sizeof *f->bins);
	f->n_bins = n;
	f->has_times = true;
	for (size_t i = 0; i < n; i++) {
		struct fleet_bin *bin = &f->bins[i];
		double shares[N_FUNCTIONS];

		snprintf(value, sizeof value, "hour %zu", i);
		usual_shares(shares, 77 + i);
		set_share(shares, 4,
			  share_at(course, i, n) *
				  (0.95 + 0.1 * (double)(hash_u64(i + 1) % 100) / 100));
		*bin = (struct fleet_bin){ .at = INT64_C(1795824000) + (int64_t)i * HOUR,
					   .value = intern_adds(&f->strings, value),
					   .facts = facts_of(SAMPLES) };
		bin->cells = cells_of(f, &bin->facts, shares);
	}
	return f;
}

static const struct {
	enum course course;
	size_t n, n_breaks;
} courses[] = {
	{ FLAT, 48, 0 },      { STEP, 16, 1 },      { STEP, 48, 1 },    { STEP, 200, 1 },
	{ STEP, 7, 0 },       { STEP, 1, 0 },       { STEP, 0, 0 },     { RHYTHM, 24, 0 },
	{ RHYTHM, 36, 0 },    { RHYTHM, 72, 0 },    { RHYTHM, 200, 0 }, { EVERY_DAY, 24, 0 },
	{ EVERY_DAY, 96, 0 }, { EVERY_DAY, 39, 0 }, { RAMP, 48, 0 },    { BACK_AGAIN, 48, 0 },
};

START_TEST(breaks_in_time)
{
	size_t n = courses[_i].n;
	struct fleet *f = hours_of(n, courses[_i].course);
	struct fleet_answers a;

	fleet_answers_init(&a, f);
	ck_assert_uint_eq(a.n_breaks, courses[_i].n_breaks);
	if (a.n_breaks) {
		ck_assert_uint_eq(a.breaks[0].function, 4);
		ck_assert_uint_eq(a.breaks[0].bin, n / 2 + 1);
		ck_assert_double_eq_tol(a.breaks[0].before, 0.03, 0.005);
		ck_assert_double_eq_tol(a.breaks[0].after, 0.15, 0.01);
		ck_assert_double_lt(a.breaks[0].p, 0.05);
	}
	fleet_answers_done(&a);
	/* Values of a label have no order in time. */
	f->has_times = false;
	fleet_answers_init(&a, f);
	ck_assert_uint_eq(a.n_breaks, 0);
	fleet_answers_done(&a);
	fleet_free(f);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "table", SUITE_SECONDS);

	tcase_add_test(t, columns_of_hosts_and_versions);
	tcase_add_test(t, empty_tables);
	tcase_add_test(t, times_that_do_not_fit);

	t = suite_case(suite, "hosts", SUITE_SECONDS);
	tcase_add_loop_test(t, odd_host, 0, 10);
	tcase_add_test(t, host_that_is_mostly_one_function);
	tcase_add_loop_test(t, hosts_without_an_odd_one, 0, 40);
	tcase_add_loop_test(t, too_few_hosts, 1, 4);
	tcase_add_test(t, group_of_hosts);
	tcase_add_loop_test(t, guards_of_hosts, 0, N(guards));
	tcase_add_loop_test(t, much_program, 0, 2);
	tcase_add_test(t, hostile_sums);

	t = suite_case(suite, "time", SUITE_SECONDS);
	tcase_add_loop_test(t, breaks_in_time, 0, N(courses));
}

int main(void)
{
	return suite_run("fleet", add_tests);
}
