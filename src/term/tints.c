/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Few of the 240 colours have the hue of a given one, so the hue comes first: a tone of another hue
 * would be taken for another file. Where a hue is left, what counts is how far lightness, chroma
 * and hue are from what is wanted; a grey has to be much nearer. */
#include "config.h"

#include "term/tints.h"

#include "base/alloc.h"
#include "term/color.h"

#include <math.h>

#define GREY_CHROMA 0.03      /* below it, a colour has no hue */
#define SAME_HUE_COSINE 0.939 /* of 20 degrees */
#define SAME_HUE_SINE 0.345
#define HUE_COST 0.15   /* of a hue that is as far away as it may be */
#define GREY_COST 0.3   /* of a grey for a colour with a hue */
#define OTHER_COST 0.06 /* of the tone that should be another one */
#define MORE_CHROMA 0.01
#define APART 0.1
#define TEXT_CONTRAST 4.5
#define BLACK 0x080808
#define WHITE 0xffffff

static struct tint tint_of(int32_t rgb)
{
	struct tint t = { .rgb = rgb, .luminance = color_luminance(rgb) / 10000.0 };
	double r = color_linear(rgb >> 16 & 255), g = color_linear(rgb >> 8 & 255),
	       b = color_linear(rgb & 255);
	double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b),
	       m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b),
	       s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);

	t.l = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
	t.a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
	t.b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
	t.chroma = sqrt(t.a * t.a + t.b * t.b);
	return t;
}

void tints_init(struct tints *tints, int32_t page)
{
	for (int32_t i = 0; i < TINTS; i++)
		tints->list[i] = tint_of(color_of_256(16 + i));
	tints->page = tint_of(page);
	tints->black = tint_of(BLACK);
	tints->white = tint_of(WHITE);
}

static double contrast(const struct tint *a, const struct tint *b)
{
	double x = a->luminance + 0.05, y = b->luminance + 0.05;

	return x > y ? x / y : y / x;
}

static double distance(const struct tint *x, const struct tint *y)
{
	double l = x->l - y->l, a = x->a - y->a, b = x->b - y->b;

	return sqrt(l * l + a * a + b * b);
}

/* The colours of a wish. */
struct wanted {
	const struct tints *tints;
	struct tint of, near, apart;
	bool has_apart;
};

/* What the hue of a colour costs; below 0: it is another hue. */
static double hue_cost(const struct tint *t, const struct tint *of)
{
	double scale = t->chroma * of->chroma, dot = t->a * of->a + t->b * of->b,
	       cross = t->a * of->b - t->b * of->a;

	if (t->chroma < GREY_CHROMA)
		return of->chroma < GREY_CHROMA ? 0 : GREY_COST;
	if (of->chroma < GREY_CHROMA || t->chroma > of->chroma + MORE_CHROMA ||
	    dot < SAME_HUE_COSINE * scale)
		return -1;
	return fabs(cross) / scale / SAME_HUE_SINE * HUE_COST;
}

static bool is_tone(const struct tint *t, const struct wanted *w, double visible)
{
	const struct tints *tints = w->tints;
	double c = contrast(t, &tints->page);

	return t->rgb != w->of.rgb && c >= visible && c < contrast(&w->of, &tints->page) &&
		fmax(contrast(t, &tints->black), contrast(t, &tints->white)) >= TEXT_CONTRAST &&
		!(w->has_apart && distance(t, &w->apart) < APART);
}

static const struct tint *nearest(const struct wanted *w, int32_t other, double visible)
{
	const struct tint *best = NULL;
	double least = 0;

	for (size_t i = 0; i < ARRAY_LEN(w->tints->list); i++) {
		const struct tint *t = &w->tints->list[i];
		double cost = hue_cost(t, &w->of);

		if (cost < 0)
			continue;
		cost += fabs(t->l - w->near.l) + (t->rgb == other ? OTHER_COST : 0);
		if (t->chroma >= GREY_CHROMA || w->of.chroma < GREY_CHROMA)
			cost += fabs(t->chroma - w->near.chroma);
		if ((!best || cost < least) && is_tone(t, w, visible)) {
			best = t;
			least = cost;
		}
	}
	return best;
}

int32_t tints_find(const struct tints *tints, const struct tint_wish *wish)
{
	struct wanted w = { .tints = tints,
			    .of = tint_of(wish->of),
			    .near = tint_of(wish->near),
			    .apart = tint_of(wish->apart < 0 ? 0 : wish->apart) };
	const struct tint *found = NULL;

	/* A colour that is itself so near to the other one has tones like it. */
	w.has_apart = wish->apart >= 0 && distance(&w.of, &w.apart) >= APART;
	if (!wish->is_faint)
		found = nearest(&w, wish->other, TINT_VISIBLE);
	if (!found)
		found = nearest(&w, wish->other, 1);
	return found ? found->rgb : color_of_256(color_nearest_256(wish->near));
}

int32_t tints_blend(const struct tint_wish *wish, int percent)
{
	int32_t rgb = color_blend(wish->of, wish->page, percent);
	int less = percent;

	if (wish->is_faint || color_contrast(wish->of, wish->page) < TINT_VISIBLE)
		return rgb;
	while (less > 1 && color_contrast(rgb, wish->page) < TINT_VISIBLE)
		rgb = color_blend(wish->of, wish->page, --less);
	return rgb;
}
