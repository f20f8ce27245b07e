/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and order of the processes and threads of a trace. Metadata events give them, at any
 * place in the file; the last event counts. The page of a renderer (trace_page.c) gives its origin.
 */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* ---- metadata events ---- */

static bool find_number(struct trace *t, const struct trace_event *e, const char *name,
			int64_t *value)
{
	enum number_kind kind;
	struct str raw;

	if (!trace_event_find(t, e, e->args, name, &raw) || raw.len == 0)
		return false;
	if (raw.p[0] == '"')
		raw = (struct str){ raw.p + 1, raw.len - 2 };
	return json_number_parse(raw.p, raw.len, 0, value, &kind) && kind != NUMBER_HUGE;
}

/* Find a text; warn if there is none. 0: there is none, or it is empty. */
static text_id find_text(struct trace *t, const struct trace_event *e, const char *name)
{
	struct str raw;

	if (trace_event_find(t, e, e->args, name, &raw) && raw.len > 1 && raw.p[0] == '"')
		return trace_text_string(t, raw);
	trace_event_no_value_needed(t, e);
	return 0;
}

static void note_version(struct trace *t, const struct trace_event *e)
{
	struct str raw;
	text_id node = trace_event_find(t, e, e->args, "node", &raw) ? trace_text_string(t, raw)
								     : 0;

	if (!node)
		trace_event_no_value(t, e);
	else if (trace_may_note(t))
		builder_input_note(t->b, false, "process %lld: Node.js %s", (long long)e->pid,
				   trace_text_get(&t->texts, node)->p);
}

static void take_sort(struct trace *t, const struct trace_event *e, bool is_process)
{
	int64_t number;

	if (!find_number(t, e, "sort_index", &number)) {
		trace_event_no_value_needed(t, e);
		return;
	}
	if (!is_process) {
		trace_thread_get(t, e->pid, e->tid)->sort_index = number;
		return;
	}
	trace_process_get(t, e->pid)->sort_index = number;
	trace_process_get(t, e->pid)->has_sort = true;
}

void trace_names_metadata(struct trace *t, const struct trace_event *e)
{
	text_id name;

	switch (trace_text_get(&t->texts, e->name)->meaning) {
	case MEANS_PROCESS_NAME:
		name = find_text(t, e, "name");
		if (name)
			trace_process_get(t, e->pid)->name = name;
		break;
	case MEANS_PROCESS_LABELS:
		name = find_text(t, e, "labels");
		if (name)
			trace_process_get(t, e->pid)->labels = name;
		if (name && trace_may_note(t))
			builder_input_note(t->b, false, "process %lld: %s", (long long)e->pid,
					   trace_text_get(&t->texts, name)->p);
		break;
	case MEANS_VERSION:
		note_version(t, e);
		break;
	case MEANS_PROCESS_SORT:
		take_sort(t, e, true);
		break;
	case MEANS_THREAD_NAME:
		name = find_text(t, e, "name");
		if (name)
			trace_thread_get(t, e->pid, e->tid)->name = name;
		break;
	case MEANS_THREAD_SORT:
		take_sort(t, e, false);
		break;
	case MEANS_THREAD_NO_SELF:
		trace_thread_no_self(t, e);
		break;
	default:
		break;
	}
}

/* ---- at the end ---- */

static bool starts_with(const struct trace_text *text, const char *start)
{
	return text->len >= strlen(start) && memcmp(text->p, start, strlen(start)) == 0;
}

static int rank_of(struct trace *t, const struct trace_thread *thread)
{
	static const char *const main_threads[] = { "CrRendererMain", "CrBrowserMain", "CrGpuMain",
						    "JavaScriptMainThread" };
	static const char *const workers[] = { "DedicatedWorker", "[worker " };
	static const char *const pools[] = { "CompositorTileWorker", "ThreadPool" };
	const struct trace_text *name = trace_text_get(&t->texts, thread->name);

	for (size_t i = 0; i < ARRAY_LEN(main_threads); i++)
		if (name->len == strlen(main_threads[i]) && starts_with(name, main_threads[i]))
			return 0;
	if (thread->tid == thread->pid || trace_page_is_main(t, thread))
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(workers); i++)
		if (starts_with(name, workers[i]))
			return 1;
	for (size_t i = 0; i < ARRAY_LEN(pools); i++)
		if (starts_with(name, pools[i]))
			return 3;
	return 2;
}

/* Before Chrome knows the kind of its process, the name is the whole command line. Add only the
 * program and its --type. */
static void add_name(struct buf *title, const struct trace_text *name)
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
	const struct trace_text *name = trace_text_get(&t->texts, p->name),
				*url = trace_text_get(&t->texts, p->url);
	struct buf title = { 0 };
	size_t len = 0;

	add_name(&title, name);
	/* "Renderer" is the name of all pages' processes. The origin distinguishes them. */
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
		track_builder_process(t->b, p->pid, buf_text(&title), title.len);
	buf_done(&title);
	if (p->has_sort)
		track_builder_process_sort(t->b, p->pid, p->sort_index);
}

/* The text that an id is in the file. 0: the id is a number. */
static text_id text_of_id(const struct trace *t, int64_t id)
{
	return id > TRACE_TEXT_ID && id < TRACE_TEXT_ID + t->texts.n ? (text_id)(id - TRACE_TEXT_ID)
								     : 0;
}

void trace_names_finish(struct trace *t)
{
	for (size_t i = 0; i < t->n_threads; i++) {
		const struct trace_text *name = trace_text_get(&t->texts,
							       text_of_id(t, t->threads[i].pid));

		if (name->len)
			track_builder_process(t->b, t->threads[i].pid, name->p, name->len);
	}
	for (size_t i = 0; i < t->n_processes; i++)
		name_process(t, &t->processes[i]);
	for (size_t i = 0; i < t->n_threads; i++) {
		const struct trace_thread *thread = &t->threads[i];
		const struct trace_text *name = trace_text_get(
			&t->texts, thread->name ? thread->name : text_of_id(t, thread->tid));

		if (name->len)
			track_builder_thread(t->b, thread->pid, thread->tid, name->p, name->len);
		track_builder_thread_sort(t->b, thread->pid, thread->tid, thread->sort_index,
					  rank_of(t, thread));
	}
}
