/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which map a script gets, and what functions are called then. */
#include "config.h"

#include "model/profile.h"
#include "read/load/load.h"
#include "source/maps.c"
#include "suite.h"
#include "temp_folder.h"

#include <string.h>

/* ---- paths ---- */

static const struct {
	const char *base, *path, *is;
} paths[] = {
	{ "/srv/dist/a.js.map", "../src/a.ts", "/srv/src/a.ts" },
	{ "/srv/dist/a.js.map", "./x/../a.ts", "/srv/dist/a.ts" },
	{ "/a.js.map", "../../a.ts", "/a.ts" },
	{ "dist/a.js.map", "../../a.ts", "../a.ts" },
	{ "a.js.map", "a.ts", "a.ts" },
	{ "file:///srv/dist/a.js", "../src/a.ts", "file:///srv/src/a.ts" },
	{ "https://h/dist/a.js", "/src/a.ts", "/src/a.ts" },
	{ "/srv/a.js", "webpack://app/./src/a.ts", "webpack://app/src/a.ts" },
	{ "/srv/a.js", "webpack:///../a.ts", "webpack:///a.ts" },
};

START_TEST(paths_are_resolved)
{
	struct buf out = { 0 };

	map_path_resolve(paths[_i].base, paths[_i].path, &out);
	ck_assert_str_eq(buf_text(&out), paths[_i].is);
	buf_done(&out);
}
END_TEST

static const struct {
	const char *url, *path; /* NULL: no file of this machine */
} locals[] = {
	{ "file:///srv/a%20b.js", "/srv/a b.js" },
	{ "/srv/a%20b.js", "/srv/a%20b.js" },
	{ "file://localhost/srv/a.js", "/srv/a.js" },
	{ "file://host/srv/a.js", NULL },
	{ "https://host/a.js", NULL },
	{ "node:fs", NULL },
	{ "", NULL },
};

START_TEST(only_files_of_this_machine_are_local)
{
	struct buf out = { 0 };

	ck_assert_int_eq(map_path_local(locals[_i].url, &out), locals[_i].path != NULL);
	ck_assert_str_eq(buf_text(&out), locals[_i].path ? locals[_i].path : "");
	buf_done(&out);
}
END_TEST

/* ---- comments and data: urls ---- */

static const struct {
	const char *script, *url;
} comments[] = {
	{ "a();\n//# sourceMappingURL=a.js.map\n", "a.js.map" },
	{ "a();\n//@ sourceMappingURL=a.js.map", "a.js.map" },
	{ "/*# sourceMappingURL=a.css.map*/", "a.css.map" },
	{ "//# sourceMappingURL=old.map\n//# sourceMappingURL=new.map\n", "new.map" },
	{ "var s = 'sourceMappingURL=no.map';", "" },
	{ "sourceMappingURL=a", "" },
	{ "", "" },
};

START_TEST(last_comment_counts)
{
	struct str url = map_text_url(
		(struct str){ comments[_i].script, strlen(comments[_i].script) });

	ck_assert_uint_eq(url.len, strlen(comments[_i].url));
	ck_assert_mem_eq(url.p, comments[_i].url, url.len);
}
END_TEST

static const struct {
	const char *url, *text; /* NULL: none */
} urls[] = {
	{ "data:application/json;base64,eyJ2IjozfQ==", "{\"v\":3}" },
	{ "data:application/json;charset=utf-8;base64,eyJ2IjozfQ", "{\"v\":3}" },
	{ "data:application/json,%7B%22v%22:3%7D", "{\"v\":3}" },
	{ "data:;base64,e?", NULL },
	{ "data:application/json", NULL },
};

START_TEST(data_urls_are_decoded)
{
	struct error err = ERROR_INIT;
	struct map_text text;
	bool ok = map_text_decode(&text, (struct str){ urls[_i].url, strlen(urls[_i].url) }, &err);

	ck_assert_int_eq(ok, urls[_i].text != NULL);
	if (ok)
		ck_assert_str_eq(text.bytes, urls[_i].text);
	else
		ck_assert(err.kind != ERR_NONE);
	map_text_done(&text);
}
END_TEST

/* ---- the end of a script ---- */

static void put(const char *name, const char *text);

/* The comment is found behind much text, and whole if it is much text itself. */
START_TEST(end_of_a_script_has_its_comment)
{
	struct buf script = { 0 }, comment = { 0 };
	struct error err = ERROR_INIT;
	struct map_text text;
	char path[400];
	struct str url;

	for (int i = 0; i < 3000; i++)
		buf_adds(&script, i % 100 ? "a();" : "a();\n");
	buf_adds(&comment, _i ? "data:," : "a.js.map");
	for (int i = 0; _i && i < 30000; i++)
		buf_addc(&comment, 'x');
	buf_addf(&script, "\n//# sourceMappingURL=%s", buf_text(&comment));
	put("script.js", buf_text(&script));
	snprintf(path, sizeof path, "%s/script.js", temp_folder);
	ck_assert(read_file(&text, open(path, O_RDONLY), path, END_BYTES, MAP_TEXT_MAX, &err));
	url = map_text_url((struct str){ text.bytes, text.len });
	ck_assert_uint_eq(url.len, comment.len);
	ck_assert_mem_eq(url.p, comment.data, url.len);
	map_text_done(&text);
	buf_done(&script);
	buf_done(&comment);
}
END_TEST

/* ---- whole profiles ---- */

/* `a` of out.js 1:10 and the script itself; the map: sources 0 and 1 of index.ts and lib.ts. */
static const char profile_text_of[] =
	"{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\",\"scriptId\":\"0\","
	"\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1},\"children\":[2]},"
	"{\"id\":2,\"callFrame\":{\"functionName\":\"\",\"scriptId\":\"7\",\"url\":\"%s\","
	"\"lineNumber\":0,\"columnNumber\":0},\"children\":[3]},"
	"{\"id\":3,\"callFrame\":{\"functionName\":\"a\",\"scriptId\":\"7\",\"url\":\"%s\","
	"\"lineNumber\":0,\"columnNumber\":10},\"positionTicks\":[{\"line\":1,\"ticks\":2},"
	"{\"line\":2,\"ticks\":3}]}],"
	"\"startTime\":0,\"endTime\":3000,\"samples\":[3,3,3],\"timeDeltas\":[0,1000,1000]}";

/* Column 9, of the name, is index.ts 2:9 "first"; line 2 is lib.ts 5. */
static const char map_with_text[] =
	"{\"version\":3,\"sources\":[\"../src/index.ts\",\"../node_modules/lib/lib.ts\"],"
	"\"sourcesContent\":[\"// one\\nfunction first(n) {}\\n\"],\"names\":[\"declared\"],"
	"\"mappings\":\"AAAA,SACSA;ACGT\"}";
static const char map_without_text[] =
	"{\"version\":3,\"sources\":[\"../src/index.ts\",\"../node_modules/lib/lib.ts\"],"
	"\"names\":[\"declared\"],\"mappings\":\"AAAA,SACSA;ACGT\"}";

static void put(const char *name, const char *text)
{
	char path[400];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", temp_folder, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static void put_profile(const char *url)
{
	char text[2000];

	snprintf(text, sizeof text, profile_text_of, url, url);
	put("p.cpuprofile", text);
}

/* A script in dist/, with its map beside it. url: of the script; NULL: its path. */
static void put_dist(const char *url, const char *map)
{
	char text[500];

	snprintf(text, sizeof text, "%s/dist", temp_folder);
	ck_assert_int_eq(mkdir(text, 0700), 0);
	snprintf(text, sizeof text, "%s/dist/out.js", temp_folder);
	put_profile(url ? url : text);
	put("dist/out.js.map", map);
}

static struct profile *load(struct maps_options maps)
{
	struct load_options options = { .maps = maps };
	struct load_result result;
	static char path[400];
	char *files[] = { path };

	snprintf(path, sizeof path, "%s/p.cpuprofile", temp_folder);
	options.files = files;
	options.n_files = 1;
	load_all(&options, &result);
	ck_assert_msg(result.profile != NULL, "%s", buf_text(&result.messages));
	buf_done(&result.messages);
	return result.profile;
}

/* `name url:line:column` of the node. */
static void check_node(const struct profile *p, node_id node, const char *name, const char *url_end,
		       int line, int column)
{
	const struct frame *f = profile_node_frame(p, &p->lanes[0], node);
	const char *url = profile_text(p, f->url);

	ck_assert_str_eq(profile_text(p, f->name), name);
	ck_assert_msg(strlen(url) >= strlen(url_end) &&
			      strcmp(url + strlen(url) - strlen(url_end), url_end) == 0,
		      "%s", url);
	ck_assert_int_eq(f->line, line);
	ck_assert_int_eq(f->column, column);
}

/* Only the user knows whether it is of the script that ran. */
START_TEST(map_beside_the_profile_is_noted)
{
	struct profile *p;

	put_profile("file:///no/such/dist/out.js");
	put("out.js.map", map_with_text);
	p = load((struct maps_options){ 0 });
	ck_assert_ptr_null(p->other);
	ck_assert_uint_eq(p->inputs[0].n_notes, 1);
	ck_assert_ptr_nonnull(
		strstr(profile_text(p, p->inputs[0].notes[0].text), "/out.js.map gives"));
	profile_free(p);
}
END_TEST

/* A profile of a hundred scripts: out0.js and so on. */
static void put_scripts(void)
{
	BUF_LOCAL text = { 0 };

	buf_adds(&text, "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"}}");
	for (int i = 0; i < 100; i++)
		buf_addf(&text,
			 ",{\"id\":%d,\"parent\":1,\"callFrame\":{\"functionName\":\"f\","
			 "\"url\":\"file:///no/such/dist/out%d.js\",\"lineNumber\":1}}",
			 i + 2, i);
	buf_adds(&text,
		 "],\"startTime\":0,\"endTime\":20,\"samples\":[2,3],\"timeDeltas\":[0,10]}");
	put("p.cpuprofile", buf_text(&text));
}

/* The folder is read instead of looking for a hundred files. */
START_TEST(a_map_of_many_scripts_is_noted)
{
	static const struct {
		const char *file;
		uint32_t n;
	} cases[] = { { "out99.js", 0 }, { "other.MAP", 0 }, { "out99.js.map", 1 } };
	struct profile *p;

	put_scripts();
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		put(cases[i].file, map_with_text);
		p = load((struct maps_options){ 0 });
		ck_assert_uint_eq(p->inputs[0].n_notes, cases[i].n);
		ck_assert(
			!cases[i].n ||
			strstr(profile_text(p, p->inputs[0].notes[0].text), "/out99.js.map gives"));
		profile_free(p);
	}
}
END_TEST

START_TEST(functions_have_the_names_of_the_source)
{
	struct profile *p;
	char url[500], source[500];

	snprintf(url, sizeof url, "file://%s/dist/out.js", temp_folder);
	snprintf(source, sizeof source, "%s/src/index.ts", temp_folder);
	put_dist(url, map_with_text);
	p = load((struct maps_options){ 0 });
	ck_assert_ptr_nonnull(p->other);
	check_node(p, 2, "first", source, 2, 10);
	/* The script is no function of one of its two sources. */
	check_node(p, 1, "(anonymous)", "/dist/out.js", 1, 1);
	ck_assert_str_eq(profile_text(p, other_names_of(p, p->lanes[0].tree.frame[2])->name), "a");
	ck_assert_ptr_null(other_names_of(p, p->lanes[0].tree.frame[1]));
	profile_free(p);
	p = load((struct maps_options){ .is_off = true });
	ck_assert_ptr_null(p->other);
	check_node(p, 2, "a", "out.js", 1, 11);
	profile_free(p);
}
END_TEST

/* Names go back and forth, with the lines of ticks: those of line 1 have no single source. */
START_TEST(names_are_swapped)
{
	struct profile *p;
	struct lane *lane;

	put_dist(NULL, map_with_text);
	p = load((struct maps_options){ 0 });
	lane = &p->lanes[0];
	ck_assert_uint_eq(lane->n_ticks, 1);
	ck_assert_int_eq(lane->ticks[0].line, 5);
	ck_assert_uint_eq(lane->ticks[0].ticks, 3);
	other_names_swap(p);
	check_node(p, 2, "a", "out.js", 1, 11);
	ck_assert_uint_eq(lane->n_ticks, 2);
	ck_assert_str_eq(profile_text(p, other_names_of(p, lane->tree.frame[2])->name), "first");
	other_names_swap(p);
	check_node(p, 2, "first", "index.ts", 2, 10);
	ck_assert_uint_eq(lane->n_ticks, 1);
	profile_free(p);
}
END_TEST

/* The frame of a node by the other names. */
static const char *other_name(const struct profile *p, node_id node)
{
	const struct frame *f = other_names_of(p, p->lanes[0].tree.frame[node]);

	return f ? profile_text(p, f->name) : "-";
}

/* A profile of x, y, z and w of out.js, nested in this order. Places are mapped in the order of the
 * script, which has z first, so that functions have other numbers by their other names. z and w are
 * both copies of `copied`. */
static struct profile *load_shuffled(void)
{
	static const char node[] =
		",{\"id\":%d,\"callFrame\":{\"functionName\":\"%c\",\"scriptId\":\"7\",\"url\":"
		"\"%s/out.js\",\"lineNumber\":0,\"columnNumber\":%d}%s}";
	struct buf text = { 0 };

	put("out.js.map",
	    "{\"version\":3,\"sources\":[\"a.ts\"],\"sourcesContent\":[\"function "
	    "copied() {}\\nfunction one() {}\\nfunction two() {}\"],\"names\":[],"
	    "\"mappings\":\"AAAS,UACA,UACA,UAFA\"}");
	buf_adds(&text,
		 "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\","
		 "\"scriptId\":\"0\",\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1},"
		 "\"children\":[2]}");
	buf_addf(&text, node, 2, 'x', temp_folder, 10, ",\"children\":[3]");
	buf_addf(&text, node, 3, 'y', temp_folder, 20, ",\"children\":[4]");
	buf_addf(&text, node, 4, 'z', temp_folder, 2, ",\"children\":[5]");
	buf_addf(&text, node, 5, 'w', temp_folder, 30, "");
	buf_adds(&text,
		 "],\"startTime\":0,\"endTime\":3000,\"samples\":[5,5,5],"
		 "\"timeDeltas\":[0,1000,1000]}");
	put("p.cpuprofile", buf_text(&text));
	buf_done(&text);
	return load((struct maps_options){ 0 });
}

START_TEST(each_name_has_its_other_name)
{
	struct profile *p = load_shuffled();

	check_node(p, 1, "one", "a.ts", 2, 10);
	check_node(p, 2, "two", "a.ts", 3, 10);
	check_node(p, 3, "copied", "a.ts", 1, 10);
	check_node(p, 4, "copied", "a.ts", 1, 10);
	ck_assert_str_eq(other_name(p, 1), "x");
	ck_assert_str_eq(other_name(p, 2), "y");
	ck_assert_str_eq(other_name(p, 3), "z");
	other_names_swap(p);
	check_node(p, 1, "x", "out.js", 1, 11);
	ck_assert_str_eq(other_name(p, 1), "one");
	ck_assert_str_eq(other_name(p, 2), "two");
	ck_assert_str_eq(other_name(p, 3), "copied");
	ck_assert_str_eq(other_name(p, 4), "copied");
	profile_free(p);
}
END_TEST

/* A function of the source is all its copies in scripts, and each copy is that function. */
START_TEST(functions_are_found_by_their_other_names)
{
	struct profile *p = load_shuffled();
	const frame_id *frame = p->lanes[0].tree.frame;
	uint8_t source[8] = { 0 }, script[8] = { 0 };

	ck_assert_uint_le(p->frames.n, 8);
	source[frame[3]] = 1;
	other_names_swap(p);
	frame = p->lanes[0].tree.frame;
	other_names_find(p, source, script);
	ck_assert(!script[frame[1]] && !script[frame[2]] && script[frame[3]] && script[frame[4]]);
	memset(source, 0, sizeof(source));
	memset(script, 0, sizeof(script));
	script[frame[4]] = 1;
	other_names_swap(p);
	frame = p->lanes[0].tree.frame;
	other_names_find(p, script, source);
	ck_assert(!source[frame[1]] && !source[frame[2]] && source[frame[3]]);
	profile_free(p);
}
END_TEST

/* ---- maps inside a trace ---- */

/* A trace with a sample of `a` of out.js. maps: of the member sourceMaps. */
static void put_trace(const char *maps, bool is_first)
{
	static const char events[] =
		"\"traceEvents\":[{\"ph\":\"P\",\"pid\":1,\"tid\":1,\"name\":\"Profile\",\"ts\":1000,"
		"\"id\":\"0x1\",\"args\":{\"data\":{\"startTime\":1000}}},{\"ph\":\"P\",\"pid\":1,"
		"\"tid\":1,\"name\":\"ProfileChunk\",\"ts\":2000,\"id\":\"0x1\",\"args\":{\"data\":{"
		"\"cpuProfile\":{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\","
		"\"scriptId\":0}},{\"id\":2,\"parent\":1,\"callFrame\":{\"functionName\":\"a\","
		"\"scriptId\":7,\"url\":\"https://h/dist/out.js\",\"lineNumber\":0,"
		"\"columnNumber\":10}}],\"samples\":[2,2]},\"timeDeltas\":[1000,1000]}}}]";
	struct buf text = { 0 };

	buf_addf(&text, "{%s%s\"metadata\":{\"sourceMaps\":%s}%s%s}", is_first ? "" : events,
		 is_first ? "" : ",", maps, is_first ? "," : "", is_first ? events : "");
	put("p.cpuprofile", buf_text(&text));
	buf_done(&text);
}

/* of: the map of a script; its place in the list does not matter, nor what else is there. */
static const struct {
	const char *before, *after;
} lists[] = {
	{ "[", "]" },
	{ "[{\"url\":\"https://h/other.js\",\"sourceMap\":{\"version\":3}},", "]" },
	{ "[{\"no\":[1,{}]} , 7,\"text\", ", ",{\"url\":\"https://h/other.js\"}]" },
};

START_TEST(maps_of_a_trace_are_read)
{
	struct buf list = { 0 };
	struct profile *p;

	buf_addf(&list,
		 "%s{\"url\":\"https://h/dist/out.js\",\"sourceMapUrl\":\"out.js.map\","
		 "\"sourceMap\":%s}%s",
		 lists[_i / 2].before, map_with_text, lists[_i / 2].after);
	put_trace(buf_text(&list), _i % 2);
	p = load((struct maps_options){ 0 });
	check_node(p, 1, "first", "https://h/src/index.ts", 2, 10);
	ck_assert(!profile_warns(p, WARN_SOURCE_MAP));
	profile_free(p);
	p = load((struct maps_options){ .is_off = true });
	check_node(p, 1, "a", "out.js", 1, 11);
	profile_free(p);
	buf_done(&list);
}
END_TEST

/* Only maps of scripts that ran are read; others may be broken. */
START_TEST(maps_of_other_scripts_are_not_read)
{
	struct profile *p;

	put_trace("[{\"url\":\"https://h/other.js\",\"sourceMap\":{\"version\":4}}]", _i);
	p = load((struct maps_options){ 0 });
	check_node(p, 1, "a", "out.js", 1, 11);
	ck_assert(!profile_warns(p, WARN_SOURCE_MAP));
	ck_assert_uint_eq(p->inputs[0].n_notes, 1);
	ck_assert_str_eq(profile_text(p, p->inputs[0].notes[0].text),
			 "1 source map of scripts without functions here");
	profile_free(p);
}
END_TEST

/* Code that the map calls that of others is a dependency, by both names of the list. */
START_TEST(ignored_sources_are_dependencies)
{
	static const char *const names[] = { "ignoreList", "x_google_ignoreList", "none" };
	struct buf map = { 0 };
	struct profile *p;

	buf_addf(&map, "{\"%s\":[0],%s", names[_i], map_with_text + 1);
	put_dist(NULL, buf_text(&map));
	p = load((struct maps_options){ 0 });
	check_node(p, 2, "first", "index.ts", 2, 10);
	ck_assert_int_eq(profile_node_frame(p, &p->lanes[0], 2)->category,
			 _i < 2 ? CATEGORY_DEPENDENCY : CATEGORY_APP);
	profile_free(p);
	buf_done(&map);
}
END_TEST

START_TEST(name_of_the_declaration_without_text)
{
	struct profile *p;

	put_dist(NULL, map_without_text);
	p = load((struct maps_options){ 0 });
	check_node(p, 2, "declared", "/src/index.ts", 2, 10);
	profile_free(p);
}
END_TEST

/* Names are as long as JavaScript counts them. Of the columns 8, 9 and 10 only 9 is declared. */
START_TEST(names_are_counted_in_units_of_utf_16)
{
	static const struct {
		const char *name;
		int units;
	} names[] = { { "a", 1 },
		      { "\303\251", 1 },
		      { "\346\227\245b", 2 },
		      { "\360\235\220\261", 2 },
		      { "a\360\235\220\261", 3 } };

	char folder[300];

	temp_folder_path(folder, sizeof folder, "dist");
	ck_assert_int_eq(mkdir(folder, 0700), 0);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct profile *p;
		BUF_LOCAL text = { 0 };

		buf_addf(&text,
			 "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},"
			 "\"children\":[2]},{\"id\":2,\"callFrame\":{\"functionName\":\"%s\","
			 "\"url\":\"%s/dist/out.js\",\"lineNumber\":0,\"columnNumber\":%d}}],"
			 "\"startTime\":0,\"endTime\":2000,\"samples\":[2,2],"
			 "\"timeDeltas\":[0,1000]}",
			 names[i].name, temp_folder, 9 + names[i].units);
		put("p.cpuprofile", buf_text(&text));
		put("dist/out.js.map",
		    "{\"version\":3,\"sources\":[\"../src/index.ts\",\"../src/b.ts\"],"
		    "\"names\":[\"other\",\"declared\"],"
		    "\"mappings\":\"AAAA,QACQA,CAACC,CAACD\"}");
		p = load((struct maps_options){ 0 });
		check_node(p, 1, "declared", "/src/index.ts", 2, 11);
		profile_free(p);
	}
}
END_TEST

START_TEST(text_from_source_root)
{
	struct profile *p;
	char folder[400];

	put_dist(NULL, map_without_text);
	snprintf(folder, sizeof folder, "%s/src", temp_folder);
	ck_assert_int_eq(mkdir(folder, 0700), 0);
	put("src/index.ts", "//\nfunction other(n) {}\n");
	p = load((struct maps_options){ .source_root = temp_folder });
	check_node(p, 2, "other", "index.ts", 2, 10);
	profile_free(p);
}
END_TEST

START_TEST(prefixes_move_scripts)
{
	const char *move;
	struct profile *p;
	char text[500];

	put_profile("https://cdn.example/app/script.js");
	put("script.js", "a();\n//# sourceMappingURL=elsewhere.map\n");
	put("elsewhere.map", map_with_text);
	snprintf(text, sizeof text, "https://cdn.example/app=%s", temp_folder);
	move = text;
	p = load((struct maps_options){ .moves = &move, .n_moves = 1 });
	check_node(p, 2, "first", "https://cdn.example/src/index.ts", 2, 10);
	profile_free(p);
}
END_TEST

START_TEST(given_files_go_to_their_scripts)
{
	const char *file;
	struct profile *p;
	char path[400];

	put_profile("https://cdn.example/dist/out.js");
	put("other.map", map_with_text);
	snprintf(path, sizeof path, "%s/other.map", temp_folder);
	file = path;
	p = load((struct maps_options){ .files = &file, .n_files = 1 });
	check_node(p, 2, "first", "https://cdn.example/src/index.ts", 2, 10);
	profile_free(p);
}
END_TEST

/* The bundle's source is itself made from another one. */
START_TEST(maps_are_followed_to_the_first_source)
{
	struct profile *p;

	put_dist(NULL,
		 "{\"version\":3,\"sources\":[\"mid.js\",\"x.js\"],\"names\":[],"
		 "\"mappings\":\"AAAA,SAAS\"}");
	put("dist/mid.js.map",
	    "{\"version\":3,\"sources\":[\"top.ts\",\"y.ts\"],\"names\":[],"
	    "\"sourcesContent\":[\"\\n\\nfunction top() {}\"],"
	    "\"mappings\":\"AAAA,SAES\"}");
	p = load((struct maps_options){ 0 });
	check_node(p, 2, "top", "/dist/top.ts", 3, 10);
	profile_free(p);
}
END_TEST

START_TEST(broken_maps_are_warned_of)
{
	struct profile *p;

	put_dist(NULL, _i ? "{\"version\":3" : "{\"version\":3,\"sources\":[],\"mappings\":\"!\"}");
	p = load((struct maps_options){ 0 });
	ck_assert(profile_warns(p, WARN_SOURCE_MAP));
	check_node(p, 2, "a", "out.js", 1, 11);
	profile_free(p);
}
END_TEST

START_TEST(times_stay)
{
	struct profile *with, *without;

	put_dist(NULL, map_with_text);
	with = load((struct maps_options){ 0 });
	without = load((struct maps_options){ .is_off = true });
	ck_assert_uint_eq(with->lanes[0].tree.n, without->lanes[0].tree.n);
	ck_assert_mem_eq(with->lanes[0].tree.is_outer, without->lanes[0].tree.is_outer,
			 with->lanes[0].tree.n);
	ck_assert_int_eq(with->lanes[0].busy_ns, without->lanes[0].busy_ns);
	profile_free(with);
	profile_free(without);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "texts", SUITE_SECONDS);

	tcase_add_loop_test(t, paths_are_resolved, 0, N(paths));
	tcase_add_loop_test(t, only_files_of_this_machine_are_local, 0, N(locals));
	tcase_add_loop_test(t, last_comment_counts, 0, N(comments));
	tcase_add_loop_test(t, data_urls_are_decoded, 0, N(urls));
	t = suite_case(suite, "profiles", SUITE_SECONDS);
	tcase_add_checked_fixture(t, temp_folder_enter, temp_folder_remove);
	tcase_add_loop_test(t, end_of_a_script_has_its_comment, 0, 2);
	tcase_add_test(t, map_beside_the_profile_is_noted);
	tcase_add_test(t, a_map_of_many_scripts_is_noted);
	tcase_add_test(t, functions_have_the_names_of_the_source);
	tcase_add_test(t, names_are_swapped);
	tcase_add_loop_test(t, maps_of_a_trace_are_read, 0, 2 * N(lists));
	tcase_add_loop_test(t, maps_of_other_scripts_are_not_read, 0, 2);
	tcase_add_loop_test(t, ignored_sources_are_dependencies, 0, 3);
	tcase_add_test(t, each_name_has_its_other_name);
	tcase_add_test(t, functions_are_found_by_their_other_names);
	tcase_add_test(t, name_of_the_declaration_without_text);
	tcase_add_test(t, names_are_counted_in_units_of_utf_16);
	tcase_add_test(t, text_from_source_root);
	tcase_add_test(t, prefixes_move_scripts);
	tcase_add_test(t, given_files_go_to_their_scripts);
	tcase_add_test(t, maps_are_followed_to_the_first_source);
	tcase_add_loop_test(t, broken_maps_are_warned_of, 0, 2);
	tcase_add_test(t, times_stay);
}

int main(void)
{
	return suite_run("source_maps", add_tests);
}
