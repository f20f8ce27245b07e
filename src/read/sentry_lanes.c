/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cost follows the samples and the frames of their stacks, not the product of threads and
 * frames or stacks:
 *
 * 1. Samples are taken thread by thread, and share a table of the nodes of stacks.
 * 2. Equal frames have one number, in all documents of a file, so that the chunks of a lane have
 *    one tree. A lane passes only the frames of its own nodes to the builder. */
#include "config.h"

#include "read/sentry_lanes.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/units.h"
#include "model/build/cpu_builder.h"
#include "model/build/track_builder.h"
#include "read/stack_lane.h"

#include <stdlib.h>
#include <string.h>

#define NODES_MAX ((size_t)1 << 26) /* of all lanes of a document */
#define UNKNOWN 0u                  /* the number of a frame that does not exist */

/* The samples of a lane that one chunk has. */
struct stretch {
	int64_t from, last;
	size_t n;
};

struct sentry_lane {
	uint64_t group;
	str_id thread, name;
	struct stack_lane stacks;
	struct stretch *stretches;
	size_t n_stretches, cap_stretches;
	size_t n_unsorted;
	uint32_t n_here, at; /* of the document: samples, and where they are in `order` */
	bool is_made;
};

struct sentry_lanes {
	struct builder *b;
	const struct file_hints *hints;
	const struct intern *texts;
	struct sentry_frame *frames; /* without an address, file and module: the texts to use */
	size_t n_frames, cap_frames;
	struct hash_table frame_index;
	struct sentry_lane *lanes;
	size_t n_lanes, cap_lanes;
	struct hash_table lane_index;
	size_t cap_passed;
	uint32_t *passed, *passed_for; /* by frame: its number in the builder, for a lane, from 1 */
	uint32_t n_emitted;
	uint32_t n_alone; /* documents without a series */
};

/* ---- the document that is added ---- */

struct adding {
	struct sentry_lanes *l;
	const struct sentry_lists *lists;
	uint32_t *frame;   /* by frame of the document */
	uint32_t *lane;    /* by sample */
	uint32_t *order;   /* samples by lane, in the order of the file */
	uint32_t *touched; /* lanes, in the order of their first samples */
	size_t n_touched;
	uint32_t *node, *node_for; /* by stack: its node in a lane, from 1 */
	size_t n_nodes;
	struct error *err;
};

static bool is_same_frame(const struct sentry_frame *a, const struct sentry_frame *b)
{
	return a->name == b->name && a->path == b->path && a->line == b->line &&
		a->column == b->column && a->has_owner == b->has_owner && a->is_app == b->is_app;
}

static uint32_t find_frame(struct sentry_lanes *l, const struct sentry_frame *of_file)
{
	const struct sentry_frame frame = {
		.name = of_file->name ? of_file->name : of_file->address,
		.path = of_file->path   ? of_file->path
			: of_file->file ? of_file->file
					: of_file->module,
		.line = of_file->line,
		.column = of_file->column,
		.has_owner = of_file->has_owner,
		.is_app = of_file->is_app,
	};
	const uint64_t key[] = { (uint64_t)frame.name << 32 | frame.path, (uint64_t)frame.line,
				 (uint64_t)frame.column << 2 | (uint64_t)frame.has_owner << 1 |
					 (uint64_t)frame.is_app };
	struct hash_probe probe = hash_probe(hash_bytes(key, sizeof key));

	while (hash_table_next(&l->frame_index, &probe))
		if (is_same_frame(&l->frames[probe.index], &frame))
			return probe.index;
	hash_table_add_missing(&l->frame_index, &probe, (uint32_t)l->n_frames);
	l->frames = xgrow(l->frames, &l->cap_frames, l->n_frames + 1, sizeof *l->frames);
	l->frames[l->n_frames] = frame;
	return (uint32_t)l->n_frames++;
}

static uint32_t *number_frames(struct sentry_lanes *l, const struct sentry_lists *lists)
{
	uint32_t *frame = xmalloc((lists->n_frames + 1) * sizeof *frame);

	for (size_t i = 0; i < lists->n_frames; i++)
		frame[i] = find_frame(l, &lists->frames[i]);
	return frame;
}

/* The lane of a thread of a document or series. LANE_NONE: there is none. */
#define LANE_NONE UINT32_MAX

static uint32_t find_lane(const struct sentry_lanes *l, uint64_t group, str_id thread,
			  struct hash_probe *probe)
{
	const uint64_t key[] = { group, thread };

	*probe = hash_probe(hash_bytes(key, sizeof key));
	while (hash_table_next(&l->lane_index, probe)) {
		const struct sentry_lane *lane = &l->lanes[probe->index];

		if (lane->group == group && lane->thread == thread)
			return probe->index;
	}
	return LANE_NONE;
}

static uint32_t get_lane(struct sentry_lanes *l, uint64_t group, str_id thread)
{
	struct hash_probe probe;
	uint32_t lane = find_lane(l, group, thread, &probe);

	if (lane != LANE_NONE)
		return lane;
	hash_table_add_missing(&l->lane_index, &probe, (uint32_t)l->n_lanes);
	l->lanes = xgrow(l->lanes, &l->cap_lanes, l->n_lanes + 1, sizeof *l->lanes);
	l->lanes[l->n_lanes] = (struct sentry_lane){ .group = group, .thread = thread };
	stack_lane_init(&l->lanes[l->n_lanes].stacks);
	return (uint32_t)l->n_lanes++;
}

/* Put the samples of each thread together. */
static void order_samples(struct adding *a, uint64_t group)
{
	const struct sentry_sample *samples = a->lists->samples;
	struct sentry_lanes *l = a->l;
	uint32_t at = 0;

	for (size_t i = 0; i < a->lists->n_samples; i++) {
		bool is_same = i > 0 && samples[i].thread == samples[i - 1].thread;

		a->lane[i] = is_same ? a->lane[i - 1] : get_lane(l, group, samples[i].thread);
		if (l->lanes[a->lane[i]].n_here++ == 0)
			a->touched[a->n_touched++] = a->lane[i];
	}
	for (size_t i = 0; i < a->n_touched; i++) {
		struct sentry_lane *lane = &l->lanes[a->touched[i]];

		lane->at = at;
		at += lane->n_here;
	}
	for (size_t i = 0; i < a->lists->n_samples; i++)
		a->order[l->lanes[a->lane[i]].at++] = (uint32_t)i;
}

static bool place_stack(struct adding *a, uint32_t lane, int64_t stack, uint32_t *node)
{
	struct stack_lane *stacks = &a->l->lanes[lane].stacks;
	const struct sentry_lists *lists = a->lists;
	size_t first, at;

	*node = 0;
	if (stack < 0 || (uint64_t)stack >= lists->n_stacks) {
		builder_warn(a->l->b, WARN_ODD_INDEX, -1);
		return stack_lane_child(stacks, 0, UNKNOWN, node, a->err);
	}
	if (a->node_for[stack] == lane + 1) {
		*node = a->node[stack];
		return true;
	}
	first = lists->stacks[stack];
	at = (size_t)stack + 1 < lists->n_stacks ? lists->stacks[stack + 1] : lists->n_items;
	if (at - first > NODES_MAX - a->n_nodes)
		return error_set(a->err, ERR_LIMIT, -1, "stacks with more than %zu frames",
				 NODES_MAX);
	a->n_nodes += at - first;
	while (at-- > first) {
		int64_t frame = lists->items[at];
		bool is_known = frame >= 0 && (uint64_t)frame < lists->n_frames;

		if (!is_known)
			builder_warn(a->l->b, WARN_ODD_INDEX, -1);
		if (!stack_lane_child(stacks, *node, is_known ? a->frame[frame] : UNKNOWN, node,
				      a->err))
			return false;
	}
	a->node[stack] = *node;
	a->node_for[stack] = lane + 1;
	return true;
}

/* Add the samples of one thread. */
static bool add_samples(struct adding *a, uint32_t at)
{
	struct sentry_lane *lane = &a->l->lanes[at];
	const uint32_t *order = a->order + (lane->at - lane->n_here);
	int64_t before = a->lists->samples[order[0]].t;
	struct stretch stretch = { before, before, lane->n_here };
	uint32_t node;

	for (uint32_t i = 0; i < lane->n_here; i++) {
		const struct sentry_sample *sample = &a->lists->samples[order[i]];

		if (!place_stack(a, at, sample->stack, &node))
			return false;
		stack_lane_sample(&lane->stacks, node, sample->t);
		lane->n_unsorted += i > 0 && sample->t <= before;
		before = sample->t;
		stretch.from = sample->t < stretch.from ? sample->t : stretch.from;
		stretch.last = sample->t > stretch.last ? sample->t : stretch.last;
	}
	lane->stretches = xgrow(lane->stretches, &lane->cap_stretches, lane->n_stretches + 1,
				sizeof *lane->stretches);
	lane->stretches[lane->n_stretches++] = stretch;
	return true;
}

static void name_lanes(struct sentry_lanes *l, const struct sentry_lists *lists, uint64_t group)
{
	struct hash_probe probe;

	for (size_t i = 0; i < lists->n_threads; i++) {
		uint32_t lane = find_lane(l, group, lists->threads[i].id, &probe);

		if (lane != LANE_NONE && lists->threads[i].name)
			l->lanes[lane].name = lists->threads[i].name;
	}
}

/* ---- lanes ---- */

static int by_start(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static int64_t distance_in(const struct stretch *s)
{
	return s->n > 1 ? (s->last - s->from) / (int64_t)(s->n - 1) : 0;
}

/* Between two chunks of a series there may be a pause. The last sample before it, and then also the
 * last one of all, lasts as long as those of its chunk on average. */
static void add_pauses(struct sentry_lane *lane)
{
	struct stack_lane *stacks = &lane->stacks;
	int64_t last = INT64_MIN, distance = 0;

	qsort(lane->stretches, lane->n_stretches, sizeof *lane->stretches, by_start);
	for (size_t i = 0; i < lane->n_stretches; i++) {
		const struct stretch *s = &lane->stretches[i];

		if (distance > 0 && s->from - last > NS_PER_S && (s->from - last) / 10 > distance) {
			stack_lane_sample(stacks, 0, last + distance);
			stacks->has_end = true;
		}
		if (s->last > last) {
			last = s->last;
			distance = distance_in(s);
		}
	}
	stacks->has_end = stacks->has_end && distance > 0;
	stacks->end_ns = last + distance;
}

static uint32_t pass_frame(struct sentry_lanes *l, const struct sentry_frame *f)
{
	uint32_t frame = cpu_builder_frame(
		l->b,
		&(struct cpu_frame){ intern_text(l->texts, f->name), intern_len(l->texts, f->name),
				     intern_text(l->texts, f->path), intern_len(l->texts, f->path),
				     "0", 1, f->line - 1, f->column - 1 });

	if (f->has_owner)
		cpu_builder_owner(l->b, frame, f->is_app);
	return frame;
}

/* Pass the frames of all nodes of a lane to the builder. */
static void pass_frames(struct sentry_lanes *l, const struct node_map *map)
{
	if (l->cap_passed < l->n_frames) {
		size_t before = l->cap_passed;

		l->passed_for = xgrow(l->passed_for, &l->cap_passed, l->n_frames,
				      sizeof *l->passed_for);
		l->passed = xrealloc(l->passed, l->cap_passed, sizeof *l->passed);
		memset(l->passed_for + before, 0, (l->cap_passed - before) * sizeof *l->passed_for);
	}
	l->n_emitted++;
	for (uint32_t i = 1; i < map->n; i++) {
		uint32_t frame = map->frame[i];

		if (l->passed_for[frame] == l->n_emitted)
			continue;
		l->passed_for[frame] = l->n_emitted;
		l->passed[frame] = frame == UNKNOWN
			? cpu_builder_frame(
				  l->b,
				  &(struct cpu_frame){ "(unknown)", 9, "", 0, "0", 1, -1, -1 })
			: pass_frame(l, &l->frames[frame]);
	}
}

/* The number of a thread, which is its id if that is one. */
static int64_t thread_number(const char *id)
{
	char *end;
	long long n = strtoll(id, &end, 10);

	return *id && !*end && n > INT32_MIN && n < INT64_MAX ? n : LANE_NO_ID;
}

static bool end_lane(struct sentry_lanes *l, const struct sentry_lane *lane, struct error *err)
{
	int64_t tid = thread_number(intern_text(l->texts, lane->thread));
	str_id name = lane->name ? lane->name : lane->thread;

	if (tid != LANE_NO_ID && lane->name)
		track_builder_thread(l->b, l->hints->pid, tid, intern_text(l->texts, name),
				     intern_len(l->texts, name));
	else if (tid == LANE_NO_ID && name)
		cpu_builder_title(l->b, intern_text(l->texts, name), intern_len(l->texts, name),
				  false);
	return cpu_builder_end(l->b, l->hints->pid, tid, err);
}

static bool make_lane(struct sentry_lanes *l, struct sentry_lane *lane, struct error *err)
{
	size_t n = lane->stacks.n_samples;

	add_pauses(lane);
	cpu_builder_begin(l->b);
	stack_lane_sort(&lane->stacks);
	if (lane->n_unsorted)
		builder_warn_times(l->b, WARN_UNSORTED, -1, lane->n_unsorted);
	pass_frames(l, &lane->stacks.map);
	stack_lane_emit(&lane->stacks, l->b, l->passed);
	if (n == 1)
		builder_warn(l->b, WARN_ONE_SAMPLE, -1);
	stack_lane_done(&lane->stacks);
	return end_lane(l, lane, err);
}

static void forget_stacks(struct sentry_lane *lane)
{
	stack_lane_done(&lane->stacks);
	free(lane->stretches);
	lane->stretches = NULL;
}

/* Make the lanes from `from` on that are not made yet. */
static bool make_lanes(struct sentry_lanes *l, size_t from, struct error *err)
{
	for (size_t i = from; i < l->n_lanes; i++) {
		struct sentry_lane *lane = &l->lanes[i];
		bool ok = lane->is_made || lane->n_stretches == 0 || make_lane(l, lane, err);

		lane->is_made = true;
		forget_stacks(lane);
		if (!ok)
			return false;
	}
	return true;
}

/* ---- the interface ---- */

struct sentry_lanes *sentry_lanes_new(struct builder *b, const struct file_hints *hints,
				      const struct intern *texts)
{
	struct sentry_lanes *l = xcalloc(1, sizeof *l);

	l->b = b;
	l->hints = hints;
	l->texts = texts;
	l->frames = xgrow(NULL, &l->cap_frames, 1, sizeof *l->frames);
	l->frames[l->n_frames++] = (struct sentry_frame){ 0 };
	return l;
}

void sentry_lanes_free(struct sentry_lanes *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n_lanes; i++)
		forget_stacks(&l->lanes[i]);
	free(l->lanes);
	free(l->frames);
	free(l->passed);
	free(l->passed_for);
	hash_table_done(&l->frame_index);
	hash_table_done(&l->lane_index);
	free(l);
}

bool sentry_lanes_add(struct sentry_lanes *l, const struct sentry_lists *lists, str_id series,
		      struct error *err)
{
	struct adding a = { .l = l,
			    .lists = lists,
			    .frame = number_frames(l, lists),
			    .lane = xmalloc((lists->n_samples + 1) * sizeof *a.lane),
			    .order = xmalloc((lists->n_samples + 1) * sizeof *a.order),
			    .touched = xmalloc((lists->n_samples + 1) * sizeof *a.touched),
			    .node = xcalloc(lists->n_stacks + 1, sizeof *a.node),
			    .node_for = xcalloc(lists->n_stacks + 1, sizeof *a.node_for),
			    .err = err };
	uint64_t group = series ? series : UINT64_C(1) << 32 | l->n_alone++;
	size_t n_before = l->n_lanes;
	bool ok = true;

	order_samples(&a, group);
	name_lanes(l, lists, group);
	for (size_t i = 0; i < a.n_touched; i++) {
		ok = ok && add_samples(&a, a.touched[i]);
		l->lanes[a.touched[i]].n_here = 0;
	}
	free(a.frame);
	free(a.lane);
	free(a.order);
	free(a.touched);
	free(a.node);
	free(a.node_for);
	return ok && (series || make_lanes(l, n_before, err));
}

bool sentry_lanes_finish(struct sentry_lanes *l, struct error *err)
{
	return make_lanes(l, 0, err);
}
