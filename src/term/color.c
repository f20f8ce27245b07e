/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Luminance takes a gamma of 2 for 2.2, and contrast is the ratio of luminances with 0.05 added to
 * each, as WCAG defines it. Colours 0 to 15 of the palette are not considered: users change them.
 */
#include "config.h"

#include "term/color.h"

int32_t color_blend(int32_t a, int32_t b, int percent)
{
	int32_t rgb = 0;

	for (int shift = 0; shift <= 16; shift += 8) {
		int32_t x = a >> shift & 255, y = b >> shift & 255;

		rgb |= (x * (100 - percent) + y * percent) / 100 << shift;
	}
	return rgb;
}

int color_luminance(int32_t rgb)
{
	int r = rgb >> 16 & 255, g = rgb >> 8 & 255, b = rgb & 255;

	return (r * r * 21 + g * g * 72 + b * b * 7) / 650;
}

bool color_has_contrast(int32_t a, int32_t b)
{
	int x = color_luminance(a) + 500, y = color_luminance(b) + 500;

	return x > y ? x * 2 >= y * 9 : y * 2 >= x * 9;
}

static int32_t cube_level(int n)
{
	return n ? 55 + 40 * n : 0;
}

static int32_t distance(int32_t a, int32_t b)
{
	int32_t sum = 0;

	for (int shift = 0; shift <= 16; shift += 8) {
		int32_t d = (a >> shift & 255) - (b >> shift & 255);

		sum += d * d;
	}
	return sum;
}

int32_t color_nearest_256(int32_t rgb)
{
	int32_t cube = 0, grey = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		int32_t v = rgb >> shift & 255;

		cube = cube * 6 + (v < 48 ? 0 : v < 115 ? 1 : (v - 35) / 40);
		grey += v;
	}
	cube += 16;
	grey = grey / 3 < 8 ? 0 : (grey / 3 - 3) / 10;
	grey = 232 + (grey > 23 ? 23 : grey);
	return distance(color_of_256(cube), rgb) <= distance(color_of_256(grey), rgb) ? cube : grey;
}

int32_t color_of_256(int32_t number)
{
	if (number >= 232)
		return (8 + 10 * (number - 232)) * 0x010101;
	number -= 16;
	return cube_level(number / 36) << 16 | cube_level(number / 6 % 6) << 8 |
		cube_level(number % 6);
}
