/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Medians over the hosts that are judged, or over all if none is. */
#include "config.h"

#include "analyse/fleet_shares.h"

#include "analyse/compare/compare.h"
#include "base/alloc.h"
#include "base/sort.h"

#include <string.h>

static bool *find_judged(const struct fleet_answers *a)
{
	bool *is_judged = xcalloc(a->hosts.n_cols + 1, sizeof *is_judged);

	for (size_t i = 0; i < a->hosts.n_cols; i++)
		is_judged[i] = a->n_unjudged < a->hosts.n_cols;
	for (size_t i = 0; i < a->n_unjudged; i++)
		is_judged[a->unjudged[i].col] = a->n_unjudged == a->hosts.n_cols;
	return is_judged;
}

/* ns: by host. */
static double median_share(const struct fleet_answers *a, const bool *is_judged, const int64_t *ns)
{
	ALLOC_LOCAL double *shares = xcalloc(a->hosts.n_cols + 1, sizeof *shares);
	uint32_t n = 0;

	for (size_t i = 0; i < a->hosts.n_cols; i++)
		if (is_judged[i] && a->hosts.facts[i].busy_ns > 0)
			shares[n++] = (double)ns[i] / (double)a->hosts.facts[i].busy_ns;
	return compare_stats_median(shares, n);
}

static bool before_package(const void *a, const void *b, const void *ctx)
{
	const struct fleet_share *x = a, *y = b;

	(void)ctx;
	return x->share > y->share;
}

static bool before_row_package(const void *a, const void *b, const void *ctx)
{
	const struct fleet_table *t = ctx;
	const uint32_t *x = a, *y = b;

	return t->fleet->functions[t->rows[*x]].package < t->fleet->functions[t->rows[*y]].package;
}

size_t fleet_shares_packages(const struct fleet_answers *a, struct fleet_share **out)
{
	const struct fleet_table *t = &a->hosts;
	ALLOC_LOCAL bool *is_judged = find_judged(a);
	ALLOC_LOCAL uint32_t *order = xcalloc(t->n_rows + 1, sizeof *order);
	ALLOC_LOCAL int64_t *ns = xcalloc(t->n_cols + 1, sizeof *ns);
	size_t n = 0;

	*out = xcalloc(t->n_rows + 1, sizeof **out);
	for (uint32_t i = 0; i < t->n_rows; i++)
		order[i] = i;
	sort_stable(order, t->n_rows, sizeof *order, before_row_package, t);
	for (size_t i = 0; i < t->n_rows; i++) {
		str_id name = t->fleet->functions[t->rows[order[i]]].package;

		for (size_t k = 0; k < t->n_cols; k++)
			ns[k] = units_sum(ns[k], t->self_ns[order[i] * t->n_cols + k]);
		if (i + 1 < t->n_rows && t->fleet->functions[t->rows[order[i + 1]]].package == name)
			continue;
		if (name)
			(*out)[n++] = (struct fleet_share){ name, median_share(a, is_judged, ns) };
		memset(ns, 0, t->n_cols * sizeof *ns);
	}
	sort_stable(*out, n, sizeof **out, before_package, NULL);
	return n;
}

/* By stack: whether a loader of modules is in it, below the innermost function of own code or of a
 * package. */
static bool *find_loading(const struct fleet *fleet)
{
	bool *is_loading = xcalloc(fleet->n_stacks + 1u, sizeof *is_loading);

	for (uint32_t i = 1; i < fleet->n_stacks; i++) {
		const struct fleet_function *f = &fleet->functions[fleet->stack_function[i]];

		is_loading[i] = category_is_loader(intern_text(&fleet->strings, f->url)) ||
			(f->category != CATEGORY_APP && f->category != CATEGORY_DEPENDENCY &&
			 f->category != CATEGORY_GC && is_loading[fleet->stack_parent[i]]);
	}
	return is_loading;
}

void fleet_shares_overheads(const struct fleet_answers *a, double *gc, double *loading)
{
	const struct fleet *fleet = a->hosts.fleet;
	size_t n = a->hosts.n_cols;
	ALLOC_LOCAL size_t *col_of = xcalloc(fleet->strings.n, sizeof *col_of);
	ALLOC_LOCAL bool *is_judged = find_judged(a);
	ALLOC_LOCAL bool *is_loading = find_loading(fleet);
	ALLOC_LOCAL int64_t *gc_ns = xcalloc(n + 1, sizeof *gc_ns);
	ALLOC_LOCAL int64_t *load_ns = xcalloc(n + 1, sizeof *load_ns);

	for (size_t i = 0; i < n; i++)
		col_of[a->hosts.cols[i]] = i;
	for (size_t i = 0; i < fleet->n_groups; i++) {
		const struct fleet_group *g = &fleet->groups[i];
		size_t col = col_of[g->host];

		for (size_t k = 0; k < g->n_selves; k++)
			if (is_loading[g->selves[k].stack])
				load_ns[col] = units_sum(load_ns[col], g->selves[k].ns);
	}
	for (size_t i = 0; i < n; i++)
		gc_ns[i] = a->hosts.facts[i].gc_ns;
	*gc = median_share(a, is_judged, gc_ns);
	*loading = median_share(a, is_judged, load_ns);
}
