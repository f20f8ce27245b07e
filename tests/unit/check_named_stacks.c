/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stack_lane.h, and lists as members of documents (documents.h), with a reader made up for this
 * test. It is as short as the reader of a format can be: {"stacks":[{"stack":["a","b"],"us":3}]}
 * is a lane with one sample for each stack. */
#include "config.h"

#include "story.h"
#include "suite.h"

#include "base/json/json_read.h"
#include "read/documents.h"
#include "read/stack_lane.h"

/* ---- the reader ---- */

struct stacks_reader {
	struct scan *s;
	struct builder *b;
	struct error *err;
	const struct file_hints *hints;
	struct named_stacks lane;
	struct json_read_number us;
	bool is_complete;
};

static bool read_frame(void *ctx)
{
	struct stacks_reader *r = ctx;
	str_id name;

	return json_read_text(r->s, &r->lane.names, &name) &&
		named_stacks_push(&r->lane, name, r->err);
}

static bool read_stack_member(void *ctx, struct str key)
{
	struct stacks_reader *r = ctx;

	if (str_is(key, "stack"))
		return json_read_list(r->s, read_frame, r);
	if (str_is(key, "us"))
		return json_read_number(r->s, 3, PROFILE_TIME_MAX, &r->us);
	return scan_skip(r->s);
}

static bool read_stack(void *ctx)
{
	struct stacks_reader *r = ctx;
	int64_t offset = scan_offset(r->s);

	r->us = (struct json_read_number){ 0 };
	if (!json_read_object(r->s, read_stack_member, r))
		return false;
	named_stacks_add(&r->lane, r->b, offset, r->us.value);
	return true;
}

static const struct document_member members[] = {
	{ "stacks", 0, NULL, read_stack, offsetof(struct stacks_reader, lane.n_stacks),
	  offsetof(struct stacks_reader, is_complete) },
	{ .name = NULL },
};

static bool finish(void *ctx, int64_t offset)
{
	struct stacks_reader *r = ctx;

	if (r->is_complete)
		builder_input_note(r->b, false, "complete at %d", (int)offset);
	return named_stacks_end(&r->lane, r->b, r->hints, r->err);
}

static bool stacks_read(struct scan *s, struct builder *b, const struct file_hints *hints,
			struct error *err)
{
	struct stacks_reader r = { .s = s, .b = b, .err = err, .hints = hints };
	bool ok;

	named_stacks_init(&r.lane);
	ok = documents_read(
		&(struct documents){ s, b, &r.err, &r, "file", members, .finish = finish });
	named_stacks_done(&r.lane);
	return ok;
}

static const struct reader stacks = { .name = "stacks", .help = "", .read = stacks_read };

/* ---- the rules ---- */

#define A10 "{'stack':['a'],'us':10}"
#define AB5 "{'stack':['a','b'],'us':5}"

static const struct rule_case {
	const char *text;
	uint32_t n_lanes;    /* 0: the error of `warning` */
	const char *last;    /* story of the last lane */
	const char *warning; /* NULL: none */
	bool is_complete;
} rule_cases[] = {
	/* Stacks come one after the other; equal stacks are one. */
	{ "{'stacks':[" A10 "," AB5 "," A10 "]}", 1, "0 a|10 a>b|15 a|25", NULL, true },
	{ "{'stacks':[" AB5 ",{'stack':[],'us':2}," AB5 "]}", 1, "0 a>b|5 -|7 a>b|12", NULL, true },
	{ "{'stacks':[{'us':2,'x':{},'stack':['a']}," A10 "]}", 1, "0 a|2 a|12", NULL, true },
	/* Names with escapes. */
	{ "{'stacks':[{'stack':['\\u0061'],'us':2}," AB5 "]}", 1, "0 a|2 a>b|7", NULL, true },
	/* A duration that is absent or negative is 0, one that is too long is clamped. */
	{ "{'stacks':[" A10 ",{'stack':['b']}," AB5 "]}", 1, "0 a|10 b|10 a>b|15", NULL, true },
	{ "{'stacks':[" A10 ",{'stack':['b'],'us':-1}," AB5 "]}", 1, "0 a|10 b|10 a>b|15",
	  "time-range", true },
	{ "{'stacks':[{'stack':['b'],'us':2305843009213693.951}," AB5 "]}", 1,
	  "0 b|2305843009213693.951 a>b|2305843009213693.951", "time-range", true },
	/* Of a list that comes twice, the last one counts. */
	{ "{'stacks':[" A10 "," A10 "],'stacks':[" AB5 "]}", 1, "0 a>b|5", NULL, true },
	{ "{'stacks':[" A10 "],'stacks':[]}", 0, NULL, "the file has no stacks", false },
	/* Any other value of the member is skipped. */
	{ "{'stacks':[" A10 "],'stacks':7}", 1, "0 a|10", NULL, true },
	{ "{'stacks':{'x':[" A10 "]}}", 0, NULL, "the file has no stacks", false },
	{ "{}", 0, NULL, "the file has no stacks", false },
	/* Each document begins with an empty list, and at time 0. */
	{ "{'stacks':[" A10 "]}{'stacks':[" AB5 "]}", 2, "0 a>b|5", "second-profile", true },
	{ "[{'stacks':[" A10 "]},{}]", 1, "0 a|10", "cut-off", true },
	/* A file that is cut off is kept if the list has an element. */
	{ "{'stacks':[" A10 "],'x':", 1, "0 a|10", "cut-off", true },
	{ "{'stacks':[" A10 "," AB5 ",{'stack':['c", 1, "0 a|10 a>b|15", "cut-off", false },
	{ "{'stacks':[" A10 "],'stacks':[" AB5, 1, "0 a>b|5", "cut-off", false },
	{ "{'stacks':[{'stack':['a','b'],'us'", 0, NULL, "the file ends", false },
	{ "[{'stacks':[" A10 "]},{'stacks':[" AB5 ",", 2, "0 a>b|5", "cut-off", true },
	/* Damage is not an end. */
	{ "{'stacks':[" A10 ",}", 0, NULL, "not a JSON value", false },
};

static struct profile *load(const char *text, struct error *err)
{
	char *copy = quoted(text);
	struct profile *p = load_text(copy, strlen(text), SIZE_MAX, &stacks, err);

	free(copy);
	return p;
}

START_TEST(rules)
{
	const struct rule_case *is = &rule_cases[_i];
	struct error err = ERROR_INIT;
	struct profile *p = load(is->text, &err);
	const struct input *in;

	if (is->n_lanes == 0) {
		ck_assert_msg(!p && strstr(err.text, is->warning), "%s: %s", is->text, err.text);
		return;
	}
	ck_assert_msg(p != NULL, "%s: %s", is->text, err.text);
	ck_assert_msg(p->n_lanes == is->n_lanes, "%s: %u lanes", is->text, p->n_lanes);
	story_of(p, p->n_lanes - 1, is->last);
	in = &p->inputs[0];
	ck_assert_msg(in->n_warnings == (is->warning ? 1 : 0), "%s", is->text);
	if (is->warning)
		ck_assert_msg(story_warned(p, is->warning) == 1, "%s: %s", is->text,
			      warning_name(in->warnings[0].kind));
	ck_assert_msg((in->n_notes > 0) == is->is_complete, "%s", is->text);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_loop_test(t, rules, 0, N(rule_cases));
}

int main(void)
{
	return suite_run("named_stacks", add_tests);
}
