/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scopes are built option by option; view.c interprets them. */
#include "config.h"

#include "analyse/scope.h"

#include "analyse/match_set.h"
#include "analyse/view/view.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/pattern.h"
#include "base/sort.h"
#include "base/str.h"
#include "base/text.h"
#include "base/units.h"
#include "findings/served_time.h"
#include "model/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- lanes ---- */

static bool is_digits(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0' && strlen(text) < 18;
}

/* Node.js counts threads from 0: if a thread 0 exists, thread 1 of process 1 (in a container) is a
 * worker. */
static bool has_thread_0(const struct profile *p, int64_t pid)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].pid == pid && p->lanes[i].tid == 0)
			return true;
	return false;
}

/* Main threads: number 0 of Node.js, the thread with the number of its process, and those that
 * Chromium names so. */
static bool is_main(const struct profile *p, const struct lane *lane)
{
	static const char *const names[] = { "CrRendererMain", "CrBrowserMain", "CrGpuMain",
					     "JavaScriptMainThread", "main" };
	const char *name = profile_text(p, lane->thread_name);

	if (STR_IN(str_of(name), names))
		return true;
	if (lane->tid == LANE_NO_ID)
		return lane->kind == LANE_SAMPLES && !*name && !lane->is_worker;
	return lane->tid == 0 || (lane->tid == lane->pid && !has_thread_0(p, lane->pid));
}

static void add_numbered(uint8_t *is, const struct profile *p, int64_t number)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		is[i] |= p->lanes[i].id == number;
}

/* Parse the id of a process or thread, which may be negative and ends at `end`. */
static bool parse_id(const char *text, char end, int64_t *id)
{
	const char *digits = text + (*text == '-');
	size_t n = strspn(digits, "0123456789");

	errno = 0;
	*id = strtoll(text, NULL, 10);
	return n > 0 && digits[n] == end && errno == 0 && *id != LANE_NO_ID;
}

/* Parse PID:TID; false: it is not of that form. */
static bool add_thread(uint8_t *is, const struct profile *p, const char *word)
{
	const char *colon = strchr(word, ':');
	int64_t pid, tid;

	if (!colon || !parse_id(word, ':', &pid) || !parse_id(colon + 1, '\0', &tid))
		return false;
	for (uint32_t i = 0; i < p->n_lanes; i++)
		is[i] |= p->lanes[i].pid == pid && p->lanes[i].tid == tid;
	return true;
}

/* The lanes of one word; the caller frees the result. */
static uint8_t *find_lanes(const struct profile *p, char *word, struct error *err)
{
	uint8_t *is;

	if (!is_digits(word) && strcmp(word, "main") != 0 && strcmp(word, "all") != 0) {
		is = xcalloc(p->n_lanes, 1);
		if (add_thread(is, p, word))
			return is;
		free(is);
		return frame_set_lanes(p, word, err);
	}
	is = xcalloc(p->n_lanes, 1);
	if (is_digits(word))
		add_numbered(is, p, strtoll(word, NULL, 10));
	for (uint32_t i = 0; i < p->n_lanes; i++)
		is[i] |= strcmp(word, "all") == 0 ||
			(strcmp(word, "main") == 0 && is_main(p, &p->lanes[i]));
	return is;
}

bool scope_select(struct scope *scope, const struct profile *p, const char *selector,
		  struct error *err)
{
	uint8_t *all = xcalloc(p->n_lanes, 1);
	ALLOC_LOCAL char *words = xstrdup(selector);
	char *word = words, *next;
	bool ok = true;

	for (; ok && word; word = next) {
		ALLOC_LOCAL uint8_t *is = NULL;

		next = strchr(word, ',');
		if (next)
			*next++ = '\0';
		is = find_lanes(p, word, err);
		ok = is != NULL;
		if (is && !memchr(is, 1, p->n_lanes))
			ok = error_set(err, ERR_FORMAT, -1, "no lane '%.200s'", word);
		for (uint32_t i = 0; is && i < p->n_lanes; i++)
			all[i] |= is[i];
	}
	/* Joined lanes are one lane: the number of each of them stands for all. */
	for (uint32_t i = 0, n; i < p->n_lanes; i += n) {
		n = lane_count_joined(&p->lanes[i], p->lanes + p->n_lanes);
		if (memchr(all + i, 1, n))
			memset(all + i, 1, n);
	}
	free(scope->is_lane);
	scope->is_lane = ok && memchr(all, 0, p->n_lanes) ? all : NULL;
	if (!scope->is_lane)
		free(all);
	return ok;
}

/* ==== during ==== */

static const char *const during_words[DURING_KINDS] = { "route:", "request:", "slice:" };

struct during {
	const struct profile *p;
	unsigned n_owners;
	enum during_kind kind;
	str_id name;   /* of all routes, or slices, that match; 0: they have several */
	bool is_whole; /* of requests: it is not known when their thread ran for them */
	struct slice_stretches matches; /* of all that match, in no order */
	struct served_time *served;     /* NULL: of slices */
	struct slice_stretches *times;  /* by thread of it; of slices, [0] is about all lanes */
	size_t n_times;
};

const char *during_word(enum during_kind kind)
{
	return during_words[kind];
}

/* The kind that a pattern begins with; DURING_KINDS: none. */
static enum during_kind kind_of(const char *pattern)
{
	unsigned k = 0;

	while (k < DURING_KINDS && strncmp(pattern, during_words[k], strlen(during_words[k])) != 0)
		k++;
	return (enum during_kind)k;
}

size_t during_skip(const char *pattern)
{
	enum during_kind kind = kind_of(pattern);

	return kind < DURING_KINDS ? strlen(during_words[kind]) : 0;
}

static void add_match(struct during *d, str_id name, int64_t t0, int64_t t1)
{
	d->name = d->matches.n && d->name != name ? 0 : name;
	slice_time_add(&d->matches, &(struct slice_stretch){ .t0 = t0, .t1 = t1 });
}

static void add_time(struct slice_stretches *to, int64_t t0, int64_t t1)
{
	if (t0 < t1)
		slice_time_add(to, &(struct slice_stretch){ .t0 = t0, .t1 = t1 });
}

/* Sort them, and join those that touch. */
static void join_times(struct slice_stretches *times)
{
	size_t n = 0;

	slice_time_sort(times);
	for (size_t i = 0; i < times->n; i++) {
		const struct slice_stretch *x = &times->list[i];
		struct slice_stretch *last = n ? &times->list[n - 1] : NULL;

		if (last && x->t0 <= last->t1)
			last->t1 = x->t1 > last->t1 ? x->t1 : last->t1;
		else
			times->list[n++] = *x;
	}
	times->n = n;
}

/* Add the slices of a lane that match. Slices open with a sample, the outer ones first. */
static void add_slices(struct during *d, const struct profile *p, const struct lane *lane,
		       const struct match_set *set)
{
	const struct samples *s = &lane->samples;
	struct span span;

	for (size_t i = 0; i < s->n; i++) {
		int row = lane->tree.rows[s->leaf[i]];

		for (node_id k = s->leaf[i]; row > (i ? samples_shared(s, i - 1) : 0);
		     k = lane->tree.parent[k], row--) {
			if (!match_set_has(set, p, lane, k) ||
			    profile_node_frame(p, lane, k)->category == CATEGORY_MARK ||
			    !span_of_sample(s, &lane->tree, i, row - 1, &span))
				continue;
			add_match(d, profile_node_frame(p, lane, k)->name, span.t0, span.t1);
			add_time(&d->times[0], span.t0, span.t1);
		}
	}
}

static bool find_slices(struct during *d, const struct profile *p, const char *pattern,
			struct error *err)
{
	struct match_set set;

	if (!frame_set_match(p, pattern, &set, err))
		return false;
	d->times = xcalloc(1, sizeof *d->times);
	d->n_times = 1;
	for (uint32_t i = 0; i < p->n_lanes && !set.labels; i++)
		if (p->lanes[i].kind == LANE_SLICES || p->lanes[i].kind == LANE_ASYNC)
			add_slices(d, p, &p->lanes[i], &set);
	join_times(&d->times[0]);
	match_set_done(&set);
	return d->matches.n > 0;
}

/* Add the time of requests, is[i] by index, of a thread. */
static void add_requests(struct during *d, const struct served_all *all,
			 const struct served_thread *thread, const uint8_t *is,
			 struct slice_stretches *to)
{
	for (size_t i = 0; thread->has_owners && i < thread->n; i++)
		if (thread->busy[i].served != SERVED_NONE && is[thread->busy[i].served])
			add_time(to, thread->busy[i].t0, thread->busy[i].t1);
	for (size_t i = 0; !thread->has_owners && i < all->n; i++) {
		const struct served *s = &all->requests[i];

		if (!is[i] || s->input != thread->input || s->pid != thread->pid ||
		    s->tid != thread->tid)
			continue;
		add_time(to, s->t0, s->t1);
		d->is_whole = true;
	}
	join_times(to);
}

/* What the pattern is compared with: the route, or method and path. */
static const char *request_text(const struct profile *p, const struct served *s, bool is_route,
				struct buf *text)
{
	const char *name = profile_text(p, s->name);

	if (is_route || !s->path)
		return name;
	buf_clear(text);
	buf_add(text, name, strcspn(name, " "));
	buf_addf(text, " %s", profile_text(p, s->path));
	return buf_text(text);
}

static bool find_requests(struct during *d, const struct profile *p, const char *pattern,
			  struct error *err)
{
	const struct served_all *all = &p->served;
	struct pattern *made = pattern_new(pattern, strlen(pattern), false, err);
	ALLOC_LOCAL uint8_t *is = xcalloc(all->n + 1, 1);
	const struct served_thread *threads;
	BUF_LOCAL text = { 0 };

	for (size_t i = 0; made && i < all->n; i++) {
		const struct served *s = &all->requests[i];
		const char *of = request_text(p, s, d->kind == DURING_ROUTE, &text);

		is[i] = pattern_find(made, of, strlen(of), NULL, NULL);
		if (is[i])
			add_match(d, d->kind == DURING_ROUTE ? s->name : 0, s->t0, s->t1);
	}
	pattern_free(made);
	if (!d->matches.n)
		return false;
	d->served = served_time_new(p);
	threads = served_time_threads(d->served, &d->n_times);
	d->times = xcalloc(d->n_times, sizeof *d->times);
	for (size_t i = 0; i < d->n_times; i++)
		add_requests(d, all, &threads[i], is, &d->times[i]);
	return true;
}

/* One kind; NULL: there is none, or err is set. */
static struct during *during_find(const struct profile *p, enum during_kind kind,
				  const char *pattern, struct error *err)
{
	struct during *d = xcalloc(1, sizeof *d);

	d->p = p;
	d->n_owners = 1;
	d->kind = kind;
	if ((kind == DURING_SLICE ? find_slices : find_requests)(d, p, pattern, err))
		return d;
	during_free(d);
	return NULL;
}

struct during *during_share(struct during *d)
{
	if (d)
		d->n_owners++;
	return d;
}

void during_free(struct during *d)
{
	if (!d || --d->n_owners)
		return;
	for (size_t i = 0; i < d->n_times; i++)
		free(d->times[i].list);
	free(d->times);
	free(d->matches.list);
	served_time_free(d->served);
	free(d);
}

const struct slice_stretches *during_times(const struct during *d, const struct lane *lane)
{
	static const struct slice_stretches none = { 0 };
	const struct served_thread *thread;
	size_t n;

	if (!d->served)
		return &d->times[0];
	thread = served_time_thread(d->served, lane);
	return thread ? &d->times[thread - served_time_threads(d->served, &n)] : &none;
}

void during_describe(const struct during *d, const char *pattern, int64_t t0, int64_t t1,
		     struct buf *out)
{
	const char *what = d->name ? profile_text(d->p, d->name) : pattern + during_skip(pattern);
	size_t n = 0;
	int64_t ns = 0;

	for (size_t i = 0; i < d->matches.n; i++)
		n += d->matches.list[i].t0 < t1 && d->matches.list[i].t1 > t0;
	for (size_t i = 0; i < d->n_times; i++)
		for (size_t k = 0; k < d->times[i].n; k++) {
			const struct slice_stretch *x = &d->times[i].list[k];
			int64_t from = x->t0 > t0 ? x->t0 : t0, to = x->t1 < t1 ? x->t1 : t1;

			ns += to > from ? to - from : 0;
		}
	buf_addf(out, "during %s ", during_words[d->kind]);
	text_visible(out, what, strlen(what));
	buf_addf(out, ": %s %s%s, %s%s", units_count(n, UNITS_ROOM),
		 d->kind == DURING_SLICE ? "slice" : "request", n == 1 ? "" : "s",
		 units_time(ns, UNITS_ROOM),
		 d->is_whole ? " (all of their time: whose CPU it is was not recorded)" : "");
}

/* ---- transforms ---- */

static bool match_during(const struct profile *p, const char *pattern, struct match_set *out,
			 struct error *err)
{
	static const char *const none[] = { "route", "request", "slice",
					    "route, request or slice" };
	enum during_kind only = kind_of(pattern);

	pattern += during_skip(pattern);
	if (!frame_set_check(pattern, err))
		return false;
	for (unsigned i = 0; i < DURING_KINDS && !out->during && err->kind == ERR_NONE; i++)
		if (only == DURING_KINDS || only == i)
			out->during = during_find(p, (enum during_kind)i, pattern, err);
	return out->during ||
		error_set(err, ERR_NOTHING, -1, "no %s matches '%.200s'%s", none[only], pattern,
			  p->served.n || only == DURING_SLICE
				  ? ""
				  : "; requests are recorded with --requests, here are none");
}

bool scope_match(const struct profile *p, enum transform_kind kind, const char *pattern,
		 struct match_set *out, struct error *err)
{
	*out = (struct match_set){ 0 };
	if (kind == TRANSFORM_DURING)
		return match_during(p, pattern, out, err);
	if (frame_set_match(p, pattern, out, err) &&
	    transform_is_possible(&(struct transform){ .kind = kind, .set = *out, .text = pattern },
				  err))
		return true;
	match_set_done(out);
	return false;
}

bool scope_add(struct scope *scope, const struct profile *p, enum transform_kind kind,
	       const char *pattern, struct error *err)
{
	struct transform t = { .kind = kind, .by = BY_ALL, .text = pattern };

	if (pattern) {
		t.by = BY_SET;
		if (!scope_match(p, kind, pattern, &t.set, err))
			return false;
	} else if (kind == TRANSFORM_DROP) {
		t.by = BY_CATEGORY;
		t.id = CATEGORY_IDLE;
	} else if (kind == TRANSFORM_FOLD) {
		t.by = BY_ANY_PACKAGE;
	}
	scope->transforms = xrealloc(scope->transforms, scope->n_transforms + 1,
				     sizeof *scope->transforms);
	scope->transforms[scope->n_transforms++] = t;
	return true;
}

struct view_work *scope_view_begin(const struct scope *scope, const struct profile *p,
				   struct view *view)
{
	const struct view_plan plan = { scope->transforms, scope->n_transforms, scope->group,
					scope->match, scope->files };
	ALLOC_LOCAL const struct lane **lanes = xcalloc(p->n_lanes, sizeof *lanes);
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if ((p->lanes[i].kind == LANE_SAMPLES || p->lanes[i].kind == LANE_SLICES) &&
		    (!scope->is_lane || scope->is_lane[i]))
			lanes[n++] = &p->lanes[i];
	return view_begin(view, p, lanes, n, &plan);
}

void scope_describe_transform(const struct scope *scope, const struct profile *p, size_t i,
			      struct buf *out)
{
	const struct transform *t = &scope->transforms[i];

	if (t->set.during)
		during_describe(t->set.during, t->text, scope->t0, scope->t1, out);
	else
		transform_describe(p, t, out);
}

void scope_describe(const struct scope *scope, const struct profile *p, struct buf *out)
{
	for (size_t i = 0; i < scope->n_transforms; i++) {
		buf_adds(out, i ? ", " : "");
		scope_describe_transform(scope, p, i, out);
	}
	if (scope->group != GROUP_FUNCTION)
		buf_addf(out, "%sby %s", scope->n_transforms ? ", " : "",
			 view_group_name(p, scope->group));
	if (scope->filter) {
		buf_adds(out,
			 scope->n_transforms || scope->group != GROUP_FUNCTION ? ", rows with /"
									       : "rows with /");
		text_visible(out, scope->filter, strlen(scope->filter));
		buf_addc(out, '/');
	}
}
