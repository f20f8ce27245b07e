/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line is not run while it is being accepted: the command that accepts would run another command
 * inside itself. It is left in app->line, and runs after the command that accepts it. */
#include "config.h"

#include "ui/line/command_line.h"

#include "base/alloc.h"
#include "base/text.h"
#include "ui/line/command_parse.h"
#include "ui/line/complete.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

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

void command_line_open(struct app *app)
{
	end_completion(&app->line);
	prompt_open(&app->prompt, PROMPT_COMMAND, NULL);
}

void command_line_changed(struct app *app)
{
	end_completion(&app->line);
}

/* Keep the line for the next time. */
static void keep(struct app *app)
{
	struct preferences *p = app->preferences;
	const char *text = buf_text(&app->prompt.text);
	bool is_kept = app->prompt.text.len > 0 && text[0] != ' ' && !p->has_no_history;

	prompt_close(&app->prompt, is_kept);
	if (is_kept && app->host && app->host->keep_line)
		app->host->keep_line(app->host->ctx, text);
}

void command_line_accept(struct app *app)
{
	struct command_line *line = &app->line;
	struct command_request request;
	struct error err = ERROR_INIT;

	end_completion(line);
	keep(app);
	line->next = CMD_NONE;
	if (!command_parse(buf_text(&app->prompt.text), &request, &err)) {
		state_say(app, true, "%s", err.text);
		return;
	}
	line->next = request.id;
	line->count = request.count;
	line->is_forced = request.is_forced;
	buf_clear(&line->args);
	buf_add(&line->args, request.args.p, request.args.len);
}

void command_line_cancel(struct app *app)
{
	end_completion(&app->line);
	prompt_close(&app->prompt, false);
}

/* ---- completion ---- */

/* Begin to complete the word before the cursor. False: no word fits. */
static bool begin(struct app *app)
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

void command_line_complete(struct app *app, bool is_next)
{
	struct command_line *line = &app->line;
	size_t before = app->prompt.cursor;
	int n;

	if (!line->list.n) {
		if (!begin(app))
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

/* Where no word can be completed: what the first word does. */
static void add_help(const struct app *app, struct buf *out)
{
	struct command_request request;
	struct error err = ERROR_INIT;

	if (!command_parse(buf_text(&app->prompt.text), &request, &err))
		buf_adds(out, err.text);
	else if (request.id != CMD_NONE)
		buf_adds(out, command_get(request.id)->help);
}

void command_line_answer(const struct app *app, int room, struct buf *out)
{
	const struct command_line *line = &app->line;
	const char *text = buf_text(&app->prompt.text);
	struct complete_list list = { 0 };
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
	else
		add_help(app, out);
	complete_done(&list);
}
