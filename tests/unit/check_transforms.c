/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A transform that takes long: what is shown until it is complete, and how it is stopped. */
#include "config.h"

#include "slow_app.h"
#include "story.h"

#include "model/build/subset.h"
#include "ui/app.h"
#include "ui/key.h"

static void work_a_little(void)
{
	struct budget budget = budget_steps(20, 1);

	ck_assert(!transforms_work(app, &budget));
	ck_assert(transforms_is_busy(app));
}

/* Begins with the transforms that `keys` make, and with another one that is undone. */
static char *begin(const char *keys)
{
	press(keys);
	complete();
	press("xp");
	complete();
	press("u");
	complete();
	ck_assert_uint_eq(app->transforms.n_all, app->transforms.n + 1);
	return screen();
}

START_TEST(esc_gives_back_the_transforms_before)
{
	char *before = begin("xi"), *after;

	press("xgobxr");
	work_a_little();
	ck_assert(!(app_key(app, _i ? 'c' | KEYC_CTRL : KEYC_ESC) & APP_QUIT));
	ck_assert_ptr_nonnull(strstr(buf_text(&app->message), "stopped"));
	ck_assert(!transforms_is_busy(app));
	after = screen();
	ck_assert(strcmp(after, before) == 0);
	ck_assert_uint_eq(app->transforms.n, 1);
	/* The undone transform is there again. */
	ck_assert_uint_eq(app->transforms.n_all, 2);
	ck_assert_int_eq(app->transforms.list[1].kind, TRANSFORM_FOLD);
	free(before);
	free(after);
}
END_TEST

/* Append a document. */
static void add_collected(struct buf *text)
{
	struct buf ids = { 0 }, deltas = { 0 };

	/* f, then garbage collection on it, f, a lone (program), f */
	for (int i = 0; i < 40; i++) {
		buf_addf(&ids, "%s3,2,3,4,3", i ? "," : "");
		buf_addf(&deltas, "%s9,9,9,9,9", i ? "," : "");
	}
	buf_addf(text,
		 "{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2,3,4]},"
		 "{'id':2,'callFrame':{'functionName':'(garbage collector)'}},"
		 "{'id':3,'callFrame':{'functionName':'f','url':'f.js'}},"
		 "{'id':4,'callFrame':{'functionName':'(program)'}}],"
		 "'startTime':0,'endTime':9000,'samples':[%s],'timeDeltas':[%s]}",
		 buf_text(&ids), buf_text(&deltas));
	buf_done(&ids);
	buf_done(&deltas);
}

static struct profile *collected(void)
{
	struct buf text = { 0 };
	struct profile *p;

	add_collected(&text);
	p = story_load(buf_text(&text));
	buf_done(&text);
	return p;
}

static void pass_collected(struct builder *b)
{
	struct error err = ERROR_INIT;
	struct buf text = { 0 };
	char *copy;

	add_collected(&text);
	copy = quoted_bytes(buf_text(&text), text.len);
	ck_assert(pass_text(b, copy, text.len, SIZE_MAX, NULL, &err));
	free(copy);
	buf_done(&text);
}

/* The samples of the beginning only. */
static struct profile *collected_part(bool is_raw)
{
	struct builder *b = builder_new(&(struct builder_options){ .is_survey = true });
	struct error err = ERROR_INIT;
	struct subset *subset;
	struct profile *p;

	pass_collected(b);
	subset = builder_finish_survey(b, &err);
	ck_assert_ptr_nonnull(subset);
	subset->t1 = subset->t0 + 200000;
	b = builder_new(&(struct builder_options){ .is_raw = is_raw, .subset = subset });
	pass_collected(b);
	p = builder_finish(b, &err);
	ck_assert_ptr_nonnull(p);
	ck_assert_uint_gt(p->lanes[0].n_left, 0);
	subset_free(subset);
	return p;
}

/* Replace the app. */
static void open_app(struct profile *take, const struct app_options *options)
{
	app_free(app);
	if (take != profile)
		profile_free(profile);
	profile = take;
	app = app_new(profile, options);
	app_resize(app, 40, 120);
}

static void check_raw(unsigned raw)
{
	const struct lane *lane = &app->s.profile->lanes[0];

	ck_assert_uint_eq(app->transforms.raw, raw);
	ck_assert_int_eq(lane->max_depth, raw & AS_RECORDED_GC ? 1 : 2);
	ck_assert_int_eq(lane->program_ns, raw & AS_RECORDED_PROGRAM ? 40 * 9000 : 0);
	ck_assert_int_eq(lane->gc_ns, 40 * 9000);
}

START_TEST(samples_are_as_recorded_at_a_key)
{
	char *before, *after;

	app_free(app);
	profile_free(profile);
	profile = collected();
	app = app_new(profile, &(struct app_options){ 0 });
	app_resize(app, 40, 120);
	app->key_ns = 0;
	complete();
	before = screen();
	check_raw(0);
	press("og");
	ck_assert(transforms_is_busy(app));
	complete();
	check_raw(AS_RECORDED_GC);
	press("op");
	/* Given up, it is as it was. */
	app_key(app, KEYC_ESC);
	complete();
	check_raw(AS_RECORDED_GC);
	press("op");
	complete();
	check_raw(AS_RECORDED_GC | AS_RECORDED_PROGRAM);
	/* Transforms apply to the samples that are shown, and stay on. */
	press("xr");
	complete();
	press("og");
	complete();
	check_raw(AS_RECORDED_PROGRAM);
	ck_assert_uint_eq(app->transforms.n, 1);
	press("u");
	complete();
	press("op");
	complete();
	check_raw(0);
	after = screen();
	ck_assert_str_eq(after, before);
	free(before);
	free(after);
}
END_TEST

START_TEST(samples_are_as_recorded_from_the_start)
{
	app_free(app);
	profile_free(profile);
	profile = collected();
	app = app_new(profile,
		      &(struct app_options){ .raw = AS_RECORDED_GC | AS_RECORDED_PROGRAM });
	app_resize(app, 40, 120);
	check_raw(AS_RECORDED_GC | AS_RECORDED_PROGRAM);
	press("og");
	complete();
	check_raw(AS_RECORDED_PROGRAM);
}
END_TEST

/* What was set holds for the apps that follow. */
START_TEST(samples_are_as_recorded_by_a_setting)
{
	struct preferences preferences = { 0 };
	const struct app_options options = { .preferences = &preferences };

	open_app(collected(), &options);
	press(":set gc-place recorded<Enter>");
	check_raw(AS_RECORDED_GC);
	ck_assert_str_eq(buf_text(&app->message), "garbage collection: as recorded");
	press(":set program=recorded<Enter>");
	check_raw(AS_RECORDED_GC | AS_RECORDED_PROGRAM);
	press(":set gc-place=stack<Enter>");
	check_raw(AS_RECORDED_PROGRAM);
	open_app(profile, &options);
	check_raw(AS_RECORDED_PROGRAM);
	press(":set program joined<Enter>");
	check_raw(0);
	press("og:set gc-place<Enter>");
	ck_assert_str_eq(buf_text(&app->message), "gc-place recorded");
	open_app(profile, &options);
	check_raw(0);
	open_app(profile, &(struct app_options){ 0 });
	preferences_done(&preferences);
}
END_TEST

/* Keys and settings. */
static const char *const raw_keys[] = { "og", "op", ":set gc-place recorded<Enter>",
					":set program recorded<Enter>" };

START_TEST(a_part_says_what_shows_it_as_recorded)
{
	struct preferences preferences = { 0 };
	const struct app_options options = { .preferences = &preferences };

	open_app(collected_part(false), &options);
	press(raw_keys[_i]);
	ck_assert_str_eq(buf_text(&app->message),
			 "the file was loaded in part; --raw-samples shows it as recorded");
	ck_assert(!transforms_is_busy(app));
	ck_assert_uint_eq(app->transforms.raw, 0);
	/* The next app does not say that its samples are as recorded. */
	open_app(profile, &options);
	ck_assert_uint_eq(app->transforms.raw, 0);
	open_app(profile, &(struct app_options){ 0 });
	preferences_done(&preferences);
}
END_TEST

START_TEST(a_part_as_recorded_stays_so)
{
	static const char *const keys[] = { "og", "op", ":set gc-place stack<Enter>",
					    ":set program joined<Enter>" };
	const unsigned raw = AS_RECORDED_GC | AS_RECORDED_PROGRAM;

	open_app(collected_part(true), &(struct app_options){ .raw = raw });
	press(keys[_i]);
	ck_assert_str_eq(buf_text(&app->message),
			 "nothing to change here, samples are as recorded");
	ck_assert_uint_eq(app->transforms.raw, raw);
}
END_TEST

START_TEST(what_is_shown_stays_until_the_work_is_complete)
{
	char *meanwhile, *after;

	press("xr");
	ck_assert(app_wait_ms(app) == 0);
	meanwhile = screen();
	/* The status line alone says it. */
	ck_assert_ptr_nonnull(strstr(meanwhile, "rebuilding call trees; Esc stops it"));
	ck_assert_ptr_null(strstr(meanwhile, "fold recursion"));
	complete();
	ck_assert_str_eq(buf_text(&app->message), "fold recursion; u undoes it");
	after = screen();
	ck_assert_ptr_nonnull(strstr(after, "fold recursion"));
	free(meanwhile);
	free(after);
}
END_TEST

/* Each change begins anew, with all that was asked for. */
START_TEST(changes_add_up)
{
	static const char *const keys[] = { "xi", "xr", "ob", "ob", "u", "<C-r>", "xp" };
	char *at_once, *one_by_one;

	for (size_t i = 0; i < N(keys); i++) {
		press(keys[i]);
		complete();
	}
	one_by_one = screen();
	teardown();
	setup();
	for (size_t i = 0; i < N(keys); i++) {
		press(keys[i]);
		if (transforms_is_busy(app))
			work_a_little();
	}
	complete();
	at_once = screen();
	ck_assert(strcmp(at_once, one_by_one) == 0);
	free(at_once);
	free(one_by_one);
}
END_TEST

/* `u` after a transform that is not complete leaves nothing to do, and redo begins it again. */
START_TEST(undone_before_it_is_complete)
{
	char *before = screen(), *after;

	press("xi");
	work_a_little();
	press("u");
	ck_assert(!transforms_is_busy(app));
	after = screen();
	ck_assert(strcmp(after, before) == 0);
	press("<C-r>");
	ck_assert(transforms_is_busy(app));
	complete();
	ck_assert_uint_eq(app->transforms.n, 1);
	free(before);
	free(after);
}
END_TEST

/* Takes single steps until the change is shown. */
static void show_only(void)
{
	while (transforms_is_busy(app)) {
		struct budget step = budget_steps(1, 1);

		transforms_work(app, &step);
	}
}

/* Each lane that was shown before, and its part of the view, is freed in a step of its own. */
START_TEST(lanes_before_are_freed_in_steps)
{
	char *before = screen(), *after;
	unsigned steps = 1;

	press("xi");
	complete();
	ck_assert(!transforms_has_old(&app->change));
	press("u");
	show_only();
	after = screen();
	ck_assert(strcmp(after, before) == 0);
	for (;; steps++) {
		struct budget step = budget_steps(1, 1);

		if (transforms_free_old(&app->change, &step))
			break;
	}
	ck_assert_uint_ge(steps, 2 * profile->n_lanes);
	ck_assert_int_ne(app_wait_ms(app), 0);
	free(before);
	free(after);
}
END_TEST

/* The next change begins when they are freed. */
START_TEST(lanes_before_are_freed_first)
{
	char *before = begin("xi"), *after;
	struct budget step = budget_steps(1, 1);

	press("<C-r>");
	show_only();
	press("u");
	ck_assert(transforms_is_busy(app) && !app->change.work);
	transforms_work(app, &step);
	ck_assert(!app->change.work);
	if (_i) {
		complete();
	} else {
		press("<Esc>");
		ck_assert(!transforms_is_busy(app) && transforms_has_old(&app->change));
		press("u");
		complete();
	}
	after = screen();
	ck_assert(strcmp(after, before) == 0);
	free(before);
	free(after);
}
END_TEST

/* The prompt keeps the span to which Esc returns, which is of the profile that is shown. */
START_TEST(nothing_is_replaced_under_a_prompt)
{
	const struct profile *shown = app->s.profile;

	press("xi/f");
	complete();
	ck_assert(!transforms_is_busy(app));
	ck_assert_ptr_eq(app->s.profile, shown);
	press("<Esc>");
	ck_assert(transforms_is_busy(app));
	complete();
	ck_assert_ptr_ne(app->s.profile, shown);
}
END_TEST

static void set_nodes(uint32_t nodes[3])
{
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t n = profile->lanes[i].tree.n;

		profile->lanes[i].tree.n = nodes[i];
		nodes[i] = n;
	}
}

START_TEST(too_large_a_view_is_a_message)
{
	uint32_t nodes[3] = { 1u << 30, 1u << 30, 1u << 30 };
	char *before = begin(""), *after;

	set_nodes(nodes);
	press(_i ? "ob" : "xi");
	set_nodes(nodes);
	ck_assert_str_eq(buf_text(&app->message), "more than 2147483647 nodes in a view");
	ck_assert(!transforms_is_busy(app));
	after = screen();
	ck_assert(strcmp(after, before) == 0);
	ck_assert_uint_eq(app->transforms.n, 0);
	ck_assert_uint_eq(app->transforms.n_all, 1);
	free(before);
	free(after);
}
END_TEST

START_TEST(too_large_a_view_is_an_error)
{
	uint32_t nodes[3] = { 1u << 30, 1u << 30, 1u << 30 };
	const struct transform drop = { .kind = TRANSFORM_DROP,
					.by = BY_CATEGORY,
					.id = CATEGORY_IDLE };
	const struct scope scope = { .transforms = (struct transform *)&drop, .n_transforms = 1 };
	struct error err = ERROR_INIT, again = ERROR_INIT;
	struct scoped scoped;

	set_nodes(nodes);
	ck_assert(!scoped_init(&scoped, profile, &scope, &err));
	ck_assert(!view_fits(profile, &again));
	set_nodes(nodes);
	ck_assert_str_eq(err.text, "more than 2147483647 nodes in a view");
	ck_assert_str_eq(again.text, err.text);
	scoped_done(&scoped);
	ck_assert(view_fits(profile, &again));
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "transforms", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, esc_gives_back_the_transforms_before, 0, 2);
	tcase_add_test(t, samples_are_as_recorded_at_a_key);
	tcase_add_test(t, samples_are_as_recorded_from_the_start);
	tcase_add_test(t, samples_are_as_recorded_by_a_setting);
	tcase_add_loop_test(t, a_part_says_what_shows_it_as_recorded, 0, N(raw_keys));
	tcase_add_loop_test(t, a_part_as_recorded_stays_so, 0, N(raw_keys));
	tcase_add_test(t, what_is_shown_stays_until_the_work_is_complete);
	tcase_add_test(t, changes_add_up);
	tcase_add_test(t, undone_before_it_is_complete);
	tcase_add_test(t, lanes_before_are_freed_in_steps);
	tcase_add_loop_test(t, lanes_before_are_freed_first, 0, 2);
	tcase_add_test(t, nothing_is_replaced_under_a_prompt);
	tcase_add_loop_test(t, too_large_a_view_is_a_message, 0, 2);
	tcase_add_test(t, too_large_a_view_is_an_error);
}

int main(void)
{
	return suite_run("transforms", add_tests);
}
