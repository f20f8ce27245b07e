/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU profiles within a trace (Profile, ProfileChunk, CpuProfile). */
#include "config.h"

#include "trace_story.h"

#include "model/build/subset.h"

START_TEST(profile_stands_on_the_announced_thread)
{
	ck_tells("[" PROFILE("0x1", 10, 1000, "'startTime':990") "," CHUNK(
			 "0x1", 1300, SAMPLES("2,2", "100,100")) "," CHUNK("0x1", 1500,
									   "'endTime':1490") "]",
		 "samples 1/10 a:1100-1300\n");
}
END_TEST

START_TEST(end_time_is_of_the_profiles_own_clock)
{
	ck_tells("[" PROFILE("0x1", 10, 1000, "'startTime':990") "," CHUNK(
			 "0x1", 1300, SAMPLES("2,2", "100,100")) "," CHUNK("0x1", 1500,
									   "'endTime':1240") "]",
		 "samples 1/10 a:1100-1250\n");
}
END_TEST

START_TEST(stop_profiling_ends_a_profile)
{
	ck_tells("[" PROFILE("0x1", 1, 1000, "") "," CHUNK(
			 "0x1", 1300,
			 SAMPLES("2,2", "100,100")) "," EV("I", "CpuProfiler::StopProfiling", 1230,
							   "") "]",
		 "marks 1/1 CpuProfiler::StopProfiling:1230\nsamples 1/1 a:1100-1230\n");
}
END_TEST

/* A stop at its start belongs to another profile. */
START_TEST(a_stop_at_its_start_does_not_end_a_profile)
{
	ck_tells(
		"[" EV("I", "CpuProfiler::StopProfiling", 1000, "") "," PROFILE(
			"0x1", 1, 1000,
			"") "," CHUNK("0x1", 1300,
				      SAMPLES("2,2",
					      "100,100")) "," EV("I", "CpuProfiler::StopProfiling",
								 1230, "") "]",
		"marks 1/1 CpuProfiler::StopProfiling:1000 CpuProfiler::StopProfiling:1230\nsamples 1/1 a:1100-1230\n");
}
END_TEST

START_TEST(deltas_go_on_across_chunks_in_file_order)
{
	ck_tells(
		"[" PROFILE("0x1", 10, 0, "'startTime':0") "," CHUNK(
			"0x1", 900,
			SAMPLES("2",
				"10")) "," CHUNK("0x1", 100,
						 "'cpuProfile':{'samples':[3,3],'timeDeltas':[10,10]}") "]",
		"samples 1/10 a:10-40 | b:20-40\n");
}
END_TEST

START_TEST(chunk_before_profile)
{
	ck_tells("[" CHUNK("0x1", 900, SAMPLES("2,2", "10,10")) "," PROFILE("0x1", 10, 0,
									    "'startTime':0") "]",
		 "samples 1/10 a:10-30\n");
}
END_TEST

START_TEST(chunk_without_profile_keeps_its_own_thread)
{
	const char *text = "[" CHUNK("0x1", 900, SAMPLES("2,2", "10,10")) "]";

	ck_tells(text, "samples 1/88 a:910-930\n");
	ck_warns(text, "chunk", 1);
}
END_TEST

START_TEST(one_id_in_two_processes_is_two_profiles)
{
	ck_tells(
		"[" PROFILE("0x1", 10, 0, "") "," CHUNK(
			"0x1", 1,
			SAMPLES("2,2",
				"10,10")) ","
					  "{'ph':'P','name':'Profile','id':'0x1','pid':2,'tid':20,'ts':0},{'ph':'P','name':'ProfileChunk','id':'0x1','pid':2,'tid':9,'ts':5,'args':{'data':{" SAMPLES(
						  "3,3",
						  "20,20") "}}}," CHUNK("0x1", 7,
									"'cpuProfile':{'samples':[2]},'timeDeltas':[10]") "]",
		"samples 1/10 a:10-40\nsamples 2/20 a:20-60 | b:20-60\n");
}
END_TEST

START_TEST(of_several_profiles_of_a_thread_one_is_open)
{
	ck_tells(
		"[" PROFILE("0x1", 10, 0, "'source':'Inspector'") "," CHUNK(
			"0x1", 1,
			SAMPLES("2,2",
				"10,10")) "," PROFILE("0x2", 10, 0,
						      "'source':'Internal'") "," CHUNK("0x2", 1,
										       SAMPLES("3,3",
											       "10,10")) "]",
		"samples 1/10 a:10-30 | b:10-30\nsamples 1/10 [Inspector] folded a:10-30\n");
}
END_TEST

START_TEST(profile_announced_again_is_a_second_recording)
{
	const char *text = "[" PROFILE("0x1", 10, 0, "") "," CHUNK(
		"0x1", 1,
		SAMPLES("2,2", "10,10")) "," PROFILE("0x1", 10, 100,
						     "") "," CHUNK("0x1", 101,
								   SAMPLES("3,3", "10,10")) "]";

	ck_warns(text, "second-recording", 1);
	ck_tells(
		text,
		"samples 1/10 a:10-30\nsamples 1/10 [another profile] folded a:110-130 | b:110-130\n");
}
END_TEST

START_TEST(chunk_without_data_is_counted)
{
	ck_warns(
		"[" PROFILE("0x1", 10, 0, "") ",{'ph':'P','name':'ProfileChunk','id':'0x1','pid':1,'tid':88,'ts':1}," CHUNK(
			"0x1", 1, "") "," CHUNK("0x1", 1, SAMPLES("2,2", "10,10")) "]",
		"chunk", 2);
}
END_TEST

START_TEST(profile_without_samples_is_named)
{
	ck_notes("[" PROFILE("0x1", 10, 0, "") "]", true, "has no samples");
}
END_TEST

START_TEST(profile_with_samples_and_no_nodes_is_a_warning)
{
	struct profile *p = load("[" PROFILE("0x1", 10, 0, "") "," CHUNK(
		"0x1", 1,
		"'cpuProfile':{'samples':[2,2]},'timeDeltas':[10,10]") ",{'ph':'X','name':'x','pid':1,'tid':10,'ts':0,'dur':5}]");

	ck_assert_uint_eq(p->inputs[0].n_notes, 0);
	ck_assert_uint_eq(p->inputs[0].n_warnings, 1);
	ck_assert_int_eq(p->inputs[0].warnings[0].kind, WARN_NO_NODES);
	ck_assert_str_eq(profile_text(p, p->inputs[0].warnings[0].text),
			 "profile with samples, but no nodes; left out: process 1, thread 10");
	ck_assert(!p->inputs[0].warnings[0].is_note);
	profile_free(p);
}
END_TEST

START_TEST(cpu_profile_event_is_a_whole_profile)
{
	ck_tells(
		"[" EV("I", "CpuProfile", 900,
		       ",'args':{'data':{'cpuProfile':{" NODES
		       ",'samples':[2,3],'timeDeltas':[10,10],'startTime':100,'endTime':125}}}") "]",
		"samples 1/1 a:110-125 | b:120-125\n");
}
END_TEST

START_TEST(syntax_error_in_a_chunk_has_its_place)
{
	struct error err = ERROR_INIT;
	char *text = quoted("[" CHUNK("0x1", 1, "'timeDeltas':[1 2]") "]");

	ck_assert_ptr_null(load_bytes(text, strlen(text), &err));
	ck_assert_int_eq(err.offset, (int64_t)(strstr(text, "1 2") + 2 - text));
	free(text);
}
END_TEST

START_TEST(profile_announced_twice_at_one_time_is_one)
{
	ck_tells("[" PROFILE("0x1", 10, 0, "'startTime':0") "," PROFILE(
			 "0x1", 11, 0, "'startTime':500") "," CHUNK("0x1", 900,
								    SAMPLES("2,2", "10,10")) "]",
		 "samples 1/10 a:10-30\n");
}
END_TEST

/* The first stop on the same thread behind the start; an end time of the profile's own wins. */
START_TEST(first_stop_behind_the_start_ends_a_profile)
{
	ck_tells(
		"[" PROFILE("0x1", 1, 1000, "") "," CHUNK(
			"0x1", 1300,
			SAMPLES("2,2",
				"100,100")) ","
					    "{'ph':'I','name':'CpuProfiler::StopProfiling','pid':1,'tid':2,'ts':1220},{'ph':'I','name':'CpuProfiler::StopProfiling','pid':2,'tid':1,'ts':1221}," EV(
						    "I", "CpuProfiler::StopProfiling", 900,
						    "") "," EV("I", "CpuProfiler::StopProfiling",
							       1250,
							       "") "," EV("I",
									  "CpuProfiler::StopProfiling",
									  1230, "") "]",
		"marks 1/1 CpuProfiler::StopProfiling:900 CpuProfiler::StopProfiling:1230 CpuProfiler::StopProfiling:1250\nsamples 1/1 a:1100-1230\nmarks 1/2 CpuProfiler::StopProfiling:1220\nmarks 2/1 CpuProfiler::StopProfiling:1221\n");
	ck_tells(
		"[" PROFILE("0x1", 10, 1000, "'startTime':'0'") "," CHUNK(
			"0x1", 1300,
			SAMPLES("2,2",
				"100,100")) "," CHUNK("0x1", 1500,
						      "'endTime':'240'") ","
									 "{'ph':'I','name':'CpuProfiler::StopProfiling','pid':1,'tid':10,'ts':1220}]",
		"marks 1/10 CpuProfiler::StopProfiling:1220\nsamples 1/10 a:1100-1240\n");
}
END_TEST

START_TEST(end_time_without_a_start_time_is_of_the_traces_clock)
{
	ck_tells("[" PROFILE("0x1", 10, 1000, "") "," CHUNK(
			 "0x1", 1300, SAMPLES("2,2", "100,100")) "," CHUNK("0x1", 1500,
									   "'endTime':1250") "]",
		 "samples 1/10 a:1100-1250\n");
}
END_TEST

/* Of equal ones the first is open; the source decides before that. */
START_TEST(of_equal_profiles_of_a_thread_the_first_is_open)
{
	ck_tells(
		"[" PROFILE("0x1", 10, 0, "") "," CHUNK("0x1", 1, SAMPLES("2,2", "10,10")) "," PROFILE(
			"0x2", 10, 5,
			"'source':'Other'") "," CHUNK("0x2", 6,
						      SAMPLES("2,2",
							      "10,10")) "," PROFILE("0x3", 11, 0,
										    "") "," CHUNK("0x3",
												  1,
												  SAMPLES("2,2",
													  "10,10")) "]",
		"samples 1/10 a:10-30\nsamples 1/10 [Other] folded a:15-35\nsamples 1/11 a:10-30\n");
	ck_tells(
		"[" PROFILE("0x1", 10, 0, "") "," CHUNK("0x1", 1, SAMPLES("2,2", "10,10")) "," PROFILE(
			"0x2", 10, 5,
			"'source':'Inspector'") "," CHUNK("0x2", 6, SAMPLES("2,2", "10,10")) "]",
		"samples 1/10 a:15-35\nsamples 1/10 [another profile] folded a:10-30\n");
}
END_TEST

/* One without samples does not take part in that. */
START_TEST(profile_without_samples_hides_no_other)
{
	ck_tells("[" PROFILE("0x1", 10, 0, "'source':'Internal'") "," PROFILE(
			 "0x2", 10, 0, "") "," CHUNK("0x2", 1, SAMPLES("2,2", "10,10")) "]",
		 "samples 1/10 a:10-30\n");
}
END_TEST

/* A chunk whose nodes make no profile is counted, and the others are read. */
START_TEST(profile_that_makes_no_sense_is_counted)
{
	const char *text =
		"[" PROFILE("0x1", 10, 0, "") "," CHUNK("0x1", 1, "'cpuProfile':{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'}}]}") "," PROFILE(
			"0x2", 11, 0, "") "," CHUNK("0x2", 1, SAMPLES("2,2", "10,10")) "]";

	ck_tells(text, "samples 1/11 a:10-30\n");
	ck_warns(text, "chunk", 1);
}
END_TEST

START_TEST(other_members_of_a_chunk_are_skipped)
{
	ck_tells(
		"[" PROFILE("0x1", 10, 0, "") "," CHUNK(
			"0x1", 1,
			"'lines':[1,2],'samples':[3],'nodes':7,'cpuProfile':{'timeDeltas':7,'startTime':900,'trace_ids':{}," NODES
			",'samples':[2,2]},'timeDeltas':[10,10],'startTime':700") "]",
		"samples 1/10 a:10-30\n");
}
END_TEST

/* The ticks of a document's only lane, as `2:3:7=1`: node, line, column, ticks. */
static void ck_lines(const char *text, const char *expected)
{
	struct profile *p = load(text);
	struct buf out = { 0 };

	ck_assert_uint_eq(p->n_lanes, 1);
	for (size_t i = 0; i < p->lanes[0].n_ticks; i++) {
		const struct line_ticks *t = &p->lanes[0].ticks[i];

		buf_addf(&out, "%s%s:%d:%d=%u", i ? " " : "",
			 profile_text(p, profile_node_frame(p, &p->lanes[0], t->node)->name),
			 (int)t->line, (int)t->column, (unsigned)t->ticks);
	}
	ck_assert_str_eq(out.len ? buf_text(&out) : "", expected);
	buf_done(&out);
	profile_free(p);
}

#define THREE(more) CHUNK("0x1", 1, SAMPLES("2,3,2", "10,10,10") more)

/* Few positions of a function, and many, come in no order and are listed in order. */
START_TEST(positions_of_a_function_are_in_order)
{
	static const unsigned n[] = { 1, 2, 63, 64, 65, 200 };
	BUF_LOCAL samples = { 0 }, deltas = { 0 }, lines = { 0 }, expected = { 0 }, text = { 0 };

	for (unsigned i = 0; i < n[_i]; i++) {
		const char *comma = i ? "," : "";

		buf_addf(&samples, "%s2", comma);
		buf_addf(&deltas, "%s10", comma);
		buf_addf(&lines, "%s%u", comma, 1 + i * 79 % n[_i]);
		buf_addf(&expected, "%sa:%u:0=1", i ? " " : "", i + 1);
	}
	buf_addf(
		&text,
		"[" PROFILE("0x1", 10, 0, "") ",{'ph':'P','name':'ProfileChunk','id':'0x1','pid':1,"
					      "'tid':8,'ts':1,'args':{'data':{'cpuProfile':{" NODES
					      ",'samples':[%s]},'timeDeltas':[%s],'lines':[%s]}}}]",
		buf_text(&samples), buf_text(&deltas), buf_text(&lines));
	ck_lines(buf_text(&text), buf_text(&expected));
}
END_TEST

START_TEST(lines_of_a_chunk_are_those_of_its_samples)
{
	ck_lines("[" PROFILE("0x1", 10, 0, "") "," THREE(",'lines':[3,9,3],'columns':[7,1,7]") "]",
		 "a:3:7=2 b:9:1=1");
	/* Other columns are other places; columns may be absent. */
	ck_lines("[" PROFILE("0x1", 10, 0, "") "," THREE(",'lines':[3,9,3],'columns':[7,1,8]") "]",
		 "a:3:7=1 a:3:8=1 b:9:1=1");
	ck_lines("[" PROFILE("0x1", 10, 0, "") "," THREE(",'lines':[3,9,3]") "]",
		 "a:3:0=2 b:9:0=1");
	ck_lines("[" PROFILE("0x1", 10, 0, "") "," CHUNK(
			 "0x1", 1,
			 "'lines':[3,9],'timeDeltas':[1,1],'cpuProfile':{'samples':[2,3]," NODES
			 "}") "]",
		 "a:3:0=1 b:9:0=1");
	/* In the profile itself, as early releases wrote them. */
	ck_lines("[" PROFILE("0x1", 10, 0, "") "," CHUNK("0x1", 1,
							 "'cpuProfile':{'samples':[2]," NODES
							 ",'lines':[5]},'timeDeltas':[1]") "]",
		 "a:5:0=1");
}
END_TEST

START_TEST(lines_count_from_the_first_sample_of_their_chunk)
{
	/* The first chunk has a line too few, the second none, the third one too many. */
	ck_lines(
		"[" PROFILE("0x1", 10, 0, "") "," THREE(",'lines':[3,9]") "," CHUNK(
			"0x1", 2,
			"'cpuProfile':{'samples':[3]},'timeDeltas':[10]") "," CHUNK("0x1", 3,
										    "'cpuProfile':{'samples':[3]},'timeDeltas':[10],'lines':[20,21]") "]",
		"a:3:0=1 b:9:0=1 b:20:0=1");
}
END_TEST

START_TEST(lines_come_by_node_line_and_column)
{
	/* More lines than node ids, and an id that is larger than the number of lines. */
	ck_lines("[" PROFILE("0x1", 10, 0, "") "," CHUNK(
			 "0x1", 1,
			 SAMPLES("3,2,3,2,3,2", "1,1,1,1,1,1") ",'lines':[9,3,8,3,9,1]") "]",
		 "a:1:0=1 a:3:0=2 b:8:0=1 b:9:0=2");
	ck_lines(
		"[" PROFILE("0x1", 10, 0, "") "," CHUNK(
			"0x1", 1,
			SAMPLES("3,2,3,2,3,2,900", "1,1,1,1,1,1,1") ",'lines':[9,3,8,3,9,1,1]") "]",
		"a:1:0=1 a:3:0=2 b:8:0=1 b:9:0=2");
}
END_TEST

START_TEST(line_zero_and_what_is_no_line_is_unknown)
{
	ck_lines("[" PROFILE("0x1", 10, 0, "") "," THREE(",'lines':[0,9,null]") "]", "b:9:0=1");
	ck_lines("[" PROFILE("0x1", 10, 0, "") "," THREE(
			 ",'lines':['3',-9,4000000000],'columns':[4000000000,1,1]") "]",
		 "a:3:0=1");
	ck_lines("[" PROFILE("0x1", 10, 0, "") "," THREE(",'lines':null") "]", "");
	ck_lines("[" PROFILE("0x1", 10, 0, "") "," THREE(",'lines':[1,1,1],'lines':[3,0,0]") "]",
		 "a:3:0=1");
	/* A sample of a node that never comes has no function. */
	ck_lines("[" PROFILE("0x1", 10, 0,
			     "") "," CHUNK("0x1", 1, SAMPLES("2,77", "10,10") ",'lines':[3,4]") "]",
		 "a:3:0=1");
}
END_TEST

START_TEST(chunk_of_unknown_members_has_no_data)
{
	ck_warns("[" PROFILE("0x1", 10, 0, "") "," CHUNK(
			 "0x1", 1, SAMPLES("2,2", "10,10")) "," CHUNK("0x1", 2, "'lines':[1]") "]",
		 "chunk", 1);
}
END_TEST

START_TEST(chunk_members_of_other_types_are_counted)
{
	static const char *const odd[] = {
		"'cpuProfile':[{'samples':[2]}],'timeDeltas':[10]",
		"'cpuProfile':{'nodes':{'id':3}},'timeDeltas':[]",
		"'cpuProfile':{'samples':2},'timeDeltas':[10]",
		"'cpuProfile':{'samples':[2]},'timeDeltas':{'a':10}",
	};
	char text[800];

	for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
		snprintf(text, sizeof text,
			 "[" PROFILE("0x1", 10, 0, "") "," CHUNK(
				 "0x1", 1, SAMPLES("2,2", "10,10")) "," CHUNK("0x1", 2, "%s") "]",
			 odd[i]);
		ck_warns(text, "chunk", 1);
	}
}
END_TEST

/* An end that is no usable number is none. */
START_TEST(odd_end_times_do_not_count)
{
	static const char *const ends[] = {
		"null", "'x'", "[]", "1e300", "2305843009213694000", "-2305843009213694000"
	};

	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		struct buf text = { 0 };

		buf_addf(
			&text,
			"[" PROFILE("0x1", 10, 0, "'startTime':0") "," CHUNK(
				"0x1", 1,
				SAMPLES("2,3", "10,10")) "," CHUNK("0x1", 2,
								   "'endTime':25,'endTime':%s") "]",
			ends[i]);
		ck_tells(buf_text(&text), "samples 1/10 a:10-25 | b:20-25\n");
		buf_done(&text);
	}
}
END_TEST

/* Partial loading reads a file twice. */
START_TEST(a_profile_that_lost_its_times_since_the_survey_is_an_error)
{
	char *before = quoted("[" PROFILE("0x1", 10, 0, "") "," CHUNK("0x1", 1,
								      SAMPLES("2,3", "10,10")) "]"),
	     *after = quoted(
		     "[" PROFILE("0x1", 10, 0, "") "," CHUNK("0x1", 1, SAMPLES("2,3", "")) "]");
	struct builder *b = builder_new(&(struct builder_options){ .is_survey = true });
	struct error err = ERROR_INIT;
	struct subset *subset;

	ck_assert(pass_text(b, before, strlen(before), SIZE_MAX, NULL, &err));
	subset = builder_finish_survey(b, &err);
	ck_assert_ptr_nonnull(subset);
	b = builder_new(&(struct builder_options){ .subset = subset });
	ck_assert_ptr_null(load_text_with(b, after, strlen(after), SIZE_MAX, NULL, &err));
	ck_assert_int_eq(err.kind, ERR_IO);
	ck_assert_str_eq(err.text, "the file has changed since the survey");
	subset_free(subset);
	free(before);
	free(after);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, a_profile_that_lost_its_times_since_the_survey_is_an_error);
	tcase_add_test(tc, profile_stands_on_the_announced_thread);
	tcase_add_test(tc, end_time_is_of_the_profiles_own_clock);
	tcase_add_test(tc, stop_profiling_ends_a_profile);
	tcase_add_test(tc, a_stop_at_its_start_does_not_end_a_profile);
	tcase_add_test(tc, deltas_go_on_across_chunks_in_file_order);
	tcase_add_test(tc, chunk_before_profile);
	tcase_add_test(tc, chunk_without_profile_keeps_its_own_thread);
	tcase_add_test(tc, one_id_in_two_processes_is_two_profiles);
	tcase_add_test(tc, of_several_profiles_of_a_thread_one_is_open);
	tcase_add_test(tc, profile_announced_again_is_a_second_recording);
	tcase_add_test(tc, chunk_without_data_is_counted);
	tcase_add_test(tc, profile_without_samples_is_named);
	tcase_add_test(tc, profile_with_samples_and_no_nodes_is_a_warning);
	tcase_add_test(tc, cpu_profile_event_is_a_whole_profile);
	tcase_add_test(tc, chunk_of_unknown_members_has_no_data);
	tcase_add_test(tc, chunk_members_of_other_types_are_counted);
	tcase_add_test(tc, odd_end_times_do_not_count);
	tcase_add_test(tc, syntax_error_in_a_chunk_has_its_place);
	tcase_add_test(tc, profile_announced_twice_at_one_time_is_one);
	tcase_add_test(tc, first_stop_behind_the_start_ends_a_profile);
	tcase_add_test(tc, end_time_without_a_start_time_is_of_the_traces_clock);
	tcase_add_test(tc, of_equal_profiles_of_a_thread_the_first_is_open);
	tcase_add_test(tc, profile_without_samples_hides_no_other);
	tcase_add_test(tc, profile_that_makes_no_sense_is_counted);
	tcase_add_test(tc, other_members_of_a_chunk_are_skipped);
	tcase_add_loop_test(tc, positions_of_a_function_are_in_order, 0, 6);
	tcase_add_test(tc, lines_of_a_chunk_are_those_of_its_samples);
	tcase_add_test(tc, lines_count_from_the_first_sample_of_their_chunk);
	tcase_add_test(tc, lines_come_by_node_line_and_column);
	tcase_add_test(tc, line_zero_and_what_is_no_line_is_unknown);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_cpu", add_tests);
}
