/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A label of what DevTools could not find, as calls of samples that are copied, becomes a labelled
 * range. */
#include "config.h"

#include "write/export/export_notes.h"

#include "base/alloc.h"
#include "model/profile.h"
#include "write/export/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void export_notes_init(struct export_notes *n, const struct profile *p, const struct notes *notes)
{
	*n = (struct export_notes){ .profile = p, .notes = notes };
	n->lanes = notes_find_all(p, notes, &n->found);
	n->keys = xcalloc(notes->n + 1, sizeof *n->keys);
	for (size_t i = 0; i < notes->n; i++)
		n->is_changed |= notes->list[i].is_own;
}

void export_notes_done(struct export_notes *n)
{
	for (size_t i = 0; i < n->notes->n; i++)
		free(n->keys[i]);
	free(n->keys);
	free(n->lanes);
	free(n->found);
}

static void set_key(struct export_notes *n, size_t i, const char *key)
{
	if (!n->keys[i])
		n->keys[i] = xstrdup(key);
}

void export_notes_copied(struct export_notes *n, uint32_t input, uint64_t first)
{
	for (size_t i = 0; i < n->notes->n; i++) {
		const struct user_note *note = &n->notes->list[i];
		char key[32];

		if (note->input != input || !note->key)
			continue;
		if (!first || notes_number(note) == UINT64_MAX) {
			set_key(n, i, note->key);
			continue;
		}
		snprintf(key, sizeof key, "%c-%" PRIu64, *note->key, notes_number(note) + first);
		set_key(n, i, key);
		n->is_changed = true;
	}
}

void export_notes_event(struct export_notes *n, uint32_t lane, const struct span *span,
			uint64_t number)
{
	for (size_t i = 0; i < n->notes->n; i++) {
		const struct span *of = &n->found[i];
		char key[32];

		if (n->lanes[i] != lane || of->node != span->node || of->t0 > span->t0 ||
		    of->t1 < span->t1)
			continue;
		snprintf(key, sizeof key, "r-%" PRIu64, number);
		set_key(n, i, key);
	}
}

void export_notes_samples(struct export_notes *n, uint32_t lane, const struct samples_out *s,
			  int64_t pid, int64_t tid)
{
	for (size_t i = 0; i < n->notes->n; i++) {
		size_t first = n->found[i].first > s->first ? n->found[i].first : s->first;
		char key[96];

		if (n->lanes[i] != lane || !s->id[n->found[i].node] || first >= s->end ||
		    n->found[i].end <= s->first)
			continue;
		snprintf(key, sizeof key, "p-%" PRId64 "-%" PRId64 "-%zu-%" PRIu32, pid, tid,
			 first - s->first, s->id[n->found[i].node]);
		set_key(n, i, key);
	}
}

bool export_notes_is_ranges(const struct profile *p, const struct lane *lane)
{
	return lane->kind == LANE_ASYNC && lane->pid == LANE_NO_ID &&
		strcmp(profile_text(p, lane->title), "Labelled ranges") == 0;
}

/* ---- the member ---- */

struct writing {
	const struct export_notes *n;
	struct json_writer w;
	int64_t t0, t1, base;
	const struct lane *lane; /* of ranges */
};

/* The part of a window that is exported; of one that is not, the whole. */
static void put_window(struct writing *o, const char *key, int64_t t0, int64_t t1)
{
	t0 = t0 > o->t0 && t0 < o->t1 ? t0 : o->t0;
	t1 = t1 < o->t1 && t1 > t0 ? t1 : o->t1;
	json_put(&o->w, json_begin(key, "{"), json_us("min", t0 + o->base),
		 json_us("max", t1 + o->base), json_us("range", t1 - t0), json_end("}"));
}

static void put_label(struct writing *o, const struct span *span, const char *label)
{
	json_put(&o->w, json_begin(NULL, "{"));
	put_window(o, "bounds", span->t0, span->t1);
	json_put(&o->w, json_string("label", label), json_end("}"));
}

static bool put_range(void *ctx, const struct span *span)
{
	struct writing *o = ctx;
	const struct profile *p = o->n->profile;

	put_label(o, span, profile_text(p, profile_node_frame(p, o->lane, span->node)->name));
	return true;
}

static void put_crumbs(struct writing *o)
{
	const struct profile *p = o->n->profile;
	const struct crumb whole = { o->t0, o->t1 }, *c = p->n_crumbs ? p->crumbs : &whole;
	size_t n = 0, most = p->n_crumbs ? p->n_crumbs : 1;

	/* There has to be one. */
	for (; n < most && (!n || (c[n].t0 < o->t1 && c[n].t1 > o->t0)); n++) {
		json_put(&o->w, json_begin(n ? "child" : "initialBreadcrumb", "{"));
		put_window(o, "window", c[n].t0, c[n].t1);
	}
	json_put(&o->w, json_raw("child", "null"));
	while (n--)
		json_put(&o->w, json_end("}"));
}

/* The keys of the entries of a kind. */
static void put_keys(struct writing *o, const char *name, enum note_kind kind)
{
	json_put(&o->w, json_begin(name, "["));
	for (size_t i = 0; i < o->n->notes->n; i++)
		if (o->n->notes->list[i].kind == kind && o->n->keys[i])
			json_put(&o->w, json_string(NULL, o->n->keys[i]));
	json_put(&o->w, json_end("]"));
}

static void put_annotations(struct writing *o)
{
	const struct export_notes *n = o->n;
	const struct user_note *list = n->notes->list;

	json_put(&o->w, json_begin("annotations", "{"), json_begin("entryLabels", "["));
	for (size_t i = 0; i < n->notes->n; i++)
		if (list[i].kind == NOTE_LABEL && *list[i].text && n->keys[i])
			json_put(&o->w, json_begin(NULL, "{"), json_string("entry", n->keys[i]),
				 json_string("label", list[i].text), json_end("}"));
	json_put(&o->w, json_end("]"), json_begin("labelledTimeRanges", "["));
	for (uint32_t i = 0; i < n->profile->n_lanes; i++) {
		o->lane = &n->profile->lanes[i];
		if (export_notes_is_ranges(n->profile, o->lane))
			cut_each_span(o->lane, o->t0, o->t1, true, put_range, o);
	}
	for (size_t i = 0; i < n->notes->n; i++) {
		const struct span *span = &n->found[i];

		if (list[i].kind == NOTE_LABEL && *list[i].text && !n->keys[i] &&
		    n->lanes[i] != UINT32_MAX && span->t0 < o->t1 && span->t1 > o->t0)
			put_label(o, span, list[i].text);
	}
	json_put(&o->w, json_end("]"), json_begin("linksBetweenEntries", "["));
	for (size_t i = 0; i + 1 < n->notes->n; i++)
		if (list[i].kind == NOTE_LINK && n->keys[i] && n->keys[i + 1])
			json_put(&o->w, json_begin(NULL, "{"), json_string("entryFrom", n->keys[i]),
				 json_string("entryTo", n->keys[i + 1]), json_end("}"));
	json_put(&o->w, json_end("]}"));
}

void export_notes_write(const struct export_notes *n, const struct scope *scope, int64_t base,
			struct buf *out)
{
	struct writing o = { .n = n,
			     .w = { .out = out },
			     .t0 = scope->t0,
			     .t1 = scope->t1 < n->profile->t1 ? scope->t1 : n->profile->t1,
			     .base = base };
	bool has_ranges = false;

	for (uint32_t i = 0; i < n->profile->n_lanes; i++)
		has_ranges |= export_notes_is_ranges(n->profile, &n->profile->lanes[i]);
	if (!n->notes->n && !n->profile->n_crumbs && !has_ranges)
		return;
	json_put(&o.w, json_begin("modifications", "{"));
	put_crumbs(&o);
	json_put(&o.w, json_begin("entriesModifications", "{"));
	put_keys(&o, "hiddenEntries", NOTE_HIDDEN);
	put_keys(&o, "expandableEntries", NOTE_EXPANDABLE);
	json_put(&o.w, json_end("}"));
	put_annotations(&o);
	json_put(&o.w, json_end("}"));
}
