/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which frame has which colour role: by ownership and the other colour modes, and slices of
 * browsers by name; and the shares of the legend. */
#include "config.h"

#include "draw/frame_roles.c"

#include "load_text.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

/* ---- one frame ---- */

static struct profile empty;

static void setup(void)
{
	memset(&empty, 0, sizeof empty);
	intern_init(&empty.strings);
	frame_table_init(&empty.frames);
}

static void teardown(void)
{
	frame_table_done(&empty.frames);
	intern_done(&empty.strings);
}

static const struct {
	const char *name, *url, *package;
	enum category category;
	enum chart_color color;
	int role;
} role_cases[] = {
	{ "x", "u", "p", CATEGORY_GC, CHART_COLOR_FILE, ROLE_GC },
	{ "x", "u", "p", CATEGORY_GC, CHART_COLOR_FUNCTION, ROLE_GC },
	{ "x", "u", "p", CATEGORY_IDLE, CHART_COLOR_PACKAGE, ROLE_IDLE },
	{ "x", "u", "p", CATEGORY_PROGRAM, CHART_COLOR_CATEGORY, ROLE_PROGRAM },
	{ "x", "u", "p", CATEGORY_NATIVE, CHART_COLOR_FILE, ROLE_NATIVE },
	{ "x", "u", "p", CATEGORY_REGEXP, CHART_COLOR_OWNERSHIP, ROLE_NATIVE },
	{ "x", "u", "p", CATEGORY_NODE, CHART_COLOR_OWNERSHIP, ROLE_NODE },
	{ "x", "u", "p", CATEGORY_NODE, CHART_COLOR_CATEGORY, ROLE_NODE },
	{ "x", "u", "", CATEGORY_APP, CHART_COLOR_CATEGORY, ROLE_FRAME },
	{ "x", "u", "", CATEGORY_APP, CHART_COLOR_PACKAGE, ROLE_FRAME },
	/* Stable between runs and versions: these may not change. */
	{ "a", "", "", CATEGORY_APP, CHART_COLOR_FUNCTION, ROLE_FRAME + 4 },
	{ "a", "", "", CATEGORY_APP, CHART_COLOR_FILE, ROLE_FRAME + 4 },
	{ "x", "a", "", CATEGORY_APP, CHART_COLOR_FILE, ROLE_FRAME + 4 },
	{ "x", "a", "", CATEGORY_APP, CHART_COLOR_OWNERSHIP, ROLE_FRAME + 4 },
	{ "x", "a", "p", CATEGORY_DEPENDENCY, CHART_COLOR_OWNERSHIP, ROLE_DEPENDENCY + 4 },
	{ "x", "a", "p", CATEGORY_DEPENDENCY, CHART_COLOR_FILE, ROLE_FRAME + 4 },
	{ "x", "u", "a", CATEGORY_DEPENDENCY, CHART_COLOR_PACKAGE, ROLE_FRAME + 4 },
};

START_TEST(role_of_a_frame)
{
	const struct frame_roles roles = { .scheme = { .has_own = true },
					   .color = role_cases[_i].color };
	struct frame frame = { .name = intern_adds(&empty.strings, role_cases[_i].name),
			       .url = intern_adds(&empty.strings, role_cases[_i].url),
			       .package = intern_adds(&empty.strings, role_cases[_i].package),
			       .category = role_cases[_i].category };

	ck_assert_int_eq(
		(int)frame_roles_get(&roles, &empty, frame_table_add(&empty.frames, &frame)),
		role_cases[_i].role);
}
END_TEST

/* ---- a profile ---- */

static struct profile *load(const char *text)
{
	struct error err = ERROR_INIT;
	char *document = quoted(text);
	struct profile *p = load_text(document, strlen(document), SIZE_MAX, NULL, &err);

	ck_assert_msg(p != NULL, "%s", err.text);
	free(document);
	return p;
}

/* Functions f, g ... with a url and a number of samples each. */
struct part {
	const char *name, *url;
	int samples;
};

static struct profile *make(const struct part *parts)
{
	struct buf nodes = { 0 }, samples = { 0 }, deltas = { 0 };
	struct profile *p;

	buf_adds(&nodes,
		 "{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','url':'',"
		 "'lineNumber':-1,'columnNumber':-1},'children':[");
	for (int i = 0; parts[i].name; i++)
		buf_addf(&nodes, "%s%d", i ? "," : "", i + 2);
	buf_adds(&nodes, "]}");
	for (int i = 0; parts[i].name; i++) {
		buf_addf(&nodes,
			 ",{'id':%d,'callFrame':{'functionName':'%s','url':'%s','lineNumber':%d,"
			 "'columnNumber':1,'scriptId':'%d'}}",
			 i + 2, parts[i].name, parts[i].url, *parts[i].url ? 1 : -1,
			 *parts[i].url ? 7 : 0);
		for (int k = 0; k < parts[i].samples; k++) {
			buf_addf(&samples, "%s%d", samples.len ? "," : "", i + 2);
			buf_adds(&deltas, deltas.len ? ",1000" : "1000");
		}
	}
	buf_addf(&nodes, "],'startTime':0,'endTime':%zu,'samples':[%s],'timeDeltas':[%s]}",
		 (size_t)1000 * (deltas.len / 5 + 1), buf_text(&samples), buf_text(&deltas));
	p = load(buf_text(&nodes));
	buf_done(&nodes);
	buf_done(&samples);
	buf_done(&deltas);
	return p;
}

static void make_roles(struct frame_roles *roles, const struct profile *p, enum chart_color color)
{
	struct frame_scheme scheme = { 0 };

	make_scheme(p, &scheme);
	frame_roles_make(roles, p, p, &scheme, color);
}

static enum role role_named(const struct frame_roles *roles, const char *name)
{
	for (frame_id f = 1; f < roles->n; f++)
		if (!strcmp(profile_text(roles->profile, profile_frame(roles->profile, f)->name),
			    name))
			return frame_roles_get(roles, roles->profile, f);
	ck_abort_msg("no function %s", name);
	return ROLE_PLAIN;
}

static bool is_own_hue(enum role role)
{
	return role >= ROLE_FRAME && role < ROLE_DEPENDENCY;
}

static bool is_dependency_hue(enum role role)
{
	return role >= ROLE_DEPENDENCY && role <= ROLE_FRAME_LAST;
}

START_TEST(own_code_is_louder_than_dependencies)
{
	static const struct part parts[] = { { "own", "file:///app/a.js", 1 },
					     { "dep", "file:///app/node_modules/d/i.js", 1 },
					     { "core", "node:fs", 1 },
					     { NULL, NULL, 0 } };
	struct profile *p = make(parts);
	struct frame_roles roles = { 0 };

	make_roles(&roles, p, CHART_COLOR_OWNERSHIP);
	ck_assert(is_own_hue(role_named(&roles, "own")));
	ck_assert(is_dependency_hue(role_named(&roles, "dep")));
	ck_assert_int_eq((int)role_named(&roles, "core"), ROLE_NODE);
	frame_roles_done(&roles);
	profile_free(p);
}
END_TEST

START_TEST(without_own_code_dependencies_are_loud)
{
	static const struct part parts[] = { { "dep", "file:///app/node_modules/d/i.js", 1 },
					     { "core", "node:fs", 1 },
					     { NULL, NULL, 0 } };
	struct profile *p = make(parts);
	struct frame_roles roles = { 0 };

	make_roles(&roles, p, CHART_COLOR_OWNERSHIP);
	ck_assert(is_own_hue(role_named(&roles, "dep")));
	frame_roles_done(&roles);
	profile_free(p);
}
END_TEST

/* Two functions of one file, whose hues by name differ. */
START_TEST(a_bundle_has_hues_by_function)
{
	struct part parts[] = { { "a", "file:///bundle.js", 4 + 3 * _i },
				{ "b", "file:///bundle.js", 0 },
				{ "c", "file:///other.js", 4 },
				{ NULL, NULL, 0 } };
	struct profile *p = make(parts);
	struct frame_roles roles = { 0 };

	make_roles(&roles, p, CHART_COLOR_OWNERSHIP);
	/* 4 of 8 samples, then 7 of 11: more than 60 %. */
	ck_assert_int_eq(role_named(&roles, "a") != role_named(&roles, "b"), _i);
	ck_assert_int_eq(roles.scheme.bundle != 0, _i);
	frame_roles_done(&roles);
	profile_free(p);
}
END_TEST

START_TEST(heat_follows_self_time)
{
	static const struct part parts[] = {
		{ "hot", "file:///a.js", 90 }, { "warm", "file:///a.js", 6 },
		{ "cool", "file:///a.js", 2 }, { "(garbage collector)", "", 2 },
		{ "(idle)", "", 300 },         { NULL, NULL, 0 }
	};
	struct profile *p = make(parts);
	struct frame_roles roles = { 0 };

	make_roles(&roles, p, CHART_COLOR_HEAT);
	ck_assert_int_eq((int)role_named(&roles, "hot"), ROLE_HEAT_5);
	ck_assert_int_eq((int)role_named(&roles, "warm"), ROLE_HEAT_4);
	ck_assert_int_eq((int)role_named(&roles, "cool"), ROLE_HEAT_2);
	ck_assert_int_eq((int)role_named(&roles, "(garbage collector)"), ROLE_GC);
	ck_assert_int_eq((int)role_named(&roles, "(idle)"), ROLE_IDLE);
	frame_roles_done(&roles);
	profile_free(p);
}
END_TEST

/* ---- the legend ---- */

static const struct {
	enum chart_color color;
	const char *row;
} legends[] = {
	{ CHART_COLOR_OWNERSHIP,
	  " own 50 %   deps 20 %   node 10 %   GC 15 %   native 5 %             |" },
	{ CHART_COLOR_FILE,
	  " a.js 50 %   i.js 20 %   (garbage collector) 15 %   node:fs 10 %     |" },
	{ CHART_COLOR_PACKAGE,
	  " own 70 %   d 20 %   node:fs 10 %                                    |" },
	{ CHART_COLOR_HEAT,
	  " GC 15 %   5 % 5 %   10 % 80 %                                       |" },
};

START_TEST(legend_has_shares_of_busy_time)
{
	static const struct part parts[] = { { "own", "file:///app/a.js", 10 },
					     { "dep", "file:///app/node_modules/d/i.js", 4 },
					     { "core", "node:fs", 2 },
					     { "(garbage collector)", "", 3 },
					     { "writev", "", 1 },
					     { "(idle)", "", 50 },
					     { NULL, NULL, 0 } };
	struct profile *p = make(parts);
	struct frame_roles roles = { 0 };
	struct legend legend;
	struct grid grid = { 0 };
	struct buf text = { 0 };

	make_roles(&roles, p, legends[_i].color);
	legend_make(&legend, &roles);
	grid_init(&grid, 1, 69);
	legend_draw(&grid, (struct rect){ 0, 0, 1, 69 }, &legend);
	grid_format(&grid, false, &text);
	text.data[text.len - 1] = '\0';
	ck_assert_str_eq(text.data, legends[_i].row);
	for (int i = 0; i < legend.n; i++)
		ck_assert(legend.items[i].role >= ROLE_IDLE);
	grid_done(&grid);
	buf_done(&text);
	frame_roles_done(&roles);
	profile_free(p);
}
END_TEST

/* ---- slices ---- */

static const struct {
	const char *name;
	enum role role;
} slices[] = {
	{ "FunctionCall", ROLE_SCRIPTING },
	{ "EventDispatch", ROLE_SCRIPTING },
	{ "v8.callFunction", ROLE_SCRIPTING },
	{ "V8.BytecodeBudgetInterrupt", ROLE_SCRIPTING },
	{ "Layout", ROLE_RENDERING },
	{ "UpdateLayoutTree", ROLE_RENDERING },
	{ "PrePaint", ROLE_RENDERING },
	{ "Paint", ROLE_PAINTING },
	{ "RasterTask", ROLE_PAINTING },
	{ "ParseHTML", ROLE_LOADING },
	{ "ResourceFinish", ROLE_LOADING },
	{ "MinorGC", ROLE_GC },
	{ "V8.GC_MC_SWEEP", ROLE_GC },
	{ "BlinkGC.AtomicPhase", ROLE_GC },
	{ "RunTask", ROLE_TASK },
	{ "my own mark", ROLE_TASK },
};

#define TRACE(names) "[{'ph':'X','name':'RunTask','ts':0,'dur':90,'pid':1,'tid':1}," names "]"

START_TEST(slices_of_browsers_have_the_colours_of_devtools)
{
	static const char layout[] = TRACE("{'ph':'X','name':'Layout','ts':1,'dur':9,'pid':1,"
					   "'tid':1},{'ph':'X','name':'%s','ts':10,'dur':9,'pid':1,"
					   "'tid':1}");
	char text[sizeof layout + 60];
	struct frame_roles roles = { 0 };
	struct profile *p;

	snprintf(text, sizeof text, layout, slices[_i].name);
	p = load(text);
	make_roles(&roles, p, CHART_COLOR_OWNERSHIP);
	ck_assert_int_eq((int)role_named(&roles, slices[_i].name), (int)slices[_i].role);
	frame_roles_done(&roles);
	profile_free(p);
}
END_TEST

/* Names that only one program knows have hues, or all of its trace would be grey. */
START_TEST(slices_of_other_programs_have_hues)
{
	static const char *const traces[] = {
		TRACE("{'ph':'X','name':'Layout','ts':10,'dur':9,'pid':1,'tid':1}"),
		TRACE("{'ph':'X','name':'checkFile','ts':10,'dur':9,'pid':1,'tid':1}")
	};
	struct profile *p = load(traces[_i]);
	struct frame_roles roles = { 0 };

	make_roles(&roles, p, CHART_COLOR_OWNERSHIP);
	ck_assert_int_eq(is_own_hue(role_named(&roles, "RunTask")), _i);
	frame_roles_done(&roles);
	profile_free(p);
}
END_TEST

START_TEST(a_colour_that_a_trace_asks_for_stays)
{
	struct profile *p = load(
		TRACE("{'ph':'X','name':'Layout','cname':'terrible','ts':10,'dur':9,'pid':1,"
		      "'tid':1}"));
	struct frame_roles roles = { 0 };

	make_roles(&roles, p, CHART_COLOR_OWNERSHIP);
	ck_assert_int_eq((int)role_named(&roles, "Layout"), ROLE_CNAME + 2);
	frame_roles_done(&roles);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "frames", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, role_of_a_frame, 0, N(role_cases));
	t = suite_case(suite, "profiles", SUITE_SECONDS);
	tcase_add_test(t, own_code_is_louder_than_dependencies);
	tcase_add_test(t, without_own_code_dependencies_are_loud);
	tcase_add_loop_test(t, a_bundle_has_hues_by_function, 0, 2);
	tcase_add_test(t, heat_follows_self_time);
	tcase_add_loop_test(t, legend_has_shares_of_busy_time, 0, N(legends));
	t = suite_case(suite, "slices", SUITE_SECONDS);
	tcase_add_loop_test(t, slices_of_browsers_have_the_colours_of_devtools, 0, N(slices));
	tcase_add_loop_test(t, slices_of_other_programs_have_hues, 0, 2);
	tcase_add_test(t, a_colour_that_a_trace_asks_for_stays);
}

int main(void)
{
	return suite_run("frame_roles", add_tests);
}
