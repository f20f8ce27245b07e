/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times are added up by set of labels first; there are few sets. */
#include "config.h"

#include "analysis/label_share.h"

#include "base/alloc.h"

#include <stdlib.h>

/* Time of a set, or of a value. */
struct part {
	uint32_t id;
	int64_t ns;
};

static int by_id(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Sort the parts, and add up those with one id. Returns how many are left. */
static size_t join(struct part *parts, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(parts, n, sizeof *parts, by_id);
	for (size_t i = 0; i < n; i++)
		if (kept && parts[kept - 1].id == parts[i].id)
			parts[kept - 1].ns += parts[i].ns;
		else
			parts[kept++] = parts[i];
	return kept;
}

/* False: no set has the key. */
static bool find_share(const struct profile *p, uint32_t key, const struct part *sets, size_t n,
		       struct part *values, struct label_share *share)
{
	bool has_any = false;

	*share = (struct label_share){ .key = key, .ns = -1 };
	for (size_t i = 0; i < n; i++) {
		values[i] = (struct part){ labels_value(&p->labels, sets[i].id, key), sets[i].ns };
		has_any |= values[i].id != 0;
	}
	share->n_values = join(values, n);
	for (size_t i = 0; i < share->n_values; i++) {
		share->all_ns += values[i].ns;
		if (values[i].ns <= share->ns)
			continue;
		share->value = values[i].id;
		share->ns = values[i].ns;
	}
	return has_any;
}

size_t label_share_find(const struct profile *p, const struct lane *lane, size_t first, size_t end,
			struct label_share **shares)
{
	size_t n = end - first < LABEL_SHARE_SAMPLES ? end - first : LABEL_SHARE_SAMPLES;
	size_t n_sets, n_shares = 0;
	struct part *sets, *values;

	*shares = NULL;
	if (!lane->labels || n == 0)
		return 0;
	sets = xcalloc(n, sizeof *sets);
	for (size_t i = 0; i < n; i++)
		sets[i] = (struct part){ lane->labels[first + i],
					 samples_time(&lane->samples, first + i + 1) -
						 samples_time(&lane->samples, first + i) };
	n_sets = join(sets, n);
	values = xcalloc(n_sets, sizeof *values);
	*shares = xcalloc((size_t)p->labels.n_keys + 1, sizeof **shares);
	for (uint32_t key = 0; key < p->labels.n_keys; key++)
		n_shares += find_share(p, key, sets, n_sets, values, &(*shares)[n_shares]);
	free(values);
	free(sets);
	return n_shares;
}
