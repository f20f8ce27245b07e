/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From samples to lanes. Each list of labels names a thread, or none; the samples of one thread
 * become a lane: those that say when they ended one with a time line, the others one of sums. The
 * stacks of locations, which all lanes share, become stacks of functions: a location with several
 * lines becomes several functions.
 *
 * Frames are numbers here: those of functions first, then those of locations, which stand for
 * addresses without a function. */
#include "config.h"

#include "read/pprof/pprof.h"

#include "base/alloc.h"
#include "base/json/json_number.h"
#include "base/sort.h"
#include "base/units.h"
#include "model/build/cpu_builder.h"
#include "model/build/track_builder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== pprof time ====
 *
 * Where samples with a time are on the time line: formats(5), PPROF, The time line. A sample has
 * exactly its value as its length, so that tables have the sums that other programs print. Writers
 * give each sample the average distance, which differs from the distance to the sample before by
 * some jitter. Without rule 2, a call of many samples would be a row of splinters.
 * 1. A sample ends at its time, and begins its value before that.
 * 2. It begins where the sample before ends, if it would begin earlier, or if less than its own
 *    value would lie between them. What rule 2 moves it back adds up, but never to more than one
 *    value: then the distance is no longer less.
 * 3. A sample of value 0 has no length. Two samples around it keep their distance, because it says
 *    that something else happened there: Datadog writes (idle) so. */

struct pprof_timed {
	int64_t end_ns; /* above 0, up to PROFILE_TIME_MAX */
	int64_t ns;     /* its value, 0 to PROFILE_TIME_MAX */
	uint32_t node;  /* of the lane */
	uint32_t set;   /* of labels */
};

/* Embedded; zeroed at first. */
struct pprof_time {
	struct pprof_timed *samples;
	size_t n, cap;
	/* After place_samples(): */
	int64_t end_ns;     /* where the last sample ends */
	int64_t late_ns;    /* the most that a sample ends after its time */
	int64_t longest_ns; /* the longest sample */
};

/* ==== pprof label ====
 *
 * Labels of samples. Some say on which thread a sample was, and when. Writers have different keys
 * for the same: those of flametty, Datadog, Pyroscope and perf are known (labels_says()). A number
 * may be written as text. All other labels (of requests, of packages) make no lanes. All but the
 * time become labels of the profile. Datadog and Pyroscope state in end_timestamp_ns when a sample
 * ended. */

/* A thread, as far as labels tell. */
struct pprof_thread {
	int64_t pid, tid;       /* LANE_NO_ID: unknown */
	uint64_t name, process; /* strings of the file; 0: unknown */
};

struct pprof_threads {
	struct pprof_thread *threads; /* in the order of their first samples; at least one */
	size_t n, cap;
	uint32_t *of_labels;      /* by list of labels (pprof.labels): a thread */
	uint32_t *sets;           /* likewise: the set of builder_labels_set() */
	bool has_sets;            /* some set is not empty */
	struct pprof_span *spans; /* by set, up to n_spans */
	size_t n_spans, cap_spans;
	int64_t *end_ns; /* likewise: when its samples end (end_timestamp_ns), 0: unknown; NULL:
			    of none is that known */
};

/* A label as it is written. */
struct written {
	struct str key;
	uint64_t text; /* string of the file; 0: the label is a number */
	int64_t number;
	uint64_t unit; /* of the number, a string */
};

/* A whole number; LANE_NO_ID: it is none. */
static int64_t number_of(struct str text)
{
	enum number_kind kind;
	int64_t value;

	if (text.len == 0 || text.len > 20 ||
	    !json_number_parse(text.p, text.len, 0, &value, &kind) || kind != NUMBER_INTEGER)
		return LANE_NO_ID;
	return value;
}

/* Add what a label says about its thread. A thread that is named by its number is not named
 * twice. */
static void add_part(struct pprof *r, enum label_says says, uint64_t text, int64_t number,
		     struct pprof_thread *thread)
{
	int64_t id = text ? number_of(pprof_tables_text(r, text)) : number;

	switch (says) {
	case LABEL_SAYS_PID:
		thread->pid = id != LANE_NO_ID ? id : thread->pid;
		if (id == LANE_NO_ID && text && !thread->process)
			thread->process = text;
		break;
	case LABEL_SAYS_TID:
		thread->tid = id != LANE_NO_ID ? id : thread->tid;
		if (id == LANE_NO_ID && text && !thread->name)
			thread->name = text;
		break;
	case LABEL_SAYS_THREAD:
		if (id == LANE_NO_ID)
			thread->name = text;
		else if (thread->tid == LANE_NO_ID)
			thread->tid = id;
		break;
	case LABEL_SAYS_PROCESS:
		if (id == LANE_NO_ID)
			thread->process = text;
		else if (thread->pid == LANE_NO_ID)
			thread->pid = id;
		break;
	case LABEL_SAYS_NOTHING:
		break;
	}
}

/* The time at which a sample ended; 0: unknown. */
static int64_t end_of(struct pprof *r, uint64_t text, int64_t number)
{
	int64_t ns = text ? number_of(pprof_tables_text(r, text)) : number;

	if (ns > 0 && ns <= PROFILE_TIME_MAX)
		return ns;
	builder_warn_text(r->b, WARN_TIME_RANGE, -1,
			  "end_timestamp_ns out of range; taken as none");
	return 0;
}

static struct written read_label(struct pprof *r, struct str bytes)
{
	enum { KEY = 1, TEXT, NUMBER, UNIT };
	struct written label = { .key = { "", 0 } };
	struct wire_field f;
	struct wire w;

	wire_init(&w, bytes, 0);
	while (wire_next(&w, &f)) {
		if (f.type != WIRE_NUMBER)
			continue;
		if (f.number == KEY)
			label.key = pprof_tables_text(r, f.value);
		else if (f.number == TEXT)
			label.text = f.value;
		else if (f.number == NUMBER)
			label.number = (int64_t)f.value;
		else if (f.number == UNIT)
			label.unit = f.value;
	}
	if (w.wrong)
		builder_warn_text(r->b, WARN_ODD_INDEX, -1, "label that cannot be read; left out");
	return label;
}

/* The next label of a list; moves `list` past it. */
static struct str next_label(struct str *list)
{
	struct str label;
	uint32_t n;

	memcpy(&n, list->p, sizeof n);
	label = (struct str){ list->p + sizeof n, n };
	list->p += sizeof n + n;
	list->len -= sizeof n + n;
	return label;
}

/* The value of a label as text: numbers go to `numbers`. */
static struct str value_of(struct pprof *r, const struct written *label, struct buf *numbers)
{
	struct str unit = pprof_tables_text(r, label->unit);
	size_t from = numbers->len;

	if (label->text)
		return pprof_tables_text(r, label->text);
	buf_addf(numbers, "%" PRId64, label->number);
	if (unit.len) {
		buf_addc(numbers, ' ');
		buf_add(numbers, unit.p, unit.len);
	}
	return (struct str){ numbers->data + from, numbers->len - from };
}

/* What a list of labels says. *end_ns: 0: unknown. Its labels, but for the time, which few samples
 * share, become *set. */
static struct pprof_thread read_labels(struct pprof *r, str_id labels, int64_t *end_ns,
				       uint32_t *set, struct pprof_span *span)
{
	struct pprof_thread thread = { .pid = LANE_NO_ID, .tid = LANE_NO_ID };
	struct str list = { intern_text(&r->labels, labels), intern_len(&r->labels, labels) };
	struct builder_label *kept = NULL;
	ALLOC_LOCAL struct buf *numbers = NULL;
	size_t n = 0, cap = 0, cap_numbers = 0;

	*end_ns = 0;
	*span = (struct pprof_span){ 0 };
	while (list.len > 0) {
		struct written label = read_label(r, next_label(&list));

		if (str_is(label.key, "end_timestamp_ns")) {
			int64_t ns = end_of(r, label.text, label.number);

			*end_ns = ns ? ns : *end_ns;
			continue;
		}
		add_part(r, labels_says(label.key.p, label.key.len), label.text, label.number,
			 &thread);
		kept = xgrow(kept, &cap, n + 1, sizeof *kept);
		numbers = xgrow(numbers, &cap_numbers, n + 1, sizeof *numbers);
		numbers[n] = (struct buf){ 0 };
		kept[n] = (struct builder_label){
			.key = label.key,
			.value = value_of(r, &label, &numbers[n]),
			.is_number = !label.text,
			.unit = label.text ? (struct str){ "", 0 }
					   : pprof_tables_text(r, label.unit),
		};
		pprof_request_label(span, label.key, kept[n].value, label.text);
		n++;
	}
	*set = n ? builder_labels_set(r->b, kept, n) : 0;
	for (size_t i = 0; i < n; i++)
		buf_done(&numbers[i]);
	free(kept);
	return thread;
}

/* Find the threads and times of all lists of labels. */
static void find_threads(struct pprof *r, struct pprof_threads *threads)
{
	struct intern known;

	*threads = (struct pprof_threads){ 0 };
	threads->of_labels = xcalloc(r->labels.n, sizeof *threads->of_labels);
	threads->sets = xcalloc(r->labels.n, sizeof *threads->sets);
	intern_init(&known);
	for (size_t i = 0; i < r->n_samples; i++) {
		str_id labels = r->samples[i].labels;
		struct pprof_thread thread;
		struct pprof_span span;
		int64_t end_ns;
		str_id id;

		/* Until all are known, numbers of threads count from 1. */
		if (threads->of_labels[labels])
			continue;
		thread = read_labels(r, labels, &end_ns, &threads->sets[labels], &span);
		while (threads->n_spans <= threads->sets[labels])
			*ARRAY_ADD(threads->spans, threads->n_spans,
				   threads->cap_spans) = (struct pprof_span){ 0 };
		/* Set 0 is that of samples without labels, and of those that had no room. */
		if (threads->sets[labels])
			threads->spans[threads->sets[labels]] = span;
		threads->has_sets |= threads->sets[labels] != 0;
		threads->of_labels[labels] = id = intern_add(&known, (const char *)&thread,
							     sizeof thread);
		if (id > threads->n) {
			*ARRAY_ADD(threads->threads, threads->n, threads->cap) = thread;
		}
		if (!end_ns)
			continue;
		if (!threads->end_ns)
			threads->end_ns = xcalloc(r->labels.n, sizeof *threads->end_ns);
		threads->end_ns[labels] = end_ns;
	}
	for (size_t i = 0; i < r->labels.n; i++)
		threads->of_labels[i] -= threads->of_labels[i] > 0;
	intern_done(&known);
}

/* ==== pprof lane ==== */

/* Time on one line of a node. */
struct line_sum {
	uint32_t node;
	int64_t line, value;
};

/* Time of a node with one set of labels. */
struct label_sum {
	uint32_t node, set;
	int64_t value;
};

/* The value of a sample for a type, by index; 0 if it has none. */
static int64_t sample_value(const struct pprof *r, size_t sample, size_t type)
{
	size_t first = r->samples[sample].first;
	size_t end = sample + 1 < r->n_samples ? r->samples[sample + 1].first : r->n_values;

	return type < end - first ? r->values[first + type] : 0;
}

struct lane_maker {
	struct pprof *r;
	const struct pprof_chosen *chosen;
	const struct pprof_threads *threads;
	bool has_files; /* functions have files, so those without one are native */
	/* Lines get ticks: the number of samples if each has the same value, or else the value,
	 * divided by 2^shift. */
	bool is_even;
	unsigned shift;
	int64_t tick_ns; /* what a tick is worth; 0: too long to be said */
	uint64_t n_negative, n_empty;
	int64_t first_ns; /* where the first sample with a time begins; 0: there is none */
	int64_t late_ns;  /* the most that a sample ends after its time, if it is much */

	/* Of the lane that is made. `at` is valid where `lane_of` has the number of the lane. */
	uint32_t number;
	bool has_times; /* its samples have times, and go to `time` */
	struct pprof_requests requests;
	struct pprof_time time;
	uint64_t n_taken;  /* samples, by their counts */
	uint32_t *lane_of; /* by node of pprof.stacks */
	uint32_t *at;      /* its node in `nodes` */
	struct node_map nodes;
	int64_t *sum;    /* by node of `nodes` */
	uint64_t *count; /* likewise */
	size_t cap_sums, n_sums;
	struct line_sum *lines;
	size_t n_lines, cap_lines;
	struct label_sum *label_sums;
	size_t n_label_sums, cap_label_sums;
	uint32_t *path; /* for climbing */
	size_t cap_path;
	uint32_t *frame_lane; /* by frame: the lane that has it, */
	uint32_t *frame;      /* and its index there */
};

/* ---- frames ---- */

static uint32_t frame_of_location(const struct pprof *r, uint32_t location)
{
	return r->tables.function_ids.n + location;
}

/* The frame of a line: of its function, or, if that is not known, of the address. */
static uint32_t frame_of_line(const struct pprof *r, uint32_t location, const struct pprof_line *l)
{
	if (l->function == PPROF_NONE || !r->tables.functions[l->function].is_defined)
		return frame_of_location(r, location);
	return l->function;
}

/* Whether the parenthesis that a text begins with is closed by its last byte. */
static bool is_in_parentheses(struct str text)
{
	size_t depth = 0;

	for (size_t i = 0; i < text.len; i++) {
		depth += text.p[i] == '(';
		depth -= text.p[i] == ')' && depth > 0;
		if (depth == 0)
			return i + 1 == text.len;
	}
	return false;
}

/* Whether a name is that of a function without one: `(anonymous)`, as exports of flametty
 * `(anonymous app.js:3:7)`, or as the profiler of Datadog `(anonymous:L#3:C#7)`; not names of C++
 * such as `(anonymous namespace)::f()`. The position is taken where the function has none. */
static bool is_anonymous(struct str name, int64_t *line, int64_t *column)
{
	static const char word[] = "(anonymous";
	char end[48] = "", *colon;
	size_t from = name.len, n = 0;
	int64_t at_line, at_column;

	if (name.len < sizeof word || memcmp(name.p, word, sizeof word - 1) != 0 ||
	    !strchr(" :)", name.p[sizeof word - 1]) || !is_in_parentheses(name) ||
	    str_is(name, "(anonymous namespace)"))
		return false;
	for (int colons = 0; from > sizeof word - 1 && colons < 2; from--)
		colons += name.p[from - 1] == ':';
	for (size_t i = from + 1; i < name.len && n + 1 < sizeof end; i++)
		if (!strchr("L#C", name.p[i]))
			end[n++] = name.p[i];
	at_line = strtoll(end, &colon, 10);
	at_column = *colon == ':' ? strtoll(colon + 1, NULL, 10) : 0;
	if (*line <= 0 && at_line > 0 && at_line <= INT32_MAX && at_column > 0 &&
	    at_column <= INT32_MAX) {
		*line = at_line;
		*column = at_column;
	}
	return true;
}

static uint32_t pass_function(struct pprof *r, const struct pprof_function *f)
{
	struct str name = pprof_tables_text(r, f->name), file = pprof_tables_text(r, f->file);
	int64_t line = f->line, column = f->column;

	if (name.len == 0)
		name = pprof_tables_text(r, f->system_name);
	if (is_anonymous(name, &line, &column))
		name.len = 0;
	return cpu_builder_frame(r->b,
				 &(struct cpu_frame){ name.p, name.len, file.p, file.len, "0", 1,
						      line - 1, column - 1 });
}

/* An address: `libc.so.6!0x29d90`. */
static uint32_t pass_address(struct pprof *r, uint32_t at)
{
	const struct pprof_location *l = &r->tables.locations[at];
	const struct pprof_mapping *mapping = l->is_defined && l->mapping != PPROF_NONE
		? &r->tables.mappings[l->mapping]
		: NULL;
	struct str file = { "", 0 };
	BUF_LOCAL name = { 0 };

	if (!l->is_defined || l->n_lines || (l->mapping != PPROF_NONE && !mapping->is_defined))
		builder_warn(r->b, WARN_ODD_INDEX, -1);
	if (mapping)
		file = pprof_tables_text(r, mapping->file);
	file = str_after_last(file, '/');
	buf_add(&name, file.p, file.len);
	if (file.len)
		buf_addc(&name, '!');
	if (l->address)
		buf_addf(&name, "0x%" PRIx64, l->address);
	if (!name.len)
		buf_adds(&name, "(unknown)");
	return cpu_builder_named(r->b, buf_text(&name), name.len);
}

/* ---- nodes ---- */

/* The node of the lane for a stack of locations. */
static bool find_node(struct lane_maker *m, uint32_t stack, uint32_t *node)
{
	const struct pprof *r = m->r;
	size_t n = 0;

	for (uint32_t i = stack; m->lane_of[i] != m->number; i = r->stacks.parent[i]) {
		*ARRAY_ADD(m->path, n, m->cap_path) = i;
	}
	while (n-- > 0) {
		uint32_t i = m->path[n], location = r->stacks.frame[i];
		const struct pprof_location *l = &r->tables.locations[location];
		uint32_t at = m->at[r->stacks.parent[i]];

		if (m->nodes.n + (uint64_t)l->n_lines + 1 >= CPU_NODES_MAX)
			return error_set(m->r->err, ERR_LIMIT, -1, "more than %u nodes",
					 CPU_NODES_MAX);
		if (l->n_lines == 0)
			at = node_map_child(&m->nodes, at, frame_of_location(r, location));
		for (uint32_t k = l->n_lines; k-- > 0;)
			at = node_map_child(
				&m->nodes, at,
				frame_of_line(r, location, &r->tables.lines[l->first_line + k]));
		m->lane_of[i] = m->number;
		m->at[i] = at;
	}
	*node = m->at[stack];
	return true;
}

/* The line that was executing in a stack; 0: unknown. A function whose only line is its first one
 * has no other: writers put it there. */
static int64_t executing_line(const struct pprof *r, uint32_t stack)
{
	const struct pprof_location *l = stack ? &r->tables.locations[r->stacks.frame[stack]]
					       : NULL;
	const struct pprof_line *line;

	if (!l || l->n_lines == 0)
		return 0;
	line = &r->tables.lines[l->first_line];
	if (line->function == PPROF_NONE || !r->tables.functions[line->function].has_lines)
		return 0;
	return line->line;
}

static int64_t to_ns(const struct lane_maker *m, int64_t value)
{
	int64_t ns;

	if (!__builtin_mul_overflow(value, m->chosen->ns, &ns) && ns <= PROFILE_TIME_MAX)
		return ns;
	builder_warn(m->r->b, WARN_TIME_RANGE, -1);
	return PROFILE_TIME_MAX;
}

/* When a sample ended; 0: unknown, or its value is no time. */
static int64_t end_of_sample(const struct lane_maker *m, size_t i)
{
	return m->threads->end_ns && m->chosen->is_time
		? m->threads->end_ns[m->r->samples[i].labels]
		: 0;
}

static uint32_t set_of_sample(const struct lane_maker *m, size_t i)
{
	return m->threads->sets[m->r->samples[i].labels];
}

static bool add_sample(struct lane_maker *m, size_t i)
{
	const struct pprof *r = m->r;
	int64_t value = sample_value(r, i, m->chosen->type);
	int64_t count = m->chosen->count == SIZE_MAX ? 0 : sample_value(r, i, m->chosen->count);
	uint32_t stack = r->samples[i].node, node = 0;
	int64_t line = executing_line(r, stack);

	if (value == 0 && count == 0 && !m->has_times)
		return true;
	if (!find_node(m, stack, &node))
		return false;
	if (m->nodes.n > m->cap_sums) {
		m->sum = xgrow(m->sum, &m->cap_sums, m->nodes.n, sizeof *m->sum);
		m->count = xrealloc(m->count, m->cap_sums, sizeof *m->count);
	}
	for (; m->n_sums < m->nodes.n; m->n_sums++) {
		m->sum[m->n_sums] = 0;
		m->count[m->n_sums] = 0;
	}
	m->sum[node] = units_sum(m->sum[node], m->has_times && value < 0 ? 0 : value);
	if (m->has_times) {
		if (value < 0)
			m->n_negative++;
		*ARRAY_ADD(m->time.samples, m->time.n, m->time.cap) =
			(struct pprof_timed){ .end_ns = end_of_sample(m, i),
					      .ns = value > 0 ? to_ns(m, value) : 0,
					      .node = node,
					      .set = set_of_sample(m, i) };
		if (value > 0)
			m->n_taken += count > 0 ? (uint64_t)count : 1;
	} else if (m->threads->has_sets && value != 0) {
		*ARRAY_ADD(m->label_sums, m->n_label_sums, m->cap_label_sums) =
			(struct label_sum){ node, set_of_sample(m, i), value };
	}
	m->count[node] += count > 0 ? (uint64_t)count : 0;
	if (line <= 0)
		return true;
	*ARRAY_ADD(m->lines, m->n_lines,
		   m->cap_lines) = (struct line_sum){ node, line, m->is_even ? count : value };
	return true;
}

/* ---- the lane ---- */

SORT_ORDER(by_line, struct line_sum, SORT_BY_2(x->node, y->node, x->line, y->line))

/* Pass the ticks of lines, each line of a node once. `at`: the builder's number by node. */
static void pass_lines(struct lane_maker *m, const uint32_t *at)
{
	size_t i = 0;

	if (m->n_lines)
		qsort(m->lines, m->n_lines, sizeof *m->lines, by_line);
	while (i < m->n_lines) {
		const struct line_sum *l = &m->lines[i];
		int64_t value = 0;

		for (; i < m->n_lines && by_line(l, &m->lines[i]) == 0; i++)
			value = units_sum(value, m->lines[i].value);
		if (value > 0 && value >> m->shift == 0)
			value = 1;
		else if (value > 0)
			value >>= m->shift;
		cpu_builder_ticks(m->r->b, at[l->node], l->line, value);
	}
}

static void pass_sum(struct lane_maker *m, uint32_t node, uint32_t at)
{
	struct builder *b = m->r->b;

	if (m->sum[node] < 0)
		m->n_negative++;
	if (m->sum[node] > 0 && !m->has_times)
		cpu_builder_sum(b, at, to_ns(m, m->sum[node]));
	if (m->count[node] > 0)
		cpu_builder_hits(b, at,
				 m->count[node] > INT64_MAX ? INT64_MAX : (int64_t)m->count[node]);
}

/* Nodes that the file does not have; their slots follow those of the others. */
enum { UNKNOWN, GAP };

static uint32_t pass_below_root(struct lane_maker *m, int which, const char *name)
{
	struct builder *b = m->r->b;
	uint32_t node = cpu_builder_node(b, cpu_builder_slot(b, (int64_t)m->nodes.n + which),
					 cpu_builder_named(m->r->b, name, strlen(name)), -1);

	cpu_builder_parent(b, node, cpu_builder_slot(b, 0));
	return node;
}

/* Pass the nodes with their sums. A stack without locations is one function, (unknown): the root
 * has no time of its own. */
static void pass_nodes(struct lane_maker *m)
{
	struct pprof *r = m->r;
	ALLOC_LOCAL uint32_t *at = xmalloc(((size_t)m->nodes.n + 1) * sizeof *at);
	uint32_t root = cpu_builder_named(r->b, "(root)", 6), n = r->tables.function_ids.n;

	at[0] = cpu_builder_node(r->b, cpu_builder_slot(r->b, 0), root, -1);
	for (uint32_t i = 1; i < m->nodes.n; i++) {
		uint32_t frame = m->nodes.frame[i];

		if (m->frame_lane[frame] != m->number) {
			m->frame_lane[frame] = m->number;
			m->frame[frame] = frame < n ? pass_function(r, &r->tables.functions[frame])
						    : pass_address(r, frame - n);
		}
		at[i] = cpu_builder_node(r->b, cpu_builder_slot(r->b, i), m->frame[frame], -1);
		cpu_builder_parent(r->b, at[i], cpu_builder_slot(r->b, m->nodes.parent[i]));
		pass_sum(m, i, at[i]);
	}
	if (m->sum[0] || m->count[0]) {
		at[0] = pass_below_root(m, UNKNOWN, "(unknown)");
		pass_sum(m, 0, at[0]);
	}
	/* Values below 0 leave the sums by labels apart from those of nodes: then labels are
	 * ignored. */
	for (size_t i = 0; i < m->n_label_sums; i++) {
		const struct label_sum *sum = &m->label_sums[i];

		cpu_builder_label_sum(r->b, at[sum->node], sum->set,
				      sum->value > 0 ? to_ns(m, sum->value) : -1);
	}
	if (m->has_times && builder_options(r->b)->has_idle_gaps)
		pass_below_root(m, GAP, "(idle)");
	pass_lines(m, at);
}

/* Pass a sample that lasts from t to the next one. NULL: nothing was sampled. */
static void put_sample(const struct lane_maker *m, const struct pprof_timed *sample, int64_t t)
{
	struct builder *b = m->r->b;
	int64_t gap = builder_options(b)->has_idle_gaps ? (int64_t)m->nodes.n + GAP : 0;
	uint32_t slot = cpu_builder_slot(b,
					 !sample                ? gap
						 : sample->node ? (int64_t)sample->node
								: (int64_t)m->nodes.n + UNKNOWN);

	cpu_builder_samples(b, &slot, 1);
	cpu_builder_timestamps(b, &t, 1);
	if (m->threads->has_sets)
		cpu_builder_label(b, sample ? sample->set : 0);
}

SORT_BEFORE(is_before, struct pprof_timed, x->end_ns < y->end_ns)

/* Sort the samples by "pprof time", and pass those with a length on. Returns false if they reach
 * beyond what a time can be: then those before that were passed on. */
static bool place_samples(struct lane_maker *m)
{
	struct pprof_time *t = &m->time;
	int64_t end = 0;
	bool is_first = true, is_apart = false, fits = true;

	sort_stable(t->samples, t->n, sizeof *t->samples, is_before, NULL);
	for (size_t i = 0; i < t->n; i++) {
		const struct pprof_timed *sample = &t->samples[i];
		int64_t begin = sample->end_ns - sample->ns;

		if (!is_first && (begin < end || (!is_apart && begin - end < sample->ns)))
			begin = end;
		is_apart = sample->ns == 0;
		if (is_apart)
			continue;
		if (sample->ns > PROFILE_TIME_MAX - begin) {
			fits = false;
			break;
		}
		if (!is_first && begin > end)
			put_sample(m, NULL, end);
		put_sample(m, sample, begin);
		is_first = false;
		end = begin + sample->ns;
		pprof_request_sample(&m->requests, &m->threads->spans[sample->set], m->number,
				     begin, end);
		if (end - sample->end_ns > t->late_ns)
			t->late_ns = end - sample->end_ns;
		if (sample->ns > t->longest_ns)
			t->longest_ns = sample->ns;
	}
	t->end_ns = end;
	return fits;
}

/* Tell what the values of the lane are. */
static void pass_value(struct lane_maker *m)
{
	struct pprof *r = m->r;
	const struct pprof_type *type = &r->types[m->chosen->type];
	struct str text = pprof_tables_text(r, type->type), unit = pprof_tables_text(r, type->unit);
	struct cpu_value value = {
		text.p,     text.len,     unit.p, unit.len, m->chosen->is_time ? 0 : m->chosen->ns,
		m->tick_ns, !m->has_times
	};

	cpu_builder_value(r->b, &value);
}

/* Make the lane of what was added. is_rest: the thread has another lane. */
static bool make_lane(struct lane_maker *m, const struct pprof_thread *thread, bool is_rest)
{
	struct pprof *r = m->r;
	struct str name = pprof_tables_text(r, thread->name),
		   process = pprof_tables_text(r, thread->process);
	int64_t pid = thread->pid != LANE_NO_ID ? thread->pid : r->hints->pid,
		tid = thread->tid != LANE_NO_ID || thread->name ? thread->tid : r->hints->tid;
	BUF_LOCAL title = { 0 };

	cpu_builder_begin(r->b);
	if (!m->has_files)
		cpu_builder_form(r->b, CPU_NAMES_ONLY);
	pass_value(m);
	pass_nodes(m);
	if (m->has_times) {
		struct builder *b = m->r->b;

		cpu_builder_form(b, CPU_AS_RECORDED);
		if (!place_samples(m))
			builder_warn(b, WARN_TIME_RANGE, -1);
		cpu_builder_timestamps(b, &m->time.end_ns, 1);
		cpu_builder_taken(b, m->n_taken,
				  m->is_even && m->tick_ns ? m->tick_ns : m->time.longest_ns);
		/* One value more or less is how exact the times are. */
		if (m->time.late_ns > m->time.longest_ns && m->time.late_ns > m->late_ns)
			m->late_ns = m->time.late_ns;
	} else {
		cpu_builder_start_time(r->b, m->first_ns);
	}
	pprof_request_thread(&m->requests, pid, tid);
	if (pid != LANE_NO_ID && process.len)
		track_builder_name(r->b, pid, LANE_NO_ID, process.p, process.len);
	if (tid != LANE_NO_ID && name.len)
		track_builder_name(r->b, pid, tid, name.p, name.len);
	else if (name.len || process.len)
		buf_add(&title, name.len ? name.p : process.p, name.len ? name.len : process.len);
	if (is_rest)
		buf_addf(&title, "%ssamples without end_timestamp_ns", title.len ? ", " : "");
	if (title.len)
		cpu_builder_title(r->b, buf_text(&title), title.len, is_rest);
	return cpu_builder_end(r->b, pid, tid, r->err);
}

/* Make the lane of those of the n samples in `order` that have times, or of those that have none.
 * is_rest: the thread has another lane. */
static bool add_lane(struct lane_maker *m, const struct pprof_thread *thread, const uint32_t *order,
		     size_t n, bool is_rest, bool *is_made)
{
	bool ok = true;

	m->number++;
	m->n_taken = 0;
	m->time.n = 0;
	m->time.late_ns = m->time.longest_ns = 0;
	m->n_sums = m->n_lines = m->n_label_sums = 0;
	node_map_done(&m->nodes);
	node_map_init(&m->nodes);
	m->lane_of[0] = m->number;
	m->at[0] = 0;
	for (size_t i = 0; i < n && ok; i++)
		ok = (end_of_sample(m, order[i]) > 0) != m->has_times || add_sample(m, order[i]);
	*is_made = false;
	for (size_t i = 0; i < m->n_sums && ok && !*is_made; i++)
		*is_made = m->sum[i] > 0;
	return ok && (!*is_made || make_lane(m, thread, is_rest));
}

/* Make the lanes of a thread: of its samples with times, and of the rest. */
static bool add_lanes(struct lane_maker *m, const struct pprof_thread *thread,
		      const uint32_t *order, size_t n, bool *is_made)
{
	bool ok = true, is_timed = false, is_rest = false;

	if (m->threads->end_ns && m->chosen->is_time) {
		m->has_times = true;
		ok = add_lane(m, thread, order, n, false, &is_timed);
		m->has_times = false;
	}
	ok = ok && add_lane(m, thread, order, n, is_timed, &is_rest);
	*is_made = is_rest || is_timed;
	if (ok && !*is_made)
		m->n_empty++;
	return ok;
}

static void init(struct lane_maker *m, struct pprof *r, const struct pprof_chosen *chosen,
		 const struct pprof_threads *threads)
{
	size_t n = (size_t)r->stacks.n + 1,
	       n_frames = (size_t)r->tables.function_ids.n + r->tables.location_ids.n + 1;
	int64_t unit = 0, sum = 0;

	*m = (struct lane_maker){ .r = r,
				  .chosen = chosen,
				  .threads = threads,
				  .is_even = chosen->count != SIZE_MAX };
	m->lane_of = xcalloc(n, sizeof *m->lane_of);
	m->at = xcalloc(n, sizeof *m->at);
	m->frame_lane = xcalloc(n_frames, sizeof *m->frame_lane);
	m->frame = xcalloc(n_frames, sizeof *m->frame);
	for (uint32_t i = 0; i < r->tables.function_ids.n && !m->has_files; i++)
		m->has_files = pprof_tables_text(r, r->tables.functions[i].file).len > 0;
	for (size_t i = 0; i < r->n_samples; i++) {
		int64_t value = sample_value(r, i, chosen->type), product;
		int64_t count = m->is_even ? sample_value(r, i, chosen->count) : 0;

		sum = units_sum(sum, value > 0 ? value : 0);
		if (m->is_even && unit == 0 && count > 0)
			unit = value / count;
		m->is_even = m->is_even && !__builtin_mul_overflow(count, unit, &product) &&
			product == value;
	}
	if (m->is_even && unit > 0)
		sum /= unit;
	while (sum >> m->shift > UINT32_MAX)
		m->shift++;
	if (__builtin_mul_overflow(chosen->ns, m->is_even ? unit : INT64_C(1) << m->shift,
				   &m->tick_ns))
		m->tick_ns = 0;
}

static void begin_clock(struct lane_maker *m)
{
	const struct pprof *r = m->r;

	for (size_t i = 0; i < r->n_samples; i++) {
		int64_t end = end_of_sample(m, i), ns;
		int64_t value = sample_value(r, i, m->chosen->type);

		if (!end || __builtin_mul_overflow(value, m->chosen->ns, &ns) || ns <= 0 ||
		    ns > end)
			continue;
		if (!m->first_ns || end - ns < m->first_ns)
			m->first_ns = end - ns;
	}
	if (m->first_ns < PROFILE_WALL_CLOCK_MIN)
		cpu_builder_clock(r->b, CPU_CLOCK_OWN);
	else
		builder_input_date(r->b, m->first_ns / NS_PER_S, true);
}

static void done(struct lane_maker *m)
{
	node_map_done(&m->nodes);
	free(m->time.samples);
	free(m->lane_of);
	free(m->at);
	free(m->sum);
	free(m->count);
	free(m->lines);
	free(m->label_sums);
	free(m->path);
	free(m->frame_lane);
	free(m->frame);
}

static void add_warnings(struct lane_maker *m, bool has_lane)
{
	for (; m->n_negative > 0; m->n_negative--)
		builder_warn_text(m->r->b, WARN_ODD_WEIGHT, -1,
				  "values below 0, as in a difference of two profiles; taken as 0");
	if (m->late_ns)
		builder_input_note(m->r->b, false,
				   "samples are up to %s later than their end_timestamp_ns: their "
				   "values are longer than the time between them",
				   units_time(m->late_ns, UNITS_ROOM));
	if (has_lane && m->n_empty)
		builder_input_note(m->r->b, false, "%" PRIu64 " threads without values: not shown",
				   m->n_empty);
}

/* The samples of each thread, one thread after another. end[i] is where those of thread i end. */
static uint32_t *sort_samples(const struct pprof *r, const struct pprof_threads *threads,
			      size_t *end)
{
	uint32_t *order = xmalloc((r->n_samples + 1) * sizeof *order);

	memset(end, 0, threads->n * sizeof *end);
	for (size_t i = 0; i < r->n_samples; i++)
		end[threads->of_labels[r->samples[i].labels]]++;
	for (size_t i = 1; i < threads->n; i++)
		end[i] += end[i - 1];
	for (size_t i = r->n_samples; i-- > 0;)
		order[--end[threads->of_labels[r->samples[i].labels]]] = (uint32_t)i;
	for (size_t i = 0; i + 1 < threads->n; i++)
		end[i] = end[i + 1];
	end[threads->n - 1] = r->n_samples;
	return order;
}

bool pprof_lane_all(struct pprof *r, const struct pprof_chosen *chosen)
{
	struct pprof_threads threads;
	struct lane_maker m;
	ALLOC_LOCAL size_t *end = NULL;
	size_t from = 0;
	uint32_t *order;
	bool ok = true, is_made, has_lane = false;

	if (r->n_samples == 0)
		return error_set(r->err, ERR_FORMAT, -1, "the pprof profile has no samples");
	/* Lanes have maps of their own, which need the memory. */
	hash_table_done(&r->stacks.index);
	builder_no_subset(r->b);
	find_threads(r, &threads);
	end = xmalloc(threads.n * sizeof *end);
	order = sort_samples(r, &threads, end);
	init(&m, r, chosen, &threads);
	begin_clock(&m);
	pprof_type_notes(r, chosen, threads.end_ns && chosen->is_time);
	for (size_t i = 0; i < threads.n && ok; i++) {
		ok = add_lanes(&m, &threads.threads[i], order + from, end[i] - from, &is_made);
		has_lane |= is_made;
		from = end[i];
	}
	pprof_request_end(r, &m.requests, threads.spans, threads.n_spans);
	add_warnings(&m, has_lane);
	if (ok && !has_lane) {
		struct str type = pprof_tables_text(r, r->types[chosen->type].type);

		ok = error_set(
			r->err, ERR_FORMAT, -1,
			"no value of sample type %.*s is above 0; --sample-type shows another",
			(int)(type.len < 100 ? type.len : 100), type.p);
	}
	done(&m);
	free(order);
	free(threads.threads);
	free(threads.of_labels);
	free(threads.sets);
	free(threads.spans);
	free(threads.end_ns);
	return ok;
}
