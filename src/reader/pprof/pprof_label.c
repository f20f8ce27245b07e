/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writers have different keys for the same: those of flametty, Datadog, Pyroscope and perf are in
 * the table. A number may be written as text. All other labels (of requests, of packages) make no
 * lanes. Datadog and Pyroscope state in end_timestamp_ns when a sample ended. */
#include "config.h"

#include "reader/pprof/pprof_label.h"

#include "base/alloc.h"
#include "json/json_number.h"

#include <stdlib.h>
#include <string.h>

enum part { PART_PID, PART_TID, PART_NAME, PART_PROCESS, PART_END };

static const struct {
	const char *key;
	enum part part;
} keys[] = {
	{ "pid", PART_PID },
	{ "process id", PART_PID },
	{ "process_id", PART_PID },
	{ "tid", PART_TID },
	{ "thread id", PART_TID },
	{ "thread_id", PART_TID },
	{ "thread", PART_NAME },
	{ "thread name", PART_NAME },
	{ "thread_name", PART_NAME },
	{ "process", PART_PROCESS },
	{ "process name", PART_PROCESS },
	{ "process_name", PART_PROCESS },
	{ "end_timestamp_ns", PART_END },
};

/* What a list of labels says. */
struct facts {
	struct pprof_thread thread;
	int64_t end_ns; /* 0: unknown */
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

/* Add what a label with a key of the table says. A thread that is named by its number is not named
 * twice. */
static void add_part(struct pprof *r, enum part part, uint64_t text, int64_t number,
		     struct facts *facts)
{
	int64_t id = text ? number_of(pprof_tables_text(r, text)) : number;
	struct pprof_thread *thread = &facts->thread;

	switch (part) {
	case PART_PID:
		thread->pid = id != LANE_NO_ID ? id : thread->pid;
		if (id == LANE_NO_ID && text && !thread->process)
			thread->process = text;
		break;
	case PART_TID:
		thread->tid = id != LANE_NO_ID ? id : thread->tid;
		if (id == LANE_NO_ID && text && !thread->name)
			thread->name = text;
		break;
	case PART_NAME:
		if (id == LANE_NO_ID)
			thread->name = text;
		else if (thread->tid == LANE_NO_ID)
			thread->tid = id;
		break;
	case PART_PROCESS:
		if (id == LANE_NO_ID)
			thread->process = text;
		else if (thread->pid == LANE_NO_ID)
			thread->pid = id;
		break;
	case PART_END:
		if (id > 0 && id <= PROFILE_TIME_MAX)
			facts->end_ns = id;
		else
			builder_warn_text(r->b, WARN_TIME_RANGE, -1,
					  "end_timestamp_ns out of range; taken as none");
		break;
	}
}

static void add_label(struct pprof *r, struct str bytes, struct facts *facts)
{
	enum { KEY = 1, TEXT, NUMBER };
	uint64_t key = 0, text = 0;
	int64_t number = 0;
	struct wire_field f;
	struct wire w;
	struct str name;

	wire_init(&w, bytes, 0);
	while (wire_next(&w, &f)) {
		if (f.type != WIRE_NUMBER)
			continue;
		if (f.number == KEY)
			key = f.value;
		else if (f.number == TEXT)
			text = f.value;
		else if (f.number == NUMBER)
			number = (int64_t)f.value;
	}
	if (w.wrong)
		builder_warn_text(r->b, WARN_ODD_INDEX, -1, "label that cannot be read; left out");
	name = pprof_tables_text(r, key);
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (str_is(name, keys[i].key))
			add_part(r, keys[i].part, text, number, facts);
}

static struct facts facts_of(struct pprof *r, str_id labels)
{
	struct facts facts = { .thread = { .pid = LANE_NO_ID, .tid = LANE_NO_ID } };
	const char *p = intern_text(&r->labels, labels);
	size_t len = intern_len(&r->labels, labels);

	while (len > 0) {
		uint32_t n;

		memcpy(&n, p, sizeof n);
		add_label(r, (struct str){ p + sizeof n, n }, &facts);
		p += sizeof n + n;
		len -= sizeof n + n;
	}
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
	intern_init(&known);
	for (size_t i = 0; i < r->n_samples; i++) {
		str_id labels = r->samples[i].labels;
		struct facts facts;

		/* Until all are known, numbers of threads count from 1. */
		if (threads->of_labels[labels])
			continue;
		facts = facts_of(r, labels);
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
	free(threads->end_ns);
	*threads = (struct pprof_threads){ 0 };
}
