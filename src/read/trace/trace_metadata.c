/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The member `metadata`. Small values become input notes. Page sources and source maps, which
 * may be most of a file, are skipped; of source maps their place is noted, so that those of the
 * scripts that ran can be read later. Modifications that a user made in DevTools give the first
 * window, labelled ranges, and the entries that were hidden or labelled. */
#include "config.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/text.h"
#include "base/units.h"
#include "read/trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== trace page ====
 *
 * The pages of renderers. Several events tell them: the frames that are there when the recording
 * starts, each load and navigation of a frame, and the labels of a process, which are the titles of
 * its pages. The page of a process is that of its main frame; where another process has the main
 * frame, that of a frame whose parent is elsewhere. Of several pages the last one counts;
 * about:blank stands at the beginning of most pages, and never replaces another one.
 *
 * The thread that loads the page has it in its title, `Main \342\200\224 shop.example/cart`; the
 * thread of a worker has the name of its script: `Worker counter.js`. Threads of pools have
 * numbers: `Raster 1`, `Thread pool 2`. */

#define TITLE_BYTES 48 /* an address that is longer loses the middle of its path */
#define BLOB_BYTES 8   /* the name of a blob is a long random number */

/* ---- events ---- */

static void set_page(struct trace *t, int64_t pid, text_id url, bool is_subframe)
{
	struct trace_process *p = trace_process_get(t, pid);

	if (!url ||
	    (p->url &&
	     (str_is(trace_text_str(&t->texts, url), "about:blank") ||
	      (is_subframe && !p->is_subframe))))
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
	if (!json_tree_integer(frame, "processId", &pid) && pid == LANE_NO_ID)
		return;
	set_page(t, pid, trace_text_add(&t->texts, url, url_len), false);
	trace_process_get(t, pid)->is_stated = true;
	if ((!t->main_frame || json_tree_member(frame, "isInPrimaryMainFrame", JSON_BOOLEAN)) &&
	    json_tree_text(frame, "frame", &url, &url_len))
		t->main_frame = trace_text_add(&t->texts, url, url_len);
}

static void take_started(struct trace *t, const struct trace_event *e)
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
		for (const struct json_value *v = list->first; v; v = v->next) {
			trace_milestone_frame(t, v);
			take_frame(t, v, is_in_page ? e->pid : LANE_NO_ID);
		}
}

static void take_committed(struct trace *t, const struct trace_event *e)
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

static void take_loaded(struct trace *t, const struct trace_event *e)
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

static void take_navigated(struct trace *t, const struct trace_event *e)
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

static void take_worker(struct trace *t, const struct trace_event *e)
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

void trace_page_event(struct trace *t, const struct trace_event *e)
{
	switch (trace_text_get(&t->texts, e->name)->meaning) {
	case MEANS_STARTED_IN_BROWSER:
	case MEANS_STARTED_IN_PAGE:
		take_started(t, e);
		break;
	case MEANS_FRAME_COMMITTED:
		take_committed(t, e);
		break;
	case MEANS_COMMIT_LOAD:
		take_loaded(t, e);
		break;
	case MEANS_NAVIGATION_START:
		take_navigated(t, e);
		break;
	case MEANS_WORKER_SESSION:
		take_worker(t, e);
		break;
	default:
		break;
	}
}

/* ---- at the end ---- */

static bool is_renderer(const struct trace *t, const struct trace_thread *thread)
{
	return str_is(trace_text_str(&t->texts, thread->name), "CrRendererMain");
}

static bool has_page(const struct trace_process *p)
{
	return p->url || p->labels;
}

/* Whether a thread loads the page of its process. */
static bool is_main(struct trace *t, const struct trace_thread *thread)
{
	const struct trace_process *p = trace_process_get(t, thread->pid);

	return has_page(p) && p->has_page_tid && p->page_tid == thread->tid;
}

/* Append an address without its scheme, query and fragment: `shop.example/cart`. Other urls stay as
 * they are: what they mean stands at their beginning. */
static void add_brief(struct buf *out, struct str url)
{
	const char *path = url.p, *end, *last;

	path += str_begins(url, "http://") ? 7 : str_begins(url, "https://") ? 8 : 0;
	if (path == url.p) {
		text_fit(out, url.p, url.len, TITLE_BYTES);
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
static void give(struct trace *t, const struct trace_thread *thread, const char *word, text_id page)
{
	struct str text = trace_text_str(&t->texts, page);
	BUF_LOCAL title = { 0 };

	buf_addf(&title, thread->url ? "%s " : "%s \342\200\224 ", word);
	if (thread->url) {
		bool is_blob = str_begins(text, "blob:");
		struct str name;

		/* Append the name of a worker's script: `counter.js`, `blob:4b1f09a2`. */
		text.len = strcspn(text.p, "?#");
		name = str_begins(text, "data:") ? text : str_after_last(text, '/');
		if (is_blob && name.len > BLOB_BYTES)
			name.len = BLOB_BYTES;
		buf_adds(&title, is_blob ? "blob:" : "");
		text_fit(&title, name.p, name.len, TITLE_BYTES);
	} else {
		add_brief(&title, text);
	}
	track_builder_page(t->b, thread->pid, thread->tid,
			   (struct str){ buf_text(&title), title.len }, text);
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
		if (is_renderer(t, thread) || (!found && thread->tid == p->pid))
			found = thread;
	}
	return found;
}

/* Whether a page is the browser's own, or an extension: `chrome:`, `devtools:`, `about:` ...;
 * without an address, by the name of its process, which in older versions is its command line. */
static bool is_own(const struct trace *t, const struct trace_process *p)
{
	struct str url = trace_text_str(&t->texts, p->url);
	const char *name = trace_text_get(&t->texts, p->name)->p;

	if (p->url)
		return !str_begins(url, "http") && !str_begins(url, "file:");
	return strstr(name, "WebUI") || strstr(name, "-webui") ||
		strncmp(name, "Extension", 9) == 0;
}

/* Give the threads their pages. */
static void finish_pages(struct trace *t)
{
	for (size_t i = 0; i < t->n_processes; i++) {
		const struct trace_process *p = &t->processes[i];
		bool own = is_own(t, p), is_page = has_page(p);
		const struct trace_thread *thread = own || is_page ? main_thread(t, p) : NULL;
		text_id page = p->url ? p->url : is_page ? p->labels : 0;

		if (!thread)
			continue;
		if (!page)
			page = str_begins(trace_text_str(&t->texts, p->name), "Ext")
				? trace_text_add(&t->texts, "extension", 9)
				: trace_text_add(&t->texts, "WebUI", 5);
		track_builder_page_order(t->b, thread->pid, thread->tid,
					 own                      ? PAGE_BROWSER
						 : p->is_subframe ? PAGE_FRAME
								  : PAGE_OTHER,
					 !is_page || p->is_subframe ? 0
						 : p->url           ? 1 + 2 * !p->is_stated + own
								    : 5);
		give(t, thread,
		     thread->name && !is_renderer(t, thread)
			     ? trace_text_get(&t->texts, thread->name)->p
			     : p->url && p->is_subframe ? "Frame"
							: "Main",
		     page);
	}
	for (size_t i = 0; i < t->n_threads; i++)
		if (t->threads[i].url)
			give(t, &t->threads[i], "Worker", t->threads[i].url);
}

/* The pool that a thread is of; NULL: none. */
static const char *pool_of(const struct trace *t, const struct trace_thread *thread)
{
	struct str name = trace_text_str(&t->texts, thread->name);
	bool is_pool = (str_begins(name, "ThreadPool") || str_begins(name, "TaskScheduler")) &&
		memmem(name.p, name.len, "Worker", 6);

	if ((thread->is_raster && is_pool) || str_begins(name, "CompositorTileWorker"))
		return "Raster";
	return is_pool ? "Thread pool" : NULL;
}

static int by_ids(const void *a, const void *b)
{
	const struct trace_thread *x = *(struct trace_thread *const *)a,
				  *y = *(struct trace_thread *const *)b;

	return x->pid == y->pid ? (x->tid > y->tid) - (x->tid < y->tid) : x->pid < y->pid ? -1 : 1;
}

/* Name threads by what they are for: `Raster 1`, `Worker`. */
static void name_kinds(struct trace *t)
{
	ALLOC_LOCAL const struct trace_thread **sorted = xcalloc(t->n_threads, sizeof *sorted);
	int n[2] = { 0, 0 };
	char title[32];

	for (size_t i = 0; i < t->n_threads; i++)
		sorted[i] = &t->threads[i];
	qsort(sorted, t->n_threads, sizeof *sorted, by_ids);
	for (size_t i = 0; i < t->n_threads; i++) {
		const struct trace_thread *thread = sorted[i];
		const char *pool = pool_of(t, thread);
		bool is_worker = str_is(trace_text_str(&t->texts, thread->name),
					"DedicatedWorker thread");

		if (i && thread->pid != sorted[i - 1]->pid)
			n[0] = n[1] = 0;
		if (pool)
			snprintf(title, sizeof title, "%s %d", pool, ++n[*pool == 'R']);
		else
			snprintf(title, sizeof title, "Worker");
		if (pool || (is_worker && !thread->url))
			track_builder_page(t->b, thread->pid, thread->tid,
					   (struct str){ title, strlen(title) },
					   (struct str){ "", 0 });
	}
}

/* ==== trace names ====
 *
 * Names and order of the processes and threads of a trace. Metadata events give them, at any
 * place in the file; the last event counts. The page of a renderer ("trace page" above) gives its
 * origin.
 */

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

/* The innermost slice of the thread has no self time, as one of another thread is inside of it. */
static void take_no_self(struct trace *t, const struct trace_event *e)
{
	struct trace_thread *thread = trace_thread_get(t, e->pid, e->tid);

	if (!(e->has & HAS_TS) || !(e->has & HAS_DUR) || e->dur <= 0) {
		builder_warn(t->b, e->has & HAS_TS ? WARN_DUR_MISSING : WARN_TIME_MISSING,
			     e->offset);
		return;
	}
	track_builder_cover(t->b, trace_thread_slices(t, thread),
			    &(struct track_cover){ .t0 = e->ts,
						   .t1 = e->ts + e->dur,
						   .depth = TRACK_COVER_INNERMOST });
}

bool trace_names_metadata(struct trace *t, const struct trace_event *e)
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
		take_no_self(t, e);
		break;
	default:
		break;
	}
	return true;
}

/* ---- at the end ---- */

static int rank_of(struct trace *t, const struct trace_thread *thread)
{
	const char *pool = pool_of(t, thread);
	struct str name = trace_text_str(&t->texts, thread->name);

	if (str_is(name, "CrRendererMain") || str_is(name, "CrBrowserMain") ||
	    str_is(name, "CrGpuMain") || str_is(name, "JavaScriptMainThread") ||
	    thread->tid == thread->pid || is_main(t, thread))
		return 0;
	if (str_begins(name, "DedicatedWorker") || str_begins(name, "[worker "))
		return 1;
	if (pool || str_begins(name, "ThreadPool"))
		return pool && *pool == 'R' ? 3 : 4;
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
	if (p->url && str_is(trace_text_str(&t->texts, p->name), "Renderer")) {
		const char *host = strstr(url->p, "://");

		if (host)
			len = (size_t)(host - url->p) + 3 + strcspn(host + 3, "/?#");
		if (len) {
			buf_addc(&title, ' ');
			buf_add(&title, url->p, len);
		}
	}
	if (title.len)
		track_builder_name(t->b, p->pid, LANE_NO_ID, buf_text(&title), title.len);
	buf_done(&title);
	if (p->has_sort)
		track_builder_sort(t->b, p->pid, LANE_NO_ID, p->sort_index, 0);
}

/* The text that an id is in the file. 0: the id is a number. */
static text_id text_of_id(const struct trace *t, int64_t id)
{
	return id > TRACE_TEXT_ID && id < TRACE_TEXT_ID + t->texts.n ? (text_id)(id - TRACE_TEXT_ID)
								     : 0;
}

static void finish_names(struct trace *t)
{
	for (size_t i = 0; i < t->n_threads; i++) {
		const struct trace_text *name = trace_text_get(&t->texts,
							       text_of_id(t, t->threads[i].pid));

		if (name->len)
			track_builder_name(t->b, t->threads[i].pid, LANE_NO_ID, name->p, name->len);
	}
	for (size_t i = 0; i < t->n_processes; i++)
		name_process(t, &t->processes[i]);
	for (size_t i = 0; i < t->n_threads; i++) {
		const struct trace_thread *thread = &t->threads[i];
		const struct trace_text *name = trace_text_get(
			&t->texts, thread->name ? thread->name : text_of_id(t, thread->tid));

		if (name->len)
			track_builder_name(t->b, thread->pid, thread->tid, name->p, name->len);
		track_builder_sort(t->b, thread->pid, thread->tid, thread->sort_index,
				   rank_of(t, thread));
	}
	name_kinds(t);
	finish_pages(t);
}

const struct trace_part trace_names_part = { finish_names, NULL };

/* ==== trace entry ====
 *
 * Entries that a user changed in DevTools (metadata.modifications). A key names each entry: `r-12`
 * is the event with the number 12 in the file, counted from 0, and `s-12` what DevTools makes of
 * that event; other keys name calls of samples. Nothing is hidden: the input notes tell what was
 * done.
 *
 * One comparison for each event finds the next one that is named. Events that were read before the
 * metadata are read again (trace_copy). */

#define ENTRIES_MAX 1000
#define LISTED_MAX 8 /* entries of a note */

static void add_key(struct trace *t, enum note_kind kind, const char *key, const char *label)
{
	if (t->entries.n < ENTRIES_MAX)
		notes_add(&t->entries,
			  &(struct user_note){ .kind = kind,
					       .offset = -1,
					       .key = (char *)(uintptr_t)key,
					       .text = (char *)(uintptr_t)label });
}

static void add_keys(struct trace *t, const struct json_value *list, enum note_kind kind)
{
	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next)
		if (v->type == JSON_STRING)
			add_key(t, kind, v->text.p, NULL);
}

/* Objects with two texts: a key and a label, or two keys. */
static void add_pairs(struct trace *t, const struct json_value *list, const char *first,
		      const char *second)
{
	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next) {
		const char *key, *other;
		size_t len;

		if (!json_tree_text(v, first, &key, &len) ||
		    !json_tree_text(v, second, &other, &len) || t->entries.n + 2 > ENTRIES_MAX)
			continue;
		if (*second == 'l') {
			add_key(t, NOTE_LABEL, key, other);
		} else {
			add_key(t, NOTE_LINK, key, NULL);
			add_key(t, NOTE_LINK_END, other, NULL);
		}
	}
}

/* Find the first event that is named and was not read yet. */
static void find_next(struct trace *t)
{
	t->next_entry = UINT64_MAX;
	for (size_t i = 0; i < t->entries.n; i++) {
		uint64_t number = notes_number(&t->entries.list[i]);

		if (number >= t->n_events && number < t->next_entry)
			t->next_entry = number;
	}
}

/* Collect the entries from `metadata.modifications`. */
static void collect_entries(struct trace *t, const struct json_value *all)
{
	const struct json_value *entries = json_tree_find(all, "entriesModifications"),
				*notes = json_tree_find(all, "annotations");

	add_keys(t, json_tree_member(entries, "hiddenEntries", JSON_ARRAY), NOTE_HIDDEN);
	add_keys(t, json_tree_member(entries, "expandableEntries", JSON_ARRAY), NOTE_EXPANDABLE);
	add_pairs(t, json_tree_member(notes, "entryLabels", JSON_ARRAY), "entry", "label");
	add_pairs(t, json_tree_member(notes, "linksBetweenEntries", JSON_ARRAY), "entryFrom",
		  "entryTo");
	find_next(t);
}

void trace_entry_take(struct trace *t, const struct trace_event *e)
{
	for (size_t i = 0; i < t->entries.n; i++) {
		struct user_note *note = &t->entries.list[i];

		if (notes_number(note) != t->next_entry)
			continue;
		free(note->name);
		note->name = xstrdup(trace_text_get(&t->texts, e->name)->p);
		note->t = e->ts;
		note->offset = e->offset;
	}
	find_next(t);
}

/* Append `Layout at 1 234 Âµs (r-12)`. */
static void add_entry(const struct user_note *note, struct buf *out)
{
	if (note->name)
		buf_addf(out, "%s at %s (%s)", note->name, units_exact(note->t, UNITS_ROOM),
			 note->key);
	else
		buf_adds(out, note->key);
}

/* One note of the input for all entries of a kind. */
static void note_all(struct trace *t, enum note_kind kind, const char *what)
{
	BUF_LOCAL text = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < t->entries.n; i++) {
		if (t->entries.list[i].kind != kind || n++ >= LISTED_MAX)
			continue;
		buf_adds(&text, n > 1 ? ", " : "");
		add_entry(&t->entries.list[i], &text);
	}
	if (n > LISTED_MAX)
		buf_addf(&text, ", and %zu more", n - LISTED_MAX);
	if (n && trace_may_note(t))
		builder_input_note(t->b, false, "%zu entr%s %s: %s", n, n == 1 ? "y" : "ies", what,
				   buf_text(&text));
}

/* The numbers of `p-pid-tid-sample-node`, the key of a call. */
static bool call_of(const char *key, int64_t n[4])
{
	const char *at = key + 1;
	int k = 0;
	char *end;

	for (; key[0] == 'p' && k < 4 && at[0] == '-' && at[1]; at = end)
		n[k++] = strtoll(at + 1, &end, 10);
	return k == 4 && !*at;
}

static void finish_entries(struct trace *t)
{
	note_all(t, NOTE_HIDDEN, "hidden in DevTools, and shown here");
	note_all(t, NOTE_EXPANDABLE, "expandable in DevTools, with hidden ones below");
	for (size_t i = 0; i < t->entries.n; i++) {
		struct user_note note = t->entries.list[i];
		struct buf text = { 0 };
		int64_t n[4];

		add_entry(&note, &text);
		if (note.kind == NOTE_LABEL && trace_may_note(t))
			builder_input_note(t->b, false, "label of %s: %.200s", buf_text(&text),
					   note.text);
		buf_done(&text);
		if (call_of(note.key, n)) {
			note.pid = n[0];
			note.tid = n[1];
			(void)trace_cpu_call(t, (size_t)n[2], n[3], &note);
		}
		track_builder_note(t->b, &note);
	}
}

static void free_entries(struct trace *t)
{
	notes_done(&t->entries);
}

const struct trace_part trace_entry_part = { finish_entries, free_entries };

/* ==== trace metadata ==== */

#define LABELS "Labelled ranges"
#define VALUE_MAX ((size_t)16 << 20)
#define MAP_BEGIN 4096u /* bytes of an object in which its url is looked for */

/* Note a value that is a string, a number or a boolean, and what it says of the machine. */
static void note_value(struct trace *t, const char *name, struct str raw)
{
	static const struct {
		const char *name;
		enum input_host is;
	} keys[] = {
		{ "hostname", INPUT_HOST_NAME },
		{ "cpu-brand", INPUT_HOST_CPU },
		{ "os-name", INPUT_HOST_OS },
		{ "clock-domain", INPUT_HOST_CLOCK },
	};
	const struct json_value *v = trace_text_json(t, raw);

	if (v && v->text.len > 0 && *v->text.p && trace_may_note(t))
		builder_input_note(t->b, false, "%s: %.200s", name, v->text.p);
	for (size_t i = 0; v && raw.p[0] == '"' && i < ARRAY_LEN(keys); i++)
		if (strcmp(name, keys[i].name) == 0)
			builder_this_input(t->b)->host[keys[i].is] = v->text.len
				? builder_input_text(t->b, v->text.p, v->text.len)
				: 0;
}

/* Get the times `min` and `max`, which are in us, in ns. */
static bool range_of(const struct json_value *o, int64_t *t0, int64_t *t1)
{
	enum number_kind kind;
	const char *a, *b;
	size_t a_len, b_len;

	return json_tree_text(o, "min", &a, &a_len) && json_tree_text(o, "max", &b, &b_len) &&
		json_number_parse(a, a_len, 3, t0, &kind) && kind != NUMBER_HUGE &&
		json_number_parse(b, b_len, 3, t1, &kind) && kind != NUMBER_HUGE &&
		*t0 > -PROFILE_TIME_MAX && *t1 < PROFILE_TIME_MAX && *t0 <= *t1;
}

/* Breadcrumbs nest. The innermost one is the last view in DevTools. */
static void take_window(struct trace *t, const struct json_value *crumb)
{
	const struct json_value *child;
	int64_t t0, t1;

	for (; crumb; crumb = child) {
		child = json_tree_member(crumb, "child", JSON_OBJECT);
		if (range_of(json_tree_find(crumb, "window"), &t0, &t1) && t0 < t1)
			track_builder_window(t->b, t0, t1);
	}
}

/* A range of time with a label is a slice of a track of its own. Ranges that overlap stand on rows
 * of their own, so each is a group. */
static void take_label(struct trace *t, const struct json_value *o)
{
	const char *label;
	size_t len;
	int64_t t0, t1;

	if (!json_tree_text(o, "label", &label, &len) ||
	    !range_of(json_tree_find(o, "bounds"), &t0, &t1))
		return;
	if (!t->labels)
		t->labels = track_builder_add(t->b, LANE_ASYNC, LANE_NO_ID, LANE_NO_ID, LABELS,
					      strlen(LABELS)) +
			1;
	track_builder_slice(t->b, t->labels - 1,
			    &(struct track_slice){ .t0 = t0,
						   .t1 = t1,
						   .frame = track_builder_frame(t->b, label, len),
						   .group = ++t->n_labels,
						   .offset = -1,
						   .end_offset = -1 });
}

/* Note the place of the object that is next, if its url is among its first bytes. Returns whether
 * it is. */
static bool note_map(struct trace *t)
{
	char begin[MAP_BEGIN + CURSOR_PAD] = { 0 };
	int64_t offset = scan_offset(t->s);
	BUF_LOCAL url = { 0 };
	bool is_noted = false;
	struct str text, value;
	struct cursor c;

	if (!scan_window(t->s, MAP_BEGIN, &text) || !text.len || text.p[0] != '{')
		return false;
	text.len = text.len < MAP_BEGIN ? text.len : MAP_BEGIN;
	memcpy(begin, text.p, text.len);
	c = cursor_of((struct str){ begin, text.len });
	c.p++;
	for (bool is_first = true; cursor_key(&c, &is_first, &text) && cursor_raw(&c, &value);) {
		if (!str_is(text, "url"))
			continue;
		is_noted = value.p[0] == '"' && json_tree_decode(value.p, value.len, &url) &&
			url.len;
		if (is_noted)
			builder_input_map(t->b, url.data, url.len, offset);
		break;
	}
	return is_noted;
}

/* has_some: set if the place of any map was noted. */
static bool read_maps(struct trace *t, bool *has_some)
{
	bool is_first = true;

	if (scan_peek(t->s) != '[')
		return scan_skip(t->s);
	scan_open(t->s, '[');
	while (scan_element(t->s, &is_first)) {
		scan_peek(t->s);
		*has_some |= note_map(t);
		if (!scan_skip(t->s))
			return false;
	}
	return t->err->kind == ERR_NONE;
}

bool trace_metadata_read(void *ctx)
{
	struct trace *t = ctx;
	bool is_first = true;
	struct str key, raw;
	char name[40];

	if (!scan_open(t->s, '{'))
		return false;
	builder_this_input(t->b)->has_metadata = true;
	while (scan_key(t->s, &is_first, &key)) {
		bool is_maps = str_is(key, "sourceMaps");
		bool is_large = str_is(key, "resources") || is_maps, has_maps = false;
		int64_t from = scan_offset(t->s);
		int c = scan_peek(t->s);

		snprintf(name, sizeof name, "%.*s", key.len > 32 ? 32 : (int)key.len, key.p);
		if (!is_large &&
		    (c != '{' && c != '[' ? true : strcmp(name, "modifications") == 0)) {
			if (!scan_raw(t->s, VALUE_MAX, &raw))
				return false;
			if (c == '{') {
				const struct json_value *all = trace_text_json(t, raw), *list;

				take_window(t, json_tree_find(all, "initialBreadcrumb"));
				list = json_tree_member(json_tree_find(all, "annotations"),
							"labelledTimeRanges", JSON_ARRAY);
				for (const struct json_value *v = list ? list->first : NULL; v;
				     v = v->next)
					take_label(t, v);
				collect_entries(t, all);
			} else {
				note_value(t, name, raw);
			}
			continue;
		}
		if (is_maps ? !read_maps(t, &has_maps) : !scan_skip(t->s))
			return false;
		/* What maps give is told when they are read. */
		if (is_large && !has_maps && scan_offset(t->s) - from > 4 && trace_may_note(t))
			builder_input_note(t->b, true, "metadata.%s (%s) not shown", name,
					   units_bytes(scan_offset(t->s) - from, UNITS_ROOM));
	}
	return t->err->kind == ERR_NONE;
}
