/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose time the time of a node is, on small profiles, and sums of groups against a walk over all
 * samples of random profiles. Failures print the seed. */
#include "config.h"

#include "suite.h"

#include "findings/charge.h"

#include "random_profile.h"
#include "runs.h"

#include "findings/charge.c"

#define SEEDS 40

static struct profile *profile;
static struct charge charge;

static void open_profile(struct profile *p)
{
	profile = p;
	charge_init(&charge, profile, &profile->lanes[0]);
	while (!charge_work(&charge, a_step()))
		;
}

static void close_profile(void)
{
	charge_done(&charge);
	profile_free(profile);
}

/* The stack of a sample, by its number. */
static uint32_t stack_of(size_t i)
{
	return charge_stacks_before(&charge.stacks, charge.lane->samples.leaf[i]);
}

/* What the last sample is charged to. */
static const struct charge_node *last_node(void)
{
	const struct samples *s = &profile->lanes[0].samples;

	return &charge.nodes[stack_of(s->n - 1)];
}

static const char *name_of(frame_id id)
{
	return id == FRAME_NONE ? "none" : profile_text(profile, profile->frames.frames[id].name);
}

static const char *owner_of(const struct charge_node *n)
{
	return name_of(profile->lanes[0].tree.frame[n->owner]);
}

#define A "a@/app/a.js:3"
#define B "b@/app/b.js:5"
#define LIB "deep@/app/node_modules/lib/index.js:7"

#define OTHER "other@/app/node_modules/other/index.js:3"

/* ---- owners ---- */

static void owns(const char *runs, const char *owner)
{
	open_profile(runs_load(runs));
	ck_assert_str_eq(owner_of(last_node()), owner);
	close_profile();
}

START_TEST(owner_is_the_innermost_own_function)
{
	owns("5 " A, "a");
	owns("5 " A ">" B, "b");
	owns("5 " A ">" B ">" LIB ">read", "b");
	owns("5 " A ">emit@node:events:1", "a");
	owns("5 " A "|5 emit@node:events:1", "none");
	owns("5 f@wasm://wasm/1:1", "f");
	owns("5 f@[eval]:1", "f");
}
END_TEST

/* What new Function made has no url: its time is its caller's. */
START_TEST(generated_code_is_transparent)
{
	owns("5 " A ">made@-:0", "a");
	owns("5 " A "|5 " LIB ">made@-:0", "none");
}
END_TEST

START_TEST(names_without_urls_are_own)
{
	owns("5 main>walk", "walk");
	owns("5 " A "|5 main>walk", "none");
}
END_TEST

/* Less than a tenth of the time is own: then functions of packages own it. */
START_TEST(tool_mode)
{
	open_profile(runs_load("9 " A ">" LIB "|1 " A "|91 " LIB));
	ck_assert(charge.is_tool);
	ck_assert_str_eq(owner_of(last_node()), "deep");
	close_profile();
	open_profile(runs_load("11 " A ">" LIB "|89 " LIB));
	ck_assert(!charge.is_tool);
	ck_assert_str_eq(owner_of(last_node()), "none");
	close_profile();
	/* Not without packages. */
	open_profile(runs_load("5 " A "|95 emit@node:events:1"));
	ck_assert(!charge.is_tool);
	close_profile();
}
END_TEST

/* ---- paths ---- */

START_TEST(package_is_the_one_that_own_code_calls)
{
	const struct charge_group *g;

	open_profile(runs_load("5 " A ">" LIB ">x@/app/node_modules/other/x.js:1"));
	g = &charge.groups[last_node()->package];
	ck_assert_int_eq(g->kind, CHARGE_BY_PACKAGE);
	ck_assert_str_eq(profile_text(profile, g->id), "lib");
	ck_assert_str_eq(name_of(last_node()->inner), "x");
	close_profile();
	open_profile(runs_load("5 " LIB ">" A));
	ck_assert_uint_eq(last_node()->package, 0);
	close_profile();
}
END_TEST

static void syncs(const char *runs, const char *function, enum charge_sync module)
{
	frame_id sync;

	open_profile(runs_load(runs));
	sync = last_node()->sync;
	ck_assert_str_eq(name_of(sync), function);
	ck_assert_int_eq(charge.functions[sync].frame.sync, module);
	close_profile();
}

START_TEST(synchronous_calls)
{
	syncs("5 " A ">readFileSync@node:fs:1>read", "readFileSync", SYNC_FS);
	syncs("5 " A ">readFileSync@node:fs:1>openSync@node:fs:2", "readFileSync", SYNC_FS);
	syncs("5 " A ">pbkdf2Sync@node:internal/crypto/pbkdf2:9", "pbkdf2Sync", SYNC_CRYPTO);
	syncs("5 " A ">spawnSync@node:internal/child_process:9", "spawnSync", SYNC_CHILD_PROCESS);
	syncs("5 x@internal/util.js:1|5 " A ">inflateSync@zlib.js:9", "inflateSync", SYNC_ZLIB);
	syncs("5 " A ">inflateSync@zlib.js:9", "none", SYNC_NONE);
	syncs("5 " A ">readFile@node:fs:1", "none", SYNC_NONE);
	syncs("5 " A ">readFileSync@/app/fs.js:1", "none", SYNC_NONE);
	syncs("5 " A ">readFileSync@node:fsx:1", "none", SYNC_NONE);
	syncs("5 " A ">readFileSync@node:fs:1>" B, "none", SYNC_NONE);
	/* The loader reads files, too. */
	syncs("5 " A ">_load@node:internal/modules/cjs/loader:1>readFileSync@node:fs:1", "none",
	      SYNC_NONE);
}
END_TEST

static void flags(const char *runs, unsigned expect)
{
	open_profile(runs_load(runs));
	ck_assert_uint_eq(last_node()->flags & (CHARGE_IN_LOAD | CHARGE_IN_BOOT | CHARGE_IN_TIMER),
			  expect);
	close_profile();
}

START_TEST(flags_of_paths)
{
	flags("5 " A ">_load@node:internal/modules/cjs/loader:1>read", CHARGE_IN_LOAD);
	flags("5 run@node:internal/main/run_main_module:1", CHARGE_IN_BOOT);
	flags("5 run@node:internal/main/run_main_module:1>" A, 0);
	flags("5 _load@node:internal/modules/cjs/loader:1>" A, 0);
	flags("5 listOnTimeout@node:internal/timers:1>" A ">" B, CHARGE_IN_TIMER);
}
END_TEST

START_TEST(timers_and_entries)
{
	open_profile(runs_load("5 listOnTimeout@node:internal/timers:1>" A ">" B));
	ck_assert_str_eq(name_of(last_node()->timer), "a");
	ck_assert_str_eq(name_of(last_node()->entry), "listOnTimeout");
	close_profile();
	open_profile(runs_load("5 " A ">listOnTimeout@node:internal/timers:1>" B));
	ck_assert_str_eq(name_of(last_node()->timer), "b");
	close_profile();
	open_profile(runs_load("5 " A ">" B));
	ck_assert_str_eq(name_of(last_node()->timer), "none");
	close_profile();
}
END_TEST

START_TEST(modules)
{
	static const char *const cases[][2] = {
		{ "5 emit@node:events:1", "node:events" },
		{ "5 run@node:internal/process/task_queues:1", "node:process" },
		{ "5 run@node:internal/timers:1", "node:timers" },
		{ "5 x@internal/util.js:1|5 emit@events.js:1", "node:events" },
		{ "5 run@internal/timers.js:1", "node:timers" },
		{ "5 emit@node:events:1>read@node:fs:1", "node:events" },
		{ "5 " A "|5 writev", "native" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		open_profile(runs_load(cases[i][0]));
		ck_assert_str_eq(charge.modules.list[last_node()->module].name, cases[i][1]);
		close_profile();
	}
}
END_TEST

/* Names without `node:` are those of no module; what is behind them in memory does not count. */
START_TEST(only_modules_of_node_are_io)
{
	static const char text[] = "node\0http";

	ck_assert(charge_frame_is_io("node:http"));
	ck_assert(charge_frame_is_io("node:_http_server"));
	ck_assert(!charge_frame_is_io("node:fs"));
	ck_assert(!charge_frame_is_io(text));
	ck_assert(!charge_frame_is_io("native"));
	open_profile(runs_load("5 emit@node::1"));
	ck_assert_str_eq(charge.modules.list[last_node()->module].name, "node");
	close_profile();
}
END_TEST

/* Requests make an event loop, if there are five. */
START_TEST(event_loop)
{
#define REQUEST "2 parserOnHeadersComplete@node:_http_common:1>" A "|1 (idle)|"
	open_profile(runs_load(REQUEST REQUEST REQUEST REQUEST "5 " A));
	ck_assert(!charge.has_loop);
	close_profile();
	open_profile(runs_load("3 " A "|" REQUEST REQUEST REQUEST REQUEST REQUEST "5 " A));
	ck_assert(charge.has_loop);
	ck_assert_int_eq(charge.t_loop, 3000000);
	close_profile();
	/* A page has one, anyway. */
	open_profile(runs_load("5 " A));
	ck_assert(charge.has_loop);
	close_profile();
}
END_TEST

/* ---- sums ---- */

/* Garbage collection belongs to the stack before it, also where raw samples have it in row 0. */
START_TEST(garbage_collection_is_charged)
{
	struct charge_times t;

	open_profile(runs_load("4 " A "|3 (garbage collector)|2 " B));
	charge_times_init(&t, &charge.stacks, 0, profile->t1);
	while (!charge_times_step(&t, a_step()))
		;
	ck_assert_int_eq(t.gc, 3000000);
	ck_assert_int_eq(t.ns[CHARGE_KEY(stack_of(0), 1)], 3000000);
	ck_assert_uint_eq(t.count[CHARGE_KEY(stack_of(0), 1)], 3);
	ck_assert_int_eq(t.busy, 9000000);
	charge_times_done(&t);
	close_profile();
}
END_TEST

/* The time of each key, by a walk that knows nothing of windows; *count: its samples. */
static int64_t walked(charge_key key, int64_t t0, int64_t t1, uint32_t *count)
{
	const struct lane *lane = charge.lane;
	const struct samples *s = &lane->samples;
	int64_t ns = 0;

	*count = 0;
	for (size_t i = 0; i < s->n; i++) {
		int64_t from = samples_time(s, i) > t0 ? samples_time(s, i) : t0,
			to = samples_time(s, i + 1) < t1 ? samples_time(s, i + 1) : t1;
		node_id node = s->leaf[i];
		bool is_gc = charge.stacks.kind[node] == CHARGE_GC;

		for (size_t k = i; is_gc && charge.stacks.kind[node] == CHARGE_GC;)
			node = lane->tree.parent[node] != NODE_ROOT ? lane->tree.parent[node]
				: k-- > 0                           ? s->leaf[k]
								    : NODE_ROOT;
		if (to <= from || charge_key_node(&charge, key) != node ||
		    CHARGE_KEY_IS_GC(key) != is_gc ||
		    charge.stacks.kind[s->leaf[i]] == CHARGE_IDLE || s->leaf[i] == NODE_ROOT)
			continue;
		ns += to - from;
		++*count;
	}
	return ns;
}

/* Every second one has blocks. Samples that were not counted are enough for a finding, wherever the
 * time is. */
START_TEST(sums_of_random_profiles)
{
	struct charge_times t;
	int64_t t0, t1, sum = 0;
	uint64_t n = 0;

	open_profile(random_profile(_i, 60, _i / 2 % 2 ? 6000 : 400, 1));
	ck_assert_int_eq(charge.lane->samples.blocks != NULL, _i / 2 % 2);
	t0 = profile->t1 / 7;
	t1 = profile->t1 - profile->t1 / 5;
	charge_times_init(&t, &charge.stacks, t0, t1);
	while (!charge_times_step(&t, a_step()))
		;
	for (charge_key key = 0; key < 2 * charge.stacks.n; key++) {
		uint32_t count;

		ck_assert_msg(t.ns[key] == walked(key, t0, t1, &count), "seed %d, key %u", _i,
			      (unsigned)key);
		if (t.count)
			ck_assert_uint_eq(t.count[key], count);
		else if ((double)t.ns[key] * 1e6 / (double)t.busy >= CHARGE_SHARE_MIN - 1)
			ck_assert_uint_ge(count, CHARGE_SAMPLES_MIN);
		sum += t.ns[key];
		n += count;
	}
	ck_assert_int_eq(sum, t.busy);
	ck_assert_uint_eq(n, t.n_busy);
	ck_assert_int_eq(t.count == NULL, _i / 2 % 2);
	charge_times_done(&t);
	close_profile();
}
END_TEST

/* ---- steps ---- */

static void same_groups(const struct charge *a, const struct charge *b)
{
	ck_assert_uint_eq(a->n_groups, b->n_groups);
	for (uint32_t i = 1; i < a->n_groups; i++) {
		ck_assert_int_eq(a->groups[i].kind, b->groups[i].kind);
		ck_assert_uint_eq(a->groups[i].id, b->groups[i].id);
		ck_assert_uint_eq(a->groups[i].through, b->groups[i].through);
	}
}

static void same_nodes(const struct charge *a, const struct charge *b)
{
	for (node_id i = 0; i < a->lane->tree.n; i++)
		ck_assert_uint_eq(a->stacks.kind[i], b->stacks.kind[i]);
	ck_assert_uint_eq(a->stacks.n, b->stacks.n);
	for (uint32_t i = 0; i < a->stacks.n; i++) {
		const struct charge_node *x = &a->nodes[i], *y = &b->nodes[i];

		ck_assert_uint_eq(a->stacks.node[i], b->stacks.node[i]);
		ck_assert_uint_eq(x->owner, y->owner);
		ck_assert_uint_eq(x->package, y->package);
		ck_assert_uint_eq(x->inner, y->inner);
		ck_assert_uint_eq(x->sync, y->sync);
		ck_assert_uint_eq(x->regexp, y->regexp);
		ck_assert_uint_eq(x->entry, y->entry);
		ck_assert_uint_eq(x->timer, y->timer);
		ck_assert_uint_eq(x->module, y->module);
		ck_assert_uint_eq(x->flags, y->flags);
	}
}

/* Each pass over the nodes stops after any node, also those of tool mode and of pass-through, and
 * the result is that of one call. A charge that is dropped half-way leaves nothing. */
START_TEST(each_pass_stops_between_two_nodes)
{
	struct charge all;
	size_t calls = 1, passes = _i < SEEDS ? 2 : 4;

	profile = _i < SEEDS ? random_profile(_i, 60, 400, 1)
			     : runs_load("5 " LIB "|4 " OTHER ";" LIB "|1 (program)");
	charge_init(&all, profile, &profile->lanes[0]);
	ck_assert(charge_work(&all, BUDGET_UNLIMITED));
	charge_init(&charge, profile, &profile->lanes[0]);
	for (struct budget one = budget_steps(1, 1); !charge_work(&charge, &one);
	     one = budget_steps(1, 1))
		calls++;
	ck_assert_uint_ge(calls, passes * (charge.lane->tree.n - 1) + profile->frames.n);
	ck_assert_int_eq(all.is_tool, charge.is_tool);
	ck_assert_int_eq(all.has_loop, charge.has_loop);
	ck_assert_int_eq(all.t_loop, charge.t_loop);
	same_groups(&all, &charge);
	same_nodes(&all, &charge);
	charge_done(&all);
	for (size_t n = 0; n < calls; n += 1 + calls / 50) {
		charge_init(&all, profile, &profile->lanes[0]);
		for (size_t i = 0; i < n; i++)
			charge_work(
				&all,
				&(struct budget){ .until_ns = INT64_MAX, .steps = 1, .step = 1 });
		charge_done(&all);
	}
	close_profile();
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *owners = suite_case(suite, "owners", SUITE_SECONDS);
	TCase *paths = suite_case(suite, "paths", SUITE_SECONDS);
	TCase *sums = suite_case(suite, "sums", SUITE_SECONDS);
	TCase *steps = suite_case(suite, "steps", SUITE_SECONDS);

	tcase_add_test(owners, owner_is_the_innermost_own_function);
	tcase_add_test(owners, generated_code_is_transparent);
	tcase_add_test(owners, names_without_urls_are_own);
	tcase_add_test(owners, tool_mode);
	tcase_add_test(paths, package_is_the_one_that_own_code_calls);
	tcase_add_test(paths, synchronous_calls);
	tcase_add_test(paths, flags_of_paths);
	tcase_add_test(paths, timers_and_entries);
	tcase_add_test(paths, modules);
	tcase_add_test(paths, only_modules_of_node_are_io);
	tcase_add_test(paths, event_loop);
	tcase_add_test(sums, garbage_collection_is_charged);
	tcase_add_loop_test(sums, sums_of_random_profiles, 0, SEEDS);
	tcase_add_loop_test(steps, each_pass_stops_between_two_nodes, 0, SEEDS + 1);
}

int main(void)
{
	return suite_run("charge", add_tests);
}
