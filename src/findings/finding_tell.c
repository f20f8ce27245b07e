/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each function writes the name and the label for the verdict line, and the sentence. Everything is
 * in visible form. */
#include "config.h"

#include "findings/finding_tell.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "findings/finding_note.h"
#include "findings/finding_window.h"

#include <string.h>

/* ==== finding name ====
 *
 * V8 inlines small named functions into their callers, often into an anonymous one, which then has
 * the time. So a function without a name is named by its place and by the named function around
 * it. */

/* Shorter names of minified code say nothing. */
#define MINIFIED_NAME 3
#define BLOB_CELLS 8

/* A text of the profile. */
static void finding_name_text(const struct profile *p, str_id id, struct buf *out)
{
	text_visible(out, profile_text(p, id), intern_len(&p->strings, id));
}

void finding_name_share(const struct finding_window *w, int64_t ns, struct buf *out)
{
	char share[UNITS_MAX];

	units_share(ns, w->times.busy, share);
	buf_adds(out, share);
}

/* The end of a url: `catalogue.js`, `data:`, `wasm`. */
static void finding_name_file(const struct profile *p, const char *url, struct buf *out)
{
	size_t len = strcspn(url, "?#"), from;
	bool is_blob;
	struct buf name = { 0 };

	(void)p;
	if (strncmp(url, "data:", 5) == 0 || strncmp(url, "wasm:", 5) == 0) {
		buf_adds(out, url[0] == 'd' ? "data:" : "wasm");
		return;
	}
	is_blob = strncmp(url, "blob:", 5) == 0;
	while (len && (url[len - 1] == '/' || url[len - 1] == '\\'))
		len--;
	for (from = len; from && url[from - 1] != '/' && url[from - 1] != '\\';)
		from--;
	/* The name of a blob is a long random number. */
	if (is_blob) {
		buf_adds(&name, "blob:");
		len = from + BLOB_CELLS < len ? from + BLOB_CELLS : len;
	}
	for (; from < len; from++) {
		if (url[from] == '%' && from + 2 < len && text_hex_pair(url + from + 1) >= 0) {
			buf_addc(&name, (char)text_hex_pair(url + from + 1));
			from += 2;
		} else {
			buf_addc(&name, url[from]);
		}
	}
	text_visible(out, buf_text(&name), name.len);
	buf_done(&name);
}

static bool has_name(const struct profile *p, const struct frame *f)
{
	const char *name = profile_text(p, f->name);

	return *name && strcmp(name, "(anonymous)") != 0;
}

bool finding_name_is_on_long_line(const struct profile *p, frame_id frame)
{
	return p->frames.frames[frame].column >= CHARGE_LONG_COLUMN &&
		p->frames.frames[frame].category != CATEGORY_WASM;
}

/* Whether a function has a name that says something. */
static bool has_telling_name(const struct charge *c, frame_id frame)
{
	const struct frame *f = &c->profile->frames.frames[frame];

	return has_name(c->profile, f) &&
		(!(c->functions[frame].frame.flags & CHARGE_MINIFIED) ||
		 strlen(profile_text(c->profile, f->name)) >= MINIFIED_NAME);
}

static void add_place(const struct charge *c, frame_id frame, struct buf *out)
{
	const struct profile *p = c->profile;
	const struct frame *f = &p->frames.frames[frame];

	if (!f->url)
		return;
	finding_name_file(p, profile_text(p, f->url), out);
	if (f->line <= 0 || c->functions[frame].frame.flags & CHARGE_TOP)
		return;
	buf_addf(out, ":%d", (int)f->line);
	if (finding_name_is_on_long_line(p, frame) ||
	    c->functions[frame].frame.flags & CHARGE_TWIN ||
	    (c->functions[frame].frame.flags & CHARGE_MINIFIED && !has_telling_name(c, frame)))
		buf_addf(out, ":%d", (int)f->column);
}

/* The nearest named own function around a node, if it is in the same file. */
static frame_id around(const struct charge *c, node_id node)
{
	const struct calltree *tree = &c->lane->tree;
	const struct frame *frames = c->profile->frames.frames;
	str_id url = frames[tree->frame[node]].url;

	for (node_id i = tree->parent[node]; i != NODE_ROOT; i = tree->parent[i])
		if (charge_function(c, i)->is_own && has_telling_name(c, tree->frame[i]))
			return frames[tree->frame[i]].url == url ? tree->frame[i] : FRAME_NONE;
	return FRAME_NONE;
}

static frame_id most_around(struct finding_window *w, frame_id frame)
{
	uint32_t best = FRAME_NONE;

	for (size_t i = 0; i < w->keys.n; i++) {
		charge_key key = w->keys.list[i];
		node_id owner = charge_of(w->charge, key)->owner;
		frame_id f;

		if (owner == NODE_ROOT || w->charge->lane->tree.frame[owner] != frame)
			continue;
		f = around(w->charge, owner);
		if (f != FRAME_NONE)
			finding_tally_add(&w->tally, f, w->times.ns[key]);
	}
	finding_tally_largest(&w->tally, &best);
	finding_tally_clear(&w->tally);
	return best;
}

void finding_name_label(struct finding_window *w, frame_id frame, struct buf *out)
{
	const struct charge *c = w->charge;
	const struct profile *p = c->profile;
	const struct frame *f = &p->frames.frames[frame];
	frame_id outer;

	if (has_name(p, f)) {
		finding_name_text(p, f->name, out);
		if (f->url)
			buf_addc(out, ' ');
	} else if (!f->url) {
		buf_adds(out, "(anonymous)");
		return;
	}
	add_place(c, frame, out);
	if (has_telling_name(c, frame) || c->functions[frame].frame.flags & CHARGE_TOP)
		return;
	outer = most_around(w, frame);
	if (outer != FRAME_NONE) {
		buf_adds(out, " in ");
		finding_name_text(p, p->frames.frames[outer].name, out);
	}
}

void finding_name_short(struct finding_window *w, frame_id frame, struct buf *out)
{
	const struct profile *p = w->charge->profile;
	const struct frame *f = &p->frames.frames[frame];

	if (!has_name(p, f)) {
		finding_name_label(w, frame, out);
		return;
	}
	finding_name_text(p, f->name, out);
	if (!has_telling_name(w->charge, frame) && f->url) {
		buf_addc(out, ' ');
		add_place(w->charge, frame, out);
	}
}

/* ==== finding mechanism ====
 *
 * Indices: kinds without an id are below FINDING_MECHANISM_KINDS, then frames, groups and modules
 * follow. A frame is of one kind only: a regular expression, an internal of Node.js, or native. */

uint32_t finding_mechanism_of(const struct charge *c, charge_key key)
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

struct finding_mechanism finding_mechanism_at(const struct charge *c, uint32_t index)
{
	uint32_t frames = c->profile->frames.n;

	if (index < FINDING_MECHANISM_KINDS)
		return (struct finding_mechanism){ (enum mechanism_kind)index, 0 };
	index -= FINDING_MECHANISM_KINDS;
	if (index < frames) {
		enum category category = c->profile->frames.frames[index].category;

		return (struct finding_mechanism){ category == CATEGORY_REGEXP ? MECHANISM_REGEXP
							   : category == CATEGORY_NODE
							   ? MECHANISM_SYNC
							   : MECHANISM_NATIVE,
						   index };
	}
	index -= frames;
	if (index < c->n_groups)
		return (struct finding_mechanism){ MECHANISM_PACKAGE, index };
	return (struct finding_mechanism){ MECHANISM_NODE, index - c->n_groups };
}

bool finding_mechanism_is_io(const struct charge *c, uint32_t index)
{
	struct finding_mechanism m = finding_mechanism_at(c, index);

	if (m.kind == MECHANISM_NATIVE)
		return (c->functions[m.id].frame.flags & CHARGE_NATIVE_IO) != 0;
	return m.kind == MECHANISM_NODE && c->modules.list[m.id].is_io;
}

/* ==== finding tell ==== */

#define MODULE_PERCENT 60 /* of its time that a top level passes on, to be named for that */
#define IDLE_PERCENT 90
#define FORCED_PERCENT 30 /* of an owner's time */
#define SLICE_PERCENT 5   /* of (program), to be named */
#define DENSE_PERCENT 25  /* of a short stretch, to be worth a word */
#define BACKTRACKS (50 * NS_PER_MS)
#define MAX_THROUGH 3      /* packages in one sentence */
#define THROUGH_PERCENT 33 /* of the time that must come through each of them */

/* ---- parts ---- */

/* ` 37 %`; where the window is mostly idle, a share says little without the time: ` 37 % of 80 ms`.
 */
static void add_share(struct finding_window *w, const struct finding_draft *d, struct buf *text)
{
	buf_addc(text, ' ');
	finding_name_share(w, d->f.ns, text);
	if (charge_times_has(w->times.idle, w->times.t1 - w->times.t0, IDLE_PERCENT)) {
		char busy[UNITS_MAX];

		units_time(w->times.busy, busy);
		buf_addf(text, " of %s", busy);
	}
}

/* Begin `: 62 % of it under `, after such a part `, 62 % under `. */
static void add_part(const struct finding_draft *d, int64_t ns, bool is_first, const char *word,
		     struct buf *text)
{
	char share[UNITS_MAX];

	units_share(ns, d->f.ns, share);
	buf_addf(text, "%s %s%s %s ", is_first ? ":" : ",", share, is_first ? " of it" : "", word);
}

static void add_under(struct finding_window *w, const struct finding_draft *d, bool is_first,
		      struct buf *text)
{
	if (d->f.under == FRAME_NONE)
		return;
	add_part(d, d->other_ns, is_first, "under", text);
	finding_name_label(w, d->f.under, text);
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

/* Name and label are the same text. */
static void name_both(struct finding_texts *out, const char *text)
{
	buf_adds(&out->name, text);
	buf_adds(&out->label, text);
}

static void add_length(int64_t ns, struct buf *text)
{
	char length[UNITS_MAX];

	units_time_whole(ns, length);
	buf_adds(text, length);
}

static void add_at(const struct finding_window *w, int64_t t, struct buf *text)
{
	char place[UNITS_MAX];

	wall_clock_place(&w->result->clock, t, place);
	buf_addf(text, " at %s", place);
}

/* ---- mechanisms ---- */

/* The top level of a module that only loads others, or calls a package, is named for these. */
static bool is_named_for(const struct finding_window *w, const struct finding_draft *d)
{
	struct finding_mechanism m = finding_mechanism_at(w->charge, d->mechanism);

	return d->f.kind == FINDING_OWNER &&
		w->charge->functions[d->f.function].frame.flags & CHARGE_TOP &&
		charge_times_has(d->mechanism_ns, d->f.ns, MODULE_PERCENT) &&
		(m.kind == MECHANISM_LOAD || m.kind == MECHANISM_PACKAGE);
}

/* The layout that an owner forces. */
static int64_t forced_of(const struct finding_window *w, const struct finding_draft *d)
{
	return d->f.kind == FINDING_OWNER && w->slices.lane ? w->slices.forced.ns[d->f.function]
							    : 0;
}

bool finding_tell_mechanism(const struct finding_window *w, const struct finding_draft *d,
			    struct buf *out)
{
	struct finding_mechanism m = finding_mechanism_at(w->charge, d->mechanism);

	if (charge_times_has(forced_of(w, d), d->f.ns, 50)) {
		buf_adds(out, "forced layout");
		return true;
	}
	if (!charge_times_has(d->mechanism_ns, d->f.ns, 50) || is_named_for(w, d))
		return false;
	switch (m.kind) {
	case MECHANISM_SELF:
	case MECHANISM_NATIVE:
	case MECHANISM_NODE:
		return false;
	case MECHANISM_GC:
		buf_adds(out, "GC");
		break;
	case MECHANISM_LOAD:
		buf_adds(out, "module loading");
		break;
	case MECHANISM_REGEXP:
		buf_adds(out, "a RegExp");
		break;
	case MECHANISM_SYNC:
		add_frame(w, m.id, out);
		break;
	case MECHANISM_PACKAGE:
		add_group(w, m.id, out);
		break;
	}
	return true;
}

static void add_mechanism(struct finding_window *w, const struct finding_draft *d, struct buf *text)
{
	struct finding_mechanism m = finding_mechanism_at(w->charge, d->mechanism);

	switch (m.kind) {
	case MECHANISM_SELF:
		return;
	case MECHANISM_GC:
		buf_adds(text, "; GC ");
		break;
	case MECHANISM_LOAD:
		buf_adds(text, "; loading modules ");
		break;
	case MECHANISM_REGEXP:
	case MECHANISM_SYNC:
	case MECHANISM_NATIVE:
		buf_adds(text, "; in ");
		add_frame(w, m.id, text);
		buf_adds(text, m.kind == MECHANISM_SYNC ? " (synchronous) " : " ");
		break;
	case MECHANISM_PACKAGE:
		buf_adds(text, "; in package ");
		add_group(w, m.id, text);
		buf_addc(text, ' ');
		break;
	case MECHANISM_NODE:
		buf_addf(text, "; in %s ", w->charge->modules.list[m.id].name);
		break;
	}
	finding_name_share(w, d->mechanism_ns, text);
}

/* The package that most of the keys are charged to, as a group; 0: none has half of them. */
static uint32_t main_package(struct finding_window *w, const struct finding_draft *d)
{
	uint32_t best = 0;

	for (size_t i = 0; i < d->keys.n; i++)
		finding_tally_add(&w->tally, charge_of(w->charge, d->keys.list[i])->package,
				  w->times.ns[d->keys.list[i]]);
	finding_tally_largest(&w->tally, &best);
	if (!charge_times_has(w->tally.ns[best], d->f.ns, 50))
		best = 0;
	finding_tally_clear(&w->tally);
	return best;
}

static bool name_top(struct finding_window *w, const struct finding_draft *d,
		     struct finding_texts *out)
{
	struct finding_mechanism m = finding_mechanism_at(w->charge, d->mechanism);
	uint32_t package;

	if (!is_named_for(w, d))
		return false;
	if (m.kind == MECHANISM_PACKAGE) {
		add_group(w, m.id, &out->name);
		add_group(w, m.id, &out->label);
		return true;
	}
	package = main_package(w, d);
	name_both(out, "module loading");
	if (package) {
		buf_adds(&out->label, ", ");
		add_group(w, package, &out->label);
	}
	return true;
}

/* ---- kinds ---- */

void finding_tell_owner(struct finding_window *w, const struct finding_draft *d,
			struct finding_texts *out)
{
	finding_name_label(w, d->f.function, &out->text);
	if (!name_top(w, d, out)) {
		finding_name_short(w, d->f.function, &out->name);
		buf_adds(&out->label, buf_text(&out->text));
	}
	add_share(w, d, &out->text);
	add_mechanism(w, d, &out->text);
	if (charge_times_has(forced_of(w, d), d->f.ns, FORCED_PERCENT)) {
		buf_adds(&out->text, "; forced layout ");
		finding_name_share(w, forced_of(w, d), &out->text);
	}
	finding_note_line(w, d->f.function, &out->text);
}

static bool is_among(uint32_t id, const uint32_t *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ids[i] == id)
			return true;
	return false;
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
		int64_t ns = finding_window_below(w, &d->keys, g);

		if (!charge_times_has(ns, d->f.ns, THROUGH_PERCENT))
			break;
		add_part(d, ns, n == 1, "through", out);
		add_group(w, g, out);
		told[n++] = g;
	}
	return n > 1;
}

void finding_tell_package(struct finding_window *w, const struct finding_draft *d,
			  struct finding_texts *out)
{
	add_group(w, d->group, &out->name);
	add_group(w, d->group, &out->label);
	buf_addf(&out->text, "package %s", buf_text(&out->name));
	add_share(w, d, &out->text);
	add_under(w, d, !add_through(w, d, &out->text), &out->text);
}

void finding_tell_sync(struct finding_window *w, const struct finding_draft *d,
		       struct finding_texts *out)
{
	const char *module = charge_frame_sync_name(
		(enum charge_sync)w->charge->groups[d->group].id);

	/* The share is that of all such calls of the module, not of the one that has most. */
	buf_addf(&out->name, "synchronous %s", module);
	buf_adds(&out->label, buf_text(&out->name));
	buf_addf(&out->text, "synchronous node:%s", module);
	add_share(w, d, &out->text);
	buf_adds(&out->text, ": ");
	add_frame(w, d->f.function, &out->text);
	add_by(w, d, &out->text);
}

void finding_tell_load(struct finding_window *w, const struct finding_draft *d,
		       struct finding_texts *out)
{
	name_both(out, "module loading");
	buf_adds(&out->text, "module loading");
	add_share(w, d, &out->text);
	if (d->other) {
		buf_adds(&out->text, ": package ");
		add_group(w, d->other, &out->text);
	} else {
		add_by(w, d, &out->text);
	}
}

void finding_tell_gc(struct finding_window *w, const struct finding_draft *d,
		     struct finding_texts *out)
{
	char share[UNITS_MAX];

	name_both(out, "GC");
	buf_adds(&out->text, "GC");
	add_share(w, d, &out->text);
	add_under(w, d, true, &out->text);
	if (!charge_times_has(d->dense_ns, d->f.t1 - d->f.t0, DENSE_PERCENT) ||
	    d->f.t1 - d->f.t0 >= w->times.t1 - w->times.t0)
		return;
	units_share(d->dense_ns, d->f.t1 - d->f.t0, share);
	buf_addf(&out->text, "; densest %s of ", share);
	add_length(d->f.t1 - d->f.t0, &out->text);
	add_at(w, d->f.t0, &out->text);
}

void finding_tell_regexp(struct finding_window *w, const struct finding_draft *d,
			 struct finding_texts *out)
{
	add_frame(w, d->f.function, &out->name);
	buf_adds(&out->label, buf_text(&out->name));
	buf_adds(&out->text, buf_text(&out->name));
	add_share(w, d, &out->text);
	add_by(w, d, &out->text);
	if (d->run_ns >= BACKTRACKS) {
		buf_adds(&out->text, "; for ");
		add_length(d->run_ns, &out->text);
		buf_adds(&out->text, " without a pause: backtracks?");
	}
}

void finding_tell_file(struct finding_window *w, const struct finding_draft *d,
		       struct finding_texts *out)
{
	const struct profile *p = w->charge->profile;

	finding_name_file(p, profile_text(p, w->charge->groups[d->group].id), &out->name);
	buf_adds(&out->label, buf_text(&out->name));
	buf_addf(&out->text, "file %s", buf_text(&out->name));
	add_share(w, d, &out->text);
}

void finding_tell_spent(struct finding_window *w, const struct finding_draft *d,
			struct finding_texts *out)
{
	finding_name_short(w, d->f.function, &out->name);
	finding_name_label(w, d->f.function, &out->label);
	buf_adds(&out->text, buf_text(&out->label));
	add_share(w, d, &out->text);
	buf_adds(&out->text, " with all it calls");
}

void finding_tell_half(struct finding_window *w, const struct finding_draft *d,
		       struct finding_texts *out)
{
	finding_name_short(w, d->f.function, &out->name);
	finding_name_label(w, d->f.function, &out->label);
	buf_adds(&out->text, buf_text(&out->label));
	add_share(w, d, &out->text);
	buf_adds(&out->text, " with all it calls: ");
	finding_name_short(w, d->other, &out->text);
	buf_addc(&out->text, ' ');
	finding_name_share(w, d->other_ns, &out->text);
	buf_adds(&out->text, ", ");
	finding_name_short(w, d->third, &out->text);
	buf_addc(&out->text, ' ');
	finding_name_share(w, d->third_ns, &out->text);
}

void finding_tell_inside(struct finding_window *w, const struct finding_draft *d,
			 struct finding_texts *out)
{
	if (d->group) {
		add_group(w, d->group, &out->name);
		add_group(w, d->group, &out->label);
		buf_addf(&out->text, "inside: package %s", buf_text(&out->label));
	} else {
		finding_name_short(w, d->f.function, &out->name);
		finding_name_label(w, d->f.function, &out->label);
		buf_addf(&out->text, "inside: %s", buf_text(&out->label));
	}
	add_share(w, d, &out->text);
}

void finding_tell_block(struct finding_window *w, const struct finding_draft *d,
			struct finding_texts *out)
{
	char share[UNITS_MAX];
	int64_t worst = d->f.t1 - d->f.t0;

	buf_adds(&out->name, "blocked ");
	add_length(worst, &out->name);
	buf_adds(&out->label, buf_text(&out->name));
	buf_addf(&out->text, "blocked %s", w->tasks.is_exact ? "" : "at most ");
	add_length(worst, &out->text);
	add_at(w, d->f.t0, &out->text);
	buf_addf(&out->text, ": %u task%s of 50 ms or more, ", (unsigned)d->count,
		 d->count == 1 ? "" : "s");
	finding_name_share(w, d->f.ns, &out->text);
	buf_adds(&out->text, " of the busy time");
	if (d->f.function == FRAME_NONE) {
		if (d->other != FRAME_NONE) {
			buf_adds(&out->text, "; the longest begins in ");
			finding_name_label(w, d->other, &out->text);
		}
		return;
	}
	units_share(d->other_ns, d->f.ns, share);
	buf_addf(&out->text, "; %s of that in ", share);
	finding_name_label(w, d->f.function, &out->text);
}

void finding_tell_stretch(struct finding_window *w, const struct finding_draft *d,
			  struct finding_texts *out)
{
	char share[UNITS_MAX];

	name_both(out, "busy without idle");
	buf_adds(&out->text, "busy without idle for ");
	add_length(d->f.ns, &out->text);
	add_at(w, d->f.t0, &out->text);
	if (d->interval > 0) {
		buf_addf(&out->text, ", its longest task %s", w->tasks.is_exact ? "" : "at most ");
		add_length(d->interval, &out->text);
	}
	if (d->f.function == FRAME_NONE)
		return;
	units_share(d->other_ns, d->f.ns, share);
	buf_addf(&out->text, "; %s of that in ", share);
	finding_name_short(w, d->f.function, &out->text);
}

void finding_tell_every(struct finding_window *w, const struct finding_draft *d,
			struct finding_texts *out)
{
	buf_adds(&out->name, d->interval ? "every " : "timer");
	if (d->interval)
		add_length(d->interval, &out->name);
	buf_addf(&out->label, "%s: ", buf_text(&out->name));
	finding_name_label(w, d->f.function, &out->label);
	buf_adds(&out->name, ": ");
	finding_name_short(w, d->f.function, &out->name);
	buf_adds(&out->text, buf_text(&out->label));
	/* Short calls are between samples, most of them. */
	if (d->interval)
		buf_addf(&out->text, ", %u times, %.1f ms each, ", (unsigned)d->count,
			 (double)d->f.ns / d->count / (double)NS_PER_MS);
	else
		buf_addf(&out->text, ", seen %u times, ", (unsigned)d->count);
	finding_name_share(w, d->f.ns, &out->text);
	buf_adds(&out->text, " of the busy time");
}

/* What the trace says about (program): the slices with most of its time. */
static void add_slices(struct finding_window *w, struct buf *text)
{
	struct finding_tally *t = &w->slices.program;
	const char *mark = ", of it in ";

	for (int i = 0; i < 3 && w->slices.lane; i++) {
		uint32_t best;

		if (!finding_tally_largest(t, &best) ||
		    !charge_times_has(t->ns[best], w->times.program, SLICE_PERCENT))
			return;
		buf_adds(text, mark);
		add_frame(w, best, text);
		buf_addc(text, ' ');
		finding_name_share(w, t->ns[best], text);
		t->ns[best] = 0;
		mark = ", ";
	}
}

void finding_tell_program(struct finding_window *w, const struct finding_draft *d,
			  struct finding_texts *out)
{
	name_both(out, "(program)");
	buf_adds(&out->text, "(program)");
	add_share(w, d, &out->text);
	buf_adds(&out->text, ": native work outside JavaScript");
	add_slices(w, &out->text);
}

void finding_tell_layout(struct finding_window *w, const struct finding_draft *d,
			 struct finding_texts *out)
{
	name_both(out, "forced layout");
	buf_adds(&out->text, "forced layout");
	add_share(w, d, &out->text);
	add_under(w, d, true, &out->text);
}

void finding_tell_node(struct finding_window *w, const struct finding_draft *d,
		       struct finding_texts *out)
{
	const struct charge_group *group = &w->charge->groups[d->group];
	const char *module = w->charge->modules.list[group->id].name;

	name_both(out, group->kind == CHARGE_BY_BOOT ? "start of Node.js" : module);
	/* A kind of code that is no module. */
	if (group->kind == CHARGE_BY_MODULE && !strchr(module, ':'))
		name_both(out, " code");
	buf_adds(&out->text, buf_text(&out->name));
	add_share(w, d, &out->text);
	if (group->kind == CHARGE_BY_MODULE)
		buf_adds(&out->text, ", not called from own code");
}
