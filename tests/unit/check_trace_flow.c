/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flows of a trace (s, t, f, bind_id). */
#include "config.h"

#include "trace_story.h"

START_TEST(flow_binds_to_enclosing_and_next_slice)
{
	struct profile *p = load("[" X("a", 1, 9) "," EV(
		"s", "f", 5,
		",'cat':'c','id':1") ",{'ph':'f','name':'f','cat':'c','id':1,'pid':1,'tid':2,'ts':20},"
				     "{'ph':'X','name':'b','pid':1,'tid':2,'ts':25,'dur':5}]");

	ck_assert_uint_eq(p->n_flows, 2);
	ck_assert_int_eq(p->flows[0].kind, FLOW_START);
	ck_assert_int_eq(p->flows[1].kind, FLOW_END);
	ck_assert_int_eq(p->flows[1].span.t0, 24000);
	profile_free(p);
}
END_TEST

START_TEST(flow_without_id_is_counted)
{
	ck_warns("[" EV("s", "f", 5, "") "," X("a", 1, 9) "]", "flow-id", 1);
	ck_warns("[" EV("X", "a", 5, ",'dur':1,'flow_out':true,'bind_id':{}") "]", "flow-id", 1);
}
END_TEST

START_TEST(flow_of_bind_id)
{
	struct profile *p = load(
		"[" EV("X", "a", 1, ",'dur':2,'bind_id':'0x5','flow_out':true") "," EV(
			"X", "b", 5, ",'dur':2,'bind_id':'0x5','flow_in':true") "]");

	ck_assert_uint_eq(p->n_flows, 2);
	profile_free(p);
}
END_TEST

/* The spans that a flow's points bind to: number, kind and name; of what initiates, + and its name.
 */
static void ck_flows(const char *text, const char *expect)
{
	static const char kinds[] = "ste";
	struct profile *p = load(text);
	struct buf out = { 0 };

	for (size_t i = 0; i < p->n_flows; i++) {
		const struct flow_point *f = &p->flows[i];
		const struct lane *l = &p->lanes[f->lane];

		buf_addf(&out, "%s%u%c:%s", i ? " " : "", f->flow, kinds[f->kind],
			 profile_text(p, profile_node_frame(p, l, f->span.node)->name));
		if (f->initiator)
			buf_addf(&out, "+%s",
				 profile_text(p, profile_frame(p, f->initiator)->name));
	}
	ck_assert_str_eq(buf_text(&out), expect);
	buf_done(&out);
	profile_free(p);
}

#define FLOW(ph, ts, more) EV(ph, "f", ts, ",'cat':'c','id':1" more)
#define SLICES X("a", 1, 4) "," X("b", 10, 4) "," X("c", 20, 4)

START_TEST(flow_end_binds_to_the_next_slice_unless_bp_says_enclosing)
{
	ck_flows("[" SLICES "," FLOW("s", 2, "") "," FLOW("f", 12, "") "]", "1s:a 1e:c");
	ck_flows("[" SLICES "," FLOW("s", 2, "") "," FLOW("f", 12, ",'bp':'e'") "]", "1s:a 1e:b");
	ck_flows("[" SLICES "," FLOW("s", 2, "") "," FLOW("f", 12, ",'bp':'x'") "]", "1s:a 1e:c");
}
END_TEST

START_TEST(flow_step_is_not_an_end)
{
	ck_flows("[" SLICES
		 "," FLOW("s", 2, "") "," FLOW("t", 12, "") "," FLOW("f", 22, ",'bp':'e'") "]",
		 "1s:a 1t:b 1e:c");
}
END_TEST

START_TEST(flows_are_told_apart_by_id_category_and_name)
{
	ck_flows("[" SLICES
		 "," FLOW("s", 2, "") "," EV("f", "f", 12, ",'cat':'c','id':2,'bp':'e'") "]",
		 "1s:a 2e:b");
	ck_flows("[" SLICES
		 "," FLOW("s", 2, "") "," EV("f", "f", 12, ",'cat':'d','id':1,'bp':'e'") "]",
		 "1s:a 2e:b");
	ck_flows("[" SLICES
		 "," FLOW("s", 2, "") "," EV("f", "g", 12, ",'cat':'c','id':1,'bp':'e'") "]",
		 "1s:a 2e:b");
	ck_flows("[" SLICES
		 "," FLOW("s", 2, "") "," EV("f", "f", 12, ",'cat':'c','id':'1','bp':'e'") "]",
		 "1s:a 1e:b");
}
END_TEST

START_TEST(local_flow_ids_belong_to_a_process)
{
	ck_flows(
		"[" SLICES ",{'ph':'X','name':'other','pid':2,'tid':1,'ts':10,'dur':4},"
		"{'ph':'s','name':'f','cat':'c','id2':{'local':1},'pid':1,'tid':1,'ts':2},{'ph':'f','bp':'e','name':'f','cat':'c','id2':{'local':1},'pid':2,'tid':1,'ts':12}]",
		"1s:a 2e:other");
	ck_flows(
		"[" SLICES ",{'ph':'X','name':'other','pid':2,'tid':1,'ts':10,'dur':4},"
		"{'ph':'s','name':'f','cat':'c','id2':{'global':1},'pid':1,'tid':1,'ts':2},{'ph':'f','bp':'e','name':'f','cat':'c','id2':{'global':1},'pid':2,'tid':1,'ts':12}]",
		"1s:a 1e:other");
	ck_flows(
		"[" SLICES ",{'ph':'X','name':'other','pid':2,'tid':1,'ts':10,'dur':4},"
		"{'ph':'s','name':'f','cat':'c','id2':'1','pid':1,'tid':1,'ts':2},{'ph':'f','bp':'e','name':'f','cat':'c','id2':1,'pid':2,'tid':1,'ts':12}]",
		"1s:a 1e:other");
}
END_TEST

START_TEST(null_and_containers_are_no_ids)
{
	ck_warns(
		"[" EV("s", "f", 5, ",'id':null") "," EV("s", "f", 5, ",'id':{}") "," EV("s", "f", 5, ",'id':[1]") "," EV(
			"s", "f", 5,
			",'id2':{'other':1}") "," EV("s", "f", 5,
						     ",'id2':[7]") "," EV("s", "f", 5,
									  ",'id2':{'local':null}") "," EV("s",
													  "f",
													  5,
													  ",'id2':{'other':[1],'local':2}") "," X("a",
																		  1,
																		  9) "]",
		"flow-id", 6);
}
END_TEST

START_TEST(bind_id_needs_a_direction)
{
	ck_flows(
		"[" EV("X", "a", 1, ",'dur':2,'bind_id':7,'flow_out':true") "," EV(
			"X", "b", 5,
			",'dur':2,'bind_id':7,'flow_in':true,'flow_out':true") "," EV("X", "c", 9,
										      ",'dur':2,'bind_id':7,'flow_in':true") "]",
		"1s:a 1t:b 1e:c");
	ck_flows("[" EV("X", "a", 1, ",'dur':2,'bind_id':7") "," EV(
			 "X", "b", 5, ",'dur':2,'bind_id':7,'flow_in':false") "]",
		 "");
	ck_flows("[" EV("X", "a", 1, ",'dur':2,'bind_id':null,'flow_out':true") "," EV(
			 "X", "b", 5, ",'dur':2,'bind_id':null,'flow_in':true") "]",
		 "");
	ck_flows("[" EV("X", "a", 1, ",'dur':2,'flow_out':true") "," EV(
			 "X", "b", 5, ",'dur':2,'flow_in':true") "]",
		 "");
}
END_TEST

/* Neither is linked to anything. */
START_TEST(initiators_may_have_no_args)
{
	ck_tells(
		"[" EV("I", "RequestAnimationFrame", 10, "") "," X("FireAnimationFrame", 20, 5) "]",
		"slices 1/1 FireAnimationFrame:20-25\nmarks 1/1 RequestAnimationFrame:10\n");
}
END_TEST

#define DEBUGGER ",'cat':'disabled-by-default-v8.inspector'"
#define TASK(name, ts)                                                                             \
	EV("X", "v8::Debugger::AsyncTaskScheduled", ts,                                            \
	   DEBUGGER ",'dur':1,'args':{'taskName':'" name "'}")
#define RUNS(ts) EV("X", "v8::Debugger::AsyncTaskRun", ts, DEBUGGER ",'dur':4,'args':{}")
#define ARROW(id, from, to)                                                                        \
	EV("s", "x", from, DEBUGGER ",'id':" id) "," EV("f", "x", to, DEBUGGER ",'bp':'e','id':" id)

START_TEST(task_initiates_its_runs)
{
	ck_flows("[" TASK("await", 1) "," RUNS(10) "," ARROW("1", 1, 10) "]",
		 "1s:await+await 1e:v8::Debugger::AsyncTaskRun");
	/* Run again, whatever the order of the file; runs that are begins and ends. */
	ck_flows(
		"[" ARROW("5", 20, 30) "," ARROW("6", 10, 20) "," ARROW("7", 1, 10) "," RUNS(30) "," TASK(
			"wait",
			1) ","
			   "{'ph':'B','name':'v8::Debugger::AsyncTaskRun','pid':1,'tid':1,'ts':20}," X(
				   "a", 21, 2) "," E("", 25) "," RUNS(10) "]",
		"1s:wait+wait 1e:v8::Debugger::AsyncTaskRun "
		"2s:wait+wait 2e:v8::Debugger::AsyncTaskRun "
		"3s:wait+wait 3e:v8::Debugger::AsyncTaskRun");
	/* A flow through several runs is several arrows. */
	ck_flows("[" TASK("wait", 1) "," RUNS(10) "," RUNS(20) "," ARROW("1", 1, 20) "," EV(
			 "t", "x", 10, DEBUGGER ",'id':1") "]",
		 "1s:wait+wait 1e:v8::Debugger::AsyncTaskRun "
		 "2s:wait+wait 2e:v8::Debugger::AsyncTaskRun");
}
END_TEST

START_TEST(flows_that_are_no_tasks_stay)
{
	/* The recording began later; it was canceled; another thread has a run then. */
	ck_flows("[" RUNS(10) "," RUNS(20) "," ARROW("1", 10, 20) "]",
		 "1s:v8::Debugger::AsyncTaskRun 1e:v8::Debugger::AsyncTaskRun");
	ck_flows("[" TASK("wait", 1) "," X("gone", 10, 1) "," ARROW("1", 1, 10) "]",
		 "1s:wait 1e:gone");
	ck_flows("[" TASK("wait", 1) "," X("gone", 10, 4) "," ARROW(
			 "1", 1, 10) ",{'ph':'X','name':'v8::Debugger::AsyncTaskRun','pid':1,"
				     "'tid':2,'ts':10,'dur':4}]",
		 "1s:wait 1e:gone");
	/* A run does not come before its task. */
	ck_flows("[" TASK("wait", 20) "," RUNS(10) "," ARROW("1", 20, 10) "]",
		 "1e:v8::Debugger::AsyncTaskRun 1s:wait");
	ck_flows("[" RUNS(10) "," ARROW("1", 10, 10) "]",
		 "1s:v8::Debugger::AsyncTaskRun 1e:v8::Debugger::AsyncTaskRun");
	ck_flows("[" TASK("wait", 1) "," TASK("more", 10) "," ARROW("1", 1, 10) "]",
		 "1s:wait 1e:more");
	ck_flows("[" X("a", 1, 2) "," X("b", 5, 2) "," ARROW("1", 1, 5) "]", "1s:a 1e:b");
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, flow_binds_to_enclosing_and_next_slice);
	tcase_add_test(tc, initiators_may_have_no_args);
	tcase_add_test(tc, task_initiates_its_runs);
	tcase_add_test(tc, flows_that_are_no_tasks_stay);
	tcase_add_test(tc, flow_without_id_is_counted);
	tcase_add_test(tc, flow_of_bind_id);
	tcase_add_test(tc, flow_end_binds_to_the_next_slice_unless_bp_says_enclosing);
	tcase_add_test(tc, flow_step_is_not_an_end);
	tcase_add_test(tc, flows_are_told_apart_by_id_category_and_name);
	tcase_add_test(tc, local_flow_ids_belong_to_a_process);
	tcase_add_test(tc, null_and_containers_are_no_ids);
	tcase_add_test(tc, bind_id_needs_a_direction);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_flow", add_tests);
}
