/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of settings: what their lines do, what is refused and how, and how they are written. */
#include "config.h"

#include "analyse/rows/rows.h"
#include "cli/user_file.c"
#include "cli/user_file.h"
#include "temp_folder.h"

#include "suite.h"

#include <sys/stat.h>

static const char *group_word(unsigned i)
{
	return view_group_word(i);
}

static const char *color_word(unsigned i)
{
	static const char *const list[] = { "auto", "always", "never" };

	return i < ARRAY_LEN(list) ? list[i] : NULL;
}

static const struct option_words words[] = { { "color", color_word },
					     { "group", group_word },
					     { 0 } };

static struct options options;
static struct preferences preferences;
static struct buf text;

/* The command line is `flametty ARGUMENTS FILE`, with blanks between the arguments. */
static void begin(const char *arguments)
{
	static char line[200];
	static char *argv[20];
	struct error err = ERROR_INIT;
	int argc = 0;

	snprintf(line, sizeof line, "flametty %s file", arguments);
	for (char *p = strtok(line, " "); p; p = strtok(NULL, " "))
		argv[argc++] = p;
	ck_assert_msg(options_parse(&options, words, argc, argv, &err), "%s", err.text);
}

static void setup(void)
{
	temp_folder_make();
	begin("");
}

static void teardown(void)
{
	buf_done(&text);
	text = (struct buf){ 0 };
	preferences_done(&preferences);
	temp_folder_remove();
}

static void parse_bytes(const char *file, size_t len)
{
	buf_add(&text, file, len);
	user_config_parse("f", &text, &options, words, &preferences);
}

static void parse(const char *file)
{
	parse_bytes(file, strlen(file));
}

START_TEST(lines_are_taken)
{
	parse("\xEF\xBB\xBF# comment\n"
	      "\n"
	      "  theme = light\r\n"
	      "ascii\n"
	      "top=3\n"
	      "max-memory = 50%\n"
	      "set colour package\n"
	      "  set   idle\ton  \n"
	      "bind F2 summary\n"
	      "bind ol quit");
	ck_assert_str_eq(buf_text(&preferences.warnings), "");
	ck_assert_str_eq(options.theme, "light");
	ck_assert_int_gt(options.max_memory, 0);
	ck_assert(options.is_ascii);
	ck_assert_int_eq(options.top, 3);
	ck_assert_str_eq(preferences_get(&preferences, "color"), "package");
	ck_assert_str_eq(preferences_get(&preferences, "idle"), "on");
	ck_assert_ptr_null(preferences_get(&preferences, "trunk"));
	ck_assert_ptr_nonnull(preferences.keymap.rows);
}
END_TEST

START_TEST(command_line_is_stronger)
{
	begin("--theme=dark --top=7 --group=file --color=never --idle");
	parse("theme = light\ntop = 3\nset theme mono\nset group package\nset color file\n"
	      "set idle off\n");
	ck_assert_str_eq(buf_text(&preferences.warnings), "");
	ck_assert_str_eq(options.theme, "dark");
	ck_assert_int_eq(options.top, 7);
	ck_assert_ptr_null(preferences_get(&preferences, "group"));
	ck_assert_ptr_null(preferences_get(&preferences, "idle"));
	/* --color is about something else. */
	ck_assert_str_eq(preferences_get(&preferences, "color"), "file");
}
END_TEST

START_TEST(last_line_counts)
{
	parse("theme = light\nset theme mono\nset color file\nset color heat\nascii\nascii = off\n");
	ck_assert_str_eq(options.theme, "mono");
	ck_assert_str_eq(preferences_get(&preferences, "color"), "heat");
	ck_assert(!options.is_ascii);
}
END_TEST

static const struct {
	const char *line, *warning;
} bad_lines[] = {
	{ "wat", "f:1: no option 'wat'\n" },
	{ "teme = dark", "f:1: no option 'teme'; did you mean theme?\n" },
	{ "theme", "f:1: theme wants a value\n" },
	{ "theme = nosuch",
	  "f:1: theme wants auto, dark, light, colour-blind, mono or a file, not 'nosuch'\n" },
	{ "group = nosuch", NULL },
	{ "top = x", "f:1: top wants a number from 1 to 1000000, not 'x'\n" },
	{ "max-memory = much",
	  "f:1: max-memory wants a size like 6G, 800M or 50%, or 0, not 'much'\n" },
	{ "ascii = maybe", "f:1: ascii wants on or off\n" },
	{ "keys = q", "f:1: keys is not for files of settings\n" },
	{ "config = x", "f:1: config is not for files of settings\n" },
	{ "two words", "f:1: neither `name = value`, `set`, `bind` nor a comment\n" },
	{ "= 5", "f:1: neither `name = value`, `set`, `bind` nor a comment\n" },
	{ "set", NULL },
	{ "set color", "f:1: set wants a name and a value\n" },
	{ "set colr file", "f:1: no setting 'colr'; did you mean color?\n" },
	{ "set idle maybe", "f:1: idle wants off or on, not 'maybe'\n" },
	{ "bind", "f:1: bind wants keys and a command\n" },
	{ "bind F2", "f:1: bind wants keys and a command\n" },
	{ "bind F2 sumary", "f:1: no command 'sumary'; did you mean summary?\n" },
	{ "bind abc summary", "f:1: 'abc' is not one key or two\n" },
	{ "bind a-z summary", "f:1: 'a-z' is not one key or two\n" },
	{ "bind Esc summary", "f:1: Esc and C-c cannot be bound\n" },
	{ "bind C-c summary", "f:1: Esc and C-c cannot be bound\n" },
	{ "bind q<C-c> summary", "f:1: Esc and C-c cannot be bound\n" },
	{ "bind Enter prompt-left", "f:1: Enter is for typing in a prompt\n" },
	{ "bind x prompt-left", "f:1: x is for typing in a prompt\n" },
	{ "bind x set", "f:1: set needs words\n" },
	{ "theme = \033[2J", "f:1: a control character\n" },
	{ "\x7f", "f:1: a control character\n" },
};

START_TEST(bad_line_is_a_warning)
{
	parse(bad_lines[_i].line);
	if (bad_lines[_i].warning)
		ck_assert_str_eq(buf_text(&preferences.warnings), bad_lines[_i].warning);
	else
		ck_assert_uint_gt(preferences.warnings.len, 0);
	ck_assert(!options.theme && !options.is_ascii && options.top == 10 && options.group == -1);
	ck_assert(!preferences.n_set && !preferences.keymap.rows);
}
END_TEST

START_TEST(other_lines_count_beside_a_bad_one)
{
	parse("ascii\nwat\n\ntop = 4\nwat\n");
	ck_assert(options.is_ascii);
	ck_assert_int_eq(options.top, 4);
	ck_assert_str_eq(buf_text(&preferences.warnings),
			 "f:2: no option 'wat'\n"
			 "f:5: no option 'wat'\n");
}
END_TEST

START_TEST(hostile_lines_are_refused)
{
	size_t n = (size_t)1 << 20;
	char *line = xmalloc(n);

	memset(line, 'x', n);
	memcpy(line, "set color ", 10);
	parse_bytes(line, n);
	free(line);
	ck_assert_str_eq(buf_text(&preferences.warnings), "f:1: the line is too long\n");
	buf_clear(&text);
	buf_clear(&preferences.warnings);
	parse_bytes("top = 5\0\nascii\n", 15);
	ck_assert_str_eq(buf_text(&preferences.warnings), "f:1: a control character\n");
	ck_assert(options.is_ascii && options.top == 10);
	buf_clear(&text);
	buf_clear(&preferences.warnings);
	for (int i = 0; i < 1000; i++)
		buf_adds(&text, "wat\n");
	user_config_parse("f", &text, &options, words, &preferences);
	ck_assert_ptr_nonnull(strstr(buf_text(&preferences.warnings), "f:20: "));
	ck_assert_ptr_null(strstr(buf_text(&preferences.warnings), "f:21: "));
	ck_assert_ptr_nonnull(strstr(buf_text(&preferences.warnings), "f: and more\n"));
}
END_TEST

/* ---- reading files ---- */

static char path[300];

/* Read a file that the options do not name; the user's folder is the test's. */
static bool read_own(struct user_config *config)
{
	struct error err = ERROR_INIT;
	bool ok;

	setenv("XDG_CONFIG_HOME", temp_folder, 1);
	ok = user_config_read(config, true, &options, words, &preferences, &err);
	ck_assert(ok == (err.kind == ERR_NONE));
	return ok;
}

static void put(const char *content)
{
	struct buf buf = { 0 };
	struct error err = ERROR_INIT;

	temp_folder_path(path, sizeof path, "flametty/config");
	buf_adds(&buf, content);
	ck_assert_msg(user_file_replace(path, &buf, &err), "%s", err.text);
	buf_done(&buf);
}

static void check_file(const char *expected)
{
	struct buf buf = { 0 };
	struct error err = ERROR_INIT;

	ck_assert_int_eq(user_file_read(path, 10000, false, &buf, &err), USER_FILE_READ);
	ck_assert_str_eq(buf_text(&buf), expected);
	buf_done(&buf);
}

START_TEST(file_of_the_user_is_read)
{
	struct user_config config = { 0 };

	ck_assert(read_own(&config));
	ck_assert_str_eq(buf_text(&preferences.warnings), "");
	user_config_done(&config);
	config = (struct user_config){ 0 };
	put("top = 5\n");
	ck_assert(read_own(&config));
	ck_assert_int_eq(options.top, 5);
	user_config_done(&config);
	/* Not if the options forbid it. */
	begin("--no-config");
	config = (struct user_config){ 0 };
	ck_assert(read_own(&config));
	ck_assert_int_eq(options.top, 10);
	ck_assert_uint_eq(config.path.len, 0);
	user_config_done(&config);
}
END_TEST

/* A pipe or a folder in the place of the file stops nothing, and is not waited for. */
START_TEST(other_files_are_a_warning)
{
	struct user_config config = { 0 };

	put("");
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(_i ? mkfifo(path, 0600) : mkdir(path, 0700), 0);
	ck_assert(read_own(&config));
	ck_assert_ptr_nonnull(
		strstr(buf_text(&preferences.warnings), "flametty/config: not a regular file\n"));
	user_config_done(&config);
}
END_TEST

START_TEST(file_that_the_options_name_must_be_there)
{
	struct user_config config = { 0 };

	begin("--config=/nowhere/at/all");
	ck_assert(!read_own(&config));
	user_config_done(&config);
}
END_TEST

START_TEST(too_long_file_is_a_warning)
{
	struct user_config config = { 0 };
	char *line = xcalloc(70001, 1);

	memset(line, '#', 70000);
	put(line);
	free(line);
	ck_assert(read_own(&config));
	ck_assert_ptr_nonnull(strstr(buf_text(&preferences.warnings), "too long"));
	user_config_done(&config);
}
END_TEST

/* ---- writing ---- */

static void set_new(const char *name, const char *value)
{
	preferences_set(&preferences, name, value, true);
}

START_TEST(own_lines_are_rewritten)
{
	struct buf before = { 0 }, after = { 0 };
	struct error err = ERROR_INIT;

	buf_adds(&before,
		 "# mine\n"
		 "set colour file # not a comment\n"
		 "theme = dark\n"
		 "top = 5\n"
		 "set color heat\n"
		 "bind F2 summary\n"
		 "bind C-d copy\n"
		 "bind <C-d> back\n"
		 "set idle on\n"
		 "set fold runtime\n"
		 "set trunk on\n"
		 "garbage");
	preferences_set(&preferences, "idle", "on", false);
	set_new("color", "package");
	set_new("theme", "light");
	set_new("fold", "none");
	set_new("mouse", "off");
	ck_assert(preferences_bind(&preferences, "F2", "details", true, &err));
	ck_assert(preferences_bind(&preferences, "<C-d>", "copy", true, &err));
	ck_assert(preferences_bind(&preferences, "C-d", "details", true, &err));
	user_config_rewrite(&before, &preferences, &after);
	ck_assert_str_eq(buf_text(&after),
			 "# mine\n"
			 "set color package\n"
			 "set theme light\n"
			 "top = 5\n"
			 "bind F2 details\n"
			 "bind <C-d> details\n"
			 "set idle on\n"
			 "set fold none\n"
			 "garbage\n"
			 "set mouse off\n");
	buf_done(&before);
	buf_done(&after);
}
END_TEST

START_TEST(file_is_written_for_the_user_only)
{
	struct user_config config = { 0 };
	struct buf said = { 0 };
	struct stat info;

	put("# mine\n");
	ck_assert_int_eq(chmod(path, 0644), 0);
	ck_assert(read_own(&config));
	ck_assert(!user_config_write(&config, &preferences, &said));
	ck_assert_ptr_nonnull(strstr(buf_text(&said), "nothing was set or bound"));
	set_new("color", "file");
	buf_clear(&said);
	ck_assert(user_config_write(&config, &preferences, &said));
	ck_assert_ptr_nonnull(strstr(buf_text(&said), "wrote "));
	check_file("# mine\nset color file\n");
	ck_assert_int_eq(stat(path, &info), 0);
	ck_assert_uint_eq(info.st_mode & 0777, 0600);
	/* What was written is read. */
	preferences_done(&preferences);
	user_config_done(&config);
	config = (struct user_config){ 0 };
	ck_assert(read_own(&config));
	ck_assert_str_eq(preferences_get(&preferences, "color"), "file");
	ck_assert(!preferences.set[0].is_new);
	buf_done(&said);
	user_config_done(&config);
}
END_TEST

START_TEST(file_is_made_with_its_folder)
{
	struct user_config config = { 0 };
	struct buf said = { 0 };

	temp_folder_path(path, sizeof path, "flametty/config");
	ck_assert(read_own(&config));
	set_new("color", "file");
	ck_assert_msg(user_config_write(&config, &preferences, &said), "%s", buf_text(&said));
	check_file("# Settings of flametty: see flametty-config(5).\nset color file\n");
	buf_done(&said);
	user_config_done(&config);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, lines_are_taken);
	tcase_add_test(t, command_line_is_stronger);
	tcase_add_test(t, last_line_counts);
	tcase_add_loop_test(t, bad_line_is_a_warning, 0, N(bad_lines));
	tcase_add_test(t, other_lines_count_beside_a_bad_one);
	tcase_add_test(t, hostile_lines_are_refused);
	tcase_add_test(t, file_of_the_user_is_read);
	tcase_add_loop_test(t, other_files_are_a_warning, 0, 2);
	tcase_add_test(t, file_that_the_options_name_must_be_there);
	tcase_add_test(t, too_long_file_is_a_warning);
	tcase_add_test(t, own_lines_are_rewritten);
	tcase_add_test(t, file_is_written_for_the_user_only);
	tcase_add_test(t, file_is_made_with_its_folder);
}

int main(void)
{
	return suite_run("config", add_tests);
}
