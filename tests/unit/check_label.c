/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Labels of boxes and lanes: which text, how it is truncated, and that nothing from a file reaches
 * the terminal as it is. */
#include "config.h"

#include "base/text.h"
#include "layout/label.h"
#include "suite.h"

#include <string.h>

static struct profile profile;
static struct buf text;

static void setup(void)
{
	memset(&profile, 0, sizeof profile);
	text = (struct buf){ 0 };
	intern_init(&profile.strings);
	frame_table_init(&profile.frames);
}

static void teardown(void)
{
	frame_table_done(&profile.frames);
	intern_done(&profile.strings);
	buf_done(&text);
}

static frame_id add_frame(const char *name, const char *url, int line, int column)
{
	struct frame frame = { .category = CATEGORY_APP,
			       .name = intern_adds(&profile.strings, name),
			       .url = *url ? intern_adds(&profile.strings, url) : 0,
			       .line = line,
			       .column = column };

	return frame_table_add(&profile.frames, &frame);
}

static const struct {
	const char *name, *url;
	int line, room;
	const char *expect;
} cases[] = {
	{ "parse", "file:///x/app.js", 3, 20, "parse" },
	{ "(anonymous)", "file:///x/app.js", 12, 40, "(anonymous) app.js:12" },
	{ "(anonymous)", "file:///x/app.js", 12, 20, "(anonymous)" },
	{ "(anonymous)", "", 0, 40, "(anonymous)" },
	{ "aVeryLongNameOfAFunction", "", 0, 9, "aVer\342\200\246tion" },
	{ "red\033[31m", "", 0, 20, "red^[[31m" },
	{ "file:///srv/app/lib/parse.js", "", 0, 20, "parse.js" },
	{ "file:///srv/app/lib/index.js", "", 0, 20, "lib/index.js" },
	{ "https://example.com", "", 0, 20, "example.com" },
	{ "https://example.com/", "", 0, 20, "https://example.com/" },
};

START_TEST(label_of_a_box)
{
	frame_id f = add_frame(cases[_i].name, cases[_i].url, cases[_i].line, 5);

	label_box(&profile, f, cases[_i].room, &text);
	ck_assert_str_eq(buf_text(&text), cases[_i].expect);
}
END_TEST

START_TEST(label_never_exceeds_its_room)
{
	frame_id f = add_frame("a\346\274\242\345\255\227bcdefgh\033", "file:///x/app.js", 1, 1);

	for (int room = 1; room < 20; room++) {
		buf_clear(&text);
		label_frame(&profile, f, room, &text);
		ck_assert_int_le(text_cells(buf_text(&text), text.len), room);
	}
}
END_TEST

START_TEST(name_of_a_process)
{
	struct lane lane = { .pid = 7 };

	label_process(&profile, &lane, &text);
	ck_assert_str_eq(buf_text(&text), "process 7");
	buf_clear(&text);
	lane.process_name = intern_adds(&profile.strings, "Renderer");
	label_process(&profile, &lane, &text);
	ck_assert_str_eq(buf_text(&text), "Renderer (pid 7)");
	buf_clear(&text);
	lane = (struct lane){ .pid = 0 };
	label_process(&profile, &lane, &text);
	ck_assert_str_eq(buf_text(&text), "process 0");
	buf_clear(&text);
	lane = (struct lane){ .pid = -1 };
	label_process(&profile, &lane, &text);
	ck_assert_str_eq(buf_text(&text), "no process");
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "label", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, label_of_a_box, 0, N(cases));
	tcase_add_test(t, label_never_exceeds_its_room);
	tcase_add_test(t, name_of_a_process);
}

int main(void)
{
	return suite_run("label", add_tests);
}
