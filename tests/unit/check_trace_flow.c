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

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, flow_binds_to_enclosing_and_next_slice);
	tcase_add_test(tc, flow_without_id_is_counted);
	tcase_add_test(tc, flow_of_bind_id);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_flow", add_tests);
}
