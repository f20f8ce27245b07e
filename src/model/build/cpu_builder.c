/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects one CPU profile as its reader passes it on. Nothing is checked here that may turn out to
 * be right at the end of the profile: a child may come before its node, times before samples.
 *
 * Children are linked SLOT_AHEAD calls after they were named, when their slots have come from
 * memory. A warning in between would then stand too early in the list, so warnings link the
 * children that wait first (before_warning). */
#include "config.h"

#include "model/build/cpu_builder.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/sort.h"
#include "model/build/builder_state.h"
#include "model/build/cpu_raw.h"
#include "model/build/sample_time.h"
#include "model/build/subset.h"
#include "model/build/tree_draft.h"
#include "model/lane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== cpu raw ==== */

/* A slot in the hash table. */
struct few_slot {
	uint32_t number; /* of the slot, + 1; 0: free */
	struct slot slot;
};

/* A position in the function of a node. line and column count from 1; column 0: unknown. */
struct cpu_line {
	uint32_t slot; /* of the node's id */
	int32_t line, column;
	uint32_t ticks;
};

/* A zeroed struct is empty. */
struct cpu_lines {
	struct cpu_line *all;
	size_t n, cap;
	struct hash_table index; /* of all, by slot, line and column */
	size_t last;             /* the position of the sample before */
	bool is_sorted;          /* by slot, line and column; nothing can be added */
};

/* ==== cpu slots ====
 *
 * Slots: the node ids of a file as small numbers. Ids below SLOT_DENSE are their own number; all
 * others are numbered from SLOT_SPARSE on, by their text.
 *
 * The slots of a few dense ids stand in a small hash table, so that each of many small profiles
 * takes little memory. More than SLOT_FEW of them move to chunks that are allocated when needed. */

#define SLOT_FEW 256u

/* The chunks of all tables that have none. Lookups need no branch for them. Never written; without
 * const, the zeros take no room in the file of the program. */
static struct slot *no_chunks[SLOT_DENSE / SLOT_CHUNK];

void cpu_slots_done(struct cpu_slots *s)
{
	if (s->own)
		for (size_t i = 0; i < s->n_chunks; i++)
			free(s->own[i]);
	free(s->own);
	free(s->few);
	free(s->sparse);
	intern_done(&s->sparse_ids);
	*s = (struct cpu_slots){ 0 };
}

/* ---- few slots ---- */

/* The entry of a slot, or the free one that it would have. There is at least one free entry. */
static struct few_slot *find_few(const struct cpu_slots *s, uint32_t slot)
{
	uint32_t at = slot * 0x9E3779B1u >> 16 & (s->cap_few - 1);

	while (s->few[at].number && s->few[at].number != slot + 1)
		at = (at + 1) & (s->cap_few - 1);
	return &s->few[at];
}

const struct slot *cpu_slots_find_few(const struct cpu_slots *s, uint32_t slot)
{
	const struct few_slot *f = s->cap_few ? find_few(s, slot) : NULL;

	return f && f->number ? &f->slot : NULL;
}

static struct slot *add_to_chunk(struct cpu_slots *s, uint32_t slot)
{
	uint32_t at = slot / SLOT_CHUNK;
	struct slot **chunk = &s->own[at];

	/* Written, unlike memory of calloc(): the system gives a page that is read first to its
	 * process twice, and the second time interrupts all processors that run it. */
	if (!*chunk)
		*chunk = memset(xmalloc(SLOT_CHUNK * sizeof **chunk), 0,
				SLOT_CHUNK * sizeof **chunk);
	s->n_chunks = at < s->n_chunks ? s->n_chunks : at + 1;
	return *chunk + slot % SLOT_CHUNK;
}

/* Move all slots to a table of twice the size, or, when there are too many, to chunks: then it
 * returns true. */
static bool grow(struct cpu_slots *s)
{
	struct cpu_slots before = *s;
	bool is_few = s->n_few < SLOT_FEW;

	if (is_few) {
		s->cap_few = s->cap_few ? s->cap_few * 2 : 8;
		s->few = xcalloc(s->cap_few, sizeof *s->few);
	} else {
		s->few = NULL;
		s->n_few = s->cap_few = 0;
		s->own = xcalloc(SLOT_DENSE / SLOT_CHUNK, sizeof(*s->own));
		s->chunks = s->own;
	}
	for (uint32_t i = 0; i < before.cap_few; i++) {
		const struct few_slot *f = &before.few[i];

		if (f->number && s->own)
			*add_to_chunk(s, f->number - 1) = f->slot;
		else if (f->number)
			*find_few(s, f->number - 1) = *f;
	}
	free(before.few);
	return !is_few;
}

struct slot *cpu_slots_add(struct cpu_slots *s, uint32_t slot)
{
	struct few_slot *f = s->cap_few ? find_few(s, slot) : NULL;

	if (f && f->number)
		return &f->slot;
	if (s->own || (s->n_few >= s->cap_few / 2 && grow(s)))
		return add_to_chunk(s, slot);
	f = find_few(s, slot);
	f->number = slot + 1;
	s->n_few++;
	return &f->slot;
}

static void visit_used(void (*visit)(void *ctx, uint32_t number, const struct slot *slot),
		       void *ctx, uint32_t number, const struct slot *slot)
{
	if (slot->node)
		visit(ctx, number, slot);
}

void cpu_slots_each(const struct cpu_slots *s,
		    void (*visit)(void *ctx, uint32_t number, const struct slot *slot), void *ctx)
{
	for (uint32_t c = 0; c < s->n_chunks; c++)
		for (uint32_t i = 0; s->own[c] && i < SLOT_CHUNK; i++)
			visit_used(visit, ctx, c * SLOT_CHUNK + i, &s->own[c][i]);
	for (uint32_t i = 0; i < s->cap_few; i++)
		visit_used(visit, ctx, s->few[i].number - 1, &s->few[i].slot);
	for (uint32_t i = 0; i < s->n_sparse; i++)
		visit_used(visit, ctx, SLOT_SPARSE | i, &s->sparse[i]);
}

/* Forget the nodes of all slots; the slots and their numbers stay. */
static void cpu_slots_clear(struct cpu_slots *s)
{
	static const struct slot none = { 0 };

	for (size_t c = 0; c < s->n_chunks; c++)
		for (size_t i = 0; s->own[c] && i < SLOT_CHUNK; i++)
			s->own[c][i] = none;
	for (uint32_t i = 0; i < s->cap_few; i++)
		s->few[i].slot = none;
	for (size_t i = 0; i < s->n_sparse; i++)
		s->sparse[i] = none;
}

/* ---- sparse slots ---- */

/* The slot of an id as text, which must not be empty. "7" is the same id as 7. If there is no room
 * for another id, the slot is that of another node, and intern_fits() fails for sparse_ids. */
static uint32_t cpu_slots_of_text(struct cpu_slots *s, const char *id, size_t len)
{
	str_id at;

	if (len <= 8 && (len == 1 || id[0] != '0')) {
		uint32_t value = 0;
		size_t i = 0;

		for (; i < len && id[i] >= '0' && id[i] <= '9'; i++)
			value = value * 10 + (uint32_t)(id[i] - '0');
		if (i == len && value < SLOT_DENSE)
			return value;
	}
	if (!s->sparse_ids.n) {
		intern_init(&s->sparse_ids);
		s->sparse_ids.most = SLOT_SPARSE_MAX;
	}
	at = intern_add(&s->sparse_ids, id, len);
	if (!at)
		return 0;
	if (at > s->n_sparse) {
		s->sparse = xgrow(s->sparse, &s->cap_sparse, at, sizeof *s->sparse);
		s->sparse[s->n_sparse++] = (struct slot){ 0 };
	}
	return SLOT_SPARSE | (at - 1);
}

/* ==== cpu lines ====
 *
 * Neighbouring samples are often at one position, which is therefore tried first; the others are
 * found by hash. Nodes may come later than their samples, so slots become nodes at the end. */

/* lines: allocated; may be NULL. */
static void cpu_lines_free(struct cpu_lines *lines)
{
	if (!lines)
		return;
	free(lines->all);
	hash_table_done(&lines->index);
	free(lines);
}

static bool is_at(const struct cpu_line *l, uint32_t slot, int32_t line, int32_t column)
{
	return l->slot == slot && l->line == line && l->column == column;
}

/* Find or add a position; returns its index. */
static size_t find(struct cpu_lines *lines, uint32_t slot, int32_t line, int32_t column)
{
	uint64_t place = (uint64_t)(uint32_t)line << 32 | (uint32_t)column;
	struct hash_probe probe = hash_probe(hash_u64(hash_u64(place) + slot));

	while (hash_table_next(&lines->index, &probe))
		if (is_at(&lines->all[probe.index], slot, line, column))
			return probe.index;
	hash_table_add_missing(&lines->index, &probe, (uint32_t)lines->n);
	*ARRAY_ADD(lines->all, lines->n, lines->cap) = (struct cpu_line){ slot, line, column, 0 };
	return lines->n - 1;
}

SORT_ORDER(by_place, struct cpu_line,
	   SORT_BY_3(x->slot, y->slot, x->line, y->line, x->column, y->column))

#define FEW_LINES 64

/* Lines and columns in one number; in its order. */
static uint64_t place_in_slot(const struct cpu_line *l)
{
	return (uint64_t)((uint32_t)l->line ^ UINT32_C(1) << 31) << 32 |
		((uint32_t)l->column ^ UINT32_C(1) << 31);
}

/* Sort the positions of one slot. A few are inserted one after another, without calls. */
static void sort_slot(struct cpu_line *all, size_t n)
{
	if (n > FEW_LINES) {
		qsort(all, n, sizeof *all, by_place);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		struct cpu_line line = all[i];
		uint64_t place = place_in_slot(&line);
		size_t k = i;

		for (; k > 0 && place_in_slot(&all[k - 1]) > place; k--)
			all[k] = all[k - 1];
		all[k] = line;
	}
}

/* Sort the positions. A second call does nothing. Slots are mostly small numbers: each gets its
 * part of a new array, and only the parts are sorted. */
static void cpu_lines_sort(struct cpu_lines *lines)
{
	struct cpu_line *all;
	uint32_t most = 0;
	ALLOC_LOCAL size_t *next = NULL;
	size_t from = 0;

	if (lines->is_sorted)
		return;
	lines->is_sorted = true;
	hash_table_done(&lines->index);
	for (size_t i = 0; i < lines->n; i++)
		most = lines->all[i].slot > most ? lines->all[i].slot : most;
	if (most >= lines->n) {
		qsort(lines->all, lines->n, sizeof *lines->all, by_place);
		return;
	}
	next = xcalloc((size_t)most + 2, sizeof *next);
	for (size_t i = 0; i < lines->n; i++)
		next[lines->all[i].slot + 1]++;
	for (uint32_t slot = 0; slot < most; slot++)
		next[slot + 1] += next[slot];
	all = xmalloc(lines->n * sizeof *all);
	for (size_t i = 0; i < lines->n; i++)
		all[next[lines->all[i].slot]++] = lines->all[i];
	free(lines->all);
	lines->all = all;
	for (uint32_t slot = 0; slot <= most; from = next[slot++])
		sort_slot(all + from, next[slot] - from);
}

void cpu_lines_resolve(struct cpu_raw *raw)
{
	struct cpu_lines *lines = raw->lines;

	if (raw->n_ticks == 0 && lines && lines->n > 0) {
		cpu_lines_sort(lines);
		raw->ticks = xgrow(raw->ticks, &raw->cap_ticks, lines->n, sizeof *raw->ticks);
		for (size_t i = 0; i < lines->n; i++) {
			const struct cpu_line *l = &lines->all[i];
			const struct slot *slot = cpu_slots_find(&raw->slots, l->slot);

			if (slot && slot->node)
				raw->ticks[raw->n_ticks++] = (struct line_ticks){
					slot->node - 1, l->line, l->column, l->ticks
				};
		}
	}
	cpu_lines_free(raw->lines);
	raw->lines = NULL;
}

/* ==== cpu builder ==== */

void cpu_builder_clock(struct builder *b, enum cpu_clock clock)
{
	b->clock = clock == CPU_CLOCK_OWN ? ++b->n_clocks : 0;
}

/* ---- children ---- */

static void link_child(struct builder *b, const struct child *c)
{
	struct slot *s = cpu_slots_get(&b->raw.slots, c->slot);

	if (s->lister) {
		builder_warn(b, WARN_TWO_PARENTS, c->offset);
		return;
	}
	s->lister = c->node + 1;
	if (s->node)
		b->raw.lister[s->node - 1] = c->node;
	else
		b->raw.n_missing++;
}

/* Link children until at most `most` of them wait. */
static void link_children(struct builder *b, size_t most)
{
	b->before_warning = NULL;
	while (b->n_children - b->n_linked > most) {
		struct child c = b->children[b->n_linked++ % SLOT_AHEAD];

		link_child(b, &c);
	}
}

static void link_all(struct builder *b)
{
	link_children(b, 0);
}

void cpu_builder_child(struct builder *b, uint32_t node, uint32_t child_slot, int64_t offset)
{
	link_children(b, SLOT_AHEAD - 1);
	b->children[b->n_children++ % SLOT_AHEAD] = (struct child){ node, child_slot, offset };
	b->before_warning = link_all;
}

/* ---- the profile ---- */

/* What most small files have. */
#define SMALL_NODES 512u
#define SMALL_FRAMES 256u
#define SMALL_TICKS 1024u
#define SMALL_SAMPLES 4096u

/* Make an array of raw hold n. Threads that read files share the locks of heaps, so the arrays of
 * small files begin with much room, and do not grow often. */
static void *hold(const struct cpu_raw *raw, void *list, size_t *cap, size_t n, size_t size,
		  size_t room)
{
	return xgrow(list, cap, raw->is_small && *cap == 0 && n > 0 && n < room ? room : n, size);
}

static uint32_t add_frame(struct cpu_raw *raw, const struct raw_frame *f)
{
	raw->frames = hold(raw, raw->frames, &raw->cap_frames, raw->n_frames + 1,
			   sizeof *raw->frames, SMALL_FRAMES);
	raw->frames[raw->n_frames] = *f;
	return (uint32_t)raw->n_frames++;
}

static void raw_done(struct cpu_raw *raw)
{
	cpu_slots_done(&raw->slots);
	free(raw->frames);
	free(raw->frame);
	free(raw->lister);
	free(raw->hits);
	free(raw->parent);
	free(raw->sum);
	free(raw->shared);
	free(raw->ticks);
	cpu_lines_free(raw->lines);
	free(raw->deopts);
	free(raw->samples);
	free(raw->times);
	free(raw->deltas);
	free(raw->labels);
	free(raw->label_sums);
	free(raw->recorded.joined);
	free(raw->recorded.gc);
	cpu_filter_free(raw->filter);
	*raw = (struct cpu_raw){ 0 };
}

void cpu_builder_begin(struct builder *b)
{
	cpu_builder_drop(b);
	b->raw.slots = (struct cpu_slots){ .chunks = no_chunks };
	b->raw.is_small = b->options.is_small;
	cpu_filter_begin(b);
}

void cpu_builder_drop(struct builder *b)
{
	raw_done(&b->raw);
	b->n_children = b->n_linked = 0;
	b->before_warning = NULL;
}

struct cpu_raw *cpu_builder_park(struct builder *b)
{
	struct cpu_raw *parked = xmalloc(sizeof *parked);

	link_all(b);
	*parked = b->raw;
	b->raw = (struct cpu_raw){ 0 };
	return parked;
}

bool cpu_builder_parked_call(const struct builder *b, const struct cpu_raw *raw, size_t sample,
			     int64_t id, int64_t *t, int *depth, const char **name)
{
	const struct slot *slot = id >= 0 && id < SLOT_DENSE && raw->slots.chunks
		? cpu_slots_find(&raw->slots, (uint32_t)id)
		: NULL;
	uint32_t node;

	if (!slot || !slot->node || sample >= raw->n_times || raw->is_stamps)
		return false;
	*t = *depth = 0;
	for (size_t i = 0; i <= sample; i++) {
		int64_t step = raw->deltas ? (int32_t)raw->deltas[i] : raw->times[i];

		if (step > PROFILE_TIME_MAX || step < -PROFILE_TIME_MAX)
			return false;
		*t += step;
		if (*t > PROFILE_TIME_MAX || *t < -PROFILE_TIME_MAX)
			return false;
	}
	*name = profile_text(b->profile, raw->frames[raw->frame[slot->node - 1]].name);
	while (slot && slot->node && *depth < (int)raw->n) {
		node = slot->node - 1;
		if (node >= raw->cap_parent || raw->parent[node] == UINT32_MAX)
			break;
		slot = cpu_slots_find(&raw->slots, raw->parent[node]);
		++*depth;
	}
	return true;
}

void cpu_builder_resume(struct builder *b, struct cpu_raw *parked)
{
	cpu_builder_drop(b);
	b->raw = *parked;
	free(parked);
}

void cpu_builder_parked_free(struct cpu_raw *parked)
{
	if (!parked)
		return;
	raw_done(parked);
	free(parked);
}

size_t cpu_builder_parked_lines(const struct cpu_raw *parked)
{
	return parked && parked->lines && parked->n_ticks == 0 ? parked->lines->n : 0;
}

void cpu_builder_parked_sort(struct cpu_raw *parked)
{
	cpu_lines_sort(parked->lines);
}

void cpu_builder_form(struct builder *b, unsigned form)
{
	b->raw.is_as_recorded |= (form & CPU_AS_RECORDED) != 0;
	b->raw.is_by_function |= (form & CPU_BY_FUNCTION) != 0;
	b->raw.is_names_only |= (form & CPU_NAMES_ONLY) != 0;
}

void cpu_builder_taken(struct builder *b, uint64_t n, int64_t interval_ns)
{
	b->raw.n_taken = n;
	b->raw.interval_ns = interval_ns;
}

void cpu_builder_value(struct builder *b, const struct cpu_value *value)
{
	b->raw.value = (struct lane_value){
		.type = value->type_len ? builder_input_text(b, value->type, value->type_len)
					: intern_adds(&b->profile->strings, "values"),
		.unit = builder_input_text(b, value->unit, value->unit_len),
		.unit_ns = value->unit_ns,
	};
	b->raw.tick_ns = value->tick_ns;
	b->raw.has_sums = value->is_sums;
}

void cpu_builder_title(struct builder *b, const char *title, size_t len, bool is_folded)
{
	b->raw.title = len ? builder_input_text(b, title, len) : 0;
	b->raw.is_folded = is_folded;
}

void cpu_builder_identity(struct builder *b, struct str process, struct str thread,
			  struct str waits, int64_t parent_pid)
{
	b->raw.process_name = process.len ? builder_input_text(b, process.p, process.len) : 0;
	b->raw.thread_name = thread.len ? builder_input_text(b, thread.p, thread.len) : 0;
	b->raw.waits = waits.len ? builder_input_text(b, waits.p, waits.len) : 0;
	b->raw.parent_pid = parent_pid;
}

bool cpu_builder_end(struct builder *b, int64_t pid, int64_t tid, struct error *err)
{
	bool ok;

	link_all(b);
	ok = intern_fits(&b->raw.slots.sparse_ids, err) &&
		builder_unit_take(b, &b->raw.value, err) && cpu_lane_build(b, pid, tid, err);
	cpu_builder_drop(b);
	return ok;
}

/* ---- nodes ---- */

uint32_t cpu_builder_frame(struct builder *b, const struct cpu_frame *frame)
{
	struct cpu_raw *raw = &b->raw;
	const struct intern *strings = &b->profile->strings;
	struct raw_frame f = { .line = frame->line, .column = frame->column };
	uint64_t name = intern_prefetch(strings, frame->name, frame->name_len),
		 url = intern_prefetch(strings, frame->url, frame->url_len),
		 script = intern_prefetch(strings, frame->script, frame->script_len);

	f.name = frame->name_len ? builder_input_text_hashed(b, frame->name, frame->name_len, name)
				 : intern_adds(&b->profile->strings, "(anonymous)");
	f.is_by_name = category_is_by_name(intern_text(&b->profile->strings, f.name));
	f.url = builder_input_text_hashed(b, frame->url, frame->url_len, url);
	if (!(frame->script_len == 1 && frame->script[0] == '0'))
		f.script = builder_input_text_hashed(b, frame->script, frame->script_len, script);
	return add_frame(raw, &f);
}

/* ---- functions by their texts ---- */

#define TEXTS_KEPT_MAX ((size_t)512 << 10) /* bytes */

void cpu_builder_texts_done(struct cpu_texts *t)
{
	arena_done(&t->arena);
	free(t->all);
	free(t->kept);
	hash_table_done(&t->index);
	*t = (struct cpu_texts){ 0 };
}

struct cpu_texts *cpu_builder_texts(struct builder *b)
{
	return &b->texts;
}

bool cpu_builder_texts_are_few(const struct cpu_texts *t)
{
	return t->arena.bytes <= TEXTS_KEPT_MAX;
}

uint32_t cpu_builder_text_frame(struct builder *b, struct cpu_texts *t, size_t i)
{
	struct cpu_raw *raw = &b->raw;

	if (t->all[i].frame == TEXT_UNUSED) {
		t->all[i].frame = add_frame(raw, &t->kept[i]);
		t->is_used = true;
	}
	return t->all[i].frame;
}

void cpu_builder_text_add(struct cpu_texts *t, struct str text, uint64_t hash, uint32_t frame)
{
	*ARRAY_ADD(t->all, t->n,
		   t->cap) = (struct cpu_text){ arena_copy(&t->arena, text.p, text.len),
						(uint32_t)text.len, frame };
	hash_table_add(&t->index, hash, (uint32_t)t->n - 1);
	t->is_used = true;
}

uint64_t cpu_builder_repairs(const struct builder *b)
{
	return b->n_repaired;
}

void cpu_builder_owner(struct builder *b, uint32_t frame, bool is_user)
{
	b->raw.frames[frame].owner = is_user ? RAW_OWNER_USER : RAW_OWNER_OTHER;
}

uint32_t cpu_builder_slot_text(struct builder *b, const char *id, size_t len)
{
	return len ? cpu_slots_of_text(&b->raw.slots, id, len) : SLOT_NONE;
}

uint32_t cpu_builder_slot(struct builder *b, int64_t id)
{
	char text[24];
	int len;

	if (id >= 0 && id < SLOT_DENSE) {
		cpu_slots_prefetch(&b->raw.slots, (uint32_t)id);
		return (uint32_t)id;
	}
	len = snprintf(text, sizeof text, "%lld", (long long)id);
	return cpu_builder_slot_text(b, text, (size_t)len);
}

uint32_t cpu_builder_node(struct builder *b, uint32_t slot, uint32_t frame, int64_t offset)
{
	struct cpu_raw *raw = &b->raw;
	uint32_t at = (uint32_t)raw->n, lister = TREE_DRAFT_NONE;

	if (slot != SLOT_NONE) {
		struct slot *s = cpu_slots_get(&raw->slots, slot);
		uint32_t before = s->node;

		if (before) {
			builder_warn(b, WARN_DUPLICATE_NODE, offset);
			raw->frame[before - 1] = frame;
			return before - 1;
		}
		s->node = at + 1;
		if (s->lister) {
			lister = s->lister - 1;
			raw->n_missing--;
		}
	}
	if (raw->n >= raw->cap) {
		size_t cap = raw->cap;

		raw->frame = hold(raw, raw->frame, &cap, raw->n + 1, sizeof *raw->frame,
				  SMALL_NODES);
		raw->lister = xrealloc(raw->lister, cap, sizeof *raw->lister);
		if (raw->hits)
			raw->hits = xrealloc(raw->hits, cap, sizeof *raw->hits);
		if (raw->sum)
			raw->sum = xrealloc(raw->sum, cap, sizeof *raw->sum);
		raw->cap = cap;
	}
	raw->frame[at] = frame;
	raw->lister[at] = lister;
	if (raw->hits)
		raw->hits[at] = 0;
	if (raw->sum)
		raw->sum[at] = 0;
	raw->n++;
	return at;
}

void cpu_builder_hits(struct builder *b, uint32_t node, int64_t hits)
{
	if (hits <= 0)
		return;
	builder_begun(b);
	if (!b->raw.hits)
		b->raw.hits = xcalloc(b->raw.cap, sizeof *b->raw.hits);
	b->raw.hits[node] = hits > UINT32_MAX ? UINT32_MAX : (uint32_t)hits;
}

void cpu_builder_label(struct builder *b, uint32_t set)
{
	struct cpu_raw *raw = &b->raw;

	*ARRAY_ADD(raw->labels, raw->n_labels, raw->cap_labels) = set;
}

void cpu_builder_label_sum(struct builder *b, uint32_t node, uint32_t set, int64_t ns)
{
	struct cpu_raw *raw = &b->raw;

	*ARRAY_ADD(raw->label_sums, raw->n_label_sums,
		   raw->cap_label_sums) = (struct raw_label_sum){ node, set, ns };
}

void cpu_builder_sum(struct builder *b, uint32_t node, int64_t ns)
{
	struct cpu_raw *raw = &b->raw;

	if (ns <= 0)
		return;
	builder_begun(b);
	if (!raw->sum)
		raw->sum = xcalloc(raw->cap, sizeof *raw->sum);
	if (ns > PROFILE_TIME_MAX - raw->all_sums) {
		builder_warn(b, WARN_TIME_RANGE, -1);
		ns = PROFILE_TIME_MAX - raw->all_sums;
	}
	raw->all_sums += ns;
	raw->sum[node] += ns;
}

void cpu_builder_parent(struct builder *b, uint32_t node, uint32_t parent_slot)
{
	struct cpu_raw *raw = &b->raw;

	if (raw->cap_parent <= node) {
		size_t before = raw->cap_parent;

		raw->parent = xgrow(raw->parent, &raw->cap_parent, (size_t)node + 1,
				    sizeof *raw->parent);
		memset(raw->parent + before, 0xFF,
		       (raw->cap_parent - before) * sizeof *raw->parent);
	}
	raw->parent[node] = parent_slot;
}

void cpu_builder_deopt(struct builder *b, uint32_t node, const char *reason, size_t len)
{
	struct cpu_raw *raw = &b->raw;

	if (len == 0 || (len == 9 && memcmp(reason, "no reason", 9) == 0))
		return;
	raw->deopts = xgrow(raw->deopts, &raw->cap_deopts, raw->n_deopts + 1, sizeof *raw->deopts);
	raw->deopts[raw->n_deopts].node = node;
	raw->deopts[raw->n_deopts++].reason = builder_input_text(b, reason, len);
}

void cpu_builder_ticks(struct builder *b, uint32_t node, int64_t line, int64_t ticks)
{
	struct cpu_raw *raw = &b->raw;

	if (line <= 0 || line > INT32_MAX || ticks <= 0 || ticks > UINT32_MAX)
		return;
	raw->ticks = hold(raw, raw->ticks, &raw->cap_ticks, raw->n_ticks + 1, sizeof *raw->ticks,
			  SMALL_TICKS);
	raw->ticks[raw->n_ticks++] = (struct line_ticks){ node, (int32_t)line, 0, (uint32_t)ticks };
}

void cpu_builder_line(struct builder *b, uint32_t slot, int64_t line, int64_t column)
{
	struct cpu_lines *lines;
	int32_t at;

	if (!b->raw.lines)
		b->raw.lines = xcalloc(1, sizeof *b->raw.lines);
	/* Count a sample. Positions that an int32_t cannot hold are unknown; a sample without a
	 * line is not counted. */
	lines = b->raw.lines;
	at = column > 0 && column <= INT32_MAX ? (int32_t)column : 0;
	if (slot == SLOT_NONE || line <= 0 || line > INT32_MAX || lines->n >= HASH_TABLE_INDEX_MAX)
		return;
	if (lines->n == 0 || !is_at(&lines->all[lines->last], slot, (int32_t)line, at))
		lines->last = find(lines, slot, (int32_t)line, at);
	if (lines->all[lines->last].ticks < UINT32_MAX)
		lines->all[lines->last].ticks++;
}

bool cpu_builder_has_node(const struct builder *b, uint32_t slot)
{
	const struct slot *s = slot == SLOT_NONE ? NULL : cpu_slots_find(&b->raw.slots, slot);

	return s && s->node;
}

void cpu_builder_shared_id(struct builder *b, uint32_t slot)
{
	struct cpu_raw *raw = &b->raw;

	*ARRAY_ADD(raw->shared, raw->n_shared,
		   raw->cap_shared) = cpu_slots_get(&raw->slots, slot)->node - 1;
}

bool cpu_builder_is_function(const struct builder *b, uint32_t node)
{
	return tree_draft_is_function(b, &b->raw.frames[b->raw.frame[node]], true);
}

size_t cpu_builder_node_count(const struct builder *b)
{
	return b->raw.n;
}

/* ---- samples and times ---- */

/* Samples whose nodes are known are placed at once, as nodes, while all before them are: so most
 * samples are placed while the file is being read. */
void cpu_builder_samples(struct builder *b, const uint32_t *slots, size_t n)
{
	struct cpu_raw *raw = &b->raw;
	uint32_t *to;
	size_t i = 0;

	builder_begun(b);
	if (raw->filter) {
		cpu_filter_samples(raw, slots, n);
		return;
	}
	raw->samples = hold(raw, raw->samples, &raw->cap_samples, raw->n_samples + n,
			    sizeof *raw->samples, SMALL_SAMPLES);
	to = raw->samples + raw->n_samples;
	if (raw->n_placed == raw->n_samples) {
		for (; i < n && slots[i] != SLOT_NONE; i++) {
			const struct slot *slot = cpu_slots_find(&raw->slots, slots[i]);

			if (!slot || !slot->node)
				break;
			to[i] = slot->node - 1;
		}
		raw->n_placed += i;
	}
	memcpy(to + i, slots + i, (n - i) * sizeof *to);
	raw->n_samples += n;
}

/* Stops at an id that has no chunk, or whose node is unknown. */
size_t cpu_builder_samples_usual(struct builder *b, const int64_t *ids, size_t n)
{
	struct cpu_raw *raw = &b->raw;
	uint32_t *to;
	size_t i;

	if (raw->filter || raw->n_placed != raw->n_samples)
		return 0;
	builder_begun(b);
	raw->samples = hold(raw, raw->samples, &raw->cap_samples, raw->n_samples + n,
			    sizeof *raw->samples, SMALL_SAMPLES);
	to = raw->samples + raw->n_samples;
	for (i = 0; i < n && (uint64_t)ids[i] < SLOT_DENSE; i++) {
		size_t id = (size_t)ids[i];
		const struct slot *chunk = raw->slots.chunks[id / SLOT_CHUNK];
		uint32_t node = chunk ? chunk[id % SLOT_CHUNK].node : 0;

		if (!node)
			break;
		to[i] = node - 1;
	}
	raw->n_placed += i;
	raw->n_samples += i;
	return i;
}

static void add_times(struct builder *b, const int64_t *ns, size_t n)
{
	struct cpu_raw *raw = &b->raw;

	if (raw->filter)
		cpu_filter_times(raw, ns, n);
	else
		sample_time_add(raw, ns, n);
}

void cpu_builder_deltas(struct builder *b, const int64_t *ns, size_t n)
{
	if (!b->raw.is_stamps)
		add_times(b, ns, n);
}

void cpu_builder_unsigned_delta(struct builder *b, uint64_t us)
{
	int64_t ns = INT64_MAX;

	if (us < SAMPLE_TIME_LONG / NS_PER_US)
		ns = SAMPLE_TIME_UNSIGNED_64 - (int64_t)us * NS_PER_US;
	cpu_builder_deltas(b, &ns, 1);
}

static bool is_far(int64_t ns)
{
	return ns > PROFILE_TIME_MAX || ns < -PROFILE_TIME_MAX;
}

static void clear_times(struct builder *b)
{
	b->raw.n_times = 0;
	if (b->raw.filter)
		cpu_filter_clear_times(b->raw.filter);
}

#define STAMPS_AT_ONCE 512

void cpu_builder_timestamps(struct builder *b, const int64_t *ns, size_t n)
{
	int64_t near[STAMPS_AT_ONCE];

	if (!b->raw.is_stamps)
		clear_times(b);
	b->raw.is_stamps = true;
	for (size_t at = 0; at < n; at += STAMPS_AT_ONCE) {
		size_t many = n - at < STAMPS_AT_ONCE ? n - at : STAMPS_AT_ONCE;

		for (size_t i = 0; i < many; i++) {
			near[i] = ns[at + i];
			if (is_far(near[i])) {
				builder_warn(b, WARN_TIME_RANGE, -1);
				near[i] = near[i] > 0 ? PROFILE_TIME_MAX : -PROFILE_TIME_MAX;
			}
		}
		add_times(b, near, many);
	}
}

void cpu_builder_clear(struct builder *b, enum cpu_member member)
{
	struct cpu_raw *raw = &b->raw;

	switch (member) {
	case CPU_NODES:
		if (raw->n != 0) {
			/* A survey has used the nodes already, for the samples that came before. */
			if (raw->filter)
				builder_no_subset(b);
			b->n_children = b->n_linked = 0;
			b->before_warning = NULL;
			cpu_place_undo(raw);
			cpu_slots_clear(&raw->slots);
			free(raw->hits);
			free(raw->parent);
			free(raw->sum);
			raw->hits = NULL;
			raw->parent = NULL;
			raw->sum = NULL;
			raw->all_sums = 0;
			raw->cap_parent = raw->n_missing = 0;
			raw->n = raw->n_frames = raw->n_ticks = raw->n_deopts = raw->n_shared = 0;
		}
		break;
	case CPU_SAMPLES:
		raw->n_samples = raw->n_placed = 0;
		if (raw->filter)
			cpu_filter_clear_samples(raw->filter);
		break;
	case CPU_DELTAS:
	case CPU_TIMESTAMPS:
		if ((member == CPU_TIMESTAMPS) == raw->is_stamps)
			clear_times(b);
	}
}

void cpu_builder_start_time(struct builder *b, int64_t ns)
{
	if (is_far(ns)) {
		builder_warn(b, WARN_TIME_RANGE, -1);
		b->raw.is_start_cut = true;
		return;
	}
	b->raw.has_start = true;
	b->raw.start_ns = ns;
}

void cpu_builder_end_time(struct builder *b, int64_t ns)
{
	if (is_far(ns)) {
		builder_warn(b, WARN_TIME_RANGE, -1);
		return;
	}
	b->raw.has_end = true;
	b->raw.end_ns = ns;
}
