/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "analyse/fleet.h"

#include "analyse/compare/compare.h"
#include "base/alloc.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

/* ---- the table ---- */

/* Below 0 if text a stands before b: by text, and by number where both have digits. */
static int text_order(const char *a, const char *b)
{
	while (*a && *b) {
		size_t n = strspn(a, "0123456789"), m = strspn(b, "0123456789");

		if (n && m && n != m)
			return n < m ? -1 : 1;
		if (*a != *b)
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		a++;
		b++;
	}
	return SORT_BY_1(*a, *b);
}

static bool col_before(const void *x, const void *y, const void *ctx)
{
	const struct intern *strings = ctx;

	return text_order(intern_text(strings, *(const str_id *)x),
			  intern_text(strings, *(const str_id *)y)) < 0;
}

static str_id value_of(const struct fleet_table *t, const struct fleet_group *g)
{
	return t->axis == FLEET_BY_HOST ? g->host : g->version;
}

static bool has_group(const struct fleet_group *g, enum fleet_side side)
{
	return side == FLEET_NO_SIDE || g->side == side;
}

/* By group, its column. The caller frees it. */
static size_t *find_cols(struct fleet_table *t, enum fleet_side side)
{
	const struct fleet *f = t->fleet;
	size_t *col = xcalloc(f->n_groups, sizeof *col);
	ALLOC_LOCAL size_t *col_of = xcalloc(f->strings.n, sizeof *col_of);

	t->cols = xcalloc(f->n_groups, sizeof *t->cols);
	for (size_t g = 0; g < f->n_groups; g++) {
		str_id value = value_of(t, &f->groups[g]);

		if (!has_group(&f->groups[g], side) || col_of[value])
			continue;
		t->cols[t->n_cols++] = value;
		col_of[value] = t->n_cols;
	}
	sort_stable(t->cols, t->n_cols, sizeof *t->cols, col_before, &f->strings);
	for (size_t c = 0; c < t->n_cols; c++)
		col_of[t->cols[c]] = c;
	for (size_t g = 0; g < f->n_groups; g++)
		if (has_group(&f->groups[g], side))
			col[g] = col_of[value_of(t, &f->groups[g])];
	return col;
}

/* What is in a table, and in which columns: groups or bins. */
struct sources {
	size_t n;
	struct source {
		const struct fleet_facts *facts;
		const struct fleet_cells *cells;
		size_t col;
	} * list;
};

static struct sources find_sources(struct fleet_table *t, enum fleet_side side)
{
	const struct fleet *f = t->fleet;
	bool is_bins = t->axis == FLEET_BY_BIN;
	ALLOC_LOCAL size_t *col = is_bins ? NULL : find_cols(t, side);
	struct sources s = { .list = xcalloc(f->n_groups + f->n_bins, sizeof *s.list) };

	for (size_t g = 0; !is_bins && g < f->n_groups; g++)
		if (has_group(&f->groups[g], side))
			s.list[s.n++] = (struct source){ &f->groups[g].facts, &f->groups[g].cells,
							 col[g] };
	if (!is_bins)
		return s;
	t->cols = xcalloc(f->n_bins, sizeof *t->cols);
	for (size_t b = 0; b < f->n_bins; b++) {
		t->cols[t->n_cols++] = f->bins[b].value;
		s.list[s.n++] = (struct source){ &f->bins[b].facts, &f->bins[b].cells, b };
	}
	return s;
}

/* A function as a row: what orders it. */
struct row {
	uint32_t function;
	double median;
	int64_t sum;
};

SORT_BEFORE(row_before, struct row,
	    x->median > y->median || (x->median >= y->median && x->sum > y->sum))

/* The functions of a table, those with the most own time first. The caller frees them. */
static struct row *find_rows(struct fleet_table *t, const struct sources *s)
{
	const struct fleet *f = t->fleet;
	struct row *rows = xcalloc(f->n_functions, sizeof *rows);
	ALLOC_LOCAL int64_t *sum = xcalloc(f->n_functions, sizeof *sum);
	ALLOC_LOCAL bool *is_there = xcalloc(f->n_functions, sizeof *is_there);

	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < s->list[i].cells->n; k++) {
			const struct fleet_cell *cell = &s->list[i].cells->list[k];

			is_there[cell->function] = true;
			sum[cell->function] = units_sum(sum[cell->function], cell->self_ns);
		}
	for (uint32_t i = 0; i < f->n_functions; i++)
		if (is_there[i] && f->functions[i].category != CATEGORY_IDLE)
			rows[t->n_rows++] = (struct row){ i, 0, sum[i] };
	sort_stable(rows, t->n_rows, sizeof *rows, row_before, NULL);
	if (t->n_cols && t->n_rows > FLEET_CELLS_MAX / t->n_cols)
		t->n_rows = FLEET_CELLS_MAX / t->n_cols;
	return rows;
}

/* Add up all cells, of rows in their order. */
static void fill_cells(struct fleet_table *t, const struct sources *s, const struct row *rows)
{
	size_t n = t->n_rows * t->n_cols;
	ALLOC_LOCAL size_t *place = xcalloc(t->fleet->n_functions, sizeof *place);

	t->self_ns = xcalloc(n, sizeof *t->self_ns);
	t->total_ns = xcalloc(n, sizeof *t->total_ns);
	t->n_profiles = xcalloc(n, sizeof *t->n_profiles);
	t->rows = xcalloc(t->n_rows, sizeof *t->rows);
	for (size_t r = 0; r < t->n_rows; r++) {
		t->rows[r] = rows[r].function;
		place[rows[r].function] = r + 1;
	}
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < s->list[i].cells->n; k++) {
			const struct fleet_cell *cell = &s->list[i].cells->list[k];
			size_t row = place[cell->function], at;

			if (!row)
				continue;
			at = (row - 1) * t->n_cols + s->list[i].col;
			t->self_ns[at] = units_sum(t->self_ns[at], cell->self_ns);
			t->total_ns[at] = units_sum(t->total_ns[at], cell->total_ns);
			t->n_profiles[at] += cell->n_profiles;
		}
}

/* The median share of a row over the columns that have busy time. */
static double row_median(const struct fleet_table *t, size_t row, double *shares)
{
	uint32_t n = 0;

	for (size_t c = 0; c < t->n_cols; c++)
		if (t->facts[c].busy_ns > 0)
			shares[n++] = fleet_table_share(t, row, c, false);
	return compare_stats_median(shares, n);
}

static void free_cells(struct fleet_table *t)
{
	free(t->self_ns);
	free(t->total_ns);
	free(t->n_profiles);
	free(t->rows);
}

void fleet_table_init(struct fleet_table *t, const struct fleet *fleet, enum fleet_axis axis,
		      enum fleet_side side)
{
	struct sources s;
	ALLOC_LOCAL struct row *rows = NULL;
	ALLOC_LOCAL double *shares = NULL;

	*t = (struct fleet_table){ .fleet = fleet, .axis = axis };
	s = find_sources(t, side);
	t->facts = xcalloc(t->n_cols, sizeof *t->facts);
	for (size_t i = 0; i < s.n; i++)
		fleet_facts_add(&t->facts[s.list[i].col], s.list[i].facts);
	rows = find_rows(t, &s);
	fill_cells(t, &s, rows);
	shares = xcalloc(t->n_cols, sizeof *shares);
	for (size_t r = 0; r < t->n_rows; r++)
		rows[r].median = row_median(t, r, shares);
	sort_stable(rows, t->n_rows, sizeof *rows, row_before, NULL);
	free_cells(t);
	fill_cells(t, &s, rows);
	free(s.list);
}

void fleet_table_done(struct fleet_table *t)
{
	free(t->cols);
	free(t->facts);
	free_cells(t);
	*t = (struct fleet_table){ 0 };
}

double fleet_table_share(const struct fleet_table *t, size_t row, size_t col, bool is_total)
{
	size_t at = row * t->n_cols + col;
	int64_t busy = t->facts[col].busy_ns, ns = is_total ? t->total_ns[at] : t->self_ns[at];

	return busy > 0 ? fmin(1, fmax(0, (double)ns / (double)busy)) : 0;
}

/* ---- judged columns ----
 *
 * Columns are compared by the logits of their shares: of all functions of a column, the one that
 * changed the others has the largest change then. */

#define POINTS 0.02      /* of the whole: smaller differences are not said */
#define OFFSET 0.005     /* keeps the logit of small shares from being all noise */
#define WORK_MIN 200     /* busy samples; */
#define WORK_PART 0.1    /* and of the usual busy time */
#define QUALITY_MIN 0.5  /* of the samples that were expected, compared with the others */
#define QUALITY_GOOD 0.9 /* what (program) says is about the program, and not about the sampler */
#define PROGRAM_TOO_MUCH 0.2 /* above that of the others, without good quality */
#define SAMPLES_IN_A_ROW 3   /* that are of one call, on average: they count as one */
#define SPREAD_USUAL 0.08    /* of the logits of a function, at least, one standard deviation; */
#define SPREAD_WEIGHT 8      /* as sure as that of this number of columns */
#define MAD_TO_SD 1.4826     /* of a normal distribution */
#define MAD_FREEDOM 0.4 /* what a median absolute deviation knows of the spread, to a variance */

struct judge {
	const struct fleet_table *table;
	size_t *cols; /* that are judged; all arrays by column are by their places here */
	size_t n;
	double *quality, *work; /* by column: from 0 to 1; busy samples */
	double *rest;           /* by column: the part of the whole that is left to compare */
	size_t *rows;           /* that are compared */
	size_t n_rows;
	double *shares; /* by row and column */
	double *list;   /* room for a number of each column */
	double spread;  /* the usual one of all rows */
};

static double part_of(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static double busy_samples(const struct fleet_facts *f)
{
	double busy = (double)f->busy_ns, all = busy + (double)f->idle_ns;

	return (double)f->n_samples * part_of(busy, all);
}

static double arrived(const struct fleet_facts *f)
{
	return f->n_expected ? (double)f->n_samples / (double)f->n_expected : 1;
}

static double program_share(const struct fleet_facts *f)
{
	return part_of((double)f->program_ns, (double)f->busy_ns);
}

/* The median of a figure over the columns that have busy time. */
static double usual(const struct judge *j, double (*figure)(const struct fleet_facts *))
{
	const struct fleet_table *t = j->table;
	uint32_t n = 0;

	for (size_t c = 0; c < t->n_cols; c++)
		if (t->facts[c].busy_ns > 0)
			j->list[n++] = figure(&t->facts[c]);
	return compare_stats_median(j->list, n);
}

static double busy_time(const struct fleet_facts *f)
{
	return (double)f->busy_ns;
}

/* Divide the columns. unjudged: has room for all of them. Returns how many those are. */
static size_t judge_columns(struct judge *j, struct fleet_unjudged *unjudged)
{
	const struct fleet_table *t = j->table;
	double busy = usual(j, busy_time), all_arrived = usual(j, arrived);
	double program = usual(j, program_share);
	size_t n = 0;

	for (size_t c = 0; c < t->n_cols; c++) {
		const struct fleet_facts *f = &t->facts[c];
		double gap = part_of((double)f->gap_ns, (double)f->length_ns);
		double quality = fmin(1, part_of(arrived(f), all_arrived)) * fmax(0, 1 - gap);
		double work = busy_samples(f);

		if (work < WORK_MIN || busy_time(f) < busy * WORK_PART) {
			unjudged[n++] = (struct fleet_unjudged){ c, FLEET_LITTLE_WORK };
		} else if (quality < QUALITY_MIN ||
			   (quality < QUALITY_GOOD &&
			    program_share(f) > program + PROGRAM_TOO_MUCH)) {
			unjudged[n++] = (struct fleet_unjudged){ c, FLEET_BAD_SAMPLING };
		} else {
			j->quality[j->n] = quality;
			j->work[j->n] = work;
			j->cols[j->n++] = c;
		}
	}
	return n;
}

static double *shares_of(const struct judge *j, size_t i)
{
	return j->shares + i * j->n;
}

static double logit(const struct judge *j, size_t i, size_t col)
{
	double share = fmin(1, part_of(shares_of(j, i)[col], j->rest[col]));

	return log((share + OFFSET) / (1 - share + OFFSET));
}

/* The median absolute deviation of n numbers from their median, which it replaces by the
 * deviations, as a standard deviation. */
static double spread_of(double *list, size_t n, double *median)
{
	*median = compare_stats_median(list, (uint32_t)n);
	for (size_t i = 0; i < n; i++)
		list[i] = fabs(list[i] - *median);
	return MAD_TO_SD * compare_stats_median(list, (uint32_t)n);
}

/* A spread that few columns tell, with what the other functions tell. */
static double sure_spread(const struct judge *j, double spread, size_t n)
{
	double sure = MAD_FREEDOM * (double)n;

	return fmax(spread,
		    sqrt((sure * spread * spread + SPREAD_WEIGHT * j->spread * j->spread) /
			 (sure + SPREAD_WEIGHT)));
}

static void restore_rest(struct judge *j)
{
	for (size_t c = 0; c < j->n; c++)
		j->rest[c] = 1;
}

/* From now on, the others are compared as parts of what the row leaves. */
static void take_out(struct judge *j, size_t i)
{
	for (size_t c = 0; c < j->n; c++)
		j->rest[c] = fmax(OFFSET, j->rest[c] - shares_of(j, i)[c]);
}

/* The rows to compare: those that have some points in a column. */
static void judge_rows(struct judge *j)
{
	const struct fleet_table *t = j->table;
	ALLOC_LOCAL double *spreads = xcalloc(t->n_rows, sizeof *spreads);
	double median;

	j->rows = xcalloc(t->n_rows, sizeof *j->rows);
	for (size_t r = 0; r < t->n_rows; r++) {
		bool has_points = false;

		for (size_t c = 0; c < j->n && !has_points; c++)
			has_points = fleet_table_share(t, r, j->cols[c], false) >= POINTS;
		if (has_points)
			j->rows[j->n_rows++] = r;
	}
	j->shares = xcalloc(j->n_rows * j->n, sizeof *j->shares);
	restore_rest(j);
	for (size_t i = 0; i < j->n_rows; i++) {
		for (size_t c = 0; c < j->n; c++) {
			shares_of(j, i)[c] = fleet_table_share(t, j->rows[i], j->cols[c], false);
			j->list[c] = logit(j, i, c);
		}
		spreads[i] = spread_of(j->list, j->n, &median);
	}
	j->spread = fmax(SPREAD_USUAL, compare_stats_median(spreads, (uint32_t)j->n_rows));
}

/* Returns the number of columns that are not judged. */
static size_t judge_init(struct judge *j, const struct fleet_table *t,
			 struct fleet_unjudged *unjudged)
{
	size_t n_unjudged;

	*j = (struct judge){ .table = t };
	j->cols = xcalloc(t->n_cols, sizeof *j->cols);
	j->quality = xcalloc(t->n_cols, sizeof *j->quality);
	j->work = xcalloc(t->n_cols, sizeof *j->work);
	j->rest = xcalloc(t->n_cols, sizeof *j->rest);
	j->list = xcalloc(t->n_cols, sizeof *j->list);
	n_unjudged = judge_columns(j, unjudged);
	judge_rows(j);
	return n_unjudged;
}

static void judge_done(struct judge *j)
{
	free(j->cols);
	free(j->quality);
	free(j->work);
	free(j->rest);
	free(j->rows);
	free(j->shares);
	free(j->list);
}

/* The two-sided p of a value of Student's t distribution: by the normal one, after Wallace. */
static double student_p(double t, double freedom)
{
	double z = (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log1p(t * t / freedom));

	return erfc(z / sqrt(2));
}

/* ---- different ---- */

#define HOSTS_MIN 4     /* that are judged */
#define HOST_LEVEL 0.01 /* the chance that any host of a fleet is named though none is odd */
#define HOST_MAYBE 2.5  /* scores below this are not looked at closely */
#define HOSTS_ALIKE 4   /* if more than 1 in 4 stand out, they are a group */
#define PROFILES_PART 4 /* 1 recording in 4 has what its host takes more of */

/* Compare a host with the others, as parts of what is left. Whether it stands out. points: set to
 * the difference of the parts. */
static bool stands_out(const struct judge *j, size_t i, size_t col, struct fleet_outlier *out,
		       double *points)
{
	const struct fleet_table *t = j->table;
	const struct fleet_facts *facts = &t->facts[j->cols[col]];
	const double *shares = shares_of(j, i);
	double part = part_of(shares[col], j->rest[col]), middle, median, spread, at, error, tests;
	double sure = MAD_FREEDOM * (double)(j->n - 1) + SPREAD_WEIGHT;
	bool is_program = t->fleet->functions[t->rows[j->rows[i]]].category == CATEGORY_PROGRAM;
	size_t n = 0;

	for (size_t c = 0; c < j->n; c++)
		if (c != col)
			j->list[n++] = shares[c];
	out->median = compare_stats_median(j->list, (uint32_t)n);
	n = 0;
	for (size_t c = 0; c < j->n; c++)
		if (c != col)
			j->list[n++] = logit(j, i, c);
	spread = sure_spread(j, spread_of(j->list, n, &median), n);
	/* The share that the others would have it at. */
	middle = fmin(1, fmax(1 / j->work[col], (1 + 2 * OFFSET) / (1 + exp(-median)) - OFFSET));
	error = sqrt(SAMPLES_IN_A_ROW * middle * (1 - middle) / (j->work[col] * j->rest[col])) /
		((middle + OFFSET) * (1 - middle + OFFSET));
	at = logit(j, i, col) - median;
	out->share = shares[col];
	out->score = fabs(at) / sqrt(spread * spread + error * error) * j->quality[col];
	*points = part - middle;
	tests = (double)j->n_rows * (double)j->n;
	return student_p(out->score, sure) * tests < HOST_LEVEL &&
		(out->share - out->median) * at > 0 &&
		fmin(fabs(*points), fabs(out->share - out->median)) -
			part_of((double)facts->gap_ns, (double)facts->busy_ns) >=
		POINTS &&
		(!is_program || j->quality[col] >= QUALITY_GOOD) &&
		(at < 0 || (uint64_t)out->n_with * PROFILES_PART >= out->n_profiles);
}

/* Which rows may stand out in a column, by all columns together: by row and column. The caller
 * frees it. */
static bool *find_maybe(const struct judge *j)
{
	bool *maybe = xcalloc(j->n_rows * j->n, sizeof *maybe);

	for (size_t i = 0; i < j->n_rows; i++) {
		double spread, median,
			middle = compare_stats_median(shares_of(j, i), (uint32_t)j->n);

		for (size_t c = 0; c < j->n; c++)
			j->list[c] = logit(j, i, c);
		spread = sure_spread(j, spread_of(j->list, j->n, &median), j->n);
		for (size_t c = 0; c < j->n; c++)
			maybe[i * j->n + c] = fabs(logit(j, i, c) - median) >=
					HOST_MAYBE * spread &&
				fabs(shares_of(j, i)[c] - middle) >= POINTS / 2;
	}
	return maybe;
}

/* The outliers of a host: what changed by the most points first, then what stands out as a part of
 * the rest. */
static void find_outliers_of(struct judge *j, size_t col, bool *maybe, struct fleet_answers *a,
			     size_t *cap)
{
	const struct fleet_table *t = j->table;

	restore_rest(j);
	for (;;) {
		struct fleet_outlier best = { 0 };
		double most = 0, points;
		size_t at = 0;

		for (size_t i = 0; i < j->n_rows; i++) {
			size_t row = j->rows[i];
			struct fleet_outlier one = { .function = t->rows[row],
						     .col = j->cols[col] };

			if (!maybe[i * j->n + col])
				continue;
			one.n_profiles = t->facts[one.col].n_profiles;
			one.n_with = t->n_profiles[row * t->n_cols + one.col];
			if (!stands_out(j, i, col, &one, &points) || fabs(points) <= most)
				continue;
			most = fabs(points);
			best = one;
			at = i;
		}
		if (most <= 0)
			return;
		maybe[at * j->n + col] = false;
		take_out(j, at);
		*ARRAY_ADD(a->outliers, a->n_outliers, *cap) = best;
	}
}

SORT_BEFORE(outlier_before, struct fleet_outlier, x->score > y->score)

static void find_outliers(struct judge *j, struct fleet_answers *a)
{
	size_t cap = 0, n = 0;
	ALLOC_LOCAL bool *maybe = NULL;
	ALLOC_LOCAL uint32_t *n_hosts = xcalloc(j->table->fleet->n_functions, sizeof *n_hosts);

	if (j->n < HOSTS_MIN)
		return;
	maybe = find_maybe(j);
	for (size_t c = 0; c < j->n; c++)
		find_outliers_of(j, c, maybe, a, &cap);
	for (size_t i = 0; i < a->n_outliers; i++)
		n_hosts[a->outliers[i].function]++;
	for (size_t i = 0; i < a->n_outliers; i++)
		if (n_hosts[a->outliers[i].function] * HOSTS_ALIKE <= j->n)
			a->outliers[n++] = a->outliers[i];
	a->n_outliers = n;
	sort_stable(a->outliers, a->n_outliers, sizeof *a->outliers, outlier_before, NULL);
}

/* ---- the heaviest ---- */

SORT_BEFORE(top_before, struct fleet_top, x->median > y->median)

/* Whether a host stands out by a function. */
static bool is_outlier(const struct fleet_answers *a, uint32_t function, size_t col)
{
	for (size_t i = 0; i < a->n_outliers; i++)
		if (a->outliers[i].function == function && a->outliers[i].col == col)
			return true;
	return false;
}

static void find_tops(const struct judge *j, struct fleet_answers *a)
{
	const struct fleet_table *t = &a->hosts;

	a->tops = xcalloc(t->n_rows, sizeof *a->tops);
	for (size_t r = 0; r < t->n_rows; r++) {
		struct fleet_top top = { .function = t->rows[r],
					 .least = 1,
					 .n_all = (uint32_t)j->n };

		for (size_t c = 0; c < j->n; c++) {
			double share = fleet_table_share(t, r, j->cols[c], false);

			j->list[c] = share;
			if (is_outlier(a, top.function, j->cols[c]))
				continue;
			top.least = fmin(top.least, share);
			top.most = fmax(top.most, share);
			top.n_hosts++;
		}
		top.median = compare_stats_median(j->list, (uint32_t)j->n);
		if (top.median > 0)
			a->tops[a->n_tops++] = top;
	}
	sort_stable(a->tops, a->n_tops, sizeof *a->tops, top_before, NULL);
}

/* ---- since ----
 *
 * The rank sums on both sides of a break differ. How much those of random orders differ at their
 * best places tells p, which so counts for all places. The break is where the means differ most. A
 * slow change and a rhythm of a day or a week must not explain it; it must be there at once, and
 * stay.
 */

#define BREAK_LEVEL 0.05
#define BREAK_SURE 0.001     /* the p of the step beside the rhythm */
#define BREAK_SIDE 3         /* bins on each side, at least, */
#define BREAK_BINS 8         /* and on both */
#define BREAK_MEAN 0.01      /* the mean share of a function, at least */
#define BREAK_SHARP 0.5      /* of the step is between the bins next to it */
#define ORDERS 20000         /* random ones, */
#define ORDERS_WORK 20000000 /* unless their bins are more than this */
#define HOUR 3600.0
#define DAY (24 * HOUR)
#define WAVES 16 /* more than the waves of a rhythm, with both of their phases */

static double mean_of(const double *list, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += list[i];
	return part_of(sum, (double)n);
}

/* Where the means of n numbers on both sides differ most; returns how much: of ranks, in standard
 * deviations of a random order. */
static double scan(const double *rank, size_t n, size_t *place)
{
	double sum = 0, mean = mean_of(rank, n), best = 0;

	*place = 0;
	for (size_t k = 1; k + BREAK_SIDE <= n; k++) {
		double all = (double)n, some = (double)k, score;

		sum += rank[k - 1] - mean;
		score = fabs(sum) / sqrt(some * (all - some) * (all + 1) / 12);
		if (k >= BREAK_SIDE && score > best) {
			best = score;
			*place = k;
		}
	}
	return best;
}

static uint64_t next_random(uint64_t *state)
{
	return hash_u64(++*state);
}

/* What scan() gives for random orders of n ranks, n_orders of them. The caller frees it. */
static double *scan_orders(size_t n, size_t *n_orders)
{
	size_t count = ORDERS_WORK / n < ORDERS ? ORDERS_WORK / n + 1 : ORDERS, place;
	double *scores = xcalloc(count, sizeof *scores);
	ALLOC_LOCAL double *rank = xcalloc(n, sizeof *rank);
	uint64_t state = n;

	for (size_t i = 0; i < n; i++)
		rank[i] = (double)i + 1;
	for (size_t o = 0; o < count; o++) {
		for (size_t i = n - 1; i > 0; i--) {
			size_t other = next_random(&state) % (i + 1);
			double one = rank[i];

			rank[i] = rank[other];
			rank[other] = one;
		}
		scores[o] = scan(rank, n, &place);
	}
	*n_orders = count;
	return scores;
}

static double scan_p(const double *orders, size_t n_orders, double score)
{
	size_t n_above = 1;

	for (size_t i = 0; i < n_orders; i++)
		n_above += orders[i] >= score;
	return (double)n_above / (double)(n_orders + 1);
}

/* Ranks of n numbers, from 1 on; equal ones share the mean of theirs. */
static void find_ranks(const double *list, size_t n, double *rank)
{
	for (size_t i = 0; i < n; i++) {
		size_t below = 0, equal = 0;

		for (size_t k = 0; k < n; k++) {
			below += list[k] < list[i];
			equal += list[k] <= list[i] && list[k] >= list[i];
		}
		rank[i] = (double)below + ((double)equal + 1) / 2;
	}
}

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Take out of `list` what the vector explains, which has the length 1, or 0. */
static void remove_part(double *list, const double *vector, size_t n)
{
	double part = dot(list, vector, n);

	for (size_t i = 0; i < n; i++)
		list[i] -= part * vector[i];
}

/* Make a vector orthogonal to those before it, and of the length 1, or 0. */
static void finish_wave(double *waves, size_t n_waves, size_t n)
{
	double *wave = waves + n_waves * n, length;

	for (size_t v = 0; v < n_waves; v++)
		remove_part(wave, waves + v * n, n);
	length = sqrt(dot(wave, wave, n));
	for (size_t i = 0; i < n; i++)
		wave[i] = length > 1e-6 ? wave[i] / length : 0;
}

/* Orthogonal vectors of a constant, of a slow change, and of the rhythms of a day and a week, as
 * far as bins at these times can show them: n numbers each. Returns how many. */
static size_t find_waves(const double *at, size_t n, double *waves)
{
	static const double period[] = { DAY, 7 * DAY };
	double span = at[n - 1] - at[0], each = span / (double)(n - 1);
	size_t n_waves = 2;

	for (size_t i = 0; i < n; i++) {
		waves[i] = 1;
		waves[n + i] = part_of(at[i], span);
	}
	finish_wave(waves, 0, n);
	finish_wave(waves, 1, n);
	for (size_t p = 0; p < ARRAY_LEN(period); p++) {
		size_t most = span < period[p] * 1.5 ? 1 : 3;

		if (each > period[p] / 4 || (p && span < period[p] / 2))
			continue;
		for (size_t w = 0; w < 2 * most && n_waves + 5 < n; w++) {
			double turns = 2 * acos(-1) / period[p] * (double)(w - w % 2 + 2) / 2;

			for (size_t i = 0; i < n; i++)
				waves[n_waves * n + i] = w % 2 ? sin(turns * at[i])
							       : cos(turns * at[i]);
			finish_wave(waves, n_waves++, n);
		}
	}
	return n_waves;
}

/* The p of a step at a place, beside the rhythms. */
static double step_p(const double *list, size_t n, size_t place, const double *waves,
		     size_t n_waves)
{
	ALLOC_LOCAL double *step = xcalloc(n, sizeof *step);
	ALLOC_LOCAL double *rest = xcalloc(n, sizeof *rest);
	double length, size, left, alike, freedom = (double)(n - n_waves - 1);

	memcpy(rest, list, n * sizeof *rest);
	for (size_t i = place; i < n; i++)
		step[i] = 1;
	for (size_t w = 0; w < n_waves; w++) {
		remove_part(step, waves + w * n, n);
		remove_part(rest, waves + w * n, n);
	}
	length = sqrt(dot(step, step, n));
	if (length < 1e-6)
		return 1;
	for (size_t i = 0; i < n; i++)
		step[i] /= length;
	size = dot(step, rest, n);
	remove_part(rest, step, n);
	left = dot(rest, rest, n);
	/* Neighbours that are alike are worth fewer bins. */
	alike = fmin(0.9, fmax(0, part_of(dot(rest, rest + 1, n - 1), left)));
	return left > 0
		? student_p(size / sqrt(left / freedom * (1 + alike) / (1 - alike)), freedom)
		: 0;
}

struct breaks {
	struct judge judge;
	double *at; /* by column: seconds since the first */
	double *orders;
	size_t n_orders;
	double *waves;
	size_t n_waves, n_tests;
	double *list, *rank; /* by column */
};

/* Whether the step is there at once, and stays until the end. */
static bool is_step(const double *shares, size_t n, size_t place, double before, double after)
{
	double step = after - before, middle = before + step / 2;
	double left = compare_stats_median(shares + place - BREAK_SIDE, BREAK_SIDE);
	double right = compare_stats_median(shares + place, BREAK_SIDE);
	double first = compare_stats_median(shares, BREAK_SIDE);
	double last = compare_stats_median(shares + n - BREAK_SIDE, BREAK_SIDE);

	return (right - left) / step >= BREAK_SHARP && (last - middle) * step > 0 &&
		(middle - first) * step > 0;
}

/* Find the break of a row, as a part of what is left. size: set to the difference of the parts. */
static bool find_break(struct breaks *b, size_t i, struct fleet_break *found, double *size)
{
	struct judge *j = &b->judge;
	const double *shares = shares_of(j, i);
	size_t n = j->n, place, after;
	double before;

	for (size_t c = 0; c < n; c++)
		b->list[c] = part_of(shares[c], j->rest[c]);
	find_ranks(b->list, n, b->rank);
	found->p = scan_p(b->orders, b->n_orders, scan(b->rank, n, &place)) * (double)b->n_tests;
	scan(b->list, n, &place);
	if (found->p >= BREAK_LEVEL || place < BREAK_SIDE)
		return false;
	after = n - place;
	found->bin = j->cols[place];
	before = compare_stats_median(b->list, (uint32_t)place);
	*size = compare_stats_median(b->list + place, (uint32_t)after) - before;
	found->before = compare_stats_median(shares, (uint32_t)place);
	found->after = compare_stats_median(shares + place, (uint32_t)after);
	if (fmin(fabs(*size), fabs(found->after - found->before)) < POINTS ||
	    *size * (found->after - found->before) <= 0 ||
	    !is_step(b->list, n, place, before, before + *size))
		return false;
	for (size_t c = 0; c < n; c++)
		b->list[c] = logit(j, i, c);
	return step_p(b->list, n, place, b->waves, b->n_waves) < BREAK_SURE;
}

static void breaks_init(struct breaks *b, const struct fleet *fleet, const struct fleet_table *t)
{
	struct judge *j = &b->judge;
	ALLOC_LOCAL struct fleet_unjudged *unjudged = xcalloc(t->n_cols, sizeof *unjudged);

	judge_init(j, t, unjudged);
	b->at = xcalloc(j->n, sizeof *b->at);
	b->list = xcalloc(j->n, sizeof *b->list);
	b->rank = xcalloc(j->n, sizeof *b->rank);
	for (size_t c = 0; c < j->n; c++)
		b->at[c] = (double)(fleet->bins[j->cols[c]].at - fleet->bins[j->cols[0]].at);
	if (j->n < BREAK_BINS)
		return;
	b->orders = scan_orders(j->n, &b->n_orders);
	b->waves = xcalloc(j->n * WAVES, sizeof *b->waves);
	b->n_waves = find_waves(b->at, j->n, b->waves);
	for (size_t i = 0; i < j->n_rows; i++)
		b->n_tests += mean_of(shares_of(j, i), j->n) >= BREAK_MEAN;
}

SORT_BEFORE(break_before, struct fleet_break,
	    fabs(x->after - x->before) > fabs(y->after - y->before))

/* The largest break, then those that are left as parts of the rest. */
static void find_breaks(struct breaks *b, struct fleet_answers *a)
{
	struct judge *j = &b->judge;
	ALLOC_LOCAL bool *is_named = xcalloc(j->n_rows, sizeof *is_named);
	size_t cap = 0;

	for (size_t at = 0; b->n_orders && at < j->n_rows;) {
		struct fleet_break best = { 0 };
		double most = 0, size;

		at = j->n_rows;
		for (size_t i = 0; i < j->n_rows; i++) {
			struct fleet_break one = { .function = j->table->rows[j->rows[i]] };

			if (is_named[i] || mean_of(shares_of(j, i), j->n) < BREAK_MEAN ||
			    !find_break(b, i, &one, &size) || fabs(size) <= most)
				continue;
			most = fabs(size);
			best = one;
			at = i;
		}
		if (at == j->n_rows)
			break;
		is_named[at] = true;
		take_out(j, at);
		*ARRAY_ADD(a->breaks, a->n_breaks, cap) = best;
	}
	sort_stable(a->breaks, a->n_breaks, sizeof *a->breaks, break_before, NULL);
}

static void since(struct fleet_answers *a, const struct fleet *fleet)
{
	struct fleet_table bins;
	struct breaks b = { 0 };

	if (!fleet->has_times || fleet->n_bins < BREAK_BINS)
		return;
	fleet_table_init(&bins, fleet, FLEET_BY_BIN, FLEET_NO_SIDE);
	breaks_init(&b, fleet, &bins);
	find_breaks(&b, a);
	judge_done(&b.judge);
	free(b.at);
	free(b.orders);
	free(b.waves);
	free(b.list);
	free(b.rank);
	fleet_table_done(&bins);
}

void fleet_answers_init(struct fleet_answers *a, const struct fleet *fleet)
{
	struct judge judge;

	*a = (struct fleet_answers){ 0 };
	fleet_table_init(&a->hosts, fleet, FLEET_BY_HOST, FLEET_NO_SIDE);
	a->unjudged = xcalloc(a->hosts.n_cols, sizeof *a->unjudged);
	a->n_unjudged = judge_init(&judge, &a->hosts, a->unjudged);
	find_outliers(&judge, a);
	find_tops(&judge, a);
	judge_done(&judge);
	since(a, fleet);
}

void fleet_answers_done(struct fleet_answers *a)
{
	fleet_table_done(&a->hosts);
	free(a->tops);
	free(a->outliers);
	free(a->unjudged);
	free(a->breaks);
	*a = (struct fleet_answers){ 0 };
}
