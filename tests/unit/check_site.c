/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hosts, sites and third parties; times by url and by origin, of samples and of slices. */
#include "config.h"

#include "trace_story.h"

#include "analyse/label_share.h"
#include "draw/frame_roles.h"

static const struct {
	const char *url, *host, *site;
} urls[] = {
	{ "https://cdn.shop.example/a.js", "cdn.shop.example", "shop.example" },
	{ "http://shop.example", "shop.example", "shop.example" },
	{ "http://shop.example?q#f", "shop.example", "shop.example" },
	{ "https://a.b.c.shop.example:8080/x", "a.b.c.shop.example:8080", "shop.example" },
	{ "https://www.shop.co.uk/", "www.shop.co.uk", "shop.co.uk" },
	{ "https://shop.co.uk/", "shop.co.uk", "shop.co.uk" },
	{ "https://www.abc.com/", "www.abc.com", "abc.com" },
	{ "https://www.abcd.de/", "www.abcd.de", "abcd.de" },
	{ "http://localhost:8023/x", "localhost:8023", "localhost" },
	{ "http://10.0.0.1:80/", "10.0.0.1:80", "10.0.0.1" },
	{ "http://[::1]:80/", "[::1]:80", "[::1]:80" },
	{ "file:///a/b.js", "", "" },
	{ "node:fs", "", "" },
	{ "", "", "" },
};

START_TEST(hosts_and_sites)
{
	struct str host = site_host(urls[_i].url), site = site_of(host);

	ck_assert_msg(str_is(host, urls[_i].host), "%.*s", (int)host.len, host.p);
	ck_assert_msg(str_is(site, urls[_i].site), "%.*s", (int)site.len, site.p);
}
END_TEST

#define FRAME(process)                                                                              \
	"{'ph':'I','name':'TracingStartedInBrowser','cat':'disabled-by-default-devtools.timeline'," \
	"'pid':9,'tid':9,'ts':1,'args':{'data':{'frames':[{'frame':'F','url':'http://www.shop."     \
	"example/','processId':" #process "}]}}}"
#define NAMES                                                                                      \
	META("thread_name", "'name':'CrRendererMain'", 1, 1)                                       \
	"," META("process_name", "'name':'Renderer'", 1, 0)
#define RUN(name, url, ts, dur)                                                                    \
	EV("X", name, ts,                                                                          \
	   ",'cat':'devtools.timeline','dur':" #dur                                                \
	   ",'args':{'data':{'functionName':'f','url':'" url "'}}")
#define SLICES                                                                                     \
	X("RunTask", 10, 100)                                                                      \
	"," RUN("FunctionCall", "http://cdn.shop.example/a.js", 20, 30) "," X(                     \
		"Layout", 25, 5) "," RUN("FunctionCall", "http://ads.example/b.js", 60, 40)
#define CALLEE(id, parent, name, url)                                                              \
	"{'id':" #id parent ",'callFrame':{'functionName':'" name "','scriptId':1,'url':'" url     \
	"','lineNumber':1,'columnNumber':1}}"
#define SAMPLED                                                                                                     \
	PROFILE("0x1", 1, 10, "'startTime':10")                                                                     \
	"," CHUNK(                                                                                                  \
		"0x1", 90,                                                                                          \
		"'cpuProfile':{'nodes':["                                                                           \
		"{'id':1,'callFrame':{'functionName':'(root)','scriptId':0}}," CALLEE(                              \
			2, ",'parent':1", "a",                                                                      \
			"http://shop.example/c.js") "," CALLEE(3, ",'parent':2", "b",                               \
							       "http://ads.example/b.js") "," CALLEE(4,             \
												     ",'parent':3", \
												     "now",         \
												     "") "],"       \
													 "'samples':[2,3,4,1]},'timeDeltas':[10,10,20,5],'endTime':60")

/* `ads.example third 40` in microseconds, each on a line. */
static void ck_origins(const char *text, bool is_by_url, const char *rows)
{
	struct profile *p = load(text);
	const struct lane **lanes = xcalloc((size_t)p->n_lanes + 1, sizeof *lanes);
	struct origin_share *list;
	struct buf out = { 0 };
	size_t n;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		lanes[i] = &p->lanes[i];
	n = origins_find(p, lanes, p->n_lanes, 0, p->t1, is_by_url, &list);
	for (size_t i = 0; i < n; i++)
		buf_addf(&out, "%s %s %lld\n",
			 profile_text(p, is_by_url ? list[i].url : list[i].origin),
			 (const char *[]){ "", "first", "third" }[list[i].party],
			 (long long)list[i].self / 1000);
	ck_assert_str_eq(buf_text(&out), rows);
	ck_assert(is_by_url || origins_are_several(p) == (n > 1));
	buf_done(&out);
	free(list);
	free(lanes);
	profile_free(p);
}

START_TEST(slices_count_for_the_script_around)
{
	ck_origins("[" FRAME(1) "," NAMES "," SLICES "]", false,
		   "ads.example third 40\ncdn.shop.example first 30\n");
	ck_origins("[" FRAME(1) "," NAMES "," SLICES "]", true,
		   "http://ads.example/b.js third 40\nhttp://cdn.shop.example/a.js first 30\n");
	/* Without a page there is no first party. */
	ck_origins("[" SLICES "]", false, "ads.example  40\ncdn.shop.example  30\n");
	ck_origins("[" X("RunTask", 10, 100) "]", false, "");
	ck_origins("[" RUN("FunctionCall", "http://ads.example/b.js", 20,
			   30) "," RUN("FunctionCall", "http://ads.example/c.js", 60, 40) "]",
		   false, "ads.example  70\n");
}
END_TEST

START_TEST(samples_count_alone)
{
	ck_origins("[" FRAME(1) "," NAMES "," SLICES "," SAMPLED "]", false,
		   "ads.example third 25\nshop.example first 10\n");
}
END_TEST

static bool is_muted(const char *text, const char *name)
{
	struct profile *p = load(text);
	struct frame_scheme scheme = { 0 };
	struct frame_roles roles = { 0 };
	enum role role = ROLE_PLAIN;

	frame_roles_make(&roles, p, p, &scheme, CHART_COLOR_OWNERSHIP);
	for (frame_id f = 1; f < p->frames.n; f++)
		if (strcmp(profile_text(p, p->frames.frames[f].name), name) == 0 &&
		    !frame_is_slice(&p->frames.frames[f]))
			role = frame_roles_get(&roles, p, f);
	ck_assert_int_ge(role, ROLE_FRAME);
	frame_roles_done(&roles);
	profile_free(p);
	return role >= ROLE_DEPENDENCY;
}

START_TEST(code_of_other_sites_is_muted)
{
	ck_assert(is_muted("[" FRAME(1) "," NAMES "," SLICES "," SAMPLED "]", "b"));
	ck_assert(!is_muted("[" FRAME(1) "," NAMES "," SLICES "," SAMPLED "]", "a"));
	/* Without a page no site is a third party. */
	ck_assert(!is_muted("[" SLICES "," SAMPLED "]", "b"));
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_loop_test(tc, hosts_and_sites, 0, ARRAY_LEN(urls));
	tcase_add_test(tc, slices_count_for_the_script_around);
	tcase_add_test(tc, samples_count_alone);
	tcase_add_test(tc, code_of_other_sites_is_muted);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("site", add_tests);
}
