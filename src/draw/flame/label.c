/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Labels of boxes and lanes. All text from a file passes through text_visible() or text_fit(). The
 * rest is ASCII, the middle dot and the ellipsis. */
#include "config.h"

#include "draw/flame/label.h"

#include "base/text.h"
#include "base/units.h"
#include "model/profile.h"

#include <string.h>

#define SCHEME_MAX 4096 /* bytes from the start of a URL to the end of its scheme */

/* A box of up to this many cells has the beginning of its name, without a mark that it is cut. */
#define BEGINNING_MAX 6

/* In fewer, a beginning cannot be read as a name. */
#define BEGINNING_MIN 3

/* Frames that stand for files have a URL for a name, and no location. */
static bool is_address(const struct profile *profile, const struct frame *frame)
{
	const char *name = profile_text(profile, frame->name), *mark;

	if (frame->url)
		return false;
	/* A scheme is short: the end of a name of megabytes is not looked at. */
	mark = memmem(name, strnlen(name, SCHEME_MAX), "://", 3);
	return mark && !memchr(name, ' ', (size_t)(mark - name)) &&
		!memchr(name, '(', (size_t)(mark - name));
}

/* The last part of a URL; for `index.js` also the folder, as most folders have one. */
static const char *last_part(const char *from, const char *end)
{
	const char *slash = memrchr(from, '/', (size_t)(end - from));

	if (!slash || strncmp(slash + 1, "index.", 6) != 0)
		return slash ? slash + 1 : from;
	end = slash;
	slash = memrchr(from, '/', (size_t)(end - from));
	return slash ? slash + 1 : from;
}

const char *label_name(const struct profile *profile, const struct frame *frame, size_t *len)
{
	const char *name = profile_text(profile, frame->name),
		   *end = name + intern_len(&profile->strings, frame->name);

	if (is_address(profile, frame)) {
		const char *part = last_part(strstr(name, "://") + 3, end);

		name = part < end ? part : name;
	}
	*len = (size_t)(end - name);
	return name;
}

void label_place(const struct profile *profile, const struct frame *frame, bool is_full,
		 struct buf *out)
{
	if (is_address(profile, frame))
		text_add_ends(out, profile_text(profile, frame->name),
			      intern_len(&profile->strings, frame->name));
	else
		profile_location_ends(profile, frame, is_full, out);
}

void label_text(const struct profile *profile, const struct frame *frame, struct buf *out)
{
	size_t len;
	const char *name = label_name(profile, frame, &len);

	if (profile_is_placed(profile, frame))
		profile_add_name(profile, frame, out);
	else
		text_add_ends(out, name, len);
}

/* A place; where it is too long, the end of node:internal/main/run_main_module:1. */
static const char *end_of(const struct buf *place, int room)
{
	const char *slash = strrchr(buf_text(place), '/');

	return slash && slash[1] && text_cells(place->data, place->len) > room ? slash + 1
									       : buf_text(place);
}

void label_frame(const struct profile *profile, frame_id id, int room, struct buf *out)
{
	const struct frame *frame = profile_frame(profile, id);
	const char *name = profile_text(profile, frame->name);
	size_t len = intern_len(&profile->strings, frame->name);
	BUF_LOCAL place = { 0 };

	if (profile_is_placed(profile, frame)) {
		profile_add_name(profile, frame, &place);
		name = end_of(&place, room);
		len = strlen(name);
	}
	text_fit(out, name, len, room);
}

/* Of a name of calls in one row (analyse/fold.h), what has room: first without the modules of
 * Node.js that it begins with, then without its last parts. Returns whether it is such a name, and
 * too long. */
static bool shorten_path(const char **name, size_t *len, int room)
{
	const char *arrow = " \342\200\272 ", *end = *name + *len, *at;

	if (text_cells(*name, *len) <= room || !memmem(*name, *len, arrow, strlen(arrow)))
		return false;
	if (strncmp(*name, "node:", 5) == 0)
		*name = (const char *)memmem(*name, *len, arrow, strlen(arrow)) + strlen(arrow);
	while (text_cells(*name, (size_t)(end - *name)) > room) {
		const char *last = NULL;

		for (at = *name; (at = memmem(at, (size_t)(end - at), arrow, strlen(arrow)));
		     at += strlen(arrow))
			last = at;
		if (!last)
			break;
		end = last;
	}
	*len = (size_t)(end - *name);
	return true;
}

/* What a slice runs: `onRequest worker.js:5`; of a script `app.js`, and where it begins if that is
 * not at the start of its file. */
static void add_run(const struct profile *profile, const struct frame *frame, struct buf *out)
{
	struct frame place = *frame;
	bool is_script = profile_is_script(profile, frame);

	if (!is_script || frame->line == 1)
		profile_add_name(profile, frame, out);
	if (!is_script)
		buf_adds(out, " ");
	place.column = 0;
	if (!is_script || frame->line > 1)
		profile_location_ends(profile, &place, false, out);
}

void label_box(const struct profile *profile, frame_id id, int room, struct buf *out)
{
	const struct frame *frame = profile_frame(profile, id);
	BUF_LOCAL place = { 0 };
	size_t len;
	const char *name = label_name(profile, frame, &len);
	bool is_cut;

	/* The place tells anonymous functions apart. */
	if (profile_is_placed(profile, frame)) {
		profile_add_name(profile, frame, &place);
		name = end_of(&place, 0);
		len = strlen(name);
	} else if (frame->event && frame->url && frame->line > 0) {
		add_run(profile, frame, &place);
		if (text_cells(place.data, place.len) <= room) {
			name = place.data;
			len = place.len;
		}
	}
	if (frame->category == CATEGORY_GC && text_cells(name, len) > room) {
		name = "GC";
		len = strlen(name);
	}
	is_cut = !frame->url && shorten_path(&name, &len, room);
	if (room < BEGINNING_MIN && text_cells(name, len) > room)
		;
	else if (is_cut || room <= BEGINNING_MAX)
		text_fit_start(out, name, len, room);
	else
		text_fit(out, name, len, room);
}

void label_flow(const struct profile *profile, const struct flow_link *link, bool is_brief,
		struct buf *out)
{
	const struct frame *did = flow_link_initiator(profile, link),
			   *place = did && did->line > 0 ? did : flow_link_sampled(profile, link);
	struct frame at = place ? *place : (struct frame){ 0 };
	const char *ns = profile_value(profile, link->to->t - link->from->t, UNITS_ROOM);

	at.column = 0;
	if (!is_brief || !at.url)
		label_text(profile,
			   did ? did
			       : profile_node_frame(profile, &profile->lanes[link->from->lane],
						    link->from->span.node),
			   out);
	if (did && at.url) {
		buf_adds(out, is_brief ? "" : place == did ? " " : " in ");
		if (place != did && !is_brief && !profile_is_placed(profile, place))
			buf_addf(out, "%s ", profile_text(profile, at.name));
		profile_location_ends(profile, &at, false, out);
	}
	buf_addf(out, is_brief ? ", %s" : ", %s before", ns);
}

static void add_count(uint64_t n, const char *what, struct buf *out)
{
	buf_addf(out, "%s %s%s", units_count(n, UNITS_ROOM), what, n == 1 ? "" : "s");
}

/* The first of the lanes that are one lane with this one. Lanes of a view are not those of the
 * profile. *n: their number. */
static const struct lane *find_head(const struct profile *profile, const struct lane *lane,
				    uint32_t *n)
{
	const struct lane *end = profile->lanes + profile->n_lanes;

	*n = 1;
	if (lane < profile->lanes || lane >= end)
		return lane;
	lane = lane_head(lane, profile->lanes);
	*n = lane_count_joined(lane, end);
	return lane;
}

/* The numbers of slices, operations or objects, and of marks, of n lanes. */
static void add_group_counts(const struct lane *lane, uint32_t n_lanes, struct buf *out)
{
	uint64_t n = 0, n_marks = 0;

	for (uint32_t i = 0; i < n_lanes; i++) {
		n += lane[i].n_spans - lane[i].n_marks;
		n_marks += lane[i].n_marks;
	}
	if (n || !n_marks)
		add_count(n,
			  lane->kind == LANE_OBJECTS          ? "object"
				  : lane->kind == LANE_SLICES ? "slice"
				  : lane->has_requests        ? "request"
							      : "span",
			  out);
	if (n_marks) {
		buf_adds(out, n ? " \302\267 " : "");
		add_count(n_marks, "mark", out);
	}
}

void label_lane_facts(const struct profile *profile, const struct lane *lane, bool is_merged,
		      struct buf *out)
{
	uint32_t n_lanes;
	int64_t all;
	char number[UNITS_MAX], share[UNITS_MAX];

	lane = find_head(profile, lane, &n_lanes);
	all = lane->t1 - lane->t0;
	if (!lane->has_timeline) {
		buf_adds(out, amount_is_time(&profile->unit) ? "no time order: " : "no order: ");
		if (lane->value.type)
			buf_adds(out, "sums of ");
		lane_value_text(profile, lane, out);
		buf_adds(out, lane->value.type ? "" : " only, no samples");
		return;
	}
	if (lane->kind == LANE_COUNTER) {
		add_count(lane->series[0].n, "value", out);
		return;
	}
	if (lane->kind != LANE_SAMPLES && lane->kind != LANE_SLICES) {
		add_group_counts(lane, n_lanes, out);
		return;
	}
	profile_value(profile, all, number);
	/* Its samples are made from others, so their number says nothing about the file. */
	if (is_merged) {
		buf_adds(out, number);
		return;
	}
	units_percent(lane_worked_ns(lane), all, share);
	if (lane->n_left)
		buf_addf(out, "%s \302\267 not all loaded \302\267 ", number);
	else if (lane->is_unmeasured)
		buf_addf(out, "%s \302\267 length not measured \302\267 ", number);
	else if (!amount_is_time(&profile->unit))
		buf_addf(out, "%s \302\267 ", number);
	else
		buf_addf(out, "busy %s of %s \302\267 ", share, number);
	if (lane->kind == LANE_SLICES)
		add_group_counts(lane, n_lanes, out);
	else
		add_count(lane->n_samples, "sample", out);
}

/* ==== change ====
 *
 * A call is new or gone by its total time; its figure is the change of its self time, so that the
 * function that changed is marked, and not all its callers. */

#define NAME_MIN 6         /* cells of a name before its figure is left out */
#define WHOLE_NAME_MAX 200 /* cells of a name that is shown whole */

const char change_legend[] = "+ more  - less  * new  \342\200\240 gone (self time)";

static enum sides_kind kind_of(const struct sides *s, node_id node)
{
	enum sides_kind of_total = sides_kind_of(&s->unit, s->total[SIDE_BEFORE][node],
						 s->total[SIDE_AFTER][node]);
	int64_t before = s->self[SIDE_BEFORE][node], after = s->self[SIDE_AFTER][node];

	if (of_total == SIDES_NEW || of_total == SIDES_GONE)
		return of_total;
	return !sides_level(&s->unit, after - before) ? SIDES_SAME
		: after > before                      ? SIDES_MORE
						      : SIDES_LESS;
}

enum role change_role_of(const struct sides_unit *unit, const int64_t ns[SIDES])
{
	static const enum role more[] = { ROLE_SAME, ROLE_MORE_1, ROLE_MORE_2 };
	static const enum role less[] = { ROLE_SAME, ROLE_LESS_1, ROLE_LESS_2 };
	int64_t change = ns[SIDE_AFTER] - ns[SIDE_BEFORE];
	int level = sides_level(unit, change);

	return change > 0 ? more[level] : less[level];
}

enum role change_role(const struct sides *s, node_id node)
{
	const int64_t ns[SIDES] = { s->self[SIDE_BEFORE][node], s->self[SIDE_AFTER][node] };

	return change_role_of(&s->unit, ns);
}

/* What is to be said of a change. */
struct figure {
	struct buf text, brief; /* brief: where there is less room; empty: none */
};

/* Make ` +12.3 pt`, and if the function changed elsewhere, too, so that its row in a table has
 * another figure, ` +12.3 of +12.6 pt`. Where that is less, or of the other sign, the change of
 * this call is no part of it: ` +11.6 pt, others fell`. */
static void make_figure(const struct sides *s, frame_id frame, int64_t change, struct figure *out)
{
	int64_t all = s->frame_self[SIDE_AFTER][frame] - s->frame_self[SIDE_BEFORE][frame];
	bool is_part = change > 0 ? all >= change : all <= change;
	const char *own = sides_format_change(&s->unit, change, UNITS_ROOM);
	const char *whole = sides_format_change(&s->unit, all, UNITS_ROOM);

	if (strcmp(own, whole) == 0)
		buf_adds(&out->text, own);
	else if (is_part)
		buf_addf(&out->text, "%.*s of %s", (int)strcspn(own, " "), own, whole);
	else
		buf_addf(&out->text, "%s, others %s", own, change > 0 ? "fell" : "rose");
	buf_adds(&out->brief, is_part ? "" : own);
}

/* Append the label of a box in `room` cells, at least 1: `render -12.4 pt`; where there is no room
 * for the figure, `-render`. */
static void change_label(const struct profile *profile, const struct lane *lane,
			 const struct sides *s, node_id node, int room, struct buf *out)
{
	enum sides_kind kind = kind_of(s, node);
	frame_id frame = lane->tree.frame[node];
	const char *sign = change_sign(kind);
	int sign_cells = *sign ? 1 : 0, figure_cells, name_cells, name_min;
	int64_t change = s->self[SIDE_AFTER][node] - s->self[SIDE_BEFORE][node];
	struct figure figure = { 0 };
	struct buf *said = &figure.text;
	BUF_LOCAL name = { 0 };

	make_figure(s, frame, change, &figure);
	label_box(profile, frame, WHOLE_NAME_MAX, &name);
	name_cells = text_cells(buf_text(&name), name.len);
	name_min = sign_cells + (name_cells < NAME_MIN ? name_cells : NAME_MIN);
	if (figure.brief.len && room < name_min + 1 + text_cells(buf_text(said), said->len))
		said = &figure.brief;
	figure_cells = 1 + text_cells(buf_text(said), said->len);
	/* No figure says that nothing changed. */
	if (sides_level(&s->unit, change) && room >= name_min + figure_cells) {
		buf_adds(out, sign);
		label_box(profile, frame, room - sign_cells - figure_cells, out);
		buf_addf(out, " %s", buf_text(said));
	} else {
		sign = kind == SIDES_MORE ? "+" : kind == SIDES_LESS ? "-" : change_sign(kind);
		buf_adds(out, sign);
		if (room > (*sign ? 1 : 0))
			label_box(profile, frame, room - (*sign ? 1 : 0), out);
	}
	buf_done(&figure.text);
	buf_done(&figure.brief);
}

void change_box(const struct profile *profile, const struct lane *lane, const struct sides *s,
		node_id node, int room, struct buf *out)
{
	if (change_is_of(s, profile, lane))
		change_label(profile, lane, s, node, room, out);
	else
		label_box(profile, lane->tree.frame[node], room, out);
}

void change_text(const struct sides_unit *unit, const int64_t ns[SIDES], struct buf *out)
{
	char before[UNITS_MAX], after[UNITS_MAX], change[UNITS_MAX];

	sides_format(unit, ns[SIDE_BEFORE], before);
	sides_format(unit, ns[SIDE_AFTER], after);
	sides_format_change(unit, ns[SIDE_AFTER] - ns[SIDE_BEFORE], change);
	/* One unit is enough. */
	if (unit->per == SIDES_PER_TOTAL)
		before[strcspn(before, " ")] = '\0';
	buf_addf(out, "%s \342\206\222 %s  %s", before, after, change);
}

/* ---- notes ----
 *
 * Only cells without text change, except for the sign. */

#define NOTE_MIN 4 /* cells: less is only a sign */
#define NOTE_MAX 40

void label_note(const struct chart *chart, const struct chart_note *note, bool is_full,
		struct buf *out)
{
	if (!note->n_hidden) {
		buf_adds(out, chart->is_ascii ? "* " : "\342\234\216 ");
		buf_adds(out, note->text);
		return;
	}
	buf_addf(out, "%s %zu hidden", chart->is_ascii ? "..." : "\342\213\257", note->n_hidden);
	if (is_full)
		buf_addf(out, " in DevTools: %s", note->text);
}

/* The blank cells from a column on, with one at each side of them. */
static int room_at(const struct grid *g, int row, int col, int end)
{
	int n = 0;

	if (row < 0 ||
	    (col > 0 && grid_at(g, row, col - 1)->ch > ' ' &&
	     grid_at(g, row, col - 1)->ch < 0x2500))
		return 0;
	while (col + n < end && grid_at(g, row, col + n)->ch == ' ')
		n++;
	return col + n < end ? n - 1 : n;
}

static void put_note(struct grid *g, int row, int col, int room, const struct buf *text)
{
	BUF_LOCAL fit = { 0 };

	bool is_cut;

	room = room < NOTE_MAX ? room : NOTE_MAX;
	is_cut = text_cells(text->data, text->len) > room && room > 1;
	text_fit_start(&fit, text->data, text->len, room - is_cut);
	buf_adds(&fit, is_cut ? "\342\200\246" : "");
	grid_put(g, row, col, room, buf_text(&fit), fit.len, ROLE_KEY);
}

/* above: the first row that a label may stand in. */
static void draw_note(struct grid *g, struct rect r, const struct chart *chart,
		      const struct chart_note *note, int above)
{
	int64_t from = note->span.t0 > chart->view->t0 ? note->span.t0 : chart->view->t0,
		last = note->span.t1 - 1 > from ? note->span.t1 - 1 : from;
	struct chart_point at, end;
	BUF_LOCAL text = { 0 };
	int col, room;

	if (note->span.t1 <= from ||
	    !chart_find_point(chart, r, note->lane, &note->span, from, &at))
		return;
	if (last >= viewport_end(chart->view))
		last = viewport_end(chart->view) - 1;
	if (!chart_find_point(chart, r, note->lane, &note->span, last, &end))
		return;
	at.row += r.row;
	col = r.col + at.col;
	label_note(chart, note, false, &text);
	room = at.row - 1 >= above ? room_at(g, at.row - 1, col, r.col + r.cols) : 0;
	if (room >= NOTE_MIN) {
		put_note(g, at.row - 1, col, room, &text);
	} else {
		int stop = r.col + end.col;

		/* Behind the name; the last cell may be an edge, or the sign of a flow. */
		stop -= stop > col && grid_at(g, at.row, stop)->ch >= 0x2500;
		stop -= stop > col && grid_at(g, at.row, stop)->ch != ' ';
		for (col = stop; col > r.col + at.col && grid_at(g, at.row, col)->ch == ' ';)
			col--;
		room = stop - col - 1;
		if (room >= NOTE_MIN)
			put_note(g, at.row, col + 2, room, &text);
		else
			put_note(g, at.row, room < 1 ? r.col + at.col : stop, 1, &text);
	}
}

void label_notes_draw(struct grid *g, struct rect r, const struct chart *chart)
{
	int above = r.row + (chart_sticky(chart, r.rows) >= 0);

	for (int i = 0; i < chart->n_notes && !chart->is_merged; i++)
		draw_note(g, r, chart, &chart->notes[i], above);
}
