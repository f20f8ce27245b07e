/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each line is a list of parts with ranks ("details line" below). The ranks decide which parts a
 * narrow screen shows. */
#include "config.h"

#include "draw/details.h"

#include "analyse/rows/rows.h"
#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/flame/label.h"
#include "draw/ruler.h"
#include "findings/served_time.h"
#include "model/profile.h"
#include "model/request.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ==== details line ====
 *
 * A line consists of a name, a location and parts. Each part has a rank. While name and location
 * would get less room than needed to recognise them, the part with the highest rank is removed. The
 * rest of the room is theirs: the name is truncated in its middle, the location at its start. */

#define DETAILS_LINE_NAME 14 /* cells that a name keeps */
#define MIN_LOCATION 14
#define FILE_MAX 22 /* cells: a location keeps the name of its file if that is no longer */
#define GAP 2
#define SERVED_RANKS 5 /* parts of a request's time */
#define DETAILS_LINE_PARTS 16

struct details_part {
	char text[512];
	char brief[64]; /* a short form with its own rank, if the part does not fit; "": none */
	int brief_rank;
	int rank; /* -1: left out */
	enum role ink;
};

struct details_line {
	struct buf name;
	size_t stem;         /* bytes of the name that are enough if not all of it fits; 0: none */
	bool differs_at_end; /* the name is truncated at its start */
	struct buf location;
	struct details_part parts[DETAILS_LINE_PARTS];
	int n_parts;
};

/* A zeroed struct is an empty line. */
static void details_line_done(struct details_line *line)
{
	buf_done(&line->name);
	buf_done(&line->location);
}

/* Append a part. rank: 0 stays longest; among equal ranks the last one is removed first. An empty
 * text is ignored, as are parts beyond DETAILS_LINE_PARTS. */
static void details_line_add(struct details_line *line, int rank, enum role ink, const char *text)
{
	struct details_part *part;

	if (line->n_parts == DETAILS_LINE_PARTS || !*text)
		return;
	part = &line->parts[line->n_parts++];
	snprintf(part->text, sizeof(part->text), "%s", text);
	part->rank = rank;
	part->ink = ink;
}

/* Give the last part a short form. */
static void details_line_brief(struct details_line *line, int rank, const char *text)
{
	struct details_part *part = &line->parts[line->n_parts - 1];

	snprintf(part->brief, sizeof(part->brief), "%s", text);
	part->brief_rank = rank;
}

static void shorten(struct details_part *part)
{
	if (!*part->brief) {
		part->rank = -1;
		return;
	}
	snprintf(part->text, sizeof(part->text), "%s", part->brief);
	part->brief[0] = '\0';
	part->rank = part->brief_rank;
}

static int at_most(int a, int b)
{
	return a < b ? a : b;
}

static int parts_cells(const struct details_line *line)
{
	int cells = 0;

	for (int i = 0; i < line->n_parts; i++)
		if (line->parts[i].rank >= 0)
			cells += GAP + text_cells(line->parts[i].text, strlen(line->parts[i].text));
	return cells;
}

static struct details_part *least_important(struct details_line *line)
{
	struct details_part *least = NULL;

	for (int i = 0; i < line->n_parts; i++)
		if (line->parts[i].rank >= 0 && (!least || line->parts[i].rank >= least->rank))
			least = &line->parts[i];
	return least;
}

/* The cells of a location in which it can be recognised. */
static int least_location(const struct buf *location)
{
	const char *text = buf_text(location), *slash = strrchr(text, '/');
	int all = text_cells(text, location->len),
	    file = slash ? 1 + text_cells(slash + 1, strlen(slash + 1)) : all;

	return at_most(all, file > MIN_LOCATION && file <= FILE_MAX ? file : MIN_LOCATION);
}

/* Put the name into `room` cells; returns the number of cells used. */
static int put_name(struct grid *g, int row, int col, int room, const struct details_line *line,
		    enum role ink)
{
	const char *name = buf_text(&line->name);
	size_t len = line->name.len;
	BUF_LOCAL fit = { 0 };

	if (line->stem && text_cells(name, len) > room)
		len = line->stem;
	if (line->differs_at_end)
		text_fit_end(&fit, name, len, room);
	else
		text_fit(&fit, name, len, room);
	return grid_put(g, row, col, room, buf_text(&fit), fit.len, ink);
}

/* Draw the line into row r.row, the name in `ink`. Parts that do not fit are removed from it. */
static void details_line_draw(struct grid *g, struct rect r, struct details_line *line,
			      enum role ink)
{
	int name = text_cells(buf_text(&line->name), line->name.len);
	int location = text_cells(buf_text(&line->location), line->location.len), col = r.col + 1,
	    room, least, least_place = least_location(&line->location);
	BUF_LOCAL fit = { 0 };
	struct details_part *part;

	least = at_most(name, DETAILS_LINE_NAME) + (location ? GAP + least_place : 0);
	while (parts_cells(line) + least > r.cols - 2 && (part = least_important(line)))
		shorten(part);
	room = r.cols - 2 - parts_cells(line);
	if (location && room < GAP + at_most(least_place, MIN_LOCATION))
		location = 0;
	name = at_most(name, room - (location ? GAP + least_place : 0));
	location = location ? at_most(location, room - name - GAP) : 0;
	if (name > 0)
		col += put_name(g, r.row, col, name, line, ink);
	if (location > 0) {
		buf_clear(&fit);
		text_fit_end(&fit, buf_text(&line->location), line->location.len, location);
		col += GAP;
		col += grid_put(g, r.row, col, location, buf_text(&fit), fit.len, ROLE_DIM);
	}
	for (int i = 0; i < line->n_parts; i++)
		if (line->parts[i].rank >= 0)
			col += GAP +
				grid_puts(g, r.row, col + GAP, r.col + r.cols - col - GAP,
					  line->parts[i].text, line->parts[i].ink);
}

/* ==== details sides ====
 *
 * The part of the header about transforms. Header and selection while two sides are compared
 * (analyse/compare/sides.h). */

#define WIDE_HEADER 100        /* cells of a header that says what the figures are */
#define ABOUT_GAP " \302\267 " /* between items of chart->about */
#define SIDE_NAME_MIN 8        /* cells of the name of a side, */
#define SIDE_NAME_MAX 200      /* and of one that is shown whole */

/* Append the header with at most name_most cells of each name. Returns its cells. */
static int add_sides(const struct sides *s, int name_most, const char *word, struct buf *out)
{
	size_t from = out->len;

	for (int k = 0; k < SIDES; k++) {
		buf_addf(out, "%s%s%s", k ? "  " : "", sides_word(&s->unit, (enum side)k),
			 *s->name[k] ? " " : "");
		text_fit(out, s->name[k], strlen(s->name[k]), name_most);
		buf_addf(out, " (%s%s)", amount_text(&s->unit.amount, s->busy_ns[k], UNITS_ROOM),
			 word);
	}
	return text_cells(out->data + from, out->len - from);
}

/* Append the header of both sides in about `room` cells. */
static void add_sides_header(const struct sides *s, int room, struct buf *out)
{
	BUF_LOCAL text = { 0 };
	const char *word = " busy";
	int names[SIDES], spare;

	if (add_sides(s, SIDE_NAME_MAX, word, &text) > room)
		word = "";
	buf_clear(&text);
	spare = room - add_sides(s, SIDE_NAME_MAX, word, &text);
	for (int k = 0; k < SIDES; k++)
		names[k] = text_cells(s->name[k], strlen(s->name[k]));
	/* Both names get the same room. */
	spare = spare < 0 ? names[0] + names[1] + spare : 2 * SIDE_NAME_MAX;
	add_sides(s, spare / 2 < SIDE_NAME_MIN ? SIDE_NAME_MIN : spare / 2, word, out);
}

/* Both sides of a node or a function. brief: another word, where there is less room; "": none. */
static void add_times(struct details_line *line, int rank, const char *what, const char *brief,
		      const struct sides *sides, int64_t *const of[SIDES], uint32_t i)
{
	const int64_t ns[SIDES] = { of[SIDE_BEFORE][i], of[SIDE_AFTER][i] };
	BUF_LOCAL text = { 0 };

	buf_addf(&text, "%s ", what);
	change_text(&sides->unit, ns, &text);
	details_line_add(line, rank, ROLE_STATUS, buf_text(&text));
	buf_clear(&text);
	buf_addf(&text, "%s ", brief);
	change_text(&sides->unit, ns, &text);
	if (*brief)
		details_line_brief(line, rank, buf_text(&text));
}

/* Both sides of a box. Tables and the line of the verdict have the function, which may stand on
 * several stacks: first its self time as there, then what of it is on this stack. */
static void details_sides_of_node(struct details_line *line, const struct sides *s, frame_id frame,
				  node_id node)
{
	bool is_all = true;

	for (int k = 0; k < SIDES; k++)
		is_all &= s->frame_self[k][frame] == s->self[k][node];
	add_times(line, 0, "self", "", s, s->frame_self, frame);
	if (!is_all)
		add_times(line, 1, "on this stack", "stack", s, s->self, node);
	add_times(line, 2, is_all ? "total" : "total here", "", s, s->total, node);
}

/* Both sides of a row; that of a call from the outermost on has only totals. */
static void details_sides_of_row(struct details_line *line, const struct rows_change *of,
				 const struct row *row)
{
	struct rows_change change = *of;
	BUF_LOCAL text = { 0 };
	int64_t ns[SIDES];

	for (int of_total = change.is_of_calls; of_total < 2; of_total++) {
		change.is_of_total = of_total;
		rows_change_sides_of_row(&change, row, ns);
		buf_clear(&text);
		buf_adds(&text, of_total ? "total " : "self ");
		change_text(&change.unit, ns, &text);
		details_line_add(line, of_total && !change.is_of_calls, ROLE_STATUS,
				 buf_text(&text));
	}
}

static size_t item_len(const char *items)
{
	const char *end = strstr(items, ABOUT_GAP);

	return end ? (size_t)(end - items) : strlen(items);
}

/* The list of transforms, in a header of `cols` cells, is never left out. If it does not fit, the
 * first items are replaced by their number: `u` undoes the last ones. A single item that is too
 * long is truncated. */
static void details_sides_about(struct details_line *line, const char *about, int cols)
{
	int room = at_most(cols - DETAILS_LINE_NAME - 12, 120), n_left = 0;
	BUF_LOCAL text = { 0 };
	char count[16] = "";

	room = room > 10 ? room : 10;
	while (text_cells(about, strlen(about)) + (int)strlen(count) > room &&
	       about[item_len(about)]) {
		about += item_len(about) + strlen(ABOUT_GAP);
		snprintf(count, sizeof(count), "+%d ", ++n_left);
	}
	buf_adds(&text, count);
	text_fit(&text, about, strlen(about), room - (int)strlen(count));
	details_line_add(line, 0, ROLE_WARN, buf_text(&text));
}

/* ==== details ==== */

#define EXACT_COLS 130
#define NAME_BRIEF 20 /* cells of a lane */

/* ---- header ---- */

/* Append the name of a lane: `pid 5023 tid 1 worker`. */
static void details_lane_name(const struct profile *profile, const struct lane *lane,
			      struct buf *out)
{
	const char *process = profile_text(profile, lane->process_name),
		   *thread = profile_text(
			   profile, lane->thread_title ? lane->thread_title : lane->thread_name);
	size_t start = out->len;

	if (lane->pid != LANE_NO_ID)
		buf_addf(out, "pid %lld", (long long)lane->pid);
	if (*process && !lane->thread_title) {
		buf_adds(out, out->len > start ? " " : "");
		text_fit(out, process, strlen(process), 24);
	}
	if (lane->tid != LANE_NO_ID)
		buf_addf(out, "%stid %lld", out->len > start ? " " : "", (long long)lane->tid);
	if (*thread) {
		buf_adds(out, out->len > start ? " " : "");
		text_fit(out, thread, strlen(thread), lane->thread_title ? 48 : 24);
	}
}

/* Append `idle 43.0 %`, unless the share is less than 1 %. */
static void add_share(struct buf *text, const char *name, int64_t part, int64_t whole)
{
	if (part <= 0 || part < whole / 100)
		return;
	buf_addf(text, "%s%s %s", text->len ? " " : "", name,
		 units_percent(part, whole, UNITS_ROOM));
}

/* Busy and idle time of the whole lane; all other shares are of the busy time. What was not sampled
 * is neither. */
static void add_shares(struct details_line *line, const struct chart *chart,
		       const struct lane *lane)
{
	int64_t whole = lane->t1 - lane->t0,
		unsampled = chart->base ? chart->base->lanes[chart->lane].unsampled_ns
					: lane->unsampled_ns;
	BUF_LOCAL text = { 0 };

	if (lane->is_unmeasured) {
		details_line_add(line, 2, ROLE_WARN, "length not measured");
		return;
	}
	buf_addf(&text, "busy %s", profile_value(chart->profile, lane_worked_ns(lane), UNITS_ROOM));
	if (lane->idle_ns > 0)
		buf_addf(&text, "  idle %s",
			 profile_value(chart->profile, lane->idle_ns, UNITS_ROOM));
	details_line_add(line, 2, ROLE_HEADER, buf_text(&text));
	buf_clear(&text);
	add_share(&text, "left out", lane->unsampled_ns - unsampled, whole);
	add_share(&text, "not sampled", unsampled, whole);
	details_line_add(line, 3, ROLE_HEADER, buf_text(&text));
}

/* The name of the lane; where room is short, a part of it, if there are several. */
static void add_lane_name(struct details_line *line, const struct chart *chart,
			  const struct lane *lane)
{
	BUF_LOCAL name = { 0 }, fit = { 0 };

	if (chart->n_lanes > 1)
		lane_name_brief(chart->profile, lane, &name);
	else
		details_lane_name(chart->profile, lane, &name);
	details_line_add(line, chart->n_lanes > 1 ? 4 : 6, ROLE_HEADER, buf_text(&name));
	if (!lane->page) {
		buf_clear(&name);
		lane_name(chart->profile, lane, false, &name);
	}
	text_fit(&fit, buf_text(&name), name.len, NAME_BRIEF);
	if (chart->n_lanes > 1)
		details_line_brief(line, 1, buf_text(&fit));
}

static void add_lane_parts(struct details_line *line, const struct chart *chart,
			   const struct lane *lane)
{
	char a[UNITS_MAX], text[160];

	add_lane_name(line, chart, lane);
	if (!lane->has_timeline && lane->value.type) {
		BUF_LOCAL sums = { 0 };

		buf_adds(&sums,
			 amount_is_time(&chart->profile->unit) ? "no times of samples: sums of "
							       : "no order: sums of ");
		lane_value_text(chart->profile, lane, &sums);
		details_line_add(line, 1, ROLE_HEADER, buf_text(&sums));
		return;
	}
	if (!lane->has_timeline) {
		/* In the file, samples come after the nodes: if reading was stopped, they may
		 * exist. */
		details_line_add(line, 1, ROLE_WARN,
				 profile_warns(chart->profile, WARN_STOPPED)
					 ? "samples not read, only hit counts"
					 : "no samples, only hit counts");
		return;
	}
	if (lane->kind != LANE_SAMPLES) {
		BUF_LOCAL facts = { 0 };

		label_lane_facts(chart_as_is(chart), chart_lane_as_is(chart, chart->lane),
				 chart->is_merged, &facts);
		details_line_add(line, 2, ROLE_HEADER, buf_text(&facts));
		return;
	}
	profile_value(chart->profile, lane->t1 - lane->t0, a);
	details_line_add(line, 1, ROLE_HEADER, a);
	/* Times are made up if the file has none or its end was not read. */
	if (profile_has_made_up_times(chart->profile))
		details_line_add(line, 0, ROLE_WARN,
				 profile_warns(chart->profile, WARN_DELTAS_MISSING)
					 ? "times not known"
					 : "last times not known");
	units_count(lane->n_samples, a);
	/* Between those of a part are samples of others. */
	if (lane->interval_ns > 0 && !lane->is_part)
		snprintf(text, sizeof(text), "%s samples every %s", a,
			 profile_value(chart->profile, lane->interval_ns, UNITS_ROOM));
	else
		snprintf(text, sizeof(text), "%s sample%s", a, lane->n_samples == 1 ? "" : "s");
	details_line_add(line, 5, ROLE_HEADER, text);
	/* The part that was not loaded may contain anything. */
	if (lane->n_left)
		details_line_add(line, 2, ROLE_WARN, "not all loaded");
	else if (amount_is_time(&chart->profile->unit))
		add_shares(line, chart, lane);
}

static void add_range(struct details_line *line, const struct chart *chart)
{
	char text[2 * UNITS_MAX + 16];

	if (!chart->has_range)
		return;
	snprintf(text, sizeof(text), "pinned %s to %s",
		 profile_value_near(chart->profile, chart->range_t0,
				    (chart->range_t1 - chart->range_t0) / 100, UNITS_ROOM),
		 profile_value_near(chart->profile, chart->range_t1,
				    (chart->range_t1 - chart->range_t0) / 100, UNITS_ROOM));
	details_line_add(line, 2, ROLE_WARN, text);
	details_line_brief(line, 0, "pinned");
}

static void add_hidden(struct details_line *line, const struct chart *chart)
{
	char text[32];
	int n = 0;

	for (int i = 0; i < chart->n_lanes; i++)
		n += chart->lanes[i].is_hidden && !chart->lanes[i].lane->is_joined;
	if (n == 0)
		return;
	snprintf(text, sizeof(text), "%d hidden", n);
	details_line_add(line, 1, ROLE_WARN, text);
}

/* The name of a file. If it does not fit, the usual end of such names is left out. */
static void add_file(struct details_line *line, const char *name)
{
	static const char *const ends[] = { ".gz", ".zst", ".lz4", ".json", ".cpuprofile" };

	buf_adds(&line->name, name);
	line->stem = line->name.len;
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		size_t end = strlen(ends[i]);

		if (line->stem > end && strncmp(name + line->stem - end, ends[i], end) == 0)
			line->stem -= end;
	}
	/* Names given by Node.js begin with the date, so they differ at the end. */
	line->differs_at_end = strncmp(name, "CPU.", 4) == 0;
}

/* The number of files, and whether they share a clock. */
static void add_files(struct details_line *line, const struct profile *profile)
{
	bool is_one = !profile->has_own_zero && !profile->is_clock_assumed;
	char text[64];

	if (profile->n_inputs < 2)
		return;
	snprintf(text, sizeof text, "(of %u files, one clock)", (unsigned)profile->n_inputs);
	if (is_one)
		details_line_add(line, 5, ROLE_HEADER, text);
	snprintf(text, sizeof text, "(of %u files)", (unsigned)profile->n_inputs);
	if (is_one)
		details_line_brief(line, 1, text);
	else
		details_line_add(line, 1, ROLE_HEADER, text);
}

/* When the recording of the lane began, its number, and what its times count from. */
static void add_clock(struct details_line *line, const struct chart *chart, const struct lane *lane)
{
	const struct profile *profile = chart->profile;
	const struct input *in = lane ? &profile->inputs[lane->input] : NULL;
	BUF_LOCAL text = { 0 };

	if (profile->n_inputs > 1 && profile->has_own_zero)
		details_line_add(line, 1, ROLE_WARN,
				 profile->is_one_clock ? "each from 0"
						       : "clocks differ: each from 0");
	else if (profile->n_inputs > 1 && profile->is_clock_assumed)
		details_line_add(line, 3, ROLE_WARN, "clock assumed");
	if (in)
		wall_clock_recorded(profile, in, &text);
	if (in && in->seq >= 0)
		buf_addf(&text, "%s#%lld", text.len ? " " : "", (long long)in->seq);
	/* The ruler has no dates. */
	details_line_add(line, chart->times == CHART_TIMES_WALL ? 2 : 7, ROLE_HEADER,
			 buf_text(&text));
}

/* The number of warnings of all inputs, without notes. */
static size_t warning_count(const struct profile *profile)
{
	size_t n = 0;

	for (uint32_t i = 0; i < profile->n_inputs; i++)
		for (size_t k = 0; k < profile->inputs[i].n_warnings; k++)
			n += !profile->inputs[i].warnings[k].is_note;
	return n;
}

void details_draw_header(struct grid *g, struct rect r, const struct chart *chart)
{
	const struct profile *profile = chart->profile;
	const struct lane *lane = chart->lane >= 0 ? chart->lanes[chart->lane].lane : NULL;
	size_t n_warnings = warning_count(profile);
	struct details_line line = { 0 };
	char text[64];

	if (!chart->sides && !chart->live_name)
		add_files(&line, profile);
	if (lane && chart->live_name)
		add_lane_name(&line, chart, lane);
	else if (lane && !chart->is_merged)
		add_lane_parts(&line, chart, lane);
	add_hidden(&line, chart);
	add_range(&line, chart);
	if (!chart->sides && !chart->live_name)
		add_clock(&line, chart, lane);
	if (chart->about && *chart->about)
		details_sides_about(&line, chart->about, r.cols);
	if (profile->is_raw)
		details_line_add(&line, 1, ROLE_WARN, "raw samples");
	if (n_warnings > 0) {
		snprintf(text, sizeof(text), "⚠%zu", n_warnings);
		details_line_add(&line, 0, ROLE_WARN, text);
	}
	if (chart->sides) {
		/* Both sides, and what their figures are. */
		const char *what = sides_per_name(chart->sides->unit.per);
		bool has_about = chart->about && *chart->about;
		int room = r.cols - 4 -
			(has_about ? at_most(text_cells(chart->about, strlen(chart->about)) + 2,
					     r.cols / 3)
				   : 0);

		if (r.cols >= WIDE_HEADER) {
			details_line_add(&line, 1, ROLE_HEADER, what);
			room -= text_cells(what, strlen(what)) + 2;
		}
		add_sides_header(chart->sides, room, &line.name);
	} else if (chart->live_name) {
		buf_adds(&line.name, chart->live_name);
	} else if (profile->n_inputs > 0) {
		add_file(&line, profile_input_name(profile, lane ? lane->input : 0));
	}
	grid_fill(g, r.row, r.col, r.cols, ROLE_HEADER);
	details_line_draw(g, r, &line, ROLE_HEADER);
	details_line_done(&line);
}

/* ---- selection ---- */

/* A time of the chart, exact or short. */
static void add_time(struct details_line *line, const struct chart *chart, int rank,
		     const char *what, int64_t ns, bool is_exact)
{
	char value[UNITS_MAX], text[UNITS_MAX + 32];

	if (is_exact)
		profile_exact(chart->profile, ns, value);
	else
		profile_value(chart->profile, ns, value);
	snprintf(text, sizeof(text), "%s %s", what, value);
	details_line_add(line, rank, ROLE_STATUS, text);
}

/* kind: of something that has only a name; NULL: the category of the frame. */
static void add_frame(struct details_line *line, const struct profile *profile,
		      const struct frame *frame, const char *kind)
{
	label_text(profile, frame, &line->name);
	label_place(profile, frame, true, &line->location);
	if (frame->event && !line->location.len)
		kind = profile_text(profile, frame->event);
	else if (frame->event && frame->event != frame->name)
		details_line_add(line, 4, ROLE_DIM, profile_text(profile, frame->event));
	/* Names in brackets need no category; a mark has it beside its time. */
	if (line->location.len == 0 && frame->category != CATEGORY_MARK &&
	    *buf_text(&line->name) != '(')
		buf_addf(&line->location, "(%s)", kind ? kind : category_name(frame->category));
}

/* When a span begins, by the clock that the user wants. */
static void add_start(struct details_line *line, const struct chart *chart, int rank,
		      const char *what, int64_t t, bool is_exact)
{
	struct time_label times = time_label_of(chart);
	char text[UNITS_MAX + 32];

	snprintf(text, sizeof text, "%s %s", what,
		 time_label_format(&times, t, is_exact, UNITS_ROOM));
	details_line_add(line, rank, ROLE_STATUS, text);
}

/* Why V8 deoptimised the function of a node. */
static void add_deopt(struct details_line *line, const struct profile *profile,
		      const struct lane *lane, node_id node)
{
	BUF_LOCAL fit = { 0 };
	const char *reason;

	if (!lane->deopt || !lane->deopt[node])
		return;
	reason = profile_text(profile, lane->deopt[node]);
	buf_adds(&fit, "deopt: ");
	text_fit(&fit, reason, strlen(reason), 40);
	details_line_add(line, 4, ROLE_WARN, buf_text(&fit));
}

#define NOTE_BRIEF 14 /* cells of a note where it has little room */

bool details_note(const struct chart *chart, int *i, struct buf *text)
{
	for (; *i < chart->n_notes; ++*i) {
		const struct chart_note *note = &chart->notes[*i];

		if (note->lane != chart->lane || note->span.t0 != chart->selected.t0 ||
		    note->span.depth != chart->selected.depth)
			continue;
		buf_clear(text);
		label_note(chart, note, true, text);
		++*i;
		return true;
	}
	return false;
}

static void add_notes(struct details_line *line, const struct chart *chart)
{
	BUF_LOCAL text = { 0 }, brief = { 0 };

	for (int i = 0; details_note(chart, &i, &text);) {
		details_line_add(line, 1, ROLE_KEY, buf_text(&text));
		buf_clear(&brief);
		text_fit_start(&brief, text.data, text.len, NOTE_BRIEF);
		buf_adds(&brief,
			 text_cells(text.data, text.len) > NOTE_BRIEF ? "\342\200\246" : "");
		details_line_brief(line, 0, buf_text(&brief));
	}
}

/* What initiated a slice: `◂ setTimeout app.js:13, 4.2 ms before`. */
static void add_initiator(struct details_line *line, const struct profile *profile,
			  const struct flow_link *link)
{
	BUF_LOCAL text = { 0 };

	buf_adds(&text, "\342\227\202 ");
	label_flow(profile, link, false, &text);
	details_line_add(line, 1, ROLE_STATUS, buf_text(&text));
	buf_clear(&text);
	buf_adds(&text, "\342\227\202 ");
	label_flow(profile, link, true, &text);
	details_line_brief(line, 1, buf_text(&text));
}

/* What the time of a request that is served was spent on. */
/* Which request it is, and what its time was spent on: as many parts as fit, the longest first. */
static void add_served(struct details_line *line, struct served_time *st, uint32_t served)
{
	const struct profile *p = served_time_profile(st);
	const struct served *s = &p->served.requests[served];
	const char *path = profile_text(p, s->path);
	BUF_LOCAL text = { 0 };
	char *part, *rest;

	text_visible(&text, path, strlen(path));
	if (s->status)
		buf_addf(&text, "%s%" PRId64, text.len ? " " : "", s->status);
	if (text.len)
		details_line_add(line, 2, ROLE_STATUS, buf_text(&text));
	buf_clear(&text);
	served_time_tell(st, served, &text);
	part = text.len ? text.data : NULL;
	for (int rank = 1; part && rank <= SERVED_RANKS; rank++, part = rest) {
		rest = strstr(part, ", ");
		if (rest) {
			*rest = '\0';
			rest += strlen(", ");
		}
		details_line_add(line, rank, ROLE_STATUS, part);
	}
}

static void add_oddities(struct details_line *line, const struct lane *lane,
			 const struct span *span)
{
	size_t slice = lane->slices.n ? slice_of_span(lane, span) : SIZE_MAX;
	unsigned flags = slice == SIZE_MAX ? 0 : slice_flags(&lane->slices, slice);

	if (flags & SLICE_UNFINISHED)
		details_line_add(line, 2, ROLE_WARN, "unfinished");
	if (flags & SLICE_CUT)
		details_line_add(line, 2, ROLE_WARN, "closed by an outer end");
	if (flags & SLICE_OVERLAPS)
		details_line_add(line, 2, ROLE_WARN,
				 lane->kind == LANE_OBJECTS ? "not created in the file"
							    : "overlaps");
}

static void span_line(struct details_line *line, const struct details *details, int cols)
{
	const struct chart *chart = details->chart;
	/* The selection is a span of what is drawn, any other one of the lane as it is. */
	const struct profile *profile = details->span ? chart_as_is(chart) : chart->profile;
	const struct lane *lane = details->span ? chart_lane_as_is(chart, details->lane)
						: chart->lanes[chart->lane].lane;
	const struct span *span = details->span ? details->span : &chart->selected;
	const struct viewport *view = chart->view;
	int64_t t0 = span->t0 > view->t0 ? span->t0 : view->t0,
		t1 = span->t1 < view->t1 ? span->t1 : view->t1;
	/* Where a file asks for ns, rounded times would hide them. */
	bool is_exact = cols >= EXACT_COLS || chart->profile->has_ns;
	char text[UNITS_MAX + 16];
	struct flow_link link;
	const struct request *request = request_of(profile, lane, span);
	uint32_t served = chart->served ? served_time_find(chart->served, lane, span) : SERVED_NONE;
	bool has_initiator = false;

	add_frame(line, profile, profile_node_frame(profile, lane, span->node),
		  lane->kind == LANE_OBJECTS                      ? "object"
			  : chart_is_run(chart, lane, span->node) ? "folded; Space shows all"
								  : NULL);
	if (profile_is_mark(profile, lane, span->node)) {
		add_start(line, chart, 0, "mark, at", span->t0, is_exact);
		return;
	}
	if (change_is_of(chart->sides, profile, lane)) {
		details_sides_of_node(line, chart->sides, lane->tree.frame[span->node], span->node);
	} else if (lane->kind == LANE_OBJECTS) {
		add_time(line, chart, 0, "alive", span->t1 - span->t0, is_exact);
	} else {
		has_initiator = !chart->is_merged &&
			flow_link_cause(profile,
					(uint32_t)(details->span ? details->lane : chart->lane),
					span, &link);
		/* What a request does is told below. */
		add_time(line, chart,
			 served != SERVED_NONE   ? SERVED_RANKS
				 : has_initiator ? 2
						 : 1,
			 request ? "waited" : "self",
			 request ? request->first_byte_ns : details->self_ns, is_exact);
		add_time(line, chart, 0, "total", slice_time_of_span(lane, span), is_exact);
	}
	if (!chart->is_merged)
		add_start(line, chart, 2, "at", span->t0, is_exact);
	if (has_initiator)
		add_initiator(line, profile, &link);
	if (served != SERVED_NONE)
		add_served(line, chart->served, served);
	/* The width of a box of two sides is no figure of either. */
	if (!change_is_of(chart->sides, profile, lane)) {
		snprintf(text, sizeof(text), "%s of window",
			 units_percent(t1 > t0 ? t1 - t0 : 0, view->t1 - view->t0, UNITS_ROOM));
		details_line_add(line, 3, ROLE_STATUS, text);
	}
	add_oddities(line, lane, span);
	add_deopt(line, profile, lane, span->node);
	if (!details->span)
		add_notes(line, chart);
}

static void row_line(struct details_line *line, const struct details *details, int cols)
{
	static const struct {
		enum column_id value, share;
		const char *name;
		int rank;
	} pairs[] = {
		{ COLUMN_SELF, COLUMN_SELF_SHARE, "self", 1 },
		{ COLUMN_TOTAL, COLUMN_TOTAL_SHARE, "total", 0 },
	};
	BUF_LOCAL text = { 0 };

	add_frame(line, details->unit.profile,
		  profile_frame(details->unit.profile, details->row->frame), NULL);
	if (details->unit.marks_cut && details->row->depth == 0 &&
	    profile_frame(details->unit.profile, details->row->frame)->is_cut)
		details_line_add(line, 2, ROLE_WARN, "V8 cut the stack: no callers");
	if (details->unit.change.after) {
		details_sides_of_row(line, &details->unit.change, details->row);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
		int64_t ns = i == 0 ? details->row->self : details->row->total;

		buf_clear(&text);
		buf_addf(&text, "%s ", pairs[i].name);
		if (cols >= EXACT_COLS)
			buf_adds(&text, profile_exact(details->unit.profile, ns, UNITS_ROOM));
		else
			column_format(pairs[i].value, &details->unit, details->row, &text);
		buf_adds(&text, " = ");
		column_format(pairs[i].share, &details->unit, details->row, &text);
		details_line_add(line, pairs[i].rank, ROLE_STATUS, buf_text(&text));
	}
	if (details->row->self > details->row->total)
		details_line_add(line, 2, ROLE_STATUS,
				 "recursive: total is that of the outer call");
}

static void add_value(struct buf *out, const char *before, const struct series *s, double value)
{
	buf_adds(out, before);
	counter_format(s, value, out);
}

/* A series: its value at the cursor, and what it is in the window or range. */
static void add_series(struct details_line *line, const struct chart *chart, const struct series *s,
		       int64_t t)
{
	const char *name = profile_text(chart->profile, s->name);
	int64_t t0 = chart->has_range ? chart->range_t0 : chart->view->t0,
		t1 = chart->has_range ? chart->range_t1 : chart->view->t1;
	size_t at = series_find(s, t);
	BUF_LOCAL text = { 0 };
	struct series_part part;

	if (strcmp(name, buf_text(&line->name)) != 0)
		text_fit(&text, name, strlen(name), 24);
	buf_adds(&text, text.len ? " " : "");
	if (at == SIZE_MAX)
		buf_adds(&text, "not yet");
	else
		counter_format(s, s->value[at], &text);
	details_line_add(line, 1, ROLE_STATUS, buf_text(&text));
	buf_clear(&text);
	if (series_measure(s, t0, t1, &part)) {
		add_value(&text, "min ", s, part.least);
		add_value(&text, "  mean ", s, part.mean);
		add_value(&text, "  max ", s, part.most);
		details_line_add(line, 2, ROLE_STATUS, buf_text(&text));
		buf_clear(&text);
		add_value(&text, "", s, part.first);
		add_value(&text, chart->is_ascii ? " -> " : " \342\206\222 ", s, part.last);
		details_line_add(line, 3, ROLE_STATUS, buf_text(&text));
	}
}

static void counter_line(struct details_line *line, const struct chart *chart)
{
	const struct lane *lane = chart->lanes[chart->lane].lane;
	int64_t t = counter_cursor(chart);

	lane_name(chart->profile, lane, false, &line->name);
	add_time(line, chart, 4, "at", t, false);
	for (uint32_t i = 0; i < lane->n_series && i < DETAILS_LINE_PARTS / 3; i++)
		add_series(line, chart, &lane->series[i], t);
}

void details_draw(struct grid *g, struct rect r, const struct details *details)
{
	const struct chart *chart = details->chart;
	struct details_line line = { 0 };

	grid_fill(g, r.row, r.col, r.cols, ROLE_STATUS);
	if (details->text) {
		buf_adds(&line.name, details->text);
	} else if (details->row) {
		row_line(&line, details, r.cols);
	} else if ((chart->has_selection || details->span) && chart->lane >= 0) {
		span_line(&line, details, r.cols);
	} else if (chart->lane >= 0 && chart->lanes[chart->lane].lane->kind == LANE_COUNTER) {
		counter_line(&line, chart);
	} else {
		buf_adds(&line.name, "nothing selected");
		if (chart->n_lanes)
			add_time(&line, chart, 0, "window", chart->view->t1 - chart->view->t0,
				 r.cols >= EXACT_COLS);
	}
	details_line_draw(g, r, &line, ROLE_STATUS);
	details_line_done(&line);
}
