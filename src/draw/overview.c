/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The self time of each leaf, summed over blocks of samples (blocks.h), gives the activity of a
 * column. Stacks do not matter here, so no call tree is walked. The lane with the cursor comes
 * first: all lanes together may take much longer. */
#include "config.h"

#include "draw/overview.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/flame/flame.h"
#include "draw/flame/label.h"
#include "findings/served_time.h"
#include "model/blocks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ==== activity ====
 *
 * Self times of leaves come from blocks of samples (blocks.h). The slices of a thread that overlap
 * are on several lanes: the parts are in proportion to the self times of all of them, and together
 * they are the time of the thread, which has each moment once. A bar is rounded once, to eighths of
 * a cell, by the largest remainders; then each cell takes its eighths from the stack.
 *
 * A cell has two colours: that of its character, a block of eighths from below, and that of its
 * background. Where the page is the background, only one part can be shown. */

/* What the parts of the bars of a chart are by: enum chart_color, or, where two sides are compared,
 * ACTIVITY_CHANGE. */
#define ACTIVITY_CHANGE CHART_COLOR_COUNT
#define EIGHTHS 8
#define LOWER_BLOCK 0x2580u /* plus 1 to 8 eighths */

/* ---- measuring ---- */

struct sum {
	const struct profile *profile;
	const struct lane *lane;
	const struct frame_roles *roles;
	const uint8_t *busy;         /* by frame, of frame_roles; NULL: see `roles` */
	const struct sides *sides;   /* compared in the lane; NULL: none */
	unsigned color;              /* what the parts are by */
	int64_t of_role[ROLE_COUNT]; /* of the frames with such a role */
	int64_t ns[ACTIVITY_PARTS];
};

static const uint8_t changes[] = { ROLE_MORE_2, ROLE_MORE_1, ROLE_SAME, ROLE_LESS_1, ROLE_LESS_2 };

#define N_CHANGES ((int)ARRAY_LEN(changes))

static unsigned activity_color(const struct chart *chart)
{
	if (chart->sides)
		return ACTIVITY_CHANGE;
	return chart->roles ? chart->roles->color : CHART_COLOR_OWNERSHIP;
}

/* The roles of parts that have one in all colour modes. */
static const uint8_t part_roles[ACTIVITY_PARTS] = {
	[ACTIVITY_GC] = ROLE_GC,
	[ACTIVITY_DEPENDENCY] = ROLE_DEPENDENCY,
	[ACTIVITY_SCRIPTING] = ROLE_SCRIPTING,
	[ACTIVITY_RENDERING] = ROLE_RENDERING,
	[ACTIVITY_PAINTING] = ROLE_PAINTING,
	[ACTIVITY_LOADING] = ROLE_LOADING,
	[ACTIVITY_TASK] = ROLE_TASK,
	[ACTIVITY_NATIVE] = ROLE_NATIVE,
	[ACTIVITY_NODE] = ROLE_NODE,
};

static enum activity_part part_of(enum role role, unsigned color)
{
	for (int i = 0; color == ACTIVITY_CHANGE && i < N_CHANGES; i++)
		if (role == changes[i])
			return (enum activity_part)(ACTIVITY_OWN + i);
	if (color != CHART_COLOR_OWNERSHIP && role >= ROLE_FRAME && role < ROLE_CNAME)
		return (enum activity_part)(ACTIVITY_OWN + (role - ROLE_FRAME) % ROLE_HUES);
	if (role >= ROLE_HEAT_0 && role <= ROLE_HEAT_5)
		return (enum activity_part)(ACTIVITY_OWN + ROLE_HEAT_5 - role);
	if (role >= ROLE_CNAME)
		return ACTIVITY_OWN;
	if (role >= ROLE_DEPENDENCY)
		return ACTIVITY_DEPENDENCY;
	if (role >= ROLE_FRAME)
		return ACTIVITY_OWN;
	/* For each sample: a search of the table takes longer than the rest of it. */
	switch (role) {
	case ROLE_GC:
		return ACTIVITY_GC;
	case ROLE_SCRIPTING:
		return ACTIVITY_SCRIPTING;
	case ROLE_RENDERING:
		return ACTIVITY_RENDERING;
	case ROLE_PAINTING:
		return ACTIVITY_PAINTING;
	case ROLE_LOADING:
		return ACTIVITY_LOADING;
	case ROLE_NATIVE:
		return ACTIVITY_NATIVE;
	case ROLE_NODE:
	case ROLE_PROGRAM:
		return ACTIVITY_NODE;
	default:
		return ACTIVITY_TASK;
	}
}

static void add_leaf(void *ctx, node_id leaf, int64_t ns)
{
	struct sum *sum = ctx;
	frame_id frame;

	frame = sum->lane->tree.frame[leaf];
	if (sum->busy) {
		sum->of_role[sum->busy[frame]] += ns;
		return;
	}
	if (leaf == NODE_ROOT || profile_frame(sum->profile, frame)->category == CATEGORY_IDLE)
		return;
	if (sum->sides)
		sum->ns[part_of(change_role(sum->sides, leaf), ACTIVITY_CHANGE)] += ns;
	else
		sum->ns[part_of(frame_roles_node(sum->roles, sum->profile, sum->lane, leaf),
				sum->color)] += ns;
}

static void add_leaves(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	struct sum *sum = ctx;
	const frame_id *frames = sum->lane->tree.frame;
	const uint8_t *busy = sum->busy;

	for (size_t i = 0; i < n && busy; i++)
		sum->of_role[busy[frames[leaf[i]]]] += ns[i];
	for (size_t i = 0; i < n && !busy; i++)
		add_leaf(ctx, leaf[i], ns[i]);
}

/* Divide `whole` units between the parts of weights `of`, which add up to `sum` > 0, by the largest
 * remainders. */
static void divide(const int64_t of[ACTIVITY_PARTS], int64_t sum, int whole,
		   int out[ACTIVITY_PARTS])
{
	double rest[ACTIVITY_PARTS];
	int left = whole;

	/* Often a stretch is of one kind. */
	for (int i = 0; i < ACTIVITY_PARTS; i++)
		out[i] = of[i] == sum ? whole : 0;
	for (int i = 0; i < ACTIVITY_PARTS; i++)
		if (out[i])
			return;
	for (int i = 0; i < ACTIVITY_PARTS; i++) {
		double exact = (double)of[i] / (double)sum * whole;

		out[i] = (int)exact;
		rest[i] = exact - out[i];
		left -= out[i];
	}
	for (; left > 0; left--) {
		int most = 0;

		for (int i = 1; i < ACTIVITY_PARTS; i++)
			if (rest[i] > rest[most])
				most = i;
		out[most]++;
		rest[most] -= 1;
	}
}

uint8_t activity_share(int64_t busy_ns, int64_t ns)
{
	double share = (double)busy_ns / (double)ns * ACTIVITY_MAX + 0.5;

	if (busy_ns <= 0)
		return 0;
	return share < 1 ? 1 : share > ACTIVITY_MAX ? ACTIVITY_MAX : (uint8_t)share;
}

/* What the samples of slices do not say about their self times. */
static void add_slice_time(void *ctx, node_id node, int64_t self_ns, int64_t total_ns)
{
	(void)total_ns;
	add_leaf(ctx, node, self_ns);
}

static bool has_time(const struct lane *lane, int64_t t0, int64_t t1)
{
	const struct samples *s = &lane->samples;

	return s->n && samples_time(s, s->n) > t0 && samples_time(s, 0) < t1;
}

static int64_t sum_of_parts(struct sum *sum)
{
	int64_t ns = 0;

	for (unsigned role = ROLE_PLAIN + 1; role < ROLE_COUNT; role++) {
		sum->ns[part_of((enum role)role, sum->color)] += sum->of_role[role];
		sum->of_role[role] = 0;
	}
	for (int i = 0; i < ACTIVITY_PARTS; i++)
		ns += sum->ns[i];
	return ns;
}

/* Add the samples of a lane, which the sum is about from now on. */
static void add_samples(struct sum *sum, const struct lane *lane, int64_t t0, int64_t t1)
{
	const struct blocks_visitor visitor = { sum, add_leaves, add_leaf, NULL };

	sum->lane = lane;
	if (has_time(lane, t0, t1))
		blocks_each(&lane->samples, t0, t1, &visitor);
}

/* The end of the lanes of the chart that are one lane to the user, from `lane` on. */
static int joined_end(const struct chart *chart, int lane)
{
	int end = lane + 1;

	while (end < chart->n_lanes && chart->lanes[end].lane->is_joined &&
	       chart->lanes[end].lane->kind == chart->lanes[lane].lane->kind)
		end++;
	return end;
}

/* Measure [t0, t1), t1 > t0, of a lane of the chart, which is not joined to another one, together
 * with those that are joined to it. Costs by the number of functions in the stretch, and of the
 * overlaps there, not by that of samples. */
static void activity_measure(struct activity *out, const struct chart *chart, int lane, int64_t t0,
			     int64_t t1)
{
	const struct frame_roles *roles = chart->roles;
	const struct lane *head = chart_lane_as_is(chart, lane);
	struct frame_roles owners = { .scheme.has_own = true };
	struct sum sum = { .profile = chart_as_is(chart), .roles = &owners };
	bool is_made = roles && roles->profile == chart_as_is(chart);
	int64_t sum_ns, busy_ns = 0;
	int part[ACTIVITY_PARTS];

	memset(out, 0, sizeof *out);
	if (roles)
		owners.scheme = roles->scheme;
	/* The heat of a frame is known of the profile only that the roles are of. */
	if (roles && (is_made || roles->color != CHART_COLOR_HEAT)) {
		sum.roles = roles;
		sum.color = roles->color;
	}
	if (change_is_of(chart->sides, chart->profile, head)) {
		sum.sides = chart->sides;
		sum.color = ACTIVITY_CHANGE;
	}
	if (is_made && !sum.sides && !(sum.color == CHART_COLOR_EVENT_CAT && head->cats))
		sum.busy = roles->busy;
	for (int i = lane; i < joined_end(chart, lane); i++) {
		add_samples(&sum, chart_lane_as_is(chart, i), t0, t1);
		/* The same as activity_busy_ns(). */
		if (i == lane && head->slice_time)
			busy_ns = sum_of_parts(&sum) + slice_time_lacking(head->slice_time, t0, t1);
		slice_time_each(sum.lane->slice_time, t0, t1, add_slice_time, &sum);
	}
	sum_ns = sum_of_parts(&sum);
	if (sum_ns <= 0)
		return;
	out->busy = activity_share(head->slice_time ? busy_ns : sum_ns, t1 - t0);
	divide(sum.ns, sum_ns, out->busy, part);
	for (int i = 0; i < ACTIVITY_PARTS; i++)
		out->part[i] = (uint8_t)part[i];
	out->color = (uint8_t)sum.color;
}

/* The time of a lane that is not idle, and what of it is garbage collection. */
struct busy {
	const struct profile *profile;
	const struct lane *lane;
	int64_t ns, gc_ns;
};

static void add_busy_leaf(void *ctx, node_id leaf, int64_t ns)
{
	struct busy *busy = ctx;
	enum category category;

	if (leaf == NODE_ROOT)
		return;
	category = profile_node_frame(busy->profile, busy->lane, leaf)->category;
	busy->ns += category != CATEGORY_IDLE ? ns : 0;
	busy->gc_ns += category == CATEGORY_GC ? ns : 0;
}

BLOCKS_MANY(add_busy_leaves, add_busy_leaf)

/* Of a lane without idle time: everything but empty stacks. */
static void add_stacks(void *ctx, const struct samples *s, size_t i, size_t end)
{
	struct busy *busy = ctx;
	int64_t ns = samples_time(s, end) - samples_time(s, i);

	for (; i < end; i++)
		if (s->leaf[i] == NODE_ROOT)
			ns -= samples_time(s, i + 1) - samples_time(s, i);
	busy->ns += ns;
}

/* The time in [t0, t1) in which a lane is not idle. The first one of lanes that are joined has the
 * time of all of them, each moment once, the others none. wants_gc: gc_ns is to be known, too. */
static struct busy activity_busy(const struct profile *profile, const struct lane *lane, int64_t t0,
				 int64_t t1, bool wants_gc)
{
	struct busy busy = { .profile = profile, .lane = lane };
	const struct blocks_visitor visitor = { &busy, add_busy_leaves, add_busy_leaf,
						lane->idle_ns || wants_gc ? NULL : add_stacks };

	if (has_time(lane, t0, t1))
		blocks_each(&lane->samples, t0, t1, &visitor);
	busy.ns += slice_time_lacking(lane->slice_time, t0, t1);
	return busy;
}

static int64_t activity_busy_ns(const struct profile *profile, const struct lane *lane, int64_t t0,
				int64_t t1)
{
	return activity_busy(profile, lane, t0, t1, false).ns;
}

/* ---- drawing ---- */

/* What rounding to one colour a cell has withheld from each part so far, along a row. Zeroed at the
 * start of each row of bars. */
struct activity_carry {
	int eighths[ACTIVITY_PARTS];
};

/* The role of a part of a bar by this enum chart_color. */
static uint8_t role_of(unsigned color, int part)
{
	int hue = part - ACTIVITY_OWN;

	if (part < ACTIVITY_OWN || part > ACTIVITY_HUE_LAST)
		return part_roles[part];
	if (color == ACTIVITY_CHANGE && hue < N_CHANGES)
		return changes[hue];
	return (uint8_t)(color == CHART_COLOR_HEAT ? ROLE_HEAT_5 - hue : ROLE_FRAME + hue);
}

/* Take the lowest `want` eighths off the stack. */
static void take(int stack[ACTIVITY_PARTS], int want, int out[ACTIVITY_PARTS])
{
	for (int i = 0; i < ACTIVITY_PARTS; i++) {
		out[i] = stack[i] < want ? stack[i] : want;
		stack[i] -= out[i];
		want -= out[i];
	}
}

/* The part to which the row owes most, with what this cell adds; it gets all `eighths`. */
static int settle(struct activity_carry *carry, const int in[ACTIVITY_PARTS], int eighths)
{
	int most = 0;

	for (int i = 0; i < ACTIVITY_PARTS; i++) {
		carry->eighths[i] += in[i];
		if (in[i] && (!in[most] || carry->eighths[i] > carry->eighths[most]))
			most = i;
	}
	carry->eighths[most] -= eighths;
	return most;
}

/* The two parts of a full cell to which the row owes most, the lower one first; one part: the same
 * twice. */
static void find_two(const struct activity_carry *carry, const int in[ACTIVITY_PARTS], int *lower,
		     int *upper)
{
	const int *debt = carry->eighths;
	int first = 0, second = -1;

	for (int i = 0; i < ACTIVITY_PARTS; i++)
		if (in[i] && (!in[first] || debt[i] > debt[first]))
			first = i;
	for (int i = 0; i < ACTIVITY_PARTS; i++)
		if (in[i] && i != first && (second < 0 || debt[i] > debt[second]))
			second = i;
	if (second < 0)
		second = first;
	*lower = first < second ? first : second;
	*upper = first < second ? second : first;
}

static void draw_full(struct cell *cell, const int in[ACTIVITY_PARTS], unsigned color,
		      struct activity_carry *carry)
{
	int *debt = carry->eighths, lower, upper, height = EIGHTHS;

	for (int i = 0; i < ACTIVITY_PARTS; i++)
		debt[i] += in[i];
	find_two(carry, in, &lower, &upper);
	cell->ink = role_of(color, lower);
	if (lower != upper) {
		/* So that both are owed the same afterwards, as far as eighths allow. */
		height = (EIGHTHS + debt[lower] - debt[upper]) / 2;
		height = height < 0 ? 0 : height > EIGHTHS ? EIGHTHS : height;
		cell->fill = role_of(color, upper);
		debt[upper] -= EIGHTHS - height;
	}
	debt[lower] -= height;
	/* No blank with a fill: the terminal knows how to draw a full block without a seam. */
	if (height == 0)
		cell->ink = role_of(color, upper);
	if (height == 0 || height == EIGHTHS)
		cell->fill = ROLE_PLAIN;
	cell->ch = LOWER_BLOCK + (unsigned)(height ? height : EIGHTHS);
}

/* The part that is all of the bar, which owes nothing to its row; -1: there are several. */
static int only_part(const struct activity *a)
{
	for (int i = 0; i < ACTIVITY_PARTS; i++)
		if (a->part[i])
			return a->part[i] == a->busy ? i : -1;
	return -1;
}

/* Draw a bar at row, col, `rows` cells high, upwards from its last row. A cell has two parts at
 * most, and one where the page is above it; `carry` sees to it that along a row each part has its
 * share of the area, to a cell. is_ascii: characters of increasing weight. flags: of the cells. */
static void activity_draw(struct grid *g, int row, int col, int rows, const struct activity *a,
			  struct activity_carry *carry, bool is_ascii, unsigned flags)
{
	static const char shades[] = " .:-=+**#";
	int levels = (a->busy * EIGHTHS * rows + ACTIVITY_MAX / 2) / ACTIVITY_MAX;
	int64_t weight[ACTIVITY_PARTS];
	int stack[ACTIVITY_PARTS], in[ACTIVITY_PARTS], only = only_part(a);

	if (!a->busy)
		return;
	if (!levels)
		levels = 1;
	for (int i = 0; i < ACTIVITY_PARTS; i++)
		weight[i] = a->part[i];
	if (only < 0)
		divide(weight, a->busy, levels, stack);
	for (int r = row + rows - 1; r >= row && levels > 0; r--) {
		int eighths = levels < EIGHTHS ? levels : EIGHTHS;
		bool is_full = eighths == EIGHTHS && !is_ascii;
		struct cell *cell;

		levels -= eighths;
		if (only < 0)
			take(stack, eighths, in);
		if (r < 0 || r >= g->rows || col < 0 || col >= g->cols)
			continue;
		cell = grid_at(g, r, col);
		cell->flags |= (uint16_t)flags;
		if (only < 0 && is_full) {
			draw_full(cell, in, a->color, carry);
			continue;
		}
		cell->ink = role_of(a->color, only < 0 ? settle(carry, in, eighths) : only);
		cell->ch = is_ascii ? (unsigned char)shades[eighths]
				    : LOWER_BLOCK + (unsigned)eighths;
		if (is_full)
			cell->fill = ROLE_PLAIN;
	}
}

/* ==== overview ==== */

#define LANE_WORK (BUDGET_STEP / 8) /* units of work for a lane in a column */

/* Whether a lane counts in `busy`. The first lane of a thread has the time of those laid over it.
 */
static bool counts(const struct overview *o, const struct chart_lane *cl)
{
	return cl->lane->kind == o->kind && !cl->is_over;
}

/* The range of column `col` of the whole time line. */
static void column_range(const struct overview *o, const struct chart *chart, int col, int64_t *t0,
			 int64_t *t1)
{
	struct viewport all;

	viewport_init(&all, chart->view->t_min, chart->view->t_max);
	*t0 = viewport_time(&all, col, o->cols);
	*t1 = viewport_time(&all, col + 1, o->cols);
	if (*t1 <= *t0)
		*t1 = *t0 + 1;
}

void overview_begin(struct overview *o, const struct chart *chart, int cols)
{
	size_t n = cols > 0 ? (size_t)cols : 0;

	o->cols = (int)n;
	o->busy = xrealloc(o->busy, n, 1);
	o->of_lane = xrealloc(o->of_lane, n, sizeof *o->of_lane);
	o->is_match = xrealloc(o->is_match, n, 1);
	o->n_made = o->made_lane = o->n_of_lane = 0;
	o->lane = NULL;
	o->has_matches = false;
	free(o->in_flight);
	o->in_flight = NULL;
	if (n)
		memset(o->busy, 0, n);
	/* A slice may only mean that something is open; samples show what runs. A track that waits
	 * is not busy, and a mark takes no time. */
	o->kind = LANE_SLICES;
	for (int i = 0; i < chart->n_lanes; i++)
		if (chart->lanes[i].lane->kind == LANE_SAMPLES)
			o->kind = LANE_SAMPLES;
	o->n_lanes = 0;
	for (int i = 0; i < chart->n_lanes; i++)
		o->n_lanes += counts(o, &chart->lanes[i]);
}

int overview_lane(const struct chart *chart)
{
	int head = chart->lane >= 0 && chart->lane < chart->n_lanes ? chart_head(chart, chart->lane)
								    : -1;
	const struct lane *lane = head >= 0 ? chart->lanes[head].lane : NULL;

	return lane && (lane->kind == LANE_SAMPLES || lane->kind == LANE_SLICES) && lane->samples.n
		? head
		: -1;
}

static bool make_all(struct overview *o, const struct chart *chart, struct budget *budget)
{
	while (o->n_made < o->cols) {
		int64_t t0, t1;

		column_range(o, chart, o->n_made, &t0, &t1);
		while (o->made_lane < chart->n_lanes) {
			int i = o->made_lane++;
			uint8_t busy;

			if (!counts(o, &chart->lanes[i]))
				continue;
			busy = activity_share(activity_busy_ns(chart_as_is(chart),
							       chart_lane_as_is(chart, i), t0, t1),
					      t1 - t0);
			if (busy > o->busy[o->n_made])
				o->busy[o->n_made] = busy;
			if (budget_use(budget, LANE_WORK))
				return false;
		}
		o->made_lane = 0;
		if (++o->n_made < o->cols && budget_spent(budget))
			return false;
	}
	return true;
}

static void make_in_flight(struct overview *o, const struct chart *chart)
{
	ALLOC_LOCAL int64_t *t = xmalloc(((size_t)o->cols + 1) * sizeof *t);
	int64_t end;

	for (int c = 0; c < o->cols; c++)
		column_range(o, chart, c, &t[c], &t[c + 1]);
	column_range(o, chart, o->cols - 1, &end, &t[o->cols]);
	o->in_flight = xmalloc((size_t)o->cols * sizeof *o->in_flight);
	o->most_in_flight = served_time_in_flight(chart->served, t, (size_t)o->cols, o->in_flight);
}

bool overview_make(struct overview *o, const struct chart *chart, struct budget *budget)
{
	int index = overview_lane(chart);
	const struct lane *lane = index >= 0 ? chart_lane_as_is(chart, index) : NULL;
	unsigned color = activity_color(chart);

	if (chart->served && !o->in_flight && o->cols)
		make_in_flight(o, chart);
	if (o->lane != lane || o->color != color) {
		o->lane = lane;
		o->color = color;
		o->n_of_lane = 0;
	}
	while (lane && o->n_of_lane < o->cols) {
		int64_t t0, t1;

		column_range(o, chart, o->n_of_lane, &t0, &t1);
		activity_measure(&o->of_lane[o->n_of_lane], chart, index, t0, t1);
		if (++o->n_of_lane < o->cols && budget_spent(budget))
			return false;
	}
	return (lane && o->n_lanes < 2) || make_all(o, chart, budget);
}

/* ---- matches ---- */

bool overview_is_same(const struct chart *chart, int lane, int other)
{
	const struct lane *a = chart_lane_as_is(chart, lane), *b = chart_lane_as_is(chart, other);

	return lane == other ||
		(b->kind == a->kind && b->has_timeline && !b->is_joined && b->pid == a->pid &&
		 b->tid == a->tid && b->input != a->input && a->pid > 0);
}

void overview_times(const struct chart *chart, int lane, struct search *search, int64_t t0,
		    int64_t t1, struct overview_times *out)
{
	*out = (struct overview_times){ 0 };
	for (int i = 0; i < chart->n_lanes; i++) {
		struct busy busy;

		if (!overview_is_same(chart, lane, i))
			continue;
		busy = activity_busy(chart_as_is(chart), chart_lane_as_is(chart, i), t0, t1, true);
		out->busy += busy.ns;
		out->gc += busy.gc_ns;
		for (int k = i; search && k < joined_end(chart, i); k++)
			out->match += search_lane_ns(search_lane(search, (uint32_t)k), t0, t1);
	}
}

bool overview_mark(struct overview *o, const struct chart *chart, struct search *search,
		   struct budget *budget)
{
	while (o->has_matches && o->n_marked < o->cols) {
		int64_t t0, t1;

		column_range(o, chart, o->n_marked, &t0, &t1);
		while (o->marked_lane < chart->n_lanes && !o->is_match[o->n_marked]) {
			int i = o->marked_lane++;

			if (!chart->lanes[i].lane->has_timeline)
				continue;
			o->is_match[o->n_marked] = search_lane_ns(search_lane(search, (uint32_t)i),
								  t0, t1) > 0;
			if (budget_use(budget, LANE_WORK))
				return false;
		}
		o->marked_lane = 0;
		if (++o->n_marked < o->cols && budget_spent(budget))
			return false;
	}
	return true;
}

/* ---- drawing ---- */

/* What is shown of each column. */
struct bars {
	const struct overview *o;
	struct grid *g;
	struct rect r;
	bool is_ascii;
	int first, last; /* columns of the window */
};

static unsigned flags_of(const struct bars *b, int c)
{
	const struct overview *o = b->o;
	if (o->has_matches)
		return o->is_match[c] ? 0 : CELL_DIM | CELL_DIM_INK;
	return c < b->first || c > b->last ? CELL_FAR : 0;
}

/* A bar of one colour. */
static void draw_plain(const struct bars *b, int row, int rows, int c, int eighths)
{
	struct activity_carry carry = { { 0 } };
	struct activity a = { .busy = (uint8_t)(eighths * ACTIVITY_MAX / (8 * rows)) };

	a.part[ACTIVITY_TASK] = a.busy;
	activity_draw(b->g, row, b->r.col + c, rows, &a, &carry, b->is_ascii, flags_of(b, c));
	for (int i = row; i < row + rows; i++)
		if (i >= 0 && i < b->g->rows && b->r.col + c < b->g->cols &&
		    grid_at(b->g, i, b->r.col + c)->ch != ' ')
			grid_at(b->g, i, b->r.col + c)->ink = ROLE_BUSY;
}

/* All lanes: the busiest one of each column. max_eighths: the height of a column that is busy all
 * the time. */
static void draw_all(const struct bars *b, int row, int rows, int max_eighths)
{
	for (int c = 0; c < b->r.cols && c < b->o->n_made; c++) {
		int eighths = (b->o->busy[c] * max_eighths + ACTIVITY_MAX / 2) / ACTIVITY_MAX;

		if (b->o->busy[c])
			draw_plain(b, row, rows, c, eighths > 0 ? eighths : 1);
	}
}

static void draw_lane(const struct bars *b, int row, int rows)
{
	struct activity_carry carry = { { 0 } };

	for (int c = 0; c < b->r.cols && c < b->o->n_of_lane; c++)
		activity_draw(b->g, row, b->r.col + c, rows, &b->o->of_lane[c], &carry, b->is_ascii,
			      flags_of(b, c));
}

/* The last place of `cells` columns where no request is in flight; -1: there is none. */
static int place_without(const struct overview *o, int cells)
{
	int n = 0;

	for (int c = o->cols; c-- > 0;) {
		n = o->in_flight[c] ? 0 : n + 1;
		if (n == cells)
			return c;
	}
	return -1;
}

/* How many requests are in flight, and the most of all: if there is room, where it hides nothing.
 */
static void draw_in_flight(const struct bars *b, int row)
{
	const struct overview *o = b->o;
	uint64_t most = o->most_in_flight;
	int col, cells;
	char text[64];

	for (int c = 0; c < b->r.cols && most; c++)
		if (o->in_flight[c])
			draw_plain(b, row, 1, c,
				   (int)((o->in_flight[c] * EIGHTHS + most - 1) / most));
	snprintf(text, sizeof text, " %s %u in flight ", b->is_ascii ? "<=" : "\342\211\244",
		 o->most_in_flight);
	cells = text_cells(text, strlen(text));
	col = place_without(o, cells);
	/* Not where a bracket of the window stands. */
	if (col < 0)
		col = b->last + 2 < o->cols && b->last + 1 >= o->cols - cells ? 0 : o->cols - cells;
	grid_fill(b->g, row, b->r.col + col, cells, ROLE_PLAIN);
	grid_puts(b->g, row, b->r.col + col, cells, text, ROLE_DIM);
}

/* Matches are underlined in the last row of the bars; a full block would hide the line. */
static void draw_matches(const struct bars *b)
{
	int row = b->r.row + b->r.rows - 1;

	for (int c = 0; b->o->has_matches && c < b->r.cols && row < b->g->rows; c++) {
		struct cell *cell;

		if (!b->o->is_match[c] || b->r.col + c >= b->g->cols)
			continue;
		cell = grid_at(b->g, row, b->r.col + c);
		if (cell->ch == ' ')
			cell->ink = ROLE_BUSY;
		if (cell->ch == ' ')
			cell->ch = b->is_ascii ? '.' : 0x2581;
		if (cell->ch == 0x2588)
			cell->ch = 0x2587;
		cell->flags |= CELL_MATCH;
	}
}

static void draw_bracket(struct grid *g, struct rect r, int c, char ch)
{
	for (int row = r.row; row < r.row + r.rows && row < g->rows; row++) {
		if (r.col + c < g->cols)
			*grid_at(g, row, r.col + c) = (struct cell){ .ch = ' ' };
		grid_put(g, row, r.col + c, 1, &ch, 1, ROLE_WINDOW);
	}
}

#define THIN_EIGHTHS 4 /* height of the row of all lanes */

void overview_draw(struct grid *g, struct rect r, const struct chart *chart)
{
	const struct overview *o = chart->overview;
	const struct viewport *v = chart->view;
	bool has_requests = chart->served && r.rows > 1,
	     is_all = v->t0 == v->t_min && v->t1 == v->t_max;
	struct bars bars = { o, g, r, chart->is_ascii, 0, r.cols - 1 };
	struct viewport all;

	for (int row = 0; row < r.rows; row++)
		grid_fill(g, r.row + row, r.col, r.cols, ROLE_PLAIN);
	r.rows -= has_requests;
	bars.r.rows = r.rows = r.rows < 2 ? r.rows : 2;
	if (!o || r.rows <= 0 || r.cols <= 0 || r.cols != o->cols)
		return;
	viewport_init(&all, v->t_min, v->t_max);
	if (!is_all) {
		bars.first = viewport_col(&all, v->t0, r.cols);
		bars.last = viewport_col(&all, v->t1 - 1, r.cols);
	}
	if (!o->lane) {
		draw_all(&bars, r.row, r.rows, 8 * r.rows);
	} else if (r.rows == 2 && o->n_lanes > 1) {
		draw_lane(&bars, r.row, 1);
		draw_all(&bars, r.row + 1, 1, THIN_EIGHTHS);
	} else {
		draw_lane(&bars, r.row, r.rows);
	}
	draw_matches(&bars);
	for (int c = o->lane ? o->n_of_lane : o->n_made; c < r.cols; c++)
		grid_puts(g, r.row + r.rows - 1, r.col + c, 1,
			  chart->is_ascii ? "." : CHART_UNFINISHED, ROLE_DIM);
	if (has_requests && o->in_flight)
		draw_in_flight(&bars, r.row + r.rows);
	r.rows += has_requests;
	if (!is_all) {
		/* Outside the window if there is room, so that they hide nothing inside. */
		draw_bracket(g, r, bars.first > 0 ? bars.first - 1 : 0, '[');
		draw_bracket(g, r, bars.last + 1 < r.cols ? bars.last + 1 : r.cols - 1, ']');
	}
}

/* ==== lane strip ====
 *
 * The strip has its own columns: all of the window in what the title leaves of the row. So it does
 * not stand below the ruler, but nothing of the window is hidden behind the title. */

#define TITLE_COLS 40
#define SERVED_COLS 60
#define MIN_COLS 16

int lane_strip_cols(const struct chart *chart, int lane, int cols)
{
	const struct chart_lane *cl = &chart->lanes[lane];
	int title = cols * 2 / 5 < TITLE_COLS ? cols * 2 / 5 : TITLE_COLS;

	/* These say more, and are drawn with one scale. */
	if (cl->lane->served)
		title = cols / 2 < SERVED_COLS ? cols / 2 : SERVED_COLS;

	if (cl->is_open || cl->lane->is_joined || !cl->lane->has_timeline || chart->is_merged ||
	    cols - title < MIN_COLS)
		return 0;
	return cols - title;
}

static uint8_t counter_height(const struct series *s, int64_t t0, int64_t t1)
{
	double most, range = s->most / 2 - s->least / 2, share;

	if (!series_most(s, t0, t1, &most) || range <= 0 || most <= s->least)
		return 0;
	share = (most / 2 - s->least / 2) / range;
	return share * ACTIVITY_MAX < 1 ? 1 : (uint8_t)(share * ACTIVITY_MAX);
}

static void make_cell(struct activity *out, const struct chart *chart, int index, int64_t t0,
		      int64_t t1)
{
	const struct lane *lane = chart->lanes[index].lane;

	if (t1 <= t0)
		t1 = t0 + 1;
	*out = (struct activity){ 0 };
	if (lane->kind == LANE_COUNTER)
		out->part[ACTIVITY_TASK] = out->busy = counter_height(&lane->series[0], t0, t1);
	else if (mark_row_depth(lane) >= 0)
		out->busy = mark_row_has(lane, t0, t1);
	else
		activity_measure(out, chart, index, t0, t1);
}

/* Go on to the window of the chart. If the window before was as long and is near, its cells move
 * along by whole columns. */
static void begin_window(struct lane_strip *strip, const struct viewport *view, int cols)
{
	double length = (double)(view->t1 - view->t0),
	       shift = (double)(view->t0 - strip->t0) / length * cols;
	bool is_near = strip->cols == cols && strip->n_made == cols &&
		strip->t1 - strip->t0 == view->t1 - view->t0 && shift > -cols && shift < cols;

	strip->before = (struct viewport){ .t0 = strip->t0, .t1 = strip->t1 };
	strip->shift = is_near ? (int)lround(shift) : cols;
	if (strip->shift > 0 && strip->shift < cols)
		memmove(strip->cells, strip->cells + strip->shift,
			(size_t)(cols - strip->shift) * sizeof *strip->cells);
	else if (strip->shift < 0)
		memmove(strip->cells - strip->shift, strip->cells,
			(size_t)(cols + strip->shift) * sizeof *strip->cells);
	else if (strip->shift > 0)
		strip->cells = xrealloc(strip->cells, (size_t)cols, sizeof *strip->cells);
	strip->t0 = view->t0;
	strip->t1 = view->t1;
	strip->cols = cols;
	strip->n_made = 0;
	strip->has_busy = false;
}

/* Whether column `c` is of [t0, t1) already, to the nanosecond. The last one of the window before
 * may have marks at its end. */
static bool is_kept(const struct lane_strip *strip, int c, int64_t t0, int64_t t1)
{
	int before = c + strip->shift;

	return before >= 0 && before + 1 < strip->cols &&
		viewport_time(&strip->before, before, strip->cols) == t0 &&
		viewport_time(&strip->before, before + 1, strip->cols) == t1;
}

bool lane_strip_make(struct lane_strip *strip, const struct chart *chart, int lane, int cols,
		     struct budget *budget)
{
	const struct viewport *view = chart->view;
	const struct lane *of = chart->lanes[lane].lane;
	int64_t end = mark_row_depth(of) >= 0 ? viewport_end(view) : view->t1;
	unsigned color = activity_color(chart);

	if (strip->color != color)
		strip->cols = 0;
	strip->color = color;
	if (strip->t0 != view->t0 || strip->t1 != view->t1 || strip->cols != cols)
		begin_window(strip, view, cols);
	if (!strip->has_busy && of->samples.n)
		strip->busy_ns = activity_busy_ns(chart->profile, of, view->t0, view->t1);
	strip->has_busy = true;
	while (strip->n_made < cols) {
		int c = strip->n_made;
		int64_t t0 = viewport_time(view, c, cols),
			t1 = c + 1 < cols ? viewport_time(view, c + 1, cols) : end;

		if (!is_kept(strip, c, t0, t1))
			make_cell(&strip->cells[c], chart, lane, t0, t1);
		if (++strip->n_made < cols && budget_spent(budget))
			return false;
	}
	return true;
}

void lane_strip_format(const struct chart *chart, int lane, struct buf *out)
{
	const struct lane_strip *strip = chart->lanes[lane].strip;
	const struct lane *of = chart->lanes[lane].lane;

	if (of->kind == LANE_COUNTER) {
		buf_adds(out, chart->is_ascii ? "<= " : "\342\211\244 ");
		counter_format(of->series, of->series[0].most, out);
	} else if (of->kind == LANE_MARKS) {
		buf_addf(out, "%s mark%s", units_count(of->n_spans, UNITS_ROOM),
			 of->n_spans == 1 ? "" : "s");
	} else if (of->kind == LANE_OBJECTS) {
		buf_addf(out, "%s object%s", units_count(of->n_spans - of->n_marks, UNITS_ROOM),
			 of->n_spans - of->n_marks == 1 ? "" : "s");
	} else if (of->n_left) {
		buf_adds(out, "not all loaded");
	} else if (of->is_unmeasured) {
		buf_adds(out, "not measured");
	} else if (strip && strip->has_busy && strip->t1 > strip->t0) {
		buf_adds(out, units_percent(strip->busy_ns, strip->t1 - strip->t0, UNITS_ROOM));
	}
}

static void draw_mark(struct grid *g, struct rect r, int c, bool is_ascii)
{
	struct cell *cell;

	if (r.row < 0 || r.row >= g->rows || r.col + c < 0 || r.col + c >= g->cols)
		return;
	cell = grid_at(g, r.row, r.col + c);
	cell->ch = is_ascii ? MARK_ROW_SIGN_ASCII : MARK_ROW_SIGN;
	cell->ink = ROLE_TASK;
}

void lane_strip_draw(struct grid *g, struct rect r, const struct chart *chart, int lane)
{
	const struct chart_lane *cl = &chart->lanes[lane];
	const struct lane_strip *strip = cl->strip;
	bool is_of_window = strip && strip->cols == r.cols && strip->t0 == chart->view->t0 &&
		strip->t1 == chart->view->t1;
	struct activity_carry carry = { { 0 } };

	for (int c = 0; c < r.cols; c++) {
		if (!is_of_window || c >= strip->n_made) {
			grid_puts(g, r.row, r.col + c, 1, chart->is_ascii ? "." : CHART_UNFINISHED,
				  ROLE_DIM);
		} else if (mark_row_depth(cl->lane) >= 0) {
			if (strip->cells[c].busy)
				draw_mark(g, r, c, chart->is_ascii);
		} else {
			activity_draw(g, r.row, r.col + c, 1, &strip->cells[c], &carry,
				      chart->is_ascii, 0);
		}
	}
}
