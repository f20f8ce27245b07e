/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An export from the interface is written as `flametty export` writes it. It never waits for
 * another program: its file is a regular one. */
#include "config.h"

#include "session/session_host.h"

#include "analyse/view/scoped.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/export_files.h"
#include "cli/fleet_command.h"
#include "cli/report_command.h"
#include "cli/run.h"
#include "cli/user_file.h"
#include "model/profile.h"
#include "read/load/split_lanes.h"
#include "read/trace/trace_copy.h"
#include "session/session.h"
#include "source/source_reader.h"
#include "term/clipboard.h"
#include "term/term.h"
#include "ui/app.h"
#include "write/export/boxes.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* ==== editor ====
 *
 * How editors take a place: a row of the table each. The most specific form that the known line and
 * column allow is used; without a line, only the path. */

/* In the words of a form, %l is the line, %c the column, and %f the path. A blank separates words;
 * an underscore stands for a blank in a word. */
struct form {
	const char *with_column, *with_line;
};

static const struct form by_line = { "+%l %f", "+%l %f" };

static const struct form by_cursor = { "+call_cursor(%l,%c) %f", "+%l %f" };

static const struct form by_plus_colon = { "+%l:%c %f", "+%l %f" };

static const struct form by_plus_comma = { "+%l,%c %f", "+%l %f" };

static const struct form by_plus_after = { "%f +%l:%c", "%f +%l" };

static const struct form by_colons = { "%f:%l:%c", "%f:%l" };

static const struct form by_goto = { "-g %f:%l:%c", "-g %f:%l" };

static const struct form by_options = { "--line %l --column %c %f", "--line %l %f" };

/* Of editors that are not here, most know +LINE FILE. */
static const struct {
	const char *name;
	const struct form *form;
} editors[] = {
	{ "vim", &by_cursor },
	{ "nvim", &by_cursor },
	{ "gvim", &by_cursor },
	{ "mvim", &by_cursor },
	{ "nano", &by_plus_comma },
	{ "emacs", &by_plus_colon },
	{ "emacsclient", &by_plus_colon },
	{ "kak", &by_plus_after },
	{ "micro", &by_colons },
	{ "hx", &by_colons },
	{ "helix", &by_colons },
	{ "zed", &by_colons },
	{ "subl", &by_colons },
	{ "code", &by_goto },
	{ "code-insiders", &by_goto },
	{ "code-oss", &by_goto },
	{ "codium", &by_goto },
	{ "vscodium", &by_goto },
	{ "cursor", &by_goto },
	{ "kate", &by_options },
};

/* What the user wants: `visual` if it has a word, else `editor`, else "vi". Both may be NULL. */
static const char *editor_choose(const char *visual, const char *editor)
{
	if (visual && visual[strspn(visual, " \t\n")])
		return visual;
	return editor && editor[strspn(editor, " \t\n")] ? editor : "vi";
}

/* The name of a program without its folders; points into `program`. */
static const char *editor_name(const char *program)
{
	const char *slash = strrchr(program, '/');

	return slash ? slash + 1 : program;
}

static void push(struct editor_words *words, const char *text)
{
	words->list = xgrow(words->list, &words->cap, words->n + 2, sizeof *words->list);
	words->list[words->n++] = xstrdup(text);
	words->list[words->n] = NULL;
}

/* ---- the command ---- */

/* Take a quoted text that begins after the quote. Returns what follows it; NULL: it has no end. */
static const char *take_quoted(const char *p, char quote, struct buf *word)
{
	for (; *p != quote; p++) {
		if (quote == '"' && *p == '\\' && (p[1] == '"' || p[1] == '\\'))
			p++;
		if (!*p)
			return NULL;
		buf_addc(word, *p);
	}
	return p + 1;
}

/* Take a word. Returns what follows it; NULL: a quote has no end. */
static const char *take_word(const char *p, struct buf *word)
{
	buf_clear(word);
	while (p && *p && !strchr(" \t\n", *p)) {
		if (*p == '\'' || *p == '"') {
			p = take_quoted(p + 1, *p, word);
		} else {
			p += *p == '\\' && p[1];
			buf_addc(word, *p++);
		}
	}
	return p;
}

static bool split(const char *command, struct editor_words *words, struct error *err)
{
	BUF_LOCAL word = { 0 };
	const char *p = command;

	while (p && *(p += strspn(p, " \t\n"))) {
		p = take_word(p, &word);
		if (p)
			push(words, buf_text(&word));
	}
	if (!p)
		return error_set(err, ERR_FORMAT, -1, "a quote has no end: %s", command);
	return (words->n && *words->list[0]) ||
		error_set(err, ERR_FORMAT, -1, "the editor has no name: %s", command);
}

/* ---- the place ---- */

static void add_form(const char *form, const struct editor_place *place, struct editor_words *words)
{
	BUF_LOCAL word = { 0 };

	for (; *form; form++) {
		if (*form == '%' && form[1] == 'f')
			buf_addf(&word, "%s%s", strchr("-+", *place->path) ? "./" : "",
				 place->path);
		else if (*form == '%')
			buf_addf(&word, "%d", form[1] == 'l' ? place->line : place->column);
		else if (*form != ' ')
			buf_addc(&word, *form == '_' ? ' ' : *form);
		form += *form == '%';
		if (form[1] == ' ' || !form[1]) {
			push(words, buf_text(&word));
			buf_clear(&word);
		}
	}
}

/* Split a command, and append the words that take its program to the place: which, its name tells.
 * A path that begins with - or + gets ./ before it. False: a quote has no end, or there is no word.
 * The caller ends the words with editor_words_done(), also after false. */
MUST_USE static bool editor_words_make(const char *command, const struct editor_place *place,
				       struct editor_words *words, struct error *err)
{
	const struct form *form = &by_line;

	*words = (struct editor_words){ 0 };
	if (!split(command, words, err) || words->n == 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(editors); i++)
		if (strcmp(editor_name(words->list[0]), editors[i].name) == 0)
			form = editors[i].form;
	add_form(place->line <= 0            ? "%f"
			 : place->column > 0 ? form->with_column
					     : form->with_line,
		 place, words);
	return true;
}

static void editor_words_done(struct editor_words *words)
{
	for (size_t i = 0; i < words->n; i++)
		free(words->list[i]);
	free(words->list);
	*words = (struct editor_words){ 0 };
}

static const char *editor_of_user(void)
{
	return editor_choose(getenv("VISUAL"), getenv("EDITOR"));
}

/* In the helper. */
static char **words_of_user(const struct editor_place *place)
{
	struct editor_words words;
	struct error err = ERROR_INIT;

	if (editor_words_make(editor_of_user(), place, &words, &err))
		return words.list;
	editor_words_done(&words);
	return NULL;
}

void session_start_helper(const struct run *run)
{
	if (run->is_interactive && !run_is_secure())
		helper_start(words_of_user);
}

void session_stop_helper(void)
{
	helper_stop();
}

/* ==== session edit ====
 *
 * The interface's editor: finds the file, and gives the terminal to the editor of the user. */

static void add_visible(struct buf *out, const char *text)
{
	text_visible(out, text, strlen(text));
}

/* Find the first place with a file. False: there is none, and `said` tells where it would be. */
static bool find(const struct run *run, const struct app_edit *request, struct buf *path,
		 struct editor_place *place, struct buf *said)
{
	BUF_LOCAL looked = { 0 };
	bool is_found = false;

	for (int i = 0; i < request->n_code && !is_found; i++) {
		const struct app_code *code = &request->code[i];
		struct maps_options maps = run_maps_options(run);

		/* It is about sources only. */
		if (!code->is_source)
			maps.source_root = NULL;
		is_found = code_file_find(&maps, code->url, path, &looked);
		if (is_found)
			*place = (struct editor_place){ buf_text(path), code->line, code->column,
							NULL };
	}
	if (!is_found && looked.len) {
		buf_adds(said, "no such file: ");
		add_visible(said, buf_text(&looked));
	} else if (!is_found) {
		buf_adds(said, "no file of this machine: ");
		add_visible(said, request->code[0].url);
	}
	return is_found;
}

/* Whether the file has changed after the recording was written. */
static bool is_newer(const char *path, const struct input *input)
{
	struct stat st;

	return input && input->print.is_known && stat(path, &st) == 0 &&
		(int64_t)st.st_mtime > input->print.changed_s;
}

/* Tell how the editor ended. */
static bool tell_end(const char *name, int status, const struct editor_place *place, bool is_newer,
		     struct buf *said)
{
	if (WIFSIGNALED(status)) {
		add_visible(said, name);
		buf_addf(said, " was ended by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
		return false;
	}
	if (WEXITSTATUS(status)) {
		add_visible(said, name);
		buf_addf(said, " ended with status %d", WEXITSTATUS(status));
		return false;
	}
	add_visible(said, place->path);
	if (place->line > 0)
		buf_addf(said, ":%d", place->line);
	buf_adds(said, ": opened in ");
	add_visible(said, name);
	if (is_newer)
		buf_adds(said, "; the file is newer than the profile: lines may have moved");
	return true;
}

/* Open the first place of the request whose file is on this machine. Returns when the editor does:
 * one with a window of its own returns at once. Appends a message, also on failure. */
static bool session_edit(const struct run *run, const struct app_edit *request, struct buf *said)
{
	const char *command = editor_of_user();
	BUF_LOCAL path = { 0 };
	struct editor_place place = { 0 };
	struct editor_words words = { 0 };
	struct error err = ERROR_INIT;
	bool ok = false, newer;
	int status;

	if (!find(run, request, &path, &place, said))
		return false;
	if (!term_is_open()) {
		buf_adds(said, "an editor needs a terminal");
	} else {
		newer = is_newer(place.path, request->input);
		ok = editor_words_make(command, &place, &words, &err);
		place.editor = ok ? words.list[0] : NULL;
		if (ok && term_edit(&place, &status, &err)) {
			ok = tell_end(editor_name(words.list[0]), status, &place, newer, said);
		} else {
			ok = false;
			/* The command is the user's choice, or vi, which may be missing. */
			if (strcmp(command, "vi") == 0)
				buf_adds(said, "$VISUAL and $EDITOR name no editor: ");
			add_visible(said, err.text);
		}
	}
	editor_words_done(&words);
	return ok;
}

/* ==== session host ==== */

/* ---- settings ---- */

/* The session shows the profile anew: the app that asks cannot be replaced here. */
static bool set_clock(struct session_host *h, bool is_own, struct error *err)
{
	const struct profile *p = h->run->profile;

	if (h->run->options.from || h->run->options.to)
		return error_set(err, ERR_FORMAT, -1, "not together with --from and --to");
	if (!realign_is_possible(p, is_own, err))
		return false;
	h->has_new_clock = p->has_own_zero != is_own;
	return true;
}

/* A map that is not the script's own, but beside the profile; NULL: there is none. */
static const char *map_beside(const struct profile *p)
{
	for (uint32_t i = 0; i < p->n_inputs; i++)
		for (size_t k = 0; k < p->inputs[i].n_notes; k++) {
			const char *text = profile_text(p, p->inputs[i].notes[k].text);

			if (strncmp(text, "--source-map=", 13) == 0)
				return text;
		}
	return NULL;
}

static bool set_names(struct session_host *h, bool is_source, struct error *err)
{
	const struct profile *p = h->run->profile;
	const char *beside = map_beside(p);

	if (p->other) {
		h->has_new_names = other_names_shows_source(p) != is_source;
		return true;
	}
	if (h->run->options.is_unmapped)
		return error_set(err, ERR_FORMAT, -1,
				 "names are those of the scripts: --no-source-maps is on");
	if (beside)
		return error_set(err, ERR_FORMAT, -1, "%s", beside);
	return error_set(
		err, ERR_FORMAT, -1,
		"no source map: give --source-map=FILE, or lay FILE.map beside the script");
}

static bool reload(void *ctx, struct buf *said)
{
	const struct session_host *h = ctx;
	struct error err = ERROR_INIT;
	bool ok = false;

	if (!h->follow) {
		error_set(&err, ERR_FORMAT, -1, "files are not read again here");
	} else if (session_follow_ask(h->follow, &err)) {
		term_wake_on(wake_fd(&h->follow->wake));
		ok = true;
	}
	buf_adds(said, err.text);
	return ok;
}

bool session_host_forbids(const char *what, struct buf *said)
{
	if (run_is_secure())
		buf_addf(said, "FLAMETTY_SECURE is set: no %s", what);
	return run_is_secure();
}

static bool is_theme_word(const char *value)
{
	for (unsigned i = 0; palette_theme_word(i); i++)
		if (strcmp(value, palette_theme_word(i)) == 0)
			return true;
	return false;
}

static bool set(void *ctx, const char *name, const char *value, struct error *err)
{
	struct session_host *h = ctx;
	enum palette_theme word = PALETTE_THEME_AUTO;
	struct error why = ERROR_INIT;
	BUF_LOCAL said = { 0 };
	struct theme theme;
	bool has_file;

	if (strcmp(name, "clock") == 0)
		return set_clock(h, strcmp(value, "own") == 0, err);
	if (strcmp(name, "names") == 0)
		return set_names(h, strcmp(value, "source") == 0, err);
	if (strcmp(name, "follow") == 0) {
		if (!h->follow)
			return error_set(err, ERR_FORMAT, -1, "files are not read again here");
		if (!session_follow_watch(h->follow, strcmp(value, "on") == 0, h->run->profile,
					  err))
			return false;
		term_wake_on(wake_fd(&h->follow->wake));
		return true;
	}
	if (strcmp(name, "split") == 0) {
		if (h->run->options.lane)
			return error_set(err, ERR_FORMAT, -1, "not together with --lane");
		if (!split_lanes_is_possible(h->run->profile, value, err))
			return false;
		h->has_new_lanes = split_lanes_differs(h->run->profile, value);
		return true;
	}
	if (strcmp(name, "mouse") == 0) {
		term_set_mouse(strcmp(value, "on") == 0);
		return true;
	}
	/* What is wrong in the file would be shown. */
	if (!is_theme_word(value) && session_host_forbids("theme from a file", &said))
		return error_set(err, ERR_FORMAT, -1, "%s", buf_text(&said));
	if (!theme_option_find(value, &word, &theme, &has_file, &why))
		return error_set(err, why.kind, -1, "%s",
				 why.text + (strncmp(why.text, "--", 2) == 0 ? 2 : 0));
	if (has_file)
		h->theme = theme;
	h->user_theme = has_file ? &h->theme : NULL;
	term_set_theme(word, has_file ? &h->theme : NULL);
	return true;
}

static bool shows_cnames(void *ctx)
{
	const struct session_host *h = ctx;

	return !h->user_theme || !h->user_theme->ignores_cnames;
}

static void keep_line(void *ctx, const char *line)
{
	struct session_host *h = ctx;

	/* Lines that cannot be written are kept until the program ends. */
	line_history_keep(&h->history, &h->run->preferences.lines, line, &(struct error)ERROR_INIT);
}

static bool write_config(void *ctx, struct buf *said)
{
	const struct session_host *h = ctx;

	return !session_host_forbids("file of settings is written", said) &&
		user_config_write(&h->run->config, &h->run->preferences, said);
}

/* ---- exports ---- */

static bool check_path(const char *path, const struct export_format *format, bool is_forced,
		       struct error *err)
{
	struct stat info;

	if (strcmp(path, "-") == 0)
		return error_set(err, ERR_IO, -1, "standard output is this screen");
	if (stat(path, &info) != 0)
		return true;
	if (S_ISDIR(info.st_mode) && format->is_by_lane)
		return true;
	if (!S_ISREG(info.st_mode))
		return error_set(err, ERR_IO, -1, "not a regular file");
	return is_forced || error_set(err, ERR_IO, -1, "exists already; :export! replaces it");
}

/* The scope of a request. Formats that tell it have the transforms in it; for the others they are
 * in the profile already. */
static const struct profile *find_scope(const struct app_export *r, bool is_gathered,
					struct scope *scope)
{
	const struct profile *p = is_gathered ? r->base : r->profile;
	bool is_all = true;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		is_all &= r->is_lane[i];
	scope_all(scope, p);
	scope->t0 = r->t0;
	scope->t1 = r->t1;
	scope->has_idle = r->has_idle;
	scope->is_lane = is_all ? NULL : (uint8_t *)(uintptr_t)r->is_lane;
	if (is_gathered) {
		scope->transforms = (struct transform *)(uintptr_t)r->transforms;
		scope->n_transforms = r->n_transforms;
		scope->group = r->group;
	}
	return p;
}

static bool write_export(const struct session_host *h, const struct app_export *r, const char *path,
			 struct export_files *files, struct boxes_cut *cut, struct buf *lost,
			 struct error *err)
{
	struct export_options eo = { .is_slices = h->run->options.is_slices, .cut = cut };
	struct export_target target = { .path = path,
					.is_forced = r->is_forced,
					.watch = r->watch,
					.watch_ctx = r->watch_ctx };
	const struct export_format *format = export_find(r->format);
	const struct profile *p;
	struct report_args args;
	struct scoped scoped;
	uint64_t n_lost;
	bool ok;

	target.max_bytes = h->run->options.max_output < 0 ? export_bytes_most(h->run->profile)
							  : h->run->options.max_output;
	if (!check_path(path, format, r->is_forced, err))
		return false;
	p = find_scope(r, format->is_gathered, &eo.scope);
	eo.copy = !eo.scope.is_lane && r->is_original ? trace_copy : NULL;
	eo.notes = r->notes;
	for (uint32_t i = 0; eo.copy && i < p->n_inputs; i++)
		trace_copy_find_notes(&p->inputs[i], i, profile_text(p, p->inputs[i].path),
				      r->notes);
	eo.copy_members = trace_copy_members;
	report_args_find(h->run, &args);
	eo.report = &args.options;
	eo.scoped = &scoped;
	ok = scoped_init(&scoped, p, &eo.scope, err) &&
		(!format->is_gathered || view_fits(scoped.profile, err)) &&
		export_files_write(format, scoped.profile, &eo, &target, files, err);
	n_lost = ok ? export_lost_requests(format, scoped.profile, &eo.scope) : 0;
	if (ok && export_loses_labels(format, scoped.profile))
		buf_adds(lost, " without the labels of samples");
	if (n_lost)
		buf_addf(lost, " without %" PRIu64 " request%s", n_lost, n_lost == 1 ? "" : "s");
	scoped_done(&scoped);
	report_args_done(&args);
	return ok;
}

static bool export_fleet(const struct session_host *h, const struct app_export *r, struct buf *said)
{
	struct error err = ERROR_INIT;
	BUF_LOCAL path = { 0 };
	bool ok;

	user_file_expand(r->path, &path);
	ok = check_path(buf_text(&path), export_find(r->format), r->is_forced, &err) &&
		fleet_command_write(h->run, r->format, buf_text(&path), r->is_forced, &err);
	if (ok)
		buf_addf(said, "wrote the answers of the fleet as %s to ", r->format);
	text_visible(said, buf_text(&path), path.len);
	if (!ok)
		buf_addf(said, ": %s", err.text);
	return ok;
}

static bool export(void *ctx, const struct app_export *r, struct buf *said)
{
	const struct session_host *h = ctx;
	struct error err = ERROR_INIT;
	struct export_files files = { 0 };
	struct boxes_cut cut = { 0 };
	BUF_LOCAL path = { 0 }, lost = { 0 };
	char left[BOXES_CUT_MAX];
	bool ok;

	if (session_host_forbids("export", said))
		return false;
	if (r->is_fleet)
		return export_fleet(h, r, said);
	user_file_expand(r->path, &path);
	ok = write_export(h, r, buf_text(&path), &files, &cut, &lost, &err);
	if (ok)
		buf_addf(said, "wrote %s of %s to ",
			 profile_value(h->run->profile, r->t1 - r->t0, UNITS_ROOM), r->format);
	text_visible(said, files.path.len ? files.path.data : path.data,
		     files.path.len ? files.path.len : path.len);
	if (ok && files.n > 1)
		buf_addf(said, " and %" PRIu32 " more files", files.n - 1);
	if (ok && boxes_is_cut(&cut)) {
		boxes_tell_cut(&cut, left);
		buf_addf(said, "; %s", left);
	}
	buf_adds(said, buf_text(&lost));
	if (ok && r->has_other_clock && export_find(r->format)->is_gathered)
		buf_adds(said, "; its times count from the start");
	if (ok)
		buf_addf(said, "; opens in %s", export_find(r->format)->opens);
	else
		buf_addf(said, ": %s%s", err.text,
			 err.kind == ERR_CANCELLED ? "; no file was written" : "");
	buf_done(&files.path);
	return ok;
}

static bool edit(void *ctx, const struct app_edit *request, struct buf *said)
{
	const struct session_host *h = ctx;

	return !session_host_forbids("editor", said) && session_edit(h->run, request, said);
}

static void find_files(void *ctx, const char *begin, void (*found)(void *to, const char *path),
		       void *to)
{
	(void)ctx;
	if (!run_is_secure())
		user_file_find(begin, found, to);
}

/* ---- folders of sources ----
 *
 * Those below which all may be read are lines of a file, as those of the history. */

static void read_folders(struct session_host *h)
{
	BUF_LOCAL path = { 0 };

	if (!user_file_state("folders", &path) ||
	    !line_history_open(&h->folders, path.data, &h->folder_list, &(struct error)ERROR_INIT))
		return;
	for (int i = 0; i < h->folder_list.n; i++)
		if (h->folder_list.texts[i][0] == '/')
			source_rules_answer(h->run->rules, h->folder_list.texts[i], SOURCE_BELOW);
}

/* Keep a folder for the next start, unless it is that of a process. */
static void keep_folder(struct session_host *h, const char *folder, struct buf *said)
{
	struct error err = ERROR_INIT;

	if (h->run->preferences.has_no_history || strchr(folder, '\n') ||
	    strncmp(folder, "/proc/", strlen("/proc/")) == 0)
		return;
	prompt_history_add(&h->folder_list, folder);
	if (line_history_keep(&h->folders, &h->folder_list, folder, &err))
		return;
	buf_adds(said, "not kept for the next start: ");
	text_visible(said, err.text, strlen(err.text));
}

static void allow(void *ctx, const char *folder, enum source_answer answer, struct buf *said)
{
	struct session_host *h = ctx;

	source_rules_answer(h->run->rules, folder, answer);
	if (answer == SOURCE_NEVER)
		return;
	if (answer == SOURCE_BELOW)
		keep_folder(h, folder, said);
	if (atomic_exchange(&h->run->rules->has_maps, false) && reload(ctx, said)) {
		buf_adds(said, said->len ? "; " : "");
		buf_adds(said, "the profile is read again, with source maps");
	}
}

static void command_host(void *ctx, struct buf *out)
{
	const struct run *run = ((struct session_host *)ctx)->run;

	if (run->options.command == COMMAND_VIEW || run->options.command == COMMAND_DIFF)
		buf_adds(out, buf_text(&run->command));
}

/* ---- the host ---- */

void session_host_add_first(const struct buf *messages, struct buf *said)
{
	static const char prefix[] = "flametty: ";
	const char *text = buf_text(messages);

	if (strncmp(text, prefix, strlen(prefix)) == 0)
		text += strlen(prefix);
	buf_add(said, text, strcspn(text, "\n"));
}

void session_host_init(struct session_host *h, struct run *run)
{
	*h = (struct session_host){ .run = run,
				    .user_theme = run->term.user_theme,
				    .host = { .theme_word = palette_theme_word,
					      .export_word = export_word,
					      .set = set,
					      .shows_cnames = shows_cnames,
					      .write_config = write_config,
					      .export = export,
					      .edit = edit,
					      .reload = reload,
					      .command = command_host,
					      .allow = allow,
					      .find_files = find_files,
					      .ctx = h } };
}

void session_host_print_copied(void)
{
	BUF_LOCAL text = { 0 };

	clipboard_take_unsure(&text);
	if (text.len)
		printf("%s\n", buf_text(&text));
}

/* Whether a setting has been switched off. */
static bool is_off(const struct preferences *p, const char *name)
{
	const char *value = preferences_get(p, name);

	return value && strcmp(value, "off") == 0;
}

void session_host_start(struct session_host *h)
{
	BUF_LOCAL path = { 0 };
	struct preferences *p = &h->run->preferences;

	if (h->run->rules) {
		h->run->rules->may_ask = !run_is_secure();
		read_folders(h);
	}
	h->run->term.has_no_mouse = is_off(p, "mouse");
	p->has_no_history = is_off(p, "history");
	p->lines.most = PREFERENCES_LINES;
	if (!p->has_no_history && user_file_state("history", &path) &&
	    line_history_open(&h->history, buf_text(&path), &p->lines, &(struct error)ERROR_INIT))
		h->host.keep_line = keep_line;
}
