/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line that y v copies shows the same again. */
#include "config.h"

#include "stage.h"
#include "story.h"

#include "runs.h"

#include "ui/app_state.h"
#include "ui/state.h"

#define ROWS 34
#define COLS 110

static void command(void *ctx, struct buf *out)
{
	(void)ctx;
	buf_adds(out, "flametty 'a b.cpuprofile'");
}

static const struct app_host host = { .command = command };
static const struct app_host silent_host = { 0 };

static void begin(const struct app_host *of)
{
	app = app_new(profile, &(struct app_options){ .host = of, .fold = FOLD_PACKAGES });
	app_resize(app, ROWS, COLS);
	draw();
}

static void setup(void)
{
	profile = runs_load(
		"20 main@/app/a.js:1>its@/app/b.js:3|30 main@/app/a.js:1>deep@"
		"/app/node_modules/lib/i.js:2>more@/app/node_modules/lib/i.js:9|40 (idle)|"
		"9 main@/app/a.js:1>emit@node:events:1|25 other@/app/c.js:5>twin@/app/c.js:7|"
		"25 other@/app/c.js:5>twin@/app/d.js:7");
	begin(&host);
}

/* What the keys have copied. */
static const char *copied(const char *keys)
{
	size_t len;

	play(keys);
	play("yv");
	return app_copied(app, &len);
}

/* The value of --keys, as a shell reads it, to be freed; NULL: there is none. */
static char *keys_of(const char *line)
{
	const char *p = strstr(line, " --keys=");
	struct buf out = { 0 };
	bool is_quoted = false;

	if (!p)
		return NULL;
	for (p += strlen(" --keys="); *p && (is_quoted || *p != ' '); p++)
		if (*p == '\'')
			is_quoted = !is_quoted;
		else if (*p == '\\' && !is_quoted && p[1])
			buf_addc(&out, *++p);
		else
			buf_addc(&out, *p);
	ck_assert(!is_quoted);
	buf_addc(&out, '\0');
	return out.data;
}

/* The picture without its last row, which says that something was copied. */
static char *rows(void)
{
	char *text = picture(false);
	char *end = strrchr(text, '\n');

	for (*end = '\0'; (end = strrchr(text, '\n')) != NULL && end[1] == '\0';)
		*end = '\0';
	if (end)
		*end = '\0';
	return text;
}

static const char *const keys[] = {
	"",
	"jl",
	"ww",
	"wwl",
	"2",
	"2jl",
	"2xv",
	"xi",
	"xp",
	"xOw",
	":focus main<Enter>",
	":hide it'?s<Enter>j",
	":drop ^(a|b)<lt>*|twin<Enter>",
	"xixpu",
	"/deep<Enter>",
	"/it'?s<Enter>w",
	"oc",
	"oi",
	":set color package<Enter>ww",
	"5",
	"5&m<Enter>",
	"6<Tab>",
	"8z",
	"9",
	"jj:10ms,60ms<Enter>",
	"g^j<Space>",
	"g^<Space>2<Space>j",
	"xi2<Space>",
	"o2",
	"o2q",
};

START_TEST(command_line_shows_the_same)
{
	char *typed, *before, *after;
	const char *line = copied(keys[_i]);

	ck_assert_msg(strncmp(line, "flametty 'a b.cpuprofile' --keys=", 33) == 0, "%s", line);
	typed = keys_of(line);
	before = rows();
	app_free(app);
	begin(&host);
	if (typed)
		play(typed);
	after = rows();
	ck_assert_msg(strcmp(before, after) == 0, "%s: %s\n%.1500s\n%.1500s", keys[_i], typed,
		      before, after);
	free(typed);
	free(before);
	free(after);
}
END_TEST

START_TEST(hidden_lanes_are_said)
{
	const char *line;

	stage_close();
	profile = story_load("{'traceEvents':["
			     "{'ph':'X','pid':1,'tid':1,'ts':0,'dur':100,'name':'a'},"
			     "{'ph':'X','pid':1,'tid':2,'ts':0,'dur':100,'name':'b'},"
			     "{'ph':'X','pid':1,'tid':3,'ts':0,'dur':100,'name':'c'}]}");
	begin(&host);
	line = copied("]H");
	ck_assert_msg(strstr(line, ":lanes hidden 2<Enter>:select-call 3") != NULL, "%s", line);
	app_free(app);
	begin(&host);
	play(":lanes hidden 2<Enter>");
	ck_assert(app->s.lanes[1].is_hidden && !app->s.lanes[0].is_hidden);
	play(":lanes 2<Enter>");
	ck_assert_ptr_nonnull(strstr(buf_text(&app->message), "lanes wants"));
}
END_TEST

/* The time of slices alone, and in an app that is made with the state of this one. */
START_TEST(time_of_slices_stays)
{
	struct app_state state;
	const char *line;

	stage_close();
	profile = story_load("{'traceEvents':["
			     "{'ph':'X','pid':1,'tid':1,'ts':0,'dur':100,'name':'a'},"
			     "{'ph':'X','pid':1,'tid':1,'ts':100,'dur':50,'name':'b (1)'},"
			     "{'ph':'X','pid':1,'tid':2,'ts':50,'dur':100,'name':'c'}]}");
	begin(&host);
	line = copied("lxd");
	ck_assert_msg(strstr(line, ":during slice:^b \\(1\\)$<Enter>") != NULL, "%s", line);
	app_state_get(app, &state);
	app_free(app);
	app = app_new(profile, &(struct app_options){ .host = &host, .state = &state });
	app_state_done(&state);
	ck_assert_uint_eq(app->transforms.n, 1);
	ck_assert_ptr_nonnull(app->transforms.list[0].set.during);
	ck_assert_int_eq(app->s.profile->lanes[0].busy_ns, 50000);
	ck_assert_int_eq(app->s.profile->lanes[1].busy_ns, 50000);
	play("u");
	ck_assert_int_eq(app->s.profile->lanes[0].busy_ns, 150000);
	play("<C-r>xd");
	ck_assert_int_eq(app->s.profile->lanes[0].busy_ns, 150000);
	play("<C-r>");
	ck_assert_int_eq(app->s.profile->lanes[0].busy_ns, 50000);
}
END_TEST

/* Two functions have the name: no pattern matches one of them. */
START_TEST(what_cannot_be_said_is_named)
{
	copied("/twin<Enter>xf");
	ck_assert_ptr_nonnull(strstr(buf_text(&app->message), "without focus twin"));
}
END_TEST

START_TEST(no_file_has_no_command_line)
{
	size_t len;

	app_free(app);
	begin(&silent_host);
	play("yv");
	ck_assert_ptr_nonnull(strstr(buf_text(&app->message), "no command line"));
	app_copied(app, &len);
	ck_assert_uint_eq(len, 0);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = tcase_create("copy view");

	suite_add_tcase(suite, t);
	tcase_add_checked_fixture(t, setup, stage_close);
	tcase_add_loop_test(t, command_line_shows_the_same, 0, (int)ARRAY_LEN(keys));
	tcase_add_test(t, hidden_lanes_are_said);
	tcase_add_test(t, time_of_slices_stays);
	tcase_add_test(t, what_cannot_be_said_is_named);
	tcase_add_test(t, no_file_has_no_command_line);
}

int main(void)
{
	return suite_run("copy_view", add_tests);
}
