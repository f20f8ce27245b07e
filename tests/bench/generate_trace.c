/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks of some threads, each a tree of nested slices, written as Chrome does: the slices of a task
 * when it is over, inner slices before outer ones; the threads alternate. */
#include "config.h"

#include "generate.h"

#include "base/alloc.h"
#include "random.h"
#include "text_out.h"

#include <stdlib.h>

#define THREADS 8u
#define DEEPEST 24u

struct trace {
	struct text_out out;
	struct random random;
	uint64_t time[THREADS]; /* us: the end of what each thread has so far */
};

static void put_pair(struct text_out *out, const char *name, uint64_t number)
{
	text_put(out, name);
	text_number(out, number);
}

/* The members that all events begin with, up to the time. */
static void put_event(struct text_out *out, const char *phase, uint32_t thread, const char *name,
		      uint32_t number, uint64_t time)
{
	put_pair(out, ",\n{\"pid\":", 100 + thread % 2);
	put_pair(out, ",\"tid\":", 200 + thread);
	put_pair(out, ",\"ts\":", time);
	text_put(out, ",\"ph\":\"");
	text_put(out, phase);
	text_put(out, "\",\"cat\":\"devtools.timeline,v8\",\"name\":\"");
	text_put(out, name);
	if (number)
		text_number(out, number);
	text_put(out, "\"");
}

static void put_slice(struct trace *t, uint32_t thread, uint64_t t0, uint64_t t1)
{
	static const char *const names[] = { "FunctionCall",     "EvaluateScript",
					     "v8.callFunction",  "Layout",
					     "UpdateLayoutTree", "Paint",
					     "RunTask",          "step" };
	uint32_t at = random_below(&t->random, ARRAY_LEN(names));
	uint32_t number = at + 1 == ARRAY_LEN(names) ? 1 + random_below(&t->random, 500) : 0;

	if (number % 4 == 1) {
		put_event(&t->out, "B", thread, names[at], number, t0);
		text_put(&t->out, "}");
		put_event(&t->out, "E", thread, names[at], number, t1);
		text_put(&t->out, "}");
		return;
	}
	put_event(&t->out, "X", thread, names[at], number, t0);
	put_pair(&t->out, ",\"dur\":", t1 - t0);
	put_pair(&t->out, ",\"tdur\":", (t1 - t0) * 9 / 10);
	put_pair(&t->out, ",\"args\":{\"data\":{\"frame\":\"", random_next(&t->random) >> 16);
	put_pair(&t->out, "\",\"url\":\"https://shop.example/assets/chunk-", number % 40);
	put_pair(&t->out, ".js\",\"lineNumber\":", number);
	text_put(&t->out, "}}}");
}

/* A slice of [t0, t1) and its callees. */
static void put_call(struct trace *t, uint32_t thread, uint64_t t0, uint64_t t1, uint32_t depth)
{
	uint64_t at = t0 + 1;

	while (depth < DEEPEST && at + 12 < t1) {
		uint64_t len = 4 + random_below(&t->random, (uint32_t)(t1 - at));

		if (at + len >= t1)
			break;
		put_call(t, thread, at, at + len, depth + 1);
		at += len + random_below(&t->random, 20);
	}
	put_slice(t, thread, t0, t1);
}

static void put_task(struct trace *t, uint32_t thread)
{
	uint64_t t0 = t->time[thread], len = 50 + random_below(&t->random, 8000);

	put_call(t, thread, t0, t0 + len, 0);
	if (random_below(&t->random, 4) == 0) {
		put_event(&t->out, "I", thread, "TimerInstall", 0, t0 + len / 2);
		text_put(&t->out, ",\"s\":\"t\"}");
	}
	if (random_below(&t->random, 8) == 0) {
		put_event(&t->out, "C", thread, "UpdateCounters", 0, t0 + len);
		put_pair(&t->out, ",\"args\":{\"jsHeapSizeUsed\":",
			 1000000 + random_below(&t->random, 9000000));
		put_pair(&t->out, ",\"nodes\":", random_below(&t->random, 4000));
		text_put(&t->out, "}}");
	}
	t->time[thread] = t0 + len + random_below(&t->random, 4000);
}

bool generate_trace(const char *path, uint64_t bytes)
{
	struct trace *t = xcalloc(1, sizeof *t);
	bool ok;

	t->random.state = UINT64_C(0x2545f4914f6cdd1d);
	text_open(&t->out, path);
	text_put(
		&t->out,
		"{\"traceEvents\":[{\"pid\":100,\"tid\":200,\"ts\":0,\"ph\":\"M\",\"name\":\"process_name\",\"args\":{\"name\":\"Renderer\"}}");
	for (uint32_t i = 0; i < THREADS; i++) {
		put_event(&t->out, "M", i, "thread_name", 0, 0);
		text_put(&t->out,
			 i < 2 ? ",\"args\":{\"name\":\"CrRendererMain\"}}"
			       : ",\"args\":{\"name\":\"ThreadPoolWorker\"}}");
		t->time[i] = 1000000 + i * 777;
	}
	while (t->out.file && t->out.bytes < bytes)
		put_task(t, random_below(&t->random, THREADS));
	text_put(&t->out, "\n]}\n");
	ok = text_close(&t->out);
	free(t);
	return ok;
}
