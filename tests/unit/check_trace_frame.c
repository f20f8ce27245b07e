/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames of a page: drawn, dropped, shown in part. */
#include "config.h"

#include "trace_story.h"

#define LAYER                                                                                      \
	"{'ph':'I','name':'SetLayerTreeId','pid':1,'tid':1,'ts':1,'args':{'data':{'frame':'F','layerTreeId':2}}}"
#define FRAME(name, ts, seq, more)                                                                 \
	"," EV("I", name, ts, ",'args':{'layerTreeId':2,'frameSeqId':" #seq more "}")
#define BEGIN(ts, seq) FRAME("BeginFrame", ts, seq, "")
#define DRAW(ts, seq) FRAME("DrawFrame", ts, seq, "")
#define DROP(ts, seq, more) FRAME("DroppedFrame", ts, seq, more)

/* The line of the lane of frames; "": there is none. */
static void ck_frames(const char *events, const char *line)
{
	struct profile *p = load(events);
	struct buf story = { 0 };

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].kind == LANE_ASYNC)
			add_lane(&story, p, &p->lanes[i]);
	ck_assert_str_eq(buf_text(&story), line);
	buf_done(&story);
	profile_free(p);
}

START_TEST(frame_lasts_until_the_next_that_is_drawn)
{
	ck_frames("[" LAYER BEGIN(1000, 1) DRAW(1500, 1) BEGIN(2000, 2) DRAW(2500, 2) BEGIN(4000, 3)
			  DRAW(4500, 3) "]",
		  "async 1/1 [Frames] 1.00 ms:1000-2000 2.00 ms:2000-4000\n");
}
END_TEST

START_TEST(frame_that_is_not_drawn_is_none)
{
	ck_frames("[" LAYER BEGIN(1000, 1) DRAW(1500, 1) BEGIN(2000, 2) BEGIN(4000, 3)
			  DRAW(4500, 3) "]",
		  "async 1/1 [Frames] 3.00 ms:1000-4000\n");
}
END_TEST

START_TEST(dropped_frames_have_a_sign)
{
	ck_frames("[" LAYER BEGIN(1000, 1) DRAW(1500, 1) BEGIN(2000, 2) DROP(2100, 2, "")
			  BEGIN(3000, 3) DROP(3100, 3, ",'hasPartialUpdate':true") BEGIN(4000, 4)
				  DRAW(4500, 4) "]",
		  "async 1/1 [Frames] 1.00 ms:1000-2000 \303\227 1.00 ms:2000-3000 "
		  "\342\227\220 1.00 ms:3000-4000\n");
}
END_TEST

START_TEST(frame_waits_for_the_main_thread)
{
	ck_frames("[" LAYER BEGIN(1000, 1) DRAW(1500, 1)
			  FRAME("RequestMainThreadFrame", 1600, 2, "") BEGIN(2000, 2) DRAW(2500, 2)
				  BEGIN(3000, 3) FRAME("BeginMainThreadFrame", 3100, 3, "")
					  FRAME("Commit", 3200, 3, "") DRAW(3500, 3) "]",
		  "async 1/1 [Frames] 2.00 ms:1000-3000\n");
}
END_TEST

START_TEST(other_layer_trees_do_not_count)
{
	ck_frames(
		"[" LAYER
		",{'ph':'I','name':'BeginFrame','pid':1,'tid':1,'ts':500,'args':{'layerTreeId':3,'frameSeqId':9}}" BEGIN(
			1000, 1) DRAW(1500, 1) BEGIN(2000, 2) DRAW(2500, 2) "]",
		"async 1/1 [Frames] 1.00 ms:1000-2000\n");
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, frame_lasts_until_the_next_that_is_drawn);
	tcase_add_test(tc, frame_that_is_not_drawn_is_none);
	tcase_add_test(tc, dropped_frames_have_a_sign);
	tcase_add_test(tc, frame_waits_for_the_main_thread);
	tcase_add_test(tc, other_layer_trees_do_not_count);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_frame", add_tests);
}
