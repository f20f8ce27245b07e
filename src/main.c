/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of things: options, load, then the interface, a picture of it, or a
 * report. Exit status: 0 all right, 1 an input or output failed, 2 wrong usage. */
#include "config.h"

#include "options.h"
#include "scope_options.h"

#include "analysis/scoped.h"
#include "base/alloc.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "export/export.h"
#include "reader/trace/event.h"
#include "load/load.h"
#include "reader/reader.h"
#include "reader/trace/trace_copy.h"
#include "report/report.h"
#include "term/loop.h"
#include "term/term.h"
#include "ui/app.h"
#include "ui/keymap.h"
#include "ui/script.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_OK, EXIT_FAILED, EXIT_USAGE };

/* One run of the program. */
struct run {
	struct options options;
	struct term_options term;
	struct profile *profile;
	bool is_interactive;
	bool is_utf8;
	int status;
};

static void complain(struct run *run, const char *text)
{
	term_close();
	fprintf(stderr, "flametty: %s\n", text);
	run->status = EXIT_FAILED;
}

/* Wrong usage: `what` is from the command line, and shown in visible form. */
static void complain_usage(struct run *run, const char *before, const char *what, const char *after)
{
	struct buf text = { 0 };

	text_visible(&text, what, strlen(what));
	term_close();
	fprintf(stderr, "flametty: %s%s%s\n", before, buf_text(&text), after);
	buf_done(&text);
	run->status = EXIT_USAGE;
}

static bool print(struct run *run, const struct buf *out)
{
	if (fwrite(buf_text(out), 1, out->len, stdout) == out->len && fflush(stdout) == 0)
		return true;
	complain(run, strerror(errno));
	return false;
}

static enum term_color color_of(const char *word)
{
	return strcmp(word, "always") == 0   ? TERM_COLOR_ALWAYS
		: strcmp(word, "never") == 0 ? TERM_COLOR_NEVER
					     : TERM_COLOR_AUTO;
}

static enum term_theme theme_of(const char *word)
{
	return strcmp(word, "dark") == 0     ? TERM_THEME_DARK
		: strcmp(word, "light") == 0 ? TERM_THEME_LIGHT
					     : TERM_THEME_AUTO;
}

/* ---- loading ---- */

/* Say what went wrong. The screen comes back for it, and is opened anew if there is something
 * to show. */
static void tell(struct run *run, const struct buf *messages)
{
	if (messages->len == 0)
		return;
	term_close();
	fputs(buf_text(messages), stderr);
	run->status = EXIT_FAILED;
}

#define PREVIEW_NS (20 * NS_PER_MS)
#define LEAST_MEMORY ((int64_t)256 << 20) /* what small files need is tried in any case */
#define HEADROOM ((int64_t)256 << 20)

/* Wrong usage is said before anything is read. */
static bool find_limit(struct run *run, int64_t *bytes)
{
	const char *text = run->options.max_memory;
	int64_t available = memory_available();

	*bytes = available < 0                     ? 0
		: available / 4 * 3 > LEAST_MEMORY ? available / 4 * 3
						   : LEAST_MEMORY;
	if (text && strcmp(text, "0") == 0)
		*bytes = 0;
	else if (text && !memory_parse(text, available, bytes)) {
		complain_usage(run, "--max-memory wants a size like 6G, 800M or 50%, or 0, not '",
			       text, "'");
		return false;
	}
	/* Reading is looked after; what is made of it then, and for pictures, may be a third more.
	 */
	if (*bytes > 0 && *bytes < (INT64_MAX - HEADROOM) / 4)
		memory_limit(*bytes / 3 * 4 + HEADROOM);
	return true;
}

/* Keys and a profile cannot both come from the terminal. */
static bool is_typed(const struct options *o)
{
	bool has_stdin = false;

	for (int i = 0; i < o->n_files; i++)
		has_stdin |= strcmp(o->files[i], "-") == 0;
	return has_stdin && isatty(STDIN_FILENO);
}

static bool choose_part(void *ctx, struct part *part, struct error *err)
{
	const struct run *run = ctx;

	return scope_choose_part(&run->options, part, err);
}

static bool fill_load(struct run *run, struct load_options *lo)
{
	const struct options *o = &run->options;

	if (is_typed(o)) {
		complain_usage(run, "standard input is the terminal: - wants a pipe or a file", "",
			       "");
		return false;
	}
	*lo = (struct load_options){ .files = o->files,
				     .n_files = o->n_files,
				     .format_in = o->format_in,
				     .is_raw = o->is_raw };
	/* A part of the beginning is another part of the whole. */
	lo->has_previews = !scope_is_asked_for(o) && !o->keys;
	lo->preview_ns = PREVIEW_NS;
	if (o->from || o->to || o->lane) {
		lo->choose = choose_part;
		lo->choose_ctx = run;
	}
	return find_limit(run, &lo->max_memory);
}

/* Take what came of loading; false: nothing. */
static bool take_result(struct run *run, struct load_result *result)
{
	run->profile = result->profile;
	tell(run, &result->messages);
	buf_done(&result->messages);
	return run->profile != NULL;
}

static bool load(struct run *run)
{
	struct load_options lo;
	struct load_result result;

	if (!fill_load(run, &lo))
		return false;
	load_all(&lo, &result);
	return take_result(run, &result);
}

/* ---- the three ways to answer ---- */

/* The scope is to be given back with scope_done() in any case. */
static bool parse_scope(struct run *run, struct scope *scope)
{
	struct error err = ERROR_INIT;

	if (scope_of_options(&run->options, run->profile, scope, &err))
		return true;
	complain_usage(run, "", err.text, "");
	return false;
}

static bool parse_with(const char *words, unsigned *with)
{
	static const struct {
		const char *name;
		unsigned bit;
	} known[] = {
		{ "tree", REPORT_WITH_TREE },
		{ "bottomup", REPORT_WITH_BOTTOMUP },
		{ "spans", REPORT_WITH_SPANS },
	};

	*with = 0;
	while (words && *words) {
		size_t n = strcspn(words, ","), i = 0;

		while (i < ARRAY_LEN(known) &&
		       !(strlen(known[i].name) == n && memcmp(known[i].name, words, n) == 0))
			i++;
		if (i == ARRAY_LEN(known))
			return false;
		*with |= known[i].bit;
		words += n + (words[n] == ',');
	}
	return true;
}

static void report(struct run *run)
{
	const struct options *o = &run->options;
	const struct report *form = report_find(o->format ? o->format : "text");
	struct report_options ro = { .top = o->top,
				     .has_top = o->has_top,
				     .is_sorted = o->sort != NULL,
				     .table = o->table };
	struct scoped scoped;
	struct buf out = { 0 };

	if (o->sort)
		ro.sort = strcmp(o->sort, "total") == 0 ? ROWS_BY_TOTAL
			: strcmp(o->sort, "name") == 0  ? ROWS_BY_NAME
							: ROWS_BY_SELF;
	if (!parse_with(o->with, &ro.with)) {
		complain_usage(run, "--with wants tree, bottomup or spans, not '", o->with, "'");
		return;
	}
	if (parse_scope(run, &ro.scope)) {
		scoped_init(&scoped, run->profile, &ro.scope);
		form->write(&scoped, &ro, &out);
		scoped_done(&scoped);
		print(run, &out);
	}
	scope_done(&ro.scope);
	buf_done(&out);
}

/* What went wrong with the file that is written. */
static void complain_output(struct run *run, const struct error *err)
{
	struct buf text = { 0 };

	reader_format_error(run->options.output ? run->options.output : "(standard output)", err,
			    &text);
	complain(run, buf_text(&text));
	buf_done(&text);
}

/* Files can be read a second time, pipes cannot. */
static bool copy_trace(const struct input *input, const char *path, int64_t shift_ns,
		       bool (*pass)(void *ctx, const char *event, size_t len), void *ctx,
		       uint64_t *n_passed, struct error *err)
{
	struct stat st;

	if (!input->format || strcmp(input->format, "trace") != 0 || stat(path, &st) != 0 ||
	    !S_ISREG(st.st_mode))
		return error_set(err, ERR_UNKNOWN, -1, "no trace in a file");
	return trace_copy(path, shift_ns, pass, ctx, n_passed, err);
}

static void write_export(struct run *run, const struct export_options *eo)
{
	const struct options *o = &run->options;
	struct error err = ERROR_INIT;
	struct sink *sink = sink_open(o->output, o->is_forced, &err);
	struct scoped scoped;

	if (sink) {
		scoped_init(&scoped, run->profile, &eo->scope);
		export_find(o->format ? o->format : "trace")->write(scoped.profile, eo, sink);
		scoped_done(&scoped);
		sink_close(sink, &err);
	}
	if (err.kind != ERR_NONE)
		complain_output(run, &err);
}

static void export(struct run *run)
{
	struct export_options eo = { .is_samples = run->options.is_samples };

	if (parse_scope(run, &eo.scope)) {
		/* Events as the file has them know of no transforms. */
		eo.copy = scope_is_plain(&eo.scope) ? copy_trace : NULL;
		write_export(run, &eo);
	}
	scope_done(&eo.scope);
}

static bool play_keys(struct run *run, struct app *app)
{
	struct error err = ERROR_INIT;

	if (!run->options.keys || script_run(app, run->options.keys, &err))
		return true;
	complain_usage(run, "--keys: ", err.text, "");
	return false;
}

static void render(struct run *run, struct app *app)
{
	struct grid grid = { 0 };
	struct buf out = { 0 };

	app_resize(app, run->options.render_rows, run->options.render_cols);
	if (play_keys(run, app)) {
		grid_init(&grid, run->options.render_rows, run->options.render_cols);
		/* A picture of what is still being counted would be another one each time. */
		do
			app_draw(app, &grid);
		while (app_wait_ms(app) >= 0 && (app_timeout(app), true));
		grid_format(&grid, run->options.has_roles, &out);
		print(run, &out);
	}
	grid_done(&grid);
	buf_done(&out);
}

#define EVENT_MOST ((size_t)256 << 10)

/* What the file says of one event, or why it cannot be had any more. */
static void read_event(void *ctx, const struct profile *profile, uint32_t input, int64_t offset,
		       struct buf *out)
{
	struct error err = ERROR_INIT;

	(void)ctx;
	if (reader_event(profile_text(profile, profile->inputs[input].path), offset, EVENT_MOST,
			 out, &err))
		return;
	buf_adds(out, "not to be had: ");
	text_visible(out, err.text, strlen(err.text));
	buf_addc(out, '\n');
}

/* ---- what is shown ---- */

/* An app, and what it stands on. */
struct shown {
	struct profile *profile;
	struct scope scope;
	struct scoped scoped;
	struct app *app;
};

static struct shown *shown_new(struct run *run, struct profile *profile)
{
	const struct options *o = &run->options;
	/* A picture is the same in every locale: only --ascii changes it. */
	bool is_ascii = o->is_ascii || (run->is_interactive && !run->is_utf8);
	struct app_options ao = { .is_ascii = is_ascii,
				  .has_idle = o->has_idle,
				  .events = { read_event, NULL } };
	struct shown *s = xcalloc(1, sizeof *s);

	s->profile = run->profile = profile;
	if (!parse_scope(run, &s->scope))
		return s;
	ao.transforms = s->scope.transforms;
	ao.n_transforms = s->scope.n_transforms;
	ao.group = s->scope.group;
	ao.t0 = s->scope.t0;
	ao.t1 = s->scope.t1;
	/* A trace may say where to look first. */
	if (!o->from && !o->to && profile->window_t1 > profile->window_t0) {
		ao.t0 = profile->window_t0;
		ao.t1 = profile->window_t1;
	}
	/* The interface has transforms of its own, which one can take back; it begins with these.
	 */
	scoped_init(&s->scoped, profile,
		    &(struct scope){ .t0 = s->scope.t0,
				     .t1 = s->scope.t1,
				     .is_lane = s->scope.is_lane });
	s->app = app_new(s->scoped.profile, &ao);
	return s;
}

static void shown_free(struct shown *s)
{
	if (!s)
		return;
	app_free(s->app);
	scoped_done(&s->scoped);
	scope_done(&s->scope);
	profile_free(s->profile);
	free(s);
}

static void show_picture(struct run *run)
{
	struct shown *shown = shown_new(run, run->profile);

	if (shown->app)
		render(run, shown->app);
	shown_free(shown);
	run->profile = NULL;
}

/* ---- somebody watches ---- */

struct session {
	struct run *run;
	struct load *load;
	bool is_loading;
	struct shown *shown; /* NULL: nothing yet */
};

/* Show a profile instead of the one before. */
static void replace(struct session *s, struct profile *profile)
{
	struct shown *before = s->shown;

	s->shown = shown_new(s->run, profile);
	if (s->shown->app && before)
		app_take_over(s->shown->app, before->app);
	else if (s->shown->app && !play_keys(s->run, s->shown->app))
		s->run->status = EXIT_USAGE;
	/* The profile goes last, on another thread: it may be large. */
	if (before) {
		struct profile *old = before->profile;

		before->profile = NULL;
		shown_free(before);
		load_give_back(s->load, old);
	}
}

/* All that will come is there. */
static void finish(struct session *s)
{
	struct load_result result;
	struct error err = ERROR_INIT;

	load_take(s->load, &result);
	s->is_loading = false;
	if (!take_result(s->run, &result)) {
		shown_free(s->shown);
		s->shown = NULL;
		return;
	}
	replace(s, result.profile);
	if (s->run->status == EXIT_USAGE || (!term_is_open() && !term_open(&s->run->term, &err))) {
		if (s->run->status != EXIT_USAGE)
			complain(s->run, err.text);
		shown_free(s->shown);
		s->shown = NULL;
	}
}

static struct app *next_app(void *ctx, struct app *now, bool *is_loading)
{
	struct session *s = ctx;
	struct profile *preview;

	if (s->is_loading && !(now && !app_is_settled(now))) {
		if (load_wait(s->load, 0))
			finish(s);
		else if ((preview = load_preview(s->load)) != NULL)
			replace(s, preview);
	}
	*is_loading = s->is_loading;
	return s->shown ? s->shown->app : NULL;
}

static void tell_progress(void *ctx, struct progress *progress, const char **name)
{
	struct session *s = ctx;

	*name = "";
	if (s->is_loading)
		load_progress(s->load, progress, name);
}

static void stop_loading(void *ctx)
{
	struct session *s = ctx;

	if (s->is_loading)
		load_stop(s->load);
}

/* What is read in no time needs no bar. */
#define PATIENCE_MS 100

static void interact(struct run *run)
{
	struct session s = { .run = run };
	struct load_options lo;
	struct error err = ERROR_INIT;
	bool is_ascii = run->options.is_ascii || !run->is_utf8;

	if (!fill_load(run, &lo))
		return;
	s.load = load_begin(&lo);
	s.is_loading = true;
	if (load_wait(s.load, PATIENCE_MS))
		finish(&s);
	else if (!term_open(&run->term, &err))
		complain(run, err.text);
	if (term_is_open())
		loop_run(
			&(struct loop_feed){ next_app, tell_progress, stop_loading, &s, is_ascii });
	term_close();
	/* Nobody waits for a thread that is in the middle of something. */
	if (s.is_loading) {
		fflush(NULL);
		_exit(run->status);
	}
	shown_free(s.shown);
	load_free(s.load);
	run->profile = NULL;
}

static void list_formats(struct buf *out)
{
	for (size_t i = 0; readers[i]; i++)
		buf_addf(out, "%-12s  %s\n", readers[i]->name, readers[i]->help);
}

static void answer(struct run *run)
{
	const struct options *o = &run->options;
	struct buf out = { 0 };

	switch (o->command) {
	case COMMAND_HELP:
		options_help(&out);
		break;
	case COMMAND_VERSION:
		buf_adds(&out, "flametty " PACKAGE_VERSION "\n");
		break;
	case COMMAND_FORMATS:
		list_formats(&out);
		break;
	case COMMAND_KEYS:
		keymap_format(&out);
		break;
	case COMMAND_EXPORT:
		if (load(run))
			export(run);
		break;
	case COMMAND_VIEW:
	case COMMAND_REPORT:
		run->is_interactive = o->command == COMMAND_VIEW && !o->render_cols &&
			isatty(STDOUT_FILENO);
		if (run->is_interactive)
			interact(run);
		else if (!load(run))
			break;
		else if (o->render_cols)
			show_picture(run);
		else
			report(run);
		break;
	}
	if (out.len)
		print(run, &out);
	buf_done(&out);
}

int main(int argc, char **argv)
{
	struct run run = { 0 };
	struct error err = ERROR_INIT;

	setlocale(LC_ALL, "");
	run.is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	/* Numbers are written with a point everywhere. */
	setlocale(LC_NUMERIC, "C");
	if (!options_parse(&run.options, argc, argv, &err)) {
		complain_usage(&run, "", err.text, "\nTry 'flametty --help'.");
		return run.status;
	}
	if (run.options.format_in && !reader_find(run.options.format_in)) {
		complain_usage(&run, "no format '", run.options.format_in, "' (flametty formats)");
		return run.status;
	}
	if (run.options.format &&
	    !(run.options.command == COMMAND_EXPORT ? export_find(run.options.format) != NULL
						    : report_find(run.options.format) != NULL)) {
		complain_usage(&run, "this command has no --format ", run.options.format,
			       run.options.command == COMMAND_EXPORT
				       ? "; it has trace, folded and speedscope"
				       : "; it has text, json and csv");
		return run.status;
	}
	if (!scope_check(&run.options, &err)) {
		complain_usage(&run, "", err.text, "");
		return run.status;
	}
	if (!csv_has_table(run.options.table)) {
		complain_usage(
			&run, "no --table ", run.options.table,
			" (functions, bottomup, topdown, packages, files, categories, lanes, gaps, busy, stack, lines)");
		return run.status;
	}
	run.term = (struct term_options){ color_of(run.options.color),
					  theme_of(run.options.theme) };
	answer(&run);
	profile_free(run.profile);
	return run.status;
}
