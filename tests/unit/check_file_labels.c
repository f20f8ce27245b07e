/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Labels of files by their paths and by options, and which files are wanted. */
#include "config.h"

#include "suite.h"
#include "temp_folder.h"

#include "base/units.h"
#include "model/build/builder.h"
#include "model/profile.h"
#include "read/load/file_labels.h"
#include "read/load/file_set.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Files of arguments: those in a directory `top`, or named by themselves. */
static struct file_set set_of(const char *const *paths, size_t n, bool is_below,
			      const struct file_labels_plan *plan)
{
	struct file_set set = { .labels = plan, .n_arguments = (uint32_t)n };

	if (is_below)
		*ARRAY_ADD(set.folders, set.n_folders,
			   set.cap_folders) = (struct set_folder){ .path = xstrdup("top") };
	for (size_t i = 0; i < n; i++)
		*ARRAY_ADD(set.files, set.n,
			   set.cap) = (struct set_file){ .path = xstrdup(paths[i]),
							 .bytes = 10,
							 .argument = is_below ? 0 : (uint32_t)i,
							 .folder = is_below,
							 .n_parts = 1 };
	set.bytes = 10 * (int64_t)n;
	return set;
}

/* The labels that the input of a file gets, `key=value key=value`. */
static void labels_of(const struct file_set *set, size_t file, struct buf *out)
{
	struct builder *b = builder_new(&(struct builder_options){ 0 });
	struct error err = ERROR_INIT;
	struct profile *p;

	file_labels_give(set, &set->files[file], b);
	builder_input(b, set->files[file].path);
	builder_accept_empty(b);
	p = builder_finish(b, &err);
	ck_assert_ptr_nonnull(p);
	labels_add(&p->labels, &p->strings, p->inputs[0].labels, out);
	ck_assert_int_eq(p->has_input_labels, out->len > 0);
	profile_free(p);
}

static const struct {
	const char *from, *path, *labels;
} matches[] = {
	{ "{version}/{host}/", "top/1.4.0/h07/a.cpuprofile", "version=1.4.0 host=h07" },
	/* what follows the template may be anything, and what precedes it may not */
	{ "{version}/{host}/", "top/1.4.0/h07/b/c/a", "version=1.4.0 host=h07" },
	{ "{host}/", "top/../a", "host=.." },
	{ "x/{host}/", "top/h/x/a/b", "" },
	/* a part needs a byte, and ends at a slash */
	{ "{version}/{host}/", "top/1.4.0/a", "" },
	{ "{host}/", "top/a", "" },
	{ "{a}-{b}.cpu", "top/-b.cpu", "" },
	{ "{a}-{b}.cpu", "top/a-.cpu", "" },
	{ "{a}-{b}/", "top/a/b-c/", "" },
	/* the first place where the rest of the template may follow */
	{ "{a}-{b}.cpu", "top/web-1-2.cpuprofile", "a=web b=1-2" },
	{ "{a}--{b}/", "top/x---y/z", "a=x b=-y" },
	{ "{a}aab/", "top/aaaaab/", "a=aaa" },
	{ "{a}", "top/all.of.it", "a=all.of.it" },
	{ "{a}", "top/dir/file", "a=dir" },
	{ "{}/{host}/", "top/any/h1/f", "host=h1" },
	{ "{}/{}/{host}", "top/1/2/h", "host=h" },
	/* several slashes, and bytes that are special elsewhere */
	{ "{host}/", "top///h1/f", "host=h1" },
	{ "{host}/{app}/", "top/h1//f", "" },
	{ "{host}/", "top/{x}=%s\\n/f", "host={x}=%s\\n" },
	{ "{host}/", "top/a\nb\033[31m/f", "host=a^Jb^[[31m" },
	{ "{host}/", "top/\377\376/f", "host=\357\277\275\357\277\275" },
	/* a path that is not below the directory is taken as it is */
	{ "{host}/", "h9/f", "host=h9" },
};

START_TEST(matches_paths)
{
	const struct file_labels_plan plan = { .from = matches[_i].from };
	struct file_set set = set_of(&matches[_i].path, 1, true, &plan);
	struct error err = ERROR_INIT;
	struct buf labels = { 0 };

	ck_assert_msg(file_labels_check(&plan, &err), "%s", err.text);
	labels_of(&set, 0, &labels);
	ck_assert_str_eq(buf_text(&labels), matches[_i].labels);
	buf_done(&labels);
	file_set_done(&set);
}
END_TEST

/* A part of a path of any length takes time by its length, however often the rest nearly follows.
 */
START_TEST(is_not_slow)
{
	const struct file_labels_plan plan = { .from = "{a}a-{b}a-{c}a-{d}a-{e}a-{f}ab/" };
	char *path = xmalloc(400001);
	struct file_set set;
	struct buf labels = { 0 };

	memset(path, 'a', 400000);
	for (size_t i = 1; i < 400000; i += 2)
		path[i] = '-';
	path[400000] = '\0';
	set = set_of((const char *const *)&path, 1, true, &plan);
	labels_of(&set, 0, &labels);
	ck_assert_str_eq(buf_text(&labels), "");
	file_set_done(&set);
	free(path);
}
END_TEST

/* Files that are named have their own path; `./` in front of it does not count. */
START_TEST(matches_named_files)
{
	static const char *const paths[] = { "h1/a", "./h2/a", ".//h3/a", "/h4/a" };
	static const char *const labels[] = { "host=h1", "host=h2", "host=h3", "" };
	const struct file_labels_plan plan = { .from = "{host}/" };
	struct file_set set = set_of(paths, ARRAY_LEN(paths), false, &plan);

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		struct buf found = { 0 };

		labels_of(&set, i, &found);
		ck_assert_str_eq(buf_text(&found), labels[i]);
		buf_done(&found);
	}
	file_set_done(&set);
}
END_TEST

/* `--label a=1 --label b=1 FILE --label a=2 FILE FILE --label c=3`, with a template. */
START_TEST(places_labels)
{
	static const char *const paths[] = { "x/f", "y/f", "z/f", "opened/f" };
	static const char *const texts[] = { "a=1", "b==", "a=2", "c=3" };
	static const char *const labels[] = { "d=x a=1 b== c=3", "d=y a=2 b== c=3",
					      "d=z a=2 b== c=3", "d=opened c=3" };
	static const int n_before[] = { 2, 3, 3 };
	struct file_labels_plan plan = { .texts = texts,
					 .n_texts = ARRAY_LEN(texts),
					 .n_before = n_before,
					 .n_arguments = 3,
					 .n_placed = 3,
					 .from = "{d}/" };
	struct file_set set = set_of(paths, ARRAY_LEN(paths), false, &plan);
	struct buf found = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		buf_clear(&found);
		labels_of(&set, i, &found);
		ck_assert_str_eq(buf_text(&found), labels[i]);
	}
	/* Without places all texts are for all, and those of the template come first. */
	plan.n_before = NULL;
	plan.from = "{a}/";
	buf_clear(&found);
	labels_of(&set, 0, &found);
	ck_assert_str_eq(buf_text(&found), "a=2 b== c=3");
	buf_done(&found);
	file_set_done(&set);
}
END_TEST

static const struct {
	const char *label, *from, *where, *error;
} wrongs[] = {
	{ "host", NULL, NULL, "--label wants KEY=VALUE, not 'host'" },
	{ "host=", NULL, NULL, "--label wants KEY=VALUE, not 'host='" },
	{ NULL, NULL, "host", "--where wants KEY=VALUE, not 'host'" },
	{ "=x", NULL, NULL, "--label: '' is no key" },
	{ " a=x", NULL, NULL, "--label: ' a' is no key" },
	{ "a\"b=x", NULL, NULL, "--label: 'a\"b' is no key" },
	{ "a\nb=x", NULL, NULL, "--label: 'a^Jb' is no key" },
	{ NULL, NULL, "\303\244=x", "--where: '\303\244' is no key" },
	{ NULL, "", NULL, "names no label" },
	{ NULL, "a/b", NULL, "names no label" },
	{ NULL, "{}/", NULL, "names no label" },
	{ NULL, "{host", NULL, "has a { without its }" },
	{ NULL, "{", NULL, "has a { without its }" },
	{ NULL, "{a}{b}/", NULL, "has two labels with nothing between them" },
	{ NULL, "{a}/{b}/{a}", NULL, "has a label twice" },
	{ NULL, "/{a}/", NULL, "begins with a slash" },
	{ NULL, "{a{b}/", NULL, "--label-from: 'a{b' is no key" },
	{ NULL, "{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h}/{i}/{j}/{k}/{l}/{m}/{n}/{o}/{p}/{q}", NULL,
	  "has more than 16 labels" },
};

START_TEST(refuses)
{
	const struct file_labels_plan plan = { .texts = &wrongs[_i].label,
					       .n_texts = wrongs[_i].label != NULL,
					       .from = wrongs[_i].from,
					       .where = &wrongs[_i].where,
					       .n_where = wrongs[_i].where != NULL };
	struct error err = ERROR_INIT;

	ck_assert(!file_labels_check(&plan, &err));
	ck_assert_int_eq(err.kind, ERR_USAGE);
	ck_assert_ptr_nonnull(strstr(err.text, wrongs[_i].error));
}
END_TEST

START_TEST(refuses_long_texts)
{
	char text[1200] = "k=";
	const char *is = text;
	const struct file_labels_plan plan = { .texts = &is, .n_texts = 1 };
	struct error err = ERROR_INIT;

	memset(text + 2, 'v', 1024);
	ck_assert(file_labels_check(&plan, &err));
	text[2 + 1024] = 'v';
	ck_assert(!file_labels_check(&plan, &err));
	memset(text, 'k', 64);
	strcpy(text + 64, "=v");
	ck_assert(file_labels_check(&plan, &err));
	memset(text, 'k', 65);
	strcpy(text + 65, "=v");
	ck_assert(!file_labels_check(&plan, &err));
}
END_TEST

static const struct {
	const char *where[3];
	bool is_apart;
	const char *kept, *said;
} filters[] = {
	{ { NULL }, false, "1/a/f 1/b/f 2/a/f 2/a/g ", "" },
	{ { "host=a" }, false, "1/a/f 2/a/f 2/a/g ", "" },
	{ { "host=a", "version=2" }, false, "2/a/f 2/a/g ", "" },
	{ { "host=a", "host=a" }, false, "1/a/f 2/a/f 2/a/g ", "" },
	/* a value is compared as a whole */
	{ { "host="
	    "ab" },
	  false,
	  "",
	  "flametty: --where: no file has host=ab; labels are host=a, host=b\n" },
	{ { "hos=a" },
	  false,
	  "",
	  "flametty: --where: no file has hos=a; labels are version, host\n" },
	{ { "host=a", "host=b" },
	  false,
	  "",
	  "flametty: --where: no file has host=a and host=b; labels are host=a, host=b\n" },
	{ { "host=b", "version=2" },
	  false,
	  "",
	  "flametty: --where: no file has host=b and version=2; labels are version=1, host=a, "
	  "host=b, version=2\n" },
	/* of runs, each needs a file */
	{ { "host=a" },
	  true,
	  "",
	  "flametty: --where: no file of 1/b/f has host=a; labels are host=a, host=b\n" },
};

START_TEST(filters_files)
{
	static const char *const paths[] = { "1/a/f", "1/b/f", "2/a/f", "2/a/g" };
	struct file_labels_plan plan = { .from = "{version}/{host}/", .where = filters[_i].where };
	struct file_set set = set_of(paths, ARRAY_LEN(paths), false, &plan);
	struct buf kept = { 0 }, said = { 0 }, note = { 0 };

	while (plan.n_where < 3 && plan.where[plan.n_where])
		plan.n_where++;
	set.is_apart = filters[_i].is_apart;
	ck_assert_uint_eq(file_labels_filter(&set, &said), *filters[_i].said != '\0');
	for (size_t i = 0; i < set.n; i++)
		buf_addf(&kept, "%s ", set.files[i].path);
	ck_assert_str_eq(buf_text(&kept), filters[_i].kept);
	ck_assert_str_eq(buf_text(&said), filters[_i].said);
	if (set.n && set.n < ARRAY_LEN(paths)) {
		buf_addf(&note, "--where leaves out %zu of 4 files", ARRAY_LEN(paths) - set.n);
		ck_assert_str_eq(buf_text(&set.note), buf_text(&note));
	} else {
		ck_assert_uint_eq(set.note.len, 0);
	}
	buf_done(&note);
	ck_assert_int_eq(set.bytes, 10 * (int64_t)set.n);
	buf_done(&kept);
	buf_done(&said);
	file_set_done(&set);
}
END_TEST

/* By the label `time`; without one, or if it is no time, by the date in the name of the file. */
START_TEST(filters_times)
{
	static const char *const paths[] = {
		"2026-11-28/a",
		"2026-11-29/a",
		"2026-11-30/a",
		"none/a",
		"none/CPU.20261129.120000.7.0.001.cpuprofile",
		"none/CPU.20261130.000000.7.0.001.cpuprofile",
		"2026-11-28/CPU.20261129.120000.7.0.001.cpuprofile",
	};
	struct file_labels_plan plan = { .from = "{time}/" };
	struct file_set set;
	struct buf said = { 0 }, kept = { 0 };

	ck_assert(date_parse_short("2026-11-29", &plan.from_s));
	ck_assert(date_parse_short("2026-11-30", &plan.to_s));
	set = set_of(paths, ARRAY_LEN(paths), false, &plan);
	ck_assert_uint_eq(file_labels_filter(&set, &said), 0);
	for (size_t i = 0; i < set.n; i++)
		buf_addf(&kept, "%s ", set.files[i].path);
	ck_assert_str_eq(buf_text(&kept),
			 "2026-11-29/a none/CPU.20261129.120000.7.0.001.cpuprofile ");
	ck_assert_str_eq(buf_text(&said), "");
	ck_assert_str_eq(buf_text(&set.note), "5 of 7 files are of other times");
	buf_done(&kept);
	file_set_done(&set);
	/* None at all is said. */
	set = set_of(paths + 3, 1, false, &plan);
	ck_assert_uint_eq(file_labels_filter(&set, &said), 1);
	ck_assert_str_eq(buf_text(&said), "flametty: no file is of this time\n");
	buf_done(&said);
	file_set_done(&set);
}
END_TEST

START_TEST(says_that_no_path_matches)
{
	static const char *const paths[] = { "top/a", "top/b" };
	const struct file_labels_plan plan = { .from = "{host}/" };
	struct file_set set = set_of(paths, 2, true, &plan);
	struct buf said = { 0 };

	ck_assert_uint_eq(file_labels_filter(&set, &said), 1);
	ck_assert_str_eq(buf_text(&said),
			 "flametty: --label-from: no path begins like '{host}/'; the first is a\n");
	ck_assert_uint_eq(set.n, 0);
	buf_done(&said);
	file_set_done(&set);
}
END_TEST

/* Of some paths, what it matches is loaded, and a note says that others have no labels. */
START_TEST(notes_other_paths)
{
	static const char *const paths[] = { "top/a/f", "top/b", "top/c" };
	const char *where = "host=a";
	struct file_labels_plan plan = { .from = "{host}/" };
	struct file_set set = set_of(paths, 3, true, &plan);
	struct buf said = { 0 };

	ck_assert_uint_eq(file_labels_filter(&set, &said), 0);
	ck_assert_str_eq(buf_text(&set.note),
			 "2 of 3 paths do not begin like the template of --label-from");
	buf_clear(&set.note);
	plan.where = &where;
	plan.n_where = 1;
	ck_assert_uint_eq(file_labels_filter(&set, &said), 0);
	ck_assert_str_eq(buf_text(&set.note),
			 "--where leaves out 2 of 3 files; 2 of 3 paths do not begin like the "
			 "template of --label-from");
	ck_assert_uint_eq(set.n, 1);
	ck_assert_uint_eq(said.len, 0);
	file_set_done(&set);
}
END_TEST

static void put_beside(const char *folder, const char *text)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof path, "%s/flametty.json", folder);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	ck_assert_int_eq(fclose(f), 0);
}

static const struct {
	const char *text, *labels;
	bool is_damaged;
} besides[] = {
	{ "{\"host\": \"h1\", \"n\": 7.50, \"a b\": \"\\u00e4\"}", "host=h1 n=7.50 a b=\303\244",
	  false },
	{ "{}", "", false },
	/* what is no label is passed over */
	{ "{\"labels\": {\"host\": \"x\"}, \"a\": null, \"b\": true, \"c\": [], \"d\": \"\", "
	  "\"e=\": \"x\", \"\": \"x\", \"host\": \"h2\"}",
	  "host=h2", false },
	{ "{\"host\": \"h1\", \"host\": \"h2\"}", "host=h2", false },
	{ "", "", true },
	{ "{\"host\": \"h1\"", "", true },
	{ "[\"host\"]", "", true },
	{ "\"host\"", "", true },
};

/* Labels of flametty.json, which is no file of its directory. */
START_TEST(reads_beside)
{
	const struct file_labels_plan plan = { 0 };
	struct file_set set = { .labels = &plan };
	struct error err = ERROR_INIT;
	struct buf said = { 0 }, labels = { 0 };
	char path[300];

	put_beside(temp_folder, besides[_i].text);
	temp_folder_path(path, sizeof path, "a");
	fclose(fopen(path, "w"));
	ck_assert(file_set_add(&set, temp_folder, NULL, &err));
	ck_assert_uint_eq(set.n, 2);
	ck_assert_uint_eq(file_labels_filter(&set, &said), 0);
	ck_assert_uint_eq(set.n, 1);
	ck_assert_uint_eq(set.folders[0].n_files, 1);
	labels_of(&set, 0, &labels);
	ck_assert_str_eq(buf_text(&labels), besides[_i].labels);
	ck_assert_int_eq(strstr(buf_text(&set.note), "no object of JSON") != NULL,
			 besides[_i].is_damaged);
	buf_done(&labels);
	file_set_done(&set);
}
END_TEST

/* A template replaces it, and an option both; each directory has its own. */
START_TEST(replaces_beside)
{
	static const char *const texts[] = { "c=option" };
	const struct file_labels_plan plan = { .from = "{b}/", .texts = texts, .n_texts = 1 };
	struct file_set set = { .labels = &plan, .is_recursive = true };
	struct error err = ERROR_INIT;
	struct buf said = { 0 }, labels = { 0 };
	char path[400];

	for (int i = 0; i < 3; i++) {
		char folder[300];

		snprintf(folder, sizeof folder, "%s/d%d", temp_folder, i);
		ck_assert_int_eq(mkdir(folder, 0700), 0);
		if (i != 1)
			put_beside(folder, i ? "{\"a\": 2}" : "{\"a\": 1, \"b\": 1, \"c\": 1}");
		snprintf(path, sizeof path, "%s/f", folder);
		fclose(fopen(path, "w"));
	}
	ck_assert(file_set_add(&set, temp_folder, NULL, &err));
	ck_assert_uint_eq(file_labels_filter(&set, &said), 0);
	ck_assert_uint_eq(set.n, 3);
	for (size_t i = 0; i < set.n; i++) {
		labels_of(&set, i, &labels);
		buf_addc(&labels, '\n');
	}
	ck_assert_str_eq(buf_text(&labels),
			 "a=1 b=d0 c=option\nb=d1 c=option\na=2 b=d2 c=option\n");
	buf_done(&labels);
	file_set_done(&set);
}
END_TEST

/* A list of many values is cut. */
START_TEST(cuts_lists)
{
	char names[400][16];
	const char *paths[400], *where = "host=no";
	const struct file_labels_plan plan = { .from = "{host}/", .where = &where, .n_where = 1 };
	struct buf said = { 0 };
	struct file_set set;

	for (int i = 0; i < 400; i++) {
		snprintf(names[i], sizeof names[i], "h%d/f", i);
		paths[i] = names[i];
	}
	set = set_of(paths, 400, false, &plan);
	ck_assert_uint_eq(file_labels_filter(&set, &said), 1);
	ck_assert_uint_lt(said.len, 320);
	ck_assert_str_eq(buf_text(&said) + said.len - 6, ", ...\n");
	buf_done(&said);
	file_set_done(&set);
}
END_TEST

/* What a sample has itself stays; what it lacks it gets. */
START_TEST(joins_sets)
{
	struct builder *b = builder_new(&(struct builder_options){ 0 });
	const struct builder_label own[] = { { .key = { "b", 1 }, .value = { "own", 3 } },
					     { .key = { "b", 1 }, .value = { "two", 3 } },
					     { .key = { "d", 1 }, .value = { "own", 3 } } };
	const struct builder_label more[] = { { .key = { "a", 1 }, .value = { "1", 1 } },
					      { .key = { "b", 1 }, .value = { "2", 1 } },
					      { .key = { "e", 1 }, .value = { "3", 1 } } };
	struct error err = ERROR_INIT;
	struct buf text = { 0 };
	struct profile *p;
	uint32_t set, joined;

	builder_input(b, "x");
	joined = builder_labels_set(b, more, 3);
	set = builder_labels_set(b, own, 3);
	ck_assert_uint_eq(builder_labels_join(b, 0, joined), joined);
	ck_assert_uint_eq(builder_labels_join(b, set, 0), set);
	joined = builder_labels_join(b, set, joined);
	builder_accept_empty(b);
	p = builder_finish(b, &err);
	labels_add(&p->labels, &p->strings, joined, &text);
	ck_assert_str_eq(buf_text(&text), "a=1 b=own, two b=own b=two e=3 d=own");
	buf_done(&text);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "labels", SUITE_SECONDS);

	tcase_add_loop_test(t, matches_paths, 0, N(matches));
	tcase_add_test(t, is_not_slow);
	tcase_add_test(t, matches_named_files);
	tcase_add_test(t, places_labels);
	tcase_add_loop_test(t, refuses, 0, N(wrongs));
	tcase_add_test(t, refuses_long_texts);
	tcase_add_loop_test(t, filters_files, 0, N(filters));
	tcase_add_test(t, filters_times);
	tcase_add_test(t, says_that_no_path_matches);
	tcase_add_test(t, notes_other_paths);
	tcase_add_test(t, cuts_lists);
	tcase_add_test(t, joins_sets);
	t = suite_case(suite, "beside", SUITE_SECONDS);
	tcase_add_checked_fixture(t, temp_folder_make, temp_folder_remove);
	tcase_add_loop_test(t, reads_beside, 0, N(besides));
	tcase_add_test(t, replaces_beside);
}

int main(void)
{
	return suite_run("file_labels", add_tests);
}
