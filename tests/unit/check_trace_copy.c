/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies of the events of a trace: which events, with which times, and what becomes of a file that
 * changes between loading and copying. */
#include "config.h"

#include "file_print.h"
#include "suite.h"
#include "temp_folder.h"

#include "read/load/load_file.h"
#include "read/trace/trace_copy.h"
#include "write/export/export.h"

static char path[300];

static void make(void)
{
	temp_folder_make();
	temp_folder_path(path, sizeof path, "trace.json");
}

static void put_file(const char *text)
{
	file_write(path, text, strlen(text));
}

static bool gather(void *ctx, const char *event, size_t len)
{
	buf_add(ctx, event, len);
	buf_addc(ctx, '|');
	return true;
}

static const struct copied {
	const char *text;
	int64_t shift;
	const char *expect;
} copies[] = {
	/* as they stand in the file, blanks and all */
	{ "[{\"ts\": 5,\"x\":1 }, {\"a\":{\"ts\":7}}]", 0,
	  "{\"ts\": 5,\"x\":1 }|{\"a\":{\"ts\":7}}|" },
	/* only the event's own time moves, however it is written */
	{ "{\"m\":[1],\"traceEvents\":[{\"args\":{\"ts\":7},\"ts\":5},{\"ts\":\"5.5\"},{\"name\":\"\\\"ts\\\":3\",\"t\\u0073\":1e1}],\"z\":0}",
	  2500,
	  "{\"args\":{\"ts\":7},\"ts\":7.500}|{\"ts\":8.000}|{\"name\":\"\\\"ts\\\":3\",\"t\\u0073\":12.500}|" },
	{ "[{\"ts\":0},{\"ts\":100},{\"ts\":null},{\"ph\":\"M\"}]", -40000,
	  "{\"ts\":0}|{\"ts\":60.000}|{\"ts\":null}|{\"ph\":\"M\"}|" },
	{ "[{\"ts\":0}]", 40000, "{\"ts\":40.000}|" },
	{ "[{\"ts\":40},{\"ts\":39.999},{\"ts\":-1}]", -40000,
	  "{\"ts\":0.000}|{\"ts\":-0.001}|{\"ts\":-41.000}|" },
	/* all lists of that name, and no others */
	{ "{\"otherEvents\":[{\"ts\":9}],\"traceEvents\":[{\"ts\":1}],\"x\":{},\"traceEvents\":[{\"ts\":2}]}",
	  0, "{\"ts\":1}|{\"ts\":2}|" },
	/* several documents, as loading reads them */
	{ "[{\"ts\":1}]\n[{\"ts\":2}][{\"ts\":3},", 0, "{\"ts\":1}|{\"ts\":2}|{\"ts\":3}|" },
	{ "{\"traceEvents\":[{\"ts\":1}]}{\"x\":[]}{\"traceEvents\":[{\"ts\":2}]}", 0,
	  "{\"ts\":1}|{\"ts\":2}|" },
	/* events one after another */
	{ "{\"ph\":\"i\",\"ts\":1}\n{\"ts\":2},\n{\"ts\":3}\n[{\"ts\":4}]", 1000,
	  "{\"ph\":\"i\",\"ts\":2.000}|{\"ts\":3.000}|{\"ts\":4.000}|{\"ts\":5.000}|" },
	{ "{\"ph\":\"i\",\"ts\":1}\n{\"ts\":", 0, "{\"ph\":\"i\",\"ts\":1}|" },
	/* messages of the DevTools protocol */
	{ "{\"id\":1,\"result\":{}}\n{\"method\":\"Tracing.dataCollected\",\"params\":{\"value\":[{"
	  "\"ts\":1},7]}}\n{\"method\":\"Page.x\",\"params\":{\"value\":[{\"ts\":9}]}}\n{\"params\":{\"value\":"
	  "[{\"ts\":2}]},\"method\":\"Tracing.dataCollected\"}",
	  0, "{\"ts\":1}|{\"ts\":2}|" },
	{ "[{\"method\":\"Tracing.dataCollected\",\"params\":{\"value\":[{\"ts\":1}]}},5,{\"id\":1}]",
	  0, "{\"ts\":1}|" },
	/* what is no event is left out, and so is what is cut off */
	{ "[{\"ts\":1},7,null,{\"ts\":2},", 0, "{\"ts\":1}|{\"ts\":2}|" },
	{ "{\"result\":{\"traceEvents\":[{\"ts\":1},{\"ts\":2},{\"na", 0,
	  "{\"ts\":1}|{\"ts\":2}|" },
	/* valid JSON without control characters, whatever the file has */
	{ "[{\"name\":\"\033[2J\177\302\233\377\",\"args\":{\"x\":NaN,\"y\":\"\\ud800\"}},{\"ts\": 1}]",
	  0,
	  "{\"name\":\"\\u001b[2J\\u007f\\u009b\357\277\275\",\"args\":{\"x\":\"NaN\",\"y\":\"\\ud800\"}}|"
	  "{\"ts\": 1}|" },
	{ "[{\"ts\":5,\"a\":{\"b\":[1,,]},\"name\":\"\n\"}]", 1000,
	  "{\"ts\":6.000,\"a\":{\"b\":[1]},\"name\":\"\\n\"}|" },
	/* times at the ends of what can be stated */
	{ "[{\"ts\":9223372036854775},{\"ts\":1e99}]", 1000000,
	  "{\"ts\":9223372036854775}|{\"ts\":1e99}|" },
};

/* A profile whose only input is `in`, a file that has the fingerprint `print`. free_profile_of() by
 * the caller. */
static struct profile profile_of(struct input *in, const char *format, struct fingerprint print)
{
	struct profile p = { .inputs = in, .n_inputs = 1 };

	intern_init(&p.strings);
	*in = (struct input){ .path = intern_adds(&p.strings, path),
			      .format = format,
			      .print = print };
	return p;
}

static void free_profile_of(struct profile *p)
{
	fingerprint_done(&p->inputs->print);
	intern_done(&p->strings);
}

START_TEST(events_are_copied)
{
	struct error err = ERROR_INIT;
	struct buf out = { 0 };
	struct input in;
	struct profile p;

	put_file(copies[_i].text);
	p = profile_of(&in, "trace", file_print(path));
	ck_assert_msg(trace_copy(&p, 0, copies[_i].shift, gather, &out, &err), "%s", err.text);
	ck_assert_str_eq(buf_text(&out), copies[_i].expect);
	buf_done(&out);
	free_profile_of(&p);
}
END_TEST

static void check_not_copied(const char *format, struct fingerprint print)
{
	struct error err = ERROR_INIT;
	struct buf out = { 0 };
	struct input in;
	struct profile p = profile_of(&in, format, print);

	ck_assert(!trace_copy(&p, 0, 0, gather, &out, &err) && out.len == 0);
	ck_assert_int_eq(err.kind, ERR_UNKNOWN);
	buf_done(&out);
	free_profile_of(&p);
}

START_TEST(no_events_to_copy)
{
	put_file("{\"nodes\":[]}");
	check_not_copied("trace", file_print(path));
	check_not_copied("trace", (struct fingerprint){ 0 });
	put_file(copies[0].text);
	check_not_copied("speedscope", file_print(path));
}
END_TEST

/* ---- files that change ---- */

#define N_EVENTS 30000
#define CHANGED "the file has changed since it was read"

static char *text; /* of a trace of several blocks; secret: only events that are copied have it */
static size_t text_len;

static void make_trace(void)
{
	struct buf out = { 0 };

	make();
	buf_adds(&out, "[");
	for (int i = 0; i < N_EVENTS; i++)
		buf_addf(&out,
			 "%s{\"ph\":\"X\",\"name\":\"m%d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":1,"
			 "\"args\":{\"secret\":%05d}}",
			 i ? "," : "", i % 50, i * 3 + 10000, i);
	buf_adds(&out, "]");
	text = out.data;
	text_len = out.len;
	file_write(path, text, text_len);
}

static void remove_trace(void)
{
	free(text);
	temp_folder_remove();
}

static struct profile *load_trace(void)
{
	struct builder *b = builder_new(&(struct builder_options){ .is_raw = false });
	struct error err = ERROR_INIT;
	struct profile *p;

	ck_assert_msg(load_file(&(struct load_file_order){ .path = path }, b, NULL, NULL, &err),
		      "%s", err.text);
	p = builder_finish(b, &err);
	ck_assert(p != NULL);
	return p;
}

/* Not by strstr(), which looks at the whole rest of the text in each call under a sanitizer. */
static size_t count(const char *in, const char *what)
{
	size_t n = 0, len = strlen(what);

	for (; *in; in++)
		n += *in == *what && strncmp(in, what, len) == 0;
	return n;
}

/* Export the profile. Returns the error; NULL: there was none, and all events are there. */
static const char *export(const struct profile *p)
{
	static struct error err;
	struct export_options options = { .copy = trace_copy };
	struct sink *sink = sink_open_memory();
	size_t n;

	err = (struct error)ERROR_INIT;
	scope_all(&options.scope, p);
	export_find("trace")->write(p, &options, sink);
	n = count(buf_text(sink_buf(sink)), "secret");
	if (sink_close(sink, &err)) {
		ck_assert_uint_eq(n, N_EVENTS);
		return NULL;
	}
	ck_assert_ptr_nonnull(strstr(err.text, path));
	return err.text;
}

static void delete_it(void)
{
	ck_assert_int_eq(unlink(path), 0);
}

static void cut_it_off(void)
{
	ck_assert_int_eq(truncate(path, 1000000), 0);
}

static void replace_it(void)
{
	file_replace(path, text, text_len);
}

static void make_it_a_fifo(void)
{
	file_make_fifo(path);
}

/* The value of one event, near the end. */
static void overwrite_it(void)
{
	file_overwrite(path, (int64_t)text_len - 10, "7", 1);
}

static void break_it(void)
{
	file_overwrite(path, (int64_t)text_len / 2, "}", 1);
}

static void end_it(void)
{
	file_overwrite(path, (int64_t)text_len / 2, "]]]]", 4);
}

static void leave_it(void)
{
}

static const struct {
	void (*happens)(void);
	const char *expect;
} changes[] = {
	{ leave_it, NULL },          { delete_it, "No such file or directory" },
	{ cut_it_off, CHANGED },     { replace_it, CHANGED },
	{ make_it_a_fifo, CHANGED }, { overwrite_it, CHANGED },
	{ break_it, CHANGED },       { end_it, CHANGED },
};

/* The events are those that were loaded, or there is an error that names the file. */
START_TEST(file_that_changes_before_it_is_copied_is_an_error)
{
	struct profile *p = load_trace();
	const char *why;

	changes[_i].happens();
	why = export(p);
	if (changes[_i].expect)
		ck_assert_msg(why && strstr(why, changes[_i].expect), "%s", why ? why : "no error");
	else
		ck_assert_msg(!why, "%s", why);
	profile_free(p);
}
END_TEST

/* Events of a range are made from what was loaded. */
START_TEST(range_of_a_file_that_changes_has_no_members)
{
	static void (*const happens[])(void) = { delete_it, replace_it, make_it_a_fifo };
	struct export_options options = { .copy = trace_copy, .copy_members = trace_copy_members };
	struct error err = ERROR_INIT;
	struct profile *p = load_trace();
	struct sink *sink = sink_open_memory();

	happens[_i]();
	scope_all(&options.scope, p);
	options.scope.t0 = 1000000;
	export_find("trace")->write(p, &options, sink);
	ck_assert_ptr_nonnull(strstr(buf_text(sink_buf(sink)), "exporter"));
	ck_assert_msg(sink_close(sink, &err), "%s", err.text);
	profile_free(p);
}
END_TEST

/* ---- notes ---- */

#define MODIFIED(more)                                                                             \
	"\"metadata\":{\"modifications\":{\"annotations\":{\"entryLabels\":[{\"entry\":\"r-1\","   \
	"\"label\":\"of the file\"},{\"entry\":\"r-9\",\"label\":\"of nothing\"}]}},\"z\":1}" more
#define NOTED                                                                                      \
	"\"traceEvents\":[{\"ph\":\"M\",\"name\":\"x\"},"                                          \
	"{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":9,\"name\":\"a\"},"                   \
	"{\"ph\":\"b\",\"pid\":1,\"tid\":1,\"ts\":11,\"id\":1,\"cat\":\"c\",\"name\":\"n\"},"      \
	"{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":12,\"dur\":3,\"name\":\"b\"}]"

static const char *const noted[] = { "{" MODIFIED("," NOTED) "}", "{" NOTED "," MODIFIED("}") };

static struct user_note own_note(const struct profile *p, int depth, int64_t t)
{
	struct user_note note = { .offset = -1 };
	struct span span;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].kind == LANE_SLICES &&
		    span_at(&p->lanes[i].samples, &p->lanes[i].tree, depth, t, &span))
			note = notes_label(p, &p->lanes[i], &span, "mine");
	ck_assert_int_ge(note.offset, 0);
	return note;
}

/* Keys of the file are resolved wherever they stand, and kept, also of what is not shown; a note of
 * the user gets the number of its event. */
START_TEST(notes_go_along)
{
	struct export_options options = { .copy = trace_copy, .copy_members = trace_copy_members };
	struct notes notes = { 0 };
	struct sink *sink = sink_open_memory();
	struct error err = ERROR_INIT;
	struct user_note own;
	struct profile *p;
	struct span span;
	uint32_t lane;

	put_file(noted[_i]);
	p = load_trace();
	ck_assert_uint_eq(p->notes.n, 2);
	ck_assert(notes_find(p, &p->notes.list[0], &lane, &span));
	ck_assert_str_eq(profile_text(p, profile_node_frame(p, &p->lanes[lane], span.node)->name),
			 "a");
	ck_assert(!notes_find(p, &p->notes.list[1], &lane, &span));
	notes_add_all(&notes, &p->notes);
	own = own_note(p, 1, 3000);
	notes_set(&notes, &own);
	own.text = (char[]){ "twice" };
	notes_set(&notes, &own);
	ck_assert_uint_eq(notes.n, 3);
	trace_copy_find_notes(&p->inputs[0], 0, path, &notes);
	options.notes = &notes;
	scope_all(&options.scope, p);
	export_find("trace")->write(p, &options, sink);
	ck_assert_ptr_nonnull(
		strstr(buf_text(sink_buf(sink)),
		       "\"entryLabels\":[{\"entry\":\"r-1\",\"label\":\"of the file\"},"
		       "{\"entry\":\"r-9\",\"label\":\"of nothing\"},"
		       "{\"entry\":\"r-3\",\"label\":\"twice\"}]"));
	ck_assert_ptr_nonnull(strstr(buf_text(sink_buf(sink)), "\"z\":1"));
	ck_assert_msg(sink_close(sink, &err), "%s", err.text);
	notes_done(&notes);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *copied = suite_case(suite, "copied", SUITE_SECONDS);
	TCase *changed = suite_case(suite, "changed", SUITE_SECONDS);

	tcase_add_checked_fixture(copied, make, temp_folder_remove);
	tcase_add_loop_test(copied, events_are_copied, 0, N(copies));
	tcase_add_test(copied, no_events_to_copy);
	tcase_add_loop_test(copied, notes_go_along, 0, N(noted));
	tcase_add_checked_fixture(changed, make_trace, remove_trace);
	tcase_add_loop_test(changed, file_that_changes_before_it_is_copied_is_an_error, 0,
			    N(changes));
	tcase_add_loop_test(changed, range_of_a_file_that_changes_has_no_members, 0, 3);
}

int main(void)
{
	return suite_run("trace_copy", add_tests);
}
