/* SPDX-License-Identifier: GPL-2.0-or-later */
/* V8 inlines small named functions into their callers, often into an anonymous one, which then has
 * the time. So a function without a name is named by its place and by the named function around
 * it. */
#include "config.h"

#include "findings/finding_name.h"

#include "base/text.h"
#include "base/units.h"

#include <string.h>

/* Shorter names of minified code say nothing. */
#define MINIFIED_NAME 3
#define BLOB_CELLS 8

void finding_name_text(const struct profile *p, str_id id, struct buf *out)
{
	text_visible(out, profile_text(p, id), intern_len(&p->strings, id));
}

void finding_name_share(const struct finding_window *w, int64_t ns, struct buf *out)
{
	char share[UNITS_MAX];

	units_share(ns, w->times.busy, share);
	buf_adds(out, share);
}

void finding_name_file(const struct profile *p, const char *url, struct buf *out)
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
