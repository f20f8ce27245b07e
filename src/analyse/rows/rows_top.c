/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys are collected until there are twice as many as wanted; then they are sorted, and the second
 * half is dropped. From then on a key that comes behind the last one that is kept is not added. */
#include "config.h"

#include "analyse/rows/rows_top.h"

#include "analyse/rows/rows_sort.h"
#include "base/alloc.h"

#include <stdlib.h>

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

void rows_top_done(struct rows_top *top)
{
	free(top->list);
	*top = (struct rows_top){ 0 };
}
