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
#define LIGHT_LUMINANCE 0.179 /* of a page: from there on black text is the more readable one */
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
	bool has_apart, may_be_grey;
	double least, most; /* contrasts to the page; it is less than the latter */
};

/* What the hue of a colour costs; below 0: it is another hue. */
static double hue_cost(const struct tint *t, const struct tint *of, bool may_be_grey)
{
	double scale = t->chroma * of->chroma, dot = t->a * of->a + t->b * of->b,
	       cross = t->a * of->b - t->b * of->a;

	if (t->chroma < GREY_CHROMA)
		return of->chroma < GREY_CHROMA ? 0 : may_be_grey ? GREY_COST : -1;
	if (of->chroma < GREY_CHROMA || t->chroma > of->chroma + MORE_CHROMA ||
	    dot < SAME_HUE_COSINE * scale)
		return -1;
	return fabs(cross) / scale / SAME_HUE_SINE * HUE_COST;
}

static bool is_tone(const struct tint *t, const struct wanted *w)
{
	const struct tints *tints = w->tints;
	double c = contrast(t, &tints->page);

	return t->rgb != w->of.rgb && c >= w->least && c < w->most &&
		fmax(contrast(t, &tints->black), contrast(t, &tints->white)) >= TEXT_CONTRAST &&
		!(w->has_apart && distance(t, &w->apart) < APART);
}

static const struct tint *nearest(const struct wanted *w, int32_t other)
{
	const struct tint *best = NULL;
	double least = 0;

	for (size_t i = 0; i < ARRAY_LEN(w->tints->list); i++) {
		const struct tint *t = &w->tints->list[i];
		double cost = hue_cost(t, &w->of, w->may_be_grey);

		if (cost < 0)
			continue;
		cost += fabs(t->l - w->near.l) + (t->rgb == other ? OTHER_COST : 0);
		if (t->chroma >= GREY_CHROMA || w->of.chroma < GREY_CHROMA)
			cost += fabs(t->chroma - w->near.chroma);
		if ((!best || cost < least) && is_tone(t, w)) {
			best = t;
			least = cost;
		}
	}
	return best;
}

static void want(struct wanted *w, const struct tints *tints, const struct tint_wish *wish)
{
	*w = (struct wanted){ .tints = tints,
			      .of = tint_of(wish->of),
			      .near = tint_of(wish->near),
			      .apart = tint_of(wish->apart < 0 ? 0 : wish->apart),
			      .may_be_grey = wish->may_be_grey,
			      .least = wish->least };
	/* A colour that is itself so near to the other one has tones like it. */
	w->has_apart = wish->apart >= 0 && distance(&w->of, &w->apart) >= APART;
	w->most = contrast(&w->of, &tints->page);
}

int32_t tints_find(const struct tints *tints, const struct tint_wish *wish)
{
	const struct tint *found;
	struct wanted w;

	want(&w, tints, wish);
	found = nearest(&w, wish->other);
	if (found)
		return found->rgb;
	return wish->least > 1 ? wish->of : color_of_256(color_nearest_256(wish->near));
}

/* Black or white text can be read on it, and it can be seen on the page. */
static bool is_usable(int32_t rgb, const struct tint_wish *wish)
{
	return color_contrast(rgb, wish->page) >= wish->least &&
		(color_has_contrast(rgb, BLACK) || color_has_contrast(rgb, WHITE));
}

/* As light as a colour. A blend with the colour itself would have something of its hue. */
static int32_t grey_of(int32_t rgb)
{
	return ((rgb >> 16 & 255) * 3 + (rgb >> 8 & 255) * 6 + (rgb & 255)) / 10 * 0x010101;
}

int32_t tints_blend(const struct tint_wish *wish, int percent)
{
	int32_t page = grey_of(wish->page), rgb = color_blend(wish->of, page, percent);
	struct tint of = tint_of(wish->of), apart = tint_of(wish->apart < 0 ? 0 : wish->apart), t;
	bool has_apart = wish->apart >= 0 && distance(&of, &apart) >= APART;

	for (int less = percent; less > 0; less--) {
		t = tint_of(rgb);
		if (is_usable(rgb, wish) && !(has_apart && distance(&t, &apart) < APART))
			break;
		rgb = color_blend(wish->of, page, less - 1);
	}
	return rgb;
}

int32_t tints_fit(const struct tints *tints, const struct tint_wish *wish, bool is_direct)
{
	int32_t far = tints->page.luminance < LIGHT_LUMINANCE ? WHITE : BLACK;
	struct tint_wish to = *wish;
	const struct tint *found;
	struct wanted w;

	to.near = wish->of;
	for (int percent = 1; percent <= 100 && !is_usable(to.near, wish); percent++)
		to.near = color_blend(wish->of, far, percent);
	if (is_direct || to.near == wish->of)
		return to.near;
	want(&w, tints, &to);
	w.most = INFINITY;
	found = nearest(&w, -1);
	return found ? found->rgb : far;
}
