/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands: parse the options, then load and answer by the interface, a screen as text, a
 * report, an export or a comparison. Exit status: 0 fine, 1 an input, an output or a gate failed,
 * 2 wrong usage, 3 a gate is not decided (--strict). */
#include "config.h"

#ifdef HAVE_REMOTE
#include "record/attach.h"
#endif
#include "cli/completion.h"
#include "cli/diff_command.h"
#include "cli/export_files.h"
#include "cli/gate_options.h"
#include "cli/options.h"
#include "cli/options_shell.h"
#include "cli/report_wish.h"
#include "cli/run.h"
#ifdef HAVE_REMOTE
#include "record/run_command.h"
#endif
#include "cli/scope_options.h"
#include "session/session.h"
#ifdef HAVE_REMOTE
#include "session/session_live.h"
#endif
#include "cli/user_config.h"
#include "cli/version.h"
#ifdef HAVE_REMOTE
#include "record/watch_command.h"
#include "record/watch_line.h"
#endif

#include "analyse/fold.h"
#include "analyse/view/scoped.h"
#include "base/alloc.h"
#include "base/message.h"
#include "read/reader.h"
#include "read/trace/trace_copy.h"
#include "ui/keymap.h"
#include "write/export/boxes.h"
#include "write/report/diff.h"
#include "write/report/gates.h"
#include "write/report/report.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option_words words[] = {
	{ "color", palette_color_word }, { "completion", completion_word },
	{ "format", report_word },       { "format", export_word },
	{ "format", diff_word },
#ifdef HAVE_REMOTE
	{ "format", watch_line_word },
#endif
	{ "fold", fold_mode_word },      { "match", match_word },
	{ "gaps", load_gaps_word },      { "group", view_group_word },
	{ "sort", rows_sort_word },      { "table", report_csv_word },
	{ "theme", palette_theme_word }, { "value", export_value_word },
	{ "with", report_json_word },    { 0 },
};

/* The profile as the scope shows it. is_gathered: all its lanes will be taken together. False: it
 * has too many nodes for that. */
static bool find_scoped(struct run *run, const struct scope *scope, bool is_gathered,
			struct scoped *scoped)
{
	struct error err = ERROR_INIT;

	if (scoped_init(scoped, run->profile, scope, &err) &&
	    (!is_gathered || view_fits(scoped->profile, &err)))
		return true;
	scoped_done(scoped);
	run_complain(run, err.text);
	return false;
}

static void warn_of_rows(uint64_t n_left, uint64_t most)
{
	if (n_left)
		run_warn("%" PRIu64 " row%s left out (--max-rows=%" PRIu64 ")", n_left,
			 n_left == 1 ? " is" : "s are", most);
}

static void warn_of_cut(const struct boxes_cut *cut)
{
	char text[BOXES_CUT_MAX];

	if (!boxes_is_cut(cut))
		return;
	boxes_tell_cut(cut, text);
	run_warn("of the picture, %s; --lane, --focus, --from and --to choose what it shows", text);
}

static bool find_gates(struct run *run, const struct scoped *scoped, struct report_options *ro,
		       struct gate_options *gates)
{
	struct error err = ERROR_INIT;

	ro->gates = gates->results;
	if (gates->n > 0 && !gates_find(scoped, ro, gates->gates, gates->n, gates->results, &err)) {
		gate_options_refuse(run, &err);
		return false;
	}
	ro->n_gates = gates->n;
	return true;
}

/* The gates are decided first: the report says what became of them. */
static void write_report(struct run *run, struct report_options *ro, struct gate_options *gates,
			 int64_t max_bytes)
{
	struct error err = ERROR_INIT;
	struct sink *sink = sink_open(NULL, false, &err);
	struct scoped scoped;
	uint64_t n_left = 0;

	if (sink && find_scoped(run, &ro->scope, true, &scoped)) {
		if (find_gates(run, &scoped, ro, gates)) {
			if (report_find(run->options.format) == &report_csv)
				sink_limit(sink, max_bytes);
			n_left = report_find(run->options.format)->write(&scoped, ro, sink);
			sink_close(sink, &err);
		} else {
			sink_drop(sink);
		}
		scoped_done(&scoped);
	} else if (sink) {
		sink_drop(sink);
	}
	if (err.kind != ERR_NONE)
		run_complain_output(run, NULL, &err);
	else
		warn_of_rows(n_left, ro->max_rows);
	if (ro->n_gates)
		gate_options_tell(run, gates, run->profile);
}

static void report(struct run *run)
{
	struct report_wish wish;
	struct gate_options gates;
	int64_t max_bytes = export_bytes_most(run->profile);

	report_wish_find(run, &wish);
	if (gate_options_find(run, &gates) && run_find_output_limit(run, &max_bytes) &&
	    run_find_scope(run, &wish.options.scope))
		write_report(run, &wish.options, &gates, max_bytes);
	gate_options_done(&gates);
	scope_done(&wish.options.scope);
	report_wish_done(&wish);
}

/* Say which inputs would have been copied with the arguments of their events. */
static void warn_of_made_events(const struct run *run, const struct export_options *eo)
{
	const struct profile *p = run->profile;

	if (!eo->copy || export_find(run->options.format) != &export_trace)
		return;
	for (uint32_t i = 0; i < p->n_inputs; i++) {
		const char *path = profile_text(p, p->inputs[i].path);
		bool is_lost = trace_copy_is_lost(&p->inputs[i]);

		if (is_lost || trace_copy_has_other_frames(p, i))
			run_warn("%s: events are written without their arguments, because %s",
				 strcmp(path, "-") == 0 ? "(standard input)" : path,
				 is_lost ? "a pipe cannot be read twice"
					 : "a file before it has stackFrames, too");
	}
}

/* Say what was written, and what opens it. Standard output needs no words. */
static void say_opens(const struct export_format *format, const struct export_files *files)
{
	if (files->path.len == 0)
		return;
	if (files->n > 1)
		message_print("wrote %s and %" PRIu32 " more; opens in %s", buf_text(&files->path),
			      files->n - 1, format->opens);
	else
		message_print("wrote %s; opens in %s", buf_text(&files->path), format->opens);
}

static void write_export(struct run *run, const struct export_format *format,
			 const struct export_options *wanted)
{
	const struct options *o = &run->options;
	struct export_target target = { .path = o->output, .is_forced = o->is_forced };
	struct export_files files = { 0 };
	struct error err = ERROR_INIT;
	struct scoped scoped;
	struct export_options eo = *wanted;

	target.max_bytes = export_bytes_most(run->profile);
	if (!run_find_output_limit(run, &target.max_bytes))
		return;
	if (!export_files_check(format, &target, &err)) {
		run_complain_output(run, o->output, &err);
		return;
	}
	if (!find_scoped(run, &eo.scope, format->is_gathered, &scoped))
		return;
	eo.scoped = &scoped;
	if (export_files_write(format, scoped.profile, &eo, &target, &files, &err)) {
		warn_of_made_events(run, &eo);
		if (export_loses_labels(format, scoped.profile))
			run_warn(
				"%s has no labels of samples: they are left out; -f pprof has them",
				format->name);
		say_opens(format, &files);
	} else {
		run_complain_output(run, files.path.len ? buf_text(&files.path) : NULL, &err);
	}
	scoped_done(&scoped);
	buf_done(&files.path);
}

/* Pixels, from --min-width. */
static bool find_min_width(struct run *run, double *pixels)
{
	const char *text = run->options.min_width;
	char *end;

	*pixels = 0;
	if (!text)
		return true;
	*pixels = strtod(text, &end);
	if (end != text && *end == '\0' && *pixels > 0 && *pixels <= 1000)
		return true;
	run_complain_usage(run, "--min-width needs pixels above 0 and up to 1000, not ", text, "");
	return false;
}

static void export(struct run *run)
{
	uint64_t n_left = 0;
	struct boxes_cut cut = { 0 };
	struct export_options eo = { .is_slices = run->options.is_slices,
				     .is_counts = run->options.value == 1,
				     .is_merged = run->options.is_merged,
				     .n_left = &n_left,
				     .cut = &cut };
	struct report_wish wish;

	report_wish_find(run, &wish);
	eo.report = &wish.options;
	if (find_min_width(run, &eo.min_width) && run_find_scope(run, &eo.scope)) {
		/* Copied events would not have the transforms. */
		eo.copy = scope_is_plain(&eo.scope) ? trace_copy : NULL;
		eo.copy_members = trace_copy_members;
		write_export(run, export_find(run->options.format), &eo);
		warn_of_rows(n_left, wish.options.max_rows);
		warn_of_cut(&cut);
	}
	scope_done(&eo.scope);
	report_wish_done(&wish);
}

static void list_formats(struct buf *out)
{
	for (size_t i = 0; readers[i]; i++)
		buf_addf(out, "%-12s  %s\n", readers[i]->name, readers[i]->help);
}

/* Load the files and show them, as the options say. */
static void show(struct run *run)
{
	if (run->is_interactive)
		session_interact(run);
	else if (!run_load(run))
		return;
	else if (run->options.render_cols)
		session_render(run);
	else
		report(run);
}

/* Compare on the screen, or print what there is to say. */
static void diff(struct run *run)
{
	struct diff_what what;

	if (!run->options.is_opened || !(run->is_interactive || run->options.render_cols))
		diff_command(run);
	else if (diff_command_begin(run, &what))
		show(run);
}

#ifdef HAVE_REMOTE
/* Record, then show the recording. */
static void attach(struct run *run)
{
	struct attach recording;

	if (attach_record(run, &recording))
		show(run);
	attach_done(&recording);
}

/* Run a command, then show what its processes recorded. */
static void run_and_show(struct run *run)
{
	struct run_command command;

	if (run_command_record(run, &command))
		show(run);
	run_command_done(run, &command);
}
#endif

static void answer(struct run *run)
{
	const struct options *o = &run->options;
	struct buf out = { 0 };

	switch (o->command) {
	case COMMAND_HELP:
		options_help(words, &out);
		break;
	case COMMAND_VERSION:
		version_format(&out);
		break;
	case COMMAND_FORMATS:
		list_formats(&out);
		break;
	case COMMAND_COMPLETION:
		completion_format((unsigned)o->completion, words, &out);
		break;
	case COMMAND_KEYS:
		keymap_format(&run->preferences.keymap, &out);
		break;
	case COMMAND_EXPORT:
		if (run_load(run))
			export(run);
		break;
	case COMMAND_DIFF:
		diff(run);
		break;
	case COMMAND_VIEW:
	case COMMAND_REPORT:
		show(run);
		break;
	case COMMAND_ATTACH:
#ifdef HAVE_REMOTE
		attach(run);
#endif
		break;
	case COMMAND_RUN:
#ifdef HAVE_REMOTE
		run_and_show(run);
#endif
		break;
	case COMMAND_WATCH:
#ifdef HAVE_REMOTE
		watch_command(run);
#endif
		break;
	case COMMAND_LIVE:
#ifdef HAVE_REMOTE
		session_live(run);
#endif
		break;
	}
	if (out.len)
		run_print(run, &out);
	buf_done(&out);
}

/* Read the files of settings. The output of reports and exports, and that of --render, depends on
 * no file that the command does not name. */
static bool read_config(struct run *run)
{
	const struct options *o = &run->options;
	struct error err = ERROR_INIT;
	const char *line, *end;

	if (!user_config_read(&run->config, run->is_interactive || o->command == COMMAND_KEYS,
			      &run->options, words, &run->preferences, &err)) {
		run_complain(run, err.text);
		return false;
	}
	/* The interface shows the warnings. */
	if (run->is_interactive || o->render_cols)
		return true;
	for (line = buf_text(&run->preferences.warnings); *line; line = end + 1) {
		end = strchr(line, '\n');
		run_warn("%.*s", (int)(end - line), line);
	}
	return true;
}

/* Without standard input, output or error, the next file that is opened would take their place, and
 * get what is printed. These here can be neither read nor written, and programs that are started do
 * not get them. */
static void fill_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC) < 0)
			return;
}

/* Whether the first argument is no file, but nearly a command. Says so. */
static bool is_mistyped(struct run *run, const char *first)
{
	const struct options *o = &run->options;
	struct buf text = { 0 };
	const char *like;

	if (!first || o->command != COMMAND_VIEW || o->n_files < 1 || o->files[0] != first ||
	    access(first, F_OK) == 0 || !(like = options_command_like(first)))
		return false;
	buf_addf(&text, "': did you mean %s?", like);
	run_complain_usage(run, "no file and no command '", first, buf_text(&text));
	buf_done(&text);
	return true;
}

/* Find the theme. `theme`: where one of a file is kept. */
static bool find_theme(struct run *run, struct theme *theme)
{
	const char *name = run->options.theme;
	struct error err = ERROR_INIT;
	bool has_file;

	if (!name)
		return true;
	if (!theme_option_find(name, &run->term.theme, theme, &has_file, &err)) {
		run_complain_usage(run, "", err.text, "");
		return false;
	}
	run->term.user_theme = has_file ? theme : NULL;
	preferences_set(&run->preferences, "theme", name, false);
	return true;
}

/* Only the interface shows files again that change. Says so if there is none. */
static bool check_follow(struct run *run)
{
	const struct options *o = &run->options;
	bool shows_files = o->command == COMMAND_VIEW || o->command == COMMAND_REPORT ||
		o->command == COMMAND_EXPORT || o->command == COMMAND_DIFF;

	if (!o->is_following || run->is_interactive || !shows_files)
		return true;
	run_complain_usage(run, "--follow needs the interface", "", "");
	return false;
}

/* The gates are parsed again when the profile is there. */
static bool check_gates(struct run *run)
{
	struct gate_options gates;
	bool ok = gate_options_find(run, &gates);

	gate_options_done(&gates);
	return ok;
}

/* The words of --format of the command. */
static const char *(*format_words(enum program_command command))(unsigned i)
{
	switch (command) {
	case COMMAND_EXPORT:
		return export_word;
	case COMMAND_DIFF:
		return diff_word;
#ifdef HAVE_REMOTE
	case COMMAND_WATCH:
		return watch_line_word;
#endif
	default:
		return report_word;
	}
}

/* Read the options and the settings. False: what is wrong was said. */
static bool prepare(struct run *run, int argc, char **argv, struct theme *theme)
{
	/* Parsing moves the arguments. */
	const char *first = argc > 1 ? argv[1] : NULL;
	struct error err = ERROR_INIT;

	options_shell_text(argc, argv, &run->command);
	if (!options_parse(&run->options, words, argc, argv, &err)) {
		run_complain_usage(run, "", err.text, "\nTry 'flametty --help'.");
		return false;
	}
	if (is_mistyped(run, first) ||
	    !format_option_check(run, format_words(run->options.command)))
		return false;
	run->is_interactive = (run->options.command == COMMAND_VIEW || run->options.is_opened ||
			       ((run->options.command == COMMAND_ATTACH ||
				 run->options.command == COMMAND_LIVE) &&
				run->options.n_files > 0) ||
			       (run->options.command == COMMAND_RUN && !run->options.output)) &&
		!run->options.render_cols && !run->options.is_report && isatty(STDOUT_FILENO);
	if (!check_follow(run) || !read_config(run))
		return false;
	if (!scope_options_check(&run->options, &err)) {
		run_complain_usage(run, "", err.text, "");
		return false;
	}
	if (!check_gates(run))
		return false;
	if (run->options.has_utf8)
		run->charset = charset_force_utf8();
	if (run->is_interactive && !run->options.is_ascii && run->charset == CHARSET_OWN_UTF8) {
		run->term.has_own_utf8 = term_can_decode();
		if (!run->term.has_own_utf8)
			run->charset = CHARSET_ASCII;
	}
	if (run->options.lanes)
		preferences_set(&run->preferences, "split", run->options.lanes, false);
	if (run->options.color >= 0)
		run->term.color = (enum palette_color)run->options.color;
	return find_theme(run, theme);
}

int main(int argc, char **argv)
{
	struct run run = { 0 };
	struct theme theme;

	fill_standard_files();
	run.charset = charset_set_locale();
	if (prepare(&run, argc, argv, &theme))
		answer(&run);
	profile_free(run.profile);
	preferences_done(&run.preferences);
	buf_done(&run.command);
	user_config_done(&run.config);
	return run.status;
}
