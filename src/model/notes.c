/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes are few, so that each is looked for in all lanes. */
#include "config.h"

#include "model/notes.h"

#include "base/alloc.h"
#include "base/text.h"
#include "model/profile.h"
#include "model/slices.h"

#include <stdlib.h>
#include <string.h>

static char *copy(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

static void done(struct user_note *note)
{
	free(note->name);
	free(note->text);
	free(note->key);
}

void notes_done(struct notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		done(&notes->list[i]);
	free(notes->list);
	*notes = (struct notes){ 0 };
}

void notes_add(struct notes *notes, const struct user_note *note)
{
	struct user_note *to;

	to = ARRAY_ADD(notes->list, notes->n, notes->cap);
	*to = *note;
	to->name = copy(note->name);
	to->text = copy(note->text);
	to->key = copy(note->key);
}

void notes_add_all(struct notes *to, const struct notes *from)
{
	for (size_t i = 0; from && i < from->n; i++)
		notes_add(to, &from->list[i]);
}

uint64_t notes_number(const struct user_note *note)
{
	const char *key = note->key;

	if (!key || (*key != 'r' && *key != 's') || key[1] != '-' || key[2] < '0' || key[2] > '9' ||
	    key[2 + strspn(key + 2, "0123456789")])
		return UINT64_MAX;
	return strtoull(key + 2, NULL, 10);
}

struct user_note notes_label(const struct profile *profile, const struct lane *lane,
			     const struct span *span, const char *text)
{
	return (struct user_note){
		.kind = NOTE_LABEL,
		.is_own = true,
		.input = lane->input,
		.pid = lane->pid,
		.tid = lane->tid,
		.t = span->t0 + lane->zero_ns,
		.offset = slice_event(lane, span),
		.depth = span->depth,
		.name = (char *)(uintptr_t)profile_text(
			profile, profile_node_frame(profile, lane, span->node)->name),
		.text = (char *)(uintptr_t)text,
	};
}

static bool is_same_call(const struct user_note *a, const struct user_note *b)
{
	return a->input == b->input && a->t == b->t && a->offset == b->offset &&
		(a->offset >= 0 || (a->pid == b->pid && a->tid == b->tid && a->depth == b->depth));
}

void notes_set(struct notes *notes, const struct user_note *note)
{
	for (size_t i = 0; i < notes->n; i++) {
		struct user_note *old = &notes->list[i];

		if (old->kind != NOTE_LABEL || !is_same_call(old, note))
			continue;
		free(old->text);
		old->text = copy(note->text);
		old->is_own = true;
		return;
	}
	notes_add(notes, note);
}

/* The call of that function at the time: at the depth, or the nearest one. By its other name it
 * begins at the time. */
static bool find_call(const struct profile *p, const struct lane *lane,
		      const struct user_note *note, struct span *out)
{
	int64_t t = note->t - lane->zero_ns;

	for (int by = 0; by <= lane->max_depth; by++)
		for (int depth = note->depth - by; depth <= note->depth + by; depth += 2 * by + !by)
			if (depth >= 0 && span_at(&lane->samples, &lane->tree, depth, t, out) &&
			    note->name &&
			    strcmp(profile_text(p, profile_node_frame(p, lane, out->node)->name),
				   note->name) == 0)
				return true;
	return note->is_own && span_at(&lane->samples, &lane->tree, note->depth, t, out) &&
		out->t0 == t;
}

bool notes_find(const struct profile *p, const struct user_note *note, uint32_t *lane,
		struct span *out)
{
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *l = &p->lanes[i];

		if (l->input != note->input || l->kind == LANE_COUNTER || !l->samples.n ||
		    note->t < l->t0 + l->zero_ns || note->t > l->t1 + l->zero_ns)
			continue;
		if (note->offset >= 0 ? slice_find(l, note->offset, note->t - l->zero_ns, out)
				      : l->pid == note->pid && l->tid == note->tid &&
				    find_call(p, l, note, out)) {
			*lane = i;
			return true;
		}
	}
	return false;
}

void notes_find_all(struct notes_found *out, const struct profile *p, const struct notes *notes)
{
	*out = (struct notes_found){ p, notes, xcalloc(notes->n + 1, sizeof *out->lanes),
				     xcalloc(notes->n + 1, sizeof *out->spans) };
	for (size_t i = 0; i < notes->n; i++)
		if (!notes_find(p, &notes->list[i], &out->lanes[i], &out->spans[i]))
			out->lanes[i] = UINT32_MAX;
}

void notes_found_done(struct notes_found *found)
{
	free(found->lanes);
	free(found->spans);
	*found = (struct notes_found){ 0 };
}

void notes_lines(const struct profile *p, struct buf *out)
{
	for (size_t i = 0; i < p->notes.n; i++) {
		const struct user_note *note = &p->notes.list[i];
		char at[UNITS_MAX];
		uint32_t lane;
		struct span span;

		if (note->kind != NOTE_LABEL || !notes_find(p, note, &lane, &span))
			continue;
		profile_value(p, span.t0, at);
		buf_adds(out, "note of ");
		profile_add_name(p, profile_node_frame(p, &p->lanes[lane], span.node), out);
		buf_addf(out, " at %s: ", at);
		text_visible(out, note->text, strlen(note->text));
		buf_addc(out, '\n');
	}
}

size_t notes_count_hidden(const struct notes_found *found, size_t at, const char **why)
{
	const struct span *of = &found->spans[at];
	const frame_id *frame = found->profile->lanes[found->lanes[at]].tree.frame;
	size_t n = 0, n_same = 0;

	for (size_t i = 0; i < found->notes->n; i++) {
		const struct span *x = &found->spans[i];

		if (found->notes->list[i].kind != NOTE_HIDDEN ||
		    found->lanes[i] != found->lanes[at] || x->t0 < of->t0 || x->t1 > of->t1 ||
		    x->depth <= of->depth)
			continue;
		n++;
		n_same += frame[x->node] == frame[of->node];
	}
	*why = n && n_same == n ? "repeated calls" : "calls below";
	return n;
}
