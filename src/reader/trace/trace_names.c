/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads and processes of a trace: found by their ids, named and put in order by metadata
 * events, which may come last; the last one wins. */
#include "config.h"

#include "reader/trace/trace.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

static uint32_t *widen(uint32_t *slots, size_t *n_slots, size_t need)
{
	if (need * 2 <= *n_slots)
		return slots;
	*n_slots = *n_slots ? *n_slots * 4 : 256;
	free(slots);
	return xcalloc(*n_slots, sizeof *slots);
}

static uint64_t thread_hash(int64_t pid, int64_t tid)
{
	return trace_mix(hash_u64((uint64_t)pid), (uint64_t)tid);
}

static void widen_threads(struct trace *t)
{
	size_t before = t->n_thread_slots;

	t->thread_slots = widen(t->thread_slots, &t->n_thread_slots, t->n_threads + 1);
	if (t->n_thread_slots == before)
		return;
	for (size_t i = 0; i < t->n_threads; i++) {
		size_t at = thread_hash(t->threads[i].pid, t->threads[i].tid) &
			(t->n_thread_slots - 1);

		while (t->thread_slots[at])
			at = (at + 1) & (t->n_thread_slots - 1);
		t->thread_slots[at] = (uint32_t)i + 1;
	}
}

struct trace_thread *trace_thread(struct trace *t, int64_t pid, int64_t tid)
{
	size_t at;

	/* Events of one thread follow each other. */
	if (t->last_thread < t->n_threads && t->threads[t->last_thread].pid == pid &&
	    t->threads[t->last_thread].tid == tid)
		return &t->threads[t->last_thread];
	widen_threads(t);
	for (at = thread_hash(pid, tid) & (t->n_thread_slots - 1); t->thread_slots[at];
	     at = (at + 1) & (t->n_thread_slots - 1)) {
		struct trace_thread *thread = &t->threads[t->thread_slots[at] - 1];

		if (thread->pid == pid && thread->tid == tid) {
			t->last_thread = t->thread_slots[at] - 1;
			return thread;
		}
	}
	t->threads = xgrow(t->threads, &t->cap_threads, t->n_threads + 1, sizeof *t->threads);
	t->threads[t->n_threads] =
		(struct trace_thread){ .pid = pid, .tid = tid, .last_ts = INT64_MIN };
	t->last_thread = (uint32_t)t->n_threads++;
	t->thread_slots[at] = t->last_thread + 1;
	return &t->threads[t->last_thread];
}

static void widen_processes(struct trace *t)
{
	size_t before = t->n_process_slots;

	t->process_slots = widen(t->process_slots, &t->n_process_slots, t->n_processes + 1);
	if (t->n_process_slots == before)
		return;
	for (size_t i = 0; i < t->n_processes; i++) {
		size_t at = hash_u64((uint64_t)t->processes[i].pid) & (t->n_process_slots - 1);

		while (t->process_slots[at])
			at = (at + 1) & (t->n_process_slots - 1);
		t->process_slots[at] = (uint32_t)i + 1;
	}
}

struct trace_process *trace_process(struct trace *t, int64_t pid)
{
	size_t at;

	if (t->last_process < t->n_processes && t->processes[t->last_process].pid == pid)
		return &t->processes[t->last_process];
	widen_processes(t);
	for (at = hash_u64((uint64_t)pid) & (t->n_process_slots - 1); t->process_slots[at];
	     at = (at + 1) & (t->n_process_slots - 1)) {
		struct trace_process *process = &t->processes[t->process_slots[at] - 1];

		if (process->pid == pid) {
			t->last_process = t->process_slots[at] - 1;
			return process;
		}
	}
	t->processes = xgrow(t->processes, &t->cap_processes, t->n_processes + 1,
			     sizeof *t->processes);
	t->processes[t->n_processes] = (struct trace_process){ .pid = pid };
	t->last_process = (uint32_t)t->n_processes++;
	t->process_slots[at] = t->last_process + 1;
	return &t->processes[t->last_process];
}

/* ---- metadata events ---- */

static bool find_number(struct slice args, const char *name, int64_t *value)
{
	enum number_kind kind;
	struct slice raw;

	if (!cursor_find(args, name, &raw) || raw.len == 0)
		return false;
	if (raw.p[0] == '"')
		raw = (struct slice){ raw.p + 1, raw.len - 2 };
	return json_number_parse(raw.p, raw.len, 0, value, &kind) && kind != NUMBER_HUGE;
}

static text_id find_text(struct trace *t, struct slice args, const char *name)
{
	struct slice raw;

	return cursor_find(args, name, &raw) ? trace_text_of(t, raw) : 0;
}

void trace_metadata_event(struct trace *t, const struct event *e)
{
	int64_t number;
	text_id name;

	switch (text_get(&t->texts, e->name)->meaning) {
	case MEANS_PROCESS_NAME:
		name = find_text(t, e->args, "name");
		if (name)
			trace_process(t, e->pid)->name = name;
		break;
	case MEANS_PROCESS_LABELS:
		name = find_text(t, e->args, "labels");
		if (name && trace_may_tell(t))
			builder_fact(t->b, false, "process %lld: %s", (long long)e->pid,
				     text_get(&t->texts, name)->p);
		break;
	case MEANS_VERSION:
		name = find_text(t, e->args, "node");
		if (name && trace_may_tell(t))
			builder_fact(t->b, false, "process %lld: Node.js %s", (long long)e->pid,
				     text_get(&t->texts, name)->p);
		break;
	case MEANS_PROCESS_SORT:
		if (find_number(e->args, "sort_index", &number)) {
			trace_process(t, e->pid)->sort_index = number;
			trace_process(t, e->pid)->has_sort = true;
		}
		break;
	case MEANS_THREAD_NAME:
		name = find_text(t, e->args, "name");
		if (name)
			trace_thread(t, e->pid, e->tid)->name = name;
		break;
	case MEANS_THREAD_SORT:
		if (find_number(e->args, "sort_index", &number)) {
			trace_thread(t, e->pid, e->tid)->sort_index = number;
			trace_thread(t, e->pid, e->tid)->has_sort = true;
		}
		break;
	default:
		break;
	}
}

/* The main frame's url is the process's. */
static void take_frame(struct trace *t, struct json_object *frame)
{
	const char *url, *parent;
	size_t url_len, parent_len;
	int64_t pid;
	text_id id;

	if (!json_object_is_type(frame, json_type_object) ||
	    json_text_member(frame, "parent", &parent, &parent_len))
		return;
	if (!json_text_member(frame, "url", &url, &url_len) ||
	    !json_text_integer(frame, "processId", &pid))
		return;
	id = texts_add(&t->texts, url, url_len);
	trace_process(t, pid)->url = id;
}

void trace_frames_event(struct trace *t, const struct event *e)
{
	struct slice data, frames;
	struct json_object *o;

	if (!cursor_find(e->args, "data", &data) || !cursor_find(data, "frames", &frames))
		return;
	o = trace_parse(t, frames);
	if (json_object_is_type(o, json_type_array))
		for (size_t i = 0; i < json_object_array_length(o); i++)
			take_frame(t, json_object_array_get_idx(o, i));
	json_object_put(o);
}

void trace_frame_committed(struct trace *t, const struct event *e)
{
	struct slice data;
	struct json_object *o;

	if (!cursor_find(e->args, "data", &data))
		return;
	o = trace_parse(t, data);
	take_frame(t, o);
	json_object_put(o);
}

void trace_commit_load(struct trace *t, const struct event *e)
{
	struct slice data, raw;
	text_id url;

	if (!cursor_find(e->args, "data", &data) ||
	    !(cursor_find(data, "isOutermostMainFrame", &raw) ||
	      cursor_find(data, "isMainFrame", &raw)) ||
	    raw.p[0] != 't' || !cursor_find(data, "url", &raw))
		return;
	url = trace_text_of(t, raw);
	trace_process(t, e->pid)->url = url;
}

/* ---- at the end ---- */

static bool starts_with(const struct text *text, const char *start)
{
	return text->len >= strlen(start) && memcmp(text->p, start, strlen(start)) == 0;
}

static int rank_of(const struct trace *t, const struct trace_thread *thread)
{
	static const char *const main_threads[] = { "CrRendererMain", "CrBrowserMain", "CrGpuMain",
						    "JavaScriptMainThread" };
	static const char *const workers[] = { "DedicatedWorker", "[worker " };
	static const char *const pools[] = { "CompositorTileWorker", "ThreadPool" };
	const struct text *name = text_get(&t->texts, thread->name);

	for (size_t i = 0; i < ARRAY_LEN(main_threads); i++)
		if (name->len == strlen(main_threads[i]) && starts_with(name, main_threads[i]))
			return 0;
	if (thread->tid == thread->pid)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(workers); i++)
		if (starts_with(name, workers[i]))
			return 1;
	for (size_t i = 0; i < ARRAY_LEN(pools); i++)
		if (starts_with(name, pools[i]))
			return 3;
	return 2;
}

/* Where Chrome does not know its process yet, the name is the command line, a screen full: the
 * program and what kind of process it is are enough. */
static void add_name(struct buf *title, const struct text *name)
{
	const char *type = strstr(name->p, " --type="), *from = name->p;

	if (!type) {
		buf_add(title, name->p, name->len);
		return;
	}
	for (const char *p = name->p; p < type; p++)
		if (*p == '/' || *p == '\\')
			from = p + 1;
	buf_add(title, from, strcspn(from, " "));
	buf_add(title, type, 8 + strcspn(type + 8, " "));
}

static void name_process(struct trace *t, const struct trace_process *p)
{
	const struct text *name = text_get(&t->texts, p->name), *url = text_get(&t->texts, p->url);
	struct buf title = { 0 };
	size_t len = 0;

	add_name(&title, name);
	/* "Renderer" alone does not tell one page from another: the origin does. */
	if (p->url && name->len == 8 && memcmp(name->p, "Renderer", 8) == 0) {
		const char *host = strstr(url->p, "://");

		if (host)
			len = (size_t)(host - url->p) + 3 + strcspn(host + 3, "/?#");
		if (len) {
			buf_addc(&title, ' ');
			buf_add(&title, url->p, len);
		}
	}
	if (title.len)
		builder_process(t->b, p->pid, buf_text(&title), title.len);
	buf_done(&title);
	if (p->has_sort)
		builder_process_sort(t->b, p->pid, p->sort_index);
}

/* The text that stood for an id; 0: the id is a number. */
static text_id text_of_id(const struct trace *t, int64_t id)
{
	return id > TRACE_TEXT_ID && id < TRACE_TEXT_ID + t->texts.n ? (text_id)(id - TRACE_TEXT_ID)
								     : 0;
}

void trace_names_finish(struct trace *t)
{
	for (size_t i = 0; i < t->n_threads; i++) {
		const struct text *name = text_get(&t->texts, text_of_id(t, t->threads[i].pid));

		if (name->len)
			builder_process(t->b, t->threads[i].pid, name->p, name->len);
	}
	for (size_t i = 0; i < t->n_processes; i++)
		name_process(t, &t->processes[i]);
	for (size_t i = 0; i < t->n_threads; i++) {
		const struct trace_thread *thread = &t->threads[i];
		const struct text *name = text_get(
			&t->texts, thread->name ? thread->name : text_of_id(t, thread->tid));

		if (name->len)
			builder_thread(t->b, thread->pid, thread->tid, name->p, name->len);
		builder_thread_sort(t->b, thread->pid, thread->tid, thread->sort_index,
				    rank_of(t, thread));
	}
}
