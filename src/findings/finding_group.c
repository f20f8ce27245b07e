/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each rule is about the groups of one kind (owners, packages, files and so on), or says that no
 * function stands out. It finds, tells and ranks: a function adds drafts, one writes name, label
 * and sentence, and the row says whether the finding may lead the verdict line. Everything that is
 * written is in visible form. */
#include "config.h"

#include "findings/finding_rule.h"

#include "findings/finding_name.h"

#include <string.h>

/* ---- mechanisms ----
 *
 * Indices: kinds without an id are below FINDING_MECHANISM_KINDS, then frames, groups and modules
 * follow. A frame is of one kind only: a regular expression, an internal of Node.js, or native. */

enum mechanism_kind {
	MECHANISM_SELF,
	MECHANISM_GC,
	MECHANISM_LOAD,
	MECHANISM_REGEXP,  /* id: frame */
	MECHANISM_SYNC,    /* id: frame */
	MECHANISM_NATIVE,  /* id: frame */
	MECHANISM_PACKAGE, /* id: group */
	MECHANISM_NODE,    /* id: module */
};

_Static_assert((uint32_t)MECHANISM_REGEXP == FINDING_MECHANISM_KINDS, "kinds without an id");

struct mechanism {
	enum mechanism_kind kind;
	uint32_t id;
};

/* The mechanism of a key as an index for a tally. */
static uint32_t mechanism_of(const struct charge *c, charge_key key)
{
	const struct charge_node *n = charge_of(c, key);
	frame_id frame = charge_key_frame(c, key);
	uint32_t groups = FINDING_MECHANISM_KINDS + c->profile->frames.n;

	if (CHARGE_KEY_IS_GC(key))
		return MECHANISM_GC;
	if (n->regexp)
		return FINDING_MECHANISM_KINDS + n->regexp;
	if (n->sync)
		return FINDING_MECHANISM_KINDS + n->sync;
	if (n->flags & CHARGE_IN_LOAD)
		return MECHANISM_LOAD;
	if (n->package && !c->is_tool)
		return groups + n->package;
	if (n->flags & CHARGE_IN_MODULE)
		return groups + c->n_groups + n->module;
	if (c->profile->frames.frames[frame].category == CATEGORY_NATIVE &&
	    !c->functions[frame].is_own)
		return FINDING_MECHANISM_KINDS + frame;
	return MECHANISM_SELF;
}

/* And back. */
static struct mechanism mechanism_at(const struct charge *c, uint32_t index)
{
	uint32_t frames = c->profile->frames.n;

	if (index < FINDING_MECHANISM_KINDS)
		return (struct mechanism){ (enum mechanism_kind)index, 0 };
	index -= FINDING_MECHANISM_KINDS;
	if (index < frames) {
		enum category category = c->profile->frames.frames[index].category;

		return (struct mechanism){ category == CATEGORY_REGEXP         ? MECHANISM_REGEXP
						   : category == CATEGORY_NODE ? MECHANISM_SYNC
									       : MECHANISM_NATIVE,
					   index };
	}
	index -= frames;
	if (index < c->n_groups)
		return (struct mechanism){ MECHANISM_PACKAGE, index };
	return (struct mechanism){ MECHANISM_NODE, index - c->n_groups };
}

/* Whether it is machinery of input and output. */
static bool mechanism_is_io(const struct charge *c, uint32_t index)
{
	struct mechanism m = mechanism_at(c, index);

	if (m.kind == MECHANISM_NATIVE)
		return (c->functions[m.id].frame.flags & CHARGE_NATIVE_IO) != 0;
	return m.kind == MECHANISM_NODE && c->modules.list[m.id].is_io;
}

/* ---- parts of rules and sentences ---- */

#define IO_PERCENT 70 /* of the time in machinery of input and output that does not count */

static struct finding_draft *add_draft(struct finding_window *w, enum finding_kind kind,
				       uint32_t group, int32_t weight)
{
	const struct finding_group *g = &w->groups[group];
	struct finding_draft *d;

	if (!g->keys.list)
		return NULL;
	d = finding_window_add(w, kind, g->ns, weight);
	d->group = group;
	d->keys = g->keys;
	d->keys_ns = g->ns;
	return d;
}

static void add_by(struct finding_window *w, const struct finding_draft *d, struct buf *text)
{
	if (d->f.under == FRAME_NONE)
		return;
	buf_adds(text, " by ");
	finding_name_label(w, d->f.under, text);
}

static void add_group(const struct finding_window *w, uint32_t group, struct buf *text)
{
	finding_name_text(w->charge->profile, w->charge->groups[group].id, text);
}

static void add_frame(const struct finding_window *w, frame_id frame, struct buf *text)
{
	const struct profile *p = w->charge->profile;

	finding_name_text(p, p->frames.frames[frame].name, text);
}

/* ---- owners ---- */

/* An owner that blocks an event loop is worse than its share says. */
#define BLOCK_MIN (25 * NS_PER_MS)
#define BLOCK_MAX (250 * NS_PER_MS)
#define BLOCK_BONUS 250000 /* millionths, for BLOCK_MAX or more */
#define TIMER_PERCENT 80   /* of the time of an owner that timers call */

#define MECHANISM_MIN 30  /* percent of the owner's time */
#define MODULE_PERCENT 60 /* of its time that a top level passes on, to be named for that */

static void find_mechanism(struct finding_window *w, struct finding_draft *d)
{
	struct finding_tally *t = &w->tally;
	uint32_t best = MECHANISM_SELF;

	for (size_t i = 0; i < d->keys.n; i++)
		finding_tally_add(t, mechanism_of(w->charge, d->keys.list[i]),
				  w->times.ns[d->keys.list[i]]);
	for (size_t i = 0; i < t->n; i++) {
		uint32_t m = t->used[i];

		if (mechanism_is_io(w->charge, m))
			d->io_ns += t->ns[m];
		if (m != MECHANISM_SELF &&
		    (t->ns[m] > t->ns[best] || best == MECHANISM_SELF ||
		     (m < best && t->ns[m] == t->ns[best])))
			best = m;
	}
	if (best != MECHANISM_SELF && charge_times_has(t->ns[best], d->f.ns, MECHANISM_MIN)) {
		d->mechanism = best;
		d->is_in_package = mechanism_at(w->charge, best).kind == MECHANISM_PACKAGE;
		d->mechanism_ns = t->ns[best];
	}
	finding_tally_clear(t);
}

/* Whether timers call an owner, which does more than input and output. */
static bool is_by_timer(const struct finding_window *w, const struct finding_draft *d)
{
	int64_t ns = 0;

	for (size_t i = 0; i < d->keys.n; i++)
		if (charge_of(w->charge, d->keys.list[i])->timer != FRAME_NONE)
			ns += w->times.ns[d->keys.list[i]];
	return charge_times_has(ns, d->f.ns, TIMER_PERCENT) && !d->f.is_io;
}

static void find_owners(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_draft(w, FINDING_OWNER, group, 1000000);
	int64_t block;

	if (!d)
		return;
	d->f.function = w->charge->groups[group].id;
	find_mechanism(w, d);
	d->f.is_io = charge_times_has(d->io_ns, d->f.ns, 50);
	if (is_by_timer(w, d))
		d->f.score += FINDING_TIMER_BONUS;
	d->f.score -= (int32_t)((int64_t)finding_window_share(w, d->io_ns) * IO_PERCENT / 100);
	block = w->tasks.most ? w->tasks.most[d->f.function] : 0;
	if (block >= BLOCK_MIN)
		d->f.score += block >= BLOCK_MAX ? BLOCK_BONUS
						 : (int32_t)(block * BLOCK_BONUS / BLOCK_MAX);
}

/* The top level of a module that only loads others, or calls a package, is named for these. */
static bool is_named_for(const struct finding_window *w, const struct finding_draft *d)
{
	struct mechanism m = mechanism_at(w->charge, d->mechanism);

	return w->charge->functions[d->f.function].frame.flags & CHARGE_TOP &&
		charge_times_has(d->mechanism_ns, d->f.ns, MODULE_PERCENT) &&
		(m.kind == MECHANISM_LOAD || m.kind == MECHANISM_PACKAGE);
}

/* The layout that an owner forces. */
static int64_t forced_of(const struct finding_window *w, const struct finding_draft *d)
{
	return w->slices.lane ? w->slices.forced.ns[d->f.function] : 0;
}

/* `GC`, `module loading`, `a RegExp`, or the name of what is called. */
static void add_mechanism_name(const struct finding_window *w, struct mechanism m, struct buf *out)
{
	switch (m.kind) {
	case MECHANISM_SELF:
		return;
	case MECHANISM_GC:
		buf_adds(out, "GC");
		return;
	case MECHANISM_LOAD:
		buf_adds(out, "loading modules");
		return;
	case MECHANISM_REGEXP:
	case MECHANISM_SYNC:
	case MECHANISM_NATIVE:
		add_frame(w, m.id, out);
		return;
	case MECHANISM_PACKAGE:
		add_group(w, m.id, out);
		return;
	case MECHANISM_NODE:
		buf_adds(out, w->charge->modules.list[m.id].name);
		return;
	}
}

/* What at least half of an owner's time is spent in, in a word, or nothing. */
static void tell_mechanism(const struct finding_window *w, const struct finding_draft *d,
			   struct buf *out)
{
	struct mechanism m = mechanism_at(w->charge, d->mechanism);

	if (charge_times_has(forced_of(w, d), d->f.ns, 50))
		buf_adds(out, "forced layout");
	else if (!charge_times_has(d->mechanism_ns, d->f.ns, 50) || is_named_for(w, d) ||
		 m.kind == MECHANISM_NATIVE || m.kind == MECHANISM_NODE)
		return;
	else if (m.kind == MECHANISM_LOAD)
		buf_adds(out, "module loading");
	else if (m.kind == MECHANISM_REGEXP)
		buf_adds(out, "a RegExp");
	else
		add_mechanism_name(w, m, out);
}

static void add_mechanism(struct finding_window *w, const struct finding_draft *d, struct buf *text)
{
	struct mechanism m = mechanism_at(w->charge, d->mechanism);

	if (m.kind == MECHANISM_SELF)
		return;
	buf_adds(text,
		 m.kind == MECHANISM_GC                ? "; its "
			 : m.kind == MECHANISM_LOAD    ? "; "
			 : m.kind == MECHANISM_PACKAGE ? "; in package "
						       : "; in ");
	add_mechanism_name(w, m, text);
	buf_adds(text, m.kind == MECHANISM_SYNC ? " (synchronous) " : " ");
	finding_name_share(w, d->mechanism_ns, text);
}

static uint32_t package_of(const struct charge *c, charge_key key)
{
	return charge_of(c, key)->package;
}

static bool name_top(struct finding_window *w, const struct finding_draft *d,
		     struct finding_texts *out)
{
	struct mechanism m = mechanism_at(w->charge, d->mechanism);
	uint32_t package;
	int64_t ns;

	if (!is_named_for(w, d))
		return false;
	if (m.kind == MECHANISM_PACKAGE) {
		add_group(w, m.id, &out->name);
		add_group(w, m.id, &out->label);
		return true;
	}
	package = finding_window_most(w, &d->keys, package_of, &ns);
	finding_tell_both(out, "module loading");
	if (charge_times_has(ns, d->f.ns, 50)) {
		buf_adds(&out->label, ", ");
		add_group(w, package, &out->label);
	}
	return true;
}

static void tell_owner(struct finding_window *w, const struct finding_draft *d,
		       struct finding_texts *out)
{
	uint32_t party = w->charge->groups[w->charge->functions[d->f.function].file].through;

	finding_name_label(w, d->f.function, &out->text);
	if (!name_top(w, d, out)) {
		finding_name_short(w, d->f.function, &out->name);
		buf_adds(&out->label, buf_text(&out->text));
	}
	finding_tell_share(w, d, &out->text);
	add_mechanism(w, d, &out->text);
	if (charge_times_has(forced_of(w, d), d->f.ns, FINDING_FORCED_PERCENT)) {
		buf_adds(&out->text, "; forced layout ");
		finding_name_share(w, forced_of(w, d), &out->text);
	}
	if (party && charge_times_has(d->f.ns, w->groups[party].ns, FINDING_PARTY_PERCENT)) {
		buf_adds(&out->text, "; of ");
		add_group(w, party, &out->text);
		buf_adds(&out->text, ", a third party");
		if (!charge_times_has(d->f.ns, w->groups[party].ns, 95)) {
			buf_adds(&out->text, " with ");
			finding_name_share(w, w->groups[party].ns, &out->text);
		}
	}
	finding_note_line(w, d->f.function, &out->text);
	tell_mechanism(w, d, &out->mechanism);
}

static bool owner_leads(const struct findings_result *r, const struct finding *f)
{
	return !f->is_program || !finding_rule_has_spent(r);
}

const struct finding_rule finding_owner = { .name = "owner",
					    .groups = FINDING_GROUPS(CHARGE_BY_OWNER),
					    .find_group = find_owners,
					    .tell = tell_owner,
					    .leads = owner_leads,
					    .is_cause = true,
					    .is_of_slices = true };

/* ---- the own function that time is below ---- */

#define UNDER_PERCENT 60

/* Add time of an owner to the own functions from it outwards, up to a package. */
static void add_callers(struct finding_window *w, node_id owner, int64_t ns)
{
	const struct charge *c = w->charge;
	const struct calltree *tree = &c->lane->tree;

	w->stamps++;
	for (node_id i = owner; i != NODE_ROOT; i = tree->parent[i]) {
		const struct charge_function *fn = charge_function(c, i);

		if (fn->is_own && w->stamp[tree->frame[i]] != w->stamps &&
		    !(fn->frame.flags & CHARGE_TOP)) {
			w->stamp[tree->frame[i]] = w->stamps;
			finding_tally_add(&w->tally, tree->frame[i], ns);
		}
		if (!fn->is_own && fn->frame.flags & CHARGE_DEPENDENCY)
			return;
	}
}

/* Keys that follow each other often have one owner. */
static int64_t add_owners(struct finding_window *w, const struct finding_keys *keys)
{
	const struct charge *c = w->charge;
	int64_t all = 0;

	for (size_t i = 0; i < keys->n;) {
		node_id owner = charge_of(c, keys->list[i])->owner;
		int64_t ns = 0;

		for (; i < keys->n && charge_of(c, keys->list[i])->owner == owner; i++)
			ns += w->times.ns[keys->list[i]];
		add_callers(w, owner, ns);
		all += ns;
	}
	return all;
}

/* The own function with the smallest sum of at least 60 % of the keys' time, where they are below
 * it and no package is between; FRAME_NONE: none. *ns: its sum. */
static frame_id find_under(struct finding_window *w, const struct finding_keys *keys, int64_t *ns)
{
	const struct charge_function *functions = w->charge->functions;
	struct finding_tally *t = &w->tally;
	frame_id best = FRAME_NONE;
	int64_t all = add_owners(w, keys);

	for (size_t i = 0; i < t->n; i++) {
		frame_id f = t->used[i];

		if (!charge_times_has(t->ns[f], all, UNDER_PERCENT))
			continue;
		if (best == FRAME_NONE || t->ns[f] < t->ns[best] ||
		    (t->ns[f] == t->ns[best] && functions[f].rows > functions[best].rows))
			best = f;
	}
	*ns = best == FRAME_NONE ? 0 : t->ns[best];
	finding_tally_clear(t);
	return best;
}

/* ---- packages, third parties ---- */

#define PARTY_PERCENT 5 /* of the busy time */

static frame_id inner_of(const struct charge *c, charge_key key)
{
	return charge_of(c, key)->inner;
}

static void find_packages(struct finding_window *w, uint32_t group)
{
	bool is_party = w->charge->groups[group].kind == CHARGE_BY_PARTY;
	struct finding_draft *d;
	int64_t ns;

	if (is_party && !charge_times_has(w->groups[group].ns, w->times.busy, PARTY_PERCENT))
		return;
	d = is_party ? add_draft(w, FINDING_PARTY, group, 450000)
		     : add_draft(w, FINDING_PACKAGE, group, w->charge->is_tool ? 550000 : 950000);
	if (!d)
		return;
	d->f.function = finding_window_most(w, &d->keys, inner_of, &ns);
	if (!w->charge->is_tool)
		d->f.under = find_under(w, &d->keys, &d->other_ns);
}

#define MAX_THROUGH 3      /* packages in one sentence */
#define THROUGH_PERCENT 33 /* of the time that must come through each of them */

static bool is_among(uint32_t id, const uint32_t *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ids[i] == id)
			return true;
	return false;
}

/* The time of the keys with a function of a package above them. package: a group. */
static int64_t below_package(const struct finding_window *w, const struct finding_keys *keys,
			     uint32_t package)
{
	const struct calltree *tree = &w->charge->lane->tree;
	node_id end = NODE_ROOT, node = 1; /* `end`: of the outermost call of the package */
	int64_t ns = 0;

	for (size_t i = 0; i < keys->n; i++) {
		node_id at = charge_key_node(w->charge, keys->list[i]);

		for (; node <= at; node++) {
			const struct charge_function *fn = charge_function(w->charge, node);

			if (node >= end && fn->package == package &&
			    fn->frame.flags & CHARGE_DEPENDENCY)
				end = tree->end[node];
		}
		ns += at < end ? w->times.ns[keys->list[i]] : 0;
	}
	return ns;
}

/* Add the packages through which a third or more of the time comes, nearest first, each once:
 * packages that call each other in a circle need not come back to that of the finding. Returns
 * whether there are any. */
static bool add_through(const struct finding_window *w, const struct finding_draft *d,
			struct buf *out)
{
	const struct charge_group *groups = w->charge->groups;
	uint32_t told[MAX_THROUGH + 1] = { d->group };
	uint32_t g = groups[d->group].through;
	size_t n = 1;

	for (; g && n < ARRAY_LEN(told) && !is_among(g, told, n); g = groups[g].through) {
		int64_t ns = below_package(w, &d->keys, g);

		if (!charge_times_has(ns, d->f.ns, THROUGH_PERCENT))
			break;
		finding_tell_part(d, ns, n == 1, "through", out);
		add_group(w, g, out);
		told[n++] = g;
	}
	return n > 1;
}

static void tell_package(struct finding_window *w, const struct finding_draft *d,
			 struct finding_texts *out)
{
	add_group(w, d->group, &out->name);
	add_group(w, d->group, &out->label);
	buf_addf(&out->text, "%s %s", d->f.kind == FINDING_PARTY ? "third party" : "package",
		 buf_text(&out->name));
	finding_tell_share(w, d, &out->text);
	finding_tell_under(w, d, !add_through(w, d, &out->text), &out->text);
}

static bool package_leads(const struct findings_result *r, const struct finding *f)
{
	return !finding_rule_has_spent(r) && !(r->is_tool && charge_times_has(f->ns, f->whole, 97));
}

const struct finding_rule finding_package = { .name = "pkg",
					      .groups = FINDING_GROUPS(CHARGE_BY_PACKAGE),
					      .find_group = find_packages,
					      .tell = tell_package,
					      .leads = package_leads,
					      .is_cause = true };

const struct finding_rule finding_party = { .name = "party",
					    .groups = FINDING_GROUPS(CHARGE_BY_PARTY),
					    .find_group = find_packages,
					    .tell = tell_package,
					    .leads = finding_rule_always,
					    .is_of_slices = true };

/* ---- synchronous calls ---- */

static frame_id sync_of(const struct charge *c, charge_key key)
{
	return charge_of(c, key)->sync;
}

static void find_sync(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_draft(w, FINDING_SYNC, group, 1000000);
	int64_t ns;

	if (!d)
		return;
	d->f.function = finding_window_most(w, &d->keys, sync_of, &ns);
	d->f.under = finding_window_most(w, &d->keys, charge_owner, &d->other_ns);
}

static void tell_sync(struct finding_window *w, const struct finding_draft *d,
		      struct finding_texts *out)
{
	const char *module = charge_frame_sync_name(
		(enum charge_sync)w->charge->groups[d->group].id);

	/* The share is that of all such calls of the module, not of the one that has most. */
	buf_addf(&out->name, "synchronous %s", module);
	buf_adds(&out->label, buf_text(&out->name));
	buf_addf(&out->text, "synchronous node:%s", module);
	finding_tell_share(w, d, &out->text);
	buf_adds(&out->text, ": ");
	add_frame(w, d->f.function, &out->text);
	add_by(w, d, &out->text);
}

const struct finding_rule finding_sync = { .name = "sync",
					   .groups = FINDING_GROUPS(CHARGE_BY_SYNC),
					   .find_group = find_sync,
					   .tell = tell_sync,
					   .leads = finding_rule_always,
					   .is_cause = true };

/* ---- loading modules ---- */

static void find_load(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_draft(w, FINDING_LOAD, group, 900000);
	uint32_t package;
	int64_t ns;

	if (!d)
		return;
	d->f.under = finding_window_most(w, &d->keys, charge_owner, &d->other_ns);
	package = finding_window_most(w, &d->keys, package_of, &ns);
	if (charge_times_has(ns, d->f.ns, MECHANISM_MIN))
		d->other = package;
}

static void tell_load(struct finding_window *w, const struct finding_draft *d,
		      struct finding_texts *out)
{
	finding_tell_both(out, "module loading");
	buf_adds(&out->text, "module loading");
	finding_tell_share(w, d, &out->text);
	if (d->other) {
		buf_adds(&out->text, ": package ");
		add_group(w, d->other, &out->text);
	} else {
		add_by(w, d, &out->text);
	}
}

const struct finding_rule finding_load = { .name = "load",
					   .groups = FINDING_GROUPS(CHARGE_BY_LOAD),
					   .find_group = find_load,
					   .tell = tell_load,
					   .leads = finding_rule_always,
					   .is_cause = true };

/* ---- garbage collection ---- */

#define DENSE_PERCENT 25         /* of a short stretch, to be worth a word */
#define GC_LONG (10 * NS_PER_MS) /* a frame of 60 Hz has 16.7 ms for all */

static void find_gc(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_draft(w, FINDING_GC, group, 900000);
	const struct span *longest = &w->slices.longest_gc;
	const struct charge *c = w->charge;

	if (!d)
		return;
	for (node_id i = 1; i < c->lane->tree.n && d->f.function == FRAME_NONE; i++)
		if (c->stacks.kind[i] == CHARGE_GC)
			d->f.function = c->lane->tree.frame[i];
	if (!c->is_tool)
		d->f.under = find_under(w, &d->keys, &d->other_ns);
	d->has_place = longest->t1 - longest->t0 >= GC_LONG;
	if (d->has_place) {
		d->f.t0 = longest->t0;
		d->f.t1 = longest->t1;
	}
}

static void tell_gc(struct finding_window *w, const struct finding_draft *d,
		    struct finding_texts *out)
{
	finding_tell_both(out, "GC");
	buf_adds(&out->text, "GC");
	finding_tell_share(w, d, &out->text);
	finding_tell_under(w, d, true, &out->text);
	if (d->has_place) {
		buf_adds(&out->text, "; longest ");
		finding_tell_length(d->f.t1 - d->f.t0, &out->text);
		finding_tell_at(w, d->f.t0, &out->text);
	}
	if (!charge_times_has(d->dense_ns, d->f.t1 - d->f.t0, DENSE_PERCENT) ||
	    d->f.t1 - d->f.t0 >= w->times.t1 - w->times.t0)
		return;
	buf_addf(&out->text, "; densest %s of ",
		 units_share(d->dense_ns, d->f.t1 - d->f.t0, UNITS_ROOM));
	finding_tell_length(d->f.t1 - d->f.t0, &out->text);
	finding_tell_at(w, d->f.t0, &out->text);
}

const struct finding_rule finding_gc = { .name = "gc",
					 .groups = FINDING_GROUPS(CHARGE_BY_GC),
					 .find_group = find_gc,
					 .tell = tell_gc,
					 .is_cause = true,
					 .is_of_slices = true };

/* ---- regular expressions ---- */

#define BACKTRACKS (50 * NS_PER_MS)

static void find_regexp(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_draft(w, FINDING_REGEXP, group, 950000);

	if (!d)
		return;
	d->f.function = w->charge->groups[group].id;
	d->f.under = finding_window_most(w, &d->keys, charge_owner, &d->other_ns);
}

static void tell_regexp(struct finding_window *w, const struct finding_draft *d,
			struct finding_texts *out)
{
	add_frame(w, d->f.function, &out->name);
	buf_adds(&out->label, buf_text(&out->name));
	buf_adds(&out->text, buf_text(&out->name));
	finding_tell_share(w, d, &out->text);
	add_by(w, d, &out->text);
	if (d->run_ns >= BACKTRACKS) {
		buf_adds(&out->text, "; for ");
		finding_tell_length(d->run_ns, &out->text);
		buf_adds(&out->text, " without a pause: backtracks?");
	}
}

const struct finding_rule finding_regexp = { .name = "regexp",
					     .groups = FINDING_GROUPS(CHARGE_BY_REGEXP),
					     .find_group = find_regexp,
					     .tell = tell_regexp,
					     .leads = finding_rule_always,
					     .is_cause = true };

/* ---- files ---- */

static void find_files(struct finding_window *w, uint32_t group)
{
	const struct charge *c = w->charge;
	int64_t owned = 0, io = 0;
	struct finding_draft *d;
	unsigned files = 0;

	if (!w->groups[group].keys.list)
		return;
	for (uint32_t g = 1; g < c->n_groups; g++) {
		owned += c->groups[g].kind == CHARGE_BY_OWNER ? w->groups[g].ns : 0;
		files += c->groups[g].kind == CHARGE_BY_FILE && w->groups[g].ns;
	}
	if (charge_times_has(w->groups[group].ns, owned, 95) || (c->is_tool && files < 2))
		return;
	d = add_draft(w, FINDING_FILE, group, 400000);
	for (size_t i = 0; i < d->keys.n; i++)
		if (mechanism_is_io(c, mechanism_of(c, d->keys.list[i])))
			io += w->times.ns[d->keys.list[i]];
	d->f.function = finding_window_most(w, &d->keys, charge_owner, &d->other_ns);
	d->f.score -= (int32_t)((int64_t)finding_window_share(w, io) * IO_PERCENT * 4 / 1000);
}

static void tell_file(struct finding_window *w, const struct finding_draft *d,
		      struct finding_texts *out)
{
	const struct profile *p = w->charge->profile;

	finding_name_file(profile_text(p, w->charge->groups[d->group].id), &out->name);
	buf_adds(&out->label, buf_text(&out->name));
	buf_addf(&out->text, "file %s", buf_text(&out->name));
	finding_tell_share(w, d, &out->text);
}

static bool file_leads(const struct findings_result *r, const struct finding *f)
{
	(void)f;
	return !finding_rule_has_spent(r);
}

const struct finding_rule finding_file = { .name = "file",
					   .groups = FINDING_GROUPS(CHARGE_BY_FILE),
					   .find_group = find_files,
					   .tell = tell_file,
					   .leads = file_leads };

/* ---- work that no own code calls ---- */

static void find_program(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_draft(w, FINDING_PROGRAM, group, 250000);

	if (!d || !d->keys.n)
		return;
	d->f.function = charge_key_frame(w->charge, d->keys.list[0]);
	if (finding_work_explains(w, d->f.ns)) {
		d->f.is_explained = true;
		d->f.score /= 4;
	}
}

static void tell_program(struct finding_window *w, const struct finding_draft *d,
			 struct finding_texts *out)
{
	BUF_LOCAL work = { 0 };

	if (w->slices.lane)
		finding_work_tell(w, d->f.ns, false, &work);
	finding_tell_both(out, "(program)");
	if (d->f.is_explained) {
		buf_addf(&out->text, "native work: %s, in all ", buf_text(&work));
		buf_clear(&out->label);
		finding_work_tell(w, d->f.ns, true, &out->label);
	}
	buf_adds(&out->text, "(program)");
	finding_tell_share(w, d, &out->text);
	if (!d->f.is_explained)
		buf_addf(&out->text, ": native work outside JavaScript%s%s",
			 work.len ? ", of it " : "", buf_text(&work));
}

const struct finding_rule finding_program = { .name = "program",
					      .groups = FINDING_GROUPS(CHARGE_BY_PROGRAM),
					      .find_group = find_program,
					      .tell = tell_program,
					      .is_cause = true };

static void find_modules(struct finding_window *w, uint32_t group)
{
	add_draft(w, FINDING_NODE, group, 350000);
}

static void tell_node(struct finding_window *w, const struct finding_draft *d,
		      struct finding_texts *out)
{
	const struct charge_group *group = &w->charge->groups[d->group];
	const char *module = w->charge->modules.list[group->id].name;

	finding_tell_both(out, group->kind == CHARGE_BY_BOOT ? "start of Node.js" : module);
	/* A kind of code that is no module. */
	if (group->kind == CHARGE_BY_MODULE && !strchr(module, ':'))
		finding_tell_both(out, " code");
	buf_adds(&out->text, buf_text(&out->name));
	finding_tell_share(w, d, &out->text);
	if (group->kind == CHARGE_BY_MODULE)
		buf_adds(&out->text, ", not called from own code");
}

const struct finding_rule finding_node = { .name = "node",
					   .groups = FINDING_GROUPS(CHARGE_BY_MODULE) |
						   FINDING_GROUPS(CHARGE_BY_BOOT),
					   .find_group = find_modules,
					   .tell = tell_node,
					   .is_cause = true };

/* ---- waiting: functions asleep in Atomics.wait() ---- */

static void find_waiting(struct finding_window *w, uint32_t group)
{
	struct finding_draft *d = add_draft(w, FINDING_WAITING, group, 500000);
	int64_t ns;

	if (!d)
		return;
	d->f.function = finding_window_most(w, &d->keys, charge_key_frame, &ns);
	if (charge_times_has(d->f.ns, w->times.busy, FINDING_WAITING_PERCENT))
		d->f.score = 1000000;
}

static void tell_waiting(struct finding_window *w, const struct finding_draft *d,
			 struct finding_texts *out)
{
	buf_adds(&out->name, "waits");
	buf_adds(&out->label, "waits in Atomics.wait");
	buf_addf(&out->text, "%s ", buf_text(&out->label));
	finding_name_share(w, d->f.ns, &out->text);
	buf_adds(&out->text, ": no work, in ");
	finding_name_label(w, d->f.function, &out->text);
}

const struct finding_rule finding_waiting = { .name = "wait",
					      .groups = FINDING_GROUPS(CHARGE_BY_WAITING),
					      .find_group = find_waiting,
					      .tell = tell_waiting,
					      .is_cause = true };

/* ---- too few samples for a finding: the function that has most ---- */

#define FEW_PERCENT 40 /* of the busy time, for the name of the function */

/* The key's function: its owner, else the function itself; FRAME_NONE: none. */
static frame_id function_of(const struct charge *c, charge_key key)
{
	frame_id frame = charge_key_frame(c, key);

	if (charge_key_kind(c, key) != CHARGE_STACK ||
	    c->functions[frame].frame.flags & CHARGE_BASE)
		return FRAME_NONE;
	return charge_of(c, key)->owner != NODE_ROOT ? charge_owner(c, key) : frame;
}

static void find_few(struct finding_window *w)
{
	struct finding_draft *d;
	frame_id best;
	int64_t ns;

	if (!w->times.n_busy || w->times.n_busy >= UNITS_FEW_SAMPLES || finding_window_is_idle(w))
		return;
	for (size_t i = 0; i < w->n_drafts; i++)
		if (w->drafts[i].f.kind <= FINDING_INSIDE)
			return;
	best = finding_window_most(w, &w->keys, function_of, &ns);
	if (best == FRAME_NONE)
		return;
	d = finding_window_add(w, FINDING_FEW, ns, 0);
	d->f.function = charge_times_has(ns, w->times.busy, FEW_PERCENT) ? best : FRAME_NONE;
}

/* The share stands behind the name. */
static void tell_few(struct finding_window *w, const struct finding_draft *d,
		     struct finding_texts *out)
{
	unsigned n = (unsigned)w->times.n_busy;

	buf_addf(&out->name, "%u %s%s: ", n, w->times.lane->hit_ns ? "hit" : "sample",
		 n == 1 ? "" : "s");
	buf_addf(&out->label, "only %s", buf_text(&out->name));
	if (d->f.function != FRAME_NONE) {
		finding_name_short(w, d->f.function, &out->name);
		finding_name_label(w, d->f.function, &out->label);
	} else {
		buf_adds(&out->name, "no function above");
		buf_adds(&out->label, "no function above");
	}
	buf_addf(&out->text, "%s ", buf_text(&out->label));
	finding_name_share(w, d->f.ns, &out->text);
}

const struct finding_rule finding_few = {
	.name = "few", .find = find_few, .tell = tell_few, .is_cause = true
};

/* ---- no culprit: many functions have about as much, and none has much ---- */

#define EVEN_MAX 15 /* percent that the first function may have, */
#define EVEN_MIN 5  /* and how many functions have at least half as much */

/* The finding that would lead: files and functions with all that they call are sums of others. */
static const struct finding_draft *find_lead(const struct finding_window *w)
{
	const struct finding_draft *best = NULL;

	for (size_t i = 0; i < w->n_drafts; i++) {
		const struct finding_draft *d = &w->drafts[i];

		if (d->f.kind <= FINDING_INSIDE && d->f.kind != FINDING_FILE &&
		    d->f.kind != FINDING_HALF && (!best || d->f.score > best->f.score))
			best = d;
	}
	return best;
}

static void find_even(struct finding_window *w)
{
	const struct finding_draft *lead = find_lead(w);
	int64_t most = 0, least = INT64_MAX, sum = 0;
	struct finding_draft *d;
	uint32_t n = 0;

	if (!lead || lead->f.kind != FINDING_OWNER ||
	    charge_times_has(lead->f.ns, w->times.busy, EVEN_MAX))
		return;
	for (size_t i = 0; i < w->n_drafts; i++) {
		const struct finding *f = &w->drafts[i].f;

		if (f->kind != FINDING_OWNER || !charge_times_has(f->ns, lead->f.ns, 50))
			continue;
		n++;
		sum += f->ns;
		most = f->ns > most ? f->ns : most;
		least = f->ns < least ? f->ns : least;
	}
	if (n < EVEN_MIN)
		return;
	d = finding_window_add(w, FINDING_EVEN, sum, 1000000);
	d->count = n;
	d->other_ns = least;
	d->third_ns = most;
}

static void tell_even(struct finding_window *w, const struct finding_draft *d,
		      struct finding_texts *out)
{
	char least[UNITS_MAX];
	const char *most = units_share(d->third_ns, w->times.busy, UNITS_ROOM);

	units_share(d->other_ns, w->times.busy, least);
	buf_addf(&out->name, "no function above %s", most);
	/* `5 to 9 %`: the first number without its unit. */
	least[strcspn(least, " ")] = '\0';
	buf_addf(&out->label, "no function stands out: %u have %s to %s", (unsigned)d->count, least,
		 most);
	buf_adds(&out->text, buf_text(&out->label));
}

const struct finding_rule finding_even = { .name = "even", .find = find_even, .tell = tell_even };
