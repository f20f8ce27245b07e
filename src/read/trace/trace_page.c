/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pages of renderers. Several events tell them: the frames that are there when the recording
 * starts, each load and navigation of a frame, and the labels of a process, which are the titles of
 * its pages. The page of a process is that of its main frame; where another process has the main
 * frame, that of a frame whose parent is elsewhere. Of several pages the last one counts;
 * about:blank stands at the beginning of most pages, and never replaces another one.
 *
 * The thread that loads the page has it in its title, `Main \342\200\224 shop.example/cart`; the
 * thread of a worker has the url of its script. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/buf.h"
#include "base/text.h"

#include <string.h>

#define TITLE_BYTES 48 /* an address that is longer loses the middle of its path */

/* ---- events ---- */

static bool is_blank(const struct trace *t, text_id url)
{
	const struct trace_text *text = trace_text_get(&t->texts, url);

	return text->len == 11 && memcmp(text->p, "about:blank", 11) == 0;
}

static void set_page(struct trace *t, int64_t pid, text_id url, bool is_subframe)
{
	struct trace_process *p = trace_process_get(t, pid);

	if (!url || (p->url && (is_blank(t, url) || (is_subframe && !p->is_subframe))))
		return;
	p->url = url;
	p->is_subframe = is_subframe;
}

static void set_thread(struct trace *t, const struct trace_event *e)
{
	struct trace_process *p = trace_process_get(t, e->pid);

	p->page_tid = e->tid;
	p->has_page_tid = true;
}

/* Take the url of a main frame as that of its process. Other frames have a parent. Frames without a
 * process are of process `pid`; LANE_NO_ID: of an unknown one. */
static void take_frame(struct trace *t, const struct json_value *frame, int64_t pid)
{
	const char *url, *parent;
	size_t url_len, parent_len;

	if (json_tree_text(frame, "parent", &parent, &parent_len) ||
	    !json_tree_text(frame, "url", &url, &url_len))
		return;
	if (json_tree_integer(frame, "processId", &pid) || pid != LANE_NO_ID)
		set_page(t, pid, trace_text_add(&t->texts, url, url_len), false);
}

void trace_page_started(struct trace *t, const struct trace_event *e)
{
	/* The event of old versions is on the thread of the page. */
	bool is_in_page = trace_text_get(&t->texts, e->name)->meaning == MEANS_STARTED_IN_PAGE;
	struct str data, frames;
	const struct json_value *list;

	if (is_in_page)
		set_thread(t, e);
	else
		track_builder_started(t->b, e->ts);
	if (!trace_event_find(t, e, e->args, "data", &data) ||
	    !trace_event_find(t, e, data, "frames", &frames)) {
		trace_event_no_value(t, e);
		return;
	}
	list = trace_text_json(t, frames);
	if (!list)
		trace_event_no_value(t, e);
	else if (list->type == JSON_ARRAY)
		for (const struct json_value *v = list->first; v; v = v->next)
			take_frame(t, v, is_in_page ? e->pid : LANE_NO_ID);
}

void trace_page_committed(struct trace *t, const struct trace_event *e)
{
	const struct json_value *frame = NULL;
	struct str data;

	if (trace_event_find(t, e, e->args, "data", &data))
		frame = trace_text_json(t, data);
	if (frame)
		take_frame(t, frame, LANE_NO_ID);
	else
		trace_event_no_value(t, e);
}

static bool is_true(struct trace *t, const struct trace_event *e, struct str object,
		    const char *name)
{
	struct str raw;

	return trace_event_find(t, e, object, name, &raw) && raw.len && raw.p[0] == 't';
}

void trace_page_loaded(struct trace *t, const struct trace_event *e)
{
	struct str data, raw;
	bool is_main;

	if (!trace_event_find(t, e, e->args, "data", &data)) {
		trace_event_no_value(t, e);
		return;
	}
	is_main = trace_event_find(t, e, data, "isOutermostMainFrame", &raw)
		? is_true(t, e, data, "isOutermostMainFrame")
		: is_true(t, e, data, "isMainFrame");
	if (!is_main && trace_event_find(t, e, data, "parent", &raw))
		return;
	set_thread(t, e);
	if (trace_event_find(t, e, data, "url", &raw))
		set_page(t, e->pid, trace_text_string(t, raw), !is_main);
}

void trace_page_navigated(struct trace *t, const struct trace_event *e)
{
	struct str data, raw;

	if (!trace_process_get(t, e->pid)->has_page_tid)
		set_thread(t, e);
	if (!trace_event_find(t, e, e->args, "data", &data)) {
		trace_event_no_value(t, e);
		return;
	}
	if (!is_true(t, e, data, "isOutermostMainFrame") &&
	    !is_true(t, e, data, "isLoadingMainFrame"))
		return;
	if (trace_event_find(t, e, data, "documentLoaderURL", &raw))
		set_page(t, e->pid, trace_text_string(t, raw), false);
}

void trace_page_worker(struct trace *t, const struct trace_event *e)
{
	const struct json_value *args = trace_text_json(t, e->args),
				*data = json_tree_find(args, "data");
	const char *url;
	int64_t tid;
	size_t len;

	if (!json_tree_integer(data, "workerThreadId", &tid) ||
	    !json_tree_text(data, "url", &url, &len)) {
		trace_event_no_value(t, e);
		return;
	}
	trace_thread_get(t, e->pid, tid)->url = trace_text_add(&t->texts, url, len);
}

/* ---- at the end ---- */

static bool is_named(const struct trace *t, const struct trace_thread *thread, const char *name)
{
	const struct trace_text *text = trace_text_get(&t->texts, thread->name);

	return text->len == strlen(name) && memcmp(text->p, name, text->len) == 0;
}

static bool has_page(const struct trace_process *p)
{
	return p->url || p->labels;
}

bool trace_page_is_main(struct trace *t, const struct trace_thread *thread)
{
	const struct trace_process *p = trace_process_get(t, thread->pid);

	return has_page(p) && p->has_page_tid && p->page_tid == thread->tid;
}

/* Append an address without its scheme, query and fragment: `shop.example/cart`. Other urls stay as
 * they are: what they mean stands at their beginning. */
static void add_brief(struct buf *out, const char *url, size_t len)
{
	const char *path = url, *end, *last;

	if (len > 7 && memcmp(url, "http://", 7) == 0)
		path = url + 7;
	else if (len > 8 && memcmp(url, "https://", 8) == 0)
		path = url + 8;
	if (path == url) {
		text_fit(out, url, len, TITLE_BYTES);
		return;
	}
	end = path + strcspn(path, "?#");
	if (end > path && end[-1] == '/')
		end--;
	last = end;
	while (last > path && last[-1] != '/')
		last--;
	if (end - path > TITLE_BYTES && last > path && end - last < TITLE_BYTES / 2) {
		buf_add(out, path, strcspn(path, "/"));
		buf_adds(out, "/\342\200\246/");
		path = last;
	}
	text_fit(out, path, (size_t)(end - path), TITLE_BYTES);
}

/* Give a thread its page: `word`, which stands for the name of the thread, and the page. */
static void give(struct trace *t, const struct trace_thread *thread, const char *word, text_id page,
		 bool is_url)
{
	const struct trace_text *text = trace_text_get(&t->texts, page);
	struct buf title = { 0 };

	buf_adds(&title, word);
	buf_adds(&title, " \342\200\224 ");
	if (is_url)
		add_brief(&title, text->p, text->len);
	else
		text_fit(&title, text->p, text->len, TITLE_BYTES);
	track_builder_page(t->b, thread->pid, thread->tid,
			   (struct str){ buf_text(&title), title.len },
			   (struct str){ text->p, text->len });
	buf_done(&title);
}

/* The thread of a process that has the page; NULL: none is known. */
static const struct trace_thread *main_thread(struct trace *t, const struct trace_process *p)
{
	const struct trace_thread *found = NULL;

	for (size_t i = 0; i < t->n_threads; i++) {
		const struct trace_thread *thread = &t->threads[i];

		if (thread->pid != p->pid)
			continue;
		if (p->has_page_tid && p->page_tid == thread->tid)
			return thread;
		if (is_named(t, thread, "CrRendererMain") || (!found && thread->tid == p->pid))
			found = thread;
	}
	return found;
}

void trace_page_finish(struct trace *t)
{
	for (size_t i = 0; i < t->n_processes; i++) {
		const struct trace_process *p = &t->processes[i];
		const struct trace_thread *thread = has_page(p) ? main_thread(t, p) : NULL;

		if (!thread)
			continue;
		give(t, thread,
		     thread->name && !is_named(t, thread, "CrRendererMain")
			     ? trace_text_get(&t->texts, thread->name)->p
			     : p->url && p->is_subframe ? "Frame"
							: "Main",
		     p->url ? p->url : p->labels, p->url != 0);
	}
	for (size_t i = 0; i < t->n_threads; i++)
		if (t->threads[i].url)
			give(t, &t->threads[i], "Worker", t->threads[i].url, true);
}
