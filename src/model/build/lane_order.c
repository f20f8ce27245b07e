/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of lanes (formats(5), LANES): first what is of the whole trace, except its marks where
 * there is a page; then processes, by sort index, name and start. Within a process the requests
 * that it serves and what these wait for, its threads, main thread first, then the lanes that
 * belong to the process alone. Within a thread its slices, its marks, its samples. */
#include "config.h"

#include "model/build/lane_order.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "model/build/builder_state.h"
#include "model/metrics.h"
#include "model/profile.h"
#include "model/slice_work.h"

#include <stdlib.h>
#include <string.h>

#define WORK_ROWS 2 /* that say whether slices are tasks */

/* ==== thread names ====
 *
 * Names and sort order of processes and threads, as a trace states them. */

static uint64_t hash_of(uint32_t of, int64_t pid, int64_t tid)
{
	return hash_u64(hash_u64((uint64_t)pid ^ (uint64_t)of << 32) ^ (uint64_t)tid);
}

/* The entry of a process or thread, or NULL. */
static struct track_name *find(const struct thread_names *names, uint32_t of, int64_t pid,
			       int64_t tid)
{
	struct hash_probe probe = hash_probe(hash_of(of, pid, tid));

	while (names->list && hash_table_next(&names->index, &probe)) {
		struct track_name *name = &names->list[probe.index];

		if (name->pid == pid && name->tid == tid && name->of == of)
			return name;
	}
	return NULL;
}

struct track_name *thread_names_get(struct thread_names *names, uint32_t of, int64_t pid,
				    int64_t tid)
{
	struct track_name *name = find(names, of, pid, tid);

	if (name)
		return name;
	hash_table_add(&names->index, hash_of(of, pid, tid), (uint32_t)names->n);
	*ARRAY_ADD(names->list, names->n,
		   names->cap) = (struct track_name){ .pid = pid, .tid = tid, .of = of, .rank = 2 };
	return &names->list[names->n - 1];
}

/* ==== unique names ====
 *
 * Inputs are sorted by their paths read from the end: the input that shares most of its end with
 * another one is then its neighbour.
 *
 * Lanes are named up to three times: plainly; then with the ids of their threads, where lanes of
 * several threads have one name; then with their files, where lanes of several files still do. */

/* ---- inputs ---- */

struct tail {
	const char *path;
	size_t len;
	uint32_t input;
};

/* The number of bytes that two paths have in common at their ends. */
static size_t common_end(const struct tail *a, const struct tail *b)
{
	size_t n = 0;

	while (n < a->len && n < b->len && a->path[a->len - 1 - n] == b->path[b->len - 1 - n])
		n++;
	return n;
}

static int by_end(const void *a, const void *b)
{
	const struct tail *x = a, *y = b;
	size_t n = common_end(x, y);

	if (n < x->len && n < y->len)
		return (unsigned char)x->path[x->len - 1 - n] <
				(unsigned char)y->path[y->len - 1 - n]
			? -1
			: 1;
	return SORT_BY_2(x->len, y->len, x->input, y->input);
}

/* The last part of a path that is longer than `common` bytes, or the whole path. */
static const char *tail_of(const struct tail *tail, size_t common)
{
	size_t at = tail->len;

	/* A slash at the very end ends no part. */
	while (at > 0 && tail->path[at - 1] == '/')
		at--;
	while (at > 0 && (tail->path[at - 1] != '/' || tail->len - at <= common))
		at--;
	return tail->path + at;
}

/* ---- lanes ---- */

struct named {
	str_id name; /* of a table for one round */
	struct lane *lane;
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return SORT_BY_2(x->name, y->name, x->lane, y->lane);
}

/* The lanes that have a title, by name. Returns their number. */
static uint32_t sort_lanes(const struct profile *p, struct named *list)
{
	struct intern names;
	BUF_LOCAL text = { 0 };
	uint32_t n = 0;

	intern_init(&names);
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		if (p->lanes[i].is_joined)
			continue;
		buf_clear(&text);
		lane_name(p, &p->lanes[i], true, &text);
		list[n++] = (struct named){ intern_add(&names, buf_text(&text), text.len),
					    &p->lanes[i] };
	}
	qsort(list, n, sizeof *list, by_name);
	intern_done(&names);
	return n;
}

/* Let lanes of one name show the ids of their threads, or else their files, if these differ. */
static void tell_apart(struct named *list, uint32_t n, bool by_file)
{
	for (uint32_t i = 0, end; i < n; i = end) {
		bool differs = false;

		for (end = i; end < n && list[end].name == list[i].name; end++)
			differs |= by_file ? list[end].lane->input != list[i].lane->input
					   : list[end].lane->tid != list[i].lane->tid;
		for (uint32_t k = i; differs && k < end; k++) {
			list[k].lane->shows_file |= by_file;
			list[k].lane->shows_tid |= !by_file && list[k].lane->tid != LANE_NO_ID;
		}
	}
}

/* Whether a lane has the frame in which workers of Node.js start: its file may not say which thread
 * it is of. */
static bool starts_as_worker(const struct profile *p, const struct lane *lane)
{
	const struct calltree *tree = &lane->tree;

	for (node_id i = NODE_ROOT + 1; i < tree->n; i = tree->end[i]) {
		const char *url = profile_text(p, p->frames.frames[tree->frame[i]].url);

		url += strncmp(url, "node:", 5) == 0 ? 5 : 0;
		if (strcmp(url, "internal/main/worker_thread") == 0 ||
		    strcmp(url, "internal/main/worker_thread.js") == 0)
			return true;
	}
	return false;
}

static void name_lanes(struct profile *p)
{
	ALLOC_LOCAL struct named *list = xcalloc(p->n_lanes, sizeof *list);
	BUF_LOCAL name = { 0 };
	bool has_processes = false;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		p->lanes[i].is_worker = p->lanes[i].kind == LANE_SAMPLES &&
			p->lanes[i].tid == LANE_NO_ID && starts_as_worker(p, &p->lanes[i]);
	tell_apart(list, sort_lanes(p, list), false);
	if (p->n_inputs > 1)
		tell_apart(list, sort_lanes(p, list), true);
	for (uint32_t i = 1; i < p->n_lanes; i++)
		has_processes |= p->lanes[i].pid != p->lanes[0].pid;
	for (uint32_t i = 0; i < p->n_lanes; i++)
		p->lanes[i].shows_file |= p->lanes[i].is_twin;
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		struct lane *lane = &p->lanes[i];

		if (i && lane->is_joined) {
			lane->shows_tid = lane[-1].shows_tid;
			lane->shows_file = lane[-1].shows_file;
		}
		buf_clear(&name);
		lane_name(p, lane, has_processes, &name);
		lane->name = intern_add(&p->strings, buf_text(&name), name.len);
	}
}

/* Whether slices tell findings: the outermost rows have tasks or garbage collection, and the
 * thread, whose lanes follow each other, has no samples. */
static bool has_work(const struct profile *p, const struct lane *lane)
{
	const struct calltree *tree = &lane->tree;
	const struct lane *end = p->lanes + p->n_lanes;
	bool has = false;

	for (node_id i = 1; i < tree->n && !has; i++) {
		str_id name = frame_event(&p->frames.frames[tree->frame[i]]);

		has = tree->rows[i] <= WORK_ROWS &&
			(slice_work_is_task(profile_text(p, name)) ||
			 category_is_gc_slice(profile_text(p, name)));
	}
	for (const struct lane *l = lane + 1; l < end && lane_is_of_thread(l, lane) && has; l++)
		has = l->kind != LANE_SAMPLES || l->tree.n <= 1;
	return has;
}

void unique_names_resolve(struct profile *p)
{
	ALLOC_LOCAL struct tail *tails = NULL;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		p->lanes[i].has_work = p->lanes[i].kind == LANE_SLICES && !p->lanes[i].is_joined &&
			has_work(p, &p->lanes[i]);
	tails = xcalloc(p->n_inputs, sizeof *tails);
	for (uint32_t i = 0; i < p->n_inputs; i++)
		tails[i] = (struct tail){ profile_text(p, p->inputs[i].path),
					  intern_len(&p->strings, p->inputs[i].path), i };
	qsort(tails, p->n_inputs, sizeof *tails, by_end);
	for (uint32_t i = 0; i < p->n_inputs; i++) {
		const struct tail *tail = &tails[i];
		size_t before = i ? common_end(tail, tail - 1) : 0,
		       after = i + 1 < p->n_inputs ? common_end(tail, tail + 1) : 0;
		/* A file that was given twice has one name. */
		size_t common = before > after ? before : after;
		ALLOC_LOCAL char *name = xstrdup(tail_of(tail, common < tail->len ? common : 0));

		p->inputs[tail->input].name = intern_adds(&p->strings, name);
	}
	lane_name_prepare(p->lanes, p->n_lanes);
	name_lanes(p);
}

/* ==== lane order ==== */

/* A lane and its sort keys. */
struct sorted_lane {
	const struct lane *lane;
	const char *process_name, *thread_name;
	int64_t process_sort, process_start, thread_sort;
	uint32_t at; /* index before sorting */
	int rank;
	bool is_whole; /* belongs to the whole trace */
	bool is_below; /* its marks, where there is a page */
};

static int compare_text(const char *a, const char *b)
{
	/* A name comes before no name. */
	if (!*a != !*b)
		return *a ? -1 : 1;
	return strcmp(a, b);
}

static int compare(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int kind_rank(const struct lane *lane)
{
	static const int rank[] = { [LANE_SLICES] = 0, [LANE_MARKS] = 1,   [LANE_SAMPLES] = 2,
				    [LANE_ASYNC] = 4,  [LANE_OBJECTS] = 5, [LANE_COUNTER] = 6 };

	return rank[lane->kind] + (lane->kind == LANE_SAMPLES && lane->is_folded);
}

/* Marks of a process come first, so that their lines have their names at the top; its other tracks
 * come after its threads. Ranges of the whole trace come before its marks. */
static int process_rank(const struct lane *lane)
{
	if (lane->tid != LANE_NO_ID)
		return 1;
	if (lane->pid == LANE_NO_ID && lane->kind == LANE_ASYNC)
		return -1;
	return lane->is_across || lane->served ? 0 : 2;
}

static int by_place(const void *a, const void *b)
{
	const struct sorted_lane *x = a, *y = b;
	int c = y->is_whole - x->is_whole;

	c = c ? c : (int)x->lane->page_order - (int)y->lane->page_order;
	c = c ? c : x->is_below - y->is_below;
	c = c ? c : compare(x->process_sort, y->process_sort);
	c = c ? c : compare_text(x->process_name, y->process_name);
	c = c ? c : compare(x->process_start, y->process_start);
	c = c ? c : compare(x->lane->pid, y->lane->pid);
	c = c ? c : compare(x->lane->group, y->lane->group);
	/* Lanes of a file that names no process stay together. */
	if (!c && x->lane->pid == LANE_NO_ID)
		c = compare(x->lane->input, y->lane->input);
	c = c ? c : process_rank(x->lane) - process_rank(y->lane);
	c = c ? c : y->lane->is_page_main - x->lane->is_page_main;
	c = c ? c : compare(x->thread_sort, y->thread_sort);
	c = c ? c : x->rank - y->rank;
	c = c ? c : compare_text(x->thread_name, y->thread_name);
	c = c ? c : compare(x->lane->tid, y->lane->tid);
	c = c ? c : kind_rank(x->lane) - kind_rank(y->lane);
	return c ? c : compare(x->at, y->at);
}

/* The order in which the first lane of a process is the one that starts first. */
static int by_pid(const void *a, const void *b)
{
	const struct sorted_lane *x = a, *y = b;
	int c = compare(x->lane->pid, y->lane->pid);

	c = c ? c : compare(x->lane->group, y->lane->group);
	if (!c && x->lane->pid == LANE_NO_ID)
		c = compare(x->lane->input, y->lane->input);
	c = c ? c : compare(x->lane->t0, y->lane->t0);
	return c ? c : compare(x->at, y->at);
}

static void find_starts(struct sorted_lane *places, uint32_t n)
{
	qsort(places, n, sizeof *places, by_pid);
	for (uint32_t i = 0; i < n; i++) {
		const struct lane *lane = places[i].lane, *before = i ? places[i - 1].lane : NULL;
		bool is_same = before && lane_is_of_process(before, lane) &&
			(lane->pid != LANE_NO_ID || before->input == lane->input);

		places[i].process_start = is_same ? places[i - 1].process_start : lane->t0;
	}
}

/* Mark the processes whose id another machine has, too. by_pid() is the order. */
static void find_twins(struct profile *p, const struct sorted_lane *places, uint32_t n)
{
	for (uint32_t i = 0, end; i < n; i = end) {
		const struct lane *first = places[i].lane;

		for (end = i + 1; end < n && places[end].lane->pid == first->pid;)
			end++;
		for (uint32_t k = i; k < end && first->pid != LANE_NO_ID &&
		     places[end - 1].lane->group != first->group;
		     k++)
			p->lanes[places[k].at].is_twin = true;
	}
}

/* Join the names that files of one group state; what a later file states counts. A file that was
 * dropped behind the last one is of the first group. */
static void group_names(struct builder *b)
{
	const struct profile *p = b->profile;
	struct thread_names *names = &b->tracks.names, joined = { 0 };
	ALLOC_LOCAL uint32_t *group = xcalloc((size_t)p->n_inputs + 1, sizeof *group);

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (b->sources[i].clock == 0)
			group[p->lanes[i].input] = p->lanes[i].group;
	for (size_t i = 0; i < names->n; i++) {
		const struct track_name *from = &names->list[i];
		struct track_name *to = thread_names_get(&joined, group[from->of], from->pid,
							 from->tid);

		to->name = from->name ? from->name : to->name;
		to->title = from->title ? from->title : to->title;
		to->page = from->page ? from->page : to->page;
		if (from->page_order) {
			to->page_order = from->page_order;
			to->page_rank = from->page_rank;
			to->page_tid = from->page_tid;
		}
		to->sort = from->has_sort ? from->sort : to->sort;
		to->rank = from->has_sort ? from->rank : to->rank;
	}
	free(names->list);
	hash_table_done(&names->index);
	*names = joined;
}

/* The name of a lane's thread, or of its process (tid LANE_NO_ID), or NULL. */
static const struct track_name *use(const struct thread_names *names, const struct lane *lane,
				    int64_t tid)
{
	struct track_name *name = find(names, lane->group, lane->pid, tid);

	if (name)
		name->has_lane = true;
	return name;
}

/* ---- pages ---- */

/* Find the page that each input is about, and set the order of processes by it. */
static void find_pages(struct builder *b)
{
	struct profile *p = b->profile;
	ALLOC_LOCAL struct lane **main = xcalloc((size_t)p->n_inputs + 1, sizeof *main);
	ALLOC_LOCAL uint8_t *rank = xcalloc((size_t)p->n_inputs + 1, sizeof *rank);

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		struct lane *lane = &p->lanes[i], *best = main[lane->input];
		const struct track_name *x = find(&b->tracks.names, lane->group, lane->pid,
						  LANE_NO_ID);

		lane->page_order = (uint8_t)(x && x->page_order ? x->page_order : PAGE_NONE);
		if (!x || !x->page_rank || lane->tid != x->page_tid ||
		    (best && x->page_rank > rank[lane->input]) ||
		    (best && x->page_rank == rank[lane->input] &&
		     lane_worked_ns(lane) <= lane_worked_ns(best)))
			continue;
		main[lane->input] = lane;
		rank[lane->input] = x->page_rank;
	}
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		struct lane *lane = &p->lanes[i];
		const struct lane *page = main[lane->input];

		lane->is_page_main = page && lane_is_of_thread(lane, page);
		if (!page || lane->pid == LANE_NO_ID || lane_is_of_process(lane, page))
			lane->page_order = PAGE_ITSELF;
		/* The ruler names what matters of them. */
		lane->is_folded |= page && lane_is_across_all(lane);
	}
}

/* ---- threads without lane ----
 *
 * A process is listed by itself only if none of its threads is listed and it has no lane at all:
 * otherwise its name stands with its threads. */

static int by_thread(const void *a, const void *b)
{
	const struct profile_named *x = a, *y = b;

	return SORT_BY_2(x->pid, y->pid, x->tid, y->tid);
}

/* List them in the profile. */
static void list_without_lane(struct builder *b)
{
	struct profile *p = b->profile;
	size_t cap = 0;
	uint32_t n = 0;

	/* Of a part of the file it is not known which threads have no events. */
	if (builder_is_partial(b))
		return;
	for (size_t i = 0; i < b->tracks.names.n; i++) {
		const struct track_name *name = &b->tracks.names.list[i];
		const struct track_name *process = find(&b->tracks.names, name->of, name->pid,
							LANE_NO_ID);

		if (name->has_lane || !name->name)
			continue;
		*ARRAY_ADD(p->named, p->n_named, cap) = (struct profile_named){
			.pid = name->pid,
			.tid = name->tid,
			.process_name = process ? process->name : 0,
			.thread_name = name->tid != LANE_NO_ID ? name->name : 0,
			.thread_title = name->title,
		};
	}
	if (p->n_named)
		qsort(p->named, p->n_named, sizeof *p->named, by_thread);
	/* The entry of a process (tid LANE_NO_ID) comes before those of its threads. */
	for (uint32_t i = 0; i < p->n_named; i++)
		if (p->named[i].tid != LANE_NO_ID || i + 1 == p->n_named ||
		    p->named[i + 1].pid != p->named[i].pid)
			p->named[n++] = p->named[i];
	p->n_named = n;
}

/* ---- all together ---- */

/* process, thread: NULL: nothing names it. */
static void take_names(struct lane *lane, const struct track_name *process,
		       const struct track_name *thread)
{
	if (process && process->name)
		lane->process_name = process->name;
	/* A file may name its own thread. */
	if (thread && thread->name && !lane->thread_name)
		lane->thread_name = thread->name;
	if (thread && thread->title) {
		lane->thread_title = thread->title;
		lane->page = thread->page;
	}
}

void lane_order(struct builder *b)
{
	struct profile *p = b->profile;
	ALLOC_LOCAL struct sorted_lane *places = xcalloc(p->n_lanes, sizeof *places);
	struct lane *sorted = xmalloc((size_t)p->n_lanes * sizeof *sorted);
	struct lane_source *sources = xmalloc((size_t)p->n_lanes * sizeof *sources);
	bool has_samples = false;

	group_names(b);
	find_pages(b);
	for (uint32_t i = 0; i < p->n_lanes; i++)
		has_samples |= p->lanes[i].kind == LANE_SAMPLES;
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		struct lane *lane = &p->lanes[i];
		const struct track_name *process = use(&b->tracks.names, lane, LANE_NO_ID);
		const struct track_name *thread = lane->tid != LANE_NO_ID
			? use(&b->tracks.names, lane, lane->tid)
			: NULL;

		take_names(lane, process, thread);
		lane->is_folded |= lane->kind == LANE_COUNTER && has_samples &&
			metrics_is_counter(profile_text(p, lane->title));
		places[i] = (struct sorted_lane){
			.lane = lane,
			.at = i,
			/* Processes of a tree are in the order in which they began. */
			.process_name = !lane->has_parent ? profile_text(p, lane->process_name)
							  : "",
			.thread_name = profile_text(p, lane->thread_name),
			.process_sort = process ? process->sort : 0,
			.thread_sort = thread ? thread->sort : 0,
			.rank = lane->tid == 0 ? 0
				: thread       ? thread->rank
					       : 2,
			.is_below = lane_is_across_all(lane) && lane->is_folded,
			.is_whole = lane->pid == LANE_NO_ID && lane->tid == LANE_NO_ID &&
				lane->kind != LANE_SAMPLES &&
				!(lane_is_across_all(lane) && lane->is_folded),
		};
	}
	find_starts(places, p->n_lanes);
	find_twins(p, places, p->n_lanes);
	qsort(places, p->n_lanes, sizeof *places, by_place);
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		struct lane *lane = &sorted[i];

		*lane = *places[i].lane;
		sources[i] = b->sources[places[i].at];
		lane->id = i + 1;
		/* Marks continue the slices of their thread with one more row. */
		if (i && lane->kind == LANE_MARKS && !lane->title && lane->tid != LANE_NO_ID &&
		    sorted[i - 1].kind == LANE_SLICES && lane_is_of_process(&sorted[i - 1], lane) &&
		    sorted[i - 1].tid == lane->tid)
			lane->is_joined = true;
	}
	free(p->lanes);
	free(b->sources);
	p->lanes = sorted;
	b->sources = sources;
	b->cap_lanes = p->n_lanes;
	list_without_lane(b);
}
