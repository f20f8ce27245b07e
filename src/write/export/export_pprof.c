/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile of pprof: one message of profile.proto (https://github.com/google/pprof,
 * proto/profile.proto), compressed by gzip. Members of a message may come in any order, so samples
 * are written as they are found; functions, locations and texts follow.
 *
 * A sample of pprof is a stack with its self time and its number of samples. There is a location
 * for each function, with the id of its frame, and one for each line of a function at which V8
 * counted ticks: then the innermost function of a stack is at that line, and self time is divided
 * by ticks. Only ticks of a whole lane are known. Samples with different labels are written apart.
 */
#include "config.h"

#include "analyse/heavy_stack.h"
#include "analyse/label_share.h"
#include "analyse/line_times.h"
#include "analyse/totals.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/stream/unpack.h"
#include "base/text.h"
#include "base/units.h"
#include "write/export/export.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== protobuf ====
 *
 * Messages of Protocol Buffers in their wire form
 * (https://protobuf.dev/programming-guides/encoding). A member begins with its field number and the
 * type of what follows. A message inside another is written into a buffer of its own first, because
 * its length comes before it. Members with the default value, 0 or "", are left out. */

enum wire_type { WIRE_VARINT = 0, WIRE_BYTES = 2 };

/* Append a number in the form of varint: 7 bits a byte, lowest first. Negative numbers of type
 * int64 are passed as their value modulo 2^64. */
static void protobuf_add_varint(struct buf *out, uint64_t value)
{
	char bytes[10];
	size_t n = 0;

	for (; value > 0x7F; value >>= 7)
		bytes[n++] = (char)(value | 0x80);
	bytes[n++] = (char)value;
	buf_add(out, bytes, n);
}

/* Append a member: a number (types int64 and uint64), or bytes (strings, messages, packed numbers).
 * protobuf_bytes() also writes what is empty, as an element of a list. */
static void protobuf_number(struct buf *out, unsigned field, uint64_t value)
{
	if (value == 0)
		return;
	protobuf_add_varint(out, field << 3 | WIRE_VARINT);
	protobuf_add_varint(out, value);
}

static void protobuf_bytes(struct buf *out, unsigned field, const char *bytes, size_t len)
{
	protobuf_add_varint(out, field << 3 | WIRE_BYTES);
	protobuf_add_varint(out, len);
	buf_add(out, bytes, len);
}

/* ==== export pprof ==== */

/* Field numbers of profile.proto. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME_NANOS = 9,
	PROFILE_DURATION_NANOS = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_TYPE = 14
};

enum { TYPE_TYPE = 1, TYPE_UNIT = 2 };

enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };

enum { OF_LABEL_KEY = 1, OF_LABEL_STR = 2, OF_LABEL_NUM = 3, OF_LABEL_UNIT = 4 };

enum { LOCATION_ID = 1, LOCATION_LINE = 4 };

enum { LINE_FUNCTION = 1, LINE_LINE = 2, LINE_COLUMN = 3 };

/* Field 3, the system's name, stays empty: of a name that equals it, pprof removes <...> and (...)
 * as of names of C++. */
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_FILE = 4, FUNCTION_LINE = 5 };

/* A line of a function. */
struct line_place {
	frame_id frame;
	int32_t line;
};

struct pprof_out {
	const struct profile *profile;
	const struct export_options *options;
	struct sink *sink;
	struct gzip gzip;
	struct buf plain;   /* not compressed yet */
	struct buf message; /* the message that is written, and those inside it */
	struct buf part, inner;
	struct intern strings; /* the table of the file: ids are indices */
	uint8_t *is_used;      /* by frame */
	struct line_place *lines;
	size_t n_lines, cap_lines;
	struct hash_table lines_index;
	struct lane_value value; /* of all lanes; type 0: time of a processor */
	/* Of the lane that is written: */
	const struct lane *lane;
	struct view view;    /* of the lane; joins siblings of one function */
	struct buf labels;   /* as members of a sample, */
	bool has_package;    /* one of which has the package */
	uint64_t *n_samples; /* by node */
};

/* The index of a text. Texts of the format are UTF-8. */
static str_id add_text(struct pprof_out *o, const char *text, size_t len)
{
	BUF_LOCAL repaired = { 0 };

	if (text_repair(&repaired, text, len))
		return intern_add(&o->strings, repaired.data, repaired.len);
	return intern_add(&o->strings, text, len);
}

static str_id add_string(struct pprof_out *o, str_id id)
{
	return add_text(o, profile_text(o->profile, id), intern_len(&o->profile->strings, id));
}

static str_id add_word(struct pprof_out *o, const char *word)
{
	return intern_adds(&o->strings, word);
}

/* Give the bytes so far to the compressor. Returns false after a failure. */
static bool flush(struct pprof_out *o)
{
	sink_work(o->sink, o->plain.len);
	gzip_add(&o->gzip, o->plain.data, o->plain.len, sink_buf(o->sink));
	buf_clear(&o->plain);
	return sink_step(o->sink);
}

static void add_message(struct pprof_out *o, unsigned field)
{
	protobuf_bytes(&o->plain, field, o->message.data, o->message.len);
	buf_clear(&o->message);
}

static void add_type(struct pprof_out *o, unsigned field, const char *type, const char *unit)
{
	protobuf_number(&o->message, TYPE_TYPE, add_word(o, type));
	protobuf_number(&o->message, TYPE_UNIT, add_word(o, unit));
	add_message(o, field);
}

/* ---- samples ---- */

static void add_label(struct pprof_out *o, struct buf *to, str_id key, str_id text, int64_t number,
		      str_id unit)
{
	buf_clear(&o->inner);
	protobuf_number(&o->inner, OF_LABEL_KEY, key);
	protobuf_number(&o->inner, OF_LABEL_STR, text);
	protobuf_number(&o->inner, OF_LABEL_NUM, (uint64_t)number);
	protobuf_number(&o->inner, OF_LABEL_UNIT, unit);
	protobuf_bytes(to, SAMPLE_LABEL, o->inner.data, o->inner.len);
}

static void add_word_label(struct pprof_out *o, struct buf *to, const char *key, str_id text,
			   int64_t number)
{
	add_label(o, to, add_word(o, key), text, number, 0);
}

/* The labels of a set of the file. Returns bits of what they say about the thread. */
static unsigned add_own_labels(struct pprof_out *o, uint32_t set)
{
	const struct profile *p = o->profile;
	struct label label;
	unsigned says = 0;

	for (size_t i = 0; labels_get(&p->labels, set, i, &label); i++) {
		str_id name = p->labels.keys[label.key].name;
		bool is_number = label.form != LABEL_TEXT;

		if (label.form == LABEL_JOINED)
			continue;
		says |= 1u << labels_says(profile_text(p, name), intern_len(&p->strings, name));
		o->has_package |= strcmp(profile_text(p, name), "package") == 0;
		add_label(o, &o->labels, add_string(o, name),
			  is_number ? 0 : add_string(o, label.value),
			  is_number ? strtoll(profile_text(p, label.value), NULL, 10) : 0,
			  is_number && label.form > LABEL_NUMBER
				  ? add_string(o, label.form - LABEL_NUMBER)
				  : 0);
	}
	return says;
}

/* The labels of a sample: those of the file, and what else is known about its thread. */
static void set_labels(struct pprof_out *o, uint32_t set)
{
	const struct lane *lane = o->lane;
	BUF_LOCAL name = { 0 };
	unsigned says;

	buf_clear(&o->labels);
	o->has_package = false;
	says = add_own_labels(o, set);
	export_lane_name(o->profile, lane, &name);
	if (!(says & 1u << LABEL_SAYS_THREAD))
		add_word_label(o, &o->labels, "thread", add_text(o, name.data, name.len), 0);
	if (lane->tid != LANE_NO_ID && lane->tid != 0 && !(says & 1u << LABEL_SAYS_TID))
		add_word_label(o, &o->labels, "tid", 0, lane->tid);
	if (lane->process_name && !(says & 1u << LABEL_SAYS_PROCESS))
		add_word_label(o, &o->labels, "process", add_string(o, lane->process_name), 0);
	if (lane->pid != LANE_NO_ID && lane->pid != 0 && !(says & 1u << LABEL_SAYS_PID))
		add_word_label(o, &o->labels, "pid", 0, lane->pid);
}

/* The id of the location of a line: those of functions come first. */
static uint64_t line_id(struct pprof_out *o, frame_id frame, int32_t line)
{
	uint64_t hash = hash_u64((uint64_t)frame << 32 | (uint32_t)line);
	struct hash_probe probe = hash_probe(hash);

	while (o->n_lines && hash_table_next(&o->lines_index, &probe))
		if (o->lines[probe.index].frame == frame && o->lines[probe.index].line == line)
			return o->profile->frames.n + (uint64_t)probe.index;
	o->lines = xgrow(o->lines, &o->cap_lines, o->n_lines + 1, sizeof *o->lines);
	o->lines[o->n_lines] = (struct line_place){ frame, line };
	hash_table_add(&o->lines_index, hash, (uint32_t)o->n_lines);
	return o->profile->frames.n + (uint64_t)o->n_lines++;
}

/* Add a stack; line: of its innermost function; 0: where that begins. */
static void add_stack(struct pprof_out *o, node_id node, int32_t line, uint64_t count, int64_t ns)
{
	const struct calltree *tree = o->view.tree;
	const struct frame *leaf = &o->view.frames[tree->frame[node]];

	buf_clear(&o->part);
	for (node_id i = node; i != NODE_ROOT; i = tree->parent[i]) {
		frame_id frame = view_frame_id(&o->view, tree->frame[i]);

		o->is_used[frame] = 1;
		protobuf_add_varint(&o->part, i == node && line ? line_id(o, frame, line) : frame);
	}
	protobuf_bytes(&o->message, SAMPLE_LOCATION, o->part.data, o->part.len);
	buf_clear(&o->part);
	protobuf_add_varint(&o->part, count);
	protobuf_add_varint(&o->part, (uint64_t)(o->value.unit_ns ? ns / o->value.unit_ns : ns));
	protobuf_bytes(&o->message, SAMPLE_VALUE, o->part.data, o->part.len);
	buf_add(&o->message, o->labels.data, o->labels.len);
	if (leaf->package && !o->has_package)
		add_word_label(o, &o->message, "package", add_string(o, leaf->package), 0);
	add_message(o, PROFILE_SAMPLE);
}

/* Divide the self time of a node by its ticks; what is left by rounding goes to later lines. */
static void add_lines(struct pprof_out *o, const struct line_ticks *ticks, size_t n, uint64_t count,
		      int64_t ns)
{
	uint64_t all = 0, sum = 0, count_before = 0, ns_before = 0;

	for (size_t i = 0; i < n; i++)
		all += ticks[i].ticks;
	if (!all) {
		add_stack(o, ticks[0].node, 0, count, ns);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t count_now, ns_now;

		sum += ticks[i].ticks;
		count_now = line_times_share(count, sum, all);
		ns_now = line_times_share((uint64_t)ns, sum, all);
		if (count_now > count_before || ns_now > ns_before)
			add_stack(o, ticks[i].node, ticks[i].line, count_now - count_before,
				  (int64_t)(ns_now - ns_before));
		count_before = count_now;
		ns_before = ns_now;
	}
}

SORT_ORDER(by_node, struct line_ticks, SORT_BY_2(x->node, y->node, x->line, y->line))

/* The ticks by node of the view, owned by the caller; *n 0: they are not known for the scope. */
static struct line_ticks *sorted_ticks(const struct pprof_out *o, size_t *n)
{
	const node_id *map = o->view.sources[0].map;
	struct line_ticks *ticks;
	const struct scope *scope = &o->options->scope;
	const struct lane *lane = o->lane;

	*n = lane->n_left == 0 && scope->t0 <= 0 && scope->t1 >= o->profile->t1 ? lane->n_ticks : 0;
	if (*n == 0)
		return NULL;
	ticks = line_times_ticks(lane);
	for (size_t i = 0; map && i < *n; i++)
		ticks[i].node = map[ticks[i].node];
	if (map)
		qsort(ticks, *n, sizeof *ticks, by_node);
	return ticks;
}

/* Add what is known of a node: a stack, or one for each line. */
static void add_node(struct pprof_out *o, node_id node, const struct line_ticks *ticks,
		     size_t n_ticks, uint64_t count, int64_t ns)
{
	if (n_ticks)
		add_lines(o, ticks, n_ticks, count, ns);
	else
		add_stack(o, node, 0, count, ns);
}

/* The same for n rows, with the labels of each. The numbers of samples of sums are divided as their
 * times are. */
static void add_parts(struct pprof_out *o, const struct label_parts_row *rows, size_t n,
		      const struct line_ticks *ticks, size_t n_ticks, int64_t self)
{
	uint64_t all = o->n_samples[rows->node], before = 0;
	int64_t ns = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t now;

		ns += rows[i].ns;
		now = self > 0 ? line_times_share(all, (uint64_t)ns, (uint64_t)self) : all;
		set_labels(o, rows[i].set);
		add_node(o, rows[i].node, ticks, n_ticks,
			 o->lane->has_timeline ? rows[i].n : now - before, rows[i].ns);
		before = now;
	}
}

static void add_nodes(struct pprof_out *o, const struct totals *totals)
{
	ALLOC_LOCAL struct label_parts_row *rows = NULL;
	size_t n_ticks, tick = 0, row = 0, n_rows;
	struct line_ticks *ticks = sorted_ticks(o, &n_ticks);

	n_rows = label_parts(&o->view, &o->options->scope, &rows);
	for (node_id i = 1; i < o->view.tree->n; i++) {
		size_t first, first_row;

		while (tick < n_ticks && ticks[tick].node < i)
			tick++;
		for (first = tick; tick < n_ticks && ticks[tick].node == i;)
			tick++;
		for (first_row = row; row < n_rows && rows[row].node == i;)
			row++;
		if ((totals->self[i] <= 0 && o->n_samples[i] == 0) ||
		    (!o->options->scope.has_idle &&
		     o->view.frames[o->view.tree->frame[i]].category == CATEGORY_IDLE))
			continue;
		if (row > first_row)
			add_parts(o, rows + first_row, row - first_row,
				  ticks ? ticks + first : NULL, tick - first, totals->self[i]);
		else
			add_node(o, i, ticks ? ticks + first : NULL, tick - first, o->n_samples[i],
				 totals->self[i]);
		if (!flush(o))
			break;
	}
	free(ticks);
}

/* ---- the rest ---- */

static void add_location(struct pprof_out *o, uint64_t id, frame_id frame, int32_t line,
			 int32_t column)
{
	buf_clear(&o->inner);
	protobuf_number(&o->inner, LINE_FUNCTION, frame);
	protobuf_number(&o->inner, LINE_LINE, (uint64_t)line);
	protobuf_number(&o->inner, LINE_COLUMN, (uint64_t)column);
	protobuf_number(&o->message, LOCATION_ID, id);
	protobuf_bytes(&o->message, LOCATION_LINE, o->inner.data, o->inner.len);
	add_message(o, PROFILE_LOCATION);
}

/* pprof joins functions of one name, so those without one have their place in it. */
static str_id name_of(struct pprof_out *o, const struct frame *f)
{
	const struct profile *p = o->profile;
	BUF_LOCAL name = { 0 };

	if (!f->url || !profile_is_anonymous(p, f))
		return add_string(o, f->name);
	buf_adds(&name, "(anonymous ");
	profile_location(p, f, false, &name);
	buf_addc(&name, ')');
	return add_text(o, name.data, name.len);
}

static str_id file_of(struct pprof_out *o, const struct frame *f)
{
	static const char scheme[] = "file://";
	const char *url = profile_text(o->profile, f->url);
	size_t len = intern_len(&o->profile->strings, f->url);

	if (strncmp(url, scheme, sizeof scheme - 1) == 0)
		return add_text(o, url + sizeof scheme - 1, len - (sizeof scheme - 1));
	return add_text(o, url, len);
}

static void add_functions(struct pprof_out *o)
{
	const struct profile *p = o->profile;

	for (frame_id i = 1; i < p->frames.n && flush(o); i++) {
		const struct frame *f = profile_frame(p, i);
		str_id name;

		if (!o->is_used[i])
			continue;
		name = name_of(o, f);
		protobuf_number(&o->message, FUNCTION_ID, i);
		protobuf_number(&o->message, FUNCTION_NAME, name);
		protobuf_number(&o->message, FUNCTION_FILE, file_of(o, f));
		protobuf_number(&o->message, FUNCTION_LINE, (uint64_t)f->line);
		add_message(o, PROFILE_FUNCTION);
		add_location(o, i, i, f->line, f->column);
	}
	for (size_t i = 0; i < o->n_lines && flush(o); i++)
		add_location(o, p->frames.n + i, o->lines[i].frame, o->lines[i].line, 0);
}

/* The values of lanes that have sums, if all have the same; otherwise they are written as times. */
static struct lane_value find_value(const struct lane *const *lanes, uint32_t n)
{
	struct lane_value none = { 0 };

	for (uint32_t i = 1; i < n; i++)
		if (lanes[i]->value.type != lanes[0]->value.type ||
		    lanes[i]->value.unit != lanes[0]->value.unit)
			return none;
	return n ? lanes[0]->value : none;
}

static str_id value_type(struct pprof_out *o)
{
	return o->value.type ? add_string(o, o->value.type) : add_word(o, "cpu");
}

/* When it was recorded, if the zone of the date is known, for how long, and how often. */
static void add_times(struct pprof_out *o)
{
	const struct profile *p = o->profile;
	const struct input *in = p->n_inputs ? &p->inputs[0] : NULL;
	const struct scope *scope = &o->options->scope;

	if (in && in->has_date && in->is_utc && in->date_s > 0 &&
	    in->date_s < INT64_MAX / NS_PER_S / 2)
		protobuf_number(
			&o->plain, PROFILE_TIME_NANOS,
			(uint64_t)(in->date_s * NS_PER_S + (o->value.unit_ns ? 0 : scope->t0)));
	if (!o->value.unit_ns)
		protobuf_number(&o->plain, PROFILE_DURATION_NANOS,
				(uint64_t)(scope->t1 - scope->t0));
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		if (p->lanes[i].kind != LANE_SAMPLES || p->lanes[i].interval_ns <= 0 ||
		    (p->lanes[i].value.type && !p->lanes[i].hits) || o->value.unit_ns)
			continue;
		protobuf_number(&o->plain, PROFILE_PERIOD, (uint64_t)p->lanes[i].interval_ns);
		break;
	}
	if (!o->value.unit_ns)
		add_type(o, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
	protobuf_number(&o->plain, PROFILE_COMMENT, add_word(o, "flametty " PACKAGE_VERSION));
	protobuf_number(&o->plain, PROFILE_DEFAULT_TYPE, value_type(o));
}

static void pprof_write(const struct profile *p, const struct export_options *options,
			struct sink *sink)
{
	struct pprof_out o = { .profile = p, .options = options, .sink = sink };
	uint32_t n_lanes;
	ALLOC_LOCAL const struct lane **lanes = cut_lanes(p, &n_lanes);

	gzip_begin(&o.gzip);
	intern_init(&o.strings);
	o.is_used = xcalloc(p->frames.n, 1);
	add_type(&o, PROFILE_SAMPLE_TYPE, "samples", "count");
	o.value = find_value((const struct lane *const *)lanes, n_lanes);
	protobuf_number(&o.message, TYPE_TYPE, value_type(&o));
	protobuf_number(&o.message, TYPE_UNIT,
			o.value.unit_ns ? add_string(&o, o.value.unit)
					: add_word(&o, "nanoseconds"));
	add_message(&o, PROFILE_SAMPLE_TYPE);
	for (uint32_t i = 0; i < n_lanes; i++) {
		o.lane = lanes[i];
		if (o.lane->samples.n > 0) {
			const struct scope *scope = &o.options->scope;
			struct totals totals;

			view_init_lane(&o.view, o.profile, o.lane);
			totals_init(&totals, &o.view);
			totals_compute(&totals, scope->t0, scope->t1);
			o.n_samples = leaf_counts(&o.view, scope);
			set_labels(&o, 0);
			add_nodes(&o, &totals);
			free(o.n_samples);
			totals_done(&totals);
			view_done(&o.view);
		}
	}
	add_functions(&o);
	add_times(&o);
	for (size_t i = 0; i < o.strings.n && flush(&o); i++)
		protobuf_bytes(&o.plain, PROFILE_STRING, intern_text(&o.strings, (str_id)i),
			       intern_len(&o.strings, (str_id)i));
	flush(&o);
	gzip_end(&o.gzip, sink_buf(sink));
	intern_done(&o.strings);
	hash_table_done(&o.lines_index);
	free(o.lines);
	free(o.is_used);
	buf_done(&o.plain);
	buf_done(&o.message);
	buf_done(&o.part);
	buf_done(&o.inner);
	buf_done(&o.labels);
}

const struct export_format export_pprof = {
	.name = "pprof",
	.help = "a profile of pprof: gzip, profile.proto",
	.opens = "go tool pprof, Pyroscope, Parca, speedscope.app",
	.is_binary = true,
	.has_labels = true,
	.is_of_stacks = true,
	.write = pprof_write,
};
