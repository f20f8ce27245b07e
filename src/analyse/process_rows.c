/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "analyse/process_rows.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

size_t process_rows_find(const struct process_rows *rows, int64_t pid)
{
	size_t i = 0;

	while (i < rows->n && rows->rows[i].pid != pid)
		i++;
	return i;
}

/* The name of the process of a lane; another file may have it. */
static const char *name_of(const struct profile *profile, const struct lane *lane)
{
	str_id name = lane->process_name;

	for (uint32_t i = 0; i < profile->n_lanes && !name; i++)
		if (lane_is_of_process(&profile->lanes[i], lane))
			name = profile->lanes[i].process_name;
	return profile_text(profile, name);
}

static struct process_row *row_of(struct process_rows *rows, size_t *cap,
				  const struct profile *profile, const struct lane *lane)
{
	size_t at = process_rows_find(rows, lane->pid);
	struct process_row *row;

	if (at < rows->n)
		return &rows->rows[at];
	row = ARRAY_ADD(rows->rows, rows->n, *cap);
	*row = (struct process_row){ .pid = lane->pid,
				     .name = name_of(profile, lane),
				     .role = "",
				     .state = "",
				     .function = "",
				     .last = INT64_MIN };
	for (int i = 0; i < METRIC_COUNT; i++)
		row->value[i] = -1;
	return row;
}

/* Whether a lane is one of the counters. */
static bool is_metrics(const struct profile *profile, const struct lane *lane)
{
	return lane->kind == LANE_COUNTER && metrics_is_counter(profile_text(profile, lane->title));
}

bool process_rows_exist(const struct profile *profile)
{
	bool exist = false;

	for (uint32_t i = 0; i < profile->n_lanes && !exist; i++)
		exist = is_metrics(profile, &profile->lanes[i]);
	return exist;
}

/* Whether a lane has marks of a process in a file that has such counters. */
static bool is_mark(const struct profile *profile, const struct lane *lane)
{
	bool is = false;

	if (lane->kind != LANE_MARKS || !lane->is_across || lane->pid == LANE_NO_ID)
		return false;
	for (uint32_t i = 0; i < profile->n_lanes && !is; i++)
		is = profile->lanes[i].input == lane->input &&
			is_metrics(profile, &profile->lanes[i]);
	return is;
}

/* The function that takes the largest share at the end. */
static void take_functions(struct process_row *row, const struct profile *profile,
			   const struct lane *lane, int64_t end)
{
	for (uint32_t i = 0; i < lane->n_series; i++) {
		const struct series *s = &lane->series[i];
		size_t at = series_find(s, end);

		if (at != SIZE_MAX && s->value[at] > row->share) {
			row->share = s->value[at];
			row->function = profile_text(profile, s->name);
		}
	}
}

static void take_series(struct process_row *row, const struct profile *profile,
			const struct lane *lane, const struct process_rows *rows, bool is_last)
{
	for (uint32_t i = 0; i < lane->n_series; i++) {
		const struct series *s = &lane->series[i];
		struct series_part part;

		for (int k = 0; k < METRIC_COUNT; k++) {
			bool is_mean = k == METRIC_BUSY || k == METRIC_GC || k == METRIC_REQUESTS;

			if (strcmp(profile_text(profile, lane->title), metrics_name(k)->counter) !=
				    0 ||
			    strcmp(profile_text(profile, s->name), metrics_name(k)->series) != 0 ||
			    !series_measure(s, rows->t0, rows->t1 + 1, &part))
				continue;
			row->series[k] = s;
			row->value[k] = is_last ? part.last : is_mean ? part.mean : part.most;
			if (k == METRIC_RSS || k == METRIC_DELAY) {
				int64_t t = s->t[series_find(s, rows->t1)];

				row->last = t > row->last ? t : row->last;
			}
		}
	}
}

static void take_marks(struct process_row *row, const struct profile *profile,
		       const struct lane *lane)
{
	for (node_id i = 1; i < lane->tree.n; i++) {
		const char *text = profile_text(profile,
						profile->frames.frames[lane->tree.frame[i]].name);
		bool is_role = strcmp(text, METRICS_PRIMARY) == 0 ||
			strcmp(text, METRICS_WORKER) == 0;

		*(is_role ? &row->role : &row->state) = text;
	}
}

static bool passes(struct pattern *filter, const struct process_row *row)
{
	BUF_LOCAL text = { 0 };

	if (!filter)
		return true;
	buf_addf(&text, "%s %lld %s %s %s", row->name, (long long)row->pid, row->role, row->state,
		 row->function);
	return pattern_find(filter, text.data, text.len, NULL, NULL);
}

void process_rows_make(struct process_rows *rows, const struct profile *profile, int64_t t0,
		       int64_t t1, bool is_last, struct pattern *filter)
{
	size_t cap = 0, n = 0;

	*rows = (struct process_rows){ .t0 = t0, .t1 = t1 };
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		if (is_metrics(profile, &profile->lanes[i]) || is_mark(profile, &profile->lanes[i]))
			row_of(rows, &cap, profile, &profile->lanes[i]);
	for (uint32_t i = 0; i < profile->n_lanes; i++) {
		const struct lane *lane = &profile->lanes[i];
		size_t at = process_rows_find(rows, lane->pid);

		if (at == rows->n)
			continue;
		if (is_mark(profile, lane))
			take_marks(&rows->rows[at], profile, lane);
		else if (is_metrics(profile, lane) &&
			 strcmp(profile_text(profile, lane->title), METRICS_FUNCTIONS) == 0)
			take_functions(&rows->rows[at], profile, lane, t1);
		else if (is_metrics(profile, lane))
			take_series(&rows->rows[at], profile, lane, rows, is_last);
	}
	rows->n_all = rows->n;
	for (size_t i = 0; i < rows->n; i++)
		if (passes(filter, &rows->rows[i]))
			rows->rows[n++] = rows->rows[i];
	rows->n = n;
}

/* ---- order ---- */

struct order {
	unsigned by;
	bool is_reversed;
};

static bool is_before(const void *a, const void *b, const void *ctx)
{
	const struct order *order = ctx;
	const struct process_row *x = a, *y = b;
	int c = 0;

	if (!*x->state != !*y->state)
		return !*x->state;
	x = order->is_reversed ? b : a;
	y = order->is_reversed ? a : b;

	switch (order->by) {
	case PROCESS_BY_NAME:
		c = strcmp(x->name, y->name);
		break;
	case PROCESS_BY_PID:
		break;
	case PROCESS_BY_FUNCTION:
		c = strcmp(x->function, y->function);
		break;
	default:
		c = x->value[order->by] > y->value[order->by]
			? -1
			: x->value[order->by] < y->value[order->by];
	}
	return c < 0 || (c == 0 && x->pid < y->pid);
}

void process_rows_sort(struct process_rows *rows, unsigned order, bool is_reversed)
{
	sort_stable(rows->rows, rows->n, sizeof *rows->rows, is_before,
		    &(struct order){ order, is_reversed });
}
