/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each case has runs as texts: stacks with a blank between them, of frames `name@url:line` with a >
 * between them. What is expected: the pairs of frames, each the frame that stands for the class,
 * and the other one, in the order of frames. */
#include "config.h"

#include "suite.h"

#include "analyse/view/view.h"
#include "base/buf.h"

#include "load_text.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/compare/match.c"
#include "model/file_key.h"

#define RUNS_MAX 4

/* ---- profiles ---- */

/* A node: `name@url:line`, or only a name. */
static void add_node(struct buf *out, int id, const char *frame, size_t len, bool has_child)
{
	const char *at = memchr(frame, '@', len), *colon = frame + len;
	size_t name = at ? (size_t)(at - frame) : len;

	while (at && *colon != ':')
		colon--;
	buf_addf(out, ",{\"id\":%d,\"callFrame\":{\"functionName\":\"%.*s\",\"scriptId\":\"%d\"",
		 id, (int)name, frame, at ? 1 : id);
	buf_addf(out, ",\"url\":\"%.*s\",\"lineNumber\":%d,\"columnNumber\":0}",
		 at ? (int)(colon - at - 1) : 0, at ? at + 1 : "", at ? atoi(colon + 1) - 1 : 0);
	if (has_child)
		buf_addf(out, ",\"children\":[%d]", id + 1);
	buf_addc(out, '}');
}

/* A V8 profile with a sample for each stack. */
static void add_profile(struct buf *out, const char *stacks)
{
	struct buf nodes = { 0 }, samples = { 0 }, deltas = { 0 }, tops = { 0 };
	int id = 1;

	for (const char *p = stacks; *p;) {
		bool is_last;

		buf_addf(&tops, "%s%d", tops.len ? "," : "", id + 1);
		do {
			size_t n = strcspn(p, "> ");

			is_last = p[n] != '>';
			add_node(&nodes, ++id, p, n, !is_last);
			p += n + (p[n] != '\0');
		} while (!is_last);
		buf_addf(&samples, "%s%d", samples.len ? "," : "", id);
		buf_addf(&deltas, "%s1000", deltas.len ? "," : "");
	}
	buf_addf(
		out,
		"{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\",\"scriptId\":\"0\","
		"\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1},\"children\":[%s]}%s],"
		"\"startTime\":1000,\"endTime\":90000,\"samples\":[%s],\"timeDeltas\":[%s]}",
		buf_text(&tops), buf_text(&nodes), buf_text(&samples), buf_text(&deltas));
	buf_done(&nodes);
	buf_done(&samples);
	buf_done(&deltas);
	buf_done(&tops);
}

struct set {
	struct profile *p;
	struct compare_run runs[RUNS_MAX];
	uint32_t n;
};

/* Runs: those before, then those after, each side ended by NULL. */
static void set_init(struct set *s, const char *const *before, const char *const *after)
{
	struct builder *b = builder_new(&(struct builder_options){ .is_raw = false });
	struct error err = ERROR_INIT;

	*s = (struct set){ 0 };
	for (int side = 0; side < 2; side++)
		for (const char *const *run = side ? after : before; *run; run++) {
			struct buf text = { 0 };

			add_profile(&text, *run);
			builder_input_argument(b, s->n);
			ck_assert_msg(pass_text(b, buf_text(&text), text.len, SIZE_MAX, NULL, &err),
				      "%s in %s", err.text, buf_text(&text));
			s->runs[s->n++] = (struct compare_run){ .name = "run",
								.is_after = side == 1 };
			buf_done(&text);
		}
	s->p = builder_finish(b, &err);
	ck_assert_msg(s->p != NULL, "%s", err.text);
	for (uint32_t i = 0; i < s->n; i++)
		ck_assert_msg(compare_run_of_arguments(&s->runs[i], s->p, i, i + 1, &err), "%s",
			      err.text);
}

static void set_done(struct set *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		compare_run_done(&s->runs[i]);
	profile_free(s->p);
}

static void add_frame(struct buf *out, const struct profile *p, frame_id id)
{
	const struct frame *f = profile_frame(p, id);

	buf_adds(out, profile_text(p, f->name));
	if (f->url)
		buf_addf(out, "@%s:%d", profile_text(p, f->url), f->line);
}

/* ---- functions ---- */

static const struct {
	const char *rule;
	enum match_kind kind;
	const char *before[3], *after[3], *pairs;
} cases[] = {
	{ "the line may change",
	  MATCH_IN_FILE,
	  { "f@/a/x.js:10" },
	  { "f@/a/x.js:12" },
	  "f@/a/x.js:10=f@/a/x.js:12 " },
	{ "two of one name on one side stay two",
	  MATCH_IN_FILE,
	  { "f@/a/x.js:10 f@/a/x.js:50" },
	  { "f@/a/x.js:12 f@/a/x.js:54" },
	  "f@/a/x.js:10=f@/a/x.js:12 f@/a/x.js:50=f@/a/x.js:54 " },
	{ "the nearest line, where one side has fewer",
	  MATCH_IN_FILE,
	  { "f@/a/x.js:10 f@/a/x.js:50" },
	  { "f@/a/x.js:54" },
	  "f@/a/x.js:50=f@/a/x.js:54 " },
	{ "an unchanged one keeps its own",
	  MATCH_IN_FILE,
	  { "f@/a/x.js:10 f@/a/x.js:50" },
	  { "f@/a/x.js:50 f@/a/x.js:90" },
	  "f@/a/x.js:10=f@/a/x.js:90 " },
	{ "other names are other functions",
	  MATCH_IN_FILE,
	  { "f@/a/x.js:10" },
	  { "g@/a/x.js:10" },
	  "" },
	{ "runs of one side add up",
	  MATCH_IN_FILE,
	  { "f@/a/x.js:10", "f@/a/x.js:50" },
	  { "f@/a/x.js:52" },
	  "f@/a/x.js:50=f@/a/x.js:52 " },
	{ "another directory",
	  MATCH_IN_FILE,
	  { "f@/app/a/src/x.js:1>g@/app/a/y.js:1" },
	  { "f@/home/u/src/x.js:1>g@/home/u/y.js:1" },
	  "f@/app/a/src/x.js:1=f@/home/u/src/x.js:1 g@/app/a/y.js:1=g@/home/u/y.js:1 " },
	{ "most files decide the directory",
	  MATCH_IN_FILE,
	  { "f@/p/a/index.js:1>f@/p/b/index.js:1>g@/p/b/z.js:1" },
	  { "f@/q/a/index.js:1>f@/q/b/index.js:1>g@/q/b/z.js:1" },
	  "f@/p/a/index.js:1=f@/q/a/index.js:1 f@/p/b/index.js:1=f@/q/b/index.js:1 g@/p/b/z.js:1=g@/q/b/z.js:1 " },
	{ "a file that could be two stays apart",
	  MATCH_IN_FILE,
	  { "f@/a/x.js:1" },
	  { "f@/b/x.js:1 f@/c/x.js:1" },
	  "" },
	{ "a common name alone says nothing",
	  MATCH_IN_FILE,
	  { "f@/p/foo/index.js:1 h@/p/m.js:1" },
	  { "f@/p/bar/index.js:1 h@/p/m.js:1" },
	  "" },
	{ "each run in its own directory",
	  MATCH_IN_FILE,
	  { "f@/t1/x.js:1", "f@/t2/x.js:1" },
	  { "f@/t3/x.js:1" },
	  "f@/t1/x.js:1=f@/t2/x.js:1 f@/t1/x.js:1=f@/t3/x.js:1 " },
	{ "hash and query",
	  MATCH_IN_FILE,
	  { "f@http://h/assets/index-4f3a2b.js:1 g@http://h/q.js?v=1:1" },
	  { "f@http://h/assets/index-9c8d7e.js:1 g@http://h/q.js?v=2:1" },
	  "f@http://h/assets/index-4f3a2b.js:1=f@http://h/assets/index-9c8d7e.js:1 g@http://h/q.js?v=1:1=g@http://h/q.js?v=2:1 " },
	{ "version of a package",
	  MATCH_IN_FILE,
	  { "f@/p/node_modules/.pnpm/x@1.2.3/node_modules/x/i.js:1" },
	  { "f@/p/node_modules/.pnpm/x@1.3.0/node_modules/x/i.js:4" },
	  "f@/p/node_modules/.pnpm/x@1.2.3/node_modules/x/i.js:1=f@/p/node_modules/.pnpm/x@1.3.0/node_modules/x/i.js:4 " },
	{ "anonymous ones by their callers",
	  MATCH_IN_FILE,
	  { "a@/x.js:1>@/x.js:3 b@/x.js:9>@/x.js:11" },
	  { "a@/x.js:1>@/x.js:4 c@/x.js:6>@/x.js:10 b@/x.js:13>@/x.js:15" },
	  "(anonymous)@/x.js:3=(anonymous)@/x.js:4 b@/x.js:9=b@/x.js:13 "
	  "(anonymous)@/x.js:11=(anonymous)@/x.js:15 " },
	{ "anonymous ones of one caller in their order",
	  MATCH_IN_FILE,
	  { "a@/x.js:1>@/x.js:3 a@/x.js:1>@/x.js:5" },
	  { "a@/x.js:1>@/x.js:4 a@/x.js:1>@/x.js:6" },
	  "(anonymous)@/x.js:3=(anonymous)@/x.js:4 (anonymous)@/x.js:5=(anonymous)@/x.js:6 " },
	{ "anonymous ones of other callers are others",
	  MATCH_IN_FILE,
	  { "a@/x.js:1>@/x.js:3" },
	  { "b@/x.js:1>@/x.js:4" },
	  "" },
	{ "numbers of scripts do not count", MATCH_IN_FILE, { "f g" }, { "g f" }, "g=g f=f " },
	{ "a location is one whatever the name",
	  MATCH_LOCATION,
	  { "f@/a/x.js:10" },
	  { "g@/a/x.js:10 f@/a/x.js:12" },
	  "f@/a/x.js:10=g@/a/x.js:10 " },
	{ "a name that each side has once is one, whatever the file",
	  MATCH_NAME,
	  { "f@/v/a.js:1>g@/v/a.js:4" },
	  { "f@/v/b.js:9>h@/v/b.js:12" },
	  "f@/v/a.js:1=f@/v/b.js:9 " },
	{ "but not by the usual rule",
	  MATCH_IN_FILE,
	  { "f@/v/a.js:1>g@/v/a.js:4" },
	  { "f@/v/b.js:9>h@/v/b.js:12" },
	  "" },
	{ "a name that one side has twice is none",
	  MATCH_NAME,
	  { "f@/v/a.js:1" },
	  { "f@/v/b.js:9 f@/v/c.js:9" },
	  "" },
	{ "also if one of the two is the same",
	  MATCH_NAME,
	  { "f@/v/a.js:1" },
	  { "f@/v/a.js:1 f@/v/c.js:9" },
	  "" },
	{ "anonymous functions of other files are never the same",
	  MATCH_NAME,
	  { "@/v/a.js:1" },
	  { "@/v/b.js:1" },
	  "" },
	{ "names alone, in several runs",
	  MATCH_NAME,
	  { "f@/v/a.js:1", "g@/v/a.js:4 f@/v/a.js:1" },
	  { "f@/v/b.js:9", "g@/v/b.js:12" },
	  "f@/v/a.js:1=f@/v/b.js:9 g@/v/a.js:4=g@/v/b.js:12 " },
	{ "files that moved, as frames",
	  MATCH_FILES,
	  { "/srv/v1/app.js /srv/v1/lib.js /srv/v1/old.js" },
	  { "/srv/v2/lib.js /srv/v2/app.js /srv/v2/new.js" },
	  "/srv/v1/lib.js=/srv/v2/lib.js /srv/v1/app.js=/srv/v2/app.js " },
	{ "files with a hash in their names, as frames",
	  MATCH_FILES,
	  { "/s/index-4f3a2b.js" },
	  { "/s/index-8c7f9a.js" },
	  "/s/index-4f3a2b.js=/s/index-8c7f9a.js " },
};

START_TEST(pairs_functions)
{
	struct set s;
	struct buf out = { 0 };
	frame_id *match;

	set_init(&s, cases[_i].before, cases[_i].after);
	match = xcalloc(s.p->frames.n, sizeof *match);
	match_frames(s.p, s.runs, s.n, cases[_i].kind, match, NULL);
	for (frame_id f = 0; f < s.p->frames.n; f++) {
		if (match[f] == f)
			continue;
		/* What stands for a class stands for itself. */
		ck_assert_uint_eq(match[match[f]], match[f]);
		add_frame(&out, s.p, match[f]);
		buf_addc(&out, '=');
		add_frame(&out, s.p, f);
		buf_addc(&out, ' ');
	}
	ck_assert_msg(strcmp(buf_text(&out), cases[_i].pairs) == 0, "%s:\n%s, not\n%s",
		      cases[_i].rule, buf_text(&out), cases[_i].pairs);
	free(match);
	buf_done(&out);
	set_done(&s);
}
END_TEST

/* ---- files ---- */

static const struct {
	const char *url, *key;
} keys[] = {
	{ "file:///app/a/x.js", "/app/a/x.js" },
	{ "http://localhost:3000/s/x.js?v=1#a", "/s/x.js" },
	{ "C:\\a\\x.js", "C:/a/x.js" },
	{ "/n/node_modules/.pnpm/@b+core@7.1.0_p@1/node_modules/@b/core/i.js",
	  "/n/node_modules/.pnpm/@b+core/node_modules/@b/core/i.js" },
	{ "https://esm.sh/x@1.2.3/i.js", "/x/i.js" },
	{ "/c/registry.npmjs.org/x/1.2.3/i.js", "/c/registry.npmjs.org/x/*/i.js" },
	{ "/y/lodash-npm-4.17.21-63824515.zip/a.js", "/y/lodash/a.js" },
	{ "/srv/app-1.4.0/i.js", "/srv/app-*/i.js" },
	{ "/srv/v1.4.0/i.js", "/srv/v*/i.js" },
	{ "/srv/dev1.4.0/i.js", "/srv/dev1.4.0/i.js" },
	{ "/srv/app-2/i.js", "/srv/app-2/i.js" },
	{ "/s/index-4f3a2b.js", "/s/index-*.js" },
	{ "/s/main.8c7f9a01.chunk.js", "/s/main.*.chunk.js" },
	{ "/s/index-B3kF9aZq.js", "/s/index-*.js" },
	/* words and dates are no hashes */
	{ "/s/index-effect.js", "/s/index-effect.js" },
	{ "/s/report-20241122.js", "/s/report-20241122.js" },
	{ "/s/facade1.js", "/s/facade1.js" },
	{ "node:fs", "node:fs" },
};

START_TEST(leaves_out_versions_and_hashes)
{
	struct buf out = { 0 };

	file_key_add(keys[_i].url, &out);
	ck_assert_str_eq(buf_text(&out), keys[_i].key);
	buf_done(&out);
}
END_TEST

/* A function that only one side has is in the file that both have. */
START_TEST(tells_which_files_are_the_same)
{
	static const char *const before[] = { "f@/srv/v1/app.js:1>g@/srv/v1/lib.js:1", NULL },
				 *const after[] = { "h@/srv/v2/app.js:9>g@/srv/v2/lib.js:2", NULL };
	struct set s;
	frame_id *match;
	str_id *files;

	set_init(&s, before, after);
	match = xcalloc(s.p->frames.n, sizeof *match);
	files = xcalloc(s.p->strings.n, sizeof *files);
	match_frames(s.p, s.runs, s.n, MATCH_IN_FILE, match, files);
	for (frame_id f = 1; f < s.p->frames.n; f++) {
		const struct frame *frame = profile_frame(s.p, f);
		const char *url = profile_text(s.p, frame->url);
		const char *file = profile_text(s.p, files[frame->url]);

		if (!frame->url)
			continue;
		ck_assert_int_eq(strncmp(file, "/srv/v1/", 8), 0);
		ck_assert_str_eq(file + 8, url + 8);
		if (strcmp(profile_text(s.p, frame->name), "h") == 0)
			ck_assert_uint_eq(match[f], f);
	}
	free(match);
	free(files);
	set_done(&s);
}
END_TEST

/* ---- views ---- */

/* A view of both sides has one node for two frames of one class, and a view of one lane, too. */
START_TEST(view_joins_classes)
{
	static const char *const before[] = { "m@/x.js:1>f@/x.js:10", NULL },
				 *const after[] = { "m@/x.js:1>f@/x.js:12 m@/x.js:1>g@/x.js:20",
						    NULL };
	const struct lane *lanes[2];
	struct view_work *work;
	struct view view;
	struct set s;
	frame_id *match;

	set_init(&s, before, after);
	match = xcalloc(s.p->frames.n, sizeof *match);
	match_frames(s.p, s.runs, s.n, MATCH_IN_FILE, match, NULL);
	ck_assert_uint_eq(s.p->n_lanes, 2);
	lanes[0] = &s.p->lanes[0];
	lanes[1] = &s.p->lanes[1];
	for (uint32_t n = 1; n <= 2; n++) {
		const struct view_plan plan = { .match = match };

		work = view_begin(&view, s.p, lanes + 2 - n, n, &plan);
		ck_assert(work && view_work(work, BUDGET_UNLIMITED));
		view_end(work);
		/* root, m, f, g */
		ck_assert_uint_eq(view.tree->n, 4);
		for (node_id i = 1; i < view.tree->n; i++)
			ck_assert_uint_eq(match[view.tree->frame[i]], view.tree->frame[i]);
		view_done(&view);
	}
	free(match);
	set_done(&s);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "match", SUITE_SECONDS);

	tcase_add_loop_test(t, pairs_functions, 0, N(cases));
	tcase_add_loop_test(t, leaves_out_versions_and_hashes, 0, N(keys));
	tcase_add_test(t, tells_which_files_are_the_same);
	tcase_add_test(t, view_joins_classes);
}

int main(void)
{
	return suite_run("match", add_tests);
}
