/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arithmetic on colours, 0xRRGGBB. Pure. */
#ifndef FLAMETTY_TERM_COLOR_H
#define FLAMETTY_TERM_COLOR_H

#include <stdbool.h>
#include <stdint.h>

/* `percent` (0 to 100) of b and the rest of a, per channel. */
int32_t color_blend(int32_t a, int32_t b, int percent);

/* The linear value of a channel of sRGB (0 to 255), 0 to 1. */
double color_linear(int channel);

/* Relative luminance, 0 to 10000. */
int color_luminance(int32_t rgb);

/* The contrast ratio, 1 to 21. */
double color_contrast(int32_t a, int32_t b);

/* Whether text of one colour can be read on the other: a contrast ratio of 4.5 or more. */
bool color_has_contrast(int32_t a, int32_t b);

/* The number of the nearest colour in the cube (16 to 231) or among the greys (232 to 255) of the
 * 256-colour palette. */
int32_t color_nearest_256(int32_t rgb);

/* The colour with number 16 to 255 of the 256-colour palette. */
int32_t color_of_256(int32_t number);

#endif
