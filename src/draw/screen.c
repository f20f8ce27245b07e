/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From top to bottom: header, verdict, overview, ruler, lanes, the pane with its rule, the line
 * about the selection, the status line. The pane takes a third of the rows, the lanes take the
 * rest. On low screens, selection and status share a line. */
#include "config.h"

#include "draw/screen.h"

#include "base/alloc.h"
#include "base/text.h"
#include "draw/overview.h"
#include "draw/ruler.h"

#include <stdio.h>
#include <string.h>

/* ==== verdict bar ==== */

#define GAP 3          /* cells between two texts */
#define ROOM_MIN 24    /* of verdict_compose() */
#define ROOM_BESIDE 46 /* cells that the line keeps beside the window */
#define LEAD_MAX 200   /* cells */

/* The keys of a hint: `yy` for `y y`. */
#define VERDICT_BAR_KEYS 24
static void verdict_bar_keys(const char *keys, char out[VERDICT_BAR_KEYS])
{
	if (strlen(keys) == 3 && keys[1] == ' ')
		snprintf(out, VERDICT_BAR_KEYS, "%c%c", keys[0], keys[2]);
	else
		snprintf(out, VERDICT_BAR_KEYS, "%s", keys);
}

static int verdict_hint_cells(const struct verdict_hint *hint)
{
	char keys[VERDICT_BAR_KEYS];

	if (!hint->key)
		return 0;
	verdict_bar_keys(hint->key, keys);
	return GAP + text_cells(keys, strlen(keys)) + 1 +
		text_cells(hint->text, strlen(hint->text));
}

/* The cells of what the line says first, which in few columns, or about many lanes, is not cut for
 * the window's sake. */
static int lead_cells(const struct verdict_bar *bar, int cols)
{
	struct verdict all = { .n = 0 };

	if (!bar->text && bar->result &&
	    (cols < VERDICT_BOTH_COLS || (bar->result->n && bar->result->list[0].range)))
		verdict_compose(bar->result, LEAD_MAX, &all);
	return all.n && all.items[0].cells > ROOM_BESIDE ? all.items[0].cells + 2 : ROOM_BESIDE;
}

/* Draw the hints that leave room for the line, the last one at the right end. Returns the cells
 * that are left. */
static int draw_verdict_hints(struct grid *g, struct rect r, const struct verdict_bar *bar)
{
	int n = VERDICT_HINTS, cells = 0, col;

	for (int i = 0; i < n; i++)
		cells += verdict_hint_cells(&bar->hints[i]);
	while (n && (r.cols - 1 - cells < ROOM_MIN || (n > 1 && r.cols < VERDICT_BOTH_COLS)))
		cells -= verdict_hint_cells(&bar->hints[--n]);
	col = r.col + r.cols - 1 - cells;
	if (*bar->window && r.rows == 1) {
		int window = text_cells(bar->window, strlen(bar->window)) + GAP;

		if (r.cols - 1 - cells - window >= lead_cells(bar, r.cols)) {
			cells += window;
			grid_puts(g, r.row, col - window + GAP, window, bar->window, ROLE_RULE);
		}
	}
	for (int i = 0; i < n; i++) {
		const struct verdict_hint *hint = &bar->hints[i];
		int all = verdict_hint_cells(hint), key;
		char keys[VERDICT_BAR_KEYS];

		if (!hint->key)
			continue;
		verdict_bar_keys(hint->key, keys);
		key = grid_puts(g, r.row, col + GAP, all, keys, ROLE_KEY);
		grid_puts(g, r.row, col + GAP + key + 1, all, hint->text, ROLE_DIM);
		col += all;
	}
	return r.cols - 1 - cells;
}

static void draw_items(struct grid *g, struct rect r, const struct verdict_bar *bar, int room,
		       struct verdict *verdict)
{
	int used = 0;

	if (*bar->lane && room > ROOM_MIN + VERDICT_BAR_LANE_CELLS) {
		used = grid_puts(g, r.row, r.col + 1, room, bar->lane, ROLE_DIM);
		used += grid_puts(g, r.row, r.col + 1 + used, room - used, ": ", ROLE_DIM);
	}
	r.col += used;
	room -= used;
	verdict_compose(bar->result, room < ROOM_MIN ? ROOM_MIN : room, verdict);
	for (int i = 0; i < verdict->n; i++) {
		const struct verdict_item *item = &verdict->items[i];
		int left = room - item->col;

		if (left <= 0)
			break;
		grid_puts(g, r.row, r.col + 1 + item->col, left, item->text,
			  bar->is_stale ? ROLE_DIM : ROLE_PLAIN);
		if (item->kind == VERDICT_LEAD && !bar->is_stale)
			grid_flag(g, r.row, r.col + 1 + item->col, item->cells, CELL_BOLD);
	}
}

/* is_whole: the whole parts of a sentence that fit; nothing if none does. */
static void draw_text(struct grid *g, int row, int col, int room, const char *text, enum role ink,
		      bool is_whole)
{
	BUF_LOCAL fit = { 0 };

	if (sentence_fit(&fit, text, room) || !is_whole)
		grid_put(g, row, col, room, buf_text(&fit), fit.len, ink);
}

/* The text, and below it, or behind it if it fits there, the second one. */
static void draw_both(struct grid *g, struct rect r, int room, const struct verdict_bar *bar)
{
	int cells = text_cells(bar->text, strlen(bar->text)) + GAP,
	    more = bar->second ? text_cells(bar->second, strlen(bar->second)) : 0;

	draw_text(g, r.row, r.col + 1, room, bar->text, ROLE_PLAIN, false);
	if (more && r.rows > 1)
		draw_text(g, r.row + 1, r.col + 1, r.cols - 2, bar->second, ROLE_DIM, false);
	else if (more && cells < room)
		draw_text(g, r.row, r.col + 1 + cells, room - cells, bar->second, ROLE_DIM, true);
}

/* At the right end of the second row. Returns the cells with the gap before it. */
static int draw_window(struct grid *g, struct rect r, const struct verdict_bar *bar)
{
	int cells = text_cells(bar->window, strlen(bar->window));

	if (!cells || r.rows < 2)
		return 0;
	grid_puts(g, r.row + 1, r.col + r.cols - 1 - cells, cells, bar->window, ROLE_RULE);
	return cells + GAP;
}

/* The second row, if there is one, says what the line does not. */
static void verdict_bar_draw(struct grid *g, struct rect r, const struct verdict_bar *bar)
{
	struct verdict line = { .n = 0 };
	BUF_LOCAL more = { 0 };
	int room = r.cols - 2, more_room;

	if (r.rows == 0)
		return;
	if (bar->hints[0].key || bar->hints[1].key)
		room = draw_verdict_hints(g, r, bar);
	if (bar->text)
		draw_both(g, r, room, bar);
	else if (bar->result)
		draw_items(g, r, bar, room, &line);
	more_room = r.cols - 2 - draw_window(g, r, bar);
	if (r.rows > 1 && !bar->text && bar->result)
		verdict_more(bar->result, &line, more_room, &more);
	if (more.len)
		grid_put(g, r.row + 1, r.col + 1, more_room, buf_text(&more), more.len, ROLE_DIM);
}

/* ==== help ====
 *
 * A line takes as many rows as its text needs. Both columns scroll together; a single column has
 * the lines of the second one after those of the first. The first row of the screen is the title of
 * the help screen; the last row tells how to leave it, or is the prompt. */

#define TWO_COLUMNS 100 /* cells, from which on there are two */
#define MAX_KEYS 13
#define GAPS 4     /* cells before and after the keys */
#define MIN_TEXT 8 /* a text with less room is truncated, not continued */

/* Some lines one below the other. */
struct column {
	const struct help_line *lines;
	size_t n;
	int col, width;
	int keys; /* cells of the keys */
};

static int keys_width(const struct help *help)
{
	int most = 0;

	for (size_t i = 0; i < help->n_lines; i++) {
		int cells = help->lines[i].keys
			? text_cells(help->lines[i].keys, strlen(help->lines[i].keys))
			: 0;

		most = cells > most ? cells : most;
	}
	return most < MAX_KEYS ? most : MAX_KEYS;
}

static int split_columns(struct rect r, const struct help *help, struct column columns[2])
{
	int n = r.cols >= TWO_COLUMNS ? 2 : 1, keys = keys_width(help);
	size_t first = n == 2 && help->right < help->n_lines ? help->right : help->n_lines;

	columns[0] = (struct column){ help->lines, first, r.col, r.cols / n - 1, keys };
	columns[1] = (struct column){ help->lines + first, help->n_lines - first,
				      r.col + r.cols / n, r.cols - r.cols / n - 1, keys };
	return n;
}

/* Rows of text in one column. */
static int column_rows(struct rect r)
{
	return r.rows > 2 ? r.rows - 2 : 0;
}

/* The cells before the text of a line: a list of keys that is longer than most others moves only
 * its own text. */
static int text_col(const struct column *c, const struct help_line *line)
{
	int own = text_cells(line->keys, strlen(line->keys));

	return (own > c->keys ? own : c->keys) + GAPS;
}

/* The bytes of a text that fit into `room` cells, up to the end of a word. */
static size_t wrap(const char *text, int room)
{
	size_t len = strlen(text), end = len;

	while (end > 0 && text_cells(text, end) > room) {
		do
			end--;
		while (end > 0 && text[end] != ' ');
	}
	return end ? end : len;
}

/* Draw a line from `row` on into a grid, or only count its rows if `g` is NULL. Rows outside
 * [first, end) are left out. Returns the number of rows. */
static int place_text(struct grid *g, const struct column *c, const struct help_line *line, int row,
		      int first, int end)
{
	int col = text_col(c, line), room = c->width - col, n = 0;
	const char *text = line->text ? line->text : "";

	do {
		size_t len = room >= MIN_TEXT ? wrap(text, room) : strlen(text);

		if (g && row + n >= first && row + n < end)
			grid_put_fit(g, row + n, c->col + col, room, text, len, ROLE_PLAIN);
		n++;
		text += len;
		while (*text == ' ')
			text++;
	} while (*text);
	return n;
}

static int rows_of(const struct column *c, const struct help_line *line)
{
	return line->keys && !line->title ? place_text(NULL, c, line, 0, 0, 0) : 1;
}

/* Draw a line from `row` on; only rows in [first, end) are on the screen. */
static void draw_line(struct grid *g, const struct column *c, const struct help_line *line, int row,
		      int first, int end)
{
	int own = line->keys ? text_cells(line->keys, strlen(line->keys)) : 0, room = c->width - 2;
	bool is_shown = row >= first && row < end;

	if (line->title && is_shown)
		grid_put_fit(g, row, c->col, c->width, line->title, SIZE_MAX, ROLE_TITLE);
	if (line->title || !line->keys)
		return;
	if (is_shown && line->fill != ROLE_PLAIN)
		grid_fill(g, row, c->col + 2, own < room ? own : room, line->fill);
	if (is_shown)
		grid_put_fit(g, row, c->col + 2, own < room ? own : room, line->keys, SIZE_MAX,
			     line->fill != ROLE_PLAIN ? ROLE_LABEL : ROLE_KEY);
	place_text(g, c, line, row, first, end);
}

static int height(const struct column *c)
{
	int rows = 0;

	for (size_t i = 0; i < c->n; i++)
		rows += rows_of(c, &c->lines[i]);
	return rows;
}

int help_max_scroll(struct rect r, const struct help *help)
{
	struct column columns[2];
	int n = split_columns(r, help, columns), most = height(&columns[0]);

	if (n == 2 && height(&columns[1]) > most)
		most = height(&columns[1]);
	return most > column_rows(r) ? most - column_rows(r) : 0;
}

static void draw_help_foot(struct grid *g, struct rect r, const struct help *help, int max,
			   int scroll)
{
	const char *filter = help->is_filtered ? "/ filters again, Esc shows all" : "/ filters";
	int row = r.row + r.rows - 1;
	char text[128];

	if (help->prompt) {
		prompt_line_draw(g, (struct rect){ row, r.col, 1, r.cols }, help->prompt);
		return;
	}
	if (max > 0)
		snprintf(text, sizeof text, "rows %d-%d of %d   j k Space: scroll   %s   q: close",
			 scroll + 1, scroll + column_rows(r), max + column_rows(r), filter);
	else
		snprintf(text, sizeof text, "%s   q: close", filter);
	grid_fill(g, row, r.col, r.cols, ROLE_STATUS);
	grid_put_fit(g, row, r.col + 1, r.cols - 1, text, SIZE_MAX, ROLE_STATUS);
}

static void help_draw(struct grid *g, struct rect r, const struct help *help)
{
	struct column columns[2];
	int n = split_columns(r, help, columns), max = help_max_scroll(r, help),
	    scroll = help->scroll < max ? help->scroll : max, first = r.row + 1,
	    end = first + column_rows(r);

	if (r.rows <= 0)
		return;
	grid_fill(g, r.row, r.col, r.cols, ROLE_HEADER);
	grid_puts(g, r.row, r.col + 1, r.cols - 1,
		  "Help; every command has a name (flametty keys): :5 callee repeats one",
		  ROLE_HEADER);
	for (int c = 0; c < n; c++) {
		int row = first - scroll;

		for (size_t i = 0; i < columns[c].n && row < end; i++) {
			draw_line(g, &columns[c], &columns[c].lines[i], row, first, end);
			row += rows_of(&columns[c], &columns[c].lines[i]);
		}
	}
	if (r.rows > 1)
		draw_help_foot(g, r, help, max, scroll);
}

/* ==== ascii ====
 *
 * The last step of a picture for a terminal without UTF-8. It replaces cell by cell, so that
 * columns keep their place: a character without an ASCII equivalent becomes `?`, two for a wide
 * character. Combining marks are dropped. */

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

/* Replace each character that is not ASCII by an ASCII one, in place. A wide character becomes
 * `??`. */
static void ascii_convert(struct grid *g)
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

/* ==== screen ==== */

#define DETAIL_ROWS 16  /* from this height on the selection has its own line */
#define HIGH_ROWS 40    /* from this height on the verdict and the overview have two rows */
#define VERDICT_ROWS 12 /* from this height on there is a verdict */
#define ALL_TABS_COLS 60
#define SCOPE_COLS 44 /* for scope and position, at least, beside the names of tabs */

static struct rect take(int *row, int rows, int cols)
{
	struct rect r = { *row, 0, rows, cols };

	*row += rows;
	return r;
}

/* Rows of the pane with its rule, on a screen where pane and lanes have `rows` together. */
static int rows_of_pane(int rows, int wanted, int third)
{
	if (!wanted)
		return third;
	if (wanted > rows - SCREEN_MIN_PART)
		wanted = rows - SCREEN_MIN_PART;
	return wanted > SCREEN_MIN_PART ? wanted : SCREEN_MIN_PART;
}

void screen_split(struct screen_layout *layout, int rows, int cols, enum screen_pane pane,
		  int wanted, bool has_requests)
{
	int row = 0, foot, pane_rows = 0, list;

	memset(layout, 0, sizeof(*layout));
	layout->is_too_small = rows < SCREEN_MIN_ROWS || cols < SCREEN_MIN_COLS;
	if (layout->is_too_small)
		return;
	foot = rows >= DETAIL_ROWS ? 2 : 1;
	layout->header = take(&row, 1, cols);
	layout->verdict = take(&row, rows >= HIGH_ROWS ? 2 : rows >= VERDICT_ROWS ? 1 : 0, cols);
	if (pane == SCREEN_PANE_ALL) {
		list = row;
		pane_rows = rows - row - foot;
	} else {
		layout->overview = take(&row,
					(rows >= HIGH_ROWS ? 2 : 1) +
						(has_requests && rows >= OVERVIEW_REQUESTS_ROWS),
					cols);
		layout->ruler = take(&row, 1, cols);
		list = row;
		if (pane == SCREEN_PANE_BELOW)
			pane_rows = rows_of_pane(rows - row - foot, wanted, rows / 3);
		layout->lanes = take(&row, rows - row - foot - pane_rows, cols);
	}
	if (pane_rows > 0) {
		layout->rule = take(&row, 1, cols);
		layout->pane = take(&row, pane_rows - 1, cols);
	}
	layout->list = (struct rect){ list, 0, row - list, cols };
	if (foot == 2)
		layout->detail = take(&row, 1, cols);
	layout->status = take(&row, 1, cols);
}

static void draw_too_small(struct grid *g)
{
	char size[48];
	const char *lines[] = { "terminal too small:", "40x10 at least,", size };
	char whole[96];
	int row, col;

	snprintf(size, sizeof(size), "this is %dx%d", g->cols, g->rows);
	snprintf(whole, sizeof(whole), "%s %s %s", lines[0], lines[1], lines[2]);
	if ((int)strlen(whole) <= g->cols) {
		grid_puts(g, g->rows / 2, (g->cols - (int)strlen(whole)) / 2, g->cols, whole,
			  ROLE_WARN);
		return;
	}
	row = g->rows > 3 ? (g->rows - 3) / 2 : 0;
	for (int i = 0; i < 3 && row + i < g->rows; i++) {
		col = (g->cols - (int)strlen(lines[i])) / 2;
		col = col > 0 ? col : 0;
		grid_puts(g, row + i, col, g->cols - col, lines[i], ROLE_WARN);
	}
}

static const char *scope_for(const struct screen *screen, int width)
{
	for (int i = 0; i < SCREEN_SCOPES; i++) {
		const char *scope = screen->scopes[i];

		if (scope && text_cells(scope, strlen(scope)) <= width)
			return scope;
	}
	return "";
}

/* Tabs with the same key share one place in the list. */
static bool has_place(const struct screen_tab *tabs, int n_tabs, int active, int i)
{
	return i == active ||
		!((i > 0 && tabs[i].title[0] == tabs[i - 1].title[0]) ||
		  (active < n_tabs && tabs[i].title[0] == tabs[active].title[0]));
}

static int key_cells(const char *title)
{
	return text_cells(title, strcspn(title, " "));
}

/* The first tab, beside the active one, that has no room for its name: the scope of the numbers is
 * more important. */
static int first_nameless(const struct screen_tab *tabs, int n_tabs, int active, int cols)
{
	int room = cols - (tabs[active].has_scope ? SCOPE_COLS : 0), i;

	for (i = 0; i < n_tabs; i++)
		if (has_place(tabs, n_tabs, active, i))
			room -= (i == active ? text_cells(tabs[i].title, strlen(tabs[i].title))
					     : key_cells(tabs[i].title)) +
				2;
	for (i = 0; i < n_tabs; i++) {
		const char *title = tabs[i].title;

		if (i == active || !has_place(tabs, n_tabs, active, i))
			continue;
		room -= text_cells(title, strlen(title)) - key_cells(title);
		if (room < 0)
			break;
	}
	return i;
}

/* The length of what is shown of the title of tab i: all of it, its key, or, with 0, nothing. */
static size_t shown_of_tab(const struct screen_tab *tabs, int n_tabs, int active, int cols, int i)
{
	const char *title = tabs[i].title;

	if (i == active)
		return strlen(title);
	if (cols < ALL_TABS_COLS || !has_place(tabs, n_tabs, active, i))
		return 0;
	return i < first_nameless(tabs, n_tabs, active, cols) ? strlen(title) : strcspn(title, " ");
}

int screen_tab_at(const struct screen_tab *tabs, int n_tabs, int active, struct rect rule, int col)
{
	int end = rule.col;

	for (int i = 0; i < n_tabs; i++) {
		size_t len = shown_of_tab(tabs, n_tabs, active, rule.cols, i);

		end += len ? text_cells(tabs[i].title, len) + 2 : 0;
		if (col < end)
			return i;
	}
	return -1;
}

static void draw_rule(struct grid *g, struct rect r, const struct screen *screen)
{
	int col = r.col, room, end = r.col + r.cols;
	const char *scope;

	for (int c = 0; c < r.cols; c++)
		grid_puts(g, r.row, r.col + c, 1, screen->has_focus ? "═" : "─",
			  screen->has_focus ? ROLE_RULE : ROLE_TAB);
	for (int i = 0; i < screen->n_tabs; i++) {
		bool is_active = i == screen->tab;
		const char *text = screen->tabs[i].title;
		size_t len = shown_of_tab(screen->tabs, screen->n_tabs, screen->tab, r.cols, i);
		int cells = text_cells(text, len);

		if (!len)
			continue;
		grid_fill(g, r.row, col, cells + 2, is_active ? ROLE_TAB_ACTIVE : ROLE_PLAIN);
		grid_put(g, r.row, col + 1, end - col - 1, text, len,
			 is_active ? ROLE_TAB_ACTIVE : ROLE_TAB);
		col += cells + 2;
	}
	if (screen->position && *screen->position) {
		int cells = text_cells(screen->position, strlen(screen->position));

		if (end - col - cells - 3 >= 0) {
			grid_fill(g, r.row, end - cells - 2, cells + 2, ROLE_PLAIN);
			grid_puts(g, r.row, end - cells - 1, cells, screen->position, ROLE_TAB);
			end -= cells + 2;
		}
	}
	room = end - col - 3;
	scope = scope_for(screen, room);
	if (*scope) {
		int cells = text_cells(scope, strlen(scope));

		grid_fill(g, r.row, col + 1, cells + 2, ROLE_PLAIN);
		grid_puts(g, r.row, col + 2, cells, scope, ROLE_PLAIN);
	}
}

/* The role of the call in a cell; 0: there is none, or only idle time. */
static unsigned role_of_call(const struct cell *c)
{
	unsigned role = c->fill > ROLE_IDLE         ? c->fill
		: c->ch >= 0x2500 && c->ch < 0x2600 ? c->ink
						    : 0u;

	return role > ROLE_IDLE && role <= ROLE_FRAME_LAST ? role : 0;
}

bool screen_is_crowded(const struct grid *g, struct rect r)
{
	int n = 0, n_narrow = 0;

	for (int row = r.row; row < r.row + r.rows; row++)
		for (int col = r.col; col < r.col + r.cols; col++) {
			const struct cell *c = grid_at(g, row, col);

			if (!role_of_call(c))
				continue;
			n++;
			n_narrow += (c->flags & (CELL_SHARED | CELL_NAMED)) ||
				(c->fill == ROLE_PLAIN && !(c->flags & CELL_SELECTED));
		}
	return n_narrow * 5 > n * 3;
}

static int hint_cells(const struct screen_hint *hint)
{
	char keys[VERDICT_BAR_KEYS];

	verdict_bar_keys(hint->keys, keys);
	return text_cells(keys, strlen(keys)) + 1 + text_cells(hint->text, strlen(hint->text));
}

/* Draw the hints that fit, each complete. The one that leaves is always there. */
static void draw_hints(struct grid *g, struct rect r, struct rect lanes,
		       const struct screen *screen)
{
	int col = r.col + 1, last = screen->i_leave;
	int kept = last < screen->n_hints ? hint_cells(&screen->hints[last]) + 2 : 0;

	if (screen->crowd && screen_is_crowded(g, lanes) &&
	    text_cells(screen->crowd, strlen(screen->crowd)) < r.cols - 2)
		col += grid_puts(g, r.row, col, r.cols - 2, screen->crowd, ROLE_PROMPT) + 2;
	for (int i = 0; i < screen->n_hints; i++) {
		const struct screen_hint *hint = &screen->hints[i];
		int cells = hint_cells(hint), used;
		char keys[VERDICT_BAR_KEYS];

		kept = i == last ? 0 : kept;
		if (col + cells + kept >= r.col + r.cols)
			continue;
		verdict_bar_keys(hint->keys, keys);
		used = grid_puts(g, r.row, col, cells, keys, ROLE_KEY) + 1;
		grid_puts(g, r.row, col + used, cells - used, hint->text, ROLE_DIM);
		col += cells + 2;
	}
}

static void draw_foot(struct grid *g, const struct screen_layout *layout,
		      const struct screen *screen)
{
	bool has_message = screen->message && *screen->message;
	struct rect r = layout->status;

	if (layout->detail.rows)
		details_draw(g, layout->detail, &screen->details);
	else if (!has_message && !screen->prompt)
		details_draw(g, r, &screen->details);
	if (screen->prompt) {
		prompt_line_draw(g, r, screen->prompt);
		return;
	}
	if (has_message)
		grid_put_fit(g, r.row, r.col + 1, r.cols - 2, screen->message, SIZE_MAX,
			     screen->is_warning ? ROLE_WARN : ROLE_PROMPT);
	else if (layout->detail.rows)
		draw_hints(g, r, layout->lanes, screen);
}

#define MENU_CELLS 24

/* Draw the entries in columns, from top to bottom, over the picture. */
static void draw_menu(struct grid *g, int bottom, const struct screen *screen)
{
	int columns = g->cols / MENU_CELLS > 0 ? g->cols / MENU_CELLS : 1,
	    rows = (screen->n_menu + columns - 1) / columns, top = bottom - rows;

	for (int row = top - 1; row < bottom; row++) {
		if (row < 0)
			continue;
		grid_fill(g, row, 0, g->cols, ROLE_PLAIN);
		for (int c = 0; row == top - 1 && c < g->cols; c++)
			grid_puts(g, row, c, 1, "─", ROLE_TAB);
	}
	for (int i = 0; i < screen->n_menu; i++) {
		int row = top + i % rows, col = i / rows * MENU_CELLS + 1,
		    keys = (int)strlen(screen->menu[i].keys);

		if (row < 0)
			continue;
		grid_puts(g, row, col, keys, screen->menu[i].keys, ROLE_KEY);
		grid_puts(g, row, col + keys + 1, MENU_CELLS - keys - 2, screen->menu[i].text,
			  ROLE_PLAIN);
	}
}

static void dim(struct grid *g, struct rect r)
{
	for (int row = r.row; row < r.row + r.rows && row < g->rows; row++)
		for (int col = r.col; col < r.col + r.cols && col < g->cols; col++)
			if (grid_at(g, row, col)->fill == ROLE_PLAIN)
				grid_at(g, row, col)->ink = ROLE_DIM;
}

struct rect screen_side_area(struct rect pane)
{
	const struct screen screen = { .has_side = true };
	int cols = screen_table_area(&screen, pane).cols;

	if (cols == pane.cols)
		return (struct rect){ 0 };
	/* A blank column separates the two. */
	pane.col += cols + 1;
	pane.cols -= cols + 1;
	return pane;
}

/* Draw what is beside the table, and take its part from the pane. */
static void draw_side(struct grid *g, struct rect *pane, const struct screen *screen)
{
	struct rect side = screen_side_area(*pane);

	if (!screen->has_side)
		return;
	*pane = screen_table_area(screen, *pane);
	for (int row = 0; row < side.rows; row++)
		grid_fill(g, side.row + row, side.col - 1, side.cols + 1, ROLE_PLAIN);
	stack_list_draw(g, side, &screen->stack);
}

void screen_draw(struct grid *g, const struct screen *screen)
{
	struct screen_layout layout;
	struct rect all = { 0, 0, g->rows, g->cols };

	screen_split(&layout, g->rows, g->cols, screen->pane, screen->pane_rows,
		     screen->chart->served != NULL);
	if (layout.is_too_small) {
		draw_too_small(g);
	} else if (screen->help) {
		help_draw(g, all, screen->help);
	} else {
		details_draw_header(g, layout.header, screen->chart);
		if (screen->verdict)
			verdict_bar_draw(g, layout.verdict, screen->verdict);
		if (layout.lanes.rows) {
			overview_draw(g, layout.overview, screen->chart);
			if (screen->chart->legend)
				legend_draw(g, layout.ruler, screen->chart->legend);
			else
				ruler_draw(g, layout.ruler, screen->chart);
			chart_draw_lanes(g, layout.lanes, screen->chart);
		}
		if (layout.pane.rows) {
			draw_rule(g, layout.rule, screen);
			draw_side(g, &layout.pane, screen);
			if (screen->lines)
				lines_draw(g, layout.pane, screen->lines, screen->right,
					   screen->left_cols, screen->has_focus);
			else if (screen->functions)
				function_table_draw(g, layout.pane, screen->functions);
			else if (screen->source)
				source_view_draw(g, layout.pane, screen->source);
			else if (screen->recent)
				recent_table_draw(g, layout.pane, screen->recent);
			else if (screen->heat)
				heat_map_draw(g, layout.pane, screen->heat);
			else if (screen->fleet)
				fleet_grid_draw(g, layout.pane, screen->fleet);
			else if (screen->events)
				event_table_draw(g, layout.pane, screen->events);
			else if (screen->served)
				text_table_draw(g, layout.pane, screen->served);
			else
				table_draw(g, layout.pane, screen->table);
			if (screen->is_stale)
				dim(g, layout.pane);
		}
		if (screen->list)
			lines_draw(g, layout.list, screen->list, NULL, 0, true);
		if (screen->n_menu)
			draw_menu(g, layout.detail.rows ? layout.detail.row : layout.status.row,
				  screen);
		draw_foot(g, &layout, screen);
	}
	if (screen->is_ascii)
		ascii_convert(g);
}
