/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is shown is found anew for each picture, in this order: the function, the times of lines (if
 * the totals of the pane have changed), the lines of its file, the text. The text may still be
 * read: the pane asks again every PANES_WAIT_MS. Then the cursor is put on the hottest line of the
 * function, if this is another function than before. */
#include "config.h"

#include "ui/pane/source_page.h"

#include "analyse/line_times.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/flame/label.h"
#include "draw/lines.h"
#include "draw/source_view.h"
#include "model/source_text.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

/* ==== source times ====
 *
 * Times are those of the files' nodes: a sample that transforms leave out does not count, and one
 * that they give to another function stays with the line that ran. */

static const struct lane *original_of(const struct app *app, const struct lane *lane)
{
	const struct profile *p = app->original;

	if (lane->id >= 1 && lane->id <= p->n_lanes && p->lanes[lane->id - 1].id == lane->id)
		return &p->lanes[lane->id - 1];
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].id == lane->id)
			return &p->lanes[i];
	return NULL;
}

/* By node: whether transforms leave it out. NULL: none is. The caller frees it. */
static uint8_t *left_out(const struct app *app, const struct lane *lane)
{
	const struct view *view = app->scoped ? &app->scoped->view : NULL;
	uint8_t *is_left;
	uint32_t i = 0;

	while (view && i < view->n_sources && view->sources[i].lane->id != lane->id)
		i++;
	if (!view || i == view->n_sources || !view->sources[i].map)
		return NULL;
	is_left = xcalloc(lane->tree.n, 1);
	for (node_id node = 0; node < lane->tree.n; node++)
		is_left[node] = view->sources[i].map[node] == VIEW_DROPPED;
	return is_left;
}

/* Make page.times for the scope of the panes. */
static void source_times_make(struct app *app)
{
	struct source_page *p = &app->source;
	ALLOC_LOCAL const struct lane **lanes = NULL;
	int64_t t0, t1;
	uint32_t n = pane_scope_of_time(app, &t0, &t1, &lanes);

	line_times_done(&p->times);
	for (uint32_t i = 0; i < n; i++) {
		const struct lane *lane = original_of(app, lanes[i]);
		ALLOC_LOCAL uint8_t *is_left = lane ? left_out(app, lane) : NULL;

		if (lane)
			line_times_add(&p->times, app->original, lane, t0, t1, is_left);
	}
	line_times_finish(&p->times, app->original);
	p->has_times = true;
	p->generation = app->pane.generation;
}

/* Make page.hot and its sums of them: the lines of a file, of all its functions. url: text
 * of the original profile; 0: there are none. */
static void source_times_of(struct app *app, str_id url)
{
	struct source_page *p = &app->source;
	size_t first, n = line_times_of(&p->times, url, &first);
	int64_t most = 0;

	p->n_hot = p->n_lines = 0;
	p->hot_ns = p->whole_ns = 0;
	for (size_t i = first; url && i < first + n; i++) {
		const struct line_time *t = &p->times.list[i];
		bool is_new = i == first || t[-1].line != t->line;
		struct source_hot *hot;

		if (is_new) {
			*ARRAY_ADD(p->hot, p->n_hot,
				   p->cap_hot) = (struct source_hot){ .line = t->line };
		}
		hot = &p->hot[p->n_hot - 1];
		*(t->is_whole ? &hot->whole_ns : &hot->ns) += t->ns;
		*(t->is_whole ? &p->whole_ns : &p->hot_ns) += t->ns;
		p->n_lines += !t->is_whole && is_new;
		if (is_new || t->ns > most) {
			most = t->ns;
			hot->column = t->column;
		}
	}
}

/* The line with most time: of a function, or (FRAME_NONE) of all but those of Node.js. NULL: there
 * is none. */
static const struct line_time *source_times_hottest(const struct app *app, frame_id frame)
{
	const struct source_page *p = &app->source;
	const struct line_time *best = NULL;

	for (size_t i = 0; i < p->times.n; i++) {
		const struct line_time *t = &p->times.list[i];
		bool is_better = !best ||
			(frame != FRAME_NONE && best->is_whole != t->is_whole ? best->is_whole
									      : t->ns > best->ns);

		if (is_better && t->url &&
		    (frame == FRAME_NONE
			     ? app->original->frames.frames[t->frame].category != CATEGORY_NODE
			     : t->frame == frame))
			best = t;
	}
	return best;
}

/* ==== source notes ====
 *
 * Texts from the profile and the file system are made visible before they become lines. */

#define NOTES_HOT 50 /* lines that are listed where there is no text */

static void say(struct source_page *p, const char *text, int cols, bool is_head)
{
	lines_add(&p->notes, text, strlen(text), cols, 2, is_head);
}

SORT_ORDER(by_time, struct source_hot,
	   SORT_BY_2(y->ns + y->whole_ns, x->ns + x->whole_ns, x->line, y->line))

/* List lines, the hottest first. heading: NULL if there is none. */
static void list_lines(const struct app *app, struct source_page *p, struct source_hot *list,
		       size_t n, const char *heading, int cols)
{
	BUF_LOCAL line = { 0 };

	if (!n)
		return;
	qsort(list, n, sizeof *list, by_time);
	say(p, "", cols, false);
	if (heading)
		say(p, heading, cols, false);
	for (size_t i = 0; i < n && i < NOTES_HOT; i++) {
		buf_clear(&line);
		buf_addf(&line, "%8s  line %d",
			 profile_value(app->base, list[i].ns + list[i].whole_ns, UNITS_ROOM),
			 (int)list[i].line);
		say(p, buf_text(&line), cols, false);
	}
	if (n > NOTES_HOT) {
		buf_clear(&line);
		buf_addf(&line, "\342\200\246 %zu more lines", n - NOTES_HOT);
		say(p, buf_text(&line), cols, false);
	}
}

/* Take the lines of the function out of those of its file. Returns their number. */
static size_t take_own(const struct source_page *p, struct source_hot *all, struct source_hot *own)
{
	size_t n = 0;

	for (size_t i = 0; i < p->times.n; i++) {
		const struct line_time *t = &p->times.list[i];
		size_t k = 0;

		if (t->frame != p->frame)
			continue;
		while (k < p->n_hot && all[k].line != t->line)
			k++;
		if (k == p->n_hot)
			continue;
		if (!n || own[n - 1].line != t->line)
			own[n++] = (struct source_hot){ .line = t->line };
		*(t->is_whole ? &own[n - 1].whole_ns : &own[n - 1].ns) += t->ns;
		*(t->is_whole ? &all[k].whole_ns : &all[k].ns) -= t->ns;
	}
	return n;
}

/* The lines of the function, then those of the others of its file. */
static void list_hot(const struct app *app, struct source_page *p, int cols)
{
	ALLOC_LOCAL struct source_hot *all = xmalloc((p->n_hot + 1) * sizeof *all),
				      *own = xmalloc((p->n_hot + 1) * sizeof *own);
	size_t n_own, n = 0;

	if (p->n_hot)
		memcpy(all, p->hot, p->n_hot * sizeof *all);
	n_own = take_own(p, all, own);
	for (size_t i = 0; i < p->n_hot; i++)
		if (all[i].ns + all[i].whole_ns > 0)
			all[n++] = all[i];
	list_lines(app, p, own, n_own, n ? "in this function" : NULL, cols);
	list_lines(app, p, all, n, n_own ? "in other functions of the file" : NULL, cols);
}

/* Why a function has no file. */
static const char *no_file(const struct app *app, const struct frame *frame)
{
	switch (frame->category) {
	case CATEGORY_GC:
	case CATEGORY_PROGRAM:
	case CATEGORY_IDLE:
		return "no function of a file: there is no source to show";
	case CATEGORY_SLICE:
	case CATEGORY_MARK:
		return "a trace states it: it has no source";
	case CATEGORY_NATIVE:
	case CATEGORY_REGEXP:
	case CATEGORY_WASM:
		return "native code: there is no source to show";
	default:
		return app->source.frame >= app->original->frames.n
			? "several functions: o b shows them one by one"
			: "the profile does not say in which file it is";
	}
}

/* With which options a file would be found. */
static void say_how(struct source_page *p, const char *url, int cols)
{
	const char *path = strncmp(url, "file://", 7) == 0 ? url + 7 : url;
	const char *name = strrchr(path, '/');
	BUF_LOCAL text = { 0 };

	if (!name)
		return;
	buf_adds(&text, "If it is in another folder, DIR, start with --map=");
	/* A file of the root folder has an empty prefix otherwise, which all urls have. */
	text_visible(&text, path, (size_t)(name - path) + (name == path));
	buf_adds(&text, "=DIR; if its whole path is below DIR, with --source-root=DIR");
	say(p, buf_text(&text), cols, false);
}

/* Whether the user is asked about the file that is shown. */
static bool is_asked(const struct app *app)
{
	const struct source_page *p = &app->source;

	return p->asked != FRAME_NONE && p->asked == p->frame && p->ask.len;
}

/* `read /srv/app/x.js?  y yes   n no   a always below /srv/app` */
static void say_question(struct source_page *p, int cols)
{
	BUF_LOCAL text = { 0 };

	buf_adds(&text, "read ");
	text_visible(&text, p->ask.data, p->ask.len);
	buf_adds(&text, "?  y yes   n no");
	if (p->ask_below.len) {
		buf_adds(&text, "   a always below ");
		text_visible(&text, p->ask_below.data, p->ask_below.len);
	}
	say(p, buf_text(&text), cols, false);
}

/* Make page.notes, for where there is no text: why, and the times of the lines. */
static void source_notes_make(struct app *app, int cols)
{
	struct source_page *p = &app->source;
	const struct frame *frame = profile_frame(app->s.profile, p->frame);
	const struct line_time *best;
	BUF_LOCAL text = { 0 };

	lines_clear(&p->notes);
	cols = cols > 4 ? cols - 2 : 2;
	if (p->frame == FRAME_NONE) {
		say(p, "nothing is selected", cols, false);
		return;
	}
	profile_location(app->s.profile, frame, true, &text);
	if (!text.len)
		text_visible(&text, profile_text(app->s.profile, frame->name),
			     strlen(profile_text(app->s.profile, frame->name)));
	say(p, buf_text(&text), cols, true);
	if (p->is_waiting) {
		say(p, "reading the file\342\200\246", cols, false);
	} else if (!frame->url) {
		say(p, no_file(app, frame), cols, false);
	} else {
		const char *at = p->text ? buf_text(&p->text->said) : "";

		if (is_asked(app))
			say_question(p, cols);
		else if (!p->ask.len)
			say(p, "no text of this file was found:", cols, false);
		for (size_t n; *at; at += n + (at[n] != '\0')) {
			n = strcspn(at, "\n");
			lines_add(&p->notes, at, n, cols, 2, false);
		}
		if (frame->category != CATEGORY_NODE && !p->ask.len)
			say_how(p, profile_text(app->s.profile, frame->url), cols);
		list_hot(app, p, cols);
	}
	best = source_times_hottest(app, FRAME_NONE);
	if (!p->is_waiting && best && best->url != frame->url) {
		buf_clear(&text);
		buf_adds(&text, "hottest line (. goes there): ");
		profile_location(app->original,
				 &(struct frame){ .url = best->url, .line = best->line }, true,
				 &text);
		say(p, "", cols, false);
		say(p, buf_text(&text), cols, false);
	}
}

/* Make page.about and page.note: what the times are, and whether the file is newer than the
 * profile. Requires a text. */
static void source_notes_about(struct app *app)
{
	struct source_page *p = &app->source;
	char date[DATE_MAX];

	buf_clear(&p->about);
	buf_clear(&p->note);
	if (p->n_lines)
		buf_addf(&p->about, "%s in %zu line%s, from line ticks",
			 profile_value(app->base, p->hot_ns, UNITS_ROOM), p->n_lines,
			 p->n_lines == 1 ? "" : "s");
	if (p->n_lines && p->whole_ns)
		buf_addf(&p->about, "; %s in whole functions",
			 profile_value(app->base, p->whole_ns, UNITS_ROOM));
	else if (p->n_hot && !p->n_lines)
		buf_adds(
			&p->note,
			"times of whole functions, where they begin: those of lines are not known");
	else if (!p->n_hot)
		buf_adds(&p->about, "none of its lines has time here");
	if (!p->text->is_newer)
		return;
	date_format(p->text->recorded_s, ' ', date);
	buf_adds(&p->note, p->note.len ? "; " : "");
	buf_addf(&p->note, "the file is newer than the profile (recorded %s): lines may have moved",
		 date);
}

/* ==== source page ==== */

#define ASIDE_CELLS 8
#define HOT_PERCENT 1 /* of the time of the file: what `.` and `,` stop at */
#define TEXT_MAX 1000 /* bytes of a line that is copied */
#define NAME_CELLS 40
#define ASK_MS 400 /* without a key, before the user is asked */

static void forget(struct app *app)
{
	struct source_page *p = &app->source;

	line_times_done(&p->times);
	p->has_times = false;
	p->n_hot = 0;
	p->text = NULL;
	/* Frames that views make have other numbers in the next view. */
	if (app->original && p->frame >= app->original->frames.n)
		p->frame = FRAME_NONE;
}

static void done(struct app *app)
{
	struct source_page *p = &app->source;

	forget(app);
	free(p->hot);
	lines_done(&p->notes);
	buf_done(&p->about);
	buf_done(&p->note);
	buf_done(&p->ask);
	buf_done(&p->ask_below);
	*p = (struct source_page){ 0 };
}

/* Let the page be about a function. One of Node.js or of no file has no text. */
static void set_function(struct app *app, frame_id id)
{
	const struct frame *frame = profile_frame(app->s.profile, id);
	struct source_page *p = &app->source;

	p->frame = frame->url && frame->category != CATEGORY_NODE ? id : FRAME_NONE;
	p->serial = app->s.serial;
	p->has_place = false;
}

/* If the pane is not shown yet, it is about the function that a command is about. */
static void enter(struct app *app)
{
	const struct lane *lane = state_lane(app);
	bool is_on = app->is_pane_open && app->shown == &source_page_pane, is_other = false;
	frame_id frame;

	/* The function of the row of the pane that is still shown. */
	if (!is_on && (app->focus == KEYMAP_PANE || app->s.chart.has_selection) && lane &&
	    pane_rows_target(app, &frame)) {
		set_function(app, frame);
		is_other = app->source.frame != frame;
	}
	buf_clear(&app->message);
	if (is_other) {
		/* What is selected has no file to show. */
		const struct frame *f = profile_frame(app->s.profile, frame);
		BUF_LOCAL name = { 0 };

		label_frame(app->s.profile, frame, NAME_CELLS, &name);
		state_say(app, false, "%s is %s: this is the hottest function with a file",
			  buf_text(&name),
			  f->category == CATEGORY_NODE ? "in Node.js itself" : "in no file");
	}
}

/* ---- the function ---- */

static const struct frame *shown_frame(const struct app *app)
{
	return profile_frame(app->s.profile, app->source.frame);
}

static void choose(struct app *app)
{
	struct source_page *p = &app->source;
	const struct lane *lane = state_lane(app);
	const struct line_time *best;

	if (p->serial != app->s.serial && p->frame >= app->original->frames.n)
		p->frame = FRAME_NONE;
	p->serial = app->s.serial;
	if (app->focus == KEYMAP_CHART && app->s.chart.has_selection && lane && lane->tree.n)
		p->frame = folds_selected(&app->s);
	if (p->frame == FRAME_NONE && (best = source_times_hottest(app, FRAME_NONE)) != NULL)
		p->frame = best->frame;
	if (p->frame != p->placed)
		p->has_place = false;
}

/* ---- the text ---- */

static void find_text(struct app *app)
{
	struct source_page *p = &app->source;
	const struct lane *lane = state_lane(app);
	struct source_wanted wanted;
	bool is_own = p->frame < app->original->frames.n;

	p->text = NULL;
	p->is_waiting = false;
	buf_clear(&p->ask);
	buf_clear(&p->ask_below);
	if (!app->sources.read ||
	    !source_text_wanted(is_own ? app->original : app->s.profile, p->frame,
				lane ? lane->input : 0, &wanted))
		return;
	p->text = app->sources.read(app->sources.ctx, &wanted);
	p->is_waiting = !p->text;
	if (p->text && app->host && app->host->allow) {
		buf_add(&p->ask, p->text->ask.data, p->text->ask.len);
		buf_add(&p->ask_below, p->text->ask_below.data, p->text->ask_below.len);
	}
}

/* ---- the page ---- */

static int rows_of_text(const struct source_page *p, const struct rect *area)
{
	int rows = area->rows - source_view_head_rows(p->note.len > 0);

	return rows > 1 ? rows : 1;
}

/* The cells of the least indentation on the page. */
static int64_t indentation(const struct source_page *p, const struct rect *area)
{
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < (size_t)rows_of_text(p, area) && p->top + i < p->text->n_lines;
	     i++) {
		struct str line = source_text_line(p->text, p->top + i);
		size_t blanks = 0;
		int64_t cells;

		while (blanks < line.len && (line.p[blanks] == ' ' || line.p[blanks] == '\t'))
			blanks++;
		if (blanks == line.len)
			continue;
		cells = source_view_cell(line, blanks);
		least = cells < least ? cells : least;
	}
	return least == INT64_MAX ? 0 : least;
}

/* Keep the cursor on the page. */
static void scroll(struct source_page *p, const struct rect *area)
{
	size_t rows = (size_t)rows_of_text(p, area), n = p->text->n_lines;

	p->cursor = p->cursor < n ? p->cursor : n - 1;
	if (p->cursor < p->top)
		p->top = p->cursor;
	if (p->cursor >= p->top + rows)
		p->top = p->cursor - rows + 1;
	if (p->top + rows > n)
		p->top = n > rows ? n - rows : 0;
	if (p->is_dedented)
		p->left = indentation(p, area);
}

/* Put the line with the cursor into the middle, if it is not on the page. */
static void centre(struct source_page *p, const struct rect *area)
{
	size_t rows = (size_t)rows_of_text(p, area);

	if (p->cursor < p->top || p->cursor >= p->top + rows)
		p->top = p->cursor > rows / 2 ? p->cursor - rows / 2 : 0;
}

/* Scroll sideways so that a byte of the line with the cursor is on the page. */
static void reveal(struct source_page *p, size_t byte, const struct rect *area)
{
	struct str line = source_text_line(p->text, p->cursor);
	int64_t cell = source_view_cell(line, byte);
	int cols = source_view_text_cols(p->text, area->cols);

	if (cell - indentation(p, area) < cols * 3 / 4) {
		p->is_dedented = true;
	} else if (p->is_dedented || cell < p->left || cell >= p->left + cols * 3 / 4) {
		p->left = cell - cols / 3;
		p->is_dedented = false;
	}
}

/* The byte of the line with the cursor that counts: the place of the function or of most time. */
static size_t hot_byte(const struct source_page *p)
{
	const struct source_hot *hot = source_view_hot(p->hot, p->n_hot, p->cursor);

	if (p->cursor == p->mark_line)
		return p->mark_byte;
	if (!hot || hot->column <= 0)
		return 0;
	return source_text_byte(source_text_line(p->text, p->cursor), (uint32_t)hot->column - 1);
}

/* Put the cursor on the hottest line of the function, or where it begins. */
static void place(struct app *app, const struct rect *area)
{
	struct source_page *p = &app->source;
	const struct frame *frame_page = shown_frame(app);
	const struct line_time *best = source_times_hottest(app, p->frame);
	int32_t line = best ? best->line : frame_page->line;

	if (!best && line <= 0)
		for (size_t i = 0, most = 0; i < p->n_hot; i++)
			if (i == 0 || p->hot[i].ns > p->hot[most].ns) {
				most = i;
				line = p->hot[i].line;
			}
	p->mark_line = SIZE_MAX;
	if (frame_page->line > 0 && frame_page->column > 0) {
		p->mark_line = (size_t)frame_page->line - 1;
		p->mark_byte = source_text_byte(source_text_line(p->text, p->mark_line),
						(uint32_t)frame_page->column - 1);
	}
	p->cursor = line > 0 ? (size_t)line - 1 : 0;
	p->cursor = p->cursor < p->text->n_lines ? p->cursor : p->text->n_lines - 1;
	p->top = SIZE_MAX;
	centre(p, area);
	scroll(p, area);
	reveal(p, hot_byte(p), area);
	p->has_place = true;
	p->placed = p->frame;
}

static void update(struct app *app, const struct rect *area, bool is_current)
{
	struct source_page *p = &app->source;
	bool is_other = p->serial != app->s.serial;

	if (!p->has_times || is_other || (is_current && p->generation != app->pane.generation))
		source_times_make(app);
	choose(app);
	source_times_of(app,
			p->frame < app->original->frames.n || p->frame == FRAME_NONE
				? profile_frame(app->original, p->frame)->url
				: shown_frame(app)->url);
	find_text(app);
	if (!p->text || !p->text->is_found) {
		source_notes_make(app, area->cols);
		p->text = NULL;
		return;
	}
	source_notes_about(app);
	if (!p->has_place)
		place(app, area);
	scroll(p, area);
}

static frame_id frame_page(const struct app *app)
{
	const struct source_page *p = &app->source;

	return p->serial == app->s.serial ? p->frame : FRAME_NONE;
}

/* With the focus, the line about the selection is about the function. */
static void draw_details(const struct app *app, struct pane_picture *picture)
{
	const struct totals *totals = &app->pane.totals;
	frame_id f = frame_page(app);

	if (!picture->table.has_focus || f == FRAME_NONE || f >= totals->n_frames)
		return;
	picture->row = (struct row){ .frame = f,
				     .self = totals->frame_self[f],
				     .total = totals->frame_total[f] };
	picture->screen->details.row = &picture->row;
	picture->screen->details.unit = picture->table.unit;
	picture->screen->details.unit.whole = pane_whole(&app->pane);
}

static void draw(const struct app *app, struct pane_picture *picture)
{
	const struct source_page *p = &app->source;

	pane_picture_totals(app, picture, false);
	draw_details(app, picture);
	if (!p->text) {
		picture->screen->lines = &p->notes;
		return;
	}
	picture->source = (struct source_view){
		.text = p->text,
		.hot = p->hot,
		.n_hot = p->n_hot,
		.profile = app->base,
		.path = buf_text(&p->text->from),
		.about = buf_text(&p->about),
		.note = buf_text(&p->note),
		.is_warning = p->text->is_newer,
		.role = frame_roles_get(picture->table.roles, app->s.profile, p->frame),
		.top = p->top,
		.cursor = p->cursor,
		.left = p->left,
		.mark_line = p->mark_line,
		.mark_byte = p->mark_byte,
		.has_focus = picture->table.has_focus,
		.is_ascii = picture->table.is_ascii,
	};
	picture->screen->source = &picture->source;
	pane_picture_place(picture, p->cursor, p->text->n_lines);
}

static int wait_ms(const struct app *app)
{
	if (app->source.is_waiting)
		return PANES_WAIT_MS;
	return app->source.ask.len && !is_asked(app) && app->prefix == KEYC_NONE ? ASK_MS : -1;
}

static bool work(struct app *app, struct budget *budget)
{
	bool was_waiting = app->source.is_waiting;

	(void)budget;
	find_text(app);
	if (!was_waiting && app->source.ask.len)
		app->source.asked = app->source.frame;
	return !app->source.is_waiting;
}

bool source_page_answer(struct app *app, key_code key)
{
	struct source_page *p = &app->source;
	bool was_asked = is_asked(app), is_below = key == 'a' && p->ask_below.len;
	enum source_answer answer = is_below ? SOURCE_BELOW
		: key == 'y'                 ? SOURCE_FILES
					     : SOURCE_NEVER;
	const char *slash;
	BUF_LOCAL folder = { 0 };
	BUF_LOCAL said = { 0 };

	p->asked = FRAME_NONE;
	if (!was_asked || !app->is_pane_open || app->shown != &source_page_pane ||
	    app->help.is_open || !(key == 'y' || key == 'n' || is_below))
		return false;
	slash = strrchr(p->ask.data, '/');
	if (key != 'y' && p->ask_below.len)
		buf_add(&folder, p->ask_below.data, p->ask_below.len);
	else
		buf_add(&folder, p->ask.data,
			(size_t)(slash - p->ask.data) + (slash == p->ask.data));
	app->host->allow(app->host->ctx, buf_text(&folder), answer, &said);
	p->text = NULL;
	if (app->sources.forget)
		app->sources.forget(app->sources.ctx);
	state_say(app, false, "%s", buf_text(&said));
	return true;
}

static void leave(struct app *app)
{
	app->source.text = NULL;
	app->source.is_waiting = false;
	if (app->sources.forget)
		app->sources.forget(app->sources.ctx);
}

/* ---- commands ---- */

/* Bring the page up to date for a command. False: there is no text. */
static bool is_ready(struct app *app, struct rect *area)
{
	struct screen_layout layout;

	state_layout(app, &layout);
	*area = layout.pane;
	update(app, area, true);
	return app->source.text != NULL;
}

static void move(struct app *app, int64_t rows, const struct rect *area)
{
	struct source_page *p = &app->source;
	struct rect here = *area;
	int64_t to, last;

	if (!is_ready(app, &here)) {
		lines_scroll(&p->notes, rows, area->rows);
		return;
	}
	last = (int64_t)p->text->n_lines - 1;
	to = (int64_t)p->cursor + rows;
	p->cursor = to < 0 ? 0 : to > last ? (size_t)last : (size_t)to;
	scroll(p, area);
}

static void click(struct app *app, const struct rect *area, int row, int col)
{
	struct source_page *p = &app->source;
	struct rect here = *area;
	int at;

	(void)col;
	if (!is_ready(app, &here))
		return;
	at = row - area->row - source_view_head_rows(p->note.len > 0);
	if (at >= 0 && p->top + (size_t)at < p->text->n_lines)
		p->cursor = p->top + (size_t)at;
}

static bool go(struct app *app, const frame_id *path, uint32_t n)
{
	set_function(app, path[n - 1]);
	return app->source.frame == path[n - 1];
}

static bool has_keys(const struct app *app)
{
	return app->is_pane_open && app->focus == KEYMAP_PANE && app->shown == &source_page_pane;
}

/* The hot line behind the one with the cursor, or before it. SIZE_MAX: there is none. */
static size_t find_hot(const struct source_page *p, bool is_next)
{
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < p->n_hot; i++) {
		size_t line = (size_t)p->hot[i].line - 1;

		if (p->hot[i].ns + p->hot[i].whole_ns <
			    (p->hot_ns + p->whole_ns) / 100 * HOT_PERCENT ||
		    line >= p->text->n_lines)
			continue;
		if (is_next && line > p->cursor)
			return line;
		if (!is_next && line < p->cursor)
			found = line;
	}
	return found;
}

static bool next_hot(struct app *app, int n)
{
	struct source_page *p = &app->source;
	struct rect area;

	if (!has_keys(app))
		return false;
	if (!is_ready(app, &area)) {
		/* From a function without a text to the hottest line. */
		if (!p->is_waiting && source_times_hottest(app, FRAME_NONE))
			set_function(app, FRAME_NONE);
		else
			state_say(app, false, "there is no text of this file");
		return true;
	}
	for (int left = abs(n); left > 0; left--) {
		size_t line = find_hot(p, n > 0);

		if (line == SIZE_MAX) {
			state_say(app, false, p->n_hot ? "no further hot line" : "no hot lines");
			break;
		}
		p->cursor = line;
	}
	centre(p, &area);
	reveal(p, hot_byte(p), &area);
	scroll(p, &area);
	return true;
}

/* The cells of the longest line on the page. */
static int64_t widest(const struct source_page *p, const struct rect *area)
{
	int64_t most = 0;

	for (size_t i = 0; i < (size_t)rows_of_text(p, area); i++) {
		struct str line = source_text_line(p->text, p->top + i);
		int64_t cells = source_view_cell(line, line.len);

		most = cells > most ? cells : most;
	}
	return most;
}

static bool aside(struct app *app, int count)
{
	struct source_page *p = &app->source;
	struct rect area;
	int64_t most;

	if (!has_keys(app))
		return false;
	if (!is_ready(app, &area))
		return true;
	most = widest(p, &area) - source_view_text_cols(p->text, area.cols) / 2;
	/* Short lines stay where they begin. */
	if (most < indentation(p, &area))
		most = indentation(p, &area);
	p->is_dedented = false;
	p->left += (int64_t)count * ASIDE_CELLS;
	p->left = p->left > most ? most : p->left;
	p->left = p->left < 0 ? 0 : p->left;
	return true;
}

int source_page_line(const struct app *app)
{
	return has_keys(app) && app->source.text ? (int)app->source.cursor + 1 : 0;
}

bool source_page_copy(struct app *app, bool has_text, struct buf *out)
{
	const struct source_page *p = &app->source;
	struct rect area;
	struct str line;
	size_t from = 0;

	if (!has_keys(app) || !is_ready(app, &area))
		return false;
	profile_location(
		app->s.profile,
		&(struct frame){ .url = shown_frame(app)->url, .line = (int32_t)p->cursor + 1 },
		true, out);
	if (!has_text)
		return true;
	line = source_text_line(p->text, p->cursor);
	while (from < line.len && (line.p[from] == ' ' || line.p[from] == '\t'))
		from++;
	if (from == line.len)
		return true;
	buf_adds(out, "  ");
	line.len -= from;
	text_visible(out, line.p + from, line.len < TEXT_MAX ? line.len : TEXT_MAX);
	return true;
}

const struct pane_kind source_page_pane = { .title = "S Source",
					    .command = CMD_SOURCE,
					    .table = PANE_TABS,
					    .head_rows = 1,
					    .has_totals = true,
					    .update = update,
					    .draw = draw,
					    .wait_ms = wait_ms,
					    .work = work,
					    .enter = enter,
					    .leave = leave,
					    .forget = forget,
					    .done = done,
					    .aside = aside,
					    .next_hot = next_hot,
					    .move = move,
					    .click = click,
					    .go = go,
					    .frame = frame_page };
