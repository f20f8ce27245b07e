/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ids of functions: equal in other builds, apart within a recording, and found by their beginning.
 */
#include "config.h"

#include "model/function_id.h"

#include "suite.h"

#include "base/alloc.h"
#include "load_text.h"

#define NODE(id, name, url, line)                                                                  \
	"{'id':" id ",'callFrame':{'functionName':'" name "','scriptId':'1','url':'" url           \
	"','lineNumber':" line ",'columnNumber':0},'hitCount':1,'children':["

/* main > (anonymous) > work, and a second (anonymous) behind it, in one file. */
#define RECORDING(url, at)                                                                                 \
	"{'nodes':[" NODE("1", "(root)", "", "-1") "2,3,4,5]}," NODE("2", "main", url, at "1") "]}," NODE( \
		"3", "", url,                                                                              \
		at                                                                                         \
		"2") "]}," NODE("4", "", url,                                                              \
				at                                                                         \
				"4") "]}," NODE("5", "work", url,                                          \
						at                                                         \
						"5") "]}],'startTime':0,'endTime':40,"                     \
						     "'samples':[2,3,4,5],'timeDeltas':[10,10,10,10]}"

static struct profile *load(const char *text)
{
	struct error err = ERROR_INIT;
	ALLOC_LOCAL char *json = quoted(text);
	struct profile *p = load_text(json, strlen(json), SIZE_MAX, NULL, &err);

	ck_assert_msg(p != NULL, "%s", err.text);
	return p;
}

/* The id of the nth function of that name. */
static uint64_t id_of(const struct profile *p, const uint64_t *ids, const char *name, int nth)
{
	for (frame_id i = 1; i < p->frames.n; i++)
		if (strcmp(profile_text(p, profile_frame(p, i)->name), name) == 0 && nth-- == 0)
			return ids[i];
	ck_abort_msg("no %s", name);
	return 0;
}

START_TEST(another_build_has_the_same_ids)
{
	struct profile *a = load(RECORDING("file:///srv/app-1.4.0/index-4f3a2b.js", "")),
		       *b = load(RECORDING("https://host/srv/app-2.0.1/index-99aa0c.js?v=3", "7"));
	ALLOC_LOCAL uint64_t *of_a = function_id_all(a), *of_b = function_id_all(b);

	ck_assert_uint_eq(id_of(a, of_a, "main", 0), id_of(b, of_b, "main", 0));
	ck_assert_uint_eq(id_of(a, of_a, "work", 0), id_of(b, of_b, "work", 0));
	for (int i = 0; i < 2; i++)
		ck_assert_uint_eq(id_of(a, of_a, "(anonymous)", i),
				  id_of(b, of_b, "(anonymous)", i));
	profile_free(a);
	profile_free(b);
}
END_TEST

START_TEST(ids_of_one_recording_differ)
{
	struct profile *p = load(RECORDING("file:///srv/app.js", ""));
	ALLOC_LOCAL uint64_t *ids = function_id_all(p);

	for (frame_id i = 1; i < p->frames.n; i++)
		for (frame_id k = 1; k < i; k++)
			ck_assert_uint_ne(ids[i], ids[k]);
	profile_free(p);
}
END_TEST

/* The text is that of all machines. */
START_TEST(an_id_is_found_by_its_beginning)
{
	struct profile *p = load(RECORDING("file:///srv/app.js", ""));
	ALLOC_LOCAL uint64_t *ids = function_id_all(p);
	char id[FUNCTION_ID_ROOM];

	function_id_format(id_of(p, ids, "work", 0), id);
	ck_assert_str_eq(id, "f:cvdc2w7g");
	for (size_t len = 4; len < sizeof id; len++) {
		struct error err = ERROR_INIT;
		frame_id found;

		id[len] = '\0';
		found = function_id_find(p, id, &err);
		ck_assert_msg(found != FRAME_NONE, "%s", err.text);
		ck_assert_str_eq(profile_text(p, profile_frame(p, found)->name), "work");
		function_id_format(ids[found], id);
	}
	profile_free(p);
}
END_TEST

START_TEST(what_is_no_id_and_what_is_ambiguous_is_told)
{
	struct profile *p = load(RECORDING("file:///srv/app.js", ""));
	ALLOC_LOCAL uint64_t *ids = function_id_all(p);
	struct error none = ERROR_INIT;
	size_t n_ambiguous = 0;

	ck_assert(function_id_is("f:0") && function_id_is("f:zzzzzzzz"));
	ck_assert(!function_id_is("f:") && !function_id_is("f:000000000"));
	ck_assert(!function_id_is("f:il") && !function_id_is("g:00"));
	ck_assert(function_id_find(p, "f:00000000", &none) == FRAME_NONE);
	ck_assert_int_eq(none.kind, ERR_NOTHING);
	for (frame_id i = 1; i < p->frames.n; i++)
		ids[i] >>= 35; /* the first digit */
	for (frame_id i = 1; i < p->frames.n; i++) {
		char text[] = { 'f', ':', "0123456789abcdefghjkmnpqrstvwxyz"[ids[i]], '\0' };
		struct error err = ERROR_INIT;
		size_t n = 0;

		for (frame_id k = 1; k < p->frames.n; k++)
			n += ids[k] == ids[i];
		ck_assert((function_id_find(p, text, &err) == FRAME_NONE) == (n > 1));
		ck_assert(n == 1 || err.kind == ERR_USAGE);
		n_ambiguous += n > 1;
	}
	ck_assert_uint_ne(n_ambiguous, 1);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "ids", SUITE_SECONDS);

	tcase_add_test(tc, another_build_has_the_same_ids);
	tcase_add_test(tc, ids_of_one_recording_differ);
	tcase_add_test(tc, an_id_is_found_by_its_beginning);
	tcase_add_test(tc, what_is_no_id_and_what_is_ambiguous_is_told);
}

int main(void)
{
	return suite_run("function ids", add_tests);
}
