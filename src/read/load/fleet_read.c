/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workers read files in the order of the set, several at a time; the worker that has the file that
 * is next adds it, and those that wait behind it. So the fleet does not depend on which worker is
 * faster. What the workers share is guarded by the mutex; only the owner of a place in the ring
 * touches the profile there. */
#include "config.h"

#include "read/load/fleet_read.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/str.h"
#include "base/thread.h"
#include "base/units.h"
#include "model/build/builder.h"
#include "model/file_key.h"
#include "model/profile.h"
#include "read/load/file_set.h"
#include "read/load/load_file.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

#define THREADS_MAX 64u
#define RING 64u       /* files that were read and wait for one before them; at least THREADS_MAX */
#define DISTANCES 512u /* of samples, from which their interval is known */
#define LOOK_MS 20
#define LARGE_BYTES ((int64_t)16 << 20) /* of a file that may take too much memory */
#define HOUR_S 3600
#define DAY_S 86400

/* ==== fleet draft ====
 *
 * The fleet while recordings are added. */

#define SIDES (FLEET_AFTER + 1)

/* Cells under construction. */
struct draft_cells {
	struct fleet_cell *list;
	size_t n, cap;
	struct hash_table index; /* by function */
};

struct draft_group {
	struct fleet_group group;
	struct draft_cells cells;
	size_t cap_selves;
	struct hash_table selves; /* by stack */
};

struct draft_bin {
	struct fleet_bin bin;
	struct draft_cells cells;
};

struct draft {
	const struct fleet_options *options;
	struct fleet *fleet;
	size_t cap_functions;
	struct hash_table functions; /* by the hash of name, caller and file */
	str_id *in;                  /* by function: the caller of an anonymous one */
	str_id *plain;               /* by function: its name without that */
	size_t cap_in, cap_plain;
	struct node_map stacks;
	struct intern urls; /* that were seen, */
	str_id *files;      /* and the key of the file of each */
	size_t cap_files;
	struct draft_group *groups;
	size_t n_groups, cap_groups;
	struct hash_table group_index[SIDES]; /* by host and version */
	struct draft_bin *bins;
	size_t n_bins, cap_bins;
	struct hash_table bin_index; /* by value, which the time gives where there is one */
	struct hash_table ids;       /* of recordings */
	uint64_t *id_list;
	size_t n_ids, cap_ids;
	/* Of the recording that is added; by function, for those in `touched`. */
	int64_t *self, *total;
	size_t cap_self, cap_total;
	uint32_t *touched;
	size_t n_touched, cap_touched;
	struct fleet_self *selves;
	size_t n_selves, cap_selves;
	struct fleet_span *spans;
	size_t n_spans, cap_spans;
};

/* ---- numbers ---- */

/* Find the item with a number in a list of which the table is the index, or add n to the index: the
 * caller adds the item then, and *is_new is set. */
static uint32_t find_number(struct hash_table *index, uint64_t number, const void *list, size_t n,
			    uint64_t (*number_of)(const void *list, uint32_t i), bool *is_new)
{
	struct hash_probe probe = hash_probe(hash_u64(number));

	*is_new = false;
	while (hash_table_next(index, &probe))
		if (number_of(list, probe.index) == number)
			return probe.index;
	hash_table_add_missing(index, &probe, (uint32_t)n);
	*is_new = true;
	return (uint32_t)n;
}

static uint64_t id_number(const void *list, uint32_t i)
{
	return ((const uint64_t *)list)[i];
}

static uint64_t cell_number(const void *list, uint32_t i)
{
	return ((const struct fleet_cell *)list)[i].function;
}

static uint64_t self_number(const void *list, uint32_t i)
{
	return ((const struct fleet_self *)list)[i].stack;
}

static uint64_t number_of_group(const struct fleet_group *g)
{
	return (uint64_t)g->host << 32 | g->version;
}

static uint64_t group_number(const void *list, uint32_t i)
{
	return number_of_group(&((const struct draft_group *)list)[i].group);
}

static uint64_t bin_number(const void *list, uint32_t i)
{
	return ((const struct draft_bin *)list)[i].bin.value;
}

/* ---- functions ---- */

static str_id file_of(struct draft *d, const char *url)
{
	size_t n = d->urls.n;
	str_id id = intern_adds(&d->urls, url);
	BUF_LOCAL key = { 0 };

	if (id == 0)
		return 0;
	if (id < n)
		return d->files[id];
	file_key_add(url, &key);
	d->files = xgrow(d->files, &d->cap_files, d->urls.n, sizeof *d->files);
	d->files[id] = intern_add(&d->fleet->strings, buf_text(&key), key.len);
	return d->files[id];
}

/* The same on all machines, whatever was read before. */
static uint64_t key_of(const struct fleet *f, str_id name, str_id in, str_id file)
{
	const str_id texts[] = { name, in, file };
	uint64_t hash = HASH_TEXT_BEGIN;

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		hash = hash_text(hash, intern_text(&f->strings, texts[i]),
				 intern_len(&f->strings, texts[i]));
	return hash_u64(hash);
}

/* in: the name of the caller of an anonymous function; else 0. */
static uint32_t find_function(struct draft *d, const struct profile *p, const struct frame *frame,
			      str_id in)
{
	struct fleet *f = d->fleet;
	const char *text = profile_text(p, frame->name);
	str_id name = intern_add(&f->strings, text, intern_len(&p->strings, frame->name));
	str_id file = file_of(d, profile_text(p, frame->url));
	struct hash_probe probe = hash_probe(hash_u64((uint64_t)name << 32 | file) ^
					     hash_u64((uint64_t)in + 1));
	struct fleet_function *function;
	BUF_LOCAL shown = { 0 };

	while (hash_table_next(&d->functions, &probe))
		if (d->plain[probe.index] == name && d->in[probe.index] == in &&
		    f->functions[probe.index].file == file)
			return probe.index;
	hash_table_add_missing(&d->functions, &probe, f->n_functions);
	d->plain = xgrow(d->plain, &d->cap_plain, f->n_functions + 1, sizeof *d->plain);
	d->in = xgrow(d->in, &d->cap_in, f->n_functions + 1, sizeof *d->in);
	d->plain[f->n_functions] = name;
	d->in[f->n_functions] = in;
	buf_addf(&shown, "%s in %s", text, intern_text(&f->strings, in));
	f->functions = xgrow(f->functions, &d->cap_functions, f->n_functions + 1,
			     sizeof *f->functions);
	function = &f->functions[f->n_functions];
	*function = (struct fleet_function){
		.key = key_of(f, name, in, file),
		.name = in ? intern_add(&f->strings, buf_text(&shown), shown.len) : name,
		.file = file,
		.url = intern_adds(&f->strings, profile_text(p, frame->url)),
		.line = frame->line,
		.column = frame->column,
		.package = intern_adds(&f->strings, profile_text(p, frame->package)),
		.category = frame->category,
	};
	return f->n_functions++;
}

/* ---- the recording ---- */

static void touch(struct draft *d, uint32_t function)
{
	*ARRAY_ADD(d->touched, d->n_touched, d->cap_touched) = function;
}

/* Room for all functions, with a total of -1 where the recording does not have them. */
static void grow_sums(struct draft *d, size_t n)
{
	size_t before = d->cap_total;

	if (n <= before)
		return;
	d->self = xgrow(d->self, &d->cap_self, n, sizeof *d->self);
	d->total = xgrow(d->total, &d->cap_total, n, sizeof *d->total);
	for (size_t i = before; i < d->cap_total; i++)
		d->total[i] = -1;
}

/* The function of each node of a lane. named: by node, the nearest function with a name. */
static uint32_t *find_functions(struct draft *d, const struct profile *p, const struct lane *lane)
{
	const struct calltree *tree = &lane->tree;
	uint32_t *function = xcalloc(tree->n, sizeof *function);
	ALLOC_LOCAL uint32_t *known = xcalloc(p->frames.n, sizeof *known);
	ALLOC_LOCAL str_id *named = xcalloc(tree->n, sizeof *named);

	for (node_id n = 1; n < tree->n; n++) {
		frame_id id = tree->frame[n];
		const struct frame *frame = profile_frame(p, id);

		named[n] = named[tree->parent[n]];
		if (profile_is_anonymous(p, frame)) {
			function[n] = find_function(d, p, frame, named[n]);
			continue;
		}
		if (!known[id])
			known[id] = find_function(d, p, frame, 0) + 1;
		function[n] = known[id] - 1;
		if (frame->url)
			named[n] = d->fleet->functions[function[n]].name;
	}
	return function;
}

/* Add self and total times by function. Recursion counts once: a node is inside of another one of
 * its function if that one is still open. */
static void add_times(struct draft *d, const struct lane *lane, const uint32_t *function,
		      const int64_t *self)
{
	const struct calltree *tree = &lane->tree;
	ALLOC_LOCAL int64_t *total = xcalloc(tree->n, sizeof *total);
	ALLOC_LOCAL node_id *open = NULL;

	grow_sums(d, d->fleet->n_functions);
	open = xcalloc(d->fleet->n_functions, sizeof *open);
	for (node_id n = tree->n; n-- > 1;) {
		total[n] += self[n];
		total[tree->parent[n]] += total[n];
	}
	for (node_id n = 1; n < tree->n; n++) {
		uint32_t f = function[n];

		if (d->total[f] < 0) {
			d->total[f] = d->self[f] = 0;
			touch(d, f);
		}
		d->self[f] += self[n];
		if (n >= open[f]) {
			open[f] = tree->end[n];
			d->total[f] += total[n];
		}
	}
}

static void add_stacks(struct draft *d, const struct lane *lane, const uint32_t *function,
		       const int64_t *self, const uint32_t *count)
{
	const struct calltree *tree = &lane->tree;
	ALLOC_LOCAL uint32_t *stack = xcalloc(tree->n, sizeof *stack);

	for (node_id n = 1; n < tree->n; n++) {
		stack[n] = node_map_child(&d->stacks, stack[tree->parent[n]], function[n]);
		if (self[n] || count[n])
			*ARRAY_ADD(d->selves, d->n_selves, d->cap_selves) =
				(struct fleet_self){ stack[n], count[n], self[n] };
	}
}

SORT_ORDER(by_distance, int64_t, SORT_BY_1(*x, *y))

/* The interval of samples as it was asked for: the median of their distances, of some of them. */
static int64_t interval_of(const struct samples *s)
{
	int64_t list[DISTANCES];
	size_t n = s->n - 1 < DISTANCES ? s->n - 1 : DISTANCES;

	for (size_t i = 0; i < n; i++) {
		size_t at = i * (s->n - 1) / n;

		list[i] = samples_time(s, at + 1) - samples_time(s, at);
	}
	if (n == 0)
		return 0;
	qsort(list, n, sizeof *list, by_distance);
	return list[n / 2];
}

static void add_facts(struct fleet_facts *to, const struct lane *lane, int64_t *interval)
{
	const struct samples *s = &lane->samples;
	int64_t length = lane->sampled_t1 - lane->sampled_t0, each = 0;
	uint64_t n = lane->n_samples;

	/* Sums of nodes may have counts. */
	for (size_t i = 0; lane->counts && !lane->has_timeline && i < s->n; i++)
		n += lane->counts[i] - (i == 0 ? lane->n_samples : 0);
	if (lane->has_timeline)
		each = interval_of(s);
	to->n_samples += n;
	to->n_expected += each > 0 ? (uint64_t)(length / each) : n;
	to->length_ns += length;
	to->busy_ns += lane_worked_ns(lane);
	to->idle_ns += lane->idle_ns;
	to->gc_ns += lane->gc_ns;
	to->program_ns += lane->program_ns;
	for (size_t i = 0; lane->has_timeline && i + 1 < s->n; i++) {
		int64_t gap = samples_time(s, i + 1) - samples_time(s, i);

		to->gap_ns = gap > to->gap_ns ? gap : to->gap_ns;
	}
	*interval = each > *interval ? each : *interval;
}

/* The spans of the length that was asked for, by their ends. */
static void add_spans(struct draft *d, const struct lane *lane, const uint32_t *function)
{
	const struct samples *s = &lane->samples;
	ALLOC_LOCAL size_t *first = xcalloc((size_t)lane->tree.max_rows + 1, sizeof *first);
	unsigned n_open = 0;

	for (size_t i = 0; i < s->n; i++) {
		node_id node = samples_leaf(s, i);
		unsigned left = i + 1 < s->n ? samples_shared(s, i) : 0;

		for (; n_open < lane->tree.rows[node]; n_open++)
			first[n_open] = i;
		for (; n_open > left; node = lane->tree.parent[node]) {
			int64_t start = samples_time(s, first[--n_open]),
				length = samples_time(s, i + 1) - start;

			if (length >= d->options->span_ns)
				*ARRAY_ADD(d->spans, d->n_spans, d->cap_spans) =
					(struct fleet_span){ function[node], start, length };
		}
	}
}

static void add_lane(struct draft *d, const struct profile *p, const struct lane *lane)
{
	ALLOC_LOCAL uint32_t *function = find_functions(d, p, lane);
	ALLOC_LOCAL int64_t *self = xcalloc(lane->tree.n, sizeof *self);
	ALLOC_LOCAL uint32_t *count = xcalloc(lane->tree.n, sizeof *count);

	for (size_t i = 0; i < lane->samples.n; i++) {
		node_id leaf = samples_leaf(&lane->samples, i);

		self[leaf] += samples_time(&lane->samples, i + 1) - samples_time(&lane->samples, i);
		count[leaf] += lane->counts ? lane->counts[i] : 1;
	}
	add_times(d, lane, function, self);
	add_stacks(d, lane, function, self, count);
	if (d->options->span_ns > 0 && lane->has_timeline)
		add_spans(d, lane, function);
}

/* ---- sums ---- */

static struct fleet_cell *find_cell(struct draft_cells *cells, uint32_t function)
{
	bool is_new;
	uint32_t i = find_number(&cells->index, function, cells->list, cells->n, cell_number,
				 &is_new);

	if (is_new)
		*ARRAY_ADD(cells->list, cells->n,
			   cells->cap) = (struct fleet_cell){ .function = function };
	return &cells->list[i];
}

/* Add the functions of the recording. */
static void cells_add(struct draft_cells *cells, const struct draft *d)
{
	for (size_t i = 0; i < d->n_touched; i++) {
		uint32_t f = d->touched[i];
		struct fleet_cell *cell = find_cell(cells, f);

		cell->n_profiles++;
		cell->self_ns = units_sum(cell->self_ns, d->self[f]);
		cell->total_ns = units_sum(cell->total_ns, d->total[f]);
	}
}

static struct fleet_self *find_self(struct draft_group *g, uint32_t stack)
{
	struct fleet_group *group = &g->group;
	bool is_new;
	uint32_t i = find_number(&g->selves, stack, group->selves, group->n_selves, self_number,
				 &is_new);

	if (is_new)
		*ARRAY_ADD(group->selves, group->n_selves,
			   g->cap_selves) = (struct fleet_self){ .stack = stack };
	return &group->selves[i];
}

static struct draft_group *find_group(struct draft *d, const struct fleet_group *like)
{
	bool is_new;
	uint32_t i = find_number(&d->group_index[like->side], number_of_group(like), d->groups,
				 d->n_groups, group_number, &is_new);

	if (is_new)
		*ARRAY_ADD(d->groups, d->n_groups,
			   d->cap_groups) = (struct draft_group){ .group = *like };
	return &d->groups[i];
}

static struct draft_bin *find_bin(struct draft *d, const struct fleet_bin *like)
{
	bool is_new;
	uint32_t i = find_number(&d->bin_index, like->value, d->bins, d->n_bins, bin_number,
				 &is_new);

	if (is_new)
		*ARRAY_ADD(d->bins, d->n_bins, d->cap_bins) = (struct draft_bin){ .bin = *like };
	return &d->bins[i];
}

/* ---- labels ---- */

/* The value of a label of a recording; "": it has none. */
static const char *label_of(const struct profile *p, struct str key)
{
	uint32_t set = p->n_inputs ? p->inputs[0].labels : 0;

	for (uint32_t i = 0; set && i < p->labels.n_keys; i++) {
		const char *name = profile_text(p, p->labels.keys[i].name);

		if (strlen(name) == key.len && memcmp(name, key.p, key.len) == 0)
			return profile_text(p, labels_value(&p->labels, set, i));
	}
	return "";
}

static bool has_label(const struct profile *p, const char *key_value)
{
	size_t n = key_value ? strcspn(key_value, "=") : 0;

	return key_value && key_value[n] &&
		strcmp(label_of(p, (struct str){ key_value, n }), key_value + n + 1) == 0;
}

/* The label `host`, else what the file says of its machine. */
static const char *host_of(const struct profile *p)
{
	const char *host = label_of(p, str_of("host"));

	return *host || !p->n_inputs ? host : profile_text(p, p->inputs[0].host[INPUT_HOST_NAME]);
}

/* When a recording began: by its label `time`, else by the date that its name has. */
static int64_t time_of(const struct profile *p)
{
	int64_t at;

	if (date_parse_short(label_of(p, str_of("time")), &at))
		return at;
	return p->n_inputs && p->inputs[0].has_date ? p->inputs[0].date_s : INT64_MIN;
}

static struct fleet_bin bin_of(const struct draft *d, const struct profile *p, int64_t at)
{
	const char *by = d->options->by;
	int64_t step = strcmp(by, "hour") == 0 ? HOUR_S : strcmp(by, "day") == 0 ? DAY_S : 0;
	struct fleet_bin bin = { .at = 0 };
	char text[DATE_MAX];

	if (!step)
		bin.value = intern_adds(&d->fleet->strings, label_of(p, str_of(by)));
	if (!step || at == INT64_MIN)
		return bin;
	bin.at = at - (at % step + step) % step;
	date_format(bin.at, ' ', text);
	text[step == DAY_S ? strlen("2026-11-28") : strlen("2026-11-28 03:00")] = '\0';
	bin.value = intern_adds(&d->fleet->strings, text);
	return bin;
}

/* ---- add ---- */

/* Tell the caller of the recording. False: it wants no more. */
static bool tell(struct draft *d, const struct profile *p, struct fleet_profile *told)
{
	struct fleet_label labels[BUILDER_INPUT_LABELS];
	struct label label;

	for (size_t i = 0; p->n_inputs && p->inputs[0].labels && i < BUILDER_INPUT_LABELS &&
	     labels_get(&p->labels, p->inputs[0].labels, i, &label);
	     i++) {
		str_id key = p->labels.keys[label.key].name;

		labels[told->n_labels++] = (struct fleet_label){
			.key = { profile_text(p, key), intern_len(&p->strings, key) },
			.value = { profile_text(p, label.value),
				   intern_len(&p->strings, label.value) },
		};
	}
	told->labels = labels;
	told->host = host_of(p);
	told->format = p->n_inputs ? p->inputs[0].format : "";
	told->fleet = d->fleet;
	told->selves = d->selves;
	told->n_selves = d->n_selves;
	told->spans = d->spans;
	told->n_spans = d->n_spans;
	d->fleet->stack_parent = d->stacks.parent;
	d->fleet->stack_function = d->stacks.frame;
	d->fleet->n_stacks = d->stacks.n;
	return d->options->each(d->options->each_ctx, told);
}

/* Whether a recording with these bytes was added before. */
static bool is_twice(struct draft *d, uint64_t id)
{
	bool is_new;

	find_number(&d->ids, id, d->id_list, d->n_ids, id_number, &is_new);
	if (is_new)
		*ARRAY_ADD(d->id_list, d->n_ids, d->cap_ids) = id;
	return !is_new;
}

/* A file that was read. */
struct found {
	const char *path;
	struct profile *profile; /* NULL: there is none */
	struct buf message;      /* why */
	bool is_other;           /* it is no recording */
	uint64_t id;
	int64_t bytes;
};

/* False: it has no samples. */
static bool count_times(struct draft *d, struct fleet_profile *told, const struct profile *p)
{
	bool is_first = true;

	d->n_touched = d->n_selves = d->n_spans = 0;
	told->pid = told->tid = LANE_NO_ID;
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];

		if (lane->kind != LANE_SAMPLES || !lane->samples.n)
			continue;
		told->pid = is_first || told->pid == lane->pid ? lane->pid : LANE_NO_ID;
		told->tid = is_first ? lane->tid : LANE_NO_ID;
		add_facts(&told->facts, lane, &told->interval_ns);
		add_lane(d, p, lane);
		is_first = false;
	}
	return !is_first;
}

/* Add a recording. False: no further one is wanted. */
static bool draft_add(struct draft *d, const struct found *found)
{
	const struct profile *p = found->profile;
	struct fleet_profile told = { .path = found->path,
				      .id = found->id,
				      .at = time_of(p),
				      .facts.n_profiles = 1 };
	struct fleet_group like = { .side = has_label(p, d->options->before)  ? FLEET_BEFORE
					    : has_label(p, d->options->after) ? FLEET_AFTER
									      : FLEET_NO_SIDE };
	struct draft_group *group;

	if (is_twice(d, found->id)) {
		d->fleet->n_twice++;
		return true;
	}
	if (!count_times(d, &told, p)) {
		d->fleet->n_empty++;
		return true;
	}
	like.host = intern_adds(&d->fleet->strings, host_of(p));
	like.version = intern_adds(&d->fleet->strings, label_of(p, str_of("version")));
	group = find_group(d, &like);
	fleet_facts_add(&group->group.facts, &told.facts);
	fleet_facts_add(&d->fleet->all, &told.facts);
	cells_add(&group->cells, d);
	for (size_t i = 0; i < d->n_selves; i++) {
		struct fleet_self *self = find_self(group, d->selves[i].stack);

		self->n_samples += d->selves[i].n_samples;
		self->ns = units_sum(self->ns, d->selves[i].ns);
	}
	if (d->options->by) {
		struct fleet_bin of = bin_of(d, p, told.at);
		struct draft_bin *bin = find_bin(d, &of);

		fleet_facts_add(&bin->bin.facts, &told.facts);
		cells_add(&bin->cells, d);
	}
	if (told.at != INT64_MIN) {
		struct fleet *f = d->fleet;
		bool is_first = f->at_first == 0 && f->at_last == 0;

		f->at_first = is_first || told.at < f->at_first ? told.at : f->at_first;
		f->at_last = is_first || told.at > f->at_last ? told.at : f->at_last;
	}
	d->fleet->n_read++;
	d->fleet->bytes += found->bytes;
	for (size_t i = 0; i < d->n_touched; i++)
		d->total[d->touched[i]] = -1;
	return !d->options->each || tell(d, p, &told);
}

/* ---- the end ---- */

static bool cell_before(const void *x, const void *y, const void *ctx)
{
	const struct fleet_cell *a = x, *b = y;

	(void)ctx;
	return a->function < b->function;
}

static struct fleet_cells cells_end(struct draft_cells *cells)
{
	struct fleet_cells out = { cells->list, cells->n };

	sort_stable(out.list, out.n, sizeof *out.list, cell_before, NULL);
	hash_table_done(&cells->index);
	return out;
}

static bool self_before(const void *x, const void *y, const void *ctx)
{
	const struct fleet_self *a = x, *b = y;

	(void)ctx;
	return a->stack < b->stack;
}

static bool group_before(const void *x, const void *y, const void *ctx)
{
	const struct fleet_group *a = x, *b = y;
	const struct fleet *f = ctx;
	int host = strcmp(intern_text(&f->strings, a->host), intern_text(&f->strings, b->host));
	int version = strcmp(intern_text(&f->strings, a->version),
			     intern_text(&f->strings, b->version));

	return SORT_BY_3(host, 0, version, 0, a->side, b->side) < 0;
}

/* Bins that are not known come last. */
static bool bin_before(const void *x, const void *y, const void *ctx)
{
	const struct fleet_bin *a = x, *b = y;
	const struct fleet *f = ctx;
	int text = strcmp(intern_text(&f->strings, a->value), intern_text(&f->strings, b->value));

	return SORT_BY_3(!a->value, !b->value, a->at, b->at, text, 0) < 0;
}

/* Give the fleet what it is to own, in order, and free the rest. */
static void draft_end(struct draft *d)
{
	struct fleet *f = d->fleet;

	f->groups = xcalloc(d->n_groups, sizeof *f->groups);
	f->bins = xcalloc(d->n_bins, sizeof *f->bins);
	for (size_t i = 0; i < d->n_groups; i++) {
		struct fleet_group *g = &f->groups[f->n_groups++];

		*g = d->groups[i].group;
		g->cells = cells_end(&d->groups[i].cells);
		sort_stable(g->selves, g->n_selves, sizeof *g->selves, self_before, NULL);
		hash_table_done(&d->groups[i].selves);
	}
	for (size_t i = 0; i < d->n_bins; i++) {
		f->bins[f->n_bins] = d->bins[i].bin;
		f->bins[f->n_bins++].cells = cells_end(&d->bins[i].cells);
	}
	sort_stable(f->groups, f->n_groups, sizeof *f->groups, group_before, f);
	sort_stable(f->bins, f->n_bins, sizeof *f->bins, bin_before, f);
	f->has_times = d->options->by &&
		(strcmp(d->options->by, "hour") == 0 || strcmp(d->options->by, "day") == 0);
	f->stack_parent = d->stacks.parent;
	f->stack_function = d->stacks.frame;
	f->n_stacks = d->stacks.n;
	hash_table_done(&d->stacks.index);
	hash_table_done(&d->functions);
	for (size_t i = 0; i < SIDES; i++)
		hash_table_done(&d->group_index[i]);
	hash_table_done(&d->bin_index);
	hash_table_done(&d->ids);
	intern_done(&d->urls);
	free(d->in);
	free(d->plain);
	free(d->files);
	free(d->groups);
	free(d->bins);
	free(d->id_list);
	free(d->self);
	free(d->total);
	free(d->touched);
	free(d->selves);
	free(d->spans);
}

/* ==== reading ==== */

struct reading {
	const struct fleet_options *options;
	struct file_set set;
	struct draft draft;
	struct buf *messages;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	size_t next;          /* file to read */
	size_t n_added;       /* files, in their order */
	unsigned n_working;   /* workers that have not ended */
	bool is_adding;       /* a worker adds files */
	int64_t bytes;        /* of the files that were added or left out */
	atomic_bool is_ended; /* no further file is read */
	bool is_there[RING];  /* the file at this place was read */
	struct found ring[RING];
};

/* The reading of one file. */
struct file_reading {
	struct reading *r;
	bool is_over; /* it takes too much memory */
};

static bool goes_on(void *ctx, const struct progress *p)
{
	struct file_reading *f = ctx;
	int64_t most = f->r->options->max_memory;

	/* Files that are read at the same time may be small, and are read then. */
	f->is_over |= most > 0 && p->done > LARGE_BYTES && memory_used() > most / 6 * 5;
	return !f->is_over && !atomic_load(&f->r->is_ended);
}

/* Of a pipe, whose bytes are not kept, by its path. */
static uint64_t id_of(const struct fingerprint *print, const char *path)
{
	if (!print->is_known)
		return hash_bytes(path, strlen(path));
	return hash_bytes(print->sums, print->n_sums * sizeof *print->sums) ^
		hash_u64((uint64_t)print->n_bytes);
}

/* Give up a profile that cannot be added. */
static void check_profile(struct found *found, bool is_over, struct error *err)
{
	if (is_over)
		*err = (struct error)ERROR_INIT;
	if (is_over)
		error_set(err, ERR_LIMIT, -1,
			  "takes more memory than is allowed; --max-memory=SIZE sets the limit");
	else if (found->profile && !amount_is_time(&found->profile->unit))
		error_set(err, ERR_FORMAT, -1, "its values are %s, not times",
			  amount_name(&found->profile->unit));
	else
		return;
	profile_free(found->profile);
	found->profile = NULL;
}

/* set: that of the thread. */
static void read_file(struct reading *r, const struct file_set *set, size_t i, struct found *out)
{
	const struct set_file *file = &set->files[i];
	struct load_file_order order = { file->path, set->reader, set->limits };
	struct file_reading reading = { .r = r };
	struct progress progress = { .tick = goes_on, .ctx = &reading };
	struct builder_options options = { .has_idle_gaps = r->options->has_idle_gaps,
					   .sample_type = r->options->sample_type };
	struct builder *b = builder_new(&options);
	struct fingerprint print = { 0 };
	struct error err = ERROR_INIT;

	*out = (struct found){ .path = file->path, .bytes = file->bytes };
	file_labels_give(set, file, b);
	if (load_file(&order, b, &progress, &print, &err)) {
		out->id = id_of(&print, file->path);
		out->profile = builder_finish(b, &err);
	} else {
		builder_free(b);
	}
	check_profile(out, reading.is_over, &err);
	if (!out->profile && file->folder && err.kind == ERR_UNKNOWN)
		out->is_other = true;
	else if (!out->profile && err.kind != ERR_CANCELLED)
		file_error_line(file->path, &print, &err, &out->message);
	fingerprint_done(&print);
}

/* Add the files that are next, without the mutex, which is locked before and after. */
static void add_files(struct reading *r)
{
	r->is_adding = true;
	while (r->is_there[r->n_added % RING] && !atomic_load(&r->is_ended)) {
		struct found *found = &r->ring[r->n_added % RING];
		struct fleet *f = r->draft.fleet;

		pthread_mutex_unlock(&r->mutex);
		f->n_other += found->is_other;
		f->n_failed += found->message.len > 0;
		buf_add(r->messages, buf_text(&found->message), found->message.len);
		if (found->profile && !draft_add(&r->draft, found))
			atomic_store(&r->is_ended, true);
		profile_free(found->profile);
		buf_done(&found->message);
		pthread_mutex_lock(&r->mutex);
		r->bytes += found->bytes;
		r->is_there[r->n_added++ % RING] = false;
		pthread_cond_broadcast(&r->changed);
	}
	r->is_adding = false;
}

static void *work(void *ctx)
{
	struct reading *r = ctx;
	struct file_set set = file_labels_for_thread(&r->set);

	pthread_mutex_lock(&r->mutex);
	while (r->next < r->set.n && !atomic_load(&r->is_ended)) {
		size_t i = r->next++;
		struct found found;

		while (i - r->n_added >= RING && !atomic_load(&r->is_ended))
			pthread_cond_wait(&r->changed, &r->mutex);
		if (atomic_load(&r->is_ended))
			break;
		pthread_mutex_unlock(&r->mutex);
		read_file(r, &set, i, &found);
		pthread_mutex_lock(&r->mutex);
		r->ring[i % RING] = found;
		r->is_there[i % RING] = true;
		if (!r->is_adding)
			add_files(r);
	}
	r->n_working--;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->mutex);
	file_labels_done(&set);
	return NULL;
}

/* Report progress until all workers have ended. */
static void wait_for(struct reading *r, struct progress *progress)
{
	pthread_mutex_lock(&r->mutex);
	while (r->n_working > 0) {
		struct timespec until = thread_after_ms(LOOK_MS);
		int64_t more = r->bytes - progress->done;

		progress->n_done = (int64_t)r->n_added;
		pthread_cond_timedwait(&r->changed, &r->mutex, &until);
		pthread_mutex_unlock(&r->mutex);
		if (!progress_add(progress, more)) {
			r->draft.fleet->is_stopped = true;
			atomic_store(&r->is_ended, true);
		}
		pthread_mutex_lock(&r->mutex);
		if (atomic_load(&r->is_ended))
			pthread_cond_broadcast(&r->changed);
	}
	pthread_mutex_unlock(&r->mutex);
}

static void read_files(struct reading *r, struct progress *progress)
{
	unsigned n = r->options->n_threads ? r->options->n_threads : (unsigned)thread_processors();
	pthread_t threads[THREADS_MAX];
	unsigned n_started = 0;

	n = n < THREADS_MAX ? n : THREADS_MAX;
	r->n_working = n;
	while (n_started < n && thread_start(&threads[n_started], work, r))
		n_started++;
	pthread_mutex_lock(&r->mutex);
	r->n_working -= n_started ? n - n_started : n - 1;
	pthread_mutex_unlock(&r->mutex);
	if (n_started)
		wait_for(r, progress);
	else
		work(r);
	for (unsigned i = 0; i < n_started; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < RING; i++) {
		if (!r->is_there[i])
			continue;
		profile_free(r->ring[i].profile);
		buf_done(&r->ring[i].message);
	}
}

/* Find the files. False: there is none, and err says why. */
static bool find_files(struct reading *r, struct progress *progress, struct error *err)
{
	const struct fleet_options *o = r->options;

	r->set = (struct file_set){ .reader = o->format_in ? reader_find(o->format_in) : NULL,
				    .limits = o->limits,
				    .is_recursive = true,
				    .has_no_limit = true,
				    .labels = &o->labels };
	progress_start(progress, "Reading the directory", -1);
	for (int i = 0; i < o->n_files; i++) {
		struct error one = ERROR_INIT;

		if (file_set_add(&r->set, o->files[i], progress, &one))
			continue;
		file_error_line(o->files[i], NULL, &one, r->messages);
		r->draft.fleet->n_failed++;
	}
	for (size_t i = 0; i < r->set.n_folders; i++) {
		const struct set_folder *folder = &r->set.folders[i];
		struct error one = ERROR_INIT;

		if (!folder->n_unread)
			continue;
		error_set(&one, ERR_IO, -1, "%zu %s below it cannot be read", folder->n_unread,
			  folder->n_unread == 1 ? "entry" : "entries");
		file_error_line(folder->path, NULL, &one, r->messages);
	}
	r->draft.fleet->n_failed += file_labels_filter(&r->set, r->messages);
	r->draft.fleet->n_files = r->set.n;
	r->draft.fleet->is_stopped = progress->is_stopped;
	return r->set.n > 0 || r->draft.fleet->n_failed || progress->is_stopped ||
		error_set(err, ERR_FORMAT, -1, "there are no files");
}

struct fleet *fleet_read(const struct fleet_options *options, struct progress *progress,
			 struct buf *messages, struct error *err)
{
	struct reading *r = xcalloc(1, sizeof *r);
	struct fleet *fleet = xcalloc(1, sizeof *fleet);

	r->options = options;
	r->messages = messages;
	r->draft.options = options;
	r->draft.fleet = fleet;
	intern_init(&fleet->strings);
	intern_init(&r->draft.urls);
	node_map_init(&r->draft.stacks);
	pthread_mutex_init(&r->mutex, NULL);
	thread_cond_init(&r->changed);
	if (find_files(r, progress, err)) {
		progress->is_set = true;
		progress->n_total = (int64_t)r->set.n;
		progress->total = r->set.bytes;
		progress->started_ns = progress->next_ns = 0;
		progress_start(progress, "Loading", r->set.bytes);
		read_files(r, progress);
	}
	draft_end(&r->draft);
	if (err->kind == ERR_NONE && fleet->n_read == 0 && !fleet->is_stopped && !messages->len)
		error_set(err, ERR_FORMAT, -1, "no recording with samples in %" PRIu64 " files",
			  fleet->n_files);
	file_set_done(&r->set);
	pthread_mutex_destroy(&r->mutex);
	pthread_cond_destroy(&r->changed);
	free(r);
	if (fleet->n_read)
		return fleet;
	fleet_free(fleet);
	return NULL;
}
