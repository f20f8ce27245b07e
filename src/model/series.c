/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A series of a counter. high[k] is a pyramid of maxima: the maximum over a range looks at whole
 * groups where they fit. */
#include "config.h"

#include "model/series.h"

#include "base/alloc.h"

#include <stdlib.h>

#define FAN 64

void series_index(struct series *s)
{
	const double *below = s->value;
	size_t n = s->n;

	s->least = s->most = 0;
	for (size_t i = 0; i < n; i++) {
		s->least = s->value[i] < s->least ? s->value[i] : s->least;
		s->most = s->value[i] > s->most ? s->value[i] : s->most;
	}
	while (n > FAN) {
		size_t m = (n + FAN - 1) / FAN;
		double *high = xmalloc(m * sizeof *high);

		for (size_t j = 0; j < m; j++) {
			high[j] = below[j * FAN];
			for (size_t i = j * FAN + 1; i < n && i < (j + 1) * FAN; i++)
				high[j] = below[i] > high[j] ? below[i] : high[j];
		}
		s->high = xrealloc(s->high, (size_t)s->n_high + 1, sizeof *s->high);
		s->high[s->n_high++] = high;
		below = high;
		n = m;
	}
}

size_t series_find(const struct series *s, int64_t t)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->t[mid] <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? lo - 1 : SIZE_MAX;
}

bool series_most(const struct series *s, int64_t t0, int64_t t1, double *most)
{
	size_t i = series_find(s, t0), end = series_find(s, t1 - 1);
	int k = 0;

	if (end == SIZE_MAX)
		return false;
	if (i == SIZE_MAX)
		i = 0;
	*most = s->value[i];
	/* Up while whole groups fit, down again at the end. */
	for (end++; i < end;) {
		const double *v;
		size_t step = 1;

		for (k = 0; k < s->n_high && i % (step * FAN) == 0 && i + step * FAN <= end; k++)
			step *= FAN;
		v = k ? s->high[k - 1] : s->value;
		*most = v[i / step] > *most ? v[i / step] : *most;
		i += step;
	}
	return true;
}

void series_done(struct series *s)
{
	for (int k = 0; k < s->n_high; k++)
		free(s->high[k]);
	free(s->high);
	free(s->t);
	free(s->value);
	*s = (struct series){ 0 };
}
