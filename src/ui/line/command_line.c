/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command line is not run while it is being accepted: the command that accepts would run another
 * command inside itself. It is left in app->line, and runs after the command that accepts it. */
#include "config.h"

#include "ui/line/command_line.h"

#include "analyse/scope.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/pattern.h"
#include "base/sort.h"
#include "base/str.h"
#include "base/text.h"
#include "ui/actions.h"
#include "ui/chart/lane_picker.h"
#include "ui/help_page.h"
#include "ui/line/setting.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ==== command parse ====
 *
 * A command line as a command: `callee`, `5 callee`, `set color package`, `1.5s`, `2s,3s`, `2 s 3
 * s`. A line that begins with a digit, a point, a comma or a minus before one of these is a time,
 * unless the first word is a number and another word follows: then it is a count. */

#define COUNT_MAX 9999
#define SHOWN_CELLS 40 /* of a word in an error */

static const struct {
	const char *name;
	enum command_id id;
} others[] = {
	{ "q", CMD_QUIT },
	{ "h", CMD_HELP },
	{ "colour", CMD_COLOR },
	{ "maximize", CMD_MAXIMISE },
};

struct command_request {
	enum command_id id; /* CMD_NONE: the line is blank */
	int count;          /* from 1 */
	bool is_forced;     /* `!` follows the name */
	struct str args;    /* what follows, without blanks at its ends; borrowed from the line */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_count(struct str word)
{
	for (size_t i = 0; i < word.len; i++)
		if (!is_digit(word.p[i]))
			return false;
	return word.len > 0;
}

static struct str trim(struct str s)
{
	while (s.len && is_blank(s.p[0])) {
		s.p++;
		s.len--;
	}
	while (s.len && is_blank(s.p[s.len - 1]))
		s.len--;
	return s;
}

struct str command_parse_word(struct str *text)
{
	struct str rest = trim(*text), word = { rest.p, 0 };

	while (word.len < rest.len && !is_blank(rest.p[word.len]))
		word.len++;
	*text = trim((struct str){ rest.p + word.len, rest.len - word.len });
	return word;
}

static bool is_unit(struct str word)
{
	static const char *const units[] = { "s", "ms", "us", "\302\265s", "ns", "min", "%" };

	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		if (str_is(word, units[i]))
			return true;
	return false;
}

struct str command_parse_time(struct str *text)
{
	struct str line = trim(*text), rest, time, unit;
	const char *comma = line.len ? memchr(line.p, ',', line.len) : NULL;

	rest = (struct str){ line.p, comma ? (size_t)(comma - line.p) : line.len };
	time = command_parse_word(&rest);
	*text = rest;
	unit = command_parse_word(&rest);
	if (is_unit(unit)) {
		time.len = (size_t)(unit.p + unit.len - time.p);
		*text = rest;
	}
	/* With the comma, and what follows it. */
	text->len = (size_t)(line.p + line.len - text->p);
	*text = trim(*text);
	return time;
}

static bool begins_time(struct str line)
{
	return line.len && (line.p[0] == '.' || is_digit(line.p[0]));
}

/* Whether a line that begins with a time, or a comma, is a window. */
static bool is_range(struct str line)
{
	bool is_back = line.p[0] == '-';

	command_parse_time(&line);
	return (is_back && !line.len) ||
		(line.len && (line.p[0] == ',' || line.p[0] == '-' || begins_time(line)));
}

/* Whether a command can be run by its name: all except those that edit a prompt. */
static bool command_parse_is_named(enum command_id id)
{
	return id > CMD_NONE && id < COMMAND_COUNT && !(command_get(id)->flags & COMMAND_EDITS);
}

/* The command of that name, or of that other name for it; CMD_NONE: there is none. */
static enum command_id command_parse_name(struct str name)
{
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++)
		if (command_parse_is_named(id) && str_is(name, command_get(id)->name))
			return id;
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (str_is(name, others[i].name))
			return others[i].id;
	return CMD_NONE;
}

void command_parse_refuse(const char *kind, struct str word, const char *(*name)(unsigned i),
			  struct error *err)
{
	struct near_word near;
	BUF_LOCAL shown = { 0 };

	near_word_begin(&near, word.p, word.len);
	for (unsigned i = 0; name(i); i++)
		near_word_try(&near, name(i));
	text_fit(&shown, word.p, word.len, SHOWN_CELLS);
	error_set(err, ERR_FORMAT, -1, "no %s '%s'%s%s%s", kind, buf_text(&shown),
		  near.best ? "; did you mean " : "", near.best ? near.best : "",
		  near.best ? "?" : "");
}

/* The i-th command with a name. */
static const char *nth_name(unsigned i)
{
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++)
		if (command_parse_is_named(id) && i-- == 0)
			return command_get(id)->name;
	return NULL;
}

/* Take a count from the beginning of the line, if another word follows it. */
static void take_count(struct str *line, int *count)
{
	struct str rest = *line, word = command_parse_word(&rest), after = *line;
	if (!is_count(word) || !rest.len || rest.p[0] == ',' || rest.p[0] == '.' ||
	    is_digit(rest.p[0]) || command_parse_time(&after).len > word.len)
		return;
	for (size_t i = 0; i < word.len && *count < COUNT_MAX; i++)
		*count = *count * 10 + (word.p[i] - '0');
	*count = *count < COUNT_MAX ? *count : COUNT_MAX;
	*line = rest;
}

static bool check_use(const struct command_request *r, bool has_count, struct error *err)
{
	const struct command *c = command_get(r->id);

	if (r->args.len && !(c->flags & (COMMAND_ARGUMENTS | COMMAND_PATTERN)))
		return error_set(err, ERR_FORMAT, -1, "%s takes no words", c->name);
	if (has_count && !(c->flags & COMMAND_REPEATS))
		return error_set(err, ERR_FORMAT, -1, "%s takes no count", c->name);
	if (r->is_forced && r->id != CMD_EXPORT && r->id != CMD_SAVE && r->id != CMD_QUIT)
		return error_set(err, ERR_FORMAT, -1, "%s takes no !", c->name);
	return true;
}

/* Read a line. False, with err: it names no command, or gives one what it does not take. */
static bool command_parse(const char *text, struct command_request *r, struct error *err)
{
	struct str line = trim((struct str){ text, strlen(text) }), name;

	while (line.len && line.p[0] == ':')
		line = trim((struct str){ line.p + 1, line.len - 1 });
	*r = (struct command_request){ .args = line };
	take_count(&line, &r->count);
	if (begins_time(line) ||
	    (line.len > 1 && (line.p[0] == ',' || line.p[0] == '-') &&
	     begins_time((struct str){ line.p + 1, line.len - 1 }))) {
		r->id = is_range(line) ? CMD_RANGE : CMD_GOTO;
		r->args = line;
		r->count = 1;
		return true;
	}
	name = command_parse_word(&line);
	if (!name.len)
		return true;
	if (name.len > 1 && name.p[name.len - 1] == '!') {
		r->is_forced = true;
		name.len--;
	}
	r->args = line;
	r->id = command_parse_name(name);
	if (r->id == CMD_NONE) {
		command_parse_refuse("command", name, nth_name, err);
		return false;
	}
	/* Without words, `focus` goes to the other half of the screen. */
	if (r->id == CMD_FOCUS && r->args.len)
		r->id = CMD_FOCUS_FUNCTION;
	if (!check_use(r, r->count > 0, err))
		return false;
	r->count = r->count > 0 ? r->count : 1;
	return true;
}

/* ==== file words ====
 *
 * Names of files in a command line, with blanks between them. A backslash before a blank or another
 * backslash makes that a part of the name, as in a shell. */

static bool is_escape(const char *p, const char *end)
{
	return *p == '\\' && p + 1 < end && (p[1] == ' ' || p[1] == '\\');
}

bool file_words_next(struct str *text, struct buf *name)
{
	const char *p = text->p, *end = text->p + text->len, *start;

	while (p < end && *p == ' ')
		p++;
	for (start = p; p < end && *p != ' '; p++) {
		p += is_escape(p, end);
		buf_addc(name, *p);
	}
	*text = (struct str){ p, (size_t)(end - p) };
	return p > start;
}

/* Append a name as it is written in a command line. */
static void file_words_add(const char *name, struct buf *out)
{
	for (; *name; name++) {
		if (*name == ' ' || (*name == '\\' && (name[1] == ' ' || name[1] == '\\')))
			buf_addc(out, '\\');
		buf_addc(out, *name);
	}
}

/* The byte of `text` where its last word begins, which may be unfinished or empty. */
static size_t file_words_last(struct str text)
{
	const char *p = text.p, *end = text.p + text.len;
	size_t from = 0;

	for (; p < end; p++)
		if (is_escape(p, end))
			p++;
		else if (*p == ' ')
			from = (size_t)(p + 1 - text.p);
	return from;
}

/* ==== complete ====
 *
 * Which words fit depends on the words before: the first word, after a count, is a command. The
 * file of an export is the rest of its line; files of a comparison are words. */

/* What is being completed. */
struct completion {
	const struct app *app;
	struct str begin; /* of the word at the cursor */
	struct complete_list *list;
};

static void try(struct completion *c, const char *word)
{
	struct complete_list *list = c->list;

	if (strncmp(word, c->begin.p, c->begin.len) != 0 || strlen(word) < c->begin.len)
		return;
	list->words = xrealloc(list->words, (size_t)list->n + 1, sizeof *list->words);
	list->words[list->n++] = xstrdup(word);
}

static void try_commands(struct completion *c)
{
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++)
		if (command_parse_is_named(id))
			try(c, command_get(id)->name);
}

/* A name as a pattern, once. */
static void try_name(struct completion *c, str_id name, bool *is_known)
{
	BUF_LOCAL text = { 0 };

	if (is_known[name])
		return;
	is_known[name] = true;
	pattern_quote(profile_text(c->app->original, name), &text);
	try(c, buf_text(&text));
}

/* The names of routes and slices. */
static void try_names(struct completion *c)
{
	const struct profile *p = c->app->original;
	ALLOC_LOCAL bool *is_known = xcalloc(p->strings.n, sizeof *is_known);

	for (size_t i = 0; i < p->served.n; i++)
		try_name(c, p->served.requests[i].name, is_known);
	for (frame_id f = 1; f < p->frames.n; f++)
		if (p->frames.frames[f].category == CATEGORY_SLICE)
			try_name(c, p->frames.frames[f].name, is_known);
}

/* The words after a command. words: those between the command and the cursor. */
static void try_args(struct completion *c, enum command_id id, struct str words)
{
	struct str first = command_parse_word(&words);
	bool is_first = !first.len, is_second = first.len && !words.len;
	const struct app_host *host = c->app->host;
	const struct setting *s;

	if ((id == CMD_HELP && is_first) || (id == CMD_BIND && is_second)) {
		try_commands(c);
	} else if (id == CMD_EXPORT && is_first && host && host->export_word) {
		for (unsigned i = 0; host->export_word(i); i++)
			try(c, host->export_word(i));
	} else if (id == CMD_SET && is_first) {
		for (size_t i = 0; setting_row(i); i++)
			try(c, setting_row(i)->name);
	} else if (id == CMD_DURING) {
		try_names(c);
	} else if (id == CMD_SET && is_second) {
		s = setting_find(first, &(struct error)ERROR_INIT);
		for (unsigned i = 0; s && setting_word(c->app, s, i); i++)
			try(c, setting_word(c->app, s, i));
	}
}

static void found_file(void *ctx, const char *path)
{
	try(ctx, path);
}

/* The first word of a line, without a count before it and without its `!`. */
static struct str take_command(struct str *line)
{
	struct str word = command_parse_word(line);

	if (is_count(word))
		word = command_parse_word(line);
	if (word.len && word.p[word.len - 1] == '!')
		word.len--;
	return word;
}

/* Whether the cursor is in the name of a file: all that follows the format of an export or the word
 * `save`, blanks, too; or one of the files of a comparison. *from: where the name begins. */
static bool is_in_file(const char *line, size_t cursor, size_t *from, bool *is_word)
{
	struct str rest = { line, cursor };
	enum command_id id = command_parse_name(take_command(&rest));

	*is_word = id == CMD_DIFF;
	if (*is_word && (rest.len || (cursor > 0 && line[cursor - 1] == ' '))) {
		*from = file_words_last((struct str){ line, cursor });
		return true;
	}
	if (id != CMD_EXPORT && id != CMD_SAVE)
		return false;
	if ((id == CMD_EXPORT && !command_parse_word(&rest).len) ||
	    (!rest.len && line[cursor - 1] != ' '))
		return false;
	/* The rest of a line comes without the blanks at its ends. */
	*from = rest.len ? (size_t)(rest.p - line) : cursor;
	return true;
}

static void found_word(void *ctx, const char *path)
{
	BUF_LOCAL word = { 0 };

	file_words_add(path, &word);
	try(ctx, buf_text(&word));
}

static void try_files(struct completion *c, bool is_word)
{
	const struct app_host *host = c->app->host;
	struct str text = c->begin;
	BUF_LOCAL begin = { 0 };

	if (is_word)
		file_words_next(&text, &begin);
	else
		buf_add(&begin, text.p, text.len);
	c->list->is_files = true;
	if (host && host->find_files)
		host->find_files(host->ctx, buf_text(&begin), is_word ? found_word : found_file, c);
}

/* Fill `list` with the words for the text before the byte `cursor`: those that begin like the word
 * there, sorted. Returns the byte where that word begins. The list must be empty;
 * complete_done() frees it. has_files: also names of files, which takes looking at a directory. */
static size_t complete_find(const struct app *app, const char *line, size_t cursor, bool has_files,
			    struct complete_list *list)
{
	struct completion c = { .app = app, .list = list };
	struct str before, word;
	size_t from = cursor;
	bool is_word, is_file = is_in_file(line, cursor, &from, &is_word);

	while (!is_file && from > 0 && line[from - 1] != ' ')
		from--;
	/* Names of slices and routes have blanks. */
	before = (struct str){ line, cursor };
	if (!is_file && command_parse_name(take_command(&before)) == CMD_DURING && before.len) {
		size_t skip = during_skip(before.p);

		from = (size_t)(before.p - line) + (skip <= before.len ? skip : 0);
	}
	c.begin = (struct str){ line + from, cursor - from };
	before = (struct str){ line, from };
	word = take_command(&before);
	if (is_file && is_word && !before.len) {
		try(&c, "off");
		try(&c, "rest");
	}
	if (is_file && has_files)
		try_files(&c, is_word);
	else if (!is_file && word.len)
		try_args(&c, command_parse_name(word), before);
	else if (!is_file)
		try_commands(&c);
	sort_texts(list->words, (size_t)list->n);
	return from;
}

static void complete_done(struct complete_list *list)
{
	for (int i = 0; i < list->n; i++)
		free(list->words[i]);
	free(list->words);
	*list = (struct complete_list){ 0 };
}

/* The number of bytes that all words of a list that is not empty begin with. */
static size_t complete_common(const struct complete_list *list)
{
	const char *first = list->words[0], *last = list->words[list->n - 1];
	size_t n = 0;

	while (first[n] && first[n] == last[n])
		n++;
	/* No part of a character. */
	while (n > 0 && ((unsigned char)first[n] & 0xC0) == 0x80)
		n--;
	return n;
}

/* ==== command line ==== */

static void end_completion(struct command_line *line)
{
	complete_done(&line->list);
	line->at = -1;
}

void command_line_done(struct command_line *line)
{
	complete_done(&line->list);
	buf_done(&line->typed);
	buf_done(&line->args);
	*line = (struct command_line){ 0 };
}

unsigned command_line_open(struct app *app)
{
	if (app->prompt.kind == PROMPT_NONE) {
		end_completion(&app->line);
		prompt_open(&app->prompt, PROMPT_COMMAND, NULL);
	}
	return APP_REDRAW;
}

static void command_line_changed(struct app *app)
{
	end_completion(&app->line);
}

/* The command of the line is what app->line.next is then; a line that is none gives a message. */
static void command_line_accept(struct app *app)
{
	struct command_line *line = &app->line;
	const char *text = buf_text(&app->prompt.text);
	bool is_kept = *text && *text != ' ' && !app->preferences->has_no_history;
	struct command_request request;
	struct error err = ERROR_INIT;

	end_completion(line);
	prompt_close(&app->prompt, is_kept);
	if (is_kept && app->host && app->host->keep_line)
		app->host->keep_line(app->host->ctx, text);
	line->next = CMD_NONE;
	if (!command_parse(text, &request, &err)) {
		state_say(app, true, "%s", err.text);
		return;
	}
	line->next = request.id;
	line->count = request.count;
	line->is_forced = request.is_forced;
	buf_clear(&line->args);
	buf_add(&line->args, request.args.p, request.args.len);
}

static void command_line_cancel(struct app *app)
{
	end_completion(&app->line);
	prompt_close(&app->prompt, false);
}

/* ---- completion ---- */

/* Begin to complete the word before the cursor. False: no word fits. */
static bool begin_line(struct app *app)
{
	struct command_line *line = &app->line;
	struct prompt *p = &app->prompt;
	size_t common;
	char *beginning;

	line->from = complete_find(app, buf_text(&p->text), p->cursor, true, &line->list);
	line->at = -1;
	if (!line->list.n)
		return false;
	common = complete_common(&line->list);
	buf_clear(&line->typed);
	if (common > p->cursor - line->from) {
		beginning = xstrndup(line->list.words[0], common);
		prompt_replace(p, line->from, beginning);
		free(beginning);
	}
	buf_add(&line->typed, buf_text(&p->text) + line->from, p->cursor - line->from);
	return true;
}

/* Complete the word before the cursor: as far as all words that fit agree, then by the next one or
 * the one before. */
static void command_line_complete(struct app *app, bool is_next)
{
	struct command_line *line = &app->line;
	size_t before = app->prompt.cursor;
	int n;

	if (!line->list.n) {
		if (!begin_line(app))
			return;
		if (line->list.n == 1) {
			if (app->prompt.cursor == app->prompt.text.len && !line->list.is_files)
				prompt_insert(&app->prompt, ' ');
			end_completion(line);
			return;
		}
		if (app->prompt.cursor != before)
			return;
	}
	n = line->list.n + 1; /* and what was typed */
	line->at = (line->at + 1 + (is_next ? 1 : n - 1)) % n - 1;
	prompt_replace(&app->prompt, line->from,
		       line->at < 0 ? buf_text(&line->typed) : line->list.words[line->at]);
}

/* ---- what the prompt shows ---- */

/* The words from the one in the text on, as many as there is room for. */
static void add_words(const struct complete_list *list, int first, int room, struct buf *out)
{
	size_t start = out->len;
	int i = first;

	for (; i < list->n; i++) {
		int cells = text_cells(list->words[i], strlen(list->words[i]));

		if (i > first && text_cells(out->data + start, out->len - start) + cells + 5 > room)
			break;
		buf_adds(out, i > first ? "  " : "");
		buf_adds(out, list->words[i]);
	}
	if (i < list->n || first > 0)
		buf_adds(out, "  \342\200\246");
}

/* Append what the prompt shows at the right, in about `room` cells: the words that fit, or what the
 * command does. */
static void command_line_answer(const struct app *app, int room, struct buf *out)
{
	const struct command_line *line = &app->line;
	const char *text = buf_text(&app->prompt.text);
	struct complete_list list = { 0 };
	struct command_request request;
	struct error err = ERROR_INIT;
	size_t from;

	if (line->list.n) {
		add_words(&line->list, line->at < 0 ? 0 : line->at, room, out);
		return;
	}
	if (app->prompt.text.len == 0)
		return;
	from = complete_find(app, text, app->prompt.cursor, false, &list);
	if (list.n > 1 || (list.n == 1 && strcmp(list.words[0], text + from) != 0))
		add_words(&list, 0, room, out);
	/* Where no word can be completed: what the first word does. */
	else if (!command_parse(text, &request, &err))
		buf_adds(out, err.text);
	else if (request.id != CMD_NONE)
		buf_adds(out, command_get(request.id)->help);
	complete_done(&list);
}

/* ==== search line ====
 *
 * The answer of a search has several forms, from long to short; the first that fits is shown. */

void search_line_status(const struct app *app, int room, struct buf *out)
{
	const struct finder *f = &app->finder;
	size_t start = out->len;

	for (int form = 0; form < FINDER_FORMS; form++) {
		out->len = start;
		if (f->target.is_function) {
			text_visible(out, f->target.name.data, f->target.name.len);
			buf_adds(out, "  ");
		} else {
			buf_addc(out, '/');
			text_visible(out, buf_text(&f->target.name), f->target.name.len);
			buf_adds(out, f->target.is_plain ? "/ plain  " : "/  ");
		}
		if (f->where.len && form < 3)
			buf_addf(out, "on %s: ", buf_text(&f->where));
		finder_answer(app, form, out);
		if (text_cells(out->data + start, out->len - start) <= room)
			return;
	}
}

/* What is beside the text of a command line. */
static void answer_command(const struct app *app, struct search_line *texts)
{
	int text = text_cells(buf_text(&app->prompt.text), app->prompt.text.len);

	texts->line.label = ":";
	command_line_answer(app, app->cols - text - 6, &texts->answers[0]);
	texts->line.answers[0] = buf_text(&texts->answers[0]);
	if (app->prompt.text.len == 0) {
		texts->line.answers[0] =
			"a command, 1.5s or 2s,3s; Tab completes, Up: the last, Esc: cancel";
		texts->line.answers[1] = "Tab completes, Esc: cancel";
	}
}

/* The same of a search or a filter. */
static void answer_pattern(const struct app *app, struct search_line *texts)
{
	static const char *const labels[2][2][2] = {
		{ { "/", "plain /" }, { "&", "plain &" } },
		{ { "case /", "plain, case /" }, { "case &", "plain, case &" } },
	};
	bool is_filter = app->prompt.kind == PROMPT_FILTER;
	const struct error *err = is_filter ? &app->filter.err : &app->finder.err;
	const struct pattern *pattern = is_filter ? app->filter.target.search.pattern
						  : app->finder.target.search.pattern;
	bool has_case = pattern && app->prompt.text.len && pattern_has_case(pattern);
	struct prompt_line *line = &texts->line;

	line->label = labels[has_case][is_filter][app->prompt.is_plain];
	line->is_error = err->kind != ERR_NONE;
	line->error_at = err->offset;
	for (int form = 0; form < 3; form++) {
		if (is_filter)
			filter_answer(app, &texts->answers[form]);
		else
			finder_answer(app, form, &texts->answers[form]);
		line->answers[form] = buf_text(&texts->answers[form]);
	}
	if (app->prompt.text.len == 0 && is_filter) {
		line->answers[0] = "shows only matching rows; Enter without text shows all";
	} else if (app->prompt.text.len == 0) {
		line->answers[0] = app->prompt.is_plain
			? "C-t: regular expression, Enter: repeat the last, Esc: cancel"
			: "regular expression; C-t: plain text, Enter: repeat the last, Esc: cancel";
		line->answers[1] = "C-t: plain text, Esc: cancel";
	}
}

const struct prompt_line *search_line_make(const struct app *app, struct search_line *texts)
{
	texts->line = (struct prompt_line){ .text = buf_text(&app->prompt.text),
					    .cursor = app->prompt.cursor,
					    .error_at = -1 };
	switch (app->prompt.kind) {
	case PROMPT_NONE:
		return NULL;
	case PROMPT_COMMAND:
		answer_command(app, texts);
		break;
	case PROMPT_LANES:
		texts->line.label = "lane: ";
		lane_picker_answer(app, &texts->answers[0]);
		texts->line.answers[0] = buf_text(&texts->answers[0]);
		break;
	case PROMPT_HELP:
		texts->line.label = "/";
		texts->line.answers[0] = "shows only lines with this word; Esc: cancel";
		break;
	case PROMPT_FLEET:
		texts->line.label = "/";
		texts->line.answers[0] = "a function, or the name of a column; Esc: cancel";
		break;
	case PROMPT_SEARCH:
	case PROMPT_FILTER:
		answer_pattern(app, texts);
		break;
	}
	return &texts->line;
}

/* ==== search keys ==== */

/* ---- searching ---- */

/* Search for the selected function, and go on by `n` of its spans. */
unsigned search_keys_function(struct app *app, int n)
{
	frame_id frame;

	if (pane_rows_target(app, &frame) && frame < app->s.profile->frames.n)
		finder_function(app, frame);
	if (n && app->finder.target.is_function)
		finder_walk(app, n);
	return APP_REDRAW;
}

/* ---- typing ---- */

static const struct prompt_user command_line_prompt = { command_line_changed, command_line_accept,
							command_line_cancel };

static const struct prompt_user *const users[] = {
	[PROMPT_SEARCH] = &finder_prompt,        [PROMPT_FILTER] = &filter_prompt,
	[PROMPT_COMMAND] = &command_line_prompt, [PROMPT_LANES] = &lane_picker_prompt,
	[PROMPT_HELP] = &help_page_prompt,       [PROMPT_FLEET] = &fleet_prompt,
};

static unsigned changed(struct app *app, bool has_changed)
{
	if (has_changed)
		users[app->prompt.kind]->changed(app);
	return APP_REDRAW;
}

unsigned search_keys_accept(struct app *app)
{
	users[app->prompt.kind]->accept(app);
	return APP_REDRAW;
}

unsigned search_keys_cancel(struct app *app)
{
	users[app->prompt.kind]->cancel(app);
	return APP_REDRAW;
}

unsigned search_keys_plain(struct app *app)
{
	if (app->prompt.kind != PROMPT_SEARCH && app->prompt.kind != PROMPT_FILTER)
		return APP_REDRAW;
	app->prompt.is_plain = !app->prompt.is_plain;
	return changed(app, app->prompt.text.len > 0);
}

/* n: negative: to the older text; else to the newer one; in the list of lanes, up and down. */
unsigned search_keys_history(struct app *app, int n)
{
	if (app->prompt.kind == PROMPT_LANES) {
		lane_picker_move(app, n);
		return APP_REDRAW;
	}
	return changed(app, (n < 0 ? prompt_older : prompt_newer)(&app->prompt));
}

/* n: negative: by the word before; else by the next one. */
unsigned search_keys_complete(struct app *app, int n)
{
	if (app->prompt.kind == PROMPT_COMMAND)
		command_line_complete(app, n > 0);
	return APP_REDRAW;
}

/* to: enum prompt_place. */
unsigned search_keys_move(struct app *app, int to)
{
	prompt_move(&app->prompt, (enum prompt_place)to);
	/* A completion ends. */
	return changed(app, app->prompt.kind == PROMPT_COMMAND);
}

/* to: enum prompt_place. On an empty line, erasing the character before the cursor closes the
 * prompt, as in less and vi. */
unsigned search_keys_erase(struct app *app, int to)
{
	if (app->prompt.text.len == 0 && to == PROMPT_LEFT)
		return search_keys_cancel(app);
	return changed(app, prompt_erase(&app->prompt, (enum prompt_place)to));
}

unsigned search_keys_insert(struct app *app, key_code key)
{
	return changed(app, prompt_insert(&app->prompt, key));
}
