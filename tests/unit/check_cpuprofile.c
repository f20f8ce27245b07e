/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of CPU profiles on broken files: every document cut at every byte, with
 * every byte changed, and failing to be read at every byte, gives a profile or an error. */
#include "config.h"

#include "load_text.h"
#include "suite.h"

#include "base/alloc.h"
#include "read/load/load_file.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const char *const docs[] = {
	"{\"nodes\": [{\"id\": 1, \"callFrame\": {\"functionName\": \"(root)\", \"scriptId\": \"0\", \"url\": \"\", \"lineNumber\": -1, \"columnNumber\": -1}, \"hitCount\": 0, \"children\": [2, 3]},\n"
	"{\"id\": 2, \"callFrame\": {\"functionName\": \"(idle)\", \"scriptId\": \"0\", \"url\": \"\", \"lineNumber\": -1, \"columnNumber\": -1}, \"hitCount\": 1},\n"
	"{\"id\": 3, \"callFrame\": {\"functionName\": \"handle\", \"scriptId\": \"81\", \"url\": \"file:///srv/app.js\", \"lineNumber\": 4, \"columnNumber\": 15}, \"hitCount\": 2, \"positionTicks\": [{\"line\": 7, \"ticks\": 2}]}],\n"
	"\"startTime\": 2555762223, \"endTime\": 2555766000, \"samples\": [2, 3, 3], \"timeDeltas\": [900, 1010, 985]}",

	"{\"samples\":[2,\"x7\",4,2.0,null],\"timeDeltas\":[0,1.5,-1,1e2,\"7\",3],\"title\":\"\\u00e4\\ud83d\\ude00\",\"nodes\":[{\"id\":1,\"functionName\":\"(root)\"},"
	"{\"id\":2,\"parent\":1,\"deoptReason\":\"why\\n\",\"callFrame\":{\"functionName\":\"\\u001b[2J\",\"lineNumber\":\"3\"}},{\"id\":\"x7\",\"parent\":2,\"callFrame\":null},null,7]}",

	"{\"head\":{\"functionName\":\"(root)\",\"scriptId\":\"0\",\"url\":\"\",\"lineNumber\":0,\"columnNumber\":0,\"hitCount\":0,\"callUID\":1,\"id\":1,\"children\":["
	"{\"functionName\":\"handler\",\"scriptId\":\"5\",\"url\":\"file:///srv/old.js\",\"lineNumber\":10,\"columnNumber\":3,\"hitCount\":2,\"bailoutReason\":\"no reason\",\"id\":3,\"children\":[]}]},"
	"\"startTime\":2.5,\"endTime\":2.5004,\"samples\":[3,3],\"timestamps\":[2500200,2500300]}",

	"[{\"profile\":{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},\"children\":[2]},{\"id\":2,\"hitCount\":3,\"callFrame\":{\"functionName\":\"a\"}}]}},"
	"{\"result\":{\"profile\":{\"nodes\":[{\"id\":5,\"callFrame\":{}}],\"samples\":[5,5],\"timeDeltas\":[1,2]}}}]",

	"{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},\"children\":[1,2,9]},{\"id\":2,\"callFrame\":{\"functionName\":\"(garbage collector)\"},\"children\":[1]},"
	"{\"id\":2,\"callFrame\":{\"functionName\":\"(program)\"}}],\"samples\":[1,2,1,77,2],\"timeDeltas\":[1,1,1,1,1]}\n{\"nodes\":[{\"id\":1}],\"samples\":[1]} tail",
};

static void check_sound(const struct profile *p)
{
	ck_assert_uint_gt(p->n_lanes, 0);
	for (uint32_t k = 0; k < p->n_lanes; k++) {
		const struct lane *l = &p->lanes[k];

		for (node_id i = 1; i < l->tree.n; i++) {
			ck_assert_uint_lt(l->tree.parent[i], i);
			ck_assert_uint_lt(l->tree.frame[i], p->frames.n);
		}
		for (size_t i = 0; i < l->samples.n; i++) {
			ck_assert_uint_lt(l->samples.leaf[i], l->tree.n);
			ck_assert_int_le(samples_time(&l->samples, i),
					 samples_time(&l->samples, i + 1));
		}
		ck_assert_int_le(l->t1, p->t1);
		ck_assert_int_ge(l->t0, 0);
	}
}

static bool has_warning(const struct profile *p, const char *kind)
{
	for (size_t i = 0; i < p->inputs[0].n_warnings; i++)
		if (strcmp(warning_name(p->inputs[0].warnings[i].kind), kind) == 0)
			return true;
	return false;
}

START_TEST(whole)
{
	struct error err = ERROR_INIT;
	struct profile *p = load_text(docs[_i], strlen(docs[_i]), SIZE_MAX, NULL, &err);

	ck_assert_msg(p != NULL, "document %d: %s", _i, err.text);
	check_sound(p);
	ck_assert(!has_warning(p, "cut-off"));
	profile_free(p);
}
END_TEST

START_TEST(cut_at_every_byte)
{
	size_t len = strlen(docs[_i]);

	for (size_t at = 0; at < len; at++) {
		/* A copy of exactly this size, so that a sanitizer sees a read beyond. */
		char *copy = xmalloc(at ? at : 1);
		struct error err = ERROR_INIT;
		struct profile *p;

		memcpy(copy, docs[_i], at);
		p = load_text(copy, at, SIZE_MAX, NULL, &err);
		if (p) {
			check_sound(p);
			profile_free(p);
		} else {
			ck_assert_int_ne(err.kind, ERR_NONE);
			ck_assert_int_ne(err.text[0], '\0');
			ck_assert_int_le(err.offset, (int64_t)at);
		}
		free(copy);
	}
}
END_TEST

/* A file that is cut off within the nodes is an error; cut off later, its samples are used. */
START_TEST(cut_behind_the_nodes_is_used)
{
	const char *doc = docs[0];
	size_t end = (size_t)(strstr(doc, "\"startTime\"") - doc),
	       samples = (size_t)(strstr(doc, "985") - doc);

	for (size_t at = 1; at < strlen(doc); at++) {
		struct error err = ERROR_INIT;
		struct profile *p = load_text(doc, at, SIZE_MAX, NULL, &err);

		if (at < end - 3)
			ck_assert_msg(!p && err.kind != ERR_NONE, "cut at %zu", at);
		if (at >= samples)
			ck_assert_msg(p && has_warning(p, "cut-off") && p->lanes[0].samples.n == 3,
				      "cut at %zu", at);
		profile_free(p);
	}
}
END_TEST

START_TEST(fails_to_read_at_every_byte)
{
	size_t len = strlen(docs[_i]);

	for (size_t at = 0; at < len; at++) {
		struct error err = ERROR_INIT;
		struct profile *p = load_text(docs[_i], len, at, NULL, &err);

		/* A read error is not a file that is cut off. */
		ck_assert_msg(!p && err.kind == ERR_IO, "document %d failing at %zu", _i, at);
	}
}
END_TEST

START_TEST(every_byte_changed)
{
	static const char other[] = { '\0', '"', '\\', '{', '}', '[',  ']',    ',',
				      ':',  '-', '9',  'e', ' ', '\n', '\x80', '\xFF' };
	size_t len = strlen(docs[_i]);
	char *copy = xstrdup(docs[_i]);

	for (size_t at = 0; at < len; at++) {
		for (size_t k = at % 2; k < sizeof other; k += 2) {
			struct error err = ERROR_INIT;
			struct profile *p;

			copy[at] = other[k];
			p = load_text(copy, len, SIZE_MAX, NULL, &err);
			if (p)
				check_sound(p);
			else
				ck_assert_int_ne(err.kind, ERR_NONE);
			profile_free(p);
		}
		copy[at] = docs[_i][at];
	}
	free(copy);
}
END_TEST

static const struct other_case {
	const char *text, *part;
} others[] = {
	{ "", "empty" },
	{ " \n\t", "empty" },
	{ "{}", "empty" },
	{ "7", "JSON value" },
	{ "PK\003\004abc", "zip" },
	{ "<html></html>", "HTML" },
	{ "hello", "text" },
	{ "\x08\x01\x12", "binary" },
	{ "{\"snapshot\":{},\"strings\":[]}", "heap snapshot" },
	{ "{\"version\":3,\"mappings\":\"\"}", "source map" },
	{ "{\"meta\":{},\"threads\":[]}", "Firefox" },
	{ "{\"log\":{\"entries\":[]}}", "HAR" },
	{ "{\"result\":[{\"functions\":[]}]}", "coverage" },
	{ "[{\"url\":\"x\",\"ranges\":[{}]}]", "coverage" },
	{ "{\"code\":[],\"functions\":[],\"ticks\":[]}", "--prof" },
	{ "v8-version,10,2,154,26,-node.26,0\n", "--prof" },
	{ "PERFILE2....", "perf" },
	{ "\x0A\x04\x08\x01\x10\x02", "pprof" },
	{ "\x0A\x11\x32\x03\x01\x02", "Perfetto" },
	{ "nothing but words", "text" },
	{ "{\"nodes\":[]}", "no nodes" },
	{ "{\"nodes\":[{\"id\":1,\"callFrame\":{}}]}", "no samples" },
};

START_TEST(other_kinds_are_named)
{
	struct error err = ERROR_INIT;

	ck_assert(load_text(others[_i].text, strlen(others[_i].text), SIZE_MAX, NULL, &err) ==
		  NULL);
	ck_assert_msg(strstr(err.text, others[_i].part) != NULL, "\"%s\" lacks \"%s\"", err.text,
		      others[_i].part);
}
END_TEST

/* A member with text behind the arrays of numbers, in a document that fills one look at
 * its beginning and ends within it. */
START_TEST(text_behind_long_arrays)
{
	for (int n = 18000; n < 18200; n++) {
		struct buf text = { 0 };
		struct error err = ERROR_INIT;
		struct profile *p;

		buf_adds(
			&text,
			"{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},\"children\":[2]},{\"id\":2,\"callFrame\":{\"functionName\":\"a\"}}],\"samples\":[2");
		for (int i = 1; i < n; i++)
			buf_adds(&text, ",2");
		buf_adds(&text, "],\"timeDeltas\":[1");
		for (int i = 1; i < n; i++)
			buf_adds(&text, ",1");
		buf_addf(&text, "],\"startTime\":%d,\"title\":\"te:xt,\"}", n);
		p = load_text(buf_text(&text), text.len, SIZE_MAX, NULL, &err);
		ck_assert_msg(p != NULL, "%zu bytes: %s", text.len, err.text);
		ck_assert_msg(!has_warning(p, "cut-off") && p->lanes[0].samples.n == (size_t)n,
			      "%zu bytes", text.len);
		profile_free(p);
		buf_done(&text);
	}
}
END_TEST

/* Nodes of all forms, the plain one most often; some longer than a stretch of the stream. */
static void add_nodes(struct buf *text, unsigned n)
{
	uint32_t r = 7;

	for (unsigned i = 1; i <= n; i++) {
		unsigned url;

		r = r * 1664525 + 1013904223;
		url = i % 3000 == 0 ? 600000 : i % 500 == 0 ? 20000 : r >> 24;
		buf_addf(
			text,
			"%s{\"id\":%s%u%s,%s\"callFrame\":{\"functionName\":\"f%u%s\",\"scriptId\":\"%u\",\"url\":\"",
			i > 1 ? ", " : "", i % 97 == 5 ? "\"" : "", i,
			i % 97 == 5           ? "\""
				: i % 89 == 3 ? ".0"
					      : "",
			i % 61 == 1 ? "\"deoptReason\":\"slow\"," : "", r >> 8 & 1023,
			i % 71 == 2 ? "\\u00e9" : "", r >> 20 & 31);
		for (unsigned k = 0; k < url; k++)
			buf_addc(text, (char)('a' + k % 26));
		buf_addf(text, "\",\"lineNumber\":%u,\"columnNumber\":%u},\"hitCount\":%u",
			 r >> 12 & 255, r >> 16 & 63, r >> 28);
		if (i % 3)
			buf_addf(text, ",\"positionTicks\":[{\"line\":%u,\"ticks\":%u}%s]",
				 1 + (r >> 9 & 255), i % 41 ? 1 + (r >> 29) : 0,
				 i % 5 ? "" : ",{\"line\":4,\"ticks\":2}");
		buf_addf(text, 2 * i + 1 <= n ? ",\"children\":[%u,%s%u]}" : "}", 2 * i,
			 i % 53 ? "" : " ", 2 * i + 1);
		buf_adds(text, i % 1100 == 3 ? ",null" : "");
	}
}

static void add_long(struct buf *text, unsigned n_nodes, unsigned n_samples, const char *end)
{
	buf_adds(text, "{\"nodes\":[");
	add_nodes(text, n_nodes);
	buf_adds(text, "],\"startTime\":5,\"samples\":[");
	for (unsigned i = 0; i < n_samples; i++)
		buf_addf(text, i % 9001 == 5 ? "%s\"%u\"" : "%s%u", i ? "," : "",
			 1 + i * 7919u % (i % 5003 == 7 ? 2 * n_nodes : n_nodes));
	buf_adds(text, "],\"timeDeltas\":[");
	for (unsigned i = 0; i < n_samples; i++)
		buf_addf(text, "%s%d%s", i ? "," : "", i % 777 == 3 ? -20 : (int)(i % 400),
			 i % 8009 == 5 ? ".5" : "");
	buf_adds(text, end);
}

static void ck_same(const struct profile *a, const struct profile *b)
{
	const struct lane *x = &a->lanes[0], *y = &b->lanes[0];

	ck_assert_uint_eq(a->n_lanes, b->n_lanes);
	ck_assert_uint_eq(x->tree.n, y->tree.n);
	ck_assert_uint_eq(x->samples.n, y->samples.n);
	ck_assert_mem_eq(x->tree.parent, y->tree.parent, x->tree.n * sizeof *x->tree.parent);
	ck_assert_mem_eq(x->samples.leaf, y->samples.leaf, x->samples.n * sizeof *x->samples.leaf);
	for (size_t i = 0; i <= x->samples.n; i++)
		ck_assert_int_eq(samples_time(&x->samples, i), samples_time(&y->samples, i));
	for (node_id i = 1; i < x->tree.n; i++) {
		ck_assert_str_eq(profile_text(a, profile_node_frame(a, x, i)->name),
				 profile_text(b, profile_node_frame(b, y, i)->name));
		ck_assert_str_eq(profile_text(a, profile_node_frame(a, x, i)->url),
				 profile_text(b, profile_node_frame(b, y, i)->url));
		ck_assert_int_eq(profile_node_frame(a, x, i)->line,
				 profile_node_frame(b, y, i)->line);
		ck_assert_int_eq(x->deopt && x->deopt[i], y->deopt && y->deopt[i]);
	}
	ck_assert_uint_eq(x->n_ticks, y->n_ticks);
	for (size_t i = 0; i < x->n_ticks; i++)
		ck_assert(x->ticks[i].node == y->ticks[i].node &&
			  x->ticks[i].line == y->ticks[i].line &&
			  x->ticks[i].ticks == y->ticks[i].ticks);
	ck_assert_uint_eq(a->inputs[0].n_warnings, b->inputs[0].n_warnings);
	for (size_t i = 0; i < a->inputs[0].n_warnings; i++) {
		ck_assert_str_eq(warning_name(a->inputs[0].warnings[i].kind),
				 warning_name(b->inputs[0].warnings[i].kind));
		ck_assert_uint_eq(a->inputs[0].warnings[i].count, b->inputs[0].warnings[i].count);
		ck_assert_int_eq(a->inputs[0].warnings[i].offset, b->inputs[0].warnings[i].offset);
	}
}

/* Keys that are usual are read without a look at what is between them. */
START_TEST(only_commas_stand_between_members)
{
	static const char head[] = "{\"nodes\":[",
			  rest[] = "],\"startTime\":1,\"samples\":[1,1],\"timeDeltas\":[1,1]}";
	static const char node[] =
		"{\"callFrame\":{\"functionName\":\"a\",\"scriptId\":\"0\",\"url\":\"\","
		"\"lineNumber\":1,\"columnNumber\":1},\"children\":[],\"id\":1,\"hitCount\":1,"
		"\"positionTicks\":[{\"line\":1,\"ticks\":1}],\"parent\":7}";
	static const char instead[] = "{}[]: ;";
	size_t n_wrong = 0;

	for (size_t i = 0; i < sizeof node - 1; i++) {
		for (size_t k = 0; node[i] == ',' && k < sizeof instead - 1; k++) {
			struct buf text = { 0 };
			struct error err = ERROR_INIT;

			buf_adds(&text, head);
			buf_add(&text, node, i);
			buf_addc(&text, instead[k]);
			buf_adds(&text, node + i + 1);
			buf_adds(&text, rest);
			load_text_ahead = 0;
			ck_assert_msg(!load_text(buf_text(&text), text.len, SIZE_MAX, NULL, &err),
				      "%s", buf_text(&text));
			buf_done(&text);
			n_wrong++;
		}
	}
	ck_assert_uint_eq(n_wrong, 10 * (sizeof instead - 1));
}
END_TEST

/* Whether reading on threads changes anything, from the start or from the middle on. */
START_TEST(long_profile_is_the_same_on_threads)
{
	static const char *const ends[] = { "],\"endTime\":99999999}", "", ",nul", ",,1]}" };
	struct buf text = { 0 };
	struct error alone_err = ERROR_INIT;
	struct profile *alone;

	add_long(&text, 20000, 200000, ends[_i]);
	load_text_ahead = SIZE_MAX;
	alone = load_text(buf_text(&text), text.len, SIZE_MAX, NULL, &alone_err);
	ck_assert_int_eq(alone != NULL, _i != 3);
	for (size_t part = 0; part < 4; part++) {
		struct error err = ERROR_INIT;
		struct profile *p;

		load_text_ahead = text.len / 4 * part;
		p = load_text(buf_text(&text), text.len, SIZE_MAX, NULL, &err);
		ck_assert_int_eq(p != NULL, alone != NULL);
		ck_assert_str_eq(err.text, alone_err.text);
		ck_assert_int_eq(err.offset, alone_err.offset);
		if (p)
			ck_same(alone, p);
		profile_free(p);
	}
	profile_free(alone);
	buf_done(&text);
}
END_TEST

/* An error in a node is reported before a later one, whichever thread finds it first. */
START_TEST(first_error_of_nodes_counts_on_threads)
{
	struct buf text = { 0 };
	struct error err[2] = { ERROR_INIT, ERROR_INIT };

	buf_adds(&text, "{\"nodes\":[");
	add_nodes(&text, 9000);
	buf_adds(
		&text,
		",{\"id\":99991,\"callFrame\":{\"functionName\":nul}},{\"id\":99992,\"callFrame\":{\"functionName\":\"x\"}},{\"id\":3,\"callFr");
	for (int i = 0; i < 2; i++) {
		load_text_ahead = i ? 0 : SIZE_MAX;
		ck_assert_ptr_null(load_text(buf_text(&text), text.len, SIZE_MAX, NULL, &err[i]));
	}
	ck_assert_str_eq(err[0].text, err[1].text);
	ck_assert_int_eq(err[0].offset, err[1].offset);
	ck_assert_ptr_nonnull(strstr(err[0].text, "call frame"));
	buf_done(&text);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "broken", 300);

	tcase_add_loop_test(t, whole, 0, N(docs));
	tcase_add_loop_test(t, cut_at_every_byte, 0, N(docs));
	tcase_add_test(t, cut_behind_the_nodes_is_used);
	tcase_add_loop_test(t, fails_to_read_at_every_byte, 0, N(docs));
	tcase_add_loop_test(t, every_byte_changed, 0, N(docs));
	tcase_add_loop_test(t, other_kinds_are_named, 0, N(others));
	tcase_add_test(t, text_behind_long_arrays);
	tcase_add_loop_test(t, long_profile_is_the_same_on_threads, 0, 4);
	tcase_add_test(t, only_commas_stand_between_members);
	tcase_add_test(t, first_error_of_nodes_counts_on_threads);
}

int main(void)
{
	return suite_run("cpuprofile", add_tests);
}
