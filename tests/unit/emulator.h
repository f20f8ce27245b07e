/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A terminal for tests: takes what a program sends and has the cells that a user would see. It is
 * strict: what terminals do in different ways, or not at all by their capabilities, ends the test.
 */
#ifndef FLAMETTY_TESTS_EMULATOR_H
#define FLAMETTY_TESTS_EMULATOR_H

#include "term/caps.h"

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ck_assert_msg() without the note that Check writes for each that holds: there are millions. */
#define emulator_need(holds, ...)                                                                  \
	do {                                                                                       \
		if (!(holds))                                                                      \
			ck_abort_msg(__VA_ARGS__);                                                 \
	} while (0)

#define EMULATOR_DIRECT 0x1000000 /* added to colours 0xRRGGBB */

/* ch is EMULATOR_BROKEN if the other half of a wide character was overwritten, and 0 in the right
 * half. Colours are PAINT_DEFAULT, numbers, or direct ones. */
#define EMULATOR_BROKEN 0xffff
struct emulator_cell {
	uint32_t ch, mark;
	int32_t fg, bg;
	unsigned attrs; /* paint_attr bits */
};

struct emulator {
	const struct caps *caps; /* sequences that it does not name end the test */
	bool has_bce;
	int rows, cols;
	struct emulator_cell *cells;
	struct emulator_cell pen;
	int row, col;
	bool is_past;  /* the last column was written: the next character would wrap */
	uint32_t last; /* the character just before; 0: a sequence */
};

/* A terminal full of characters that a program has not written. */
void emulator_open(struct emulator *t, const struct caps *caps, bool has_bce, int rows, int cols);
void emulator_close(struct emulator *t);

/* All sequences in the text are whole. */
void emulator_take(struct emulator *t, const char *text, size_t len);

#endif
