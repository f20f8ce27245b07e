/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of the indices in use goes with the array of sums. */
#include "config.h"

#include "findings/finding_tally.h"

#include "base/alloc.h"

#include <stdlib.h>

void finding_tally_init(struct finding_tally *t, size_t n_indices)
{
	t->ns = xcalloc(n_indices, sizeof *t->ns);
	t->used = xcalloc(n_indices, sizeof *t->used);
	t->n = 0;
}

void finding_tally_done(struct finding_tally *t)
{
	free(t->ns);
	free(t->used);
	*t = (struct finding_tally){ 0 };
}

void finding_tally_add(struct finding_tally *t, uint32_t index, int64_t ns)
{
	if (ns <= 0)
		return;
	if (!t->ns[index])
		t->used[t->n++] = index;
	t->ns[index] += ns;
}

bool finding_tally_largest(const struct finding_tally *t, uint32_t *index)
{
	if (!t->n)
		return false;
	*index = t->used[0];
	for (size_t i = 1; i < t->n; i++)
		if (t->ns[t->used[i]] > t->ns[*index] ||
		    (t->ns[t->used[i]] == t->ns[*index] && t->used[i] < *index))
			*index = t->used[i];
	return true;
}

void finding_tally_clear(struct finding_tally *t)
{
	for (size_t i = 0; i < t->n; i++)
		t->ns[t->used[i]] = 0;
	t->n = 0;
}
