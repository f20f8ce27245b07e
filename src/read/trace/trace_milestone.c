/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Milestones of pages, interactions, and the figures of each page: LCP, INP, CLS, by the rules of
 * web-vitals as DevTools applies them (formats(5), MILESTONES). Events are kept until the end of
 * the trace, as they may come in any order. Only the main frame has milestones; layout shifts and
 * interactions count in all frames. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Both begin with keys by which they are sorted. */
#define KEYS 4

/* An event about a page. */
struct seen {
	int64_t key[KEYS]; /* its time; its number in the file */
	enum meaning means;
	text_id frame, navigation;
	text_id text;               /* the url of a navigation; the name of a mark */
	int64_t value;              /* number of a candidate; score of a shift, * 10^9 */
	int64_t image_t0, image_t1; /* of a candidate, ns since the navigation; -1: no image */
	int64_t offset;
	bool is_main;
};

/* An EventTiming, which becomes an interaction when its end is known. */
struct timing {
	int64_t key[KEYS];
	int64_t id, pid, tid, ts, end, offset;
	int64_t at; /* number in the file, of its end once that is known */
	text_id type;
	int64_t interaction;
	int64_t t0, t1; /* of its processing */
	bool is_end;
};

/* A page while its figures are found. */
struct page {
	text_id navigation, url;
	int64_t candidate, lcp;   /* lcp: its time */
	const struct seen *shift; /* the largest one that CLS is of */
	struct page_load load;
	size_t n_interactions, n_longer; /* n_longer: while the worst is looked for */
	const struct timing *worst;
	bool is_beyond; /* that of all after PAGES_MAX */
};

/* More marks of the page's own would hide the chart: none of them is a milestone then. */
#define MARKS_MAX 1000u

/* Events are looked up among them: what comes after one more belongs to a page that is not told. */
#define PAGES_MAX 256
#define LANE_TITLE "Interactions"

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
}

/* ---- events ---- */

static void add_seen(struct trace *t, const struct trace_event *e, struct seen seen)
{
	struct trace_milestones *m = TRACE_KEPT(t, milestones);

	seen.offset = e->offset;
	seen.key[0] = e->ts;
	seen.key[1] = (int64_t)m->n;
	*ARRAY_ADD(m->seen, m->n, m->cap) = seen;
}

void trace_milestone_event(struct trace *t, const struct trace_event *e)
{
	enum meaning means = (enum meaning)trace_text_get(&t->texts, e->name)->meaning;
	struct seen seen = { .means = means, .image_t0 = -1, .image_t1 = -1 };
	const struct json_value *args, *data;

	if (means < MEANS_NAVIGATION_START) {
		seen.text = e->name;
		seen.means = MEANS_NOTHING;
		if (TRACE_KEPT(t, milestones)->n_marks++ < MARKS_MAX)
			add_seen(t, e, seen);
		return;
	}
	args = trace_text_json(t, e->args);
	data = json_tree_find(args, "data");
	if (!args)
		trace_event_no_value(t, e);
	seen.frame = trace_text_in(t, json_tree_find(args, "frame") ? args : data, "frame");
	seen.navigation = trace_text_in(t, data, "navigationId");
	seen.text = trace_text_in(t, data, "documentLoaderURL");
	seen.is_main = trace_text_is_true(data, "isOutermostMainFrame") ||
		trace_text_is_true(data, "isLoadingMainFrame") ||
		trace_text_is_true(data, "isMainFrame");
	/* A document that only stands until the page is there has no url. */
	if ((means == MEANS_NAVIGATION_START && !seen.text) ||
	    trace_text_is_true(data, "had_recent_input"))
		return;
	seen.value = means == MEANS_LAYOUT_SHIFT
		? trace_text_number(data, "weighted_score_delta", 9, 0)
		: trace_text_number(data, "candidateIndex", 0, 0);
	if (trace_text_number(data, "imageLoadEnd", 6, 0) > 0) {
		seen.image_t0 = trace_text_number(data, "imageDiscoveryTime", 6, -1);
		seen.image_t1 = trace_text_number(data, "imageLoadEnd", 6, -1);
	}
	add_seen(t, e, seen);
}

void trace_milestone_timing(struct trace *t, const struct trace_event *e)
{
	struct trace_milestones *m = TRACE_KEPT(t, milestones);
	const struct json_value *data = e->ph == 'b'
		? json_tree_find(trace_text_json(t, e->args), "data")
		: NULL;
	int64_t stamp = trace_text_number(data, "timeStamp", 6, 0),
		begin = trace_text_number(data, "processingStart", 6, 0),
		end = trace_text_number(data, "processingEnd", 6, 0);
	struct timing x = { .id = (int64_t)trace_mix(e->id, (uint64_t)e->pid),
			    .pid = e->pid,
			    .tid = e->tid,
			    .ts = e->ts,
			    .offset = e->offset,
			    .at = (int64_t)m->n_timings,
			    .interaction = trace_text_number(data, "interactionId", 0, 0),
			    .t0 = e->ts - stamp + begin,
			    .t1 = e->ts - stamp + end,
			    .is_end = e->ph == 'e' };

	if (!x.is_end && (!x.interaction || trace_text_number(data, "duration", 6, 0) < NS_PER_MS))
		return;
	/* Without one of these it has an end, and counts for nothing. */
	if (stamp && begin && end)
		x.type = trace_text_in(t, data, "type");
	*ARRAY_ADD(m->timings, m->n_timings, m->cap_timings) = x;
}

void trace_milestone_frame(struct trace *t, const struct json_value *frame)
{
	struct trace_milestones *m = TRACE_KEPT(t, milestones);
	bool has_flag = json_tree_find(frame, "isOutermostMainFrame") != NULL,
	     is_primary = !json_tree_find(frame, "isInPrimaryMainFrame") ||
		trace_text_is_true(frame, "isInPrimaryMainFrame");

	if (has_flag ? !is_primary || !trace_text_is_true(frame, "isOutermostMainFrame")
		     : json_tree_find(frame, "parent") || !trace_text_in(t, frame, "url"))
		return;
	m->main = trace_text_in(t, frame, "frame");
	m->main_url = trace_text_in(t, frame, "url");
}

/* ---- pages ---- */

static int by_key(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	for (int i = 0; i < KEYS; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

/* The main frame: that which the recording states; else of the first navigation of a main frame,
 * to the web if there is one. */
static text_id find_main(const struct trace *t)
{
	const struct trace_milestones *m = t->milestones;
	text_id first = m->main;

	for (size_t i = 0; i < m->n && !m->main; i++) {
		const struct seen *s = &m->seen[i];

		if (s->means != MEANS_NAVIGATION_START || !s->is_main)
			continue;
		if (str_begins(trace_text_str(&t->texts, s->text), "http"))
			return s->frame;
		first = first ? first : s->frame;
	}
	return first;
}

static struct page *add_page(struct trace_milestones *m, const struct seen *s, text_id url)
{
	struct page *page;

	page = ARRAY_ADD(m->pages, m->n_pages, m->cap_pages);
	*page = (struct page){ .url = url,
			       .navigation = s ? s->navigation : 0,
			       .load = { .has_navigation = s != NULL,
					 .t = s ? s->key[0] : INT64_MIN,
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
	/* The first page is that before all navigations. */
	for (size_t i = 0; i < m->n && m->n_pages <= PAGES_MAX + 1; i++) {
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
	if (m->n_pages <= PAGES_MAX + 1)
		return;
	m->pages[PAGES_MAX + 1].is_beyond = true;
	builder_input_note(t->b, true,
			   "more than %d pages: figures of the later ones are not shown",
			   PAGES_MAX);
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

static void take_paint(struct trace *t, const struct seen *s, enum milestone_kind kind)
{
	struct page *page = page_of(t->milestones, s->navigation, s->key[0]);
	bool is_largest = kind == MILESTONE_LCP;

	if (!is_largest)
		add_milestone(t, kind, s->key[0], 0);
	if (!page || (is_largest && s->value <= page->candidate))
		return;
	page->load.has_shifts |= is_largest || kind == MILESTONE_FCP;
	if (page->load.has_navigation)
		page->load.after[kind] = s->key[0] - page->load.t;
	page->load.events[kind] = s->offset;
	if (is_largest) {
		page->candidate = s->value;
		page->lcp = s->key[0];
		page->load.image_t0 = s->image_t0;
		page->load.image_t1 = s->image_t1;
	}
}

/* Sum up shifts by session windows: at most a second between them, at most five seconds long. */
struct session {
	int64_t first, last;
	double score;
	const struct seen *largest;
	struct page *page;
};

static void take_shift(struct trace *t, const struct seen *s, struct session *w)
{
	int64_t ts = s->key[0];
	struct page *page = page_of(t->milestones, 0, ts - 1);

	assert(page);
	if (w->page != page || ts - w->first > 5 * NS_PER_S || ts - w->last > NS_PER_S)
		*w = (struct session){ .first = ts, .page = page };
	w->last = ts;
	w->largest = w->largest && w->largest->value > s->value ? w->largest : s;
	w->score += (double)s->value / 1e9;
	page->load.has_shifts = true;
	if (w->score > page->load.shifts) {
		page->load.shifts = w->score;
		page->load.shifts_t0 = w->first;
		page->shift = w->largest;
	}
	add_milestone(t, MILESTONE_SHIFT, ts, 0);
}

static void take_seen(struct trace *t, const struct seen *s, struct session *w)
{
	static const enum milestone_kind kinds[] = {
		[MEANS_SOFT_NAVIGATION] = MILESTONE_SOFT, [MEANS_FIRST_PAINT] = MILESTONE_FP,
		[MEANS_CONTENTFUL_PAINT] = MILESTONE_FCP, [MEANS_LARGEST_PAINT] = MILESTONE_LCP,
		[MEANS_DOM_CONTENT] = MILESTONE_DCL,      [MEANS_LOAD] = MILESTONE_LOAD,
	};
	struct trace_milestones *m = t->milestones;

	if (s->means == MEANS_LAYOUT_SHIFT)
		take_shift(t, s, w);
	else if (!m->main || (s->means == MEANS_NOTHING && m->n_marks > MARKS_MAX))
		return;
	else if (s->means == MEANS_NOTHING)
		add_milestone(t, MILESTONE_TIMING, s->key[0], s->text);
	else if (s->frame == m->main && s->text)
		add_milestone(t, MILESTONE_NAVIGATION, s->key[0], s->text);
	else if (s->frame == m->main)
		take_paint(t, s, kinds[s->means]);
}

/* ---- interactions ---- */

/* What of the page a type of event is by: 0: the pointer, 1: keys, 2: something else. */
static int group_of(struct str type)
{
	return str_begins(type, "key") ? 1
		: str_begins(type, "pointer") || str_begins(type, "mouse") ||
			str_begins(type, "touch") || str_is(type, "click")
		? 0
		: 2;
}

/* Sort the first n timings by keys; what: `p` to pair, `j` to join, `l` by length. */
static void sort_timings(struct trace *t, size_t n, char what)
{
	struct timing *list = t->milestones->timings;

	for (size_t i = 0; i < n; i++) {
		struct timing *x = &list[i];
		const int64_t keys[][KEYS] = {
			{ x->id, x->ts, x->is_end, x->at },
			{ group_of(trace_text_str(&t->texts, x->type)), x->end, x->ts, x->at },
			{ x->ts - x->end, x->ts, x->at, 0 },
		};

		memcpy(x->key, keys[what == 'p' ? 0 : what == 'j' ? 1 : 2], sizeof x->key);
	}
	if (n)
		qsort(list, n, sizeof *list, by_key);
}

/* Pair begins with ends of their id, the last begin first. Returns how many have both; these are
 * the first ones then. */
static size_t pair_timings(struct trace *t)
{
	struct trace_milestones *m = t->milestones;
	struct timing *paired = xcalloc(m->n_timings + 1, sizeof *paired);
	size_t n = 0, from = 0, n_open = 0; /* open begins: from `from` on, over what is done */

	sort_timings(t, m->n_timings, 'p');
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
		n += paired[n].type != 0;
	}
	free(m->timings);
	m->timings = paired;
	return n;
}

/* Of events of one kind of input with one end keep the longest, whose processing is then that of
 * all; of equally long ones of one interaction that with most processing. Returns their number. */
static size_t join_timings(struct trace *t, size_t n)
{
	struct timing *list = t->milestones->timings;
	size_t n_kept = 0;

	sort_timings(t, n, 'j');
	for (size_t i = 0; i < n; i++) {
		const struct timing *x = &list[i];
		struct timing *k = n_kept ? &list[n_kept - 1] : NULL;

		if (!k || k->key[0] != x->key[0] || k->end != x->end) {
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

/* ---- at the end ---- */

static void add_load(struct trace *t, struct page *page)
{
	struct page_load *load = &page->load;
	const struct timing *x = page->worst;
	int64_t headers = page->navigation ? trace_network_headers(t, page->navigation) : 0;

	if (page->is_beyond || (!load->has_navigation && !load->has_shifts && !x))
		return;
	load->first_byte = !load->has_navigation || load->after[MILESTONE_LCP] < 0 ||
			headers < load->t || headers > page->lcp
		? -1
		: headers - load->t;
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
	if (x) {
		load->after[MILESTONE_INP] = x->ts - load->t;
		load->events[MILESTONE_INP] = x->offset;
	}
	if (page->shift) {
		load->after[MILESTONE_SHIFT] = page->shift->key[0] - load->t;
		load->events[MILESTONE_SHIFT] = page->shift->offset;
		load->largest_shift = (double)page->shift->value / 1e9;
	}
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
	if (m->n)
		qsort(m->seen, m->n, sizeof *m->seen, by_key);
	find_pages(t);
	for (size_t i = 0; i < m->n; i++)
		take_seen(t, &m->seen[i], &session);
	n = pair_timings(t);
	n = join_timings(t, n);
	sort_timings(t, n, 'l');
	/* The worst interaction of a page is the longest; one is left out for each 50. They are
	 * sorted by their lengths. */
	for (size_t i = 0; i < n; i++)
		page_of(m, 0, m->timings[i].ts)->n_interactions++;
	for (size_t i = 0; i < n; i++) {
		struct page *page = page_of(m, 0, m->timings[i].ts);
		size_t left_out = page->n_interactions / 50;

		if (page->n_longer++ == (left_out < 9 ? left_out : 9))
			page->worst = &m->timings[i];
	}
	/* The lanes of interactions, each with its processing inside. */
	for (size_t i = 0; i < n; i++) {
		const struct timing *x = &t->milestones->timings[i];
		const struct page *page = page_of(t->milestones, 0, x->ts);
		BUF_LOCAL name = { 0 };

		buf_addf(&name, "%s%s", trace_text_get(&t->texts, x->type)->p,
			 page->worst == x ? " (INP)" : "");
		add_slice(t, track_of(t, x), i, buf_text(&name), x->ts, x->end);
		if (x->t1 > x->t0 && x->t0 >= x->ts && x->t1 <= x->end)
			add_slice(t, track_of(t, x), i, "processing", x->t0, x->t1);
	}
	for (size_t i = 0; i < m->n_pages; i++) {
		if (m->pages[i].candidate)
			add_milestone(t, MILESTONE_LCP, m->pages[i].lcp, 0);
		add_load(t, &m->pages[i]);
	}
}

const struct trace_part trace_milestone_part = { finish, free_milestones };
