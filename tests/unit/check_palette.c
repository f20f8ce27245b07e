/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every role can be seen in every mode and theme; frames, matches and the selection differ; some
 * paints are pinned; and the modes and themes are found. */
#include "config.h"

#include "draw/grid.h"
#include "term/palette.c"

#include "suite.h"

static const char *const role_names[] = {
#define NAME(name, letter) #name,
	ROLE_LIST(NAME)
#undef NAME
};

static const char *name_of(unsigned role)
{
	return role < ROLE_FRAME ? role_names[role] : "FRAME";
}

/* Tests loop over all modes, dark and light. */
#define N_PALETTES (2 * (PALETTE_DIRECT + 1))

static struct palette palette_of(enum palette_mode mode, bool is_light)
{
	struct palette p;

	palette_init(&p, mode, theme_for(false, is_light), -1);
	return p;
}

static struct palette nth_palette(int i)
{
	return palette_of((enum palette_mode)(i / 2), i % 2);
}

static bool is_same(struct paint a, struct paint b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attrs == b.attrs;
}

/* The colour that a paint shows as ink or as fill; an own colour of the terminal is negative. */
static int32_t shown(struct paint paint, bool as_fill)
{
	bool is_swapped = paint.attrs & PAINT_REVERSE;
	int32_t color = as_fill != is_swapped ? paint.bg : paint.fg;

	return color != PAINT_DEFAULT ? color : as_fill != is_swapped ? STYLE_PAGE : STYLE_TEXT;
}

START_TEST(text_differs_from_its_fill)
{
	struct palette p = nth_palette(_i);

	for (unsigned role = 0; role < ROLE_COUNT; role++) {
		struct style style = style_of(&p, role);
		struct paint on_fill = palette_lookup(&p, ROLE_LABEL, role, 0),
			     on_page = palette_lookup(&p, role, ROLE_PLAIN, 0);

		ck_assert_msg(style.on_fill != style.fill, "%s", name_of(role));
		ck_assert_msg(!(on_fill.attrs & PAINT_BLANK), "%s", name_of(role));
		ck_assert_msg(shown(on_fill, false) != shown(on_fill, true), "%s", name_of(role));
		/* The page's own colour as ink is a blank on the page, and so are frames that have
		 * no fill. */
		if (style.ink != STYLE_PAGE)
			ck_assert_msg(!(on_page.attrs & PAINT_BLANK), "%s", name_of(role));
	}
}
END_TEST

START_TEST(only_few_roles_have_the_ink_of_the_page)
{
	struct palette p = nth_palette(_i);
	bool is_few = p.mode < PALETTE_256;

	for (unsigned role = 0; role < ROLE_COUNT; role++) {
		bool may = role == ROLE_PAGE || role == ROLE_IDLE ||
			((role == ROLE_PROGRAM || role == ROLE_HEAT_0) && is_few);

		ck_assert_msg((style_of(&p, role).ink == STYLE_PAGE) == may, "%s", name_of(role));
	}
}
END_TEST

/* Numbers of the first 16 colours in few colours, of the rest in 256, and RGB above 7 in direct
 * colours, where terminals take smaller ones for numbers. */
START_TEST(colors_are_those_of_the_mode)
{
	static const int32_t least[] = { 0, 0, 0, 16, 8 }, end[] = { 0, 8, 16, 256, 1 << 24 };
	struct palette p = nth_palette(_i);

	for (unsigned ink = 0; ink < ROLE_COUNT; ink++) {
		for (unsigned fill = 0; fill < ROLE_COUNT; fill++) {
			/* Other flags for each pair of roles, so that all occur with all roles. */
			for (unsigned i = 0; i < SUITE_CASES(8); i++) {
				unsigned flags = (ink * 5 + fill * 37 + i * 1021) %
					(CELL_FLAGS_ALL + 1);
				struct paint paint = palette_lookup(&p, ink, fill, flags);

				if ((paint.fg == PAINT_DEFAULT ||
				     (paint.fg >= least[p.mode] && paint.fg < end[p.mode])) &&
				    (paint.bg == PAINT_DEFAULT ||
				     (paint.bg >= least[p.mode] && paint.bg < end[p.mode])))
					continue;
				ck_abort_msg("%s on %s, flags %u", name_of(ink), name_of(fill),
					     flags);
			}
		}
	}
}
END_TEST

/* A frame that is selected, a match, or the same function again is painted in another way, and
 * these three differ from each other. */
START_TEST(flags_of_frames_can_be_told_apart)
{
	static const unsigned flags[] = { 0, CELL_SELECTED, CELL_MATCH, CELL_SAME };
	struct palette p = nth_palette(_i);

	for (unsigned role = ROLE_IDLE; role < ROLE_COUNT; role++) {
		for (size_t a = 0; a < ARRAY_LEN(flags); a++) {
			for (size_t b = 0; b < a; b++) {
				/* Without colours a match and the same function are both
				 * underlined. */
				if (p.mode == PALETTE_MONO && flags[a] == CELL_SAME &&
				    flags[b] == CELL_MATCH)
					continue;
				ck_assert_msg(
					!is_same(palette_lookup(&p, ROLE_LABEL, role, flags[a]),
						 palette_lookup(&p, ROLE_LABEL, role, flags[b])),
					"%s with flags %u and %u", name_of(role), flags[a],
					flags[b]);
			}
		}
	}
}
END_TEST

/* The end of a frame is drawn as ink on the next frame. */
START_TEST(a_seam_between_frames_can_be_seen)
{
	struct palette p = nth_palette(_i);

	for (unsigned role = ROLE_IDLE; role < ROLE_COUNT; role++) {
		struct paint paint = palette_lookup(&p, role, role, 0);

		if (style_of(&p, role).fill != STYLE_PAGE)
			ck_assert_msg(!(paint.attrs & PAINT_BLANK), "%s", name_of(role));
	}
}
END_TEST

/* Bars of tables are ink in the colours of frames. Those of the page are drawn with another ink. */
START_TEST(a_bar_can_be_seen_in_the_row_of_the_cursor)
{
	struct palette p = nth_palette(_i);

	for (unsigned role = ROLE_GC; role < ROLE_COUNT; role++) {
		struct paint paint = palette_lookup(&p, role, ROLE_ROW, CELL_BOLD);

		if (style_of(&p, role).fill != STYLE_PAGE)
			ck_assert_msg(!(paint.attrs & PAINT_BLANK), "%s", name_of(role));
	}
}
END_TEST

static bool is_seam_as(struct palette *p, unsigned role, unsigned ink)
{
	return is_same(palette_lookup(p, ROLE_PAGE, role, CELL_SEAM),
		       palette_lookup(p, ink, role, 0));
}

/* So that both are written without a change of colours. Light labels and light pages differ. */
START_TEST(seam_of_a_box_has_the_ink_of_its_label_if_that_is_like_the_page)
{
	static const int32_t dark_pages[] = { -1, 0x000000, 0x1e1e1e, 0x002b36 };
	struct palette p;

	for (size_t i = 0; i < ARRAY_LEN(dark_pages); i++) {
		palette_init(&p, PALETTE_256, theme_for(false, false), dark_pages[i]);
		ck_assert(is_seam_as(&p, ROLE_FRAME, ROLE_LABEL));
		ck_assert(is_seam_as(&p, ROLE_NODE, ROLE_PAGE));
	}
	palette_init(&p, PALETTE_256, theme_for(false, false), 0x4e4e4e);
	ck_assert(is_seam_as(&p, ROLE_FRAME, ROLE_PAGE));
	palette_init(&p, PALETTE_256, theme_for(false, true), -1);
	ck_assert(is_seam_as(&p, ROLE_FRAME, ROLE_PAGE));
	palette_init(&p, PALETTE_16, theme_for(false, false), -1);
	ck_assert(is_seam_as(&p, ROLE_FRAME, ROLE_PAGE));
}
END_TEST

START_TEST(hues_differ)
{
	static const unsigned few_own[] = { 1, 2, 4 }, few_dependencies[] = { 1, 1, 4 };
	struct palette p = nth_palette(_i);
	const struct theme_hues *hues = p.mode == PALETTE_DIRECT ? p.theme->direct_hues
								 : p.theme->hues;
	bool is_few = p.mode < PALETTE_256;
	unsigned n_own = is_few ? few_own[p.mode] : hues[THEME_OWN].n,
		 n_dependencies = is_few ? few_dependencies[p.mode] : hues[THEME_DEPENDENCY].n;

	for (unsigned a = 0; a < ROLE_HUES; a++) {
		for (unsigned b = 0; b < a; b++) {
			ck_assert_int_eq(style_of(&p, ROLE_FRAME + a).fill ==
						 style_of(&p, ROLE_FRAME + b).fill,
					 a % n_own == b % n_own);
			ck_assert_int_eq(style_of(&p, ROLE_DEPENDENCY + a).fill ==
						 style_of(&p, ROLE_DEPENDENCY + b).fill,
					 a % n_dependencies == b % n_dependencies);
		}
	}
}
END_TEST

/* Bold text in the terminal's black is grey, and dim reverse text dims the fill. */
START_TEST(bold_and_dim_only_where_they_work)
{
	struct palette p = nth_palette(_i);

	for (unsigned ink = 0; ink < ROLE_COUNT; ink++) {
		for (unsigned fill = 0; fill < ROLE_COUNT; fill++) {
			for (unsigned flags = 0; flags <= CELL_FLAGS_ALL; flags += 37) {
				struct paint paint = palette_lookup(&p, ink, fill, flags);

				if (p.mode < PALETTE_256 && paint.fg == 0)
					ck_assert(!(paint.attrs & PAINT_BOLD));
				if (paint.attrs & PAINT_REVERSE && ink != ROLE_PAGE)
					ck_assert(!(paint.attrs & PAINT_DIM) ||
						  shown(paint, true) == STYLE_TEXT);
			}
		}
	}
}
END_TEST

enum {
	OWN = PAINT_DEFAULT,
	B = PAINT_BOLD,
	U = PAINT_UNDERLINE,
	R = PAINT_REVERSE,
	BLANK = PAINT_BLANK
};

#define PIN(mode, is_light, ink, fill, flags, fg, bg, attrs)                                       \
	{                                                                                          \
		PALETTE_##mode, is_light, ROLE_##ink, ROLE_##fill, flags,                          \
		{                                                                                  \
			fg, bg, attrs                                                              \
		}                                                                                  \
	}

static const struct pinned {
	enum palette_mode mode;
	bool is_light;
	unsigned ink, fill, flags;
	struct paint paint;
} pinned[] = {
	PIN(MONO, false, WARN, PLAIN, 0, OWN, OWN, B),
	PIN(MONO, true, WARN, PLAIN, 0, OWN, OWN, B),
	PIN(MONO, false, LABEL, FRAME, 0, OWN, OWN, R),
	PIN(MONO, false, LABEL, GC, CELL_SELECTED, OWN, OWN, B | U),
	PIN(MONO, false, LABEL, FRAME, CELL_MATCH, OWN, OWN, B | U | R),
	PIN(MONO, true, LABEL, FRAME, CELL_SAME, OWN, OWN, B | U | R),
	PIN(MONO, false, LABEL, IDLE, CELL_SELECTED, OWN, OWN, B | U | R),
	PIN(MONO, false, FRAME, FRAME, 0, OWN, OWN, 0),
	PIN(MONO, false, FRAME, PLAIN, CELL_SELECTED, OWN, OWN, BLANK),
	PIN(MONO, false, LABEL, FRAME, CELL_SHARED, OWN, OWN, R),
	PIN(MONO, false, LABEL, FRAME, CELL_SHARED | CELL_HINT, OWN, OWN, U | R),
	PIN(MONO, true, WINDOW, WINDOW, 0, OWN, OWN, R),
	PIN(MONO, false, BUSY, WINDOW, CELL_MATCH, OWN, OWN, U | R),
	PIN(MONO, false, BUSY, ROW, 0, OWN, OWN, R),
	PIN(MONO, false, TAB_ACTIVE, PLAIN, 0, OWN, OWN, B | R),
	PIN(MONO, false, PLAIN, PLAIN, CELL_SELECTED, OWN, OWN, R),
	PIN(8, false, WARN, PLAIN, 0, 3, OWN, B),
	PIN(8, true, WARN, PLAIN, 0, 1, OWN, B),
	PIN(8, false, LABEL, FRAME, 0, 0, 6, 0),
	PIN(8, false, LABEL, GC, CELL_SELECTED, OWN, OWN, B | R),
	PIN(8, false, LABEL, FRAME, CELL_MATCH, 0, 3, U),
	PIN(8, true, LABEL, FRAME, CELL_SAME, 4, 6, U),
	PIN(8, false, LABEL, IDLE, CELL_SELECTED, OWN, OWN, B | R),
	PIN(8, false, FRAME, FRAME, 0, 0, 6, 0),
	PIN(8, false, FRAME, PLAIN, CELL_SELECTED, OWN, OWN, 0),
	PIN(8, false, LABEL, FRAME, CELL_SHARED, 0, 6, 0),
	PIN(8, false, LABEL, FRAME, CELL_SHARED | CELL_HINT, 0, 6, U),
	PIN(8, true, WINDOW, WINDOW, 0, OWN, 4, 0),
	PIN(8, false, BUSY, WINDOW, CELL_MATCH, 2, 4, U),
	PIN(8, false, TAB_ACTIVE, PLAIN, 0, OWN, OWN, B | R),
	PIN(8, false, PLAIN, PLAIN, CELL_SELECTED, OWN, OWN, R),
	PIN(16, false, WARN, PLAIN, 0, 3, OWN, B),
	PIN(16, true, WARN, PLAIN, 0, 1, OWN, B),
	PIN(16, false, LABEL, FRAME, 0, 0, 14, 0),
	PIN(16, false, LABEL, GC, CELL_SELECTED, OWN, OWN, B | R),
	PIN(16, false, LABEL, FRAME, CELL_MATCH, 0, 11, U),
	PIN(16, true, LABEL, FRAME, CELL_SAME, 0, 14, U),
	PIN(16, false, LABEL, IDLE, CELL_SELECTED, OWN, OWN, B | R),
	PIN(16, false, FRAME, FRAME, 0, 0, 14, 0),
	PIN(16, false, FRAME, PLAIN, CELL_SELECTED, OWN, OWN, 0),
	PIN(16, false, LABEL, FRAME, CELL_SHARED, 6, 14, 0),
	PIN(16, false, LABEL, FRAME, CELL_SHARED | CELL_HINT, 6, 14, U),
	PIN(16, true, WINDOW, WINDOW, 0, OWN, 7, 0),
	PIN(16, false, BUSY, WINDOW, CELL_MATCH, 2, 8, U),
	PIN(16, false, TAB_ACTIVE, PLAIN, 0, OWN, OWN, B | R),
	PIN(16, false, PLAIN, PLAIN, CELL_SELECTED, OWN, OWN, R),
	PIN(256, false, WARN, PLAIN, 0, 173, OWN, B),
	PIN(256, true, WARN, PLAIN, 0, 94, OWN, B),
	PIN(256, false, LABEL, FRAME, 0, 232, 74, 0),
	PIN(256, false, LABEL, GC, CELL_SELECTED, OWN, OWN, B | R),
	PIN(256, false, LABEL, FRAME, CELL_MATCH, 232, 74, B),
	PIN(256, true, LABEL, FRAME, CELL_SAME, 232, 74, B | U),
	PIN(256, false, LABEL, IDLE, CELL_SELECTED, OWN, OWN, B | R),
	PIN(256, false, FRAME, FRAME, 0, 66, 74, 0),
	PIN(256, false, FRAME, PLAIN, CELL_SELECTED, OWN, OWN, 0),
	PIN(256, false, LABEL, FRAME, CELL_SHARED, OWN, 67, BLANK),
	PIN(256, false, LABEL, FRAME, CELL_SHARED | CELL_HINT, OWN, 67, BLANK),
	PIN(256, true, WINDOW, WINDOW, 0, 24, 252, 0),
	PIN(256, false, BUSY, WINDOW, CELL_MATCH, 67, 237, 0),
	PIN(256, false, TAB_ACTIVE, PLAIN, 0, OWN, OWN, B | R),
	PIN(256, false, PLAIN, PLAIN, CELL_SELECTED, 231, 237, 0),
	PIN(DIRECT, false, WARN, PLAIN, 0, 0xd7875f, OWN, B),
	PIN(DIRECT, true, WARN, PLAIN, 0, 0x875f00, OWN, B),
	PIN(DIRECT, false, LABEL, FRAME, 0, 0x080808, 0x6bbbeb, 0),
	PIN(DIRECT, false, LABEL, GC, CELL_SELECTED, OWN, OWN, B | R),
	PIN(DIRECT, false, LABEL, FRAME, CELL_MATCH, 0x080808, 0x6bbbeb, B),
	PIN(DIRECT, true, LABEL, FRAME, CELL_SAME, 0x080808, 0x65b5e5, B | U),
	PIN(DIRECT, false, LABEL, IDLE, CELL_SELECTED, OWN, OWN, B | R),
	PIN(DIRECT, false, FRAME, FRAME, 0, 0x487c9b, 0x6bbbeb, 0),
	PIN(DIRECT, false, FRAME, PLAIN, CELL_SELECTED, OWN, OWN, 0),
	PIN(DIRECT, false, LABEL, FRAME, CELL_SHARED, OWN, 0x5391b7, BLANK),
	PIN(DIRECT, false, LABEL, FRAME, CELL_SHARED | CELL_HINT, OWN, 0x457998, BLANK),
	PIN(DIRECT, true, WINDOW, WINDOW, 0, 0x005f87, 0xd0d0d0, 0),
	PIN(DIRECT, false, BUSY, WINDOW, CELL_MATCH, 0x5f87af, 0x3a3a3a, 0),
	PIN(DIRECT, false, TAB_ACTIVE, PLAIN, 0, OWN, OWN, B | R),
	PIN(DIRECT, false, PLAIN, PLAIN, CELL_SELECTED, 0xffffff, 0x3a3a3a, 0),
	PIN(256, false, LABEL, FRAME, CELL_SHARED | CELL_THIN, OWN, 24, BLANK),
	PIN(256, false, LABEL, FRAME, CELL_DIM, 254, 24, 0),
	PIN(256, true, LABEL, FRAME, CELL_DIM, 239, 117, 0),
	PIN(DIRECT, false, LABEL, FRAME, CELL_DIM, 0xc6c6c6, 0x305469, 0),
	PIN(DIRECT, false, FRAME, DEPENDENCY, CELL_DIM_INK, 0x305469, 0x728e79, 0),
	/* What is outside of the window is pale. */
	PIN(DIRECT, false, FRAME, PLAIN, CELL_FAR, 0x284759, OWN, 0),
	PIN(256, false, BUSY, PLAIN, CELL_FAR, 236, OWN, 0),
	PIN(16, false, FRAME, PLAIN, CELL_FAR, 14, OWN, 0),
	/* Every other row has another tone, where there are colours for it. */
	PIN(DIRECT, false, LABEL, FRAME, CELL_ODD, 0x080808, 0x5ea4ce, 0),
	PIN(DIRECT, false, FRAME, DEPENDENCY, CELL_ODD, 0x5ea4ce, 0x647c6a, 0),
	PIN(256, false, LABEL, FRAME, CELL_ODD, 232, 74, 0),
	PIN(16, false, LABEL, FRAME, CELL_ODD, 0, 14, 0),
	/* Two cells of the heat map of one colour melt. */
	PIN(DIRECT, false, GC, GC, CELL_PAIR, OWN, 0xd75f5f, PAINT_BLANK),
	PIN(DIRECT, false, HEAT_1, HEAT_5, CELL_PAIR, 0x4e4e4e, 0xffd787, 0),
	/* Text on a title is readable; a line is as dim there as on the page. */
	PIN(DIRECT, false, DIM, TITLE, 0, 0xd0d0d0, 0x262626, 0),
	PIN(DIRECT, false, DIM, TITLE, CELL_DIM_INK, 0x8a8a8a, 0x262626, 0),
	PIN(16, false, LABEL, FRAME, CELL_SHARED | CELL_THIN, 14, OWN, 0),
	PIN(16, false, LABEL, FRAME, CELL_DIM, 0, 14, 0),
	PIN(16, false, LABEL, DEPENDENCY, 0, 0, 6, 0),
	PIN(8, false, LABEL, DEPENDENCY, 0, 7, 5, 0),
	PIN(MONO, false, LABEL, FRAME, CELL_SHARED | CELL_THIN, OWN, OWN, 0),
	/* The rest of a bar is pale. */
	PIN(256, false, FRAME, PLAIN, CELL_THIN, 24, OWN, 0),
	PIN(256, false, FRAME, ROW, CELL_THIN, 24, 237, 0),
	PIN(16, false, FRAME, PLAIN, CELL_THIN, 14, OWN, 0),
	PIN(MONO, false, FRAME, PLAIN, CELL_THIN, OWN, OWN, 0),
};

START_TEST(paints)
{
	const struct pinned *c = &pinned[_i];
	struct palette p = palette_of(c->mode, c->is_light);
	struct paint paint = palette_lookup(&p, c->ink, c->fill, c->flags);

	ck_assert_int_eq(paint.fg, c->paint.fg);
	ck_assert_int_eq(paint.bg, c->paint.bg);
	ck_assert_uint_eq(paint.attrs, c->paint.attrs);
}
END_TEST

#define FIRST ROLE_DEPENDENCY
#define NEXT (ROLE_DEPENDENCY + 1)

/* The edge of two boxes of one colour is a line, not a gap: in 8 colours, all dependencies have the
 * same colour; without colours, all boxes. Where it is seen it stays. */
static const struct edge_case {
	enum palette_mode mode;
	struct cell before, cell;
	uint32_t ch;
} edge_cases[] = {
	{ PALETTE_8, { .fill = FIRST }, { 0x258a, 0, FIRST, NEXT, 0 }, 0x258f },
	{ PALETTE_8, { .fill = FIRST }, { 0x258a, 0, FIRST, FIRST, 0 }, 0x258f },
	{ PALETTE_8, { .fill = ROLE_NODE }, { 0x258a, 0, ROLE_NODE, NEXT, 0 }, 0 },
	{ PALETTE_8, { .fill = FIRST }, { ' ', 0, ROLE_LABEL, NEXT, 0 }, 0x258f },
	{ PALETTE_8, { .fill = FIRST }, { ' ', 0, ROLE_LABEL, FIRST, 0 }, 0 },
	{ PALETTE_8, { .fill = FIRST }, { 'a', 0, ROLE_LABEL, NEXT, 0 }, 0 },
	{ PALETTE_8, { .fill = FIRST }, { ' ', 0, ROLE_LABEL, NEXT, CELL_SELECTED }, 0 },
	{ PALETTE_8, { .fill = FIRST }, { 0x258a, 0, FIRST, ROLE_PLAIN, 0 }, 0 },
	{ PALETTE_16, { .fill = FIRST }, { 0x258a, 0, FIRST, NEXT, 0 }, 0 },
	{ PALETTE_16, { .fill = FIRST }, { 0x258a, 0, FIRST, FIRST + 4, 0 }, 0x258f },
	{ PALETTE_MONO, { .fill = FIRST }, { 0x258a, 0, FIRST, ROLE_GC, 0 }, 0x258f },
	{ PALETTE_MONO, { .fill = FIRST }, { ' ', 0, ROLE_LABEL, ROLE_GC, 0 }, 0x258f },
	{ PALETTE_MONO, { .fill = FIRST }, { 0x2584, 0, FIRST, ROLE_GC, 0 }, ' ' },
	{ PALETTE_256, { .fill = FIRST }, { 0x258a, 0, FIRST, FIRST, 0 }, 0 },
	/* Two cells of the heat map: what has more counts, and what is red. */
	{ PALETTE_MONO, { .ch = ' ' }, { 0x2580, 0, ROLE_HEAT_1, ROLE_HEAT_4, CELL_PAIR }, 0x2593 },
	{ PALETTE_MONO, { .ch = ' ' }, { 0x2580, 0, ROLE_PAGE, ROLE_HEAT_0, CELL_PAIR }, 0xb7 },
	{ PALETTE_MONO, { .ch = ' ' }, { 0x2580, 0, ROLE_HEAT_5, ROLE_PLAIN, CELL_PAIR }, 0x2588 },
	{ PALETTE_MONO, { .ch = ' ' }, { 0x2580, 0, ROLE_HEAT_5, ROLE_GC, CELL_PAIR }, 'G' },
	{ PALETTE_MONO, { .ch = ' ' }, { 0x2580, 0, ROLE_BUSY, ROLE_GC, CELL_PAIR }, '@' },
	{ PALETTE_8, { .ch = ' ' }, { 0x2580, 0, ROLE_HEAT_5, ROLE_GC, CELL_PAIR }, 0 },
	/* The rest of a bar is pale, or low. */
	{ PALETTE_256, { .fill = FIRST }, { 0x2582, 0, FIRST, ROLE_PLAIN, CELL_THIN }, 0x2587 },
	{ PALETTE_256, { .fill = FIRST }, { 0x2582, 0, ROLE_DIM, ROLE_PLAIN, CELL_THIN }, 0 },
	{ PALETTE_16, { .fill = FIRST }, { 0x2582, 0, FIRST, ROLE_PLAIN, CELL_THIN }, 0 },
};

START_TEST(an_edge_in_few_colors_is_a_line)
{
	struct palette p = palette_of(edge_cases[_i].mode, false);
	struct cell out;

	if (!style_replace(&p, &edge_cases[_i].before, &edge_cases[_i].cell, &out))
		out.ch = 0;
	ck_assert_uint_eq(out.ch, edge_cases[_i].ch);
	if (out.ch == 0x258f)
		ck_assert_uint_eq(out.ink, ROLE_PAGE);
}
END_TEST

static const struct mode_case {
	struct palette_terminal t;
	enum palette_color option;
	enum palette_mode mode;
} mode_cases[] = {
	{ { .n_colors = -1 }, PALETTE_COLOR_AUTO, PALETTE_MONO },
	{ { .n_colors = 0 }, PALETTE_COLOR_ALWAYS, PALETTE_MONO },
	{ { .n_colors = 7 }, PALETTE_COLOR_AUTO, PALETTE_MONO },
	{ { .n_colors = 8 }, PALETTE_COLOR_AUTO, PALETTE_8 },
	{ { .n_colors = 15 }, PALETTE_COLOR_AUTO, PALETTE_8 },
	{ { .n_colors = 16 }, PALETTE_COLOR_AUTO, PALETTE_16 },
	{ { .n_colors = 255 }, PALETTE_COLOR_AUTO, PALETTE_16 },
	{ { .n_colors = 256 }, PALETTE_COLOR_AUTO, PALETTE_256 },
	{ { .n_colors = 1 << 24 }, PALETTE_COLOR_AUTO, PALETTE_DIRECT },
	{ { .n_colors = 256 }, PALETTE_COLOR_NEVER, PALETTE_MONO },
	{ { .n_colors = 256, .no_color = "1" }, PALETTE_COLOR_AUTO, PALETTE_MONO },
	{ { .n_colors = 256, .no_color = "" }, PALETTE_COLOR_AUTO, PALETTE_256 },
	{ { .n_colors = 256, .no_color = "1" }, PALETTE_COLOR_ALWAYS, PALETTE_256 },
	/* The environment tells of direct colours. */
	{ { .n_colors = 256, .has_direct = true, .colorterm = "truecolor" },
	  PALETTE_COLOR_AUTO,
	  PALETTE_DIRECT },
	{ { .n_colors = 256, .has_direct = true, .colorterm = "24bit" },
	  PALETTE_COLOR_AUTO,
	  PALETTE_DIRECT },
	{ { .n_colors = 256, .has_direct = true, .colorterm = "yes" },
	  PALETTE_COLOR_AUTO,
	  PALETTE_256 },
	{ { .n_colors = 256, .has_direct = false, .colorterm = "truecolor" },
	  PALETTE_COLOR_AUTO,
	  PALETTE_256 },
	{ { .n_colors = 256, .has_direct = true, .colorterm = "truecolor", .no_color = "1" },
	  PALETTE_COLOR_AUTO,
	  PALETTE_MONO },
	{ { .n_colors = 256, .has_direct = true, .colorterm = "truecolor", .is_screen = true },
	  PALETTE_COLOR_AUTO,
	  PALETTE_256 },
	/* A slow line gets them only on request. */
	{ { .n_colors = 256, .has_direct = true, .colorterm = "truecolor", .is_remote = true },
	  PALETTE_COLOR_AUTO,
	  PALETTE_256 },
	{ { .n_colors = 256, .has_direct = true, .colorterm = "truecolor", .is_remote = true },
	  PALETTE_COLOR_DIRECT,
	  PALETTE_DIRECT },
	{ { .n_colors = 1 << 24, .is_remote = true }, PALETTE_COLOR_AUTO, PALETTE_DIRECT },
	/* Requests. */
	{ { .n_colors = 256, .has_direct = true }, PALETTE_COLOR_DIRECT, PALETTE_DIRECT },
	{ { .n_colors = 256, .has_direct = false }, PALETTE_COLOR_DIRECT, PALETTE_256 },
	{ { .n_colors = 8, .has_direct = true }, PALETTE_COLOR_DIRECT, PALETTE_8 },
	{ { .n_colors = 256, .has_direct = true, .colorterm = "truecolor" },
	  PALETTE_COLOR_256,
	  PALETTE_256 },
	{ { .n_colors = 256 }, PALETTE_COLOR_16, PALETTE_16 },
	{ { .n_colors = 256 }, PALETTE_COLOR_8, PALETTE_8 },
	{ { .n_colors = 8 }, PALETTE_COLOR_256, PALETTE_8 },
	{ { .n_colors = 256, .no_color = "1" }, PALETTE_COLOR_256, PALETTE_256 },
};

START_TEST(modes)
{
	ck_assert_int_eq(palette_mode_find(&mode_cases[_i].t, mode_cases[_i].option),
			 mode_cases[_i].mode);
}
END_TEST

static const struct theme_case {
	enum palette_theme option;
	const char *colorfgbg;
	bool is_known, is_light;
} theme_cases[] = {
	{ PALETTE_THEME_DARK, "0;15", true, false },
	{ PALETTE_THEME_LIGHT, "15;0", true, true },
	{ PALETTE_THEME_AUTO, NULL, false, false },
	{ PALETTE_THEME_COLOUR_BLIND, NULL, false, false },
	{ PALETTE_THEME_COLOUR_BLIND, "0;15", true, true },
	{ PALETTE_THEME_AUTO, "", false, false },
	{ PALETTE_THEME_AUTO, "15;0", true, false },
	{ PALETTE_THEME_AUTO, "0;7", true, true },
	{ PALETTE_THEME_AUTO, "0;8", true, false },
	{ PALETTE_THEME_AUTO, "0;9", true, true },
	{ PALETTE_THEME_AUTO, "0;15", true, true },
	{ PALETTE_THEME_AUTO, "0;16", true, false },
	{ PALETTE_THEME_AUTO, "0;default;15", true, true },
	{ PALETTE_THEME_AUTO, "0;default", false, false },
	{ PALETTE_THEME_AUTO, "15", false, false },
	{ PALETTE_THEME_AUTO, "0;15x", true, false },
};

START_TEST(themes)
{
	const struct theme_case *c = &theme_cases[_i];

	ck_assert_int_eq(palette_is_known(c->option, c->colorfgbg), c->is_known);
	ck_assert_int_eq(palette_is_light(c->option, c->colorfgbg), c->is_light);
}
END_TEST

START_TEST(nearest_of_256_is_itself)
{
	for (int32_t n = 16; n < 256; n++)
		ck_assert_int_eq(color_of_256(color_nearest_256(color_of_256(n))), color_of_256(n));
}
END_TEST

START_TEST(nearest_of_256_is_nearest)
{
	for (int32_t rgb = 0; rgb < 1 << 24; rgb += 0x10307) {
		int32_t found = color_of_256(color_nearest_256(rgb)), least = INT32_MAX,
			of_found = 0;

		for (int32_t n = 16; n < 256; n++) {
			int32_t sum = 0, c = color_of_256(n);

			for (int shift = 0; shift <= 16; shift += 8) {
				int32_t d = (c >> shift & 255) - (rgb >> shift & 255);

				sum += d * d;
			}
			least = sum < least ? sum : least;
			of_found = c == found ? sum : of_found;
		}
		/* Levels and greys are rounded one by one, which is a little off at the edges. */
		ck_assert_msg(of_found <= least + 3 * 16 * 16, "%06x", (unsigned)rgb);
	}
}
END_TEST

START_TEST(contrast_and_blend)
{
	ck_assert_int_eq(color_luminance(0), 0);
	ck_assert_int_ge(color_luminance(0xffffff), 10000);
	ck_assert(color_has_contrast(0x000000, 0x777777));
	ck_assert(!color_has_contrast(0x000000, 0x666666));
	ck_assert(color_has_contrast(0xffffff, 0x666666));
	ck_assert(!color_has_contrast(0xffffff, 0x8a8a8a));
	/* Exactly what is wanted. */
	ck_assert_int_eq((color_luminance(0x06a8af) + 500) * 200,
			 (color_luminance(0x002487) + 500) * 903);
	ck_assert(color_has_contrast(0x06a8af, 0x002487));
	ck_assert(color_has_contrast(0x002487, 0x06a8af));
	ck_assert_int_eq(color_blend(0x102030, 0xffffff, 0), 0x102030);
	ck_assert_int_eq(color_blend(0x102030, 0xffffff, 100), 0xffffff);
	ck_assert_int_eq(color_blend(0x000000, 0xc86432, 50), 0x643219);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "roles", SUITE_SECONDS);

	tcase_add_loop_test(t, text_differs_from_its_fill, 0, N_PALETTES);
	tcase_add_loop_test(t, only_few_roles_have_the_ink_of_the_page, 0, N_PALETTES);
	tcase_add_loop_test(t, colors_are_those_of_the_mode, 0, N_PALETTES);
	tcase_add_loop_test(t, flags_of_frames_can_be_told_apart, 0, N_PALETTES);
	tcase_add_loop_test(t, a_seam_between_frames_can_be_seen, 0, N_PALETTES);
	tcase_add_loop_test(t, a_bar_can_be_seen_in_the_row_of_the_cursor, 0, N_PALETTES);
	tcase_add_test(t, seam_of_a_box_has_the_ink_of_its_label_if_that_is_like_the_page);
	tcase_add_loop_test(t, hues_differ, 0, N_PALETTES);
	tcase_add_loop_test(t, bold_and_dim_only_where_they_work, 0, N_PALETTES);
	tcase_add_loop_test(t, paints, 0, N(pinned));
	tcase_add_loop_test(t, an_edge_in_few_colors_is_a_line, 0, N(edge_cases));
	t = suite_case(suite, "modes", SUITE_SECONDS);
	tcase_add_loop_test(t, modes, 0, N(mode_cases));
	tcase_add_loop_test(t, themes, 0, N(theme_cases));
	t = suite_case(suite, "color", SUITE_SECONDS);
	tcase_add_test(t, nearest_of_256_is_itself);
	tcase_add_test(t, nearest_of_256_is_nearest);
	tcase_add_test(t, contrast_and_blend);
}

int main(void)
{
	return suite_run("palette", add_tests);
}
