/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Until the pattern has been matched with all functions, the pane shows all rows. */
#include "config.h"

#include "ui/chart/filter.h"

#include "base/text.h"
#include "base/units.h"
#include "ui/state.h"

#include <string.h>

static void hand_over(struct app *app)
{
	const struct search *search = &app->filter.target.search;

	struct match_set set = { NULL, NULL, NULL };

	if (search->is_complete)
		set = search_set(search);
	pane_set_filter(&app->pane, &set);
	event_list_forget(&app->events_list);
}

/* The filter before is not needed any longer. */
static void end_wait(struct filter *f)
{
	f->is_waiting = false;
	finder_target_done(&f->before);
}

static void drop(struct app *app)
{
	if (app->filter.is_waiting)
		end_wait(&app->filter);
	pane_set_filter(&app->pane, NULL);
	event_list_forget(&app->events_list);
	finder_target_done(&app->filter.target);
}

static void filter_by(struct app *app, const char *text, bool is_plain)
{
	struct filter *f = &app->filter;
	struct budget step;
	size_t skip;

	drop(app);
	f->err = (struct error)ERROR_INIT;
	f->target.is_plain = is_plain;
	buf_adds(&f->target.name, text);
	if (pattern_subject(text, strlen(text), &skip) == PATTERN_LABEL)
		error_set(&f->err, ERR_SYNTAX, 0,
			  "samples have labels, rows have not; :keep-function takes label:");
	else if (*text)
		search_init(&f->target.search, app->s.profile, text, strlen(text), is_plain,
			    &f->err);
	step = finder_target_step(app->key_ns);
	filter_work(app, &step);
}

void filter_done(struct app *app)
{
	drop(app);
	finder_target_done(&app->filter.before);
}

void filter_open(struct app *app)
{
	struct filter *f = &app->filter;

	f->before = f->target;
	f->target = (struct finder_target){ 0 };
	f->err = (struct error)ERROR_INIT;
	prompt_open(&app->prompt, PROMPT_FILTER, buf_text(&f->before.name));
	if (f->before.search.matches)
		app->prompt.is_plain = f->before.is_plain;
	filter_by(app, buf_text(&app->prompt.text), app->prompt.is_plain);
}

void filter_changed(struct app *app)
{
	filter_by(app, buf_text(&app->prompt.text), app->prompt.is_plain);
}

/* The next key acts on the filtered rows. */
void filter_accept(struct app *app)
{
	struct filter *f = &app->filter;
	struct budget budget;

	if (f->err.kind != ERR_NONE)
		return;
	prompt_close(&app->prompt, true);
	budget = budget_ns(app->key_ns);
	filter_work(app, &budget);
	f->is_waiting = filter_is_busy(app);
	if (f->is_waiting)
		state_say(app, false, "filtering\342\200\246; Esc stops it");
	else
		end_wait(f);
}

static void cancel(struct app *app)
{
	struct filter *f = &app->filter;

	f->is_waiting = false;
	drop(app);
	f->target = f->before;
	f->before = (struct finder_target){ 0 };
	f->err = (struct error)ERROR_INIT;
	hand_over(app);
}

void filter_cancel(struct app *app)
{
	cancel(app);
	prompt_close(&app->prompt, false);
}

void filter_set(struct app *app, const char *text, bool is_plain)
{
	filter_by(app, text, is_plain);
}

bool filter_is_waiting(const struct app *app)
{
	return app->filter.is_waiting;
}

void filter_stop(struct app *app)
{
	cancel(app);
}

void filter_follow(struct app *app)
{
	struct finder_target target;

	if (app->prompt.kind == PROMPT_FILTER)
		filter_cancel(app);
	if (!app->filter.target.search.matches)
		return;
	target = app->filter.target;
	app->filter.target = (struct finder_target){ 0 };
	filter_by(app, buf_text(&target.name), target.is_plain);
	finder_target_done(&target);
}

bool filter_is_busy(const struct app *app)
{
	const struct search *search = &app->filter.target.search;

	return search->matches && !search->is_complete;
}

bool filter_work(struct app *app, struct budget *budget)
{
	if (!filter_is_busy(app) || !search_match(&app->filter.target.search, budget))
		return false;
	hand_over(app);
	if (app->filter.is_waiting) {
		end_wait(&app->filter);
		buf_clear(&app->message);
	}
	return true;
}

static void add_rows(const struct app *app, struct buf *out)
{
	char n[UNITS_MAX], of[UNITS_MAX];
	size_t shown, all;

	if (!app->shown->count || !app->shown->count(app, &shown, &all))
		return;
	units_count(shown, n);
	units_count(all, of);
	buf_addf(out, "%s of %s rows", n, of);
}

void filter_describe(const struct app *app, int cells, bool has_rows, struct buf *out)
{
	const struct finder_target *target = &app->filter.target;
	struct buf rows = { 0 };

	if (!target->search.matches)
		return;
	buf_adds(out, "filter /");
	text_fit(out, buf_text(&target->name), target->name.len, cells);
	buf_adds(out, "/");
	if (has_rows)
		add_rows(app, &rows);
	if (rows.len)
		buf_addf(out, ", %s", buf_text(&rows));
	buf_done(&rows);
}

void filter_answer(const struct app *app, struct buf *out)
{
	const struct filter *f = &app->filter;

	if (f->err.kind != ERR_NONE)
		buf_adds(out, f->err.text);
	else if (f->target.search.is_costly)
		buf_adds(out, "the pattern takes too long");
	else if (filter_is_busy(app))
		buf_adds(out, "\342\200\246");
	else if (f->target.search.matches)
		add_rows(app, out);
}
