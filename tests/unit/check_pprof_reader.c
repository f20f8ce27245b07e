/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles of pprof: one test for each rule of formats(5), PPROF. Messages are written here by the
 * functions that exports use, which check_export_pprof compares with the description of the form.
 */
#include "config.h"

#include "write/export/export_pprof.c"

#include "load_text.h"
#include "story.h"
#include "suite.h"

#include "analyse/view/scoped.h"
#include "base/sink.h"
#include "model/profile.h"
#include "write/export/export.h"

/* A profile that is written: its members, and its strings, which come last. */
struct doc {
	struct buf out, message, inner, part;
	struct intern strings;
};

static uint64_t word(struct doc *d, const char *text)
{
	return intern_adds(&d->strings, text);
}

static void add(struct doc *d, unsigned field)
{
	protobuf_bytes(&d->out, field, d->message.data, d->message.len);
	buf_clear(&d->message);
}

static void put_type(struct doc *d, unsigned field, const char *type, const char *unit)
{
	protobuf_number(&d->message, 1, word(d, type));
	protobuf_number(&d->message, 2, word(d, unit));
	add(d, field);
}

static void begin(struct doc *d)
{
	*d = (struct doc){ 0 };
	intern_init(&d->strings);
}

/* Samples with a count and a time in microseconds. */
static void begin_cpu(struct doc *d)
{
	begin(d);
	put_type(d, 1, "samples", "count");
	put_type(d, 1, "cpu", "microseconds");
}

static void put_label(struct doc *d, const char *key, const char *text, int64_t number)
{
	buf_clear(&d->inner);
	protobuf_number(&d->inner, 1, word(d, key));
	protobuf_number(&d->inner, 2, text ? word(d, text) : 0);
	protobuf_number(&d->inner, 3, (uint64_t)number);
	protobuf_bytes(&d->message, 3, d->inner.data, d->inner.len);
}

static void add_packed(struct doc *d, unsigned field, const int64_t *values, int n)
{
	buf_clear(&d->part);
	for (int i = 0; i < n; i++)
		protobuf_add_varint(&d->part, (uint64_t)values[i]);
	protobuf_bytes(&d->message, field, d->part.data, d->part.len);
}

/* A sample of locations, innermost first, ended by 0; labels were added before. */
static void add_sample(struct doc *d, const int64_t *locations, int64_t count, int64_t value)
{
	const int64_t values[] = { count, value };
	int n = 0;

	while (locations[n])
		n++;
	add_packed(d, 1, locations, n);
	add_packed(d, 2, values, 2);
	add(d, 2);
}

#define STACK(...) ((const int64_t[]){ __VA_ARGS__, 0 })

static void add_function(struct doc *d, uint64_t id, const char *name, const char *file,
			 int64_t line)
{
	protobuf_number(&d->message, 1, id);
	protobuf_number(&d->message, 2, word(d, name));
	protobuf_number(&d->message, 4, word(d, file));
	protobuf_number(&d->message, 5, (uint64_t)line);
	add(d, 5);
}

static void add_line(struct doc *d, uint64_t function, int64_t line, int64_t column)
{
	buf_clear(&d->inner);
	protobuf_number(&d->inner, 1, function);
	protobuf_number(&d->inner, 2, (uint64_t)line);
	protobuf_number(&d->inner, 3, (uint64_t)column);
	protobuf_bytes(&d->message, 4, d->inner.data, d->inner.len);
}

/* The location of a function, both with this id, at a line. */
static void add_place(struct doc *d, uint64_t id, const char *name, int64_t first, int64_t line)
{
	add_function(d, id, name, "/srv/app.js", first);
	protobuf_number(&d->message, 1, id);
	add_line(d, id, line, 0);
	add(d, 4);
}

/* The functions a, b and c. */
static void add_abc(struct doc *d)
{
	add_place(d, 1, "a", 1, 1);
	add_place(d, 2, "b", 10, 10);
	add_place(d, 3, "c", 20, 20);
}

/* End the document; returns its bytes, which the caller frees. */
static char *end(struct doc *d, size_t *len)
{
	char *bytes;

	for (size_t i = 0; i < d->strings.n; i++)
		protobuf_bytes(&d->out, 6, intern_text(&d->strings, (str_id)i),
			       intern_len(&d->strings, (str_id)i));
	*len = d->out.len;
	bytes = xmalloc(*len ? *len : 1);
	memcpy(bytes, d->out.data, *len);
	buf_done(&d->out);
	buf_done(&d->message);
	buf_done(&d->inner);
	buf_done(&d->part);
	intern_done(&d->strings);
	return bytes;
}

/* End the document and load it with this sample type; NULL: the file's own choice. */
static struct profile *try(struct doc *d, const char *type, struct error *err)
{
	struct builder_options options = { .sample_type = type };
	size_t len;
	char *bytes = end(d, &len);
	struct profile *p = load_text_with(builder_new(&options), bytes, len, SIZE_MAX, NULL, err);

	free(bytes);
	return p;
}

static struct profile *load(struct doc *d)
{
	struct error err = ERROR_INIT;
	struct profile *p = try(d, NULL, &err);

	ck_assert_msg(p != NULL, "not loaded: %s", err.text);
	return p;
}

static void fails(struct doc *d, const char *type, const char *part)
{
	struct error err = ERROR_INIT;

	ck_assert(try(d, type, &err) == NULL);
	ck_assert_msg(strstr(err.text, part) != NULL, "\"%s\" lacks \"%s\"", err.text, part);
}

static const char *name_of_lane(const struct profile *p, const struct lane *l)
{
	static struct buf name;

	buf_clear(&name);
	lane_name(p, l, true, &name);
	return buf_text(&name);
}

START_TEST(stacks_have_the_sums_of_their_samples)
{
	struct profile *p;
	struct doc d;

	begin_cpu(&d);
	add_sample(&d, STACK(3, 1), 1, 10);
	add_sample(&d, STACK(2, 1), 2, 20);
	add_sample(&d, STACK(3, 1), 3, 30);
	add_abc(&d);
	p = load(&d);
	story_of(p, 0, "0 a>c|40 a>b|60");
	ck_assert(!p->lanes[0].has_timeline);
	ck_assert_str_eq(profile_text(p, p->lanes[0].value.type), "cpu");
	ck_assert_int_eq(p->lanes[0].value.unit_ns, 0);
	ck_assert_uint_eq(p->lanes[0].hits[p->lanes[0].samples.leaf[0]], 4);
	ck_assert_uint_eq(p->inputs[0].n_warnings, 0);
	profile_free(p);
}
END_TEST

/* Each number of a list a member of its own, as old writers have it. */
START_TEST(lists_that_are_not_packed)
{
	struct profile *p;
	struct doc d;

	begin_cpu(&d);
	protobuf_number(&d.message, 1, 2);
	protobuf_number(&d.message, 1, 1);
	protobuf_number(&d.message, 2, 1);
	protobuf_number(&d.message, 2, 7);
	add(&d, 2);
	add_abc(&d);
	p = load(&d);
	story_of(p, 0, "0 a>b|7");
	profile_free(p);
}
END_TEST

static void add_heap(struct doc *d)
{
	begin(d);
	put_type(d, 1, "objects", "count");
	put_type(d, 1, "space", "bytes");
	add_sample(d, STACK(1), 3, 4096);
	add_abc(d);
}

START_TEST(last_type_is_shown_or_the_one_of_the_file_or_of_the_user)
{
	struct error err = ERROR_INIT;
	struct profile *p;
	struct doc d;

	add_heap(&d);
	p = load(&d);
	story_of(p, 0, "0 a|4.096");
	ck_assert_str_eq(profile_text(p, p->lanes[0].value.type), "space");
	ck_assert_int_eq(p->lanes[0].value.unit_ns, 1);
	profile_free(p);
	add_heap(&d);
	protobuf_number(&d.out, 14, word(&d, "objects"));
	p = load(&d);
	story_of(p, 0, "0 a|3");
	ck_assert_int_eq(p->lanes[0].value.unit_ns, 1000);
	profile_free(p);
	add_heap(&d);
	p = try(&d, "objects", &err);
	story_of(p, 0, "0 a|3");
	profile_free(p);
	add_heap(&d);
	p = try(&d, "objects/count", &err);
	story_of(p, 0, "0 a|3");
	profile_free(p);
	add_heap(&d);
	fails(&d, "cpu", "no sample type cpu; it has objects/count, space/bytes");
}
END_TEST

static const struct {
	const char *unit;
	int64_t ns, unit_ns;
} units[] = {
	{ "nanoseconds", 2, 0 },      { "microseconds", 2000, 0 }, { "milliseconds", 2000000, 0 },
	{ "seconds", 2000000000, 0 }, { "bytes", 2, 1 },           { "count", 2000, 1000 },
	{ "cycles", 2000, 1000 },
};

START_TEST(values_that_are_no_time_say_what_a_unit_is_drawn_as)
{
	struct profile *p;
	struct doc d;

	begin(&d);
	put_type(&d, 1, "samples", "count");
	put_type(&d, 1, "value", units[_i].unit);
	add_sample(&d, STACK(1), 1, 2);
	add_abc(&d);
	p = load(&d);
	ck_assert_int_eq(p->t1, units[_i].ns);
	ck_assert_int_eq(p->lanes[0].value.unit_ns, units[_i].unit_ns);
	profile_free(p);
}
END_TEST

START_TEST(first_line_of_a_location_is_the_innermost)
{
	struct profile *p;
	struct doc d;

	begin_cpu(&d);
	add_sample(&d, STACK(9, 1), 1, 5);
	add_abc(&d);
	protobuf_number(&d.message, 1, 9);
	add_line(&d, 3, 0, 0);
	add_line(&d, 2, 0, 0);
	add(&d, 4);
	p = load(&d);
	story_of(p, 0, "0 a>b>c|5");
	profile_free(p);
}
END_TEST

/* Two locations of a function are one node; its lines have ticks, each line once. The only line of
 * a function is no tick if it is the first. */
START_TEST(lines_that_were_executing_are_ticks)
{
	const struct lane *l;
	struct profile *p;
	struct doc d;

	begin_cpu(&d);
	add_sample(&d, STACK(7), 1, 10);
	add_sample(&d, STACK(8), 2, 20);
	add_sample(&d, STACK(9), 3, 30);
	add_sample(&d, STACK(1), 1, 10);
	add_abc(&d);
	for (uint64_t id = 7; id < 10; id++) {
		protobuf_number(&d.message, 1, id);
		add_line(&d, 2, id == 8 ? 15 : 12, 0);
		add(&d, 4);
	}
	p = load(&d);
	l = &p->lanes[0];
	story_of(p, 0, "0 b|60 a|70");
	ck_assert_int_eq(l->interval_ns, 10000);
	ck_assert_uint_eq(l->n_ticks, 2);
	ck_assert_int_eq(l->ticks[0].line, 12);
	ck_assert_uint_eq(l->ticks[0].ticks, 4);
	ck_assert_int_eq(l->ticks[1].line, 15);
	ck_assert_uint_eq(l->ticks[1].ticks, 2);
	ck_assert_int_eq(profile_node_frame(p, l, l->ticks[0].node)->line, 10);
	profile_free(p);
}
END_TEST

/* Where values are not in proportion to samples, they are the weights of the lines. */
START_TEST(lines_of_uneven_samples_have_their_values)
{
	struct profile *p;
	struct doc d;

	begin_cpu(&d);
	add_sample(&d, STACK(7), 1, 10);
	add_sample(&d, STACK(2), 1, 90);
	add_abc(&d);
	protobuf_number(&d.message, 1, 7);
	add_line(&d, 2, 12, 0);
	add(&d, 4);
	p = load(&d);
	ck_assert_int_eq(p->lanes[0].interval_ns, 1000);
	ck_assert_uint_eq(p->lanes[0].n_ticks, 2);
	ck_assert_int_eq(p->lanes[0].ticks[0].line, 10);
	ck_assert_uint_eq(p->lanes[0].ticks[0].ticks, 90);
	ck_assert_uint_eq(p->lanes[0].ticks[1].ticks, 10);
	profile_free(p);
}
END_TEST

START_TEST(labels_of_threads_make_lanes)
{
	struct profile *p;
	struct doc d;

	begin_cpu(&d);
	put_label(&d, "thread", "GC", 0);
	put_label(&d, "tid", NULL, -12);
	put_label(&d, "pid", "-7", 0);
	put_label(&d, "process", "shop", 0);
	add_sample(&d, STACK(1), 1, 1);
	put_label(&d, "thread name", "io", 0);
	add_sample(&d, STACK(2), 1, 2);
	put_label(&d, "request", "/cart", 0);
	add_sample(&d, STACK(3), 1, 4);
	add_sample(&d, STACK(2), 1, 4);
	add_abc(&d);
	p = load(&d);
	ck_assert_uint_eq(p->n_lanes, 3);
	for (uint32_t i = 0; i < 3; i++) {
		const struct lane *l = &p->lanes[i];

		if (l->tid == -12) {
			story_of(p, i, "0 a|1");
			ck_assert_int_eq(l->pid, -7);
			ck_assert_str_eq(name_of_lane(p, l), "shop: GC (pid -7)");
		} else if (l->title) {
			story_of(p, i, "0 b|2");
			ck_assert_str_eq(name_of_lane(p, l), "io");
		} else {
			story_of(p, i, "0 c|4 b|8");
		}
	}
	profile_free(p);
}
END_TEST

/* A sample of 10 us that ended at this time, in us. */
static void add_timed(struct doc *d, const int64_t *locations, int64_t end_us, int64_t value)
{
	put_label(d, "end_timestamp_ns", NULL, end_us * 1000);
	add_sample(d, locations, 1, value);
}

static int64_t self_sum(const struct lane *l)
{
	return l->busy_ns + l->idle_ns + l->program_ns + l->gc_ns;
}

START_TEST(samples_with_times_are_a_time_line)
{
	struct doc d;
	struct profile *p;

	begin_cpu(&d);
	add_abc(&d);
	/* Not in order; 1 us too close to the one before; 2 us too far; a gap; one without a
	 * value, which keeps a gap of less than a sample open. */
	add_timed(&d, STACK(2, 1), 119, 10);
	add_timed(&d, STACK(1), 110, 10);
	add_timed(&d, STACK(2, 1), 131, 10);
	add_timed(&d, STACK(3, 1), 200, 10);
	add_timed(&d, STACK(3, 1), 215, 10);
	add_timed(&d, STACK(3), 202, 0);
	p = load(&d);
	ck_assert_uint_eq(p->n_lanes, 1);
	ck_assert(p->lanes[0].has_timeline);
	story_of(p, 0, "0 a|10 a>b|20 a>b|30 -|90 a>c|100 -|105 a>c|115");
	ck_assert_int_eq(self_sum(&p->lanes[0]), 50000);
	ck_assert_uint_eq(p->lanes[0].n_samples, 5);
	ck_assert_int_eq(p->lanes[0].interval_ns, 10000);
	ck_assert_str_eq(profile_text(p, p->inputs[0].notes[0].text),
			 "times of samples from end_timestamp_ns, lengths from cpu/microseconds");
	profile_free(p);
}
END_TEST

/* Each distance is a little shorter, or longer, than the values. */
START_TEST(distances_other_than_the_values_keep_the_sum)
{
	static const char later[] = "later than their end_timestamp_ns: their values are longer";

	for (int64_t step = 9; step <= 11; step++) {
		struct doc d;
		struct profile *p;
		bool has_note = false;

		begin_cpu(&d);
		add_abc(&d);
		for (int64_t i = 0; i <= 90; i++)
			add_timed(&d, STACK(1), 1000 + i * step, 10);
		p = load(&d);
		ck_assert_int_eq(self_sum(&p->lanes[0]), 910000);
		ck_assert_int_eq(p->lanes[0].t1, step == 11 ? 1000000 : 910000);
		/* A gap of one value, each time that the distances have left one. */
		ck_assert_uint_eq(p->lanes[0].samples.n, step == 11 ? 91 + 9 : 91);
		for (size_t i = 0; i < p->inputs[0].n_notes; i++)
			has_note |= strstr(profile_text(p, p->inputs[0].notes[i].text), later) !=
				NULL;
		ck_assert_int_eq(has_note, step == 9);
		profile_free(p);
	}
}
END_TEST

START_TEST(samples_without_times_are_a_lane_beside)
{
	struct doc d;
	struct profile *p;
	const int64_t s = 1700000000;

	begin_cpu(&d);
	add_abc(&d);
	put_label(&d, "thread id", NULL, 7);
	add_timed(&d, STACK(1), s * 1000000, 10);
	put_label(&d, "thread id", NULL, 7);
	add_sample(&d, STACK(2), 2, 20);
	put_label(&d, "thread id", NULL, 8);
	add_sample(&d, STACK(3), 3, 30);
	p = load(&d);
	ck_assert_uint_eq(p->n_lanes, 3);
	story_of(p, 0, "0 a|10");
	ck_assert_str_eq(profile_text(p, p->lanes[1].title), "samples without end_timestamp_ns");
	ck_assert(!p->lanes[1].has_timeline && p->lanes[1].is_folded);
	ck_assert(!p->lanes[2].has_timeline && p->lanes[2].title == 0);
	ck_assert_int_eq(self_sum(&p->lanes[1]), 20000);
	ck_assert_int_eq(p->t1, 30000);
	ck_assert_int_eq(p->origin_ns, s * 1000000000 - 10000);
	ck_assert_int_eq(p->inputs[0].date_s, s - 1);
	profile_free(p);

	/* Values that are no times have no time line. */
	begin(&d);
	put_type(&d, 1, "objects", "count");
	put_type(&d, 1, "space", "bytes");
	add_abc(&d);
	add_timed(&d, STACK(1), 10, 10);
	p = load(&d);
	ck_assert(!p->lanes[0].has_timeline);
	profile_free(p);
}
END_TEST

START_TEST(times_that_cannot_be)
{
	static const int64_t odd[] = { 0, -1, INT64_MIN, INT64_MAX };
	struct doc d;
	struct profile *p;

	begin_cpu(&d);
	add_abc(&d);
	for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
		put_label(&d, "end_timestamp_ns", NULL, odd[i]);
		add_sample(&d, STACK(1), 1, 10);
	}
	put_label(&d, "end_timestamp_ns", NULL, PROFILE_TIME_MAX);
	add_sample(&d, STACK(1), 1, INT64_MAX);
	put_label(&d, "end_timestamp_ns", "20000", 0);
	add_sample(&d, STACK(2), 1, 10);
	put_label(&d, "end_timestamp_ns", "30000", 0);
	add_sample(&d, STACK(2), 1, -10);
	p = load(&d);
	ck_assert(profile_warns(p, WARN_TIME_RANGE));
	ck_assert(profile_warns(p, WARN_ODD_WEIGHT));
	ck_assert_uint_eq(p->n_lanes, 2);
	profile_free(p);
}
END_TEST

/* The value of a key that a sample of a lane has. */
static const char *value_of(const struct profile *p, const struct lane *l, size_t i,
			    const char *key)
{
	for (uint32_t k = 0; k < p->labels.n_keys; k++)
		if (!strcmp(profile_text(p, p->labels.keys[k].name), key))
			return profile_text(p, labels_value(&p->labels, l->labels[i], k));
	return "";
}

/* Rows of a profile grouped by a label: `name=ns|`. */
static void rows_are(const struct profile *p, const char *key, const char *expect)
{
	struct scope scope;
	struct scoped scoped;
	struct error err = ERROR_INIT;
	struct buf out = { 0 };

	scope_all(&scope, p);
	ck_assert(view_group_find_label(p, key, &scope.group, &err));
	ck_assert(scoped_init(&scoped, p, &scope, &err));
	for (uint32_t i = 0; i < scoped.profile->n_lanes; i++) {
		const struct lane *l = &scoped.profile->lanes[i];

		for (size_t k = 0; k < l->samples.n; k++) {
			if (l->samples.leaf[k] == NODE_ROOT)
				continue;
			ck_assert_uint_eq(l->tree.rows[l->samples.leaf[k]], 1);
			buf_addf(&out, "%s=%d|",
				 profile_text(
					 p,
					 profile_node_frame(scoped.profile, l, l->samples.leaf[k])
						 ->name),
				 (int)(samples_time(&l->samples, k + 1) -
				       samples_time(&l->samples, k)));
		}
	}
	ck_assert_str_eq(buf_text(&out), expect);
	buf_done(&out);
	scoped_done(&scoped);
	scope_done(&scope);
}

static void add_of_span(struct doc *d, const char *endpoint, const char *root, const char *span,
			int64_t end_us)
{
	if (endpoint)
		put_label(d, "trace endpoint", endpoint, 0);
	if (root)
		put_label(d, "local root span id", root, 0);
	put_label(d, "span id", span, 0);
	add_timed(d, STACK(1), end_us, 10);
}

/* From the first sample to the last; samples of others, and without a route, are none of it. */
START_TEST(labels_of_spans_are_requests)
{
	struct doc d;
	struct profile *p;
	const struct served_all *all;

	begin_cpu(&d);
	add_abc(&d);
	add_of_span(&d, "GET /a", "1", "11", 10);
	add_of_span(&d, "GET /b", NULL, "2", 20);
	add_of_span(&d, "GET /a", "1", "12", 50);
	add_of_span(&d, "GET /a", "1", "11", 60);
	add_of_span(&d, NULL, "7", "7", 70);
	add_of_span(&d, "GET /a", "3", "3", 80);
	p = load(&d);
	all = &p->served;
	ck_assert_uint_eq(all->n, 3);
	ck_assert_str_eq(profile_text(p, all->requests[0].name), "GET /a");
	ck_assert_int_eq(all->requests[0].t1 - all->requests[0].t0, 60000);
	ck_assert_int_eq(all->requests[1].t1 - all->requests[1].t0, 10000);
	ck_assert_int_eq(all->requests[2].t0 - all->requests[0].t0, 70000);
	ck_assert(all->requests[0].is_sampled);
	ck_assert_uint_eq(all->n_waits, 0);
	ck_assert_uint_eq(all->n_runs, 4);
	ck_assert_uint_eq(all->runs[2].served, 0);
	ck_assert_int_eq(all->runs[2].t1 - all->runs[2].t0, 20000);
	profile_free(p);

	/* Without times there are none. */
	begin_cpu(&d);
	add_abc(&d);
	put_label(&d, "trace endpoint", "GET /a", 0);
	put_label(&d, "span id", "1", 0);
	add_sample(&d, STACK(1), 1, 10);
	p = load(&d);
	ck_assert_uint_eq(p->served.n, 0);
	profile_free(p);
}
END_TEST

START_TEST(labels_are_kept_by_sample)
{
	struct doc d;
	struct profile *p;
	struct error err = ERROR_INIT;
	enum view_group group;

	begin_cpu(&d);
	add_abc(&d);
	put_label(&d, "endpoint", "/x", 0);
	put_label(&d, "bytes", NULL, 4096);
	add_timed(&d, STACK(1), 10, 10);
	put_label(&d, "endpoint", "/y", 0);
	put_label(&d, "endpoint", "/x", 0);
	add_timed(&d, STACK(1), 20, 10);
	add_timed(&d, STACK(2, 1), 30, 10);
	put_label(&d, "bytes", NULL, 4096);
	put_label(&d, "endpoint", "/x", 0);
	add_timed(&d, STACK(2, 1), 90, 10);
	p = load(&d);
	ck_assert_str_eq(value_of(p, &p->lanes[0], 0, "endpoint"), "/x");
	ck_assert_str_eq(value_of(p, &p->lanes[0], 0, "bytes"), "4096");
	ck_assert_str_eq(value_of(p, &p->lanes[0], 1, "endpoint"), "/x, /y");
	ck_assert_str_eq(value_of(p, &p->lanes[0], 2, "endpoint"), "");
	ck_assert_uint_eq(p->lanes[0].labels[0], p->lanes[0].labels[4]);
	ck_assert_uint_eq(p->lanes[0].labels[3], 0); /* nothing was sampled */
	ck_assert_uint_eq(p->labels.n_keys, 2);
	rows_are(p, "endpoint", "/x=10000|/x, /y=10000|(no endpoint)=10000|/x=10000|");
	ck_assert(!view_group_find_label(p, "end_timestamp_ns", &group, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "there are endpoint, bytes"));
	profile_free(p);

	/* Without labels there is nothing. */
	begin_cpu(&d);
	add_abc(&d);
	add_timed(&d, STACK(1), 10, 10);
	p = load(&d);
	ck_assert_ptr_null(p->lanes[0].labels);
	ck_assert_uint_eq(p->labels.n_keys, 0);
	profile_free(p);
}
END_TEST

START_TEST(sums_have_parts_by_label)
{
	struct doc d;
	struct profile *p;

	begin_cpu(&d);
	add_abc(&d);
	put_label(&d, "endpoint", "/x", 0);
	add_sample(&d, STACK(2, 1), 1, 10);
	add_sample(&d, STACK(1), 1, 30);
	put_label(&d, "endpoint", "/y", 0);
	add_sample(&d, STACK(2, 1), 1, 20);
	put_label(&d, "endpoint", "/x", 0);
	add_sample(&d, STACK(2, 1), 1, 40);
	p = load(&d);
	story_of(p, 0, "0 a|30 a>b|80 a>b|100");
	ck_assert_int_eq(self_sum(&p->lanes[0]), 100000);
	rows_are(p, "endpoint", "(no endpoint)=30000|/x=50000|/y=20000|");
	profile_free(p);

	/* Values below 0: the sums of nodes are what they were without labels. */
	begin_cpu(&d);
	add_abc(&d);
	put_label(&d, "endpoint", "/x", 0);
	add_sample(&d, STACK(1), 1, 30);
	add_sample(&d, STACK(1), 1, -10);
	p = load(&d);
	story_of(p, 0, "0 a|20");
	ck_assert_ptr_null(p->lanes[0].labels);
	ck_assert_uint_eq(story_warned(p, "label-values"), 1);
	profile_free(p);
}
END_TEST

START_TEST(labels_have_limits)
{
	struct doc d;
	struct profile *p;
	struct label label;
	char *text = xcalloc(3000, 1);

	memset(text, 'x', 2999);
	begin_cpu(&d);
	add_abc(&d);
	for (int i = 0; i < 300; i++) {
		char key[32];

		snprintf(key, sizeof key, "key %d", i);
		put_label(&d, key, i ? "v" : text, 0);
	}
	add_timed(&d, STACK(1), 10, 10);
	p = load(&d);
	ck_assert_uint_eq(story_warned(p, "label-text"), 1);
	ck_assert_uint_eq(story_warned(p, "label-keys"), 44);
	ck_assert_uint_eq(p->labels.n_keys, 256);
	ck_assert(labels_get(&p->labels, p->lanes[0].labels[0], 255, &label));
	ck_assert(!labels_get(&p->labels, p->lanes[0].labels[0], 256, &label));
	ck_assert_uint_eq(strlen(value_of(p, &p->lanes[0], 0, "key 0")), 1024);
	profile_free(p);
	free(text);
}
END_TEST

START_TEST(values_below_zero_count_as_none)
{
	struct profile *p;
	struct doc d;

	begin_cpu(&d);
	add_sample(&d, STACK(1), 1, -5);
	add_sample(&d, STACK(2), 1, 8);
	add_sample(&d, STACK(2), -1, -2);
	add_abc(&d);
	p = load(&d);
	story_of(p, 0, "0 b|6");
	ck_assert_uint_eq(story_warned(p, "odd-weight"), 1);
	profile_free(p);
	begin_cpu(&d);
	add_sample(&d, STACK(1), 1, -5);
	add_abc(&d);
	fails(&d, NULL, "no value of sample type cpu is above 0");
}
END_TEST

START_TEST(addresses_without_a_function_are_named_by_their_mapping)
{
	struct profile *p;
	struct doc d;

	begin_cpu(&d);
	add_sample(&d, STACK(5, 1), 1, 1);
	add_sample(&d, STACK(6, 1), 1, 2);
	add_sample(&d, STACK(1LL << 60, 1), 1, 4);
	add_sample(&d, (const int64_t[]){ 0 }, 1, 8);
	add_abc(&d);
	protobuf_number(&d.message, 1, 4);
	protobuf_number(&d.message, 5, word(&d, "/usr/lib/libc.so.6"));
	add(&d, 3);
	protobuf_number(&d.message, 1, 5);
	protobuf_number(&d.message, 2, 4);
	protobuf_number(&d.message, 3, 0x29d90);
	add(&d, 4);
	protobuf_number(&d.message, 1, 6);
	protobuf_number(&d.message, 3, 0xffffffff80000000);
	add_line(&d, 77, 3, 0);
	add(&d, 4);
	p = load(&d);
	story_of(p, 0, "0 a>libc.so.6!0x29d90|1 a>0xffffffff80000000|3 a>(unknown)|7 (unknown)|15");
	ck_assert_uint_eq(story_warned(p, "odd-index"), 2);
	profile_free(p);
}
END_TEST

START_TEST(strings_that_do_not_exist_are_empty)
{
	struct profile *p;
	struct doc d;

	begin_cpu(&d);
	add_sample(&d, STACK(1), 1, 1);
	protobuf_number(&d.message, 1, 1);
	protobuf_number(&d.message, 2, UINT64_MAX);
	add(&d, 5);
	protobuf_number(&d.message, 1, 1);
	add_line(&d, 1, 0, 0);
	add(&d, 4);
	p = load(&d);
	story_of(p, 0, "0 (anonymous)|1");
	ck_assert_uint_gt(story_warned(p, "odd-index"), 0);
	profile_free(p);
}
END_TEST

static const struct {
	const char *name;
	int line, column;
	bool is_name;
} anonymous[] = {
	{ "(anonymous app.js:3:7)", 3, 7, false },
	{ "(anonymous a(1)/b (copy).js:3:7)", 3, 7, false },
	{ "(anonymous:L#3:C#7)", 3, 7, false },
	{ "(anonymous)", 0, 0, false },
	{ "(anonymous x)", 0, 0, false },
	{ "(anonymous namespace)", 0, 0, true },
	{ "(anonymous namespace)::X", 0, 0, true },
	{ "(anonymous namespace)::X::run(int, char)", 0, 0, true },
	{ "(anonymous class)::operator()()", 0, 0, true },
	{ "(anonymous)::f()", 0, 0, true },
	{ "(anonymously)", 0, 0, true },
	{ "(anonymous", 0, 0, true },
};

START_TEST(functions_without_a_name_have_none)
{
	const struct frame *f;
	struct profile *p;
	struct doc d;

	begin_cpu(&d);
	add_sample(&d, STACK(1), 1, 1);
	add_place(&d, 1, anonymous[_i].name, 0, 0);
	p = load(&d);
	ck_assert_str_eq(
		profile_text(
			p, profile_node_frame(p, &p->lanes[0], p->lanes[0].samples.leaf[0])->name),
		anonymous[_i].is_name ? anonymous[_i].name : "(anonymous)");
	f = profile_node_frame(p, &p->lanes[0], p->lanes[0].samples.leaf[0]);
	ck_assert_int_eq(f->line, anonymous[_i].line);
	ck_assert_int_eq(f->column, anonymous[_i].column);
	profile_free(p);
}
END_TEST

START_TEST(time_period_and_comments_are_kept)
{
	struct profile *p;
	struct doc d;
	int n = 0;

	begin_cpu(&d);
	add_sample(&d, STACK(1), 1, 1);
	add_abc(&d);
	protobuf_number(&d.out, 9, UINT64_C(1700000000500000000));
	protobuf_number(&d.out, 10, 2000000000);
	put_type(&d, 11, "cpu", "milliseconds");
	protobuf_number(&d.out, 12, 10);
	protobuf_number(&d.out, 13, word(&d, "of a test"));
	p = load(&d);
	ck_assert(p->inputs[0].has_date && p->inputs[0].is_utc);
	ck_assert_int_eq(p->inputs[0].date_s, 1700000000);
	for (size_t i = 0; i < p->inputs[0].n_notes; i++)
		n += strcmp(profile_text(p, p->inputs[0].notes[i].text), "comment: of a test") ==
				0 ||
			strcmp(profile_text(p, p->inputs[0].notes[i].text),
			       "a sample for each 10.0 ms of cpu") == 0;
	ck_assert_int_eq(n, 2);
	profile_free(p);
}
END_TEST

/* Numbers of more than 10 bytes, lengths beyond the file, groups, field 0, wrong types. */
static const struct {
	const char *bytes;
	size_t len;
	const char *part;
	int64_t offset;
} damaged[] = {
#define BYTES(text) text, sizeof text - 1
	{ BYTES("\x0a\x04\x08\x01\x10\x02\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"),
	  "the profile has a number of more than 10 bytes", 6 },
	{ BYTES("\x12\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), "a member of the profile has", 0 },
	{ BYTES("\x0a\x04\x08\x01\x10\x02\x12\x30\x0a"),
	  "the file ends within a member of the profile", 9 },
	{ BYTES("\x0a\x04\x08\x01\x10\x02\x13"), "of a type that is not read", 6 },
	{ BYTES("\x0a\x04\x08\x01\x10\x02\x00\x01"), "without a valid field number", 6 },
	{ BYTES("\x0a\x04\x08\x01\x10\x02\x10\x01"), "of the wrong type", 8 },
	{ BYTES("\x0a\x04\x08\x01\x10\x02\x12\x02\x0a\x05"), "a sample ends within a member", 8 },
	{ BYTES("\x0a\x04\x08\x01\x10\x02\x22\x04\x22\x02\x08\xff"),
	  "a location ends within a member", 10 },
	{ BYTES("\x0a\x04\x08\x01\x10\x02"), "has no samples", -1 },
	{ BYTES("\x12\x00"), "has no sample types", -1 },
};

START_TEST(damage_is_named_with_its_byte)
{
	struct error err = ERROR_INIT;

	ck_assert(load_text(damaged[_i].bytes, damaged[_i].len, SIZE_MAX, &reader_pprof, &err) ==
		  NULL);
	ck_assert_msg(strstr(err.text, damaged[_i].part) != NULL, "\"%s\" lacks \"%s\"", err.text,
		      damaged[_i].part);
	ck_assert_int_eq(err.offset, damaged[_i].offset);
}
END_TEST

/* Cut at every byte, failing to be read there, and every byte changed. */
START_TEST(broken_anywhere)
{
	size_t len;
	char *bytes;
	struct doc d;

	begin_cpu(&d);
	put_label(&d, "tid", NULL, 12);
	add_sample(&d, STACK(3, 1), 1, 10);
	add_sample(&d, STACK(2), 1, 20);
	add_abc(&d);
	bytes = end(&d, &len);
	for (size_t at = 0; at < len; at++) {
		static const char other[] = {
			'\0', '\x01', '\x0a', '\x12', '\x7f', '\x80', '\xff'
		};
		char was = bytes[at];
		struct error err = ERROR_INIT;

		ck_assert(!load_text(bytes, len, at, &reader_pprof, &err) && err.kind == ERR_IO);
		story_either(bytes, at, "pprof");
		story_either(bytes, at, NULL);
		for (size_t k = 0; k < sizeof other; k++) {
			bytes[at] = other[k];
			story_either(bytes, len, "pprof");
		}
		bytes[at] = was;
	}
	free(bytes);
}
END_TEST

START_TEST(large_members_and_many_stacks)
{
	struct buf name = { 0 };
	struct profile *p;
	struct doc d;

	begin_cpu(&d);
	for (int i = 0; i < 300000; i++)
		buf_addc(&name, 'x');
	for (int64_t i = 0; i < 20000; i++)
		add_sample(&d, STACK(3, 1 + i % 3, 1 + i / 3 % 3), 1, 1);
	add_abc(&d);
	add_place(&d, 70000, buf_text(&name), 1, 1);
	p = load(&d);
	ck_assert_int_eq(p->t1, 20000000);
	ck_assert_uint_eq(p->lanes[0].samples.n, 9);
	profile_free(p);
	buf_done(&name);
}
END_TEST

START_TEST(an_export_has_the_values_of_the_file)
{
	struct export_options options = { 0 };
	struct sink *sink = sink_open_memory();
	struct error err = ERROR_INIT;
	struct profile *p, *again;
	struct doc d;

	add_heap(&d);
	p = load(&d);
	scope_all(&options.scope, p);
	export_pprof.write(p, &options, sink);
	again = load_text(sink_buf(sink)->data, sink_buf(sink)->len, SIZE_MAX, NULL, &err);
	ck_assert_msg(again != NULL, "%s", err.text);
	story_of(again, 0, "0 a|4.096");
	ck_assert_str_eq(profile_text(again, again->lanes[0].value.type), "space");
	ck_assert_str_eq(profile_text(again, again->lanes[0].value.unit), "bytes");
	ck_assert_uint_eq(again->lanes[0].hits[again->lanes[0].samples.leaf[0]], 3);
	profile_free(again);
	profile_free(p);
	scope_done(&options.scope);
	sink_drop(sink);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_test(t, stacks_have_the_sums_of_their_samples);
	tcase_add_test(t, lists_that_are_not_packed);
	tcase_add_test(t, last_type_is_shown_or_the_one_of_the_file_or_of_the_user);
	tcase_add_loop_test(t, values_that_are_no_time_say_what_a_unit_is_drawn_as, 0, N(units));
	tcase_add_test(t, first_line_of_a_location_is_the_innermost);
	tcase_add_test(t, lines_that_were_executing_are_ticks);
	tcase_add_test(t, lines_of_uneven_samples_have_their_values);
	tcase_add_test(t, labels_of_threads_make_lanes);
	tcase_add_test(t, samples_with_times_are_a_time_line);
	tcase_add_test(t, distances_other_than_the_values_keep_the_sum);
	tcase_add_test(t, samples_without_times_are_a_lane_beside);
	tcase_add_test(t, times_that_cannot_be);
	tcase_add_test(t, labels_of_spans_are_requests);
	tcase_add_test(t, labels_are_kept_by_sample);
	tcase_add_test(t, sums_have_parts_by_label);
	tcase_add_test(t, labels_have_limits);
	tcase_add_test(t, values_below_zero_count_as_none);
	tcase_add_test(t, addresses_without_a_function_are_named_by_their_mapping);
	tcase_add_test(t, strings_that_do_not_exist_are_empty);
	tcase_add_loop_test(t, functions_without_a_name_have_none, 0, N(anonymous));
	tcase_add_test(t, time_period_and_comments_are_kept);
	tcase_add_loop_test(t, damage_is_named_with_its_byte, 0, N(damaged));
	tcase_add_test(t, an_export_has_the_values_of_the_file);
	tcase_add_test(t, broken_anywhere);
	tcase_add_test(t, large_members_and_many_stacks);
}

int main(void)
{
	return suite_run("pprof_reader", add_tests);
}
