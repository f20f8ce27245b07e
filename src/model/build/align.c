/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides which lanes share a clock (formats(5), SETS):
 * 1. Lanes of one file are one group. So are lanes of files with one process id, if the dates in
 *    their names agree with one clock, or, without dates, if they overlap or are near to each
 *    other: two containers may both have a process 1. Lanes with a clock of their own are a group
 *    with those of the same clock.
 * 2. One group is one time line. Several groups are one time line if none has a clock of its own,
 *    all lie within a day, and the files' starts are in the order of the dates in their names, and
 *    as far apart, to two seconds. A machine's clock counts from its start, so another machine, or
 *    the same machine after a restart, has other times. Groups without a date prove nothing: they
 *    are one time line only if they overlap or are near to each other, as the files of one run
 *    are, which is an assumption. Near: not over ten seconds, or not over ten times the length of
 *    the longer side.
 * 3. Files that name different hosts are of different machines, however near their times are.
 * 4. Otherwise each group begins at zero. But those of one host, and those that are left without a
 *    few samples or events that are far from all others by the rule of stray times (stray.h), are
 *    one group if rule 2 holds for them. */
#include "config.h"

#include "model/build/align.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/units.h"
#include "model/build/builder.h"
#include "model/build/builder_state.h"
#include "model/build/stray.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_NS (24 * 3600 * NS_PER_S)
#define DATE_SLACK_S 2
#define NEAR_NS (10 * NS_PER_S)
#define NEAR_TIMES 10
#define HOSTS_MAX 64u
#define LOOK_BACK 64 /* files of one process id with which another one is compared */

/* Groups as a forest: up[lane] is a lane of the same group with a lower index, or the lane itself.
 */
static uint32_t group_of(uint32_t *up, uint32_t lane)
{
	while (up[lane] != lane)
		lane = up[lane] = up[up[lane]];
	return lane;
}

static void unite(uint32_t *up, uint32_t a, uint32_t b)
{
	a = group_of(up, a);
	b = group_of(up, b);
	if (a < b)
		up[b] = a;
	else
		up[a] = b;
}

/* ---- files ---- */

/* What a file tells about the machine's clock. */
struct file {
	int64_t t0, t1;
	int64_t low, high; /* has_date: seconds of the wall clock at its time 0 */
	bool is_used, has_date, is_utc;
	const str_id *host;
};

static struct file *find_files(const struct profile *p, const struct lane_source *sources)
{
	struct file *files = xcalloc(p->n_inputs, sizeof *files);

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *l = &p->lanes[i];
		struct file *f = &files[l->input];

		if (sources[i].clock)
			continue;
		f->t0 = !f->is_used || l->t0 < f->t0 ? l->t0 : f->t0;
		f->t1 = !f->is_used || l->t1 > f->t1 ? l->t1 : f->t1;
		f->is_used = true;
	}
	/* The date is that of the start; some programs write it at the end. */
	for (uint32_t i = 0; i < p->n_inputs; i++) {
		struct file *f = &files[i];

		f->host = p->inputs[i].host;
		f->has_date = f->is_used && p->inputs[i].has_date;
		if (!f->has_date)
			continue;
		f->is_utc = p->inputs[i].is_utc;
		f->low = p->inputs[i].date_s - f->t1 / NS_PER_S - DATE_SLACK_S / 2 - 1;
		f->high = p->inputs[i].date_s - f->t0 / NS_PER_S + DATE_SLACK_S / 2;
	}
	return files;
}

static bool is_far(int64_t gap, int64_t before, int64_t after)
{
	return gap > NEAR_NS && (gap - 1) / NEAR_TIMES >= (before > after ? before : after);
}

/* Whether two files name different hosts. */
static bool is_elsewhere(const str_id *a, const str_id *b)
{
	for (int i = 0; i < INPUT_HOSTS; i++)
		if (a[i] && b[i] && a[i] != b[i])
			return true;
	return false;
}

/* Whether two files may be of one machine that was not started again between them. */
static bool may_share(const struct file *a, const struct file *b)
{
	if (is_elsewhere(a->host, b->host))
		return false;
	if (a->has_date && b->has_date && a->is_utc == b->is_utc)
		return a->low <= b->high && b->low <= a->high;
	return !is_far(a->t0 < b->t0 ? b->t0 - a->t1 : a->t0 - b->t1, a->t1 - a->t0, b->t1 - b->t0);
}

/* ---- groups ---- */

/* Processes whose id is in files of clocks that do not agree: they may be several. */
struct doubt {
	uint32_t n_pids;
	int64_t pid; /* the first one, if there is one */
};

/* Sort key: lanes of one group follow each other, by the start of their file. */
struct key {
	uint32_t lane, clock, input;
	int64_t of, t0;
};

SORT_ORDER(by_key, struct key,
	   SORT_BY_5(x->clock, y->clock, x->of, y->of, x->t0, y->t0, x->input, y->input, x->lane,
		     y->lane))

/* Lanes of one file, or of one clock. */
static void unite_files(const struct profile *p, const struct lane_source *sources,
			struct key *keys, uint32_t *up)
{
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		keys[i] = (struct key){ .lane = i,
					.clock = sources[i].clock,
					.of = sources[i].clock ? 0 : (int64_t)p->lanes[i].input };
		up[i] = i;
	}
	qsort(keys, p->n_lanes, sizeof *keys, by_key);
	for (uint32_t i = 1; i < p->n_lanes; i++)
		if (keys[i].clock == keys[i - 1].clock && keys[i].of == keys[i - 1].of)
			unite(up, keys[i - 1].lane, keys[i].lane);
}

/* Whether some of these files name different hosts. */
static bool names_hosts(const struct file *files, const struct key *keys, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		for (uint32_t k = i > LOOK_BACK ? i - LOOK_BACK : 0; k < i; k++)
			if (is_elsewhere(files[keys[k].input].host, files[keys[i].input].host))
				return true;
	return false;
}

/* Where there are several hosts, a file that does not name its own joins no other. */
static bool may_be_one(const struct file *a, const struct file *b, bool has_hosts)
{
	return may_share(a, b) &&
		(!has_hosts || memcmp(a->host, b->host, INPUT_HOSTS * sizeof *a->host) == 0);
}

/* The files of one process id, in the order of their starts. Returns whether all are united. */
static bool unite_process(const struct file *files, const struct key *keys, uint32_t n,
			  bool has_hosts, uint32_t *up)
{
	uint32_t longest = 0;

	has_hosts |= names_hosts(files, keys, n);
	for (uint32_t i = 1; i < n; i++) {
		const struct file *f = &files[keys[i].input];

		for (uint32_t k = i > LOOK_BACK ? i - LOOK_BACK : 0; k < i; k++)
			if (may_be_one(&files[keys[k].input], f, has_hosts))
				unite(up, keys[k].lane, keys[i].lane);
		if (may_be_one(&files[keys[longest].input], f, has_hosts))
			unite(up, keys[longest].lane, keys[i].lane);
		if (f->t1 > files[keys[longest].input].t1)
			longest = i;
	}
	for (uint32_t i = 1; i < n; i++)
		if (group_of(up, keys[i].lane) != group_of(up, keys[0].lane))
			return false;
	return true;
}

static void unite_processes(const struct profile *p, const struct lane_source *sources,
			    const struct file *files, struct key *keys, bool has_hosts,
			    uint32_t *up, struct doubt *doubt)
{
	uint32_t n = 0, n_kept = 0;

	*doubt = (struct doubt){ 0 };
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *l = &p->lanes[i];

		if (!sources[i].clock && l->pid != LANE_NO_ID)
			keys[n++] = (struct key){ i, 0, l->input, l->pid, files[l->input].t0 };
	}
	qsort(keys, n, sizeof *keys, by_key);
	/* One lane of each file is enough. */
	for (uint32_t i = 0; i < n; i++)
		if (i == 0 || keys[i].of != keys[i - 1].of || keys[i].input != keys[i - 1].input)
			keys[n_kept++] = keys[i];
	for (uint32_t i = 0, end; i < n_kept; i = end) {
		for (end = i + 1; end < n_kept && keys[end].of == keys[i].of;)
			end++;
		if (!unite_process(files, &keys[i], end - i, has_hosts, up) && doubt->n_pids++ == 0)
			doubt->pid = keys[i].of;
	}
}

/* Whether files of a group name different hosts. */
static bool joins_hosts(const struct profile *p, const struct lane_source *sources, uint32_t *up)
{
	str_id(*hosts)[INPUT_HOSTS] = xcalloc(p->n_lanes, sizeof *hosts);
	bool is = false;

	for (uint32_t i = 0; i < p->n_lanes && !is; i++) {
		const str_id *of = p->inputs[p->lanes[i].input].host;
		str_id *host = hosts[group_of(up, i)];

		if (sources[i].clock)
			continue;
		is = is_elsewhere(host, of);
		for (int k = 0; k < INPUT_HOSTS; k++)
			host[k] = host[k] ? host[k] : of[k];
	}
	free(hosts);
	return is;
}

/* ---- one clock ---- */

/* What is known of the clocks. */
struct clocks {
	const struct profile *p;
	const struct lane_source *sources;
	const struct file *files;
	uint32_t *group; /* by lane: the first lane of its group */
	uint8_t *is_in;  /* by lane: whether it is looked at; all lanes of a group are, or none */
};

static int by_start(const void *a, const void *b)
{
	const struct lane *x = *(const struct lane *const *)a, *y = *(const struct lane *const *)b;

	return x->t0 != y->t0 ? (x->t0 < y->t0 ? -1 : 1) : (x > y) - (x < y);
}

/* Whether later starts have later dates, among the files that have dates. */
static bool is_in_order(const struct clocks *c)
{
	const struct profile *p = c->p;
	ALLOC_LOCAL const struct lane **lanes = xmalloc(p->n_lanes * sizeof *lanes);
	int64_t latest = INT64_MIN;
	bool is_good = true;
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (c->is_in[i])
			lanes[n++] = &p->lanes[i];
	qsort(lanes, n, sizeof *lanes, by_start);
	for (uint32_t i = 0; i < n; i++) {
		const struct input *in = &p->inputs[lanes[i]->input];

		if (!in->has_date)
			continue;
		is_good &= latest == INT64_MIN || in->date_s + DATE_SLACK_S >= latest;
		if (in->date_s > latest)
			latest = in->date_s;
	}
	return is_good;
}

/* Whether all dates agree with one clock. */
static bool is_one_date(const struct clocks *c)
{
	int64_t low[2] = { INT64_MIN, INT64_MIN }, high[2] = { INT64_MAX, INT64_MAX };

	for (uint32_t i = 0; i < c->p->n_lanes; i++) {
		const struct file *f = &c->files[c->p->lanes[i].input];

		if (!f->has_date || !c->is_in[i])
			continue;
		low[f->is_utc] = f->low > low[f->is_utc] ? f->low : low[f->is_utc];
		high[f->is_utc] = f->high < high[f->is_utc] ? f->high : high[f->is_utc];
	}
	return low[0] <= high[0] && low[1] <= high[1];
}

/* Whether no two files name different hosts. */
static bool is_one_host(const struct clocks *c)
{
	str_id host[INPUT_HOSTS] = { 0 };

	for (uint32_t i = 0; i < c->p->n_lanes; i++) {
		const str_id *of = c->p->inputs[c->p->lanes[i].input].host;

		if (!c->is_in[i])
			continue;
		if (is_elsewhere(host, of))
			return false;
		for (int k = 0; k < INPUT_HOSTS; k++)
			host[k] = host[k] ? host[k] : of[k];
	}
	return true;
}

/* The time of a group. */
struct stretch {
	int64_t t0, t1;
	bool has_date, is_used;
};

SORT_ORDER(by_begin, struct stretch, SORT_BY_2(y->is_used, x->is_used, x->t0, y->t0))

/* Write the groups, in the order of their begin, and return their number. */
static uint32_t find_stretches(const struct clocks *c, struct stretch *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->p->n_lanes; i++) {
		const struct lane *l = &c->p->lanes[i];
		struct stretch *s = &out[c->group[i]];

		if (!c->is_in[i])
			continue;
		if (!s->is_used) {
			*s = (struct stretch){ l->t0, l->t1, false, true };
			n++;
		}
		s->t0 = l->t0 < s->t0 ? l->t0 : s->t0;
		s->t1 = l->t1 > s->t1 ? l->t1 : s->t1;
		s->has_date |= c->p->inputs[l->input].has_date;
	}
	qsort(out, c->p->n_lanes, sizeof *out, by_begin);
	return n;
}

/* Whether groups without a date are near to the others. *is_assumed: there are such groups. */
static bool is_near(const struct clocks *c, bool *is_assumed)
{
	ALLOC_LOCAL struct stretch *s = xcalloc(c->p->n_lanes, sizeof *s);
	uint32_t n = find_stretches(c, s);
	struct stretch all = s[0];
	bool is = true;

	*is_assumed = !all.has_date;
	for (uint32_t i = 1; i < n; i++) {
		*is_assumed |= !s[i].has_date;
		if (is_far(s[i].t0 - all.t1, all.t1 - all.t0, s[i].t1 - s[i].t0) &&
		    !(all.has_date && s[i].has_date))
			is = false;
		all.t1 = s[i].t1 > all.t1 ? s[i].t1 : all.t1;
		all.has_date &= s[i].has_date;
	}
	return is;
}

/* Rules 2 and 3 for the lanes that are looked at. */
static bool is_one_clock(const struct clocks *c, bool *is_assumed)
{
	int64_t first = INT64_MAX, last = INT64_MIN;
	uint32_t group = UINT32_MAX;
	bool is_one = true, has_own = false;

	for (uint32_t i = 0; i < c->p->n_lanes; i++) {
		const struct lane *l = &c->p->lanes[i];

		if (!c->is_in[i])
			continue;
		group = group == UINT32_MAX ? c->group[i] : group;
		is_one &= c->group[i] == group;
		has_own |= c->sources[i].clock != 0;
		first = l->t0 < first ? l->t0 : first;
		last = l->t1 > last ? l->t1 : last;
	}
	*is_assumed = false;
	return is_one ||
		(!has_own && last / 2 - first / 2 <= DAY_NS / 2 && is_one_host(c) &&
		 is_in_order(c) && is_one_date(c) && is_near(c, is_assumed));
}

/* ---- groups that share a clock although others do not: rule 4 ---- */

/* Make one group of the lanes that are looked at, if they share a clock. Returns whether they do.
 */
static bool unite_some(const struct clocks *c)
{
	uint32_t first = UINT32_MAX;
	bool is_assumed;

	if (!is_one_clock(c, &is_assumed))
		return false;
	for (uint32_t i = 0; i < c->p->n_lanes; i++) {
		if (!c->is_in[i])
			continue;
		first = first == UINT32_MAX ? i : first;
		c->group[i] = first;
	}
	return true;
}

/* The hosts that groups name, each once, in the order of lanes; one that names none is none.
 * Returns their number. */
static uint32_t find_hosts(const struct clocks *c, const str_id **hosts)
{
	static const str_id none[INPUT_HOSTS];
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->p->n_lanes && n < HOSTS_MAX; i++) {
		const str_id *of = c->p->inputs[c->p->lanes[i].input].host;
		bool is_new = memcmp(of, none, sizeof none) != 0;

		for (uint32_t k = 0; k < n; k++)
			is_new &= memcmp(of, hosts[k], sizeof none) != 0;
		if (is_new)
			hosts[n++] = of;
	}
	return n;
}

/* Files of one host. Returns whether there are several hosts. */
static bool unite_hosts(const struct clocks *c)
{
	const str_id *hosts[HOSTS_MAX];
	uint32_t n = find_hosts(c, hosts);
	bool has_several = false;

	/* Each may differ from one that names other things only in what a third one names. */
	for (uint32_t k = 1; k < n; k++)
		for (uint32_t i = 0; i < k; i++)
			has_several |= is_elsewhere(hosts[i], hosts[k]);
	for (uint32_t k = 0; k < n && has_several; k++) {
		const str_id *host = hosts[k];

		/* Look at the groups that have a file of this host. The other files of such a group
		 * may name none, or less of it. */
		memset(c->is_in, 0, c->p->n_lanes);
		for (uint32_t i = 0; i < c->p->n_lanes; i++)
			if (memcmp(c->p->inputs[c->p->lanes[i].input].host, host,
				   INPUT_HOSTS * sizeof *host) == 0)
				c->is_in[c->group[i]] = 1;
		/* The first lane of a group has the lowest index. */
		for (uint32_t i = 0; i < c->p->n_lanes; i++)
			c->is_in[i] = c->is_in[c->group[i]];
		(void)unite_some(c);
	}
	return has_several;
}

/* How many samples or events a lane has, as long as it is few. */
static uint64_t count(const struct lane *l)
{
	uint64_t n = l->n_samples ? l->n_samples : l->n_spans + l->n_left;

	for (uint32_t i = 0; i < l->n_series; i++)
		n += l->series[i].n;
	return n;
}

/* The files without those of a few samples that are far from them. Returns whether there are such
 * files: the others share a clock then, and are what is looked at. */
static bool unite_others(const struct clocks *c, struct stray_found *found)
{
	struct stray_times times;

	stray_init(&times);
	for (uint32_t i = 0; i < c->p->n_lanes; i++) {
		const struct lane *l = &c->p->lanes[i];

		if (c->sources[i].clock)
			return false;
		stray_add_slowly(&times, l->t0, l->t1, count(l), -1);
	}
	if (!stray_find(&times, found))
		return false;
	for (uint32_t i = 0; i < c->p->n_lanes; i++)
		c->is_in[i] = c->p->lanes[i].t0 >= found->t0 && c->p->lanes[i].t1 <= found->t1;
	/* A group may be on both sides. */
	for (uint32_t i = 0; i < c->p->n_lanes; i++)
		if (c->is_in[c->group[i]] != c->is_in[i])
			return false;
	return unite_some(c);
}

/* Move what is inside the lane; t0 and t1 stay. */
static void shift_lane(struct lane *l, int64_t by)
{
	if (by && l->samples.n)
		times_shift(&l->samples.times, l->samples.n + 1, by);
	for (uint32_t i = 0; i < l->n_series; i++)
		for (size_t k = 0; by && k < l->series[i].n; k++)
			l->series[i].t[k] += by;
	slice_time_shift(l->slice_time, by);
	l->sampled_t0 += by;
	l->sampled_t1 += by;
}

/* ---- what is not certain ---- */

static void note_doubt(struct builder *b, const struct doubt *doubt)
{
	char more[64] = "";

	if (b->profile->is_clock_assumed)
		builder_input_note(
			b, false,
			"one time line with the other files is an assumption: their clocks "
			"are near to each other, but not all names have dates "
			"(:set clock=own separates them)");
	if (doubt->n_pids > 1)
		snprintf(more, sizeof more, ", and %u other%s", (unsigned)doubt->n_pids - 1,
			 doubt->n_pids == 2 ? "" : "s");
	if (doubt->n_pids)
		builder_input_note(b, false,
				   "process %" PRId64
				   "%s: the clocks of its files do not agree, so "
				   "it may be several processes, of different hosts or boots",
				   doubt->pid, more);
}

static void warn_clock(struct builder *b, uint32_t input, const char *detail)
{
	builder_warn_input(b, input,
			   &(struct warning){ .kind = WARN_CLOCK, .offset = -1, .count = 1 },
			   detail);
}

static void warn_hosts(struct builder *b)
{
	const struct profile *p = b->profile;

	for (uint32_t i = 0; i < p->n_inputs; i++) {
		BUF_LOCAL text = { 0 };

		for (int k = 0; k < INPUT_HOSTS && (!text.len || k == INPUT_HOST_BOOT); k++)
			if (p->inputs[i].host[k])
				buf_addf(&text, "%s%s%s", text.len ? ", " : "recorded on ",
					 k == INPUT_HOST_BOOT ? "boot " : "",
					 profile_text(p, p->inputs[i].host[k]));
		if (text.len)
			warn_clock(b, i, buf_text(&text));
	}
}

/* One warning for each file that is far from the others. */
static void warn_strays(struct builder *b, const struct clocks *c, const struct stray_found *found)
{
	uint32_t last = UINT32_MAX;

	for (uint32_t i = 0; i < c->p->n_lanes; i++) {
		const struct lane *l = &c->p->lanes[i];
		bool is_before = l->t0 < found->t0;
		char text[UNITS_MAX + 80];

		if (c->is_in[i] || l->input == last)
			continue;
		last = l->input;
		snprintf(text, sizeof text, "a few samples or events, %s %s all others",
			 units_time(is_before ? found->before.distance : found->after.distance,
				    UNITS_ROOM),
			 is_before ? "before" : "after");
		warn_clock(b, last, text);
	}
}

/* ---- all together ---- */

static void shift_by(int64_t *t0, int64_t *t1, int64_t by)
{
	*t0 += by;
	*t1 += by;
}

/* The same for what processes serve. */
static void shift_served(struct profile *p, int sign)
{
	struct served_all *all = &p->served;

	for (size_t i = 0; i < all->n; i++)
		shift_by(&all->requests[i].t0, &all->requests[i].t1,
			 sign * p->inputs[all->requests[i].input].zero_ns);
	for (size_t i = 0; i < all->n_waits; i++)
		shift_by(&all->waits[i].t0, &all->waits[i].t1,
			 sign * p->inputs[all->waits[i].input].zero_ns);
	for (size_t i = 0; i < all->n_runs; i++)
		shift_by(&all->runs[i].t0, &all->runs[i].t1,
			 sign * p->inputs[all->runs[i].input].zero_ns);
	for (size_t i = 0; i < p->stalls.n; i++)
		shift_by(&p->stalls.all[i].t0, &p->stalls.all[i].t1,
			 sign * p->inputs[p->stalls.all[i].input].zero_ns);
}

/* Move milestones and pages of each input by its zero, times `sign`. */
static void shift_milestones(struct profile *p, int sign)
{
	shift_served(p, sign);
	for (size_t i = 0; i < p->n_milestones; i++)
		p->milestones[i].t += sign * p->inputs[p->milestones[i].input].zero_ns;
	for (size_t i = 0; i < p->n_loads; i++) {
		int64_t by = sign * p->inputs[p->loads[i].input].zero_ns;

		p->loads[i].t += by;
		p->loads[i].worst.t += by;
		p->loads[i].shifts_t0 += by;
	}
}

/* Make the times of lanes those of the profile. */
static void place_lanes(struct profile *p, const struct clocks *c)
{
	/* Set group_zero_ns of the lanes, and origin_ns of the profile. */
	p->origin_ns = p->n_lanes ? INT64_MAX : 0;
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		struct lane *first = &p->lanes[c->group[i]];

		/* The first lane of a group has the lowest index, so it comes before the others. */
		if (c->group[i] == i || p->lanes[i].t0 < first->group_zero_ns)
			first->group_zero_ns = p->lanes[i].t0;
		if (p->lanes[i].t0 < p->origin_ns)
			p->origin_ns = p->lanes[i].t0;
	}
	for (uint32_t i = 0; i < p->n_lanes; i++)
		p->lanes[i].group_zero_ns = p->lanes[c->group[i]].group_zero_ns;
	for (uint32_t i = 0; i < p->n_inputs; i++)
		p->inputs[i].zero_ns = p->origin_ns;
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		struct lane *l = &p->lanes[i];

		p->has_groups |= c->group[i] != 0;
		p->has_other_clock |= c->sources[i].clock != 0;
		l->group = p->is_one_clock ? 0 : c->group[i];
		l->zero_ns = p->has_own_zero ? l->group_zero_ns : p->origin_ns;
		if (c->sources[i].clock == 0)
			p->inputs[l->input].zero_ns = l->zero_ns;
		l->t1 -= l->zero_ns;
		l->t0 -= l->zero_ns;
		shift_lane(l, l->t0);
		if (l->t1 > p->t1)
			p->t1 = l->t1;
	}
}

void align_lanes(struct builder *b)
{
	struct profile *p = b->profile;
	struct file *files = find_files(p, b->sources);
	struct doubt doubt = { 0 };
	struct clocks c = { p, b->sources, files, NULL, xmalloc(p->n_lanes) };
	struct stray_found found;
	bool is_assumed;
	const struct lane_source *sources = b->sources;
	uint32_t *up = xmalloc(p->n_lanes * sizeof *up);
	struct key *keys = xmalloc(p->n_lanes * sizeof *keys);

	/* Rule 1. By lane: the first lane of its group. */
	unite_files(p, sources, keys, up);
	unite_processes(p, sources, files, keys, false, up, &doubt);
	/* A file that names no host may have processes of two: then such files join none. */
	if (p->n_inputs > 1 && joins_hosts(p, sources, up)) {
		unite_files(p, sources, keys, up);
		unite_processes(p, sources, files, keys, true, up, &doubt);
	}
	free(keys);
	for (uint32_t i = 0; i < p->n_lanes; i++)
		up[i] = group_of(up, i);
	c.group = up;
	memset(c.is_in, 1, p->n_lanes);
	p->is_one_clock = is_one_clock(&c, &is_assumed);
	p->is_clock_assumed = p->is_one_clock && is_assumed;
	p->has_own_zero = !p->is_one_clock;
	if (p->is_one_clock)
		doubt.n_pids = 0;
	else if (unite_hosts(&c))
		warn_hosts(b);
	else if (unite_others(&c, &found))
		warn_strays(b, &c, &found);
	note_doubt(b, &doubt);
	place_lanes(p, &c);
	shift_milestones(p, -1);
	free(c.is_in);
	free(c.group);
	free(files);
}

/* ---- the user's choice ---- */

void align_switch(struct profile *p, bool is_own)
{
	ALLOC_LOCAL int64_t *by = NULL;

	if (p->has_own_zero == is_own)
		return;
	by = xmalloc(p->n_lanes * sizeof *by);
	shift_milestones(p, 1);
	p->has_own_zero = is_own;
	p->t1 = 0;
	p->window_t0 = p->window_t1 = 0;
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		struct lane *l = &p->lanes[i];
		int64_t zero = is_own ? l->group_zero_ns : p->origin_ns;

		by[i] = l->zero_ns - zero;
		l->zero_ns = zero;
		p->inputs[l->input].zero_ns = zero;
		l->t0 += by[i];
		l->t1 += by[i];
		shift_lane(l, by[i]);
		p->t1 = l->t1 > p->t1 ? l->t1 : p->t1;
	}
	for (size_t i = 0; i < p->n_flows; i++) {
		p->flows[i].t += by[p->flows[i].lane];
		p->flows[i].span.t0 += by[p->flows[i].lane];
		p->flows[i].span.t1 += by[p->flows[i].lane];
	}
	shift_milestones(p, -1);
}
