/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places that are searched for the text of a source, and the message if none has it. */
#include "config.h"

#include "base/fingerprint.h"
#include "source/source_reader.c"
#include "suite.h"
#include "temp_folder.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define PATHS 500

static struct source_text text;

/* Create a file of the folder, with the folders above it. */
static void put(const char *name, const char *content)
{
	char path[PATHS];
	FILE *file;

	temp_folder_path(path, sizeof path, name);
	for (char *slash = path + strlen(temp_folder) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(content, file);
	fclose(file);
}

static void setup(void)
{
	temp_folder_enter();
	text = (struct source_text){ 0 };
}

static void teardown(void)
{
	source_text_done(&text);
	temp_folder_remove();
}

/* Find a text; @ in url, move and root is the folder. */
static const char *find(const char *url, const char *script, const char *moved, const char *root)
{
	char urls[4][PATHS];
	const char *from[] = { url, script, moved, root }, *move = urls[2];
	struct source_wanted wanted = { 0 };
	struct maps_options options = { 0 };

	for (size_t i = 0; i < 4; i++) {
		const char *at = from[i] ? strchr(from[i], '@') : NULL;

		snprintf(urls[i], PATHS, "%.*s%s%s", at ? (int)(at - from[i]) : 1000,
			 from[i] ? from[i] : "", at ? temp_folder : "", at ? at + 1 : "");
	}
	wanted.url = urls[0];
	wanted.script = script ? urls[1] : NULL;
	wanted.input = urls[3][0] == '/' ? NULL : "a.cpuprofile";
	options.moves = &move;
	options.n_moves = moved ? 1 : 0;
	options.source_root = root ? urls[3] : NULL;
	source_text_done(&text);
	source_find(&wanted, &options, &text);
	ck_assert_int_eq(text.is_found, text.said.len == 0 || text.bytes.len > 0);
	return text.is_found ? buf_text(&text.bytes) : NULL;
}

static const struct {
	const char *url, *moved, *root, *is; /* NULL: not found */
} places[] = {
	{ "file://@/app/a.js", NULL, NULL, "a();" },
	{ "@/app/a.js", NULL, NULL, "a();" },
	{ "file://@/app/b%20c.js", NULL, NULL, "b();" },
	{ "https://host/app/a.js", NULL, NULL, NULL },
	{ "https://host/app/a.js", "https://host=@", NULL, "a();" },
	{ "file:///gone/app/a.js", "/gone=@", NULL, "a();" },
	{ "file:///app/a.js", NULL, "@", "a();" },
	{ "https://host/app/a.js", NULL, "@", "a();" },
	{ "../../../app/a.js", NULL, "@", "a();" },
	{ "file://@/app", NULL, NULL, NULL },
	{ "file://@/app/pipe", NULL, NULL, NULL },
	{ "file://@/app/a.js/b", NULL, NULL, NULL },
	{ "/dev/zero", NULL, NULL, NULL },
	{ "node:fs", NULL, NULL, NULL },
	{ "data:text/javascript,d()%3B", NULL, NULL, "d();" },
	{ "data:text/javascript;base64,ZCgpOw==", NULL, NULL, "d();" },
	{ "data:text/javascript", NULL, NULL, NULL },
	{ "", NULL, NULL, NULL },
};

START_TEST(texts_are_files_of_this_machine)
{
	char pipe[PATHS];
	const char *is;

	put("app/a.js", "a();");
	put("app/b c.js", "b();");
	temp_folder_path(pipe, sizeof pipe, "app/pipe");
	ck_assert_int_eq(mkfifo(pipe, 0600), 0);
	is = find(places[_i].url, NULL, places[_i].moved, places[_i].root);
	if (!places[_i].is)
		ck_assert_ptr_null(is);
	else
		ck_assert_str_eq(is, places[_i].is);
}
END_TEST

START_TEST(paths_that_were_looked_at_are_said)
{
	char said[3 * PATHS];

	find("file:///gone/a\033.js", NULL, NULL, "@/root");
	snprintf(said, sizeof said,
		 "/gone/a^[.js: no such file\n%s/root/gone/a^[.js: no such file\n", temp_folder);
	ck_assert_str_eq(buf_text(&text.said), said);
}
END_TEST

START_TEST(texts_of_maps_come_first)
{
	put("src/a.ts", "from disk");
	put("dist/a.js", "a\n//# sourceMappingURL=a.js.map\n");
	put("dist/a.js.map",
	    "{\"version\":3,\"sources\":[\"../src/a.ts\",\"../src/b.ts\"],"
	    "\"sourcesContent\":[\"from \\u0061 map\",null],\"names\":[],\"mappings\":\"AAAA\"}");
	ck_assert_str_eq(find("@/src/a.ts", "@/dist/a.js", NULL, NULL), "from a map");
	ck_assert_ptr_nonnull(strstr(buf_text(&text.from), "a.ts (source map)"));
	ck_assert_str_eq(find("@/src/a.ts", NULL, NULL, NULL), "from disk");
	ck_assert_ptr_null(find("@/src/b.ts", "@/dist/a.js", NULL, NULL));
	ck_assert_ptr_nonnull(strstr(buf_text(&text.said), "its source map has no text of it\n"));
	put("src/b.ts", "b");
	ck_assert_str_eq(find("@/src/b.ts", "@/dist/a.js", NULL, NULL), "b");
	put("root/src/b.ts", "by root");
	ck_assert_str_eq(find("@/src/b.ts", "@/dist/a.js", NULL, "@/root"), "by root");
	/* The map of a map. */
	put("src/mid.js", "m\n//# sourceMappingURL=mid.js.map\n");
	put("src/mid.js.map",
	    "{\"version\":3,\"sources\":[\"first.ts\"],"
	    "\"sourcesContent\":[\"first\"],\"names\":[],\"mappings\":\"AAAA\"}");
	put("dist/a.js.map",
	    "{\"version\":3,\"sources\":[\"../src/mid.js\"],"
	    "\"names\":[],\"mappings\":\"AAAA\"}");
	ck_assert_str_eq(find("@/src/first.ts", "@/dist/a.js", NULL, NULL), "first");
	ck_assert_ptr_null(find("@/src/gone.ts", "@/gone.js", NULL, NULL));
	ck_assert_ptr_nonnull(strstr(buf_text(&text.said), "its source map is gone\n"));
}
END_TEST

START_TEST(long_files_are_not_read)
{
	char path[PATHS];

	put("long.js", "");
	temp_folder_path(path, sizeof path, "long.js");
	ck_assert_int_eq(truncate(path, (off_t)SOURCE_TEXT_MAX + 1), 0);
	ck_assert_ptr_null(find("@/long.js", NULL, NULL, NULL));
	ck_assert_ptr_nonnull(strstr(buf_text(&text.said), "longer than 64 MB"));
}
END_TEST

static void set_time(const char *name, time_t at)
{
	char path[PATHS];
	struct timespec times[2] = { { .tv_sec = at }, { .tv_sec = at } };

	temp_folder_path(path, sizeof path, name);
	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* Seconds since 1970 in UTC, by which the names of the tests are. */
#define RECORDED 1700000000

static const struct {
	bool has_date, is_utc;
	int64_t after_s; /* the file was changed so long after the recording began */
	bool is_newer;
} ages[] = {
	{ true, true, -1000, false }, { true, true, 5, false },  { true, true, 12, true },
	{ true, false, 12, true },    { true, false, 5, false }, { false, false, 12, true },
	{ false, false, -1, false },
};

START_TEST(files_newer_than_the_profile_are_told)
{
	char path[PATHS];
	struct source_wanted wanted = { .url = path,
					.has_date = ages[_i].has_date,
					.is_utc = ages[_i].is_utc,
					.date_s = RECORDED,
					.length_s = 10 };
	struct maps_options options = { 0 };

	setenv("TZ", "UTC", 1);
	tzset();
	put("a.js", "a");
	temp_folder_path(path, sizeof path, "a.js");
	set_time("a.js", RECORDED + ages[_i].after_s);
	/* The time of the profile's file counts only if nothing else tells when it was recorded. */
	wanted.changed_s = ages[_i].has_date ? RECORDED + 100000 : RECORDED;
	source_find(&wanted, &options, &text);
	ck_assert(text.is_found);
	ck_assert_int_eq(text.is_newer, ages[_i].is_newer);
	if (text.is_newer)
		ck_assert_int_eq(text.recorded_s, RECORDED + (ages[_i].has_date ? 11 : 0));
}
END_TEST

START_TEST(relative_paths_may_be_seen_from_the_profile)
{
	char input[PATHS];
	struct source_wanted wanted = { .url = "lib/a.js", .input = input };
	struct maps_options options = { 0 };

	put("sub/lib/a.js", "a");
	temp_folder_path(input, sizeof input, "sub/a.cpuprofile");
	source_find(&wanted, &options, &text);
	ck_assert_str_eq(buf_text(&text.bytes), "a");
}
END_TEST

/* ---- what may be read (tests/source-rules.sh has the rules) ---- */

/* A file outside the current directory, which is made `cwd`, in a project or alone. */
static void put_outside(void)
{
	put("cwd/p", "");
	put("project/package.json", "{}");
	put("project/src/lib/a.js", "a");
	put("project/src/lib/b.js", "b");
	put("project/src/c.js", "c");
	put("alone/d.js", "d");
	ck_assert_int_eq(chdir("cwd"), 0);
}

/* The text of a file of the folder, or NULL. Fills `text`. */
static const char *read_by(struct source_rules *rules, const char *name)
{
	struct maps_options options = { .rules = rules };
	char path[PATHS];

	temp_folder_path(path, sizeof path, name);
	source_text_done(&text);
	source_find(&(struct source_wanted){ .url = path }, &options, &text);
	return text.is_found ? buf_text(&text.bytes) : NULL;
}

static void answer(struct source_rules *rules, const char *name, enum source_answer what)
{
	char path[PATHS];

	temp_folder_path(path, sizeof path, name);
	source_rules_answer(rules, path, what);
}

START_TEST(only_the_interface_asks)
{
	struct source_rules rules;
	char path[PATHS];

	put_outside();
	ck_assert_ptr_null(read_by(NULL, "alone/d.js"));
	ck_assert_uint_eq(text.ask.len, 0);
	source_rules_init(&rules);
	ck_assert_ptr_null(read_by(&rules, "alone/d.js"));
	ck_assert_uint_eq(text.ask.len, 0);
	rules.may_ask = true;
	ck_assert_ptr_null(read_by(&rules, "alone/d.js"));
	temp_folder_path(path, sizeof path, "alone/d.js");
	ck_assert_str_eq(buf_text(&text.ask), path);
	temp_folder_path(path, sizeof path, "alone");
	ck_assert_str_eq(buf_text(&text.ask_below), path);
	/* The project is the nearest folder with a package.json. */
	ck_assert_ptr_null(read_by(&rules, "project/src/lib/a.js"));
	temp_folder_path(path, sizeof path, "project");
	ck_assert_str_eq(buf_text(&text.ask_below), path);
	source_rules_done(&rules);
}
END_TEST

/* The option is that of the first file that is outside. */
START_TEST(files_that_were_not_read_are_counted)
{
	struct source_rules rules;
	struct buf said = { 0 }, expect = { 0 };
	char path[PATHS];

	put_outside();
	source_rules_init(&rules);
	source_rules_tell(&rules, &said);
	ck_assert_str_eq(buf_text(&said), "");
	ck_assert_ptr_null(read_by(&rules, "alone/d.js"));
	source_rules_tell(&rules, &said);
	temp_folder_path(path, sizeof path, "alone");
	buf_addf(&expect,
		 "1 source file was not read: it is not below the current directory; "
		 "--source-root=%s reads it",
		 path);
	ck_assert_str_eq(buf_text(&said), buf_text(&expect));
	ck_assert_ptr_null(read_by(&rules, "project/src/c.js"));
	ck_assert_ptr_null(read_by(&rules, "project/src/c.js"));
	buf_clear(&said);
	buf_clear(&expect);
	source_rules_tell(&rules, &said);
	buf_addf(&expect,
		 "2 source files were not read: they are not below the current directory; "
		 "--source-root=%s reads what is below that",
		 path);
	ck_assert_str_eq(buf_text(&said), buf_text(&expect));
	buf_done(&said);
	buf_done(&expect);
	source_rules_done(&rules);
}
END_TEST

START_TEST(answers_are_about_folders)
{
	struct source_rules rules;

	put_outside();
	source_rules_init(&rules);
	rules.may_ask = true;
	answer(&rules, "project/src/lib", SOURCE_FILES);
	ck_assert_str_eq(read_by(&rules, "project/src/lib/a.js"), "a");
	ck_assert_str_eq(read_by(&rules, "project/src/lib/b.js"), "b");
	ck_assert_ptr_null(read_by(&rules, "project/src/c.js"));
	answer(&rules, "project", SOURCE_BELOW);
	ck_assert_str_eq(read_by(&rules, "project/src/c.js"), "c");
	answer(&rules, "alone", SOURCE_NEVER);
	ck_assert_ptr_null(read_by(&rules, "alone/d.js"));
	ck_assert_uint_eq(text.ask.len, 0);
	source_rules_done(&rules);
}
END_TEST

START_TEST(own_recordings_may_read_all)
{
	struct source_rules rules;

	put_outside();
	source_rules_init(&rules);
	rules.is_own = true;
	ck_assert_str_eq(read_by(&rules, "alone/d.js"), "d");
	rules.is_off = true;
	ck_assert_ptr_null(read_by(&rules, "alone/d.js"));
	source_rules_done(&rules);
}
END_TEST

static atomic_bool has_ended;

/* Let a path lead to a file inside and one outside in turn, as fast as possible. */
static void *swap(void *ctx)
{
	(void)ctx;
	while (!atomic_load(&has_ended)) {
		/* rename() replaces the link at once: there is always one. */
		if (symlink("inside", "next") != 0 || rename("next", "folder") != 0 ||
		    symlink("../alone", "next") != 0 || rename("next", "folder") != 0)
			break;
	}
	return NULL;
}

START_TEST(links_that_change_never_lead_outside)
{
	pthread_t thread;
	int n_read = 0, n = 0;

	put_outside();
	put("cwd/inside/d.js", "inside");
	ck_assert_int_eq(symlink("inside", "folder"), 0);
	atomic_store(&has_ended, false);
	ck_assert_int_eq(pthread_create(&thread, NULL, swap, NULL), 0);
	/* On a busy machine the thread may come late. */
	for (; n < 3000 || (n < 1000000 && (n_read == 0 || n_read == n)); n++) {
		const char *is = read_by(NULL, "cwd/folder/d.js");

		n_read += is != NULL;
		ck_assert(!is || strcmp(is, "inside") == 0);
	}
	atomic_store(&has_ended, true);
	pthread_join(thread, NULL);
	/* Both happened. */
	ck_assert_int_gt(n_read, 0);
	ck_assert_int_lt(n_read, n);
}
END_TEST

/* ---- the reader ---- */

static void read_all(bool waits)
{
	struct maps_options options = { 0 };
	struct jobs *r = source_reader_new(&options, waits);
	struct source_host host = source_reader_host(r);
	const struct source_text *first, *found;
	char paths[3][PATHS];

	for (int i = 0; i < 3; i++) {
		struct source_wanted wanted = { .url = paths[i] };
		char name[] = "a.js";

		name[0] = (char)('a' + i);
		if (i < 2)
			put(name, name);
		temp_folder_path(paths[i], PATHS, name);
		while (!(found = host.read(host.ctx, &wanted)))
			ck_assert(!waits);
		ck_assert_int_eq(found->is_found, i < 2);
		if (i < 2)
			ck_assert_str_eq(buf_text(&found->bytes), name);
	}
	/* A text stays, also when its file changes. */
	put("a.js", "changed");
	first = host.read(host.ctx, &(struct source_wanted){ .url = paths[0] });
	ck_assert_str_eq(buf_text(&first->bytes), "a.js");
	host.forget(host.ctx);
	while (!(first = host.read(host.ctx, &(struct source_wanted){ .url = paths[0] })))
		;
	ck_assert_str_eq(buf_text(&first->bytes), "changed");
	jobs_free(r);
}

/* A trace has the map of the script between other bytes. */
static const char trace[] =
	"{\"maps\": [{\"url\": \"https://h/dist/out.js\", \"sourceMapUrl\": \"out.js.map\", "
	"\"sourceMap\": {\"version\": 3, \"sources\": [\"../src/a.ts\"], "
	"\"sourcesContent\": [\"one();\"], \"names\": [], \"mappings\": \"AAAA\"}}, 5]}";

static const struct source_text *read_map(struct source_host *host, const struct fingerprint *print,
					  int64_t offset)
{
	const struct source_text *found;
	char path[PATHS];
	struct fingerprint copy = { 0 };

	temp_folder_path(path, sizeof path, "trace.json");
	fingerprint_copy(&copy, print);
	do {
		struct source_wanted wanted = { .url = "https://h/src/a.ts",
						.script = "https://h/dist/out.js",
						.map_path = path,
						.map_print = &copy,
						.map_offset = offset };

		found = host->read(host->ctx, &wanted);
		/* The reader has copies: the profile may be gone. */
		fingerprint_done(&copy);
		fingerprint_copy(&copy, print);
	} while (!found);
	fingerprint_done(&copy);
	return found;
}

START_TEST(map_inside_a_trace_is_read_again)
{
	struct maps_options options = { 0 };
	struct jobs *r = source_reader_new(&options, _i);
	struct source_host host = source_reader_host(r);
	struct fingerprint print = { 0 };
	const struct source_text *found;
	char path[PATHS];
	struct stat st;

	put("trace.json", trace);
	temp_folder_path(path, sizeof path, "trace.json");
	ck_assert_int_eq(stat(path, &st), 0);
	fingerprint_begin(&print, &st);
	found = read_map(&host, &print, strchr(trace, '[') + 1 - trace);
	ck_assert(found->is_found);
	ck_assert_str_eq(buf_text(&found->bytes), "one();");
	ck_assert_str_eq(buf_text(&found->from), "https://h/src/a.ts (source map)");
	/* Another place, another file: no text, and a reason. */
	host.forget(host.ctx);
	found = read_map(&host, &print, (int64_t)sizeof trace);
	ck_assert(!found->is_found);
	ck_assert_ptr_nonnull(strstr(buf_text(&found->said), "cannot be read again"));
	host.forget(host.ctx);
	put("other.json", trace);
	temp_folder_path(path, sizeof path, "other.json");
	ck_assert_int_eq(stat(path, &st), 0);
	fingerprint_done(&print);
	fingerprint_begin(&print, &st);
	found = read_map(&host, &print, strchr(trace, '[') + 1 - trace);
	ck_assert(!found->is_found);
	ck_assert_ptr_nonnull(strstr(buf_text(&found->said), "cannot be read again"));
	fingerprint_done(&print);
	jobs_free(r);
}
END_TEST

START_TEST(texts_are_read_on_threads)
{
	read_all(false);
}
END_TEST

START_TEST(texts_are_read_without_threads)
{
	read_all(true);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "find", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, texts_are_files_of_this_machine, 0, N(places));
	tcase_add_test(t, paths_that_were_looked_at_are_said);
	tcase_add_test(t, texts_of_maps_come_first);
	tcase_add_test(t, long_files_are_not_read);
	tcase_add_loop_test(t, files_newer_than_the_profile_are_told, 0, N(ages));
	tcase_add_test(t, relative_paths_may_be_seen_from_the_profile);
	tcase_add_test(t, only_the_interface_asks);
	tcase_add_test(t, files_that_were_not_read_are_counted);
	tcase_add_test(t, answers_are_about_folders);
	tcase_add_test(t, own_recordings_may_read_all);
	tcase_add_test(t, links_that_change_never_lead_outside);
	tcase_add_test(t, texts_are_read_on_threads);
	tcase_add_loop_test(t, map_inside_a_trace_is_read_again, 0, 2);
	tcase_add_test(t, texts_are_read_without_threads);
}

int main(void)
{
	return suite_run("source_find", add_tests);
}
