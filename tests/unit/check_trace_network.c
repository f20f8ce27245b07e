/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Network requests of a trace: their times, what ends them, which are left out. */
#include "config.h"

#include "trace_story.h"

#include "analyse/functions.h"
#include "analyse/view/view.h"
#include "model/build/align.h"
#include "model/request.h"

#define DATA(name, ts, id, more)                                                                   \
	EV("I", name, ts, ",'s':'t','args':{'data':{'requestId':'" id "'" more "}}")
#define WILL(ts, id) DATA("ResourceWillSendRequest", ts, id, "")
#define SEND(ts, id, url, more)                                                                    \
	DATA("ResourceSendRequest", ts, id, ",'url':'" url "','requestMethod':'GET'" more)
#define RESPONSE(ts, id, more) DATA("ResourceReceiveResponse", ts, id, ",'statusCode':200" more)
#define FINISH(ts, id, more) DATA("ResourceFinish", ts, id, ",'encodedDataLength':735" more)
#define TIMES                                                                                      \
	",'timing':{'requestTime':0.000020,'dnsStart':-1,'dnsEnd':-1,'connectStart':0.003,'connectEnd':0.005,'sendStart':0.005,'sendEnd':0.006,'receiveHeadersEnd':0.030}"
#define APP "http://a.example/js/app.js?v=1"

START_TEST(request_is_a_slice_below_the_thread)
{
	ck_tells("[" X("task", 9, 3) "," SEND(10, "1", APP, "") "," FINISH(90, "1", "") "]",
		 "slices 1/1 task:9-12\nmarks 1/1 ResourceSendRequest:10 ResourceFinish:90\n"
		 "async 1/1 [Network] GET app.js:10-90\n");
}
END_TEST

START_TEST(name_is_that_of_the_host_without_a_path)
{
	ck_tells("[" SEND(10, "1", "https://a.example/?q", "") "," FINISH(90, "1", "") "]",
		 "marks 1/1 ResourceSendRequest:10 ResourceFinish:90\n"
		 "async 1/1 [Network] GET a.example:10-90\n");
}
END_TEST

START_TEST(requests_of_no_network_are_left_out)
{
	ck_tells("[" SEND(10, "1", "data:text/css,x", "") "," SEND(11, "2", "chrome://x/", "") "]",
		 "marks 1/1 ResourceSendRequest:10 ResourceSendRequest:11\n");
	ck_tells("[" RESPONSE(10, "1", "") "," FINISH(11, "1", "") "]",
		 "marks 1/1 ResourceReceiveResponse:10 ResourceFinish:11\n");
}
END_TEST

/* The only request of a profile that begins at time 0. */
static void ck_request(const char *events, const struct request *is)
{
	struct profile *p = load(events);
	const struct request *r = p->requests;

	ck_assert_uint_eq(p->n_requests, 1);
	ck_assert_int_eq((r->t0 - p->origin_ns) / 1000, is->t0);
	ck_assert_int_eq(r->first_byte_ns / 1000, is->first_byte_ns);
	ck_assert_int_eq(r->total_ns / 1000, is->total_ns);
	for (int i = 0; i < REQUEST_PHASES; i++)
		ck_assert_msg(r->phase_ns[i] / 1000 == is->phase_ns[i], "phase %d: %lld", i,
			      (long long)r->phase_ns[i] / 1000);
	ck_assert_uint_eq(r->n_redirects, is->n_redirects);
	ck_assert_int_eq(r->is_finished, is->is_finished);
	ck_assert_int_eq(r->is_from_memory, is->is_from_memory);
	ck_assert_int_eq(r->is_from_disk, is->is_from_disk);
	profile_free(p);
}

START_TEST(times_are_those_of_the_response)
{
	ck_request("[" X("t", 0, 1) "," WILL(10, "1") "," SEND(12, "1", APP, "") "," RESPONSE(
			   60, "1", TIMES) "," FINISH(90, "1", ",'finishTime':0.000080") "]",
		   &(struct request){ .t0 = 10,
				      .first_byte_ns = 40,
				      .total_ns = 80,
				      .is_finished = true,
				      .phase_ns = { [REQUEST_QUEUED] = 10,
						    [REQUEST_STALLED] = 3,
						    [REQUEST_CONNECT] = 2,
						    [REQUEST_SENT] = 1,
						    [REQUEST_WAITED] = 24,
						    [REQUEST_RECEIVED] = 30 } });
}
END_TEST

START_TEST(redirects_come_before_the_rest)
{
	ck_request(
		"[" X("t", 0, 1) "," SEND(10, "1", APP, "") "," SEND(15, "1", APP, "") "," RESPONSE(
			60, "1", TIMES) "," FINISH(90, "1", "") "]",
		&(struct request){ .t0 = 10,
				   .first_byte_ns = 40,
				   .total_ns = 80,
				   .n_redirects = 1,
				   .is_finished = true,
				   .phase_ns = { [REQUEST_REDIRECTED] = 5,
						 [REQUEST_QUEUED] = 5,
						 [REQUEST_STALLED] = 3,
						 [REQUEST_CONNECT] = 2,
						 [REQUEST_SENT] = 1,
						 [REQUEST_WAITED] = 24,
						 [REQUEST_RECEIVED] = 40 } });
}
END_TEST

START_TEST(memory_cache_has_no_timing)
{
	ck_request("[" X("t", 0, 1) "," SEND(10, "1", APP, "") "," DATA(
			   "ResourceMarkAsCached", 11, "1",
			   "") "," RESPONSE(60, "1", TIMES) "," FINISH(90, "1", "") "]",
		   &(struct request){
			   .t0 = 10,
			   .first_byte_ns = 50,
			   .total_ns = 80,
			   .is_finished = true,
			   .is_from_memory = true,
			   .phase_ns = { [REQUEST_STALLED] = 50, [REQUEST_RECEIVED] = 30 } });
}
END_TEST

START_TEST(request_without_an_end_lasts_as_long_as_the_recording)
{
	ck_request("[" X("t", 0, 500) "," SEND(10, "1", APP, "") "]",
		   &(struct request){ .t0 = 10, .first_byte_ns = 490, .total_ns = 490 });
}
END_TEST

START_TEST(texts_of_later_events_count)
{
	struct profile *p = load(
		"[" SEND(10, "1", APP, ",'priority':'Low','renderBlocking':'non_blocking','initiator':{'type':'parser','url':'http://a.example/','lineNumber':4}") "," DATA(
			"ResourceChangePriority", 11, "1",
			",'priority':'High'") "," DATA("PreloadRenderBlockingStatusChange", 12, "1",
						       ",'renderBlocking':'blocking'") "," FINISH(90,
												  "1",
												  "") "]");
	const struct request *r = p->requests;

	ck_assert_str_eq(profile_text(p, r->first_priority), "Low");
	ck_assert_str_eq(profile_text(p, r->priority), "High");
	ck_assert_str_eq(profile_text(p, r->blocking), "blocking");
	ck_assert_str_eq(profile_text(p, r->initiator), "parser");
	ck_assert_int_eq(r->initiator_line, 5);
	profile_free(p);
}
END_TEST

START_TEST(span_and_request_know_each_other_and_the_sender)
{
	struct profile *p = load("[" X("task", 5, 9) "," SEND(10, "1", APP, "") "," FINISH(
		90, "1", "") "," SEND(11, "2", APP, "") "," FINISH(80, "2", "") "]");
	struct span span;
	uint32_t lane;

	ck_assert_uint_eq(p->n_requests, 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert(request_span(p, &p->requests[i], &lane, &span));
		ck_assert_ptr_eq(request_of(p, &p->lanes[lane], &span), &p->requests[i]);
	}
	ck_assert_uint_eq(p->n_flows, 4);
	ck_assert_int_eq(p->lanes[p->flows[0].lane].kind, LANE_SLICES);
	ck_assert_int_eq(p->lanes[p->flows[1].lane].kind, LANE_ASYNC);
	profile_free(p);
}
END_TEST

START_TEST(request_is_found_by_another_clock)
{
	struct profile *p = load(
		"[" X("task", 5, 9) "," SEND(10, "1", APP, "") "," FINISH(90, "1", "") "]");
	struct span span;
	uint32_t lane;

	for (int i = 0; i < 2; i++) {
		align_switch(p, !p->has_own_zero);
		ck_assert(request_span(p, &p->requests[0], &lane, &span));
		ck_assert_ptr_eq(request_of(p, &p->lanes[lane], &span), &p->requests[0]);
	}
	profile_free(p);
}
END_TEST

/* Of two requests at once each is in a layer of its own. */
START_TEST(functions_of_a_lane_have_its_own_requests)
{
	struct profile *p = load(
		"[" X("task", 5, 9) "," SEND(10, "1", APP, "") "," FINISH(90, "1", "") "," SEND(
			20, "2", "http://a.example/b.js", "") "," FINISH(99, "2", "") "]");
	uint32_t n_lanes = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		struct functions functions;
		struct view view;
		int64_t bytes = 0;

		if (!lane->has_requests)
			continue;
		n_lanes++;
		ck_assert(view_init(&view, p, &lane, 1));
		functions_init(&functions, &view, 0, 1000000);
		ck_assert(functions.has_requests);
		for (uint32_t k = 0; k < functions.n; k++)
			bytes += functions.list[k].bytes;
		ck_assert_int_eq(bytes, 735);
		functions_done(&functions);
		view_done(&view);
	}
	ck_assert_uint_eq(n_lanes, 2);
	profile_free(p);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, request_is_a_slice_below_the_thread);
	tcase_add_test(tc, name_is_that_of_the_host_without_a_path);
	tcase_add_test(tc, requests_of_no_network_are_left_out);
	tcase_add_test(tc, times_are_those_of_the_response);
	tcase_add_test(tc, redirects_come_before_the_rest);
	tcase_add_test(tc, memory_cache_has_no_timing);
	tcase_add_test(tc, request_without_an_end_lasts_as_long_as_the_recording);
	tcase_add_test(tc, texts_of_later_events_count);
	tcase_add_test(tc, span_and_request_know_each_other_and_the_sender);
	tcase_add_test(tc, request_is_found_by_another_clock);
	tcase_add_test(tc, functions_of_a_lane_have_its_own_requests);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_network", add_tests);
}
