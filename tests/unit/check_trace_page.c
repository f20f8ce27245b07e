/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pages of threads: which events tell them, which one counts, and how titles show them. */
#include "config.h"

#include "trace_story.h"

#include "model/profile.h"

#define MAIN(pid, tid) META("thread_name", "'name':'CrRendererMain'", pid, tid)
#define STARTED(url)                                                                               \
	"{'ph':'I','name':'TracingStartedInBrowser','pid':1,'tid':1,'ts':1,'args':{'data':{"       \
	"'frames':[{'frame':'F','url':'" url "','processId':5}]}}}"
#define LOADED(tid, more)                                                                          \
	"{'ph':'X','name':'CommitLoad','pid':5,'tid':" #tid                                        \
	",'ts':2,'dur':1,'args':{'data':{" more "}}}"
#define NAVIGATED(tid, more)                                                                       \
	"{'ph':'R','name':'navigationStart','cat':'blink.user_timing','pid':5,'tid':" #tid         \
	",'ts':3,'args':{" more "}}"

/* The page and the name of the first lane of a thread. */
static void ck_page(const char *text, int64_t tid, const char *page, const char *name)
{
	struct profile *p = load(text);
	struct buf out = { 0 };
	uint32_t i = 0;

	while (i < p->n_lanes && (p->lanes[i].tid != tid || p->lanes[i].kind != LANE_SLICES))
		i++;
	ck_assert_uint_lt(i, p->n_lanes);
	ck_assert_str_eq(profile_text(p, p->lanes[i].page), page);
	lane_name(p, &p->lanes[i], true, &out);
	ck_assert_str_eq(buf_text(&out), name);
	buf_done(&out);
	profile_free(p);
}

START_TEST(frames_at_the_start_tell_the_page_of_the_main_thread)
{
	ck_page("[" STARTED("https://shop.example/cart?id=7#top") "," ON(5, 5) "," ON(5, 6) "]", 5,
		"https://shop.example/cart?id=7#top", "Main — shop.example/cart (pid 5)");
	ck_page("[" STARTED("https://shop.example/") "," ON(5, 5) "," ON(5, 6) "," MAIN(5, 6) "]",
		6, "https://shop.example/", "Main — shop.example (pid 5)");
	ck_page("[" STARTED("https://shop.example/") "," ON(5, 5) "," ON(5, 6) "," MAIN(5, 6) "]",
		5, "", "thread 5 (pid 5)");
}
END_TEST

START_TEST(load_of_the_main_frame_tells_page_and_thread)
{
	ck_page("[" STARTED("about:blank") "," LOADED(
			7, "'isMainFrame':true,'url':'https://a.example/x'") "," ON(5, 5) "]",
		7, "https://a.example/x", "Main — a.example/x (pid 5)");
	ck_page("[" LOADED(7, "'isMainFrame':true,'url':'https://a.example/x'") "," LOADED(
			7, "'isMainFrame':false,'parent':'F','url':'https://b.example/'") "]",
		7, "https://a.example/x", "Main — a.example/x (pid 5)");
}
END_TEST

START_TEST(blank_page_replaces_no_other)
{
	ck_page("[" LOADED(7, "'isMainFrame':true,'url':'https://a.example/x'") "," STARTED(
			"about:blank") "]",
		7, "https://a.example/x", "Main — a.example/x (pid 5)");
	ck_page("[" STARTED("about:blank") "," ON(5, 5) "]", 5, "about:blank",
		"Main — about:blank (pid 5)");
}
END_TEST

START_TEST(navigation_tells_the_page)
{
	ck_page("[" NAVIGATED(7, "'data':{'isLoadingMainFrame':true,'documentLoaderURL':'https://n.example/p'}") "," ON(
			5, 7) "]",
		7, "https://n.example/p", "Main — n.example/p (pid 5)");
	ck_page("[" NAVIGATED(7, "'data':{'isLoadingMainFrame':false,'documentLoaderURL':'https://n.example/p'}") "," ON(
			5, 7) "]",
		7, "", "thread 7 (pid 5)");
	ck_page("[" NAVIGATED(
			7,
			"'data':{'isLoadingMainFrame':true,'documentLoaderURL':''}") "," ON(5,
											    7) "]",
		7, "", "thread 7 (pid 5)");
}
END_TEST

START_TEST(frame_whose_page_is_elsewhere_is_called_frame)
{
	ck_page("[" LOADED(7, "'isMainFrame':false,'url':'https://ads.example/ad.html'") "," MAIN(
			5, 7) "]",
		7, "https://ads.example/ad.html", "Frame — ads.example/ad.html (pid 5)");
}
END_TEST

START_TEST(labels_stand_where_no_page_is_known)
{
	ck_page("[" META("process_labels", "'labels':'Inbox, 3 new'", 5,
			 0) "," ON(5, 6) "," MAIN(5, 6) "]",
		6, "Inbox, 3 new", "Main — Inbox, 3 new (pid 5)");
	ck_page("[" META("process_labels", "'labels':'Inbox'", 5,
			 0) "," STARTED("https://m.example/") "," ON(5, 6) "," MAIN(5, 6) "]",
		6, "https://m.example/", "Main — m.example (pid 5)");
}
END_TEST

START_TEST(worker_has_the_url_of_its_script)
{
	ck_page("[{'ph':'I','name':'TracingSessionIdForWorker','pid':5,'tid':5,'ts':1,'args':{'data':{"
		"'workerThreadId':9,'url':'https://a.example/js/w.js'}}}," ON(5, 9) "," META(
			"thread_name", "'name':'DedicatedWorker thread'", 5, 9) "]",
		9, "https://a.example/js/w.js", "Worker w.js (pid 5)");
	ck_page("[{'ph':'I','name':'TracingSessionIdForWorker','pid':5,'tid':5,'ts':1,'args':{'data':{"
		"'workerThreadId':9,'url':'blob:https://a.example/4b1f09a2-77c0-4d52'}}}," ON(
			5, 9) "]",
		9, "blob:https://a.example/4b1f09a2-77c0-4d52", "Worker blob:4b1f09a2 (pid 5)");
	ck_page("[" ON(5, 9) "," META("thread_name", "'name':'DedicatedWorker thread'", 5, 9) "]",
		9, "", "Worker (pid 5)");
}
END_TEST

#define NAMED(tid, name) META("thread_name", "'name':'" name "'", 5, tid)
#define RASTER(tid) "{'ph':'X','name':'RasterTask','pid':5,'tid':" #tid ",'ts':1,'dur':1}"

START_TEST(threads_of_pools_have_numbers)
{
	static const char text[] =
		"[" NAMED(9, "ThreadPoolForegroundWorker") "," NAMED(8, "CompositorTileWorker1/8") "," NAMED(7, "TaskSchedulerForegroundWorker") "," NAMED(6, "ThreadPoolServiceThread") "," NAMED(
			4,
			"ThreadPoolForegroundWorker") "," RASTER(9) "," ON(5,
									   8) "," ON(5,
										     7) "," ON(5,
											       6) "," ON(5,
													 4) "]";

	ck_page(text, 8, "", "Raster 1 (pid 5)");
	ck_page(text, 9, "", "Raster 2 (pid 5)");
	ck_page(text, 4, "", "Thread pool 1 (pid 5)");
	ck_page(text, 7, "", "Thread pool 2 (pid 5)");
	ck_page(text, 6, "", "ThreadPoolServiceThread (pid 5)");
}
END_TEST

#define BUSY(pid, dur) "{'ph':'X','name':'x','pid':" #pid ",'tid':" #pid ",'ts':1,'dur':" #dur "}"
#define PAGE(pid, more)                                                                            \
	"{'ph':'X','name':'CommitLoad','pid':" #pid ",'tid':" #pid                                 \
	",'ts':2,'dur':1,'args':{'data':{" more "}}}"

/* The processes of lanes in their order: `*` behind those of the page's main thread, `-` behind
 * those whose lanes are folded at first. */
static void ck_order(const char *text, const char *want)
{
	struct profile *p = load(text);
	struct buf out = { 0 };

	for (uint32_t i = 0; i < p->n_lanes; i++)
		buf_addf(&out, "%s%d%s", i ? " " : "", (int)p->lanes[i].pid,
			 p->lanes[i].is_page_main                      ? "*"
				 : p->lanes[i].page_order > PAGE_OTHER ? "-"
								       : "");
	ck_assert_str_eq(buf_text(&out), want);
	buf_done(&out);
	profile_free(p);
}

START_TEST(page_comes_first)
{
	/* That which the recording states, then those of the web, then the busiest. */
	ck_order("[" BUSY(1, 9) "," STARTED("https://a.example/") "," BUSY(5, 3) "," PAGE(
			 6, "'isMainFrame':true,'url':'https://b.example/'") "," BUSY(6, 8) "]",
		 "5* 6 1- 1-");
	ck_order(
		"[" PAGE(4, "'isMainFrame':true,'url':'chrome://omnibox/'") "," BUSY(4, 9) "," PAGE(6, "'isMainFrame':true,'url':'https://b.example/'") "," BUSY(
			6,
			4) "," PAGE(7,
				    "'isMainFrame':true,'url':'https://c.example/'") "," BUSY(7,
											      5) "," BUSY(8,
													  9) "," PAGE(9,
														      "'isMainFrame':false,'url':'https://d.example/'") "]",
		"7* 6 9- 8- 4-");
	ck_order("[" STARTED("chrome://newtab/") "," BUSY(5, 9) "," PAGE(
			 6, "'isMainFrame':true,'url':'https://b.example/'") "]",
		 "5* 6 1-");
}
END_TEST

START_TEST(without_a_page_the_order_stays)
{
	ck_order("[" META("process_name", "'name':'WebUI Top Renderer'", 4,
			  4) "," BUSY(4, 9) "," BUSY(5, 9) "]",
		 "4 5");
	ck_order("[" PAGE(4, "'isMainFrame':true,'url':'chrome://omnibox/'") "," BUSY(5, 9) "]",
		 "4* 5-");
}
END_TEST

START_TEST(long_addresses_lose_the_middle_of_their_path)
{
	ck_page("[" STARTED("https://shop.example/a/very/long/way/to/the/page/of/one/product.html") "," ON(
			5, 5) "]",
		5, "https://shop.example/a/very/long/way/to/the/page/of/one/product.html",
		"Main — shop.example/…/product.html (pid 5)");
	ck_page("[" STARTED("file:///srv/a.html") "," ON(5, 5) "]", 5, "file:///srv/a.html",
		"Main — file:///srv/a.html (pid 5)");
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, frames_at_the_start_tell_the_page_of_the_main_thread);
	tcase_add_test(tc, load_of_the_main_frame_tells_page_and_thread);
	tcase_add_test(tc, blank_page_replaces_no_other);
	tcase_add_test(tc, navigation_tells_the_page);
	tcase_add_test(tc, frame_whose_page_is_elsewhere_is_called_frame);
	tcase_add_test(tc, labels_stand_where_no_page_is_known);
	tcase_add_test(tc, worker_has_the_url_of_its_script);
	tcase_add_test(tc, threads_of_pools_have_numbers);
	tcase_add_test(tc, page_comes_first);
	tcase_add_test(tc, without_a_page_the_order_stays);
	tcase_add_test(tc, long_addresses_lose_the_middle_of_their_path);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_page", add_tests);
}
