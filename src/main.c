/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of things: options, load, then the interface, a picture of it, or a
 * report. Exit status: 0 all right, 1 an input or output failed, 2 wrong usage. */
#include "config.h"

#include "options.h"

#include "analysis/frame_set.h"
#include "analysis/scoped.h"
#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "export/export.h"
#include "reader/event.h"
#include "reader/reader.h"
#include "reader/set.h"
#include "reader/trace_copy.h"
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
	return strcmp(word, "always") == 0 ? TERM_COLOR_ALWAYS : strcmp(word, "never") == 0 ? TERM_COLOR_NEVER : TERM_COLOR_AUTO;
}

static enum term_theme theme_of(const char *word)
{
	return strcmp(word, "dark") == 0 ? TERM_THEME_DARK : strcmp(word, "light") == 0 ? TERM_THEME_LIGHT : TERM_THEME_AUTO;
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

/* The files named on the command line, and those in directories. Returns how many cannot be read. */
static size_t find_files(const struct options *o, struct file_set *set, struct buf *messages)
{
	size_t n_failed = 0;

	for (int i = 0; i < o->n_files; i++) {
		struct error err = ERROR_INIT;

		if (file_set_add(set, o->files[i], &err))
			continue;
		n_failed++;
		buf_adds(messages, "flametty: ");
		reader_format_error(o->files[i], &err, messages);
		buf_addc(messages, '\n');
	}
	return n_failed;
}

/* Load all files; those that fail are named, the others used. */
static bool load(struct run *run)
{
	const struct options *o = &run->options;
	struct builder *b = builder_new(&(struct builder_options){ .is_raw = o->is_raw });
	const struct reader *forced = o->format_in ? reader_find(o->format_in) : NULL;
	struct loop_progress bar = { .options = &run->term, .is_ascii = o->is_ascii || !run->is_utf8 };
	struct progress progress = { 0 };
	struct file_set set = { 0 };
	struct buf messages = { 0 };
	struct error err = ERROR_INIT;
	size_t n_failed = find_files(o, &set, &messages);

	if (run->is_interactive) {
		progress.tick = loop_progress_tick;
		progress.ctx = &bar;
	}
	n_failed += file_set_load(&set, forced, b, &progress, &bar.name, &messages);
	loop_progress_done(&bar);
	if (bar.is_cancelled)
		builder_free(b);
	else
		run->profile = builder_finish(b, &err);
	tell(run, &messages);
	if (!run->profile && n_failed == 0)
		complain(run, bar.is_cancelled ? "cancelled" : err.text);
	buf_done(&messages);
	file_set_done(&set);
	return run->profile != NULL;
}

/* ---- the three ways to answer ---- */

static bool parse_range(struct run *run, struct scope *scope)
{
	const struct options *o = &run->options;
	const char *bad = NULL;

	scope->has_idle = o->has_idle;
	if (o->from && !units_parse_time(o->from, run->profile->t1, &scope->t0))
		bad = o->from;
	if (o->to && !units_parse_time(o->to, run->profile->t1, &scope->t1))
		bad = o->to;
	if (!bad && scope->t0 < scope->t1 && scope->t0 < run->profile->t1 && scope->t1 > 0) {
		scope->t0 = scope->t0 < 0 ? 0 : scope->t0;
		scope->t1 = scope->t1 > run->profile->t1 ? run->profile->t1 : scope->t1;
		return true;
	}
	if (!bad && !o->from && !o->to)
		return true;
	if (bad)
		complain_usage(run, "no time: '", bad, "' (1.2s, 350ms, 1200us, 40%)");
	else
		complain_usage(run, "nothing lies between --from and --to", "", "");
	return false;
}

/* What the options make of the calls. Patterns were tried before the files were read. */
static bool parse_transforms(const struct options *o, const struct profile *profile, struct scope *scope, struct error *err)
{
	static const enum transform_kind kind[] = {
		[STEP_FOCUS] = TRANSFORM_FOCUS, [STEP_ONLY] = TRANSFORM_KEEP, [STEP_DROP] = TRANSFORM_DROP, [STEP_HIDE] = TRANSFORM_MERGE,
		[STEP_COLLAPSE] = TRANSFORM_COLLAPSE,
	};
	bool ok = true;

	for (int i = 0; ok && i < o->n_steps; i++)
		ok = scope_add(scope, profile, kind[o->steps[i].kind], o->steps[i].pattern, err);
	/* Folding makes new functions, which no pattern knows. */
	if (ok && o->is_without_idle)
		ok = scope_add(scope, profile, TRANSFORM_DROP, NULL, err);
	if (ok && o->has_folded_packages)
		ok = scope_add(scope, profile, TRANSFORM_FOLD, NULL, err);
	if (ok && o->has_merged_recursion)
		ok = scope_add(scope, profile, TRANSFORM_RECURSION, NULL, err);
	if (o->group)
		scope->group = view_group_find(o->group);
	scope->filter = o->filter;
	return ok;
}

/* Rows are looked up when they are made; here the pattern is tried on all names. */
static bool try_filter(const struct options *o, const struct profile *p, struct error *err)
{
	uint8_t *is = o->filter ? frame_set_find(p, p->frames.frames, p->frames.n, o->filter, err) : NULL;

	free(is);
	return is || !o->filter;
}

/* The scope is to be given back with scope_done() in any case. */
static bool parse_scope(struct run *run, struct scope *scope)
{
	const struct options *o = &run->options;
	struct error err = ERROR_INIT;

	scope_all(scope, run->profile);
	if (!parse_range(run, scope))
		return false;
	if (o->lane && !scope_select(scope, run->profile, o->lane, &err))
		complain_usage(run, "--lane: ", err.text, "");
	else if (!parse_transforms(o, run->profile, scope, &err) || !try_filter(o, run->profile, &err))
		complain_usage(run, "", err.text, "");
	else
		return true;
	return false;
}

/* Whether the patterns are patterns, and the names known: nobody should wait for a file to hear that they are not. */
static bool check_words(struct run *run)
{
	static const char *const name[] = {
		[STEP_FOCUS] = "--focus: ", [STEP_ONLY] = "--only: ", [STEP_DROP] = "--drop: ", [STEP_HIDE] = "--hide: ", [STEP_COLLAPSE] = "--collapse: ",
	};
	const struct options *o = &run->options;
	struct error err = ERROR_INIT;
	const char *what = NULL;

	for (int i = 0; !what && i < o->n_steps; i++)
		if (!frame_set_check(o->steps[i].pattern, &err))
			what = name[o->steps[i].kind];
	if (!what && o->filter && !frame_set_check(o->filter, &err))
		what = "--filter: ";
	if (what)
		complain_usage(run, what, err.text, "");
	else if (!csv_has_table(o->table))
		complain_usage(run, "no --table ", o->table, " (functions, bottomup, topdown, packages, files, categories, lanes, gaps, busy, stack, lines)");
	else
		return true;
	return false;
}

static bool parse_with(const char *words, unsigned *with)
{
	static const struct { const char *name; unsigned bit; } known[] = {
		{ "tree", REPORT_WITH_TREE }, { "bottomup", REPORT_WITH_BOTTOMUP }, { "spans", REPORT_WITH_SPANS },
	};

	*with = 0;
	while (words && *words) {
		size_t n = strcspn(words, ","), i = 0;

		while (i < ARRAY_LEN(known) && !(strlen(known[i].name) == n && memcmp(known[i].name, words, n) == 0))
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
	struct report_options ro = { .top = o->top, .has_top = o->has_top, .is_sorted = o->sort != NULL, .table = o->table };
	struct scoped scoped;
	struct buf out = { 0 };

	if (o->sort)
		ro.sort = strcmp(o->sort, "total") == 0 ? ROWS_BY_TOTAL : strcmp(o->sort, "name") == 0 ? ROWS_BY_NAME : ROWS_BY_SELF;
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

	reader_format_error(run->options.output ? run->options.output : "(standard output)", err, &text);
	complain(run, buf_text(&text));
	buf_done(&text);
}

/* Files can be read a second time, pipes cannot. */
static bool copy_trace(const struct input *input, const char *path, int64_t shift_ns, bool (*pass)(void *ctx, const char *event, size_t len),
		       void *ctx, uint64_t *n_passed, struct error *err)
{
	struct stat st;

	if (!input->format || strcmp(input->format, "trace") != 0 || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
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

static void interact(struct run *run, struct app *app)
{
	struct error err = ERROR_INIT;
	int rows, cols;

	if (!term_is_open() && !term_open(&run->term, &err)) {
		complain(run, err.text);
		return;
	}
	term_size(&rows, &cols);
	app_resize(app, rows, cols);
	if (play_keys(run, app))
		loop_run(app);
	term_close();
}

#define EVENT_MOST ((size_t)256 << 10)

/* What the file says of one event, or why it cannot be had any more. */
static void read_event(void *ctx, const struct profile *profile, uint32_t input, int64_t offset, struct buf *out)
{
	struct error err = ERROR_INIT;

	(void)ctx;
	if (reader_event(profile_text(profile, profile->inputs[input].path), offset, EVENT_MOST, out, &err))
		return;
	buf_adds(out, "not to be had: ");
	text_visible(out, err.text, strlen(err.text));
	buf_addc(out, '\n');
}

static void show_scope(struct run *run, const struct scope *scope)
{
	const struct options *o = &run->options;
	/* A picture is the same in every locale: only --ascii changes it. */
	bool is_ascii = o->is_ascii || (run->is_interactive && !run->is_utf8);
	struct app_options ao = { .is_ascii = is_ascii, .has_idle = o->has_idle, .t0 = scope->t0, .t1 = scope->t1, .events = { read_event, NULL } };
	/* The interface has transforms of its own, which one can take back; it begins with these. */
	const struct scope lanes = { .t0 = scope->t0, .t1 = scope->t1, .is_lane = scope->is_lane };
	struct scoped scoped;
	struct app *app;

	ao.transforms = scope->transforms;
	ao.n_transforms = scope->n_transforms;
	ao.group = scope->group;
	/* A trace may say where to look first. */
	if (!o->from && !o->to && run->profile->window_t1 > run->profile->window_t0) {
		ao.t0 = run->profile->window_t0;
		ao.t1 = run->profile->window_t1;
	}
	scoped_init(&scoped, run->profile, &lanes);
	app = app_new(scoped.profile, &ao);
	if (run->is_interactive)
		interact(run, app);
	else
		render(run, app);
	app_free(app);
	scoped_done(&scoped);
}

static void show(struct run *run)
{
	struct scope scope;

	if (parse_scope(run, &scope))
		show_scope(run, &scope);
	scope_done(&scope);
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
		run->is_interactive = o->command == COMMAND_VIEW && !o->render_cols && isatty(STDOUT_FILENO);
		if (!load(run))
			break;
		if (run->is_interactive || o->render_cols)
			show(run);
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
	if (run.options.format && !(run.options.command == COMMAND_EXPORT ? export_find(run.options.format) != NULL : report_find(run.options.format) != NULL)) {
		complain_usage(&run, "this command has no --format ", run.options.format, run.options.command == COMMAND_EXPORT ? "; it has trace, folded and speedscope" : "; it has text, json and csv");
		return run.status;
	}
	if (!check_words(&run))
		return run.status;
	run.term = (struct term_options){ color_of(run.options.color), theme_of(run.options.theme) };
	answer(&run);
	profile_free(run.profile);
	return run.status;
}
