/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Milestones of pages, interactions, and the figures of each page: LCP, INP, CLS, by the rules of
 * web-vitals as DevTools applies them (formats(5), MILESTONES). Events are kept until the end of
 * the trace, as they may come in any order. Only the main frame has milestones; layout shifts and
 * interactions count in all frames. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* An event about a page. */
struct seen {
	int64_t ts;
	size_t at; /* order in the file */
	enum meaning means;
	text_id frame, navigation;
	text_id text;  /* the url of a navigation; the name of a mark */
	int64_t value; /* number of a candidate, score * 10^9 of a shift, first byte of a response
			*/
	int64_t image_t0, image_t1; /* of a candidate, ns since the navigation; -1: no image */
	bool is_main;
};

/* An EventTiming, which becomes an interaction when its end is known. */
struct timing {
	uint64_t id;
	int64_t pid, tid, ts, end, offset;
	size_t at;
	text_id type;
	int64_t interaction;
	int64_t t0, t1; /* of its processing */
	int group;
	bool is_end;
};

/* A page while its figures are found. */
struct page {
	text_id navigation;
	int64_t candidate, lcp; /* lcp: its time */
	struct page_load load;
	text_id url;
	size_t n_interactions, n_longer; /* n_longer: while the worst is looked for */
	const struct timing *worst;
};

/* More marks of the page's own would hide the chart: none of them is a milestone then. */
#define MARKS_MAX 1000u

#define LANE_TITLE "Interactions"

#define SHIFT_GAP (INT64_C(1000) * 1000 * 1000)
#define SHIFT_WINDOW (5 * SHIFT_GAP)

struct trace_milestones {
	struct seen *seen;
	size_t n, cap, n_marks;
	struct timing *timings;
	size_t n_timings, cap_timings;
	text_id main, main_url; /* of the main frame, if the recording states it */
	struct page *pages;     /* the first one was there before the recording */
	size_t n_pages, cap_pages;
};

static void free_milestones(struct trace *t)
{
	if (!t->milestones)
		return;
	free(t->milestones->seen);
	free(t->milestones->timings);
	free(t->milestones->pages);
	free(t->milestones);
	t->milestones = NULL;
}

static struct trace_milestones *milestones_of(struct trace *t)
{
	if (!t->milestones)
		t->milestones = xcalloc(1, sizeof *t->milestones);
	return t->milestones;
}

/* ---- events ---- */

static text_id text_in(struct trace *t, const struct json_value *o, const char *name)
{
	const char *text;
	size_t len;

	return json_tree_text(o, name, &text, &len) ? trace_text_add(&t->texts, text, len) : 0;
}

static bool is_true(const struct json_value *o, const char *name)
{
	const struct json_value *v = json_tree_find(o, name);

	return v && v->type == JSON_BOOLEAN && *v->text.p == 't';
}

/* A number times 10^scale; `otherwise`: there is none. */
static int64_t number_in(const struct json_value *o, const char *name, int scale, int64_t otherwise)
{
	enum number_kind kind;
	const char *text;
	int64_t value;
	size_t len;

	return json_tree_text(o, name, &text, &len) &&
			json_number_parse(text, len, scale, &value, &kind) && kind != NUMBER_HUGE &&
			value < PROFILE_TIME_MAX && value > -PROFILE_TIME_MAX
		? value
		: otherwise;
}

static void add_seen(struct trace *t, struct seen seen)
{
	struct trace_milestones *m = milestones_of(t);

	seen.at = m->n;
	m->seen = xgrow(m->seen, &m->cap, m->n + 1, sizeof *m->seen);
	m->seen[m->n++] = seen;
}

static void take_mark(struct trace *t, const struct trace_event *e)
{
	struct trace_milestones *m = milestones_of(t);

	if (m->n_marks++ < MARKS_MAX)
		add_seen(t, (struct seen){ .ts = e->ts, .means = MEANS_NOTHING, .text = e->name });
}

void trace_milestone_event(struct trace *t, const struct trace_event *e)
{
	enum meaning means = (enum meaning)trace_text_get(&t->texts, e->name)->meaning;
	struct seen seen = { .ts = e->ts, .means = means, .image_t0 = -1, .image_t1 = -1 };
	const struct json_value *args, *data, *url;

	if (means < MEANS_NAVIGATION_START) {
		take_mark(t, e);
		return;
	}
	args = trace_text_json(t, e->args);
	data = json_tree_find(args, "data");
	if (!args)
		trace_event_no_value(t, e);
	seen.frame = text_in(t, args, "frame");
	if (!seen.frame)
		seen.frame = text_in(t, data, "frame");
	seen.navigation = text_in(t, data, "navigationId");
	seen.is_main = is_true(data, "isOutermostMainFrame") ||
		is_true(data, "isLoadingMainFrame") || is_true(data, "isMainFrame");
	url = json_tree_find(data, "documentLoaderURL");
	/* A document that only stands until the page is there has no url. */
	if (means == MEANS_NAVIGATION_START && (!data || (url && !url->text.len)))
		return;
	if (means == MEANS_NAVIGATION_START)
		seen.text = text_in(t, data, "documentLoaderURL");
	if (means == MEANS_LAYOUT_SHIFT && is_true(data, "had_recent_input"))
		return;
	seen.value = means == MEANS_LAYOUT_SHIFT
		? number_in(data, "weighted_score_delta", 9, number_in(data, "score", 9, 0))
		: number_in(data, "candidateIndex", 0, 0);
	if (number_in(data, "imageLoadEnd", 6, 0) > 0) {
		seen.image_t0 = number_in(data, "imageDiscoveryTime", 6, -1);
		seen.image_t1 = number_in(data, "imageLoadEnd", 6, -1);
	}
	add_seen(t, seen);
}

void trace_milestone_timing(struct trace *t, const struct trace_event *e)
{
	struct trace_milestones *m = milestones_of(t);
	struct timing x = { .id = trace_mix(e->id, (uint64_t)e->pid),
			    .pid = e->pid,
			    .tid = e->tid,
			    .ts = e->ts,
			    .offset = e->offset,
			    .at = m->n_timings,
			    .is_end = e->ph == 'e' };
	const struct json_value *data;

	if (e->ph != 'b' && e->ph != 'e')
		return;
	if (e->ph == 'b') {
		int64_t clock;

		data = json_tree_find(trace_text_json(t, e->args), "data");
		x.interaction = number_in(data, "interactionId", 0, 0);
		clock = e->ts - number_in(data, "timeStamp", 6, 0);
		x.t0 = clock + number_in(data, "processingStart", 6, 0);
		x.t1 = clock + number_in(data, "processingEnd", 6, 0);
		if (!x.interaction || number_in(data, "duration", 6, 0) < NS_PER_MS)
			return;
		/* Without one of these it has an end, and counts for nothing. */
		if (number_in(data, "timeStamp", 6, 0) && x.t0 != clock && x.t1 != clock)
			x.type = text_in(t, data, "type");
	}
	m->timings = xgrow(m->timings, &m->cap_timings, m->n_timings + 1, sizeof *m->timings);
	m->timings[m->n_timings++] = x;
}

void trace_milestone_frame(struct trace *t, const struct json_value *frame)
{
	struct trace_milestones *m = milestones_of(t);
	bool is_primary = json_tree_find(frame, "isInPrimaryMainFrame") != NULL,
	     is_outermost = json_tree_find(frame, "isOutermostMainFrame") != NULL;

	if (is_outermost ? !is_true(frame, "isOutermostMainFrame") ||
			    (is_primary && !is_true(frame, "isInPrimaryMainFrame"))
			 : json_tree_find(frame, "parent") || !text_in(t, frame, "url"))
		return;
	m->main = text_in(t, frame, "frame");
	m->main_url = text_in(t, frame, "url");
}

/* ---- pages ---- */

static int by_time(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Find the main frame: that which the recording states; else of the first navigation of a main
 * frame, to the web if there is one; else of the first event that is of a main frame. */
static text_id find_main(const struct trace *t)
{
	const struct trace_milestones *m = t->milestones;
	text_id any = 0, navigated = 0;

	for (size_t i = 0; i < m->n && !m->main; i++) {
		const struct seen *s = &m->seen[i];
		struct str url = trace_text_str(&t->texts, s->text);

		if (!s->is_main || s->means < MEANS_NAVIGATION_START)
			continue;
		if (s->means == MEANS_NAVIGATION_START && str_begins(url, "http"))
			return s->frame;
		if (s->means == MEANS_NAVIGATION_START && !navigated)
			navigated = s->frame;
		any = any ? any : s->frame;
	}
	return m->main ? m->main : navigated ? navigated : any;
}

static struct page *add_page(struct trace_milestones *m, const struct seen *s, text_id url)
{
	struct page *page;

	m->pages = xgrow(m->pages, &m->cap_pages, m->n_pages + 1, sizeof *m->pages);
	page = &m->pages[m->n_pages++];
	*page = (struct page){ .url = url,
			       .navigation = s ? s->navigation : 0,
			       .load = { .has_navigation = s != NULL,
					 .t = s ? s->ts : INT64_MIN,
					 .first_byte = -1,
					 .image_t0 = -1,
					 .image_t1 = -1 } };
	for (int k = 0; k < MILESTONE_KINDS; k++)
		page->load.after[k] = -1;
	return page;
}

/* The page of a navigation; of events that name none, that of their time. NULL: it is not the main
 * frame's. */
static struct page *page_of(struct trace_milestones *m, text_id navigation, int64_t ts)
{
	size_t i = m->n_pages;

	while (i-- > 1)
		if (navigation ? m->pages[i].navigation == navigation : m->pages[i].load.t <= ts)
			return &m->pages[i];
	return navigation ? NULL : &m->pages[0];
}

static void find_pages(struct trace *t)
{
	struct trace_milestones *m = t->milestones;
	const struct page *last = add_page(m, NULL, m->main_url);
	bool is_fresh = false; /* nothing is known of the last page but its navigation */

	m->main = find_main(t);
	for (size_t i = 0; i < m->n; i++) {
		const struct seen *s = &m->seen[i];

		if (s->frame != m->main || !m->main)
			continue;
		/* Some navigations are there twice; old ones have no number. */
		if (s->means == MEANS_NAVIGATION_START &&
		    !(s->navigation ? page_of(m, s->navigation, 0) != NULL
				    : is_fresh && last->url == s->text))
			last = add_page(m, s, s->text);
		is_fresh = s->means == MEANS_NAVIGATION_START;
	}
}

/* ---- figures ---- */

static str_id text_of(struct trace *t, text_id id)
{
	struct str text = trace_text_str(&t->texts, id);

	return text.len ? builder_input_text(t->b, text.p, text.len) : 0;
}

static void add_milestone(struct trace *t, enum milestone_kind kind, int64_t ts, text_id name)
{
	track_builder_milestone(
		t->b, &(struct milestone){ .kind = kind, .t = ts, .name = text_of(t, name) });
}

static void take_paint(struct trace *t, const struct seen *s, struct page *page,
		       enum milestone_kind kind)
{
	if (kind != MILESTONE_LCP) {
		add_milestone(t, kind, s->ts, 0);
		if (page && page->load.has_navigation)
			page->load.after[kind] = s->ts - page->load.t;
	} else if (page && s->value > page->candidate) {
		page->candidate = s->value;
		page->lcp = s->ts;
		page->load.image_t0 = s->image_t0;
		page->load.image_t1 = s->image_t1;
		if (page->load.has_navigation)
			page->load.after[kind] = s->ts - page->load.t;
	}
	if (page)
		page->load.has_shifts |= kind == MILESTONE_LCP || kind == MILESTONE_FCP;
}

/* Sum up shifts by session windows: at most a second between them, at most five seconds long. */
struct session {
	int64_t first, last;
	double score;
	struct page *page;
};

static void take_shift(struct trace *t, const struct seen *s, struct session *w)
{
	struct page *page = page_of(t->milestones, 0, s->ts - 1);

	if (w->page != page || s->ts - w->first > SHIFT_WINDOW || s->ts - w->last > SHIFT_GAP)
		*w = (struct session){ .first = s->ts, .page = page };
	w->last = s->ts;
	w->score += (double)s->value / 1e9;
	page->load.has_shifts = true;
	page->load.shifts = w->score > page->load.shifts ? w->score : page->load.shifts;
	add_milestone(t, MILESTONE_SHIFT, s->ts, 0);
}

static void take_seen(struct trace *t, const struct seen *s, struct session *w)
{
	static const enum milestone_kind kinds[] = {
		[MEANS_FIRST_PAINT] = MILESTONE_FP,    [MEANS_CONTENTFUL_PAINT] = MILESTONE_FCP,
		[MEANS_LARGEST_PAINT] = MILESTONE_LCP, [MEANS_DOM_CONTENT] = MILESTONE_DCL,
		[MEANS_LOAD] = MILESTONE_LOAD,
	};
	struct trace_milestones *m = t->milestones;

	if (s->means == MEANS_LAYOUT_SHIFT) {
		take_shift(t, s, w);
	} else if (s->means == MEANS_NOTHING) {
		if (m->n_marks <= MARKS_MAX && m->main)
			add_milestone(t, MILESTONE_TIMING, s->ts, s->text);
	} else if (s->frame == m->main && m->main) {
		if (s->means == MEANS_NAVIGATION_START)
			add_milestone(t, MILESTONE_NAVIGATION, s->ts, s->text);
		else if (s->means == MEANS_SOFT_NAVIGATION)
			add_milestone(t, MILESTONE_SOFT, s->ts, 0);
		else
			take_paint(t, s, page_of(m, s->navigation, s->ts), kinds[s->means]);
	}
}

/* ---- interactions ---- */

/* Ends after the begins of their id, in the order of time. */
static int by_id(const void *a, const void *b)
{
	const struct timing *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	if (x->is_end != y->is_end)
		return x->is_end ? 1 : -1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* By kind of input, then end: longer ones first. */
static int by_end(const void *a, const void *b)
{
	const struct timing *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static int by_length(const void *a, const void *b)
{
	const struct timing *x = a, *y = b;

	if (x->end - x->ts != y->end - y->ts)
		return x->end - x->ts > y->end - y->ts ? -1 : 1;
	return x->ts < y->ts ? -1 : x->ts > y->ts;
}

static int group_of(struct str type)
{
	static const char *const types[] = { "pointerdown", "touchstart", "pointerup", "touchend",
					     "mousedown",   "mouseup",    "click",     "keydown",
					     "keypress",    "keyup" };

	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (str_is(type, types[i]))
			return types[i][0] == 'k';
	return 2;
}

/* Pair begins with ends of their id, the last begin first. Returns how many have both; these are
 * the first ones then. */
static size_t pair_timings(struct trace *t)
{
	struct trace_milestones *m = t->milestones;
	struct timing *paired = xcalloc(m->n_timings + 1, sizeof *paired);
	size_t n = 0, from = 0, n_open = 0; /* open begins: from `from` on, over what is done */

	qsort(m->timings, m->n_timings, sizeof *m->timings, by_id);
	for (size_t i = 0; i < m->n_timings; i++) {
		struct timing x = m->timings[i];

		if (i == 0 || x.id != m->timings[i - 1].id) {
			from = i;
			n_open = 0;
		}
		if (!x.is_end) {
			m->timings[from + n_open++] = x;
			continue;
		}
		if (n_open == 0)
			continue;
		paired[n] = m->timings[from + --n_open];
		paired[n].end = x.ts;
		paired[n].at = x.at; /* of equal ones the order of the ends decides */
		paired[n].group = group_of(trace_text_str(&t->texts, paired[n].type));
		n += paired[n].type != 0;
	}
	free(m->timings);
	m->timings = paired;
	return n;
}

/* Of events of one kind of input with one end keep the longest, whose processing is then that of
 * all; of equally long ones of one interaction that with most processing. Returns their number. */
static size_t join_timings(struct timing *list, size_t n)
{
	size_t n_kept = 0;

	qsort(list, n, sizeof *list, by_end);
	for (size_t i = 0; i < n; i++) {
		const struct timing *x = &list[i];
		struct timing *k = n_kept ? &list[n_kept - 1] : NULL;

		if (!k || k->group != x->group || k->end != x->end) {
			list[n_kept++] = *x;
		} else if (x->ts == k->ts && x->interaction == k->interaction &&
			   x->t1 - x->t0 > k->t1 - k->t0) {
			*k = *x;
		} else {
			k->t0 = x->t0 < k->t0 ? x->t0 : k->t0;
			k->t1 = x->t1 > k->t1 ? x->t1 : k->t1;
		}
	}
	return n_kept;
}

/* The worst interaction of a page is the longest; one is left out for each 50. */
static void find_worst(struct trace_milestones *m, size_t n)
{
	qsort(m->timings, n, sizeof *m->timings, by_length);
	for (size_t i = 0; i < n; i++)
		page_of(m, 0, m->timings[i].ts)->n_interactions++;
	for (size_t i = 0; i < n; i++) {
		struct page *page = page_of(m, 0, m->timings[i].ts);
		size_t left_out = page->n_interactions / 50;

		if (page->n_longer++ == (left_out < 9 ? left_out : 9))
			page->worst = &m->timings[i];
	}
}

static void add_slice(struct trace *t, uint32_t track, size_t i, const char *name, int64_t t0,
		      int64_t t1)
{
	track_builder_slice(
		t->b, track,
		&(struct track_slice){ .t0 = t0,
				       .t1 = t1,
				       .frame = track_builder_frame(t->b, name, strlen(name)),
				       .group = (uint32_t)i + 1,
				       .offset = t->milestones->timings[i].offset,
				       .end_offset = -1 });
}

/* The track of interactions of a process, below its page. */
static uint32_t track_of(struct trace *t, const struct timing *x)
{
	struct trace_process *p = trace_process_get(t, x->pid);

	if (!p->interactions)
		p->interactions = track_builder_add(t->b, LANE_ASYNC, x->pid, x->tid, LANE_TITLE,
						    strlen(LANE_TITLE)) +
			1;
	return p->interactions - 1;
}

/* The lanes of interactions, each with its processing inside. */
static void add_interactions(struct trace *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct timing *x = &t->milestones->timings[i];
		const struct page *page = page_of(t->milestones, 0, x->ts);
		struct buf name = { 0 };

		buf_addf(&name, "%s%s", trace_text_get(&t->texts, x->type)->p,
			 page->worst == x ? " (INP)" : "");
		add_slice(t, track_of(t, x), i, buf_text(&name), x->ts, x->end);
		if (x->t1 > x->t0 && x->t0 >= x->ts && x->t1 <= x->end)
			add_slice(t, track_of(t, x), i, "processing", x->t0, x->t1);
		buf_done(&name);
	}
}

/* ---- at the end ---- */

static void add_load(struct trace *t, struct page *page)
{
	struct page_load *load = &page->load;
	const struct timing *x = page->worst;
	int64_t headers = page->navigation ? trace_network_headers(t, page->navigation) : 0;

	if (!load->has_navigation && !load->has_shifts && !x)
		return;
	load->first_byte = headers < load->t || headers > page->lcp ? -1 : headers - load->t;
	if (load->after[MILESTONE_LCP] < 0 || load->image_t0 < load->first_byte ||
	    load->image_t1 < load->image_t0 || load->image_t1 > load->after[MILESTONE_LCP])
		load->image_t0 = load->image_t1 = -1;
	if (x)
		load->worst = (struct interaction){ .type = text_of(t, x->type),
						    .t = x->ts,
						    .delay = x->t0 - x->ts,
						    .processing = x->t1 - x->t0,
						    .presentation = x->end - x->t1 };
	if (!load->has_navigation)
		load->t = t->first;
	load->url = text_of(t, page->url);
	track_builder_load(t->b, load);
}

static void finish(struct trace *t)
{
	struct trace_milestones *m = t->milestones;
	struct session session = { 0 };
	size_t n;

	if (!m)
		return;
	qsort(m->seen, m->n, sizeof *m->seen, by_time);
	find_pages(t);
	for (size_t i = 0; i < m->n; i++)
		take_seen(t, &m->seen[i], &session);
	n = pair_timings(t);
	n = join_timings(m->timings, n);
	find_worst(m, n);
	add_interactions(t, n);
	for (size_t i = 0; i < m->n_pages; i++) {
		if (m->pages[i].candidate)
			add_milestone(t, MILESTONE_LCP, m->pages[i].lcp, 0);
		add_load(t, &m->pages[i]);
	}
}

const struct trace_part trace_milestone_part = { finish, free_milestones };
