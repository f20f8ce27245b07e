/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Few keys are sorted by comparison. Many keys are sorted by a radix sort of the first number, then
 * runs of equal first numbers by the second one. It is stable, so keys that were in the order of
 * their frames stay so where their numbers are equal. */
#include "config.h"

#include "analyse/rows/rows_sort.h"

#include "analyse/rows/rows.h"
#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#define RADIX_FROM 250 /* least number of rows for a radix sort */
#define RADIX_BITS 8   /* so that the first-level cache holds one line for each digit */
#define RADIX_DIGITS 8 /* of a key of 64 bits */
#define RADIX (1u << RADIX_BITS)

static int name_order(const struct view *view, frame_id x, frame_id y)
{
	const struct profile *profile = view->profile;
	const struct frame *a = &view->frames[x], *b = &view->frames[y];
	int c = strcmp(profile_text(profile, a->name), profile_text(profile, b->name));

	if (c == 0)
		c = strcmp(profile_text(profile, a->url), profile_text(profile, b->url));
	return c ? c : SORT_BY_3(a->line, b->line, a->column, b->column, x, y);
}

static bool is_before(const void *x, const void *y, const void *ctx)
{
	const struct rows_key *a = x, *b = y;

	if (a->first != b->first)
		return a->first > b->first;
	if (a->second != b->second)
		return a->second > b->second;
	/* Rows of equal weight keep the order of the file: comparing the names of thousands of rows
	 * costs too much. Both keys are 0 only in a sort by name. */
	if (a->first || a->second)
		return a->frame < b->frame;
	return name_order(ctx, a->frame, b->frame) < 0;
}

static bool is_frame_before(const void *x, const void *y, const void *ctx)
{
	const struct rows_key *a = x, *b = y;

	(void)ctx;
	return a->frame < b->frame;
}

/* One pass of a radix sort, descending and stable. */
static void sort_digit(const struct rows_key *from, struct rows_key *to, size_t n, bool is_first,
		       int shift)
{
	uint32_t start[RADIX] = { 0 }, before = 0;

	for (size_t i = 0; i < n; i++)
		start[(uint64_t)(is_first ? from[i].first : from[i].second) >> shift &
		      (RADIX - 1)]++;
	for (size_t d = RADIX; d-- > 0;) {
		uint32_t count = start[d];

		start[d] = before;
		before += count;
	}
	for (size_t i = 0; i < n; i++)
		to[start[(uint64_t)(is_first ? from[i].first : from[i].second) >> shift &
			 (RADIX - 1)]++] = from[i];
}

/* Sort by one of the two numbers, descending and stable. */
static void sort_number(struct rows_key *keys, struct rows_key *spare, size_t n, bool is_first)
{
	struct rows_key *from = keys, *to = spare;
	uint64_t bits = 0;

	for (size_t i = 0; i < n; i++)
		bits |= (uint64_t)(is_first ? keys[i].first : keys[i].second);
	for (int shift = 0; shift < RADIX_DIGITS * RADIX_BITS; shift += RADIX_BITS) {
		struct rows_key *swap = from;

		if (!(bits >> shift & (RADIX - 1)))
			continue;
		sort_digit(from, to, n, is_first, shift);
		from = to;
		to = swap;
	}
	if (from != keys)
		memcpy(keys, from, n * sizeof *keys);
}

/* Sort n keys: the larger `first` comes first, then the larger `second`, then the smaller frame. If
 * both numbers are 0 the name of the frame decides. The numbers must not be negative. spare: room
 * for n keys. */
static void rows_sort_keys(const struct view *view, struct rows_key *keys, struct rows_key *spare,
			   size_t n)
{
	bool has_weight = true;

	for (size_t i = 0; i < n; i++)
		has_weight &= (keys[i].first | keys[i].second) != 0;
	if (n < RADIX_FROM || !has_weight) {
		sort_stable(keys, n, sizeof *keys, is_before, view);
		return;
	}
	sort_stable(keys, n, sizeof *keys, is_frame_before, NULL);
	sort_number(keys, spare, n, true);
	for (size_t i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && keys[j].first == keys[i].first; j++)
			;
		/* Most runs are one key: no call for them. */
		if (j - i == 1)
			continue;
		if (j - i < RADIX_FROM)
			sort_stable(keys + i, j - i, sizeof *keys, is_before, view);
		else
			sort_number(keys + i, spare, j - i, false);
	}
}

bool rows_sort_step(struct sorting **sorting, const struct view *view, struct rows_key *keys,
		    size_t n, struct budget *budget)
{
	if (!*sorting && (n < budget->step || budget_is_unlimited(budget))) {
		rows_sort_keys(view, keys, keys + n, n);
		return true;
	}
	if (!*sorting)
		*sorting = sort_begin(keys, n, sizeof *keys, is_before, view);
	if (!sort_step(*sorting, budget))
		return false;
	sort_end(*sorting);
	*sorting = NULL;
	return true;
}

const char *rows_sort_word(unsigned i)
{
	static const char *const words[] = { [ROWS_BY_SELF] = "self",
					     [ROWS_BY_TOTAL] = "total",
					     [ROWS_BY_NAME] = "name" };

	return i < ARRAY_LEN(words) ? words[i] : NULL;
}

/* ==== rows top ====
 *
 * Keys are collected until there are twice as many as wanted; then they are sorted, and the second
 * half is dropped. From then on a key that comes behind the last one that is kept is not added. */

struct keys {
	const struct view *view;
	struct rows_key *list; /* with room for as many again */
	size_t n, room, most;
	bool is_cut;   /* some were dropped: */
	int64_t least; /* `first` of the last one that was kept then */
};

static void cut(struct keys *k)
{
	if (k->n)
		rows_sort_keys(k->view, k->list, k->list + k->room, k->n);
	if (k->n <= k->most)
		return;
	k->n = k->most;
	k->is_cut = true;
	k->least = k->n ? k->list[k->n - 1].first : INT64_MAX;
}

static void add(struct keys *k, struct rows_key key)
{
	if (k->is_cut && key.first < k->least)
		return;
	if (k->n == k->room)
		cut(k);
	if (k->n < k->room)
		k->list[k->n++] = key;
}

void rows_top_init(struct rows_top *top, const struct totals *t, enum rows_sort sort, size_t most,
		   bool (*is_wanted)(const void *ctx, frame_id frame), const void *ctx)
{
	struct keys k = { .view = t->view, .most = most < t->n_used ? most : t->n_used };
	size_t all = 0;

	*top = (struct rows_top){ 0 };
	k.room = 2 * k.most;
	k.list = xmalloc(2 * k.room * sizeof *k.list);
	for (uint32_t i = 0; i < t->n_used; i++) {
		frame_id f = t->used[i];

		if (!is_wanted(ctx, f))
			continue;
		all++;
		add(&k, rows_sort_key(sort, f, t->frame_self[f], t->frame_total[f], i));
	}
	cut(&k);
	top->n = k.n;
	top->n_left = all - k.n;
	top->list = xmalloc(k.n * sizeof *top->list);
	for (size_t i = 0; i < k.n; i++)
		top->list[i] = k.list[i].frame;
	free(k.list);
}

/* ==== rows change ====
 *
 * The part lies in the whole, so what has time here has time in all. Both totals are of one view:
 * functions and nodes have the same numbers in both, as they have on two sides. */

#define PERCENT_MIN 1                /* of the part: a row with less comes after those with more */
#define KEY_NEW (INT64_C(1) << 50)   /* keys of ratios are below it */
#define KEY_LARGE (INT64_C(1) << 52) /* added for rows that are large enough */
#define RATIO_UNIT 1000000           /* a key counts millionths */

static bool has_share(const struct rows_change *change, frame_id frame)
{
	return change->has_idle || change->all->view->frames[frame].category != CATEGORY_IDLE;
}

void rows_change_sides_of_function(const struct rows_change *change, frame_id frame,
				   bool is_of_total, int64_t ns[SIDES])
{
	const struct totals *const of[SIDES] = { change->all, change->after };

	for (int k = 0; k < SIDES; k++)
		ns[k] = is_of_total ? of[k]->frame_total[frame] : of[k]->frame_self[frame];
}

void rows_change_sides_of_row(const struct rows_change *change, const struct row *row,
			      int64_t ns[SIDES])
{
	const struct totals *const of[SIDES] = { change->all, change->after };

	if (!change->is_of_calls && row->depth == 0) {
		rows_change_sides_of_function(change, row->frame, change->is_of_total, ns);
		return;
	}
	ns[SIDE_BEFORE] = ns[SIDE_AFTER] = 0;
	for (uint32_t i = 0; i < row->n_items; i++)
		for (int k = 0; k < SIDES; k++) {
			node_id first = row->items[i].first;

			if (change->is_of_calls)
				ns[k] += of[k]->total[row->items[i].now];
			else if (!change->is_of_total)
				ns[k] += of[k]->self[first];
			else if (of[k]->view->tree->is_outer[first])
				ns[k] += of[k]->total[first];
		}
}

bool rows_change_of_function(const struct rows_change *change, frame_id frame, int64_t *here,
			     int64_t *all)
{
	int64_t ns[SIDES];

	if (change->after) {
		rows_change_sides_of_function(change, frame, change->is_of_total, ns);
		*here = ns[SIDE_AFTER];
		*all = ns[SIDE_BEFORE];
		return true;
	}
	*all = change->all->frame_self[frame];
	return *here >= 0 && has_share(change, frame);
}

bool rows_change_of_row(const struct rows_change *change, const struct row *row, int64_t *here,
			int64_t *all)
{
	*here = change->is_of_calls ? row->total : row->self;
	*all = 0;
	if (change->after) {
		int64_t ns[SIDES];

		rows_change_sides_of_row(change, row, ns);
		*here = ns[SIDE_AFTER];
		*all = ns[SIDE_BEFORE];
		return true;
	}
	if (!change->is_of_calls)
		return row->depth == 0 && rows_change_of_function(change, row->frame, here, all);
	for (uint32_t i = 0; i < row->n_items; i++)
		*all += change->all->total[row->items[i].now];
	return row->items && has_share(change, row->frame);
}

static double ratio(const struct rows_change *change, int64_t here, int64_t all)
{
	if (all <= 0 || change->whole <= 0)
		return 0;
	return (double)here / (double)change->whole * ((double)change->all_whole / (double)all);
}

void rows_change_format(const struct rows_change *change, int64_t here, int64_t all,
			struct buf *out)
{
	double x;

	if (change->after) {
		buf_addf(out, "%s%s", sides_format_change(&change->unit, here - all, UNITS_ROOM),
			 sides_sign(sides_kind_of(&change->unit, all, here)));
		return;
	}
	x = ratio(change, here, all);
	if (all <= 0 || here <= 0 || change->whole <= 0)
		buf_adds(out, "-");
	else if (here >= all)
		buf_adds(out, "only");
	else
		buf_addf(out, "x%.*f", x >= 9.95 ? 0 : x >= 0.095 ? 1 : 2, x);
}

int64_t rows_change_key(const struct rows_change *change, int64_t here, int64_t all)
{
	double x;
	int64_t key;

	if (change->after)
		return here > all ? here - all : all - here;
	x = ratio(change, here, all) * RATIO_UNIT;
	if (all <= 0 || change->whole <= 0)
		return 0;
	key = here >= all ? KEY_NEW : x >= (double)KEY_NEW ? KEY_NEW - 1 : 1 + (int64_t)x;
	if ((double)here * 100 >= (double)change->whole * PERCENT_MIN)
		key += KEY_LARGE;
	return key;
}
