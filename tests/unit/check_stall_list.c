/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of flametty watch -f json, and its list of stalls: rows, lanes, and what damage costs.
 */
#include "config.h"

#include "trace_story.h"

#define TIME(t) "'time':'2026-11-23T03:12:" t "+01:00'"
#define BEGIN(t, pid, text)                                                                        \
	"{" TIME(t) ",'event':'begin','pid':" #pid ",'worker':0,'text':'" text "'}\n"
#define LINE(t, event, pid, worker, us, more)                                                      \
	"{" TIME(t) ",'event':'" event "','pid':" #pid ",'worker':" #worker                        \
		    ",'duration_us':" #us more "}\n"
#define BY(name) ",'text':'" name " a.js:1 90 %','function':{'name':'" name "','url':'a.js'}"

/* A row is: start in ms since the first one, length in ms, time, process, event, blame, file. */
static const struct {
	const char *text, *rows;
	uint64_t n_odd, n_cut; /* warnings */
} stories[] = {
	{ LINE("44.123", "stall", 7, 0, 2500, BY("f") ",'file':'CPU.1.cpuprofile'"),
	  "0+2 2026-11-23 03:12:44 [7] stall (f a.js:1 90 %) CPU.1.cpuprofile\n", 0, 0 },
	/* The name of a process, without directories; its worker has it, too; a number that is
	 * used again has another. */
	{ BEGIN("40.000", 7, "/usr/bin/node /srv/a.js") LINE("44.000", "stall", 7, 0, 1000, "")
		  LINE("45.000", "gc", 7, 2, 1000, "") BEGIN("46.000", 7, "bun /srv/b.js")
			  LINE("47.000", "busy", 7, 0, 1000, ""),
	  "0+1 2026-11-23 03:12:44 [7 a.js] stall ()\n"
	  "1000+1 2026-11-23 03:12:45 [7/2 a.js] gc ()\n"
	  "3000+1 2026-11-23 03:12:47 [7 bun b.js] busy ()\n",
	  0, 0 },
	/* What goes on is one row when it has ended. By time; directories of files do not count. */
	{ LINE("44.000", "open", 7, 0, 2000000, "") LINE("43.000", "series", 8, 0, 1000, "")
		  LINE("44.000", "stall", 7, 0, 9000000, ",'file':'x/../CPU.2.cpuprofile'")
			  LINE("55.000", "open", 7, 0, 2000000, ""),
	  "0+1 2026-11-23 03:12:43 [8] series ()\n"
	  "1000+9000 2026-11-23 03:12:44 [7] stall () CPU.2.cpuprofile\n"
	  "12000+2000 2026-11-23 03:12:55 [7] open ()\n",
	  0, 0 },
	/* Lines that say something else, and those of later versions. */
	{ LINE("44.000", "stall", 7, 0, 1000, "") LINE("45.000", "file", 7, 0, 1000, "")
		  LINE("46.000", "left-out", 7, 0, 1000, "") LINE("46.000", "new", 7, 0, 1, ""),
	  "0+1 2026-11-23 03:12:44 [7] stall ()\n", 0, 0 },
	/* Without a pid it is the address; hours apart are no stray. */
	{ LINE("44.000", "stall", 7, 0, 1000,
	       "") "{'time':'2026-11-23T09:12:44.000+01:00','event':'starved','address':'h:1','worker':0,"
		   "'duration_us':5000}\n",
	  "0+1 2026-11-23 03:12:44 [7] stall ()\n"
	  "21600000+5 2026-11-23 09:12:44 [h:1] starved ()\n",
	  0, 0 },
	/* Damage: of each line, only that line. */
	{ LINE("44.000", "stall", 7, 0, 1000, "") "{'time':'2026-11-2\n\n" LINE("45.000", "stall",
										7, 0, -1, "")
		  LINE("46.000", "stall", 7, 0, "many", "") "[1]\n{'event':'stall'}\n{'time':'today','event':'stall','duration_us':1}\n" LINE(
			  "47.000", "stall", 7, 0, 1000, "") "{'time':'2026-11-23T03:1",
	  "0+1 2026-11-23 03:12:44 [7] stall ()\n3000+1 2026-11-23 03:12:47 [7] stall ()\n", 6, 1 },
};

static uint64_t warnings(const struct profile *p, enum warning_kind kind)
{
	for (size_t i = 0; i < p->inputs[0].n_warnings; i++)
		if (p->inputs[0].warnings[i].kind == kind)
			return p->inputs[0].warnings[i].count;
	return 0;
}

START_TEST(lines_are_rows)
{
	struct profile *p = load(stories[_i].text);
	struct buf out = { 0 };

	for (size_t i = 0; i < p->stalls.n; i++) {
		const struct stall_entry *e = &p->stalls.all[i];

		buf_addf(&out, "%lld+%lld %s [%s] %s (%s)%s%s\n", (long long)(e->t0 / 1000000),
			 (long long)((e->t1 - e->t0) / 1000000), profile_text(p, e->time),
			 profile_text(p, e->process), profile_text(p, e->event),
			 profile_text(p, e->blame), e->file ? " " : "", profile_text(p, e->file));
	}
	ck_assert_str_eq(buf_text(&out), stories[_i].rows);
	ck_assert_uint_eq(warnings(p, WARN_ODD_LINE), stories[_i].n_odd);
	ck_assert_uint_eq(warnings(p, WARN_CUT_OFF), stories[_i].n_cut);
	buf_done(&out);
	profile_free(p);
}
END_TEST

START_TEST(threads_have_lanes)
{
	struct profile *p = load(LINE("44.000", "stall", 7, 0, 1000, BY("f")) LINE(
		"45.000", "stall", 8, 0, 1000, BY("g")) LINE("46.000", "stall", 7, 0, 1000, ""));
	struct stall_entry *e = p->stalls.all;

	ck_assert_uint_eq(p->n_lanes, 2);
	ck_assert_uint_eq(p->lanes[0].samples.n > 0, 1);
	ck_assert_str_eq(profile_text(p, profile_frame(p, e[0].frame)->name), "f");
	ck_assert_str_eq(profile_text(p, profile_frame(p, e[1].frame)->name), "g");
	ck_assert_str_eq(profile_text(p, profile_frame(p, e[2].frame)->name), "stall");
	ck_assert(p->inputs[0].has_date);
	/* 2026-11-23 03:12:44 of its own zone */
	ck_assert_int_eq(p->inputs[0].date_s, date_days(2026, 11, 23) * 86400 + 3 * 3600 + 764);
	profile_free(p);
}
END_TEST

START_TEST(a_list_without_stalls_is_none)
{
	struct error err = ERROR_INIT;
	char *text = quoted(BEGIN("44.000", 7, "node a.js"));

	ck_assert_ptr_null(load_bytes(text, strlen(text), &err));
	ck_assert_str_eq(err.text, "there are no stalls in it");
	free(text);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "stall_list", SUITE_SECONDS);

	tcase_add_loop_test(t, lines_are_rows, 0, (int)(sizeof stories / sizeof *stories));
	tcase_add_test(t, threads_have_lanes);
	tcase_add_test(t, a_list_without_stalls_is_none);
}

int main(void)
{
	return suite_run("stall_list", add_tests);
}
