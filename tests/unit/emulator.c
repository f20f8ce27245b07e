/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Written from ECMA-48 and the manual of the VT510, without regard to what flametty sends. */
#include "config.h"

#include "emulator.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NUMBERS 24

static struct emulator_cell *cell_at(const struct emulator *t, int row, int col)
{
	emulator_need(row >= 0 && row < t->rows && col >= 0 && col < t->cols,
		      "row %d, column %d is outside", row, col);
	return &t->cells[row * t->cols + col];
}

void emulator_open(struct emulator *t, const struct caps *caps, bool has_bce, int rows, int cols)
{
	*t = (struct emulator){ .caps = caps, .has_bce = has_bce, .rows = rows, .cols = cols };
	t->cells = xcalloc((size_t)(rows * cols), sizeof *t->cells);
	for (int i = 0; i < rows * cols; i++)
		t->cells[i] = (struct emulator_cell){ '?', 0, 3, 5, PAINT_BOLD };
	t->pen = (struct emulator_cell){ 0, 0, 2, 6, PAINT_UNDERLINE };
	t->row = rows - 1;
	t->col = cols - 1;
}

void emulator_close(struct emulator *t)
{
	free(t->cells);
	memset(t, 0, sizeof *t);
}

/* ---- cells ---- */

/* Cells from `col` on, n of them, are about to be replaced: halves of wide characters beside them
 * lose their other half. */
static void break_wide(struct emulator *t, int row, int col, int n)
{
	if (cell_at(t, row, col)->ch == 0 && col > 0)
		cell_at(t, row, col - 1)->ch = EMULATOR_BROKEN;
	if (col + n < t->cols && cell_at(t, row, col + n)->ch == 0)
		cell_at(t, row, col + n)->ch = EMULATOR_BROKEN;
}

static struct emulator_cell erased(const struct emulator *t)
{
	return (struct emulator_cell){ ' ', 0, PAINT_DEFAULT,
				       t->has_bce ? t->pen.bg : PAINT_DEFAULT, 0 };
}

static void erase(struct emulator *t, int row, int col, int n)
{
	emulator_need(n > 0 && col + n <= t->cols, "%d cells from column %d on", n, col);
	break_wide(t, row, col, n);
	for (int i = 0; i < n; i++)
		*cell_at(t, row, col + i) = erased(t);
}

static void put_mark(struct emulator *t, uint32_t mark)
{
	int col = t->is_past ? t->col : t->col - 1;

	if (cell_at(t, t->row, col)->ch == 0)
		col--;
	emulator_need(t->last, "a mark after a sequence");
	cell_at(t, t->row, col)->mark = mark;
}

static void put_char(struct emulator *t, uint32_t ch)
{
	int width = text_width(ch);

	emulator_need(width >= 0 && ch >= ' ', "character %x", (unsigned)ch);
	if (width == 0) {
		put_mark(t, ch);
		return;
	}
	emulator_need(!t->is_past && t->col + width <= t->cols, "wraps");
	break_wide(t, t->row, t->col, width);
	for (int i = 0; i < width; i++) {
		*cell_at(t, t->row, t->col + i) = t->pen;
		cell_at(t, t->row, t->col + i)->ch = i ? 0 : ch;
	}
	t->col += width;
	t->is_past = t->col == t->cols;
	t->col -= t->is_past;
	t->last = ch;
}

static void move_cells(struct emulator *t, int row, int col, int n, bool is_insert)
{
	struct emulator_cell *at = cell_at(t, row, col);
	int kept = t->cols - col - n;

	emulator_need(kept >= 0, "%d cells from column %d on", n, col);
	break_wide(t, row, col, is_insert ? 0 : n);
	if (is_insert)
		memmove(at + n, at, (size_t)kept * sizeof *at);
	else
		memmove(at, at + n, (size_t)kept * sizeof *at);
	for (int i = 0; i < n; i++)
		at[is_insert ? i : kept + i] = erased(t);
	/* The right half of a wide character may have left the screen. */
	if (is_insert && at[t->cols - 1 - col].ch && text_width(at[t->cols - 1 - col].ch) == 2)
		at[t->cols - 1 - col].ch = EMULATOR_BROKEN;
}

static void move_rows(struct emulator *t, int row, int n, bool is_insert)
{
	struct emulator_cell *at = cell_at(t, row, 0);
	size_t width = (size_t)t->cols, kept = (size_t)(t->rows - row - n) * width;

	emulator_need(n <= t->rows - row, "%d rows from row %d on", n, row);
	if (is_insert)
		memmove(at + (size_t)n * width, at, kept * sizeof *at);
	else
		memmove(at, at + (size_t)n * width, kept * sizeof *at);
	for (size_t i = 0; i < (size_t)n * width; i++)
		at[is_insert ? i : kept + i] = erased(t);
}

/* ---- sequences ---- */

/* The colour that numbers[*i] and those after it mean; *i: the last of them. */
static int32_t color_of(const struct emulator *t, const int *numbers, int n, int *i)
{
	int at = *i;

	if (numbers[at] % 10 != 8)
		return numbers[at] < 90 ? numbers[at] % 10 : 8 + numbers[at] % 10;
	emulator_need(at + 2 < n, "half a colour");
	if (numbers[at + 1] == 5) {
		*i = at + 2;
		emulator_need(t->caps->colors == PALETTE_256, "a colour of 256");
		return numbers[at + 2];
	}
	emulator_need(at + 4 < n && numbers[at + 1] == 2, "half a colour");
	emulator_need(t->caps->colors == PALETTE_DIRECT, "a direct colour");
	*i = at + 4;
	return EMULATOR_DIRECT | numbers[at + 2] << 16 | numbers[at + 3] << 8 | numbers[at + 4];
}

static void set_attrs(struct emulator *t, unsigned attrs)
{
	emulator_need(!(attrs & ~(unsigned)t->caps->attrs), "attributes %x", attrs);
	t->pen.attrs |= attrs;
}

/* clang-format off */
static void set_look(struct emulator *t, const int *numbers, int n)
{
	enum palette_mode colors = t->caps->colors;

	for (int i = 0; i < n; i++) {
		int number = numbers[i];

		switch (number) {
		case 0: t->pen = (struct emulator_cell){ 0, 0, -1, -1, 0 }; break;
		case 1: set_attrs(t, PAINT_BOLD); break;
		case 2: set_attrs(t, PAINT_DIM); break;
		case 4: set_attrs(t, PAINT_UNDERLINE); break;
		case 7: set_attrs(t, PAINT_REVERSE); break;
		case 22:
		case 24:
		case 27:
			emulator_need(!t->caps->no_off, "an attribute is switched off");
			t->pen.attrs &= ~(unsigned)(number == 22 ? PAINT_BOLD | PAINT_DIM
					: number == 24 ? PAINT_UNDERLINE
						       : PAINT_REVERSE);
			break;
		case 39: t->pen.fg = PAINT_DEFAULT; break;
		case 49: t->pen.bg = PAINT_DEFAULT; break;
		default:
			emulator_need((number >= 30 && number <= 38) ||
					      (number >= 40 && number <= 48) ||
					      (number >= 90 && number <= 97) ||
					      (number >= 100 && number <= 107),
				      "look %d", number);
			emulator_need(colors != PALETTE_MONO, "a colour");
			emulator_need(number < 90 || colors >= PALETTE_16, "a light colour");
			if ((number >= 40 && number <= 48) || number >= 100)
				t->pen.bg = color_of(t, numbers, n, &i);
			else
				t->pen.fg = color_of(t, numbers, n, &i);
		}
	}
}
/* clang-format on */

static void repeat(struct emulator *t, int n)
{
	uint32_t ch = t->last;

	emulator_need(ch >= ' ' && ch < 0x7f, "repeats %x", (unsigned)ch);
	for (int i = 0; i < n; i++)
		put_char(t, ch);
	t->last = 0;
}

static void go(struct emulator *t, int row, int col)
{
	cell_at(t, row, col);
	emulator_need(!t->caps->no_msgr || (t->pen.fg < 0 && t->pen.bg < 0 && t->pen.attrs == 0),
		      "a move with a look");
	t->row = row;
	t->col = col;
	t->is_past = false;
}

/* Sequences that are safe after the last column. Returns false: it is another one. */
/* clang-format off */
static bool take_absolute(struct emulator *t, char final, const int *numbers, int n)
{
	switch (final) {
	case 'm': set_look(t, numbers, n); return true;
	case 'H':
	case 'f': /* what a terminal with sequences of its own has instead */
		emulator_need((final == 'f') == (t->caps->text != NULL), "a move by %c", final);
		go(t, (numbers[0] ? numbers[0] : 1) - 1, n > 1 ? numbers[1] - 1 : 0);
		return true;
	case 'G':
		emulator_need(t->caps->hpa && !(t->is_past && t->caps->wraps), "the sequence G");
		go(t, t->row, (numbers[0] ? numbers[0] : 1) - 1);
		return true;
	default: return false;
	}
}
/* clang-format on */

/* clang-format off */
static bool may(const struct caps *caps, char final)
{
	switch (final) {
	case 'd': return caps->vpa;
	case 'A': return caps->cuu;
	case 'B': return caps->cud;
	case 'C': return caps->cuf;
	case 'D': return caps->cub;
	case 'J': return true;
	case 'K': return caps->el;
	case 'X': return caps->ech;
	case 'b': return caps->rep;
	case '@': return caps->ich;
	case 'P': return caps->dch;
	case 'L': return caps->il;
	case 'M': return caps->dl;
	default: return false;
	}
}
/* clang-format on */

/* clang-format off */
static void take_sequence(struct emulator *t, char final, const int *numbers, int n_numbers)
{
	int n = numbers[0] ? numbers[0] : 1;

	if (take_absolute(t, final, numbers, n_numbers))
		return;
	emulator_need(may(t->caps, final), "the sequence %c", final);
	emulator_need(!t->is_past, "the sequence %c after the last column", final);
	switch (final) {
	case 'd': go(t, n - 1, t->col); break;
	case 'A': go(t, t->row - n, t->col); break;
	case 'B': go(t, t->row + n, t->col); break;
	case 'C': go(t, t->row, t->col + n); break;
	case 'D': go(t, t->row, t->col - n); break;
	case 'K': erase(t, t->row, t->col, t->cols - t->col); break;
	case 'X': erase(t, t->row, t->col, n); break;
	case 'b': repeat(t, n); break;
	case '@': move_cells(t, t->row, t->col, n, true); break;
	case 'P': move_cells(t, t->row, t->col, n, false); break;
	case 'L': move_rows(t, t->row, n, true); break;
	case 'M': move_rows(t, t->row, n, false); break;
	case 'J':
		for (int row = t->row; row < t->rows; row++)
			erase(t, row, row == t->row ? t->col : 0,
			      t->cols - (row == t->row ? t->col : 0));
		break;
	default: ck_abort_msg("the sequence %c", final);
	}
}
/* clang-format on */

/* Take what follows ESC. Returns its end. */
static const char *take_escape(struct emulator *t, const char *p, const char *end)
{
	int numbers[MAX_NUMBERS] = { 0 }, n = 1;

	if (p < end && *p == 'M') {
		emulator_need(t->caps->ri && !t->is_past, "a step up");
		go(t, t->row - 1, t->col);
		return p + 1;
	}
	emulator_need(p < end && *p == '[', "no CSI");
	for (p++; p < end && ((*p >= '0' && *p <= '9') || *p == ';'); p++) {
		emulator_need(n < MAX_NUMBERS, "too many numbers");
		if (*p == ';')
			n++;
		else
			numbers[n - 1] = numbers[n - 1] * 10 + *p - '0';
	}
	emulator_need(p < end, "a sequence that is cut off");
	take_sequence(t, *p, numbers, n);
	return p + 1;
}

void emulator_take(struct emulator *t, const char *text, size_t len)
{
	const char *p = text, *end = text + len;

	while (p < end) {
		uint32_t ch = text_next(&p, end);

		if (ch == '\033') {
			p = take_escape(t, p, end);
			t->last = 0;
		} else if (ch == '\r') {
			emulator_need(!t->caps->no_steps && !(t->is_past && t->caps->wraps), "CR");
			go(t, t->row, 0);
		} else if (ch == '\n' || ch == '\b') {
			emulator_need(!t->is_past && !t->caps->no_steps, "a step");
			go(t, t->row + (ch == '\n'), t->col - (ch == '\b'));
			t->last = 0;
		} else {
			put_char(t, ch);
		}
	}
}
