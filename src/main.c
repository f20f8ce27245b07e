/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands: parse the options, then load and answer by the interface, a screen as text, a
 * report, an export or a comparison. Exit status: 0 fine, 1 an input, an output or a gate failed,
 * 2 wrong usage, 3 a gate is not decided (--strict). */
#include "config.h"

#include "analyse/fleet.h"
#include "analyse/fold.h"
#include "base/alloc.h"
#include "cli/diff_command.h"
#include "cli/export_files.h"
#include "cli/fleet_command.h"
#include "cli/options.h"
#include "cli/report_command.h"
#include "cli/run.h"
#include "cli/user_file.h"
#include "read/load/fleet_read.h"
#include "read/load/fleet_sums.h"
#include "read/reader.h"
#include "session/session.h"
#include "ui/keymap.h"
#include "write/report/diff_report.h"
#include "write/report/fleet_report.h"
#include "write/report/report.h"
#ifdef HAVE_REMOTE
#include "record/attach.h"
#include "record/run_command.h"
#include "record/watch_command.h"
#include "record/watch_line.h"
#include "session/session_live.h"
#endif

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const struct option_words words[] = {
	{ "color", palette_color_word }, { "completion", completion_word },
	{ "format", report_word },       { "format", export_word },
	{ "format", diff_report_word },
#ifdef HAVE_REMOTE
	{ "format", watch_line_word },
#endif
	{ "fold", fold_mode_word },      { "match", match_word },
	{ "gaps", load_gaps_word },      { "group", view_group_word },
	{ "sort", rows_sort_word },      { "table", fleet_command_table },
	{ "theme", palette_theme_word }, { "value", export_value_word },
	{ "with", report_json_word },    { 0 },
};

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
		report_command(run);
}

/* Compare on the screen, or print what there is to say. */
static void diff(struct run *run)
{
	struct chart_diff_what what;

	if (!run->options.is_opened || !(run->is_interactive || run->options.render_cols))
		diff_command(run);
	else if (diff_command_begin(run, &what))
		show(run);
}

/* Show the fleet on the screen, or print what there is to say. */
static void fleet(struct run *run)
{
	struct fleet_answers *answers;
	struct error err = ERROR_INIT;
	struct fleet *read;

	if (!run->options.is_opened || !(run->is_interactive || run->options.render_cols)) {
		fleet_command(run);
		return;
	}
	read = fleet_command_read(run);
	if (!read)
		return;
	answers = xcalloc(1, sizeof *answers);
	fleet_answers_init(answers, read);
	run->fleet = answers;
	run->profile = fleet_sums(read, &err);
	if (!run->profile)
		run_complain(run, err.kind == ERR_NONE ? "nothing was sampled" : err.text);
	else if (run->is_interactive)
		session_interact(run);
	else
		session_render(run);
	run->fleet = NULL;
	fleet_answers_done(answers);
	free(answers);
	fleet_free(read);
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
	BUF_LOCAL out = { 0 };

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
	case COMMAND_GUIDE:
		buf_adds(&out, options_guide);
		break;
	case COMMAND_SCHEMA:
		options_schema(o->n_files ? o->files[0] : NULL, &out);
		break;
	case COMMAND_EXPORT:
		if (run_load(run))
			export_command(run);
		break;
	case COMMAND_DIFF:
		diff(run);
		break;
	case COMMAND_FLEET:
		fleet(run);
		break;
	case COMMAND_VIEW:
	case COMMAND_REPORT:
		show(run);
		break;
#ifdef HAVE_REMOTE
	case COMMAND_ATTACH:
		attach(run);
		break;
	case COMMAND_RUN:
		run_and_show(run);
		break;
	case COMMAND_WATCH:
		watch_command(run);
		break;
	case COMMAND_LIVE:
		session_live(run);
		break;
#else
	default:
		break;
#endif
	}
	if (out.len)
		run_print(run, &out);
}

/* Read the files of settings. The output of reports and exports, and that of --render, depends on
 * no file that the command does not name. */
static bool read_config(struct run *run)
{
	const struct options *o = &run->options;
	struct error err = ERROR_INIT;

	if (!user_config_read(&run->config, run->is_interactive || o->command == COMMAND_KEYS,
			      &run->options, words, &run->preferences, &err))
		return run_complain(run, err.text);
	/* The interface shows the warnings. */
	if (run->is_interactive || o->render_cols)
		return true;
	run_warn_lines("", &run->preferences.warnings);
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
	BUF_LOCAL text = { 0 };
	const char *like;

	if (!first || o->command != COMMAND_VIEW || o->n_files < 1 || o->files[0] != first ||
	    access(first, F_OK) == 0 || errno != ENOENT || !(like = options_command_like(first)))
		return false;
	buf_addf(&text, "': did you mean %s?", like);
	run_complain_usage(run, "no file and no command '", first, buf_text(&text));
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
	if (!theme_option_find(name, &run->term.theme, theme, &has_file, &err))
		return run_complain_usage(run, "", err.text, "");
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
	return run_complain_usage(run, "--follow needs the interface", "", "");
}

/* The words of --format of the command. */
static const char *(*format_words(enum program_command command))(unsigned i)
{
	switch (command) {
	case COMMAND_EXPORT:
		return export_word;
	case COMMAND_DIFF:
		return diff_report_word;
	case COMMAND_FLEET:
		return fleet_report_word;
#ifdef HAVE_REMOTE
	case COMMAND_WATCH:
		return watch_line_word;
#endif
	default:
		return report_word;
	}
}

/* Whether the command has a word. Says what it has otherwise. */
static bool check_word(struct run *run, const char *option, const char *wanted,
		       const char *(*const word)(unsigned i))
{
	BUF_LOCAL list = { 0 };
	bool ok = !wanted;

	for (unsigned i = 0; !ok && word(i); i++) {
		ok = strcmp(word(i), wanted) == 0;
		buf_addf(&list, "%s%s",
			 i == 0                ? "; it has "
				 : word(i + 1) ? ", "
					       : " and ",
			 word(i));
	}
	if (!ok)
		run_complain_usage(run, option, wanted, buf_text(&list));
	return ok;
}

/* Check the formats of input and output, and the table, which options_parse() cannot know: it says
 * which command it is only when it has ended. Says what is wrong. */
static bool check_formats(struct run *run)
{
	const struct options *o = &run->options;

	if (o->format_in && !reader_find(o->format_in))
		return run_complain_usage(run, "no format '", o->format_in, "' (flametty formats)");
	if (o->command == COMMAND_SCHEMA && o->n_files > 1)
		return run_complain_usage(run, "flametty schema wants one command", "", "");
	if (o->command == COMMAND_SCHEMA && o->n_files &&
	    !check_word(run, "flametty has no schema of ", o->files[0], options_schema_word))
		return false;
	return check_word(run, "this command has no --format ", o->format,
			  format_words(o->command)) &&
		check_word(run, "this command has no --table ",
			   o->table < 0 ? NULL : fleet_command_table((unsigned)o->table),
			   o->command == COMMAND_FLEET ? fleet_report_table : report_lists_word);
}

/* Whether FLAMETTY_SECURE forbids what the options ask for. Says so. */
static bool is_forbidden(struct run *run)
{
	static const char *const names[] = { [COMMAND_EXPORT] = "export",
					     [COMMAND_ATTACH] = "attach",
					     [COMMAND_RUN] = "run",
					     [COMMAND_WATCH] = "watch",
					     [COMMAND_LIVE] = "live" };
	const struct options *o = &run->options;
	const char *word = (size_t)o->command < ARRAY_LEN(names) ? names[o->command] : NULL;
	BUF_LOCAL text = { 0 };

	if (o->command == COMMAND_FLEET && o->export_dir)
		word = "export";
	if (!word || !run_is_secure())
		return false;
	buf_addf(&text, "FLAMETTY_SECURE is set: no %s", word);
	run_complain(run, text.data);
	return true;
}

/* By the options, and the terminal, which is asked if the environment names no locale. */
static void choose_charset(struct run *run)
{
	bool draws_all = run->is_interactive && !run->options.is_ascii;
	bool is_asked = draws_all && !run->options.has_utf8 && run->charset == CHARSET_UNKNOWN;

	if (run->options.has_utf8 || is_asked)
		run->charset = charset_force_utf8();
	if (draws_all && run->charset == CHARSET_OWN_UTF8) {
		run->term.has_own_utf8 = term_can_decode();
		if (!run->term.has_own_utf8)
			run->charset = CHARSET_ASCII;
	}
	run->term.asks_utf8 = is_asked && run->charset != CHARSET_ASCII;
	if (is_asked || run->charset == CHARSET_UNKNOWN)
		run->charset = CHARSET_ASCII;
}

/* Read the options and the settings. False: what is wrong was said. */
static bool prepare(struct run *run, int argc, char **argv, struct theme *theme)
{
	/* Parsing moves the arguments. */
	const char *first = argc > 1 ? argv[1] : NULL;
	struct error err = ERROR_INIT;

	options_shell_text(argc, argv, &run->command);
	if (!options_parse(&run->options, words, argc, argv, &err))
		return run_complain_usage(run, "", err.text,
					  err.kind == ERR_USAGE ? "" : "\nTry 'flametty --help'.");
	if (is_mistyped(run, first) || is_forbidden(run) || !check_formats(run))
		return false;
	run->is_interactive = (run->options.command == COMMAND_VIEW || run->options.is_opened ||
			       ((run->options.command == COMMAND_ATTACH ||
				 run->options.command == COMMAND_LIVE) &&
				(run->options.n_files > 0 || run->options.is_all_node)) ||
			       (run->options.command == COMMAND_RUN && !run->options.output)) &&
		!run->options.render_cols && !run->options.is_report && isatty(STDOUT_FILENO);
	if (!report_command_ask(run) || !check_follow(run) || !read_config(run))
		return false;
	if (!scope_options_check(&run->options, &err))
		return run_complain_usage(run, "", err.text, "");
	if (!gate_options_find(run))
		return false;
	choose_charset(run);
	if (run->options.lanes)
		preferences_set(&run->preferences, "split", run->options.lanes, false);
	if (run->options.color >= 0)
		run->term.color = (enum palette_color)run->options.color;
	return find_theme(run, theme);
}

/* Say how many sources were not read, once. The interface says it where they would be shown. */
static void tell_refused(const struct run *run)
{
	BUF_LOCAL text = { 0 };

	if (!run->is_interactive)
		source_rules_tell(run->rules, &text);
	if (text.len)
		run_warn("%s", text.data);
}

int main(int argc, char **argv)
{
	struct source_rules rules;
	struct run run = { .rules = &rules };
	struct theme theme;

	source_rules_init(&rules);
	fill_standard_files();
	run.charset = charset_set_locale();
	if (prepare(&run, argc, argv, &theme)) {
		rules.is_off = run.options.is_sourceless;
		session_start_helper(&run);
		answer(&run);
		session_stop_helper();
		tell_refused(&run);
	}
	gate_options_done(&run);
	options_done(&run.options);
	profile_free(run.profile);
	preferences_done(&run.preferences);
	buf_done(&run.command);
	user_config_done(&run.config);
	source_rules_done(&rules);
	return run.status;
}
