/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A chunk is read as a profile by itself; the task that goes on at its end is known to the next
 * one. */
#include "config.h"

#include "record/metric_log.h"

#include "base/alloc.h"
#include "base/json/json_writer.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/units.h"
#include "findings/stalls.h"
#include "model/metrics.h"
#include "read/load/load_file.h"
#include "record/request_reader.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define US_PER_S 1000000
#define CHUNK_MIN_US 100000 /* shorter ones are those between two others */
#define RATE_US 10000000    /* what the time of requests is found for */
#define MEGABYTE 1e6
/* A callback that waits so long, while the loop is less busy than this, will not be called. */
#define DELAY_MAX_US 5e6
#define BUSY_MIN 90
#define FOREIGN_MIN_PERCENT 5 /* of the time: a function that is not own is told */

/* Values that were found at one time. */
struct metric_row {
	int64_t us;
	double value[METRIC_COUNT]; /* below 0: not known */
	double share;               /* of the function */
	str_id function;            /* 0: none */
};

struct metric_log {
	pthread_mutex_t lock; /* of `rows`, first_us and last_us */
	struct metric_row *rows;
	size_t n, cap;
	int64_t keep_us, first_us, last_us;
	struct intern names; /* of functions */
	/* Of who adds. */
	double busy; /* of the last second that is known, in per cent; below 0: none is */
	struct stalls stalls;
	int64_t longest_ns; /* of the tasks of a chunk */
	struct request_reader requests;
	int64_t served_us; /* until when requests are counted */
};

static void on_stall(void *ctx, const struct stall *stall)
{
	struct metric_log *log = ctx;

	if (stall->t1 - stall->t0 > log->longest_ns)
		log->longest_ns = stall->t1 - stall->t0;
}

struct metric_log *metric_log_new(int64_t keep_us)
{
	struct metric_log *log = xcalloc(1, sizeof *log);

	log->keep_us = keep_us;
	log->busy = -1;
	log->stalls = (struct stalls){ .counts_waiting = true,
				       .is_started = true,
				       .visit = on_stall,
				       .ctx = log };
	pthread_mutex_init(&log->lock, NULL);
	intern_init(&log->names);
	request_reader_init(&log->requests);
	return log;
}

void metric_log_free(struct metric_log *log)
{
	if (!log)
		return;
	stalls_end(&log->stalls);
	intern_done(&log->names);
	request_reader_done(&log->requests);
	pthread_mutex_destroy(&log->lock);
	free(log->rows);
	free(log);
}

static struct metric_row new_row(int64_t us)
{
	struct metric_row row = { .us = us };

	for (int i = 0; i < METRIC_COUNT; i++)
		row.value[i] = -1;
	return row;
}

/* Rows of a chunk are of a time that is over: they come behind rows that are later. function: NULL:
 * none. */
static void add(struct metric_log *log, struct metric_row row, const struct buf *function)
{
	size_t n_old = 0;

	pthread_mutex_lock(&log->lock);
	if (function && function->len)
		row.function = intern_add(&log->names, function->data, function->len);
	while (log->keep_us && n_old < log->n && log->rows[n_old].us < row.us - log->keep_us)
		n_old++;
	if (n_old > log->n / 4) {
		log->n -= n_old;
		memmove(log->rows, log->rows + n_old, log->n * sizeof *log->rows);
	}
	*ARRAY_ADD(log->rows, log->n, log->cap) = row;
	pthread_mutex_unlock(&log->lock);
}

/* ---- pulls ---- */

void metric_log_pull(struct metric_log *log, struct str text)
{
	enum { AT, DELAY, RSS, HEAP, EXTERNAL, HANDLES, N };
	ALLOC_LOCAL char *copy = xstrndup(text.p, text.len);
	struct metric_row row;
	char *p = copy;
	double v[N];

	for (int i = 0; i < N; i++) {
		p = strchr(p, ',');
		if (!p)
			return;
		v[i] = strtod(++p, &p);
		if (!(v[i] >= -1 && v[i] < 1e15))
			return;
	}
	row = new_row((int64_t)v[AT]);
	/* A program may have replaced setImmediate() by one that calls nothing, as tests do. */
	if (v[DELAY] >= 0 && (v[DELAY] < DELAY_MAX_US || log->busy > BUSY_MIN))
		row.value[METRIC_DELAY] = v[DELAY] / 1000;
	for (int i = 0; i < 3; i++)
		if (v[RSS + i] >= 0)
			row.value[METRIC_RSS + i] = v[RSS + i] / MEGABYTE;
	row.value[METRIC_HANDLES] = v[HANDLES];
	add(log, row, NULL);
	pthread_mutex_lock(&log->lock);
	log->first_us = log->first_us ? log->first_us : row.us;
	log->last_us = row.us;
	pthread_mutex_unlock(&log->lock);
}

static int64_t read_time(struct metric_log *log, const int64_t *time)
{
	int64_t us;

	pthread_mutex_lock(&log->lock);
	us = *time;
	pthread_mutex_unlock(&log->lock);
	return us;
}

int64_t metric_log_first(const struct metric_process *processes, size_t n)
{
	int64_t first = 0;

	for (size_t i = 0; i < n; i++) {
		struct metric_log *log = processes[i].log;
		int64_t us = log ? read_time(log, &log->first_us) : 0;

		first = us > 0 && (first == 0 || us < first) ? us : first;
	}
	return first;
}

int64_t metric_log_last(struct metric_log *log)
{
	return read_time(log, &log->last_us);
}

/* ---- chunks ---- */

/* What has no file is called by the inspector, for us. */
static bool is_own(const struct frame *f)
{
	return (f->category == CATEGORY_APP || f->category == CATEGORY_WASM ||
		f->category == CATEGORY_EVAL) &&
		f->url;
}

/* The function that takes most time: an own one with what it calls that is not own, or another one
 * below which there is none: V8 tells nothing of own functions that it has moved into functions of
 * Node.js before it was asked to record. Its name and place. self: by node. Returns its time; 0:
 * there is none. */
static int64_t busiest(const struct profile *p, const struct lane *lane, const int64_t *self,
		       struct buf *name)
{
	ALLOC_LOCAL int64_t *sums = xcalloc(p->frames.n + 1, sizeof *sums);
	const struct calltree *tree = &lane->tree;
	const struct frame *f;
	const char *url, *slash;
	frame_id most = 0;

	for (node_id i = 1; i < tree->n; i++) {
		node_id own = i;

		while (own && !is_own(&p->frames.frames[tree->frame[own]]))
			own = tree->parent[own];
		if (!own)
			own = i;
		if (p->frames.frames[tree->frame[i]].category < CATEGORY_GC) {
			sums[tree->frame[own]] += self[i];
			if (sums[tree->frame[own]] > sums[most])
				most = tree->frame[own];
		}
	}
	f = &p->frames.frames[most];
	if (sums[most] == 0 ||
	    (!is_own(f) && sums[most] < (lane->t1 - lane->t0) / 100 * FOREIGN_MIN_PERCENT))
		return 0;
	url = profile_text(p, f->url);
	slash = strrchr(url, '/');
	buf_addf(name, "%s  %s", profile_text(p, f->name), slash ? slash + 1 : url);
	if (f->line > 0 && *url)
		buf_addf(name, ":%d", (int)f->line);
	return sums[most];
}

/* The time in nodes of a category, of all but the root. */
static int64_t sum_of(const struct profile *p, const struct lane *lane, const int64_t *self,
		      enum category category)
{
	int64_t sum = 0;

	for (node_id i = 1; i < lane->tree.n; i++)
		if (category == CATEGORY_COUNT ||
		    p->frames.frames[lane->tree.frame[i]].category == category)
			sum += self[i];
	return sum;
}

/* Add what a part of a chunk says. */
static void add_part(struct metric_log *log, const struct profile *p, const struct lane *lane,
		     int64_t t0, int64_t t1)
{
	ALLOC_LOCAL int64_t *self = lane_self_times(lane, t0, t1, NULL);
	int64_t all = sum_of(p, lane, self, CATEGORY_COUNT);
	struct metric_row row = new_row((lane->zero_ns + t1) / NS_PER_US);

	if (all == 0)
		return;
	log->busy = (double)(all - sum_of(p, lane, self, CATEGORY_IDLE)) * 100 / (double)all;
	row.value[METRIC_BUSY] = log->busy;
	row.value[METRIC_GC] = (double)sum_of(p, lane, self, CATEGORY_GC) * 100 / (double)all;
	add(log, row, NULL);
}

static void add_whole(struct metric_log *log, const struct profile *p, const struct lane *lane)
{
	ALLOC_LOCAL int64_t *self = lane_self_times(lane, lane->t0, lane->t1, NULL);
	struct metric_row row = new_row((lane->zero_ns + lane->t1) / NS_PER_US);
	BUF_LOCAL function = { 0 };
	struct stall open;
	int64_t ns;

	log->longest_ns = 0;
	stalls_add(&log->stalls, p, lane, lane->zero_ns + lane->t0, lane->zero_ns + lane->t1);
	if (stalls_is_open(&log->stalls, &open))
		on_stall(log, &open);
	row.value[METRIC_TASK] = (double)log->longest_ns / NS_PER_MS;
	ns = busiest(p, lane, self, &function);
	row.share = (double)ns * 100 / (double)(lane->t1 - lane->t0);
	add(log, row, &function);
}

void metric_log_chunk(struct metric_log *log, struct str text)
{
	struct error err = ERROR_INIT;
	struct profile *p = load_file_memory(&text, 1, &err);
	const struct lane *lane = p && p->n_lanes == 1 ? &p->lanes[0] : NULL;
	int64_t len = lane ? lane->t1 - lane->t0 : 0, n = (len + NS_PER_S / 2) / NS_PER_S;

	n = n ? n : 1;
	if (lane && lane->tree.n && len >= CHUNK_MIN_US * NS_PER_US) {
		for (int64_t i = 0; i < n; i++)
			add_part(log, p, lane, lane->t0 + len / n * i,
				 lane->t0 + len / n * (i + 1));
		add_whole(log, p, lane);
	}
	profile_free(p);
}

/* ---- requests ---- */

SORT_ORDER(by_length, int64_t, SORT_BY_1(*x, *y))

void metric_log_requests(struct metric_log *log, struct str text)
{
	struct request_reader *r = &log->requests;
	ALLOC_LOCAL int64_t *lengths = NULL;
	struct request_counts counts = { 0 };
	BUF_LOCAL line = { 0 };
	struct metric_row row;
	size_t n = 0, n_new = 0, at;
	int64_t now;

	buf_add(&line, text.p, text.len);
	buf_addc(&line, '\n');
	request_reader_take(r, (struct str){ line.data, line.len }, REQUEST_RANGE_ALL, &counts);
	now = r->last;
	if (log->served_us == 0 || now - log->served_us < US_PER_S / 2) {
		log->served_us = log->served_us ? log->served_us : now;
		return;
	}
	lengths = xmalloc((r->n_items + 1) * sizeof *lengths);
	for (size_t i = 0; i < r->n_items; i++) {
		const struct request_item *x = &r->items[i];

		if (x->kind != REQUEST_SERVED || x->t1 == INT64_MIN || x->t1 < now - RATE_US)
			continue;
		n_new += x->t1 >= log->served_us;
		lengths[n++] = x->t1 - x->t0;
	}
	row = new_row(now);
	row.value[METRIC_REQUESTS] = (double)n_new * US_PER_S / (double)(now - log->served_us);
	if (n) {
		qsort(lengths, n, sizeof *lengths, by_length);
		at = (n * 99 + 99) / 100 - 1;
		row.value[METRIC_P99] = (double)lengths[at] / 1000;
	}
	log->served_us = now;
	add(log, row, NULL);
	request_reader_forget(r, now - RATE_US);
}

/* ---- writing ---- */

static void begin_event(struct json_writer *w, const struct metric_process *p, const char *ph,
			const char *name, int64_t us)
{
	json_put(w, json_begin(NULL, "{"), json_string("ph", ph), json_integer("pid", p->pid),
		 json_integer("tid", p->pid), json_integer("ts", us), json_string("name", name));
}

static void write_mark(struct json_writer *w, const struct metric_process *p, const char *text,
		       int64_t us)
{
	if (!*text)
		return;
	begin_event(w, p, "i", text, us);
	json_put(w, json_string("s", "p"), json_end("}"));
}

/* Write an event for each counter that has changed, with all of its series. The delay is always
 * written: it shows that the process has answered. last: what was written before, or is 0. */
static void write_row(struct json_writer *w, const struct metric_process *p,
		      const struct metric_row *row, int64_t us, struct metric_row *last)
{
	for (int from = 0, end; from < METRIC_COUNT; from = end) {
		bool is_new = from == METRIC_DELAY;

		for (end = from; end < METRIC_COUNT &&
		     strcmp(metrics_name(end)->counter, metrics_name(from)->counter) == 0;
		     end++) {
			double change = row->value[end] - last->value[end];

			is_new |= row->value[end] >= 0 && (change > 0.005 || change < -0.005);
		}
		if (!is_new || row->value[from] < 0)
			continue;
		begin_event(w, p, "C", metrics_name(from)->counter, us);
		json_put(w, json_begin("args", "{"));
		for (int i = from; i < end; i++) {
			last->value[i] = row->value[i];
			if (row->value[i] >= 0)
				json_put(w,
					 json_decimals(metrics_name(i)->series, row->value[i], 2));
		}
		json_put(w, json_end("}}"));
	}
}

/* Of a function that is not in the last event the time is not known: readers take it as 0. */
static void write_function(struct json_writer *w, const struct metric_process *p,
			   const struct intern *names, str_id function, double share, int64_t us)
{
	BUF_LOCAL key = { 0 };

	text_json(&key, intern_text(names, function), intern_len(names, function));
	begin_event(w, p, "C", METRICS_FUNCTIONS, us);
	json_put(w, json_begin("args", "{"), json_decimals(buf_text(&key), share, 1),
		 json_end("}}"));
}

static void write_process(const struct metric_process *p, int64_t t0, int64_t t1,
			  struct json_writer *w)
{
	struct metric_log *log = p->log;
	struct metric_row before = new_row(t0); /* what is known at t0 */
	struct metric_row last = new_row(t0);

	if (p->name)
		json_put(w, json_begin(NULL, "{"), json_string("ph", "M"),
			 json_string("name", "process_name"), json_integer("pid", p->pid),
			 json_integer("tid", p->pid), json_begin("args", "{"),
			 json_string("name", p->name), json_end("}}"));
	pthread_mutex_lock(&log->lock);
	for (size_t i = 0; i < log->n; i++) {
		const struct metric_row *row = &log->rows[i];

		for (int k = 0; k < METRIC_COUNT && row->us < t0; k++)
			if (row->value[k] >= 0)
				before.value[k] = row->value[k];
		if (row->us < t0 && row->value[METRIC_TASK] >= 0) {
			before.function = row->function;
			before.share = row->share;
		}
	}
	write_mark(w, p, p->role, t0);
	write_row(w, p, &before, t0, &last);
	if (before.function)
		write_function(w, p, &log->names, before.function, before.share, t0);
	for (size_t i = 0; i < log->n; i++) {
		const struct metric_row *row = &log->rows[i];

		if (row->us < t0 || row->us >= t1)
			continue;
		write_row(w, p, row, row->us, &last);
		if (row->function)
			write_function(w, p, &log->names, row->function, row->share, row->us);
	}
	write_mark(w, p, p->state, log->last_us > t0 && log->last_us < t1 ? log->last_us : t0);
	pthread_mutex_unlock(&log->lock);
}

void metric_log_write(const struct metric_process *processes, size_t n, int64_t t0, int64_t t1,
		      struct buf *out)
{
	struct json_writer w = { .out = out };

	json_put(&w, json_begin(NULL, "{"), json_begin("traceEvents", "["));
	for (size_t i = 0; i < n; i++)
		if (processes[i].log)
			write_process(&processes[i], t0, t1, &w);
	json_put(&w, json_end("]}"));
}

void metric_log_sum(struct metric_log *log, struct buf *out)
{
	double sum[METRIC_COUNT] = { 0 }, most[METRIC_COUNT] = { 0 };
	size_t n[METRIC_COUNT] = { 0 };

	pthread_mutex_lock(&log->lock);
	for (size_t i = 0; i < log->n; i++)
		for (int k = 0; k < METRIC_COUNT; k++) {
			double v = log->rows[i].value[k];

			n[k] += v >= 0;
			sum[k] += v >= 0 ? v : 0;
			most[k] = v > most[k] ? v : most[k];
		}
	pthread_mutex_unlock(&log->lock);
	if (n[METRIC_BUSY])
		buf_addf(out, "event loop %.0f %% busy", sum[METRIC_BUSY] / (double)n[METRIC_BUSY]);
	if (n[METRIC_DELAY])
		buf_addf(out, "%sdelay up to %.1f ms", out->len ? ", " : "", most[METRIC_DELAY]);
	if (n[METRIC_TASK])
		buf_addf(out, "%slongest task %.1f ms", out->len ? ", " : "", most[METRIC_TASK]);
	if (n[METRIC_HEAP])
		buf_addf(out, "%sheap up to %.1f MB, external %.1f MB, rss %.1f MB",
			 out->len ? ", " : "", most[METRIC_HEAP], most[METRIC_EXTERNAL],
			 most[METRIC_RSS]);
	if (n[METRIC_HANDLES])
		buf_addf(out, "%sup to %.0f handles", out->len ? ", " : "", most[METRIC_HANDLES]);
}
