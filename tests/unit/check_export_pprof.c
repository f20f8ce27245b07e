/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The wire form of Protocol Buffers by the examples of its description, and how the times of a
 * profile go to the samples of pprof. tests/valid.py checks whole files. */
#include "config.h"

#include "write/export/export_pprof.c"

#include "exported.h"
#include "story.h"
#include "suite.h"

#include "model/build/builder.h"
#include "model/build/cpu_builder.h"

#include <zlib.h>

static void ck_bytes(const struct buf *out, const char *bytes, size_t len)
{
	ck_assert_uint_eq(out->len, len);
	ck_assert_int_eq(memcmp(out->data, bytes, len), 0);
}

START_TEST(numbers_are_as_in_the_description_of_the_format)
{
	struct buf out = { 0 };

	protobuf_number(&out, 1, 150);
	ck_bytes(&out, "\x08\x96\x01", 3);
	buf_clear(&out);
	protobuf_bytes(&out, 2, "testing", 7);
	ck_bytes(&out, "\x12\x07testing", 9);
	buf_clear(&out);
	protobuf_add_varint(&out, (uint64_t)INT64_C(-2));
	ck_bytes(&out, "\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
	buf_clear(&out);
	/* The default value is left out; an empty element of a list is not. */
	protobuf_number(&out, 1, 0);
	ck_assert_uint_eq(out.len, 0);
	protobuf_bytes(&out, 6, "", 0);
	ck_bytes(&out, "\x32\0", 2);
	buf_done(&out);
}
END_TEST

/* The export, unpacked. */
static struct buf unpacked(const struct profile *p, bool has_idle)
{
	struct export_options options = { 0 };
	struct sink *sink = sink_open_memory();
	struct error err = ERROR_INIT;
	struct buf text = { 0 };
	char bytes[65536];
	z_stream z = { 0 };

	scope_all(&options.scope, p);
	options.scope.has_idle = has_idle;
	export_find("pprof")->write(p, &options, sink);
	z.next_in = (unsigned char *)sink_buf(sink)->data;
	z.avail_in = (unsigned)sink_buf(sink)->len;
	z.next_out = (unsigned char *)bytes;
	z.avail_out = sizeof bytes;
	ck_assert_int_eq(inflateInit2(&z, 15 + 16), Z_OK);
	ck_assert_int_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
	buf_add(&text, bytes, sizeof bytes - z.avail_out);
	inflateEnd(&z);
	ck_assert(sink_close(sink, &err));
	return text;
}

static bool has_bytes(const struct buf *text, const char *bytes, size_t len)
{
	return memmem(text->data, text->len, bytes, len) != NULL;
}

#define FRAME(id, name, more) "{'id':" #id ",'callFrame':{'functionName':'" name "'" more "}"

START_TEST(self_time_is_divided_by_ticks)
{
	struct profile *p = story_load("{'nodes':[" FRAME(1, "(root)", "") ",'children':[2]}," FRAME(
		2, "a",
		",'url':'/a.js','lineNumber':2") ",'hitCount':4,'positionTicks':[{'line':4,'ticks':3},{'line':9,'ticks':1}]}],'startTime':0,'samples':[2,2,2,2],'timeDeltas':[0,1,1,1]}");
	struct buf text = unpacked(p, false);

	/* Values: 3 samples and 3000 ns, 1 sample and 1000 ns. */
	ck_assert(has_bytes(&text, "\x12\x03\x03\xb8\x17", 5));
	ck_assert(has_bytes(&text, "\x12\x03\x01\xe8\x07", 5));
	/* Lines 4 and 9 in a location; none is at line 3. */
	ck_assert(has_bytes(&text, "\x10\x04", 2));
	ck_assert(has_bytes(&text, "\x10\x09", 2));
	/* The period, 1000 ns, and its type. */
	ck_assert(has_bytes(&text, "\x60\xe8\x07", 3));
	ck_assert(has_bytes(&text, "\x5a\x04\x08", 3));
	buf_done(&text);
	profile_free(p);
}
END_TEST

START_TEST(idle_time_is_left_out_unless_asked_for)
{
	struct profile *p = story_load(
		"{'nodes':[" FRAME(1, "(root)", "") ",'children':[2,3]}," FRAME(2, "(idle)", "") "}," FRAME(
			3, "a",
			",'url':'/a.js'") "}],'startTime':0,'samples':[2,3,2],'timeDeltas':[0,1,1]}");
	struct buf text = unpacked(p, false);

	ck_assert(!has_bytes(&text, "(idle)", 6));
	buf_done(&text);
	text = unpacked(p, true);
	ck_assert(has_bytes(&text, "(idle)", 6));
	buf_done(&text);
	profile_free(p);
}
END_TEST

START_TEST(anonymous_functions_have_their_place_in_their_name)
{
	struct profile *p = story_load("{'nodes':[" FRAME(1, "(root)", "") ",'children':[2]}," FRAME(
		2, "",
		",'url':'file:///x/a.js','lineNumber':11,'columnNumber':4") "}],'startTime':0,'samples':[2,2],'timeDeltas':[0,1]}");
	struct buf text = unpacked(p, false);

	ck_assert(has_bytes(&text, "(anonymous a.js:12:5)", 21));
	ck_assert(has_bytes(&text, "\x32\x07/x/a.js", 9));
	buf_done(&text);
	profile_free(p);
}
END_TEST

#define SLICE(name, cat, ts, dur)                                                                  \
	"{'ph':'X','name':'" name "','cat':'" cat "','pid':1,'tid':1,'ts':" #ts ",'dur':" #dur "}"

/* The calls of `run` are two nodes of the lane; the view joins them. */
START_TEST(joined_calls_leave_each_stack_its_names)
{
	struct profile *p = story_load(
		"[" SLICE("task", "a", 0, 100) "," SLICE("run", "a", 0, 20) "," SLICE(
			"run", "b", 30, 25) "," SLICE("style", "b", 35, 10) "," SLICE("late", "b",
										      90, 5) "]");
	struct buf text = unpacked(p, false);

	/* style, run, task; then late, task: 10 us and 5 us. */
	ck_assert(has_bytes(&text, "\x0a\x03\x03\x02\x01\x12\x03\x00\x90\x4e", 10));
	ck_assert(has_bytes(&text, "\x0a\x02\x04\x01\x12\x03\x00\x88\x27", 9));
	buf_done(&text);
	profile_free(p);
}
END_TEST

/* pprof removes <...> and (...) from a name that equals the system's name. */
START_TEST(functions_have_no_name_of_the_system)
{
	struct profile *p = story_load(
		"{'nodes':[" FRAME(1, "(root)", "") ",'children':[2]}," FRAME(
			2, "<x>", "") "}],'startTime':0,'samples':[2,2],'timeDeltas':[0,1]}");
	struct buf text = unpacked(p, false);

	/* The function has two members, its id and its name. */
	ck_assert(has_bytes(&text, "\x2a\x04\x08", 3));
	buf_done(&text);
	profile_free(p);
}
END_TEST

/* ---- labels ---- */

static struct str text_of(const char *s)
{
	return (struct str){ s, strlen(s) };
}

/* A set of labels: texts, numbers, a number with a unit, two values of one key. */
static uint32_t add_set(struct builder *b, int i)
{
	const struct builder_label labels[] = {
		{ .key = text_of("endpoint"), .value = text_of(i % 2 ? "GET /x" : "17") },
		{ .key = text_of("span id"), .value = text_of("17"), .is_number = true },
		{ .key = text_of("size"),
		  .value = text_of("-4096 bytes"),
		  .is_number = true,
		  .unit = text_of("bytes") },
		{ .key = text_of("tag"), .value = text_of("a, b") },
		{ .key = text_of("tag"), .value = text_of("c") },
	};

	return builder_labels_set(b, labels, (size_t)i % (ARRAY_LEN(labels) + 1));
}

static struct profile *labelled(void)
{
	static const char *const names[] = { "(root)", "a", "b" };
	struct builder *b = builder_new(&(struct builder_options){ .is_raw = true });
	struct error err = ERROR_INIT;

	builder_input(b, "x.pb");
	cpu_builder_begin(b);
	for (uint32_t i = 0; i < ARRAY_LEN(names); i++) {
		uint32_t frame = cpu_builder_frame(b,
						   &(struct cpu_frame){ names[i], strlen(names[i]),
									"/x.js", 5, "0", 1, 1, 1 });
		uint32_t node = cpu_builder_node(b, cpu_builder_slot(b, i + 1), frame, -1);

		if (i)
			cpu_builder_parent(b, node, cpu_builder_slot(b, i));
	}
	cpu_builder_start_time(b, 0);
	for (int i = 0; i < 60; i++) {
		int64_t delta = 10 + i;
		uint32_t slot = cpu_builder_slot(b, 2 + i % 5 / 3);

		cpu_builder_label(b, add_set(b, i));
		cpu_builder_samples(b, &slot, 1);
		cpu_builder_deltas(b, &delta, 1);
	}
	ck_assert(cpu_builder_end(b, LANE_NO_ID, LANE_NO_ID, &err));
	return builder_finish(b, &err);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The key, value and form of each label but the one of the thread. */
static void add_labels(const struct profile *p, uint32_t set, struct buf *out)
{
	char *list[16] = { NULL };
	struct label label;
	size_t n = 0;

	for (size_t i = 0; labels_get(&p->labels, set, i, &label); i++) {
		const char *key = profile_text(p, p->labels.keys[label.key].name);
		struct buf text = { 0 };

		if (!strcmp(key, "thread") || label.form == LABEL_JOINED)
			continue;
		buf_addf(&text, " %s=%s/%s", key, profile_text(p, label.value),
			 label.form == LABEL_TEXT ? "text"
				 : label.form == LABEL_NUMBER
				 ? "number"
				 : profile_text(p, label.form - LABEL_NUMBER));
		list[n++] = xstrdup(buf_text(&text));
		buf_done(&text);
	}
	qsort(list, n, sizeof *list, by_text);
	for (size_t i = 0; i < n; i++) {
		buf_adds(out, list[i]);
		free(list[i]);
	}
}

/* Rows of a profile by function and labels, with their sums, in the order of texts. */
static char *rows_of(const struct profile *p)
{
	const struct lane *l = &p->lanes[0];
	char *names[64] = { NULL };
	int64_t ns[64] = { 0 };
	struct buf out = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < l->samples.n; i++) {
		struct buf text = { 0 };
		size_t k = 0;

		if (l->samples.leaf[i] == NODE_ROOT)
			continue;
		buf_adds(&text,
			 profile_text(p, profile_node_frame(p, l, l->samples.leaf[i])->name));
		add_labels(p, l->labels[i], &text);
		while (k < n && strcmp(names[k], buf_text(&text)) != 0)
			k++;
		if (k == n)
			names[n++] = xstrdup(buf_text(&text));
		ns[k] += samples_time(&l->samples, i + 1) - samples_time(&l->samples, i);
		buf_done(&text);
	}
	for (size_t i = 0; i < n; i++) {
		struct buf text = { 0 };

		buf_addf(&text, "%s %d\n", names[i], (int)ns[i]);
		free(names[i]);
		names[i] = xstrdup(buf_text(&text));
		buf_done(&text);
	}
	qsort(names, n, sizeof *names, by_text);
	for (size_t i = 0; i < n; i++) {
		buf_adds(&out, names[i]);
		free(names[i]);
	}
	return out.data;
}

START_TEST(labels_are_written_back)
{
	struct profile *p = labelled(), *again, *third;
	struct buf text = unpacked(p, true), text2;
	struct error err = ERROR_INIT;
	char *before = rows_of(p), *after;

	ck_assert_ptr_nonnull(strstr(before, " size=-4096 bytes/bytes"));
	ck_assert_ptr_nonnull(strstr(before, " endpoint=17/text"));
	ck_assert_ptr_nonnull(strstr(before, " span id=17/number"));
	ck_assert_ptr_nonnull(strstr(before, " tag=a, b/text tag=c/text"));
	again = load_text(text.data, text.len, SIZE_MAX, NULL, &err);
	ck_assert_msg(again != NULL, "%s", err.text);
	after = rows_of(again);
	ck_assert_str_eq(after, before);
	free(after);
	text2 = unpacked(again, true);
	third = load_text(text2.data, text2.len, SIZE_MAX, NULL, &err);
	ck_assert_msg(third != NULL, "%s", err.text);
	after = rows_of(third);
	ck_assert_str_eq(after, before);
	ck_assert_uint_eq(third->labels.n_keys, again->labels.n_keys);
	ck_assert(!export_loses_labels(export_find("pprof"), p));
	ck_assert(export_loses_labels(export_find("folded"), p));
	ck_assert(!export_loses_labels(export_find("json"), p));
	free(after);
	free(before);
	buf_done(&text);
	buf_done(&text2);
	profile_free(p);
	profile_free(again);
	profile_free(third);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_test(tc, numbers_are_as_in_the_description_of_the_format);
	tcase_add_test(tc, self_time_is_divided_by_ticks);
	tcase_add_test(tc, idle_time_is_left_out_unless_asked_for);
	tcase_add_test(tc, anonymous_functions_have_their_place_in_their_name);
	tcase_add_test(tc, joined_calls_leave_each_stack_its_names);
	tcase_add_test(tc, functions_have_no_name_of_the_system);
	tcase_add_test(tc, labels_are_written_back);
}

int main(void)
{
	return suite_run("export_pprof", add_tests);
}
