/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last step of a picture for a terminal without UTF-8. It replaces cell by cell, so that
 * columns keep their place: a character without an ASCII equivalent becomes `?`, two for a wide
 * character. Combining marks are dropped. */
#include "config.h"

#include "draw/ascii.h"

#include "base/alloc.h"

/* Ranges of characters and their replacements. */
static const struct {
	uint32_t first, last;
	char ch;
} likeness[] = { { 0xA0, 0xA0, ' ' },     { 0xAB, 0xAB, '<' },      { 0xB1, 0xB1, '~' },
		 { 0xB5, 0xB5, 'u' },     { 0xB7, 0xB7, '-' },      { 0xBB, 0xBB, '>' },
		 { 0xD7, 0xD7, 'x' },     { 0x394, 0x394, 'D' },    { 0x3BC, 0x3BC, 'u' },
		 { 0x2010, 0x2015, '-' }, { 0x2018, 0x2019, '\'' }, { 0x201C, 0x201D, '"' },
		 { 0x2022, 0x2022, '*' }, { 0x2026, 0x2026, '~' },  { 0x2039, 0x2039, '<' },
		 { 0x203A, 0x203A, '>' }, { 0x202F, 0x202F, ' ' },  { 0x2009, 0x2009, ' ' },
		 { 0x2020, 0x2020, '!' }, { 0x2190, 0x2190, '<' },  { 0x2191, 0x2191, '^' },
		 { 0x2192, 0x2192, '>' }, { 0x2193, 0x2193, 'v' },  { 0x2212, 0x2212, '-' },
		 { 0x2248, 0x2248, '~' }, { 0x2264, 0x2264, '<' },  { 0x2265, 0x2265, '>' },
		 { 0x2500, 0x2501, '-' }, { 0x2502, 0x2503, '|' },  { 0x2504, 0x2505, '-' },
		 { 0x2506, 0x2507, '|' }, { 0x2508, 0x2509, '-' },  { 0x250A, 0x250B, '|' },
		 { 0x250C, 0x254B, '+' }, { 0x2550, 0x2550, '=' },  { 0x2551, 0x2551, '|' },
		 { 0x2552, 0x257F, '+' }, { 0x2581, 0x2581, '.' },  { 0x2582, 0x2582, ':' },
		 { 0x2583, 0x2583, '-' }, { 0x2584, 0x2584, '=' },  { 0x2585, 0x2585, '+' },
		 { 0x2586, 0x2586, '*' }, { 0x2587, 0x2587, '#' },  { 0x258D, 0x258F, '|' },
		 { 0x2591, 0x2593, ':' }, { 0x2595, 0x2595, '|' },  { 0x25B2, 0x25B2, '^' },
		 { 0x25B4, 0x25B4, '^' }, { 0x25B6, 0x25B6, '>' },  { 0x25B8, 0x25B8, '>' },
		 { 0x25BC, 0x25BC, 'v' }, { 0x25BE, 0x25BE, 'v' },  { 0x25C0, 0x25C0, '<' },
		 { 0x25C2, 0x25C2, '<' }, { 0x25C6, 0x25C6, '@' },  { 0x25CF, 0x25CF, '*' },
		 { 0x26A0, 0x26A0, '!' }, { 0x2713, 0x2714, '*' },  { 0x2717, 0x2718, 'x' } };

static char ascii_of(const struct cell *c)
{
	/* Blocks of half a cell or more: the fill shows them, except on the page. */
	if (c->ch >= 0x2588 && c->ch <= 0x258C)
		return c->fill == ROLE_PLAIN ? '#' : ' ';
	for (size_t i = 0; i < ARRAY_LEN(likeness); i++)
		if (c->ch >= likeness[i].first && c->ch <= likeness[i].last)
			return likeness[i].ch;
	return '?';
}

void ascii_convert(struct grid *g)
{
	size_t n = (size_t)g->rows * (size_t)g->cols;

	for (size_t i = 0; i < n; i++) {
		struct cell *c = &g->cells[i];

		c->mark = 0;
		if (c->ch == 0)
			c->ch = '?';
		else if (c->ch > 0x7E)
			c->ch = (unsigned char)ascii_of(c);
	}
}
