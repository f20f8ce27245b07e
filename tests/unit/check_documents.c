/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules of documents.h, with a reader of a format made up for this test: {"names":["a","b"]}
 * is a lane with a sample of 1 us for each name. Other formats are tested for what is their own. */
#include "config.h"

#include "model/build/cpu_builder.h"
#include "story.h"
#include "suite.h"

#include "read/documents.h"
#include "read/stack_lane.h"

/* ---- the reader ---- */

struct toy {
	struct scan *s;
	struct builder *b;
	struct error *err;
	struct stack_lane lane;
	uint32_t frames[64];
	uint32_t n;
	bool has_names;
	bool is_open; /* begun, neither finished nor dropped */
};

static bool read_names(void *ctx)
{
	struct toy *t = ctx;
	bool is_first = true;
	struct str raw;

	t->n = 0;
	t->has_names = false;
	if (!scan_open(t->s, '['))
		return false;
	while (scan_element(t->s, &is_first)) {
		if (!scan_raw(t->s, 100, &raw))
			return false;
		ck_assert_uint_lt(t->n, ARRAY_LEN(t->frames));
		t->frames[t->n++] = cpu_builder_frame(
			t->b, &(struct cpu_frame){ raw.p + 1, raw.len - 2, "", 0, "", 0, -1, -1 });
	}
	return t->has_names = t->err->kind == ERR_NONE;
}

static const struct document_member members[] = { { "names", .read = read_names },
						  { .name = NULL } };

static void begin(void *ctx)
{
	struct toy *t = ctx;

	ck_assert(!t->is_open);
	t->is_open = true;
	cpu_builder_begin(t->b);
	t->n = 0;
	t->has_names = false;
}

static bool is_found(void *ctx)
{
	return ((struct toy *)ctx)->has_names;
}

static bool is_usable(void *ctx)
{
	return ((struct toy *)ctx)->n >= 2;
}

static bool finish(void *ctx, int64_t offset)
{
	struct toy *t = ctx;
	uint32_t node;

	if (t->n == 0)
		return error_set(t->err, ERR_FORMAT, offset, "no names");
	stack_lane_init(&t->lane);
	for (uint32_t i = 0; i < t->n; i++) {
		ck_assert(stack_lane_child(&t->lane, 0, i, &node, t->err));
		stack_lane_sample(&t->lane, node, (int64_t)i * 1000);
	}
	t->lane.end_ns = (int64_t)t->n * 1000;
	t->lane.has_end = true;
	stack_lane_emit(&t->lane, t->b, t->frames);
	stack_lane_done(&t->lane);
	t->is_open = false;
	return cpu_builder_end(t->b, -1, -1, t->err);
}

static void drop(void *ctx)
{
	struct toy *t = ctx;

	ck_assert(t->is_open);
	t->is_open = false;
	cpu_builder_drop(t->b);
}

static bool toy_read(struct scan *s, struct builder *b, const struct file_hints *hints,
		     struct error *err)
{
	struct toy t = { .s = s, .b = b, .err = err };
	const struct documents d = { .s = s,
				     .b = b,
				     .err = &t.err,
				     .ctx = &t,
				     .noun = "toy",
				     .members = members,
				     .is_found = is_found,
				     .begin = begin,
				     .is_usable = is_usable,
				     .finish = finish,
				     .drop = drop };
	bool ok;

	(void)hints;
	ok = documents_read(&d);
	ck_assert_msg(!t.is_open, "neither finished nor dropped");
	return ok;
}

static const struct reader toy = { .name = "toy", .help = "", .read = toy_read };

/* ---- the rules ---- */

static struct profile *load(const char *text, size_t fail_at, struct error *err)
{
	char *copy = quoted(text);
	struct profile *p = load_text(copy, strlen(text), fail_at, &toy, err);

	free(copy);
	return p;
}

#define AB "{'names':['a','b']}"
#define C "{'names':['c','c','c']}"

static const struct rule_case {
	const char *text;
	uint32_t n_lanes;    /* 0: the error of `warning` */
	const char *first;   /* story of the first lane */
	const char *warning; /* counted once, the only one; NULL: none */
	int64_t offset;      /* of the warning or error */
} rule_cases[] = {
	{ AB, 1, "0 a|1 b|2", NULL, 0 },
	{ " " AB "\n ", 1, "0 a|1 b|2", NULL, 0 },
	{ "{'x':1,'names':['a','b'],'y':{'names':[]}}", 1, "0 a|1 b|2", NULL, 0 },
	/* Rule 1: of a member that comes twice, the last one counts. */
	{ "{'names':['c'],'names':['a','b']}", 1, "0 a|1 b|2", NULL, 0 },
	/* Rule 2: the file is cut off. */
	{ "{'names':['a','b'],'x", 1, "0 a|1 b|2", "cut-off", 21 },
	{ "{'names':['a','b',", 1, "0 a|1 b|2", "cut-off", 18 },
	{ "{'names':['a'", 0, NULL, "the file ends", 13 },
	{ "[" AB ",{'names':['c','d'", 2, "0 a|1 b|2", "cut-off", 38 },
	{ AB "{'names':['c','d'", 2, "0 a|1 b|2", NULL, -1 },
	/* Damage is not an end. */
	{ "{'names':['a','b'],x}", 0, NULL, "a key in quotes", 19 },
	/* Rule 3: after a good document nothing fails. */
	{ "[" AB "," C "]", 2, "0 a|1 b|2", NULL, 0 },
	{ "[1," AB "]", 1, "0 a|1 b|2", "odd-node", 1 },
	{ "[" AB ",{'names':['c'", 1, "0 a|1 b|2", "cut-off", 21 },
	{ "[" AB ",{'x':1}]", 1, "0 a|1 b|2", "cut-off", 21 },
	{ "[" AB, 1, "0 a|1 b|2", "cut-off", -1 },
	{ AB C, 2, "0 a|1 b|2", "second-profile", 19 },
	{ AB "\n{'x':1}", 1, "0 a|1 b|2", "trailing", 20 },
	{ AB "{'names':['c'", 1, "0 a|1 b|2", "trailing", 19 },
	{ "[" AB "]{}", 1, "0 a|1 b|2", "trailing", 21 },
	{ "[{'x':1}," AB "]", 0, NULL, "no names", 1 },
	{ "[1,[]]", 0, NULL, "the array holds no toy", 0 },
	{ "[]", 0, NULL, "the array holds no toy", 0 },
	{ "7", 0, NULL, "expected", 0 },
	/* Rule 4: text behind the documents. */
	{ AB " x y", 1, "0 a|1 b|2", "trailing", 20 },
	{ "[" AB "][1]", 1, "0 a|1 b|2", "trailing", 21 },
	/* Rule 5: wrappers, up to the first document in them. */
	{ "{'result':{'profile':" AB "}}", 1, "0 a|1 b|2", NULL, 0 },
	{ "{'names':['a','b'],'profile':" C "}", 1, "0 a|1 b|2", NULL, 0 },
	{ "{'profile':7,'names':['a','b']}", 1, "0 a|1 b|2", NULL, 0 },
	{ "{'other':" AB "}", 0, NULL, "no names", 0 },
};

START_TEST(rules)
{
	const struct rule_case *is = &rule_cases[_i];
	struct error err = ERROR_INIT;
	struct profile *p = load(is->text, SIZE_MAX, &err);

	if (is->n_lanes == 0) {
		ck_assert_msg(!p && strstr(err.text, is->warning), "%s: %s", is->text, err.text);
		ck_assert_msg(err.offset == is->offset, "%s: %lld", is->text,
			      (long long)err.offset);
		return;
	}
	ck_assert_msg(p != NULL, "%s: %s", is->text, err.text);
	ck_assert_msg(p->n_lanes == is->n_lanes, "%s: %u lanes", is->text, p->n_lanes);
	story_of(p, 0, is->first);
	if (is->offset != -1) {
		const struct input *in = &p->inputs[0];

		ck_assert_msg(in->n_warnings == (is->warning ? 1 : 0), "%s", is->text);
		if (is->warning)
			ck_assert_msg(
				strcmp(warning_name(in->warnings[0].kind), is->warning) == 0 &&
					in->warnings[0].count == 1 &&
					in->warnings[0].offset == is->offset,
				"%s: %s at %lld", is->text, warning_name(in->warnings[0].kind),
				(long long)in->warnings[0].offset);
		if (strstr(is->text, " x y"))
			ck_assert_ptr_nonnull(
				strstr(profile_text(p, in->warnings[0].text), "3 bytes"));
	}
	profile_free(p);
}
END_TEST

/* A second document that the file ends in is kept like the first: both warnings stand. */
START_TEST(second_document_is_cut_off)
{
	struct error err = ERROR_INIT;
	struct profile *p = load(AB "{'names':['c','d'", SIZE_MAX, &err);

	ck_assert_ptr_nonnull(p);
	ck_assert_uint_eq(p->n_lanes, 2);
	ck_assert_uint_eq(story_warned(p, "cut-off"), 1);
	ck_assert_uint_eq(story_warned(p, "second-profile"), 1);
	profile_free(p);
}
END_TEST

/* A failure to read is an error wherever it comes, and not damage of a later document. */
START_TEST(failure_to_read_is_an_error)
{
	static const char *const texts[] = { AB C, "[" AB "," C "]", AB " xyz" };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		for (size_t at = 0; at < strlen(texts[i]); at++) {
			struct error err = ERROR_INIT;

			ck_assert_msg(!load(texts[i], at, &err) && err.kind == ERR_IO,
				      "%s at %zu: %s", texts[i], at, err.text);
		}
	}
}
END_TEST

/* Wrappers in wrappers are followed to a fixed depth, and skipped below it. */
START_TEST(wrappers_are_followed_eight_deep)
{
	struct error err = ERROR_INIT;
	struct buf text = { 0 };

	for (int depth = 8; depth <= 9; depth++) {
		struct profile *p;

		buf_clear(&text);
		for (int i = 0; i < depth; i++)
			buf_adds(&text, "{'result':");
		buf_adds(&text, AB);
		for (int i = 0; i < depth; i++)
			buf_addc(&text, '}');
		p = load(buf_text(&text), SIZE_MAX, &err);
		ck_assert_msg((p != NULL) == (depth == 8), "%d: %s", depth, err.text);
		profile_free(p);
	}
	buf_done(&text);
}
END_TEST

START_TEST(key_that_is_too_long_is_said)
{
	struct buf text = { 0 };
	struct error err = ERROR_INIT;

	buf_adds(&text, "{'");
	for (int i = 0; i < 80 << 20; i++)
		buf_addc(&text, 'k');
	buf_adds(&text, "':1,'nodes':[]}");
	ck_assert_ptr_null(story_try(buf_text(&text), text.len, NULL, SIZE_MAX, &err));
	ck_assert_msg(strstr(err.text, "a value of more than") != NULL, "%s", err.text);
	buf_done(&text);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_test(t, key_that_is_too_long_is_said);
	tcase_add_loop_test(t, rules, 0, N(rule_cases));
	tcase_add_test(t, second_document_is_cut_off);
	tcase_add_test(t, failure_to_read_is_an_error);
	tcase_add_test(t, wrappers_are_followed_eight_deep);
}

int main(void)
{
	return suite_run("documents", add_tests);
}
