/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much memory many small lanes take, by kind of lane. */
#include "config.h"

#include "story.h"
#include "suite.h"

#include "base/alloc.h"

#include <sys/resource.h>

/* Bytes of a lane when it is loaded, and while it is. */
#define LANE_BYTES 2048
#define PEAK_BYTES 3584
#define FIXED_BYTES (6 << 20) /* of buffers, tables, the text, and code, also at -O0 */

#define NODE "{'id':1,'callFrame':{'functionName':'f'}}"

/* A document with `n` lanes of one kind. Each # becomes the number of the lane. */
static const struct {
	const char *name;
	unsigned n;
	const char *before, *lane, *after;
} kinds[] = {
	{ "chunks of profiles that no event announces", 10000, "[",
	  "{'ph':'P','name':'ProfileChunk','id':'#','pid':1,'tid':#,'ts':1,'args':{'data':{"
	  "'cpuProfile':{'nodes':[" NODE "],'samples':[1]},'timeDeltas':[1]}}}",
	  "]" },
	{ "slices", 10000, "[", "{'ph':'X','name':'a','pid':1,'tid':#,'ts':1,'dur':1}", "]" },
	{ "marks", 10000, "[", "{'ph':'I','name':'a','pid':1,'tid':#,'ts':1}", "]" },
	{ "objects", 10000, "[", "{'ph':'N','name':'a','id':1,'pid':#,'tid':1,'ts':1}", "]" },
	{ "counters", 4000, "[", "{'ph':'C','name':'c','pid':1,'id':#,'ts':1,'args':{'v':1}}",
	  "]" },
	{ "profiles of a list", 10000, "[",
	  "{'nodes':[" NODE "],'samples':[1],'timeDeltas':[1],'startTime':#}", "]" },
	{ "profiles of speedscope", 10000,
	  "{'$schema':'https://www.speedscope.app/file-format-schema.json',"
	  "'shared':{'frames':[{'name':'a'}]},'profiles':[",
	  "{'type':'sampled','name':'#','unit':'none','startValue':0,'endValue':1,"
	  "'samples':[[0]],'weights':[1]}",
	  "]}" },
};

static void put_lanes(int kind, struct buf *out)
{
	buf_adds(out, kinds[kind].before);
	for (unsigned i = 1; i <= kinds[kind].n; i++) {
		if (i > 1)
			buf_addc(out, ',');
		for (const char *p = kinds[kind].lane; *p; p++) {
			if (*p == '#')
				buf_addf(out, "%u", i);
			else
				buf_addc(out, *p);
		}
	}
	buf_adds(out, kinds[kind].after);
}

START_TEST(lane_with_one_sample_takes_2_kb)
{
	int64_t before, resident, peak, n = kinds[_i].n;
	struct buf text = { 0 };
	struct rusage usage;
	struct profile *p;

	/* As the program does before it loads. */
	memory_return_large();
	put_lanes(_i, &text);
	before = alloc_bytes();
	resident = memory_used();
	p = story_load(buf_text(&text));
	(void)getrusage(RUSAGE_SELF, &usage);
	peak = (int64_t)usage.ru_maxrss * 1024 - resident - FIXED_BYTES;
	ck_assert_msg(p->n_lanes == n, "%s: %u lanes", kinds[_i].name, p->n_lanes);
	if (before >= 0)
		ck_assert_int_lt((alloc_bytes() - before) / n, LANE_BYTES);
#ifdef ALLOC_SANITIZED
	resident = -1; /* sanitizers take memory of their own */
#endif
	if (resident >= 0)
		ck_assert_int_lt(peak / n, PEAK_BYTES);
	buf_done(&text);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "memory", SUITE_SECONDS);

	tcase_add_loop_test(t, lane_with_one_sample_takes_2_kb, 0, N(kinds));
}

int main(void)
{
	return suite_run("many_lanes", add_tests);
}
