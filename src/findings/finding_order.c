/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drafts are sorted by score. Each one is then compared with those before it that stand: if they
 * are about the same time, it becomes a note of the earlier one. Overlaps are merges of two sorted
 * sets of keys, only for the drafts with the highest scores. Idle time goes first, then what says
 * that there is no culprit. */
#include "config.h"

#include "findings/finding_order.h"

#include "base/sort.h"

/* Drafts behind this place are dropped without a comparison. */
#define COMPARED_MOST 30

static bool is_before(const void *a, const void *b, const void *ctx)
{
	const struct finding_draft *x = a, *y = b;

	(void)ctx;
	if (x->f.kind != y->f.kind && (x->f.kind >= FINDING_EVEN || y->f.kind >= FINDING_EVEN))
		return x->f.kind > y->f.kind;
	return x->f.score > y->f.score;
}

int64_t finding_order_overlap(const struct finding_window *w, const struct finding_keys *a,
			      const struct finding_keys *b)
{
	int64_t ns = 0;

	for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
		if (a->list[i] == b->list[k]) {
			ns += w->times.ns[a->list[i]];
			i++;
			k++;
		} else if (a->list[i] < b->list[k]) {
			i++;
		} else {
			k++;
		}
	}
	return ns;
}

enum relation { IS_OTHER, IS_SAME, IS_COVERED };

/* What a draft is to an earlier one. */
static enum relation relate(const struct finding_window *w, const struct finding_draft *d,
			    const struct finding_draft *earlier)
{
	enum finding_kind kind = d->f.kind, of = earlier->f.kind;
	int64_t both;

	if ((kind == FINDING_BLOCK || kind == FINDING_EVERY) &&
	    (of == FINDING_OWNER || of == FINDING_HALF))
		return d->f.function == earlier->f.function && d->f.function ? IS_SAME : IS_OTHER;
	if (kind == FINDING_LAYOUT)
		return of == FINDING_OWNER && d->f.function == earlier->f.function &&
				charge_times_has(d->other_ns, d->f.ns, 80)
			? IS_SAME
			: IS_OTHER;
	if (of == FINDING_LAYOUT)
		return IS_OTHER;
	if (kind == FINDING_HALF && of == FINDING_HALF)
		return IS_COVERED;
	if (!d->keys.n || !earlier->keys.n)
		return IS_OTHER;
	both = finding_order_overlap(w, &d->keys, &earlier->keys);
	/* The top level of a module that only loads others. */
	if (kind == FINDING_OWNER && of == FINDING_LOAD && charge_times_has(both, d->keys_ns, 80))
		return IS_SAME;
	if (kind == FINDING_FILE && of == FINDING_OWNER && charge_times_has(both, d->keys_ns, 70))
		return IS_COVERED;
	if (kind != FINDING_GC && kind != FINDING_HALF && of != FINDING_HALF &&
	    charge_times_has(both, d->keys_ns, 80) && charge_times_has(both, earlier->keys_ns, 80))
		return IS_SAME;
	if ((kind == FINDING_SYNC || kind == FINDING_REGEXP || kind == FINDING_LOAD ||
	     kind == FINDING_PACKAGE) &&
	    charge_times_has(both, d->keys_ns, 80) && charge_times_has(both, earlier->keys_ns, 50))
		return IS_SAME;
	if (kind == FINDING_HALF && !w->charge->is_tool && charge_times_has(both, d->keys_ns, 70) &&
	    charge_times_has(both, earlier->keys_ns, 80))
		return IS_SAME;
	return IS_OTHER;
}

/* Drop what is too much from the end, but not the stretch, which always comes last. */
static void limit(struct finding_window *w)
{
	size_t n = 0, most = FINDINGS_MOST;

	for (size_t i = 0; i < w->n_drafts; i++)
		most -= w->drafts[i].f.kind == FINDING_STRETCH;
	for (size_t i = 0; i < w->n_drafts; i++) {
		struct finding_draft *d = &w->drafts[i];

		if (d->is_dropped || d->merged_into || d->f.kind == FINDING_STRETCH)
			continue;
		d->is_dropped = n >= most;
		n++;
	}
}

void finding_order(struct finding_window *w)
{
	if (w->n_drafts)
		sort_stable(w->drafts, w->n_drafts, sizeof *w->drafts, is_before, NULL);
	for (size_t i = 0; i < w->n_drafts; i++) {
		struct finding_draft *d = &w->drafts[i];

		d->is_dropped = i >= COMPARED_MOST && d->f.kind != FINDING_STRETCH;
		for (size_t k = 0; k < i && !d->is_dropped && !d->merged_into; k++) {
			const struct finding_draft *earlier = &w->drafts[k];
			enum relation r;

			/* A note covers a file, too, but has no notes of its own. */
			if (earlier->is_dropped)
				continue;
			r = relate(w, d, earlier);
			d->is_dropped = r == IS_COVERED;
			if (r == IS_SAME && !earlier->merged_into)
				d->merged_into = (uint32_t)k + 1;
		}
	}
	limit(w);
}
