/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Positions in source maps, against a plain reading of the segments. */
#include "config.h"

#include "base/buf.h"
#include "source/source_map.c"
#include "suite.h"

#include <string.h>

/* ---- a map that is made of known segments ---- */

#define SEGMENTS 600

struct made {
	struct mapping segments[SEGMENTS];
	int n;
	struct buf text;
};

static uint32_t seed;

static uint32_t next_random(uint32_t n)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 8) % n;
}

static void add_number(struct buf *out, int64_t value)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint64_t bits = value < 0 ? (uint64_t)-value << 1 | 1 : (uint64_t)value << 1;

	do {
		unsigned digit = bits & 31;

		bits >>= 5;
		buf_addc(out, digits[bits ? digit | 32 : digit]);
	} while (bits);
}

/* Random segments of 5 sources and 9 names. is_unordered: columns go back at times. */
static void make(struct made *m, bool is_unordered)
{
	struct mapping last = { 0 };
	uint32_t line = 0, column = 0;
	bool is_first = true;

	*m = (struct made){ 0 };
	while (m->n < SEGMENTS) {
		struct mapping *s = &m->segments[m->n];

		if (next_random(9) == 0) {
			uint32_t n = next_random(12) ? 1 : 1 + next_random(400);

			for (uint32_t i = 0; i < n; i++)
				buf_addc(&m->text, ';');
			line += n;
			column = 0;
			is_first = true;
			continue;
		}
		*s = (struct mapping){ line,         column,       MAPPING_NONE,
				       MAPPING_NONE, MAPPING_NONE, MAPPING_NONE };
		s->column += next_random(3) ? next_random(40) : 0;
		if (is_unordered && next_random(5) == 0)
			s->column -= next_random(s->column + 1);
		if (!is_first)
			buf_addc(&m->text, ',');
		is_first = false;
		add_number(&m->text, (int64_t)s->column - column);
		column = s->column;
		m->n++;
		if (next_random(8) == 0)
			continue;
		s->source = next_random(5);
		s->source_line = next_random(3000);
		s->source_column = next_random(200);
		add_number(&m->text, (int64_t)s->source - last.source);
		add_number(&m->text, (int64_t)s->source_line - last.source_line);
		add_number(&m->text, (int64_t)s->source_column - last.source_column);
		last.source = s->source;
		last.source_line = s->source_line;
		last.source_column = s->source_column;
		if (next_random(2)) {
			s->name = next_random(9);
			add_number(&m->text, (int64_t)s->name - last.name);
			last.name = s->name;
		}
	}
}

/* The rule of mappings_find(), by looking at all segments. */
static const struct mapping *find_plainly(const struct made *m, uint32_t line, uint32_t column,
					  bool is_last)
{
	const struct mapping *best = NULL;

	for (int i = 0; i < m->n; i++) {
		const struct mapping *s = &m->segments[i];

		if (s->line != line || s->column > column)
			continue;
		if (!best || s->column > best->column ||
		    (s->column == best->column && (s->column < column || is_last)))
			best = s;
	}
	return best;
}

START_TEST(segments_are_found)
{
	struct mapping found;
	struct mappings m;
	struct made made;

	seed = (uint32_t)_i + 1;
	make(&made, _i % 2);
	mappings_init(&m, (struct str){ made.text.data, made.text.len }, 5, 9);
	ck_assert_ptr_null(m.why);
	ck_assert_uint_eq(m.n, SEGMENTS);
	ck_assert_uint_eq(m.n_bad, 0);
	for (int i = 0; i < 3000; i++) {
		const struct mapping *near = &made.segments[next_random(SEGMENTS)], *is;
		uint32_t column = near->column + next_random(9);
		bool is_last = next_random(2);

		column -= next_random(column + 1) % 5;
		is = find_plainly(&made, near->line, column, is_last);
		ck_assert_int_eq(mappings_find(&m, near->line, column, is_last, &found),
				 is != NULL);
		if (is)
			ck_assert_mem_eq(&found, is, sizeof(found));
	}
	ck_assert(!mappings_find(&m, m.n_lines + 1, 0, false, &found));
	mappings_done(&m);
	buf_done(&made.text);
}
END_TEST

START_TEST(lines_begin_with_their_first_segment)
{
	struct mapping found;
	struct mappings m;
	struct made made;

	seed = (uint32_t)_i + 100;
	make(&made, false);
	mappings_init(&m, (struct str){ made.text.data, made.text.len }, 5, 9);
	for (int i = 0; i < made.n; i++) {
		bool is_first = i == 0 || made.segments[i - 1].line != made.segments[i].line;

		if (!is_first)
			continue;
		ck_assert(mappings_first(&m, made.segments[i].line, &found));
		ck_assert_mem_eq(&found, &made.segments[i], sizeof(found));
	}
	mappings_done(&m);
	buf_done(&made.text);
}
END_TEST

/* ---- broken texts ---- */

static const struct {
	const char *text;
	size_t bad_at; /* SIZE_MAX: the text is good */
	uint64_t n, n_bad;
} texts[] = {
	{ "", SIZE_MAX, 0, 0 },
	{ ";;;", SIZE_MAX, 0, 0 },
	{ "AAAA,,;,AAAA", SIZE_MAX, 2, 0 },
	{ "AAAA,A?AA", 6, 1, 0 },
	{ "AAAA,AAAg", 9, 1, 0 },                      /* the last number is not complete */
	{ "gggggggB", 7, 0, 0 },                       /* more than 32 bits */
	{ "AA,AAA,AAAAAA", SIZE_MAX, 3, 3 },           /* 2, 3 and 6 numbers */
	{ "AEAA,AAAA", SIZE_MAX, 2, 2 },               /* source 2 of 2, and again */
	{ "AADA,AACA", SIZE_MAX, 2, 1 },               /* line -1, then 0 */
	{ "AAAAE,AAAAD", SIZE_MAX, 2, 1 },             /* name 2 of 2, then 1 */
	{ "+/////D,+/////D,+/////D", SIZE_MAX, 3, 1 }, /* columns beyond 2^31 */
};

START_TEST(broken_texts_are_used_as_far_as_they_go)
{
	struct mappings m;

	mappings_init(&m, (struct str){ texts[_i].text, strlen(texts[_i].text) }, 2, 2);
	ck_assert_int_eq(m.why == NULL, texts[_i].bad_at == SIZE_MAX);
	if (m.why)
		ck_assert_uint_eq(m.bad_at, texts[_i].bad_at);
	ck_assert_uint_eq(m.n, texts[_i].n);
	ck_assert_uint_eq(m.n_bad, texts[_i].n_bad);
	mappings_done(&m);
}
END_TEST

/* ---- maps ---- */

static struct source_map *read_map(const char *json, char **bytes, struct error *err)
{
	size_t n = strlen(json);

	*bytes = xcalloc(n + 64, 1);
	memcpy(*bytes, json, n);
	return source_map_read((struct str){ *bytes, n }, err);
}

/* Line:column > path line:column name; - for no source. */
static void check_place(struct source_map *map, uint32_t line, uint32_t column, const char *expect)
{
	struct source_place place;
	struct buf text = { 0 };

	if (source_map_find(map, line, column, &place)) {
		buf_addf(&text, "%s %u:%u ", map->sources[place.source].path, place.line,
			 place.column);
		source_map_name(map, place.name, &text);
	} else {
		buf_addc(&text, '-');
	}
	ck_assert_str_eq(buf_text(&text), expect);
	buf_done(&text);
}

/* A source takes many times its two bytes in the text. */
START_TEST(sources_are_limited)
{
	struct error err = ERROR_INIT;
	struct buf json = { 0 };
	struct source_map *map;
	char *bytes;

	buf_adds(&json, "{\"version\":3,\"names\":[],\"mappings\":\"AAAA,C+hhD\",\"sources\":[0");
	for (int i = 0; i < 1000000; i++)
		buf_adds(&json, ",0");
	buf_adds(&json, "]}");
	map = read_map(buf_text(&json), &bytes, &err);
	ck_assert_ptr_nonnull(map);
	ck_assert_uint_eq(map->n_sources, 1000000);
	ck_assert_ptr_nonnull(strstr(buf_text(&map->problems), "1,000,000 sources"));
	source_map_free(map);
	free(bytes);
	buf_done(&json);
}
END_TEST

START_TEST(members_are_read)
{
	static const char json[] =
		")]}'\n{\"version\":3,\"names\":[\"f\\u00fcr\"],\"mappings\":\"AAAA,IACAA\",\"x\":[{}],"
		"\"sourceRoot\":\"src\",\"sources\":[\"a.js\",null],"
		"\"sourcesContent\":[\"let a;\\n\"],\"ignoreList\":[0]}";
	struct error err = ERROR_INIT;
	struct buf text = { 0 };
	struct source_map *map;
	char *bytes;

	map = read_map(json, &bytes, &err);
	ck_assert_ptr_nonnull(map);
	ck_assert_uint_eq(map->n_sources, 2);
	ck_assert_ptr_null(map->sources[1].path);
	ck_assert(map->sources[0].is_ignored);
	ck_assert(!map->sources[1].is_ignored);
	check_place(map, 0, 3, "src/a.js 0:0 ");
	check_place(map, 0, 4, "src/a.js 1:0 f\xc3\xbcr");
	check_place(map, 1, 4, "-");
	ck_assert(source_map_content(map, 0, &text));
	ck_assert_str_eq(buf_text(&text), "let a;\n");
	ck_assert(!source_map_content(map, 1, &text));
	buf_done(&text);
	source_map_free(map);
	free(bytes);
}
END_TEST

/* A section ends where the next begins; a nested one ends with the section around it. */
START_TEST(sections_are_joined)
{
#define MAP(name)                                                                                  \
	"{\"version\":3,\"sources\":[\"" name "\"],\"names\":[],\"mappings\":\"AAAA,UAAU;AACA\"}"
	static const char json[] =
		"{\"version\":3,\"sections\":[{\"offset\":{\"line\":0,\"column\":5},\"map\":" MAP("a") "},{\"offset\":{\"line\":0,\"column\":12},\"map\":" MAP(
			"b") "},{\"offset\":{\"line\":2,\"column\":0},\"map\":{\"version\":3,\"sections\":["
			     "{\"offset\":{\"line\":0,\"column\":0},\"map\":" MAP("c") "},{\"offset\":{\"line\":9,\"column\":0},\"map\":" MAP(
				     "d") "}]}},"
					  "{\"offset\":{\"line\":3,\"column\":0},\"map\":" MAP(
						  "e") "},"
						       "{\"offset\":{\"line\":5,\"column\":0},\"url\":\"f.map\"}]}";
#undef MAP
	struct error err = ERROR_INIT;
	struct source_map *map;
	char *bytes;

	map = read_map(json, &bytes, &err);
	ck_assert_ptr_nonnull(map);
	check_place(map, 0, 4, "-");
	check_place(map, 0, 5, "a 0:0 ");
	check_place(map, 0, 11, "a 0:0 ");
	check_place(map, 0, 12, "b 0:0 ");
	check_place(map, 0, 22, "b 0:10 ");
	check_place(map, 1, 0, "b 1:10 ");
	check_place(map, 2, 30, "c 0:10 ");
	check_place(map, 3, 0, "e 0:0 ");
	check_place(map, 11, 0, "-");
	ck_assert_ptr_nonnull(strstr(buf_text(&map->problems), "files of their own"));
	source_map_free(map);
	free(bytes);
}
END_TEST

static const struct {
	const char *json, *why;
} refused[] = {
	{ "", "no object" },
	{ "[]", "no object" },
	{ "{\"version\":3", "the text ends" },
	{ "{\"version\":3,\"sources\":[]}", "no mappings" },
	{ "{\"version\":2,\"mappings\":\"\"}", "another version" },
	{ "{\"version\":3,\"mappings\":null}", "no mappings" },
};

START_TEST(what_is_no_map_is_refused)
{
	struct error err = ERROR_INIT;
	char *bytes;

	ck_assert_ptr_null(read_map(refused[_i].json, &bytes, &err));
	ck_assert_msg(strstr(err.text, refused[_i].why), "%s", err.text);
	free(bytes);
}
END_TEST

static const struct {
	const char *json, *problem;
} doubtful[] = {
	{ "{\"version\":3,\"sources\":[\"a\"],\"mappings\":\"AAAA,A!\"}", "broken at byte 47" },
	{ "{\"version\":3,\"sources\":[],\"mappings\":\"AAAA\"}", "1 of 1 segments" },
	{ "{\"version\":3,\"sections\":[{}]}", "no offset" },
	{ "{\"version\":3,\"sections\":[{\"offset\":{}}]}", "no map" },
	{ "{\"version\":3,\"sections\":[{\"offset\":{},\"map\":7}]}", "no object" },
};

START_TEST(doubtful_maps_say_why)
{
	struct error err = ERROR_INIT;
	struct source_map *map;
	char *bytes;

	map = read_map(doubtful[_i].json, &bytes, &err);
	ck_assert_ptr_nonnull(map);
	ck_assert_msg(strstr(buf_text(&map->problems), doubtful[_i].problem), "%s",
		      buf_text(&map->problems));
	source_map_free(map);
	free(bytes);
}
END_TEST

/* Sections within sections, 1000 deep: they end, and say so. */
START_TEST(deep_sections_end)
{
	struct error err = ERROR_INIT;
	struct buf json = { 0 };
	struct source_map *map;
	char *bytes;

	for (int i = 0; i < 1000; i++)
		buf_adds(&json, "{\"version\":3,\"sections\":[{\"offset\":{},\"map\":");
	buf_adds(&json, "{\"version\":3,\"mappings\":\"\"}");
	for (int i = 0; i < 1000; i++)
		buf_adds(&json, "}]}");
	map = read_map(buf_text(&json), &bytes, &err);
	ck_assert_ptr_nonnull(map);
	ck_assert_ptr_nonnull(strstr(buf_text(&map->problems), "too deeply"));
	source_map_free(map);
	free(bytes);
	buf_done(&json);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "mappings", SUITE_SECONDS);

	tcase_add_loop_test(t, segments_are_found, 0, 40);
	tcase_add_loop_test(t, lines_begin_with_their_first_segment, 0, 10);
	tcase_add_loop_test(t, broken_texts_are_used_as_far_as_they_go, 0, N(texts));
	t = suite_case(suite, "maps", SUITE_SECONDS);
	tcase_add_test(t, sources_are_limited);
	tcase_add_test(t, members_are_read);
	tcase_add_test(t, sections_are_joined);
	tcase_add_loop_test(t, what_is_no_map_is_refused, 0, N(refused));
	tcase_add_loop_test(t, doubtful_maps_say_why, 0, N(doubtful));
	tcase_add_test(t, deep_sections_end);
}

int main(void)
{
	return suite_run("mappings", add_tests);
}
