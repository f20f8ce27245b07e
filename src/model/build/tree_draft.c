/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of a CPU profile, step by step: functions become frames; nodes get their parents; cycles
 * are cut; one root is chosen or added, and nodes without a parent are moved below it.
 *
 * Arrays by node take megabytes, and memory that is used for the first time costs more than most
 * steps do. So the draft takes over the arrays of the raw profile, and the steps share one array of
 * scratch numbers. */
#include "config.h"

#include "model/build/tree_draft.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/str.h"
#include "base/thread.h"
#include "base/units.h"
#include "model/build/builder_state.h"

#include <stdlib.h>
#include <string.h>

/* ==== tree draft ==== */

uint32_t *tree_draft_scratch(struct tree_draft *d)
{
	return d->scratch = xrealloc(d->scratch, d->n, sizeof *d->scratch);
}

/* Add a node; returns its index. */
static uint32_t tree_draft_add(struct tree_draft *d, uint32_t parent, frame_id frame)
{
	if (d->n >= d->cap) {
		size_t cap = d->cap;

		d->parent = xgrow(d->parent, &cap, (size_t)d->n + 1, sizeof *d->parent);
		d->frame = xrealloc(d->frame, cap, sizeof *d->frame);
		d->cap = cap;
	}
	d->parent[d->n] = parent;
	d->frame[d->n] = frame;
	return d->n++;
}

/* ---- functions ---- */

/* Find a function with a position and with the name and script of `f`; NULL: none. *is_only: no
 * second one has another position. */
static const struct raw_frame *find_placed(const struct cpu_raw *raw,
					   const struct hash_table *placed, uint64_t hash,
					   const struct raw_frame *f, bool *is_only)
{
	struct hash_probe probe = hash_probe(hash);
	const struct raw_frame *first = NULL;

	*is_only = true;
	while (hash_table_next(placed, &probe)) {
		const struct raw_frame *found = &raw->frames[probe.index];

		if (found->name != f->name || found->script != f->script)
			continue;
		if (first) {
			*is_only = false;
			break;
		}
		first = found;
	}
	return first;
}

/* Whether a function is in a script, at a known or an unknown place of it. */
static bool is_in_script(const struct raw_frame *f, bool is_placed)
{
	return f->url && f->script && (f->line >= 0 || f->column >= 0) == is_placed;
}

/* Chrome up to 66 gave inlined functions their caller's url and no position. If exactly one
 * function with that name and script has a position, it is used. */
static void repair_inlined(struct builder *b)
{
	struct cpu_raw *raw = &b->raw;
	struct hash_table placed = { 0 }; /* per name and script: the first, and one that differs */
	size_t n_odd = 0;

	for (size_t i = 0; i < raw->n_frames; i++)
		n_odd += is_in_script(&raw->frames[i], false);
	for (int pass = 0; pass < 2 && n_odd > 0; pass++) {
		for (size_t i = 0; i < raw->n_frames; i++) {
			struct raw_frame *f = &raw->frames[i];
			bool is_only;
			uint64_t hash = hash_u64((uint64_t)f->name << 32 | f->script);
			const struct raw_frame *found;

			if (!is_in_script(f, pass == 0))
				continue;
			found = find_placed(raw, &placed, hash, f, &is_only);
			if (pass == 0) {
				if (!found ||
				    (is_only &&
				     (found->url != f->url || found->line != f->line ||
				      found->column != f->column)))
					hash_table_add(&placed, hash, (uint32_t)i);
			} else if (found && is_only) {
				f->url = found->url;
				f->line = found->line;
				f->column = found->column;
				f->known = FRAME_NONE;
				builder_warn(b, WARN_INLINED, -1);
			}
		}
	}
	hash_table_done(&placed);
}

/* ---- functions at the lines of their samples ---- */

#define EPOCH_FROM (INT64_C(1262304000) * NS_PER_S) /* 2010 */
#define SPLIT_NAME 3u                               /* bytes; shorter names may be minified */

/* JavaScriptCore has no states as functions, and Bun writes neither ticks of lines nor the time
 * since the start of the machine, but the wall clock. */
static bool may_be_of_bun(struct builder *b)
{
	static const char *const states[] = { "(program)", "(idle)", "(garbage collector)" };
	const struct cpu_raw *raw = &b->raw;
	str_id names[ARRAY_LEN(states)];

	if (!raw->has_start || raw->start_ns < EPOCH_FROM || raw->n_ticks || raw->lines ||
	    raw->has_sums)
		return false;
	for (size_t k = 0; k < ARRAY_LEN(states); k++)
		names[k] = intern_adds(&b->profile->strings, states[k]);
	for (size_t i = 0; i < raw->n_frames; i++)
		for (size_t k = 0; k < ARRAY_LEN(states); k++)
			if (raw->frames[i].name == names[k] && !raw->frames[i].url)
				return false;
	return true;
}

SORT_ORDER(by_name_and_line, struct raw_frame,
	   SORT_BY_3(x->url, y->url, x->name, y->name, x->line, y->line))

/* Bun up to 1.3.9 gave functions the lines of their samples. Other programs have few functions of
 * one name in a file. */
static void note_split(struct builder *b)
{
	const struct cpu_raw *raw = &b->raw;
	struct raw_frame *named;
	size_t n = 0, n_all = 0, n_split = 0;
	str_id anonymous;

	if (!may_be_of_bun(b))
		return;
	anonymous = intern_adds(&b->profile->strings, "(anonymous)");
	named = xmalloc((raw->n_frames + 1) * sizeof *named);
	for (size_t i = 0; i < raw->n_frames; i++) {
		const struct raw_frame *f = &raw->frames[i];

		if (f->url && f->line >= 0 && f->name != anonymous &&
		    intern_len(&b->profile->strings, f->name) >= SPLIT_NAME)
			named[n++] = *f;
	}
	qsort(named, n, sizeof *named, by_name_and_line);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1;
		     end < n && named[end].url == named[i].url && named[end].name == named[i].name;)
			end++;
		n_all++;
		n_split += named[end - 1].line > named[i].line;
	}
	free(named);
	if (n_split > 1 && n_split >= n_all / 8)
		builder_warn_times(b, WARN_SPLIT, -1, n_split);
}

static int32_t from_one(int64_t zero_based)
{
	return zero_based < 0 || zero_based >= INT32_MAX ? 0 : (int32_t)zero_based + 1;
}

/* Whether the files of Node.js itself have no `node:` in this profile (struct category_facts). */
static bool is_of_old_node(const struct builder *b)
{
	const struct intern *strings = &b->profile->strings;
	bool has_internal = false;
	str_id before = 0;

	for (size_t i = 0; i < b->raw.n_frames; i++) {
		const char *url = intern_text(strings, b->raw.frames[i].url);

		if (b->raw.frames[i].url == before)
			continue;
		before = b->raw.frames[i].url;
		if (strncmp(url, "node:", 5) == 0)
			return false;
		has_internal |= category_is_internal(url);
	}
	return has_internal;
}

/* Most functions with the url of an earlier one get the category and package of that one. Each
 * entry is of the url with which it was filled last. */
struct known_place {
	str_id url, package;
	enum category category;
};

#define KNOWN 4096u
#define MANY_FUNCTIONS 256u /* from here on, that pays */

/* The places of one profile. */
struct known_places {
	bool is_old_node;
	struct known_place *by_url; /* KNOWN entries; NULL: there are few functions */
};

static void find_category(struct builder *b, const struct raw_frame *f, struct known_places *places,
			  struct frame *frame)
{
	struct intern *strings = &b->profile->strings;
	const char *url = intern_text(strings, f->url);
	/* A url that begins with NUL counts as none. */
	struct known_place *known = places->by_url && *url && !f->is_by_name
		? &places->by_url[f->url % KNOWN]
		: NULL;

	if (known && known->url == f->url) {
		frame->category = known->category;
		frame->package = known->package;
		return;
	}
	frame->category = category_of(strings,
				      &(struct category_facts){ intern_text(strings, f->name), url,
								f->script != 0,
								places->is_old_node },
				      &frame->package);
	if (known)
		*known = (struct known_place){ f->url, frame->package, frame->category };
}

/* What the file says wins over what the url looks like; it knows nothing of runtimes. */
static void apply_owner(const struct raw_frame *f, struct frame *frame)
{
	bool is_known = frame->category != CATEGORY_APP && frame->category != CATEGORY_DEPENDENCY &&
		frame->category != CATEGORY_NATIVE;

	if (f->owner == RAW_OWNER_UNKNOWN || is_known)
		return;
	frame->category = f->owner == RAW_OWNER_USER ? CATEGORY_APP : CATEGORY_DEPENDENCY;
	if (f->owner == RAW_OWNER_USER)
		frame->package = 0;
}

static frame_id add_frame(struct builder *b, const struct raw_frame *f, struct known_places *places)
{
	struct frame frame = { .name = f->name,
			       .url = f->url,
			       .script = f->script,
			       .line = from_one(f->line),
			       .column = from_one(f->column) };

	if (f->known && f->is_old_node == places->is_old_node && !b->raw.is_names_only)
		return f->known;
	find_category(b, f, places, &frame);
	if (frame.category == CATEGORY_NATIVE && b->raw.is_names_only)
		frame.category = CATEGORY_APP;
	apply_owner(f, &frame);
	return frame_table_add(&b->profile->frames, &frame);
}

/* Add a node below the root with a name alone. */
static uint32_t tree_draft_add_named(struct tree_draft *d, struct builder *b, const char *name)
{
	struct raw_frame f = { .name = intern_adds(&b->profile->strings, name),
			       .line = -1,
			       .column = -1 };

	return tree_draft_add(d, d->root, add_frame(b, &f, &(struct known_places){ 0 }));
}

/* ---- parents ---- */

static uint32_t slot_node(struct cpu_raw *raw, uint32_t slot)
{
	return slot == SLOT_NONE ? TREE_DRAFT_NONE : cpu_slots_get(&raw->slots, slot)->node - 1;
}

/* The parent that a node below raw->cap_parent names itself; TREE_DRAFT_NONE: it names none. */
static uint32_t named_parent(struct builder *b, uint32_t i)
{
	struct cpu_raw *raw = &b->raw;
	uint32_t at;

	if (raw->parent[i] == SLOT_NONE)
		return TREE_DRAFT_NONE;
	at = slot_node(raw, raw->parent[i]);
	if (at == TREE_DRAFT_NONE)
		builder_warn(b, WARN_MISSING_PARENT, -1);
	return at;
}

/* Make parents of the listers in d->parent: a node may name its parent itself. Returns whether all
 * nodes that have a parent come after it, as in most files. */
static bool find_parents(struct builder *b, struct tree_draft *d)
{
	struct cpu_raw *raw = &b->raw;
	bool all_after = true;

	for (uint32_t i = 0; i < d->n && i < raw->cap_parent; i++) {
		uint32_t listed = d->parent[i], named = named_parent(b, i);

		if (listed != TREE_DRAFT_NONE && named != TREE_DRAFT_NONE && listed != named)
			builder_warn(b, WARN_PARENTS_DISAGREE, -1);
		d->parent[i] = listed != TREE_DRAFT_NONE ? listed : named;
	}
	for (uint32_t i = 0; i < d->n; i++)
		all_after &= (d->parent[i] < i) | (d->parent[i] == TREE_DRAFT_NONE);
	free(raw->parent);
	raw->parent = NULL;
	raw->cap_parent = 0;
	return all_after;
}

/* Cut each cycle at its node with the lowest index: walk up from every node, and mark the nodes of
 * each walk with its number. */
static void cut_cycles(struct builder *b, struct tree_draft *d)
{
	uint32_t *walk = tree_draft_scratch(d);

	memset(walk, 0, (size_t)d->n * sizeof *walk);
	for (uint32_t i = 0; i < d->n; i++) {
		uint32_t at = i, lowest;

		while (at != TREE_DRAFT_NONE && walk[at] == 0) {
			walk[at] = i + 1;
			at = d->parent[at];
		}
		if (at == TREE_DRAFT_NONE || walk[at] != i + 1)
			continue;
		lowest = at;
		for (uint32_t k = d->parent[at]; k != at; k = d->parent[k])
			if (k < lowest)
				lowest = k;
		d->parent[lowest] = TREE_DRAFT_NONE;
		builder_warn(b, WARN_CYCLE, -1);
	}
}

/* Whether a node has time of its own: samples, or hits or a sum where these count. Of a part that
 * is loaded, the samples that are kept decide. */
static bool has_own(struct cpu_raw *raw, uint32_t node)
{
	bool is_placed = raw->n_placed == raw->n_samples;

	if (raw->sum)
		return raw->sum[node] > 0;
	if (raw->n_samples == 0)
		return raw->hits && raw->hits[node] > 0;
	for (size_t i = 0; i < raw->n_samples; i++)
		if ((is_placed ? raw->samples[i] : slot_node(raw, raw->samples[i])) == node)
			return true;
	return false;
}

bool tree_draft_is_function(const struct builder *b, const struct raw_frame *f, bool has_time)
{
	static const char *const root[] = { "(root)", "root", "[root]" };
	const char *name = intern_text(&b->profile->strings, f->name);

	if (f->url || f->line >= 0)
		return true;
	return has_time && !STR_IN(str_of(name), root);
}

/* Choose the root: the first node without a parent that is named (root); else the first without a
 * parent, unless it is a function: then a root is added. d->frame still refers to the raw profile's
 * frames. */
static void find_root(struct builder *b, struct tree_draft *d)
{
	struct cpu_raw *raw = &b->raw;
	str_id root_name = intern_adds(&b->profile->strings, "(root)");
	uint32_t first = TREE_DRAFT_NONE, named = TREE_DRAFT_NONE;

	for (uint32_t i = 0; i < d->n; i++) {
		if (d->parent[i] != TREE_DRAFT_NONE)
			continue;
		if (first == TREE_DRAFT_NONE)
			first = i;
		if (named == TREE_DRAFT_NONE && raw->frames[d->frame[i]].name == root_name &&
		    !raw->frames[d->frame[i]].url)
			named = i;
	}
	d->root = named != TREE_DRAFT_NONE ? named : first;
	if (named == TREE_DRAFT_NONE &&
	    tree_draft_is_function(b, &raw->frames[d->frame[first]], has_own(raw, first)))
		d->root = tree_draft_add(d, TREE_DRAFT_NONE, FRAME_NONE);
	for (uint32_t i = 0; i < d->n; i++) {
		if (d->parent[i] == TREE_DRAFT_NONE && i != d->root) {
			d->parent[i] = d->root;
			if (i != first || d->root == named)
				builder_warn(b, WARN_ORPHAN, -1);
		}
	}
}

/* Keep the functions of the texts for later profiles, as they are in the file. */
static void keep_texts(struct builder *b)
{
	struct cpu_texts *t = &b->texts;

	if (!t->is_used)
		return;
	if (t->is_odd || !cpu_builder_texts_are_few(t)) {
		cpu_builder_texts_done(t);
		return;
	}
	t->kept = xgrow(t->kept, &t->cap_kept, t->n, sizeof *t->kept);
	for (; t->n_kept < t->n; t->n_kept++)
		t->kept[t->n_kept] = b->raw.frames[t->all[t->n_kept].frame];
}

/* Tell the texts the frames of the profile, with which they are done. */
static void know_texts(struct builder *b, const frame_id *global, bool is_old_node)
{
	struct cpu_texts *t = &b->texts;

	for (size_t i = 0; t->is_used && i < t->n; i++) {
		struct raw_frame *kept = &t->kept[i];
		const struct raw_frame *f;

		if (t->all[i].frame == TEXT_UNUSED)
			continue;
		f = &b->raw.frames[t->all[i].frame];
		/* Not if repair_inlined() has moved it. */
		kept->known = f->url == kept->url && f->line == kept->line &&
				f->column == kept->column
			? global[t->all[i].frame]
			: FRAME_NONE;
		kept->is_old_node = is_old_node;
		t->all[i].frame = TEXT_UNUSED;
	}
	t->is_used = false;
}

void tree_draft_init(struct tree_draft *d, struct builder *b)
{
	struct cpu_raw *raw = &b->raw;
	ALLOC_LOCAL frame_id *global = xmalloc(raw->n_frames * sizeof *global);
	struct known_places places = { 0 };
	bool all_after;

	*d = (struct tree_draft){ .n = (uint32_t)raw->n,
				  .cap = raw->cap,
				  .parent = raw->lister,
				  .frame = raw->frame,
				  .unknown = TREE_DRAFT_NONE };
	raw->lister = raw->frame = NULL;
	keep_texts(b);
	note_split(b);
	repair_inlined(b);
	places.is_old_node = is_of_old_node(b);
	if (raw->n_frames >= MANY_FUNCTIONS)
		places.by_url = xcalloc(KNOWN, sizeof *places.by_url);
	/* Adding them does not move the index. */
	hash_table_reserve(&b->profile->frames.index, b->profile->frames.n + raw->n_frames);
	for (size_t i = 0; i < raw->n_frames; i++)
		global[i] = add_frame(b, &raw->frames[i], &places);
	know_texts(b, global, places.is_old_node);
	all_after = find_parents(b, d);
	if (raw->n_missing)
		builder_warn_times(b, WARN_MISSING_CHILD, -1, raw->n_missing);
	if (!all_after)
		cut_cycles(b, d);
	find_root(b, d);
	for (size_t i = 0; i < raw->n; i++)
		d->frame[i] = global[d->frame[i]];
	free(places.by_url);
	free(raw->frames);
	raw->frames = NULL;
	raw->n_frames = raw->cap_frames = 0;
	d->frame[d->root] = FRAME_NONE;
}

/* ==== cpu place ====
 *
 * The node of each sample that has none yet: slots become nodes, lone (program) samples are joined
 * with the call around them, and GC is put on the stack that it interrupted. */

static void note_slot(void *ctx, uint32_t number, const struct slot *slot)
{
	((uint32_t *)ctx)[slot->node - 1] = number;
}

void cpu_place_undo(struct cpu_raw *raw)
{
	ALLOC_LOCAL uint32_t *slot = NULL;

	if (raw->n_placed > 0) {
		slot = xmalloc(raw->n * sizeof *slot);
		cpu_slots_each(&raw->slots, note_slot, slot);
	}
	for (size_t i = 0; i < raw->n_placed; i++)
		raw->samples[i] = slot[raw->samples[i]];
	raw->n_placed = 0;
}

/* What a node directly below the root is; 0 of all others. */
enum { IS_IDLE = 1, IS_PROGRAM = 2, IS_GC = 4 };

/* By node. */
static uint8_t *find_pseudos(const struct builder *b, const struct tree_draft *d)
{
	uint8_t *is = xcalloc(d->n, 1);

	for (uint32_t i = 0; i < d->n; i++) {
		enum category c;

		if (d->parent[i] != d->root)
			continue;
		c = b->profile->frames.frames[d->frame[i]].category;
		is[i] = c == CATEGORY_PROGRAM ? IS_PROGRAM
			: c == CATEGORY_IDLE  ? IS_IDLE
			: c == CATEGORY_GC    ? IS_GC
					      : 0;
	}
	return is;
}

/* The outermost call of a node. of: by node, its ancestor directly below the root, as far as it is
 * known; else TREE_DRAFT_NONE. A walk up ends at a node that an earlier walk has passed. */
static uint32_t find_outermost(const struct tree_draft *d, uint32_t *of, uint32_t node)
{
	const uint32_t *parent = d->parent;
	uint32_t at = node, is;

	while (of[at] == TREE_DRAFT_NONE && parent[at] != d->root)
		at = parent[at];
	is = of[at] == TREE_DRAFT_NONE ? at : of[at];
	for (at = node; of[at] == TREE_DRAFT_NONE; at = parent[at])
		of[at] = is;
	return is;
}

static uint32_t gc_on(struct tree_draft *d, struct recorded *r, uint32_t node, uint32_t gc)
{
	if (node == d->root)
		return gc;
	if (!d->gc_child) {
		d->n_gc_child = d->n;
		d->gc_child = xcalloc(d->n_gc_child, sizeof *d->gc_child);
	}
	if (!d->gc_child[node]) {
		d->gc_child[node] = tree_draft_add(d, node, d->frame[gc]);
		*ARRAY_ADD(r->gc, r->n_gc, r->cap_gc) = (struct recorded_node){ d->gc_child[node],
										gc };
	}
	return d->gc_child[node];
}

/* Job context: find the samples of (program) and garbage collection, in words of 64 bits. */
struct apart {
	const uint32_t *samples;
	const uint8_t *pseudos;
	size_t n;
	uint64_t *words;
};

#define WORD_SAMPLES 64u

static void find_apart(void *ctx, size_t from, size_t end)
{
	const struct apart *a = ctx;

	for (size_t word = from; word < end; word++) {
		const uint32_t *s = a->samples + word * WORD_SAMPLES;
		size_t left = a->n - word * WORD_SAMPLES,
		       n = left < WORD_SAMPLES ? left : WORD_SAMPLES;
		uint64_t bits = 0;

		for (size_t i = 0; i < n; i++)
			bits |= (uint64_t)((a->pseudos[s[i]] & (IS_PROGRAM | IS_GC)) != 0) << i;
		a->words[word] = bits;
	}
}

/* The samples that are being joined and attached. */
struct placing {
	struct builder *b;
	struct tree_draft *d;
	const uint8_t *pseudos;
	uint32_t *top;   /* for find_outermost() */
	size_t next;     /* the sample after the last one; */
	uint32_t before; /* it as recorded, */
	uint32_t below;  /* and what garbage collection after it is attached to */
};

/* A single (program) sample between two samples of the same outermost call becomes the sample
 * before it. GC samples have no stack of their own: they are attached to the leaf of the sample
 * before. What a sample is and what is around it is looked up as recorded. */
static void join_or_attach(struct placing *p, size_t i)
{
	struct recorded *r = &p->b->raw.recorded;
	uint32_t *s = p->b->raw.samples, here = s[i];
	size_t n = p->b->raw.n_samples;

	if (i > p->next)
		p->before = p->below = s[i - 1];
	if (p->pseudos[here] == IS_GC) {
		s[i] = gc_on(p->d, r, p->below, here);
	} else if (i > 0 && i + 1 < n && !p->pseudos[p->before] && !p->pseudos[s[i + 1]] &&
		   find_outermost(p->d, p->top, p->before) ==
			   find_outermost(p->d, p->top, s[i + 1])) {
		s[i] = p->before;
		*ARRAY_ADD(r->joined, r->n_joined,
			   r->cap_joined) = (struct recorded_sample){ i, here };
		builder_warn(p->b, WARN_JOINED, -1);
	} else {
		p->below = here;
	}
	p->before = here;
	p->next = i + 1;
}

static void join_and_attach(struct builder *b, struct tree_draft *d, const uint8_t *pseudos)
{
	struct placing placing = { .b = b,
				   .d = d,
				   .pseudos = pseudos,
				   .top = tree_draft_scratch(d),
				   .before = d->root,
				   .below = d->root };
	size_t n = b->raw.n_samples, n_words = (n + WORD_SAMPLES - 1) / WORD_SAMPLES;
	ALLOC_LOCAL uint64_t *words = xmalloc(n_words * sizeof *words);
	struct apart apart = { b->raw.samples, pseudos, n, words };

	memset(placing.top, 0xFF, (size_t)d->n * sizeof *placing.top);
	placing.top[d->root] = d->root;
	parallel_chunks(n_words, find_apart, &apart);
	for (size_t word = 0; word < n_words; word++)
		for (uint64_t bits = words[word]; bits; bits &= bits - 1)
			join_or_attach(&placing,
				       word * WORD_SAMPLES + (size_t)__builtin_ctzll(bits));
}

void cpu_place_samples(struct builder *b, struct tree_draft *d)
{
	struct cpu_raw *raw = &b->raw;

	if (raw->n_placed == 0) {
		for (size_t i = 0; i < raw->n_samples; i++) {
			const struct slot *slot = cpu_slots_find(&raw->slots, raw->samples[i]);
			uint32_t at = slot ? slot->node - 1 : TREE_DRAFT_NONE;

			if (i + SLOT_AHEAD < raw->n_samples)
				cpu_slots_prefetch(&raw->slots, raw->samples[i + SLOT_AHEAD]);
			if (at == TREE_DRAFT_NONE) {
				if (d->unknown == TREE_DRAFT_NONE)
					d->unknown = tree_draft_add_named(d, b, "(unknown)");
				at = d->unknown;
				builder_warn(b, WARN_UNKNOWN_NODE, -1);
			}
			raw->samples[i] = at;
		}
	}
	cpu_slots_done(&raw->slots);
	if (!b->options.is_raw && !raw->is_as_recorded) {
		uint8_t *pseudos = find_pseudos(b, d);

		join_and_attach(b, d, pseudos);
		free(pseudos);
	}
}
