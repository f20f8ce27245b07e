/* SPDX-License-Identifier: GPL-2.0-or-later */
/* V8 inlines small named functions into their callers, often into an anonymous one, which then has
 * the time. So a function without a name is named by its place and by the named function around
 * it. V8 records the innermost 255 or so frames of a stack: from 250 on a recursion may be deeper
 * than what the profile has. */
#include "config.h"

#include "findings/finding_name.h"

#include "base/sort.h"
#include "base/text.h"
#include "findings/findings.h"

#include <stdlib.h>
#include <string.h>

/* ==== finding name ==== */

/* Shorter names of minified code say nothing. */
#define MINIFIED_NAME 3
#define BLOB_CELLS 8

/* A text of the profile. */
void finding_name_text(const struct profile *p, str_id id, struct buf *out)
{
	text_visible(out, profile_text(p, id), intern_len(&p->strings, id));
}

/* The end of a url: `catalogue.js`, `data:`, `wasm`. */
void finding_name_file(const char *url, struct buf *out)
{
	size_t len = strcspn(url, "?#"), from;
	bool is_blob;
	BUF_LOCAL name = { 0 };

	if (strncmp(url, "data:", 5) == 0 || strncmp(url, "wasm:", 5) == 0) {
		buf_adds(out, url[0] == 'd' ? "data:" : "wasm");
		return;
	}
	is_blob = strncmp(url, "blob:", 5) == 0;
	while (len && (url[len - 1] == '/' || url[len - 1] == '\\'))
		len--;
	for (from = len; from && url[from - 1] != '/' && url[from - 1] != '\\';)
		from--;
	/* The name of a blob is a long random number. */
	if (is_blob) {
		buf_adds(&name, "blob:");
		len = from + BLOB_CELLS < len ? from + BLOB_CELLS : len;
	}
	for (; from < len; from++) {
		if (url[from] == '%' && from + 2 < len && text_hex_pair(url + from + 1) >= 0) {
			buf_addc(&name, (char)text_hex_pair(url + from + 1));
			from += 2;
		} else {
			buf_addc(&name, url[from]);
		}
	}
	text_visible(out, buf_text(&name), name.len);
}

static bool has_name(const struct profile *p, const struct frame *f)
{
	const char *name = profile_text(p, f->name), *event = profile_text(p, f->event);

	/* A slice that runs a whole script is called by the file. */
	if (f->event && f->url && strcmp(event, "FunctionCall") != 0 &&
	    strstr(profile_text(p, f->url), name))
		return false;
	return *name && strcmp(name, "(anonymous)") != 0;
}

/* Whether a function begins so far behind the beginning of its line that the line says little, as
 * in minified code. */
static bool is_on_long_line(const struct profile *p, frame_id frame)
{
	return p->frames.frames[frame].column >= CHARGE_LONG_COLUMN &&
		p->frames.frames[frame].category != CATEGORY_WASM;
}

/* Whether a function has a name that says something. */
static bool has_telling_name(const struct charge *c, frame_id frame)
{
	const struct frame *f = &c->profile->frames.frames[frame];

	return has_name(c->profile, f) &&
		(!(c->functions[frame].frame.flags & CHARGE_MINIFIED) ||
		 strlen(profile_text(c->profile, f->name)) >= MINIFIED_NAME);
}

static void add_place(const struct charge *c, frame_id frame, struct buf *out)
{
	const struct profile *p = c->profile;
	const struct frame *f = &p->frames.frames[frame];

	if (!f->url)
		return;
	finding_name_file(profile_text(p, f->url), out);
	if (f->line <= 0 || c->functions[frame].frame.flags & CHARGE_TOP)
		return;
	buf_addf(out, ":%d", (int)f->line);
	if (is_on_long_line(p, frame) || c->functions[frame].frame.flags & CHARGE_TWIN ||
	    (c->functions[frame].frame.flags & CHARGE_MINIFIED && !has_telling_name(c, frame)))
		buf_addf(out, ":%d", (int)f->column);
}

/* The nearest named own function around a node, if it is in the same file. */
static frame_id around(const struct charge *c, node_id node)
{
	const struct calltree *tree = &c->lane->tree;
	const struct frame *frames = c->profile->frames.frames;
	str_id url = frames[tree->frame[node]].url;

	for (node_id i = tree->parent[node]; i != NODE_ROOT; i = tree->parent[i])
		if (charge_function(c, i)->is_own && has_telling_name(c, tree->frame[i]))
			return frames[tree->frame[i]].url == url ? tree->frame[i] : FRAME_NONE;
	return FRAME_NONE;
}

static frame_id most_around(struct finding_window *w, frame_id frame)
{
	uint32_t best = FRAME_NONE;

	for (size_t i = 0; i < w->keys.n; i++) {
		charge_key key = w->keys.list[i];
		node_id owner = charge_of(w->charge, key)->owner;
		frame_id f;

		if (owner == NODE_ROOT || w->charge->lane->tree.frame[owner] != frame)
			continue;
		f = around(w->charge, owner);
		if (f != FRAME_NONE)
			finding_tally_add(&w->tally, f, w->times.ns[key]);
	}
	finding_tally_largest(&w->tally, &best);
	finding_tally_clear(&w->tally);
	return best;
}

void finding_name_label(struct finding_window *w, frame_id frame, struct buf *out)
{
	const struct charge *c = w->charge;
	const struct profile *p = c->profile;
	const struct frame *f = &p->frames.frames[frame];
	frame_id outer;

	if (has_name(p, f)) {
		finding_name_text(p, f->name, out);
		if (f->url)
			buf_addc(out, ' ');
	} else if (!f->url) {
		buf_adds(out, "(anonymous)");
		return;
	}
	add_place(c, frame, out);
	if (has_telling_name(c, frame) || c->functions[frame].frame.flags & CHARGE_TOP)
		return;
	outer = most_around(w, frame);
	if (outer != FRAME_NONE) {
		buf_adds(out, " in ");
		finding_name_text(p, p->frames.frames[outer].name, out);
	}
}

void finding_name_short(struct finding_window *w, frame_id frame, struct buf *out)
{
	const struct profile *p = w->charge->profile;
	const struct frame *f = &p->frames.frames[frame];

	if (!has_name(p, f)) {
		finding_name_label(w, frame, out);
		return;
	}
	finding_name_text(p, f->name, out);
	if (!has_telling_name(w->charge, frame) && f->url) {
		buf_addc(out, ' ');
		add_place(w->charge, frame, out);
	}
}

/* ==== finding tell ==== */

/* ` 37 %`; where the window is mostly idle, a share says little without the time: ` 37 % of 80 ms`.
 */
void finding_tell_share(struct finding_window *w, const struct finding_draft *d, struct buf *text)
{
	buf_addc(text, ' ');
	finding_name_share(w, d->f.ns, text);
	if (finding_window_is_idle(w))
		buf_addf(text, " of %s", units_time(w->times.busy, UNITS_ROOM));
}

/* Begin `: 62 % of it under `, after such a part `, 62 % under `. */
void finding_tell_part(const struct finding_draft *d, int64_t ns, bool is_first, const char *word,
		       struct buf *text)
{
	buf_addf(text, "%s %s%s %s ", is_first ? ":" : ",", units_share(ns, d->f.ns, UNITS_ROOM),
		 is_first ? " of it" : "", word);
}

void finding_tell_under(struct finding_window *w, const struct finding_draft *d, bool is_first,
			struct buf *text)
{
	if (d->f.under == FRAME_NONE)
		return;
	finding_tell_part(d, d->other_ns, is_first, "under", text);
	finding_name_label(w, d->f.under, text);
}

/* ==== finding source ====
 *
 * A line is read as tokens: in a copy of it, comments, strings and regular expressions are blank.
 * Each row of `builtins` is looked for in that copy, at the beginning of a word. */

#define SHORT_LINE_MAX 400 /* bytes: on a longer line, time may be in much else */
#define CALLS_MAX 2

/* Bytes of a trace before its map: more is too much to read for this. */
#define MAP_FAR ((int64_t)16 << 20)

/* The part of a line that is code of one function: from the column where it begins (0: on a line
 * before), without functions in it that begin at other columns. Columns count UTF-16 code units
 * from 1. */
struct finding_source_part {
	int32_t column;
	const int32_t *others;
	size_t n_others;
};

struct builtin {
	const char *begin; /* what stands before the rest of the name */
	const char *shown; /* what is shown instead of it */
	bool has_rest;     /* letters follow it, and are shown */
};

static const struct builtin builtins[] = {
	{ "JSON.parse", "JSON.parse", false },
	{ "JSON.stringify", "JSON.stringify", false },
	{ "structuredClone", "structuredClone", false },
	{ "new RegExp", "new RegExp", false },
	{ "new Intl.", "new Intl.", true },
	{ ".sort", "sort", false },
	{ ".toSorted", "toSorted", false },
	{ ".toLocale", "toLocale", true },
};

/* Copy the text with a blank for each byte that is not code. */
static void copy_code(struct str text, char *code)
{
	struct source_lex lex = { 0 };
	size_t at = 0;

	while (at < text.len) {
		enum source_kind kind;
		size_t end = source_lex_next(&lex, text.p, at, text.len, &kind);

		for (; at < end; at++) {
			bool is_code = kind == SOURCE_PLAIN || kind == SOURCE_KEYWORD;

			code[at] = is_code && text.p[at] ? text.p[at] : ' ';
		}
	}
	code[text.len] = '\0';
}

/* ---- the part of a function ---- */

static int bracket_step(char c)
{
	return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

/* Behind the bracket that closes the one at `at`; the end of the code if that is on another line.
 */
static const char *behind_brackets(const char *at)
{
	int depth = 0;

	for (; *at; at++) {
		depth += bracket_step(*at);
		if (depth == 0)
			return at + 1;
	}
	return at;
}

static const char *behind_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

/* Behind a function that begins at `at`, by its parameters: `(a) { ... }`, `a => a + 1`. */
static const char *behind_function(const char *at)
{
	if (*at == '(')
		at = behind_brackets(at);
	else
		while (source_is_word(*at))
			at++;
	at = behind_blanks(at);
	if (strncmp(at, "=>", 2) == 0)
		at = behind_blanks(at + 2);
	if (*at == '{')
		return behind_brackets(at);
	for (int depth = 0; *at; at++) {
		depth += bracket_step(*at);
		if (depth < 0 || (depth == 0 && (*at == ',' || *at == ';')))
			break;
	}
	return at;
}

static void blank(char *from, const char *end)
{
	if (from < end)
		memset(from, ' ', (size_t)(end - from));
}

/* Make everything blank that is not code of the function itself. */
static void keep_part(struct str text, const struct finding_source_part *part, char *code)
{
	char *from = code +
		(part->column > 0 ? source_text_byte(text, (uint32_t)part->column - 1) : 0);
	char *end = code + text.len;

	if (part->column > 0)
		end = code + (behind_function(from) - code);
	/* Inner functions before outer ones: what is blank has no brackets. */
	for (size_t i = 0; i < part->n_others; i++) {
		char *other = code + source_text_byte(text, (uint32_t)part->others[i] - 1);

		if (other > from || part->column <= 0)
			blank(other, behind_function(other));
	}
	blank(code, from);
	blank(end, code + text.len);
}

/* ---- calls ---- */

/* If the call begins here, return the length of its name; 0: it does not. */
static size_t call_length(const struct builtin *b, const char *code, const char *at)
{
	size_t begin = strlen(b->begin), n = begin, blanks;

	if (strncmp(at, b->begin, begin) != 0)
		return 0;
	/* `myJSON.parse` and `my.JSON.parse` are other functions. */
	if (at > code && *at != '.' && (source_is_word(at[-1]) || at[-1] == '.'))
		return 0;
	while (b->has_rest && source_is_word(at[n]))
		n++;
	blanks = strspn(at + n, " \t");
	/* `items?.sort?.(...)` is a call, too. */
	if (strncmp(at + n + blanks, "?.(", 3) != 0 && at[n + blanks] != '(')
		return 0;
	return b->has_rest && n == begin ? 0 : n;
}

/* The same for that part of the text of a line, without its end. */
static bool finding_source_line(struct str text, const struct finding_source_part *part,
				struct buf *out)
{
	char code[SHORT_LINE_MAX + 1] = "";
	unsigned seen = 0, n = 0;

	if (text.len > SHORT_LINE_MAX)
		return false;
	copy_code(text, code);
	keep_part(text, part, code);
	for (const char *at = code; *at && n < CALLS_MAX; at++) {
		for (unsigned i = 0; i < ARRAY_LEN(builtins); i++) {
			const struct builtin *b = &builtins[i];
			size_t length = seen & 1u << i ? 0 : call_length(b, code, at);
			size_t begin = strlen(b->begin);

			if (!length)
				continue;
			buf_addf(out, "%s%s%.*s", n++ ? ", " : "", b->shown, (int)(length - begin),
				 at + begin);
			seen |= 1u << i;
			break;
		}
	}
	return n > 0;
}

SORT_ORDER(by_column_down, int32_t, SORT_BY_1(*y, *x))

/* The part of a line that is code of `function`, as far as frames of the profile tell. The caller
 * frees `others`. */
static struct finding_source_part part_of(const struct profile *p, frame_id function, int32_t line)
{
	const struct frame *f = &p->frames.frames[function];
	int32_t *others = NULL;
	size_t n = 0, cap = 0;

	for (frame_id i = 1; i < p->frames.n; i++) {
		const struct frame *other = &p->frames.frames[i];

		if (i == function || other->line != line || other->url != f->url ||
		    other->column <= 0)
			continue;
		*ARRAY_ADD(others, n, cap) = other->column;
	}
	if (n)
		qsort(others, n, sizeof *others, by_column_down);
	return (struct finding_source_part){ .column = f->line == line ? f->column : 0,
					     .others = others,
					     .n_others = n };
}

/* Append the built-in functions that a line (counted from 1) of the file of a function calls:
 * `JSON.parse, JSON.stringify`. Returns whether there are any. There are none without a host of
 * sources, if the file was changed after the recording, for lines of more than 400 bytes, and if
 * the source map is far inside a large trace. While the text is being read, w->is_reading is set.
 */
static bool finding_source_calls(struct finding_window *w, frame_id function, int32_t line,
				 struct buf *out)
{
	const struct source_host *host = w->sources;
	const struct source_text *text;
	struct source_wanted wanted;
	struct finding_source_part part;
	bool has = false;

	if (!host || !host->read || line < 1 ||
	    !source_text_wanted(w->charge->profile, function, w->charge->lane->input, &wanted))
		return false;
	if (wanted.map_path && wanted.map_offset > MAP_FAR)
		return false;
	wanted.is_plain = true;
	if (w->texts)
		pthread_mutex_lock(w->texts);
	text = host->read(host->ctx, &wanted);
	w->is_reading |= !text;
	if (text && text->is_found && !text->is_newer) {
		part = part_of(w->charge->profile, function, line);
		has = finding_source_line(source_text_line(text, (size_t)line - 1), &part, out);
		free((void *)part.others);
	}
	if (w->texts)
		pthread_mutex_unlock(w->texts);
	return has;
}

/* ==== finding note ==== */

#define LINE_PERCENT 50
#define NEAR_PERCENT 10  /* percent points: a line that has about as much is named, too */
#define FIRST_PERCENT 95 /* on the line where the function begins, which its name has */
#define LINES_MAX 2

/* ---- the hottest line ---- */

SORT_ORDER(by_line, struct line_ticks, SORT_BY_1(x->line, y->line))

/* The own function that begins at a line of the file of another one; FRAME_NONE: none. */
static frame_id function_at(const struct charge *c, frame_id other, int32_t line)
{
	const struct frame *frames = c->profile->frames.frames;

	for (node_id i = 1; i < c->lane->tree.n; i++) {
		frame_id f = c->lane->tree.frame[i];

		if (f != other && frames[f].line == line && frames[f].url == frames[other].url &&
		    c->functions[f].is_own && !(c->functions[f].frame.flags & CHARGE_TOP))
			return f;
	}
	return FRAME_NONE;
}

/* The lines with most ticks of a function, most first. */
struct hottest {
	struct hot_line {
		int32_t line;
		uint64_t ticks;
	} list[LINES_MAX];
	uint64_t all; /* ticks of all lines */
	size_t n_lines;
};

static void find_hottest(const struct charge *c, frame_id function, struct hottest *out)
{
	const struct lane *lane = c->lane;
	ALLOC_LOCAL struct line_ticks *ticks = xcalloc(lane->n_ticks + 1, sizeof *ticks);
	struct hot_line here = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < lane->n_ticks; i++)
		if (lane->tree.frame[lane->ticks[i].node] == function)
			ticks[n++] = lane->ticks[i];
	qsort(ticks, n, sizeof *ticks, by_line);
	*out = (struct hottest){ 0 };
	for (size_t i = 0; i < n; i++) {
		here.line = ticks[i].line;
		here.ticks += ticks[i].ticks;
		out->all += ticks[i].ticks;
		if (i + 1 < n && ticks[i + 1].line == here.line)
			continue;
		if (here.ticks > out->list[0].ticks) {
			out->list[1] = out->list[0];
			out->list[0] = here;
		} else if (here.ticks > out->list[1].ticks) {
			out->list[1] = here;
		}
		out->n_lines++;
		here.ticks = 0;
	}
}

/* Whether all is on one line, or on the one where the function begins: its name says that. */
static bool is_one_line(const struct charge *c, frame_id function, const struct hottest *hot)
{
	return hot->n_lines < 2 ||
		(hot->list[0].line == c->profile->frames.frames[function].line &&
		 hot->list[0].ticks * 100 >= hot->all * FIRST_PERCENT);
}

/* `line 30, JSON.parse: 50 %`: which function was inlined there, and what it calls. Of a function
 * on one line, the line says nothing, but what it calls does: `line 30: JSON.parse`. */
static void add_hot_line(struct finding_window *w, frame_id function, const struct hottest *hot,
			 size_t i, struct buf *out)
{
	const struct charge *c = w->charge;
	int32_t line = hot->list[i].line;
	bool has_share = !is_one_line(c, function, hot);
	frame_id inlined = line != c->profile->frames.frames[function].line
		? function_at(c, function, line)
		: FRAME_NONE;
	BUF_LOCAL what = { 0 }, calls = { 0 };

	if (inlined != FRAME_NONE) {
		buf_adds(&what, ", inlined ");
		finding_name_short(w, inlined, &what);
	}
	if (finding_source_calls(w, inlined != FRAME_NONE ? inlined : function, line, &calls))
		buf_addf(&what, ", %s", buf_text(&calls));
	if (has_share)
		buf_addf(out, "%sline %d%s: %d %%", i ? "; " : "", (int)line, buf_text(&what),
			 (int)((hot->list[i].ticks * 100 + hot->all / 2) / hot->all));
	else if (calls.len)
		buf_addf(out, "line %d: %s", (int)line, buf_text(&what) + strlen(", "));
}

void finding_note_line(struct finding_window *w, frame_id function, struct buf *out)
{
	const struct charge *c = w->charge;
	BUF_LOCAL lines = { 0 };
	struct hottest hot;

	/* A line of minified code says nothing. */
	if (is_on_long_line(c->profile, function) || w->times.t0 > c->lane->sampled_t0 ||
	    w->times.t1 < c->lane->sampled_t1)
		return;
	find_hottest(c, function, &hot);
	if (hot.all < FINDINGS_TICKS_MIN || hot.list[0].ticks * 100 < hot.all * LINE_PERCENT)
		return;
	for (size_t i = 0; i < LINES_MAX && hot.list[i].ticks; i++)
		if ((hot.list[0].ticks - hot.list[i].ticks) * 100 <= hot.all * NEAR_PERCENT)
			add_hot_line(w, function, &hot, i, &lines);
	if (lines.len)
		buf_addf(out, " (%s%s)", buf_text(&lines),
			 is_one_line(c, function, &hot) ? "" : " of its self time");
}
