/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: arguments, a line each. What is wrong is said; report, export, diff and
 * --render answer about a small profile. Nothing else is run, and no file but the profile is read
 * or written: all files are that one, settings and themes of files are not read, and output goes to
 * /dev/null. */
#include "config.h"

int program_main(int argc, char **argv);
#define main program_main
#include "main.c"
#undef main

#include "cli/option_table.h"
#include "fuzz.h"

#include <stdio.h>

#define ARGUMENTS_MAX 40

static const char stacks[] = "a;b;c 5\na;b 3\na;d (https://a.example/app.js:7) 40\ne;a;b;a 12\n";

/* The profile as a file, /dev/fd/N. */
static const char *path_once(void)
{
	static char path[32];
	static FILE *file; /* open as long as the program runs */

	if (*path)
		return path;
	file = tmpfile();
	if (!file || fputs(stacks, file) < 0 || fflush(file) != 0)
		fuzz_found("no temporary file");
	snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
	return path;
}

/* What the program prints goes nowhere; libFuzzer and sanitizers have their own streams. */
static void be_silent(void)
{
	static bool is_done;

	if (is_done)
		return;
	is_done = true;
	stderr = fopen("/dev/null", "w");
	if (!freopen("/dev/null", "w", stdout) || !stderr)
		fuzz_found("no /dev/null");
	setenv("HOME", "/nonexistent", 1);
	unsetenv("XDG_CONFIG_HOME");
}

/* Only what reads the given files and prints. */
static bool is_run(const struct options *o)
{
	return o->command == COMMAND_REPORT || o->command == COMMAND_EXPORT ||
		o->command == COMMAND_DIFF || o->command == COMMAND_HELP ||
		o->command == COMMAND_VERSION || o->command == COMMAND_FORMATS ||
		o->command == COMMAND_KEYS || o->command == COMMAND_GUIDE ||
		o->command == COMMAND_SCHEMA || o->command == COMMAND_COMPLETION ||
		(o->command == COMMAND_VIEW && o->render_cols > 0);
}

static void bind_files(struct options *o)
{
	o->has_no_sandbox = true;
	o->max_memory = 0;
	o->output = NULL;
	o->is_opened = false;
	o->is_recursive = false;
	o->is_sourceless = true;
	o->source_maps.n = o->map_moves.n = 0;
	o->source_root = NULL;
	if (o->command != COMMAND_SCHEMA)
		for (int i = 0; i < o->n_files; i++)
			o->files[i] = (char *)path_once();
}

static void run_arguments(int argc, char **argv)
{
	struct source_rules rules;
	struct run run = { .rules = &rules };
	struct theme theme;

	source_rules_init(&rules);
	if (prepare(&run, argc, argv, &theme)) {
		if (run.status != EXIT_OK)
			fuzz_found("status %d of a command that is right", run.status);
		rules.is_off = true;
		bind_files(&run.options);
		if (is_run(&run.options))
			answer(&run);
	} else if (run.status != EXIT_USAGE && run.status != EXIT_FAILED) {
		fuzz_found("status %d of a command that is wrong", run.status);
	}
	gate_options_done(&run);
	options_done(&run.options);
	profile_free(run.profile);
	preferences_done(&run.preferences);
	buf_done(&run.command);
	user_config_done(&run.config);
	source_rules_done(&rules);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char program[] = "flametty", *argv[ARGUMENTS_MAX + 1] = { program };
	char *text = xcalloc(size + 1, 1), *at = text;
	int argc = 1;

	memcpy(text, data, size);
	be_silent();
	for (char *eol; *at && argc < ARGUMENTS_MAX; at = eol + 1) {
		eol = at + strcspn(at, "\n");
		argv[argc++] = at;
		/* Files of settings and themes are those of the user. */
		if (strncmp(at, "--config", 8) == 0 || strncmp(at, "--theme", 7) == 0)
			argc--;
		if (!*eol)
			break;
		*eol = '\0';
	}
	run_arguments(argc, argv);
	free(text);
	return 0;
}

/* ---- mutation ---- */

/* Half of the changes insert an option as an argument, with or without a value. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	static const char *const values[] = { "",
					      "=",
					      "=1",
					      "=0",
					      "=-1",
					      "=x",
					      "=a",
					      "=json",
					      "=80x24",
					      "=1ms",
					      "=50%",
					      "=1e300",
					      "=a,b",
					      "=a=b",
					      "=1..2",
					      "=all",
					      "=99999999999999999999" };
	size_t at = 0, n = 0;
	char text[80];

	if (seed % 2)
		return LLVMFuzzerMutate(data, size, max_size);
	if (size > 0)
		at = (seed >> 12) % size;
	while (at > 0 && data[at - 1] != '\n')
		at--;
	while (option_table_row(n))
		n++;
	snprintf(text, sizeof text, "--%s%s\n", option_table_row((seed >> 4) % n)->name,
		 values[(seed >> 1) % ARRAY_LEN(values)]);
	return fuzz_insert(data, size, max_size, at, text);
}
