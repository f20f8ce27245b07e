/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entries that a user changed in DevTools (metadata.modifications). A key names each entry: `r-12`
 * is the event with the number 12 in the file, counted from 0, and `s-12` what DevTools makes of
 * that event; other keys name calls of samples. Nothing is hidden: the input notes tell what was
 * done.
 *
 * One comparison for each event finds the next one that is named. Events that were read before the
 * metadata are read again (trace_copy). */
#include "config.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/units.h"
#include "read/trace/trace.h"

#include <stdlib.h>
#include <string.h>

#define ENTRIES_MAX 1000
#define LISTED_MAX 8 /* entries of a note */

static void add_key(struct trace *t, enum note_kind kind, const char *key, const char *label)
{
	if (t->entries.n < ENTRIES_MAX)
		notes_add(&t->entries,
			  &(struct user_note){ .kind = kind,
					       .offset = -1,
					       .key = (char *)(uintptr_t)key,
					       .text = (char *)(uintptr_t)label });
}

static void add_keys(struct trace *t, const struct json_value *list, enum note_kind kind)
{
	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next)
		if (v->type == JSON_STRING)
			add_key(t, kind, v->text.p, NULL);
}

/* Objects with two texts: a key and a label, or two keys. */
static void add_pairs(struct trace *t, const struct json_value *list, const char *first,
		      const char *second)
{
	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next) {
		const char *key, *other;
		size_t len;

		if (!json_tree_text(v, first, &key, &len) ||
		    !json_tree_text(v, second, &other, &len) || t->entries.n + 2 > ENTRIES_MAX)
			continue;
		if (*second == 'l') {
			add_key(t, NOTE_LABEL, key, other);
		} else {
			add_key(t, NOTE_LINK, key, NULL);
			add_key(t, NOTE_LINK_END, other, NULL);
		}
	}
}

/* Find the first event that is named and was not read yet. */
static void find_next(struct trace *t)
{
	t->next_entry = UINT64_MAX;
	for (size_t i = 0; i < t->entries.n; i++) {
		uint64_t number = notes_number(&t->entries.list[i]);

		if (number >= t->n_events && number < t->next_entry)
			t->next_entry = number;
	}
}

void trace_entry_collect(struct trace *t, const struct json_value *all)
{
	const struct json_value *entries = json_tree_find(all, "entriesModifications"),
				*notes = json_tree_find(all, "annotations");

	add_keys(t, json_tree_member(entries, "hiddenEntries", JSON_ARRAY), NOTE_HIDDEN);
	add_keys(t, json_tree_member(entries, "expandableEntries", JSON_ARRAY), NOTE_EXPANDABLE);
	add_pairs(t, json_tree_member(notes, "entryLabels", JSON_ARRAY), "entry", "label");
	add_pairs(t, json_tree_member(notes, "linksBetweenEntries", JSON_ARRAY), "entryFrom",
		  "entryTo");
	find_next(t);
}

void trace_entry_take(struct trace *t, const struct trace_event *e)
{
	for (size_t i = 0; i < t->entries.n; i++) {
		struct user_note *note = &t->entries.list[i];

		if (notes_number(note) != t->next_entry)
			continue;
		free(note->name);
		note->name = xstrdup(trace_text_get(&t->texts, e->name)->p);
		note->t = e->ts;
		note->offset = e->offset;
	}
	find_next(t);
}

/* Append `Layout at 1 234 Âµs (r-12)`. */
static void add_entry(const struct user_note *note, struct buf *out)
{
	char when[UNITS_MAX];

	units_exact(note->t, when);
	if (note->name)
		buf_addf(out, "%s at %s (%s)", note->name, when, note->key);
	else
		buf_adds(out, note->key);
}

/* One note of the input for all entries of a kind. */
static void note_all(struct trace *t, enum note_kind kind, const char *what)
{
	struct buf text = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < t->entries.n; i++) {
		if (t->entries.list[i].kind != kind || n++ >= LISTED_MAX)
			continue;
		buf_adds(&text, n > 1 ? ", " : "");
		add_entry(&t->entries.list[i], &text);
	}
	if (n > LISTED_MAX)
		buf_addf(&text, ", and %zu more", n - LISTED_MAX);
	if (n && trace_may_note(t))
		builder_input_note(t->b, false, "%zu entr%s %s: %s", n, n == 1 ? "y" : "ies", what,
				   buf_text(&text));
	buf_done(&text);
}

/* The numbers of `p-pid-tid-sample-node`, the key of a call. */
static bool call_of(const char *key, int64_t n[4])
{
	const char *at = key + 1;
	int k = 0;
	char *end;

	for (; key[0] == 'p' && k < 4 && at[0] == '-' && at[1]; at = end)
		n[k++] = strtoll(at + 1, &end, 10);
	return k == 4 && !*at;
}

static void finish_entries(struct trace *t)
{
	note_all(t, NOTE_HIDDEN, "hidden in DevTools, and shown here");
	note_all(t, NOTE_EXPANDABLE, "expandable in DevTools, with hidden ones below");
	for (size_t i = 0; i < t->entries.n; i++) {
		struct user_note note = t->entries.list[i];
		struct buf text = { 0 };
		int64_t n[4];

		add_entry(&note, &text);
		if (note.kind == NOTE_LABEL && trace_may_note(t))
			builder_input_note(t->b, false, "label of %s: %.200s", buf_text(&text),
					   note.text);
		buf_done(&text);
		if (call_of(note.key, n)) {
			note.pid = n[0];
			note.tid = n[1];
			(void)trace_cpu_call(t, (size_t)n[2], n[3], &note);
		}
		track_builder_note(t->b, &note);
	}
}

static void free_entries(struct trace *t)
{
	notes_done(&t->entries);
}

const struct trace_part trace_entry_part = { finish_entries, free_entries };
