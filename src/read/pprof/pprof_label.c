/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writers have different keys for the same: those of flametty, Datadog, Pyroscope and perf are
 * known (labels_says()). A number may be written as text. All other labels (of requests, of
 * packages) make no lanes. All but the time become labels of the profile. Datadog and Pyroscope
 * state in end_timestamp_ns when a sample ended. */
#include "config.h"

#include "read/pprof/pprof_label.h"

#include "base/alloc.h"
#include "base/json/json_number.h"
#include "base/sort.h"
#include "model/build/builder.h"
#include "model/lane.h"
#include "read/pprof/pprof.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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

void pprof_time_add(struct pprof_time *t, const struct pprof_timed *sample)
{
	t->samples = xgrow(t->samples, &t->cap, t->n + 1, sizeof *t->samples);
	t->samples[t->n++] = *sample;
}

void pprof_time_clear(struct pprof_time *t)
{
	t->n = 0;
	t->late_ns = t->longest_ns = 0;
}

void pprof_time_done(struct pprof_time *t)
{
	free(t->samples);
	*t = (struct pprof_time){ 0 };
}

static bool is_before(const void *a, const void *b, const void *ctx)
{
	(void)ctx;
	return ((const struct pprof_timed *)a)->end_ns < ((const struct pprof_timed *)b)->end_ns;
}

/* Where a sample begins, by rules 1 and 2. end_ns: of the sample before. */
static int64_t begin_of(const struct pprof_timed *sample, int64_t end_ns, bool is_first,
			bool is_apart)
{
	int64_t begin = sample->end_ns - sample->ns;

	if (is_first)
		return begin;
	if (begin < end_ns || (!is_apart && begin - end_ns < sample->ns))
		return end_ns;
	return begin;
}

bool pprof_time_place(struct pprof_time *t, pprof_time_put *put, void *ctx)
{
	int64_t end = 0;
	bool is_first = true, is_apart = false, fits = true;

	sort_stable(t->samples, t->n, sizeof *t->samples, is_before, NULL);
	for (size_t i = 0; i < t->n; i++) {
		const struct pprof_timed *sample = &t->samples[i];
		int64_t begin = begin_of(sample, end, is_first, is_apart);

		is_apart = sample->ns == 0;
		if (is_apart)
			continue;
		if (sample->ns > PROFILE_TIME_MAX - begin) {
			fits = false;
			break;
		}
		if (!is_first && begin > end)
			put(ctx, NULL, end);
		put(ctx, sample, begin);
		is_first = false;
		end = begin + sample->ns;
		if (end - sample->end_ns > t->late_ns)
			t->late_ns = end - sample->end_ns;
		if (sample->ns > t->longest_ns)
			t->longest_ns = sample->ns;
	}
	t->end_ns = end;
	return fits;
}

/* ==== pprof label ==== */

/* What a list of labels says. */
struct facts {
	struct pprof_thread thread;
	int64_t end_ns; /* 0: unknown */
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
		     struct facts *facts)
{
	int64_t id = text ? number_of(pprof_tables_text(r, text)) : number;
	struct pprof_thread *thread = &facts->thread;

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

/* What a list of labels says. Its labels, but for the time, which few samples share, become *set.
 */
static struct facts facts_of(struct pprof *r, str_id labels, uint32_t *set)
{
	struct facts facts = { .thread = { .pid = LANE_NO_ID, .tid = LANE_NO_ID } };
	struct str list = { intern_text(&r->labels, labels), intern_len(&r->labels, labels) };
	struct builder_label *kept = NULL;
	struct buf *numbers = NULL;
	size_t n = 0, cap = 0, cap_numbers = 0;

	while (list.len > 0) {
		struct written label = read_label(r, next_label(&list));

		if (str_is(label.key, "end_timestamp_ns")) {
			int64_t end_ns = end_of(r, label.text, label.number);

			facts.end_ns = end_ns ? end_ns : facts.end_ns;
			continue;
		}
		add_part(r, labels_says(label.key.p, label.key.len), label.text, label.number,
			 &facts);
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
		n++;
	}
	*set = n ? builder_labels_set(r->b, kept, n) : 0;
	for (size_t i = 0; i < n; i++)
		buf_done(&numbers[i]);
	free(numbers);
	free(kept);
	return facts;
}

static uint32_t find_thread(struct pprof_threads *threads, struct intern *known,
			    const struct pprof_thread *thread)
{
	str_id id = intern_add(known, (const char *)thread, sizeof *thread);

	if (id > threads->n) {
		threads->threads = xgrow(threads->threads, &threads->cap, threads->n + 1,
					 sizeof *threads->threads);
		threads->threads[threads->n++] = *thread;
	}
	return id;
}

void pprof_label_threads(struct pprof *r, struct pprof_threads *threads)
{
	struct intern known;

	*threads = (struct pprof_threads){ 0 };
	threads->of_labels = xcalloc(r->labels.n, sizeof *threads->of_labels);
	threads->sets = xcalloc(r->labels.n, sizeof *threads->sets);
	intern_init(&known);
	for (size_t i = 0; i < r->n_samples; i++) {
		str_id labels = r->samples[i].labels;
		struct facts facts;

		/* Until all are known, numbers of threads count from 1. */
		if (threads->of_labels[labels])
			continue;
		facts = facts_of(r, labels, &threads->sets[labels]);
		threads->has_sets |= threads->sets[labels] != 0;
		threads->of_labels[labels] = find_thread(threads, &known, &facts.thread);
		if (!facts.end_ns)
			continue;
		if (!threads->end_ns)
			threads->end_ns = xcalloc(r->labels.n, sizeof *threads->end_ns);
		threads->end_ns[labels] = facts.end_ns;
	}
	for (size_t i = 0; i < r->labels.n; i++)
		threads->of_labels[i] -= threads->of_labels[i] > 0;
	intern_done(&known);
}

void pprof_label_done(struct pprof_threads *threads)
{
	free(threads->threads);
	free(threads->of_labels);
	free(threads->sets);
	free(threads->end_ns);
	*threads = (struct pprof_threads){ 0 };
}
