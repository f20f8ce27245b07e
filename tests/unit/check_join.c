/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chunks cut out of one recording, joined again, give the recording. */
#include "config.h"

#include "suite.h"

#include "base/alloc.h"
#include "base/json/cursor.h"
#include "record/remote/join.h"

#include <stdlib.h>
#include <string.h>

#define FRAME(name)                                                                                \
	"{\"functionName\":\"" name "\",\"scriptId\":\"1\",\"url\":\"\","                          \
	"\"lineNumber\":0,\"columnNumber\":0}"

static void add(struct join *j, const char *text, bool is_good)
{
	struct error err = ERROR_INIT;
	char *copy = xcalloc(strlen(text) + CURSOR_PAD + 1, 1);

	memcpy(copy, text, strlen(text));
	ck_assert_msg(join_add(j, (struct str){ copy, strlen(text) }, &err) == is_good, "%s: %s",
		      text, err.text);
	free(copy);
}

static void ck_joined(const struct join *j, const char *expected)
{
	struct buf out = { 0 };

	join_write(j, &out);
	ck_assert_str_eq(buf_text(&out), expected);
	buf_done(&out);
}

/* Ids differ between chunks, as V8 gives them anew. */
static const char first[] = "{\"nodes\":[{\"id\":1,\"callFrame\":" FRAME(
	"(root)") ",\"hitCount\":1,\"children\":[2]},"
		  "{\"id\":2,\"callFrame\":" FRAME(
			  "a") ",\"hitCount\":2,\"positionTicks\":"
			       "[{\"line\":4,\"ticks\":2}]}],"
			       "\"startTime\":1000,\"endTime\":4100,\"samples\":[1,2,2],\"timeDeltas\":[0,1000,1000]}";
static const char second[] = "{\"nodes\":[{\"id\":1,\"callFrame\":" FRAME(
	"(root)") ",\"hitCount\":0,\"children\":[2,3]},"
		  "{\"id\":2,\"callFrame\":" FRAME(
			  "b") ",\"hitCount\":1,\"deoptReason\":\"why\"},"
			       "{\"id\":3,\"callFrame\":" FRAME(
				       "a") ",\"hitCount\":2,\"positionTicks\":"
					    "[{\"line\":4,\"ticks\":1},{\"line\":5,\"ticks\":1}]}],"
					    "\"startTime\":2900,\"endTime\":6000,\"samples\":[3,2,3],\"timeDeltas\":[100,1000,1500]}";

/* By hand: the sample at 3000 is in both and counts once; `a` is one node. */
START_TEST(the_overlap_counts_once_and_equal_paths_are_one)
{
	struct join *j = join_new();

	add(j, first, true);
	ck_assert_uint_eq(join_samples(j), 3);
	add(j, second, true);
	ck_joined(
		j,
		"{\"nodes\":[{\"id\":1,\"callFrame\":" FRAME(
			"(root)") ",\"hitCount\":1,\"children\":[2,3]},"
				  "{\"id\":2,\"callFrame\":" FRAME(
					  "a") ",\"hitCount\":3,\"positionTicks\":"
					       "[{\"line\":4,\"ticks\":3},{\"line\":5,\"ticks\":1}]},"
					       "{\"id\":3,\"callFrame\":" FRAME(
						       "b") ",\"hitCount\":1,"
							    "\"deoptReason\":\"why\"}],"
							    "\"startTime\":1000,\"endTime\":6000,\"samples\":[1,2,2,3,2],"
							    "\"timeDeltas\":[0,1000,1000,1000,1500]}\n");
	ck_assert_int_eq(join_first_us(j), 1000);
	ck_assert_int_eq(join_last_us(j), 5500);
	join_free(j);
}
END_TEST

START_TEST(a_chunk_without_samples_changes_nothing)
{
	struct join *j = join_new();

	add(j,
	    "{\"nodes\":[{\"id\":1,\"callFrame\":" FRAME(
		    "(root)") "}],\"startTime\":5,"
			      "\"endTime\":9,\"samples\":[],\"timeDeltas\":[]}",
	    true);
	ck_assert_uint_eq(join_samples(j), 0);
	ck_joined(
		j,
		"{\"nodes\":[{\"id\":1,\"callFrame\":" FRAME(
			"(root)") ",\"hitCount\":0}],"
				  "\"startTime\":5,\"endTime\":9,\"samples\":[],\"timeDeltas\":[]}\n");
	join_free(j);
}
END_TEST

START_TEST(what_is_no_profile_is_refused)
{
	static const char *const bad[] = {
		"",
		"null",
		"{}",
		"[1]",
		"{\"nodes\":[],\"startTime\":1,\"samples\":[],"
		"\"timeDeltas\":[]}",
		/* no start */
		"{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"samples\":[],\"timeDeltas\":[]}",
		/* a child, and a sample, that are not there */
		"{\"nodes\":[{\"id\":1,\"callFrame\":{},\"children\":[7]}],\"startTime\":1,"
		"\"samples\":[],\"timeDeltas\":[]}",
		"{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"startTime\":1,\"samples\":[3],"
		"\"timeDeltas\":[0]}",
		/* a circle */
		"{\"nodes\":[{\"id\":1,\"callFrame\":{},\"children\":[2]},{\"id\":2,"
		"\"callFrame\":{},\"children\":[1]}],\"startTime\":1,\"samples\":[1],"
		"\"timeDeltas\":[0]}",
		/* an id twice; samples without deltas; junk in a list; a frame that is no JSON */
		"{\"nodes\":[{\"id\":1,\"callFrame\":{}},{\"id\":1,\"callFrame\":{}}],"
		"\"startTime\":1,\"samples\":[1],\"timeDeltas\":[0]}",
		"{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"startTime\":1,\"samples\":[1,1],"
		"\"timeDeltas\":[0]}",
		"{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"startTime\":1,\"samples\":[1 1],"
		"\"timeDeltas\":[0]}",
		"{\"nodes\":[{\"id\":1,\"callFrame\":{\"a\":b}}],\"startTime\":1,\"samples\":[1],"
		"\"timeDeltas\":[0]}",
		/* times that no clock has */
		"{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"startTime\":9223372036854775807,"
		"\"samples\":[1],\"timeDeltas\":[1]}",
		"{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"startTime\":1,\"samples\":[1],"
		"\"timeDeltas\":[1e30]}",
		/* cut off */
		"{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"startTime\":1,\"samples\":[1",
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct join *j = join_new();

		add(j, bad[i], false);
		join_free(j);
	}
}
END_TEST

/* V8 queues two kinds of samples separately. By hand: the samples of the first chunk are at 1000,
 * 1995 and 2000, those of the second at 1999 and 2003; so the cut is at 1999. */
START_TEST(samples_are_sorted_before_they_are_joined)
{
	struct join *j = join_new();

	add(j,
	    "{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"startTime\":1000,\"endTime\":2001,"
	    "\"samples\":[1,1,1],\"timeDeltas\":[0,1000,-5]}",
	    true);
	add(j,
	    "{\"nodes\":[{\"id\":7,\"callFrame\":{}}],\"startTime\":1990,\"endTime\":2004,"
	    "\"samples\":[7,7],\"timeDeltas\":[13,-4]}",
	    true);
	ck_joined(j,
		  "{\"nodes\":[{\"id\":1,\"callFrame\":{},\"hitCount\":4}],\"startTime\":1000,"
		  "\"endTime\":2004,\"samples\":[1,1,1,1],\"timeDeltas\":[0,995,4,4]}\n");
	join_free(j);
}
END_TEST

/* By hand: the second chunk is from 2900 on, so nothing of the first one is left. */
START_TEST(a_chunk_that_goes_back_replaces_what_is_after_it)
{
	struct join *j = join_new();

	add(j,
	    "{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"startTime\":9000,\"endTime\":9900,"
	    "\"samples\":[1,1],\"timeDeltas\":[100,500]}",
	    true);
	add(j,
	    "{\"nodes\":[{\"id\":7,\"callFrame\":{}}],\"startTime\":2900,\"endTime\":4200,"
	    "\"samples\":[7,7],\"timeDeltas\":[5,1200]}",
	    true);
	ck_joined(j,
		  "{\"nodes\":[{\"id\":1,\"callFrame\":{},\"hitCount\":2}],\"startTime\":2900,"
		  "\"endTime\":4200,\"samples\":[1,1],\"timeDeltas\":[5,1200]}\n");
	join_free(j);
}
END_TEST

START_TEST(a_sample_before_the_start_moves_the_start)
{
	static const int later[] = { 100, 900 }; /* before the start as well, and after it */

	for (size_t i = 0; i < ARRAY_LEN(later); i++) {
		struct join *j = join_new();
		BUF_LOCAL chunk = { 0 };
		BUF_LOCAL joined = { 0 };

		buf_addf(&chunk,
			 "{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"startTime\":1000,"
			 "\"endTime\":2000,\"samples\":[1,1,1],\"timeDeltas\":[-300,%d,300]}",
			 later[i]);
		add(j, buf_text(&chunk), true);
		buf_addf(&joined,
			 "{\"nodes\":[{\"id\":1,\"callFrame\":{},\"hitCount\":3}],"
			 "\"startTime\":700,\"endTime\":2000,\"samples\":[1,1,1],"
			 "\"timeDeltas\":[0,%d,300]}\n",
			 later[i]);
		ck_joined(j, buf_text(&joined));
		join_free(j);
	}
}
END_TEST

START_TEST(a_broken_chunk_adds_nothing)
{
	struct join *j = join_new();

	add(j,
	    "{\"nodes\":[{\"id\":1,\"callFrame\":{\"a\":1}}],\"startTime\":5,\"samples\":[1,9],"
	    "\"timeDeltas\":[0,1]}",
	    false);
	add(j, first, true);
	add(j,
	    "{\"nodes\":[{\"id\":1,\"callFrame\":{\"a\":1}}],\"startTime\":5,\"samples\":[1,9],"
	    "\"timeDeltas\":[0,1]}",
	    false);
	ck_assert_uint_eq(join_samples(j), 3);
	ck_assert_int_eq(join_first_us(j), 1000);
	ck_joined(
		j,
		"{\"nodes\":[{\"id\":1,\"callFrame\":" FRAME("(root)") ",\"hitCount\":1,\"children\":[2]},{\"id\":2,\"callFrame\":" FRAME(
			"a") ",\"hitCount\":2,\"positionTicks\":[{\"line\":4,\"ticks\":2}]}],"
			     "\"startTime\":1000,\"endTime\":4100,\"samples\":[1,2,2],"
			     "\"timeDeltas\":[0,1000,1000]}\n");
	join_free(j);
}
END_TEST

/* A random recording, cut into chunks that overlap by random lengths, each with its own ids. */
#define NODES 40
#define SAMPLES 500

struct recording {
	int parent[NODES];
	int sample[SAMPLES];
	int64_t time[SAMPLES];
};

static void add_chunk(struct join *j, const struct recording *r, int from, int to)
{
	struct buf out = { 0 };
	int64_t last = r->time[from] - 7;

	buf_adds(&out, "{\"nodes\":[");
	for (int i = 0; i < NODES; i++) {
		bool has_child = false;

		buf_addf(&out, "%s{\"id\":%d,\"callFrame\":{\"functionName\":\"f%d\"}",
			 i ? "," : "", i + 10 + from, i);
		for (int k = i + 1; k < NODES; k++)
			if (r->parent[k] == i) {
				buf_addf(&out, "%s%d", has_child ? "," : ",\"children\":[",
					 k + 10 + from);
				has_child = true;
			}
		buf_adds(&out, has_child ? "]}" : "}");
	}
	buf_addf(&out, "],\"startTime\":%lld,\"endTime\":%lld,\"samples\":[", (long long)last,
		 (long long)r->time[to - 1] + 3);
	for (int i = from; i < to; i++)
		buf_addf(&out, "%s%d", i > from ? "," : "", r->sample[i] + 10 + from);
	buf_adds(&out, "],\"timeDeltas\":[");
	for (int i = from; i < to; i++) {
		buf_addf(&out, "%s%lld", i > from ? "," : "", (long long)(r->time[i] - last));
		last = r->time[i];
	}
	buf_adds(&out, "]}");
	add(j, out.data, true);
	buf_done(&out);
}

START_TEST(chunks_of_one_recording_give_the_recording)
{
	for (int seed = 0; seed < SUITE_CASES(40); seed++) {
		struct join *whole = join_new(), *parts = join_new();
		struct buf expected = { 0 }, out = { 0 };
		struct recording r;
		int at = 0;

		srandom((unsigned)seed);
		r.parent[0] = -1;
		for (int i = 1; i < NODES; i++)
			r.parent[i] = (int)(random() % i);
		for (int i = 0; i < SAMPLES; i++) {
			r.sample[i] = (int)(random() % NODES);
			r.time[i] = (i > 0 ? r.time[i - 1] : 100000) + 1 + random() % 2000;
		}
		add_chunk(whole, &r, 0, SAMPLES);
		while (at < SAMPLES) {
			int end = at + 1 + (int)(random() % 120);
			int from = at > 5 ? at - (int)(random() % 5) : at;

			add_chunk(parts, &r, from, end < SAMPLES ? end : SAMPLES);
			at = end;
		}
		join_write(whole, &expected);
		join_write(parts, &out);
		ck_assert_str_eq(buf_text(&out), buf_text(&expected));
		buf_done(&expected);
		buf_done(&out);
		join_free(whole);
		join_free(parts);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_test(tc, the_overlap_counts_once_and_equal_paths_are_one);
	tcase_add_test(tc, a_chunk_without_samples_changes_nothing);
	tcase_add_test(tc, what_is_no_profile_is_refused);
	tcase_add_test(tc, samples_are_sorted_before_they_are_joined);
	tcase_add_test(tc, a_chunk_that_goes_back_replaces_what_is_after_it);
	tcase_add_test(tc, a_sample_before_the_start_moves_the_start);
	tcase_add_test(tc, a_broken_chunk_adds_nothing);
	tcase_add_test(tc, chunks_of_one_recording_give_the_recording);
}

int main(void)
{
	return suite_run("join", add_tests);
}
