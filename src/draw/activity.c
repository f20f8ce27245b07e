/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Self times of leaves come from blocks of samples (blocks.h). The slices of a thread that overlap
 * are on several lanes: the parts are in proportion to the self times of all of them, and together
 * they are the time of the thread, which has each moment once. A bar is rounded once, to eighths of
 * a cell, by the largest remainders; then each cell takes its eighths from the stack.
 *
 * A cell has two colours: that of its character, a block of eighths from below, and that of its
 * background. Where the page is the background, only one part can be shown. */
#include "config.h"

#include "draw/activity.h"

#include "base/alloc.h"
#include "base/text.h"
#include "draw/change.h"
#include "model/blocks.h"

#include <string.h>

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

unsigned activity_color(const struct chart *chart)
{
	if (chart->sides)
		return ACTIVITY_CHANGE;
	return chart->roles ? chart->roles->color : CHART_COLOR_OWNERSHIP;
}

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

/* Have all that was added in the parts. */
static void share_roles(struct sum *sum)
{
	for (unsigned role = ROLE_PLAIN + 1; role < ROLE_COUNT; role++) {
		sum->ns[part_of((enum role)role, sum->color)] += sum->of_role[role];
		sum->of_role[role] = 0;
	}
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

	share_roles(sum);
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

void activity_measure(struct activity *out, const struct chart *chart, int lane, int64_t t0,
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

/* The time of a lane that is not idle. */
struct busy {
	const struct profile *profile;
	const struct lane *lane;
	int64_t ns;
};

static void add_busy_leaf(void *ctx, node_id leaf, int64_t ns)
{
	struct busy *busy = ctx;

	if (leaf != NODE_ROOT &&
	    profile_node_frame(busy->profile, busy->lane, leaf)->category != CATEGORY_IDLE)
		busy->ns += ns;
}

static void add_busy_leaves(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_busy_leaf(ctx, leaf[i], ns[i]);
}

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

int64_t activity_busy_ns(const struct profile *profile, const struct lane *lane, int64_t t0,
			 int64_t t1)
{
	struct busy busy = { profile, lane, 0 };
	const struct blocks_visitor visitor = { &busy, add_busy_leaves, add_busy_leaf,
						lane->idle_ns ? NULL : add_stacks };

	if (has_time(lane, t0, t1))
		blocks_each(&lane->samples, t0, t1, &visitor);
	return busy.ns + slice_time_lacking(lane->slice_time, t0, t1);
}

/* ---- drawing ---- */

/* The role of a part of a bar by this enum chart_color. */
static uint8_t role_of(unsigned color, int part)
{
	static const uint8_t roles[ACTIVITY_PARTS] = {
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
	int hue = part - ACTIVITY_OWN;

	if (part < ACTIVITY_OWN || part > ACTIVITY_HUE_LAST)
		return roles[part];
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

static unsigned char_of(int eighths, bool is_ascii)
{
	static const char shades[] = " .:-=+**#";

	return is_ascii ? (unsigned char)shades[eighths] : LOWER_BLOCK + (unsigned)eighths;
}

static void draw_cell(struct cell *cell, const int in[ACTIVITY_PARTS], int eighths, unsigned color,
		      bool is_ascii, struct activity_carry *carry)
{
	if (eighths == EIGHTHS && !is_ascii) {
		draw_full(cell, in, color, carry);
		return;
	}
	cell->ink = role_of(color, settle(carry, in, eighths));
	cell->ch = char_of(eighths, is_ascii);
}

/* The part that is all of the bar, which owes nothing to its row; -1: there are several. */
static int only_part(const struct activity *a)
{
	for (int i = 0; i < ACTIVITY_PARTS; i++)
		if (a->part[i])
			return a->part[i] == a->busy ? i : -1;
	return -1;
}

static void draw_only(struct cell *cell, unsigned role, int eighths, bool is_ascii)
{
	cell->ink = (uint8_t)role;
	cell->ch = char_of(eighths, is_ascii);
	if (eighths == EIGHTHS && !is_ascii)
		cell->fill = ROLE_PLAIN;
}

void activity_draw(struct grid *g, int row, int col, int rows, const struct activity *a,
		   struct activity_carry *carry, bool is_ascii, unsigned flags)
{
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

		levels -= eighths;
		if (only < 0)
			take(stack, eighths, in);
		if (r < 0 || r >= g->rows || col < 0 || col >= g->cols)
			continue;
		if (only < 0)
			draw_cell(grid_at(g, r, col), in, eighths, a->color, is_ascii, carry);
		else
			draw_only(grid_at(g, r, col), role_of(a->color, only), eighths, is_ascii);
		grid_at(g, r, col)->flags |= (uint16_t)flags;
	}
}
