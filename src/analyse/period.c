/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How alike the signal is to itself after a lag is its correlation there, from -1 to 1. A candidate
 * is judged by the first multiples of its length: the more of them, the surer. */
#include "config.h"

#include "analyse/period.h"

#include "base/alloc.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TIMES_MAX 16          /* multiples that count: timers are late, each time a little more */
#define STEP (1. / TIMES_MAX) /* of lengths: the last multiple is right to a step of the signal */
#define REGULAR_PERCENT 75    /* of the multiples: after these, the signal must be as alike, */
#define REGULAR_PART 0.6      /* or at least this part of it */
#define NEARLY 0.7            /* as alike, of a shorter length */
#define ALIKE_MIN 0.08        /* less is none, */
#define ALIKE_SURE 0.5        /* and this much is one; between them, */
#define MORE_MIN 0.002        /* of the length: less is no burst */
#define ALIKE_OVER_NOISE 9.   /* times what other lags have by chance */

/* Correlation by lag. Each value is the mean of three lags, so that a burst may be a step early or
 * late. */
struct lags {
	float *of;
	size_t n;
};

static void lags_make(struct lags *lags, const float *signal, size_t n)
{
	ALLOC_LOCAL float *x = xmalloc(n * sizeof *x);
	ALLOC_LOCAL float *exact = xcalloc(n / 2 + 2, sizeof *exact);
	double sum = 0, all = 0;

	for (size_t i = 0; i < n; i++)
		sum += signal[i];
	for (size_t i = 0; i < n; i++) {
		x[i] = signal[i] - (float)(sum / (double)n);
		all += (double)x[i] * x[i];
	}
	lags->n = n / 2;
	lags->of = xcalloc(lags->n + 1, sizeof *lags->of);
	for (size_t lag = 0; lag <= lags->n && all > 0; lag++) {
		float product = 0;

		for (size_t i = 0; i + lag < n; i++)
			product += x[i] * x[i + lag];
		exact[lag] = (float)(product / all * (double)n / (double)(n - lag));
	}
	for (size_t lag = 1; lag < lags->n; lag++)
		lags->of[lag] = (exact[lag - 1] + 2 * exact[lag] + exact[lag + 1]) / 4;
}

/* Between two lags. */
static double lags_at(const struct lags *lags, double lag)
{
	size_t i = (size_t)lag;
	double part = lag - (double)i;

	return i + 1 < lags->n ? (1 - part) * lags->of[i] + part * lags->of[i + 1] : 0;
}

/* The multiples of a length that count, and half of one more. */
static int times_of(const struct lags *lags, double length)
{
	int times = (int)((double)lags->n / length - 0.5);

	return times < TIMES_MAX ? times : TIMES_MAX;
}

/* How alike the signal is after multiples of a length; 0: not after most of them. */
static double alike_of(const struct lags *lags, double length)
{
	int times = times_of(lags, length), regular = 0;
	double of[TIMES_MAX + 1], sum = 0;

	for (int k = 1; k <= times; k++) {
		of[k] = lags_at(lags, k * length) -
			(lags_at(lags, (k - 0.5) * length) + lags_at(lags, (k + 0.5) * length)) / 2;
		sum += of[k];
	}
	for (int k = 1; k <= times; k++)
		regular += of[k] > sum / times * REGULAR_PART;
	return regular * 100 >= times * REGULAR_PERCENT && times > 0 ? sum / times : 0;
}

static int by_value(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

/* The median of the sizes of n values. */
static float median(const float *list, size_t n)
{
	ALLOC_LOCAL float *sorted = xmalloc(n * sizeof *sorted);

	for (size_t i = 0; i < n; i++)
		sorted[i] = fabsf(list[i]);
	qsort(sorted, n, sizeof *sorted, by_value);
	return sorted[n / 2];
}

/* The length of which it is surest that the signal is alike after it; 0: there is none. */
static double find_length(const struct lags *lags)
{
	double best = 0, length = 0, next = PERIOD_MIN, alike, noise;

	while (next <= (double)lags->n * 2 / PERIOD_TIMES) {
		double sure = alike_of(lags, next) * sqrt(times_of(lags, next));

		length = sure > best ? next : length;
		best = sure > best ? sure : best;
		next += STEP;
	}
	if (length <= 0)
		return 0;
	alike = alike_of(lags, length);
	noise = median(lags->of, lags->n) / sqrt(times_of(lags, length));
	if (alike < ALIKE_MIN || (alike < ALIKE_SURE && alike < ALIKE_OVER_NOISE * noise))
		return 0;
	for (int k = TIMES_MAX; k > 1; k--)
		if (length / k >= PERIOD_MIN && alike_of(lags, length / k) > alike * NEARLY)
			return length / k;
	return length;
}

/* Fold the signal at the length: the mean of each part of a period. Then the burst is where that is
 * a quarter or more of the way from the usual value to the highest one. */
static void find_burst(const float *signal, size_t n, struct period *out)
{
	float mean[PERIOD_PHASES] = { 0 }, usual, edge;
	uint32_t times[PERIOD_PHASES] = { 0 };
	int top = 0, from, to;

	/* Of more of them, the length is not known well enough. */
	for (size_t i = 0; i < n && (double)i < out->length * PERIOD_FOLDED; i++) {
		double at = ((double)i + 0.5) / out->length;
		int phase = (int)((at - floor(at)) * PERIOD_PHASES);

		mean[phase] += signal[i];
		times[phase]++;
	}
	for (int i = 0; i < PERIOD_PHASES; i++) {
		mean[i] = times[i] ? mean[i] / (float)times[i] : i ? mean[i - 1] : 0;
		top = mean[i] > mean[top] ? i : top;
	}
	usual = median(mean, PERIOD_PHASES);
	edge = usual + (mean[top] - usual) / 4;
	from = to = top + PERIOD_PHASES;
	while (from > top + PERIOD_PHASES / 2 && mean[(from - 1) % PERIOD_PHASES] > edge)
		from--;
	while (to < from + PERIOD_PHASES && mean[to % PERIOD_PHASES] > edge)
		out->more += mean[to++ % PERIOD_PHASES] - usual;
	for (int i = from; i < top + PERIOD_PHASES; i++)
		out->more += mean[i % PERIOD_PHASES] - usual;
	out->more *= out->length / PERIOD_PHASES;
	out->begin = (double)(from % PERIOD_PHASES) / PERIOD_PHASES;
	out->end = out->begin + (double)(to - from) / PERIOD_PHASES;
}

bool period_find(const float *signal, size_t n, struct period *out)
{
	struct lags lags;

	*out = (struct period){ 0 };
	if (n < (size_t)PERIOD_MIN * PERIOD_TIMES * 2)
		return false;
	lags_make(&lags, signal, n);
	out->length = find_length(&lags);
	free(lags.of);
	if (out->length > 0)
		find_burst(signal, n, out);
	/* The times differ too much if nothing is left of the burst. */
	return out->more > out->length * MORE_MIN;
}
