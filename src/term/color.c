/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Luminance and contrast are those of WCAG: channels are decoded by the curve of sRGB, and contrast
 * is the ratio of luminances with 0.05 added to each. Colours 0 to 15 of the palette are not
 * considered: users change them. */
#include "config.h"

#include "term/color.h"

/* 4.5 and what rounding may take from it. */
#define TEXT_FACTOR 903
#define TEXT_DIVISOR 200

int32_t color_blend(int32_t a, int32_t b, int percent)
{
	int32_t rgb = 0;

	for (int shift = 0; shift <= 16; shift += 8) {
		int32_t x = a >> shift & 255, y = b >> shift & 255;

		rgb |= (x * (100 - percent) + y * percent) / 100 << shift;
	}
	return rgb;
}

/* The linear value of a channel, in 1/100000. */
/* clang-format off */
static const int32_t linear[256] = {
	0, 30, 61, 91, 121, 152, 182, 212, 243, 273, 304, 335,
	368, 402, 439, 478, 518, 561, 605, 651, 700, 750, 802, 857,
	913, 972, 1033, 1096, 1161, 1229, 1298, 1370, 1444, 1521, 1600, 1681,
	1764, 1850, 1938, 2029, 2122, 2217, 2315, 2416, 2519, 2624, 2732, 2843,
	2956, 3071, 3190, 3310, 3434, 3560, 3689, 3820, 3955, 4092, 4231, 4374,
	4519, 4667, 4817, 4971, 5127, 5286, 5448, 5613, 5781, 5951, 6125, 6301,
	6480, 6663, 6848, 7036, 7227, 7421, 7619, 7819, 8022, 8228, 8438, 8650,
	8866, 9084, 9306, 9531, 9759, 9990, 10224, 10462, 10702, 10946, 11193, 11444,
	11697, 11954, 12214, 12477, 12744, 13014, 13287, 13563, 13843, 14126, 14413, 14703,
	14996, 15293, 15593, 15896, 16203, 16513, 16827, 17144, 17465, 17789, 18116, 18447,
	18782, 19120, 19462, 19807, 20156, 20508, 20864, 21223, 21586, 21953, 22323, 22697,
	23074, 23455, 23840, 24228, 24620, 25016, 25415, 25818, 26225, 26636, 27050, 27468,
	27889, 28315, 28744, 29177, 29614, 30054, 30499, 30947, 31399, 31855, 32314, 32778,
	33245, 33716, 34191, 34670, 35153, 35640, 36131, 36625, 37124, 37626, 38133, 38643,
	39157, 39676, 40198, 40724, 41254, 41789, 42327, 42869, 43415, 43966, 44520, 45079,
	45641, 46208, 46778, 47353, 47932, 48515, 49102, 49693, 50289, 50888, 51492, 52100,
	52712, 53328, 53948, 54572, 55201, 55834, 56471, 57112, 57758, 58408, 59062, 59720,
	60383, 61050, 61721, 62396, 63076, 63760, 64448, 65141, 65837, 66539, 67244, 67954,
	68669, 69387, 70110, 70838, 71569, 72306, 73046, 73791, 74540, 75294, 76052, 76815,
	77582, 78354, 79130, 79910, 80695, 81485, 82279, 83077, 83880, 84687, 85499, 86316,
	87137, 87962, 88792, 89627, 90466, 91310, 92158, 93011, 93869, 94731, 95597, 96469,
	97345, 98225, 99110, 100000,
};
/* clang-format on */

double color_linear(int channel)
{
	return linear[channel & 255] / 100000.0;
}

int color_luminance(int32_t rgb)
{
	return (linear[rgb >> 16 & 255] * 213 + linear[rgb >> 8 & 255] * 715 +
		linear[rgb & 255] * 72) /
		10000;
}

double color_contrast(int32_t a, int32_t b)
{
	double x = color_luminance(a) + 500, y = color_luminance(b) + 500;

	return x > y ? x / y : y / x;
}

bool color_has_contrast(int32_t a, int32_t b)
{
	int x = color_luminance(a) + 500, y = color_luminance(b) + 500;

	return x > y ? x * TEXT_DIVISOR >= y * TEXT_FACTOR : y * TEXT_DIVISOR >= x * TEXT_FACTOR;
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
