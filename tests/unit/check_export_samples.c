/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples in an exported trace or .cpuprofile come back as they were: nothing that a report shows
 * is lost. */
#include "config.h"

#include "exported.h"
#include "story.h"
#include "suite.h"

#define FRAME(id, name, more) "{'id':" #id ",'callFrame':{'functionName':'" name "'" more "}"

static struct profile *again(const struct profile *p, const char *format, int64_t t0, int64_t t1)
{
	char *text = exported(p, format, false, t0, t1);
	struct profile *back = load_plain(text);

	free(text);
	return back;
}

static const char *const formats[] = { "trace", "cpuprofile" };

START_TEST(ticks_hits_and_reasons_come_back)
{
	const char *format = formats[_i];
	struct profile *
		p = story_load(
		       "{'nodes':[" FRAME(1, "(root)", "") ",'children':[3,2]}," FRAME(2, "b", ",'url':'/b.js'") ",'hitCount':3,'positionTicks':[{'line':4,'ticks':2},{'line':9,'ticks':1}]}," FRAME(
			       3, "a",
			       ",'url':'/a.js'") ",'hitCount':1,'deoptReason':'wrong map','positionTicks':[{'line':7,'ticks':1}]}],'startTime':1,'samples':[2,3,2],'timeDeltas':[0,10,20]}"),
	       *back = again(p, format, 0, 0);
	const struct lane *lane = lane_of(back, LANE_SAMPLES), *was = &p->lanes[0];

	ck_assert_uint_eq(lane->tree.n, was->tree.n);
	for (node_id i = 0; i < was->tree.n; i++) {
		ck_assert_uint_eq(lane->hits[i], was->hits[i]);
		ck_assert_str_eq(profile_text(back, lane->deopt[i]),
				 profile_text(p, was->deopt[i]));
	}
	ck_assert_uint_eq(was->n_ticks, 3);
	ck_assert_uint_eq(lane->n_ticks, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct line_ticks *t = NULL;

		for (size_t k = 0; k < 3; k++)
			if (lane->ticks[k].node == was->ticks[i].node &&
			    lane->ticks[k].line == was->ticks[i].line)
				t = &lane->ticks[k];
		ck_assert_ptr_nonnull(t);
		ck_assert_uint_eq(t->ticks, was->ticks[i].ticks);
	}
	profile_free(back);
	/* Those of a part are not known. */
	back = again(p, format, 10000, 15000);
	ck_assert_uint_eq(lane_of(back, LANE_SAMPLES)->n_ticks, 0);
	profile_free(back);
	profile_free(p);
}
END_TEST

/* Load a profile of samples 2, 3, 2 with these members, and compare it with what comes back. */
static void ck_same(const char *format, const char *members)
{
	struct buf text = { 0 };
	struct profile *p, *back;
	const struct lane *lane, *was;

	buf_addf(
		&text,
		"{'nodes':[" FRAME(1, "(root)", "") ",'children':[2,3],'hitCount':2}," FRAME(
			2, "a",
			",'url':'/a.js'") ",'hitCount':3}," FRAME(3, "b",
								  ",'url':'/b.js'") ",'hitCount':1}]%s}",
		members);
	p = story_load(buf_text(&text));
	back = again(p, format, 0, 0);
	was = &p->lanes[0];
	lane = lane_of(back, LANE_SAMPLES);
	ck_assert_int_eq(lane->has_timeline, was->has_timeline);
	ck_assert_uint_eq(lane->n_samples, was->n_samples);
	ck_assert_uint_eq(lane->samples.n, was->samples.n);
	for (size_t i = 0; i <= was->samples.n; i++)
		ck_assert_int_eq(samples_time(&lane->samples, i) - lane->t0,
				 samples_time(&was->samples, i) - was->t0);
	ck_assert_int_eq(lane->t1 - lane->t0, was->t1 - was->t0);
	ck_assert_int_eq(lane->interval_ns, was->interval_ns);
	ck_assert_int_eq(lane->unsampled_ns, was->unsampled_ns);
	profile_free(back);
	profile_free(p);
	buf_done(&text);
}

START_TEST(the_last_sample_keeps_its_length)
{
	/* The average; up to the end; longer, and shorter, by a delta more. */
	ck_same(formats[_i], ",'startTime':1,'samples':[2,3,2],'timeDeltas':[0,10,20]");
	ck_same(formats[_i],
		",'startTime':1,'endTime':35,'samples':[2,3,2],'timeDeltas':[0,10,20]");
	ck_same(formats[_i], ",'startTime':1,'samples':[2,3,2],'timeDeltas':[0,10,20,500]");
	ck_same(formats[_i],
		",'startTime':1,'endTime':900,'samples':[2,3,2],'timeDeltas':[0,10,20,3]");
	ck_same(formats[_i], ",'startTime':1,'samples':[2],'timeDeltas':[5]");
	ck_same(formats[_i], ",'startTime':1,'samples':[2,3],'timeDeltas':[0,0]");
}
END_TEST

START_TEST(samples_of_no_length_come_back)
{
	ck_same(formats[_i], ",'startTime':1,'samples':[2,3,2,2,3],'timeDeltas':[0,0,7,8,0]");
}
END_TEST

START_TEST(hit_counts_come_back_as_hit_counts)
{
	ck_same(formats[_i], ",'startTime':1000,'endTime':61000");
	ck_same(formats[_i], ",'startTime':1000");
	ck_same(formats[_i], ",'startTime':1000,'endTime':1000");
}
END_TEST

/* The length of the last sample that a trace states counts only if it is one. */
START_TEST(odd_last_deltas_do_not_count)
{
	static const char *const odd[] = { "null", "'x'", "-4", "{}", "1e30" };

	for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
		struct buf text = { 0 };
		struct profile *p;

		buf_addf(
			&text,
			"[{'ph':'P','name':'ProfileChunk','id':1,'pid':1,'tid':1,'ts':1,'args':{'data':{'cpuProfile':{'nodes':[" FRAME(
				1, "(root)",
				"") "}," FRAME(2, "a",
					       "") ",'parent':1}],'samples':[2,2]},'timeDeltas':[0,10],'lastDelta':%s}}}]",
			odd[i]);
		p = story_load(buf_text(&text));
		ck_assert_int_eq(lane_of(p, LANE_SAMPLES)->busy_ns, 20000);
		profile_free(p);
		buf_done(&text);
	}
}
END_TEST

/* DevTools keeps one profile of a thread. */
START_TEST(lanes_of_samples_have_threads_of_their_own)
{
	struct profile *p = story_load(
		"{'$schema':'https://www.speedscope.app/file-format-schema.json','shared':{'frames':[{'name':'a'}]},"
		"'profiles':[{'type':'sampled','name':'one','unit':'none','startValue':0,'endValue':1,'samples':[[0]],'weights':[1]},"
		"{'type':'sampled','name':'two','unit':'none','startValue':0,'endValue':1,'samples':[[0]],'weights':[1]}]}");
	char *text = exported(p, "trace", false, 0, 0);

	ck_assert_msg(strstr(text,
			     "\"tid\":1,\"ts\":0,\"cat\":\"__metadata\",\"name\":"
			     "\"thread_name\",\"args\":{\"name\":\"one\"}") != NULL,
		      "%s", text);
	ck_assert_msg(strstr(text,
			     "\"tid\":2,\"ts\":0,\"cat\":\"__metadata\",\"name\":"
			     "\"thread_name\",\"args\":{\"name\":\"two\"}") != NULL,
		      "%s", text);
	free(text);
	profile_free(p);
}
END_TEST

/* speedscope opens the first profile, and fails without one. */
START_TEST(speedscope_without_calls_has_an_empty_profile)
{
	struct profile *p = story_load("[{'ph':'C','name':'n','pid':1,'ts':0,'args':{'v':1}}]");
	char *text = exported(p, "speedscope", false, 0, 0);

	ck_assert_msg(strstr(text, "\"profiles\":[\n{\"type\":\"evented\",") != NULL, "%s", text);
	free(text);
	profile_free(p);
}
END_TEST

/* Siblings of one function are joined, with their samples. */
START_TEST(samples_of_twins_are_added_up)
{
	struct profile *p = story_load(
		"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2,3,4]},"
		"{'id':2,'callFrame':{'functionName':'a'}},{'id':3,'callFrame':{'functionName':'a'}},"
		"{'id':4,'callFrame':{'functionName':'b'}}],"
		"'startTime':0,'samples':[2,3,4],'timeDeltas':[0,1,1]}");
	struct export_options options = { .is_counts = true };
	struct sink *sink = sink_open_memory();
	struct error err = ERROR_INIT;

	scope_all(&options.scope, p);
	export_find("folded")->write(p, &options, sink);
	ck_assert_str_eq(buf_text(sink_buf(sink)), "a 2\nb 1\n");
	ck_assert(sink_close(sink, &err));
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_loop_test(tc, ticks_hits_and_reasons_come_back, 0, ARRAY_LEN(formats));
	tcase_add_loop_test(tc, the_last_sample_keeps_its_length, 0, ARRAY_LEN(formats));
	tcase_add_loop_test(tc, samples_of_no_length_come_back, 0, ARRAY_LEN(formats));
	tcase_add_loop_test(tc, hit_counts_come_back_as_hit_counts, 0, ARRAY_LEN(formats));
	tcase_add_test(tc, odd_last_deltas_do_not_count);
	tcase_add_test(tc, lanes_of_samples_have_threads_of_their_own);
	tcase_add_test(tc, samples_of_twins_are_added_up);
	tcase_add_test(tc, speedscope_without_calls_has_an_empty_profile);
}

int main(void)
{
	return suite_run("export_samples", add_tests);
}
