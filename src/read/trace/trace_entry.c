/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entries that a user changed in DevTools (metadata.modifications). A key names each entry: `r-12`
 * is the event with the number 12 in the file, counted from 0, and `s-12` what DevTools makes of
 * that event; other keys name calls of samples. Nothing is hidden: the input notes tell what was
 * done.
 *
 * Entries are sorted by the number of their event, so that one comparison for each event finds
 * them. Events that were read before the metadata are read again (trace_copy). */
#include "config.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/units.h"
#include "read/trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES_MAX 1000
#define LISTED_MAX 8 /* entries of a note */
#define NO_NUMBER UINT64_MAX

/* The numbers are those of enum note_kind. */
enum change { CHANGE_LABEL, CHANGE_HIDDEN, CHANGE_EXPANDABLE, CHANGE_LINK, CHANGE_LINK_END };

struct trace_entry {
	uint64_t number; /* of its event; NO_NUMBER: the key is of another kind */
	enum change change;
	text_id key, label;
	size_t at;    /* in the order of the file; the ends of a link follow each other */
	text_id name; /* of its event, with its time; 0: not seen */
	int64_t ts, pid, tid, offset;
};

/* The number of `r-12` or `s-12`. */
static uint64_t entry_number(const char *key, size_t len)
{
	enum number_kind kind;
	int64_t number;

	if (len < 3 || (key[0] != 'r' && key[0] != 's') || key[1] != '-' ||
	    !json_number_parse(key + 2, len - 2, 0, &number, &kind) || kind != NUMBER_INTEGER ||
	    number < 0)
		return NO_NUMBER;
	return (uint64_t)number;
}

static void add_key(struct trace *t, enum change change, const char *key, size_t len, text_id label)
{
	if (t->n_entries >= ENTRIES_MAX)
		return;
	t->entries = xgrow(t->entries, &t->cap_entries, t->n_entries + 1, sizeof *t->entries);
	t->entries[t->n_entries++] =
		(struct trace_entry){ .number = entry_number(key, len),
				      .change = change,
				      .at = t->n_entries - 1,
				      .offset = -1,
				      .key = trace_text_add(&t->texts, key, len),
				      .label = label };
}

static void add_keys(struct trace *t, const struct json_value *list, enum change change)
{
	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next)
		if (v->type == JSON_STRING)
			add_key(t, change, v->text.p, v->text.len, 0);
}

static void add_labels(struct trace *t, const struct json_value *list)
{
	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next) {
		const char *key, *label;
		size_t key_len, label_len;

		if (json_tree_text(v, "entry", &key, &key_len) &&
		    json_tree_text(v, "label", &label, &label_len))
			add_key(t, CHANGE_LABEL, key, key_len,
				trace_text_add(&t->texts, label, label_len));
	}
}

static void add_links(struct trace *t, const struct json_value *list)
{
	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next) {
		const char *from, *to;
		size_t from_len, to_len;

		if (!json_tree_text(v, "entryFrom", &from, &from_len) ||
		    !json_tree_text(v, "entryTo", &to, &to_len) || t->n_entries + 2 > ENTRIES_MAX)
			continue;
		add_key(t, CHANGE_LINK, from, from_len, 0);
		add_key(t, CHANGE_LINK_END, to, to_len, 0);
	}
}

static int by_number(const void *a, const void *b)
{
	const struct trace_entry *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->change < y->change ? -1 : x->change > y->change;
}

/* Find the first entry whose event was not read yet. */
static void find_next(struct trace *t)
{
	t->next_entry = UINT64_MAX;
	for (size_t i = t->n_entries; i-- > 0 && t->entries[i].number >= t->n_events;)
		t->next_entry = t->entries[i].number;
}

void trace_entry_collect(struct trace *t, const struct json_value *all)
{
	const struct json_value *entries = json_tree_find(all, "entriesModifications"),
				*notes = json_tree_find(all, "annotations");

	add_keys(t, json_tree_member(entries, "hiddenEntries", JSON_ARRAY), CHANGE_HIDDEN);
	add_keys(t, json_tree_member(entries, "expandableEntries", JSON_ARRAY), CHANGE_EXPANDABLE);
	add_labels(t, json_tree_member(notes, "entryLabels", JSON_ARRAY));
	add_links(t, json_tree_member(notes, "linksBetweenEntries", JSON_ARRAY));
	if (t->n_entries)
		qsort(t->entries, t->n_entries, sizeof *t->entries, by_number);
	find_next(t);
}

void trace_entry_take(struct trace *t, const struct trace_event *e)
{
	for (size_t i = 0; i < t->n_entries; i++) {
		if (t->entries[i].number != t->next_entry)
			continue;
		t->entries[i].name = e->name;
		t->entries[i].ts = e->ts;
		t->entries[i].pid = e->pid;
		t->entries[i].tid = e->tid;
		t->entries[i].offset = e->offset;
	}
	find_next(t);
}

/* Append `Layout at 1 234 µs (r-12)`. */
static void add_entry(const struct trace *t, const struct trace_entry *entry, struct buf *out)
{
	const struct trace_text *key = trace_text_get(&t->texts, entry->key),
				*name = trace_text_get(&t->texts, entry->name);
	char when[UNITS_MAX];

	if (!entry->name) {
		buf_add(out, key->p, key->len);
		return;
	}
	units_exact(entry->ts, when);
	buf_add(out, name->p, name->len);
	buf_addf(out, " at %s (", when);
	buf_add(out, key->p, key->len);
	buf_adds(out, ")");
}

/* One note for all entries with this change. */
static void note_all(struct trace *t, enum change change, const char *what)
{
	struct buf text = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < t->n_entries; i++) {
		if (t->entries[i].change != change || n++ >= LISTED_MAX)
			continue;
		buf_adds(&text, n > 1 ? ", " : "");
		add_entry(t, &t->entries[i], &text);
	}
	if (n > LISTED_MAX)
		buf_addf(&text, ", and %zu more", n - LISTED_MAX);
	if (n && trace_may_note(t))
		builder_input_note(t->b, false, "%zu entr%s %s: %s", n, n == 1 ? "y" : "ies", what,
				   buf_text(&text));
	buf_done(&text);
}

static int by_place(const void *a, const void *b)
{
	const struct trace_entry *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

static void add_notes(struct trace *t)
{
	if (t->n_entries)
		qsort(t->entries, t->n_entries, sizeof *t->entries, by_place);
	for (size_t i = 0; i < t->n_entries; i++) {
		const struct trace_entry *e = &t->entries[i];
		struct user_note note = {
			.kind = (enum note_kind)e->change,
			.pid = e->pid,
			.tid = e->tid,
			.t = e->ts,
			.offset = e->offset,
			.text = (char *)(uintptr_t)trace_text_get(&t->texts, e->label)->p,
			.key = (char *)(uintptr_t)trace_text_get(&t->texts, e->key)->p,
		};
		int64_t sample, id;

		if (sscanf(note.key, "p-%" SCNd64 "-%" SCNd64 "-%" SCNd64 "-%" SCNd64, &note.pid,
			   &note.tid, &sample, &id) == 4)
			(void)trace_cpu_call(t, (size_t)sample, id, &note);
		track_builder_note(t->b, &note);
	}
}

static void finish_entries(struct trace *t)
{
	struct buf text = { 0 };

	add_notes(t);

	note_all(t, CHANGE_HIDDEN, "hidden in DevTools, and shown here");
	note_all(t, CHANGE_EXPANDABLE, "expandable in DevTools, with hidden ones below");
	for (size_t i = 0; i < t->n_entries; i++) {
		if (t->entries[i].change != CHANGE_LABEL || !trace_may_note(t))
			continue;
		buf_clear(&text);
		add_entry(t, &t->entries[i], &text);
		builder_input_note(t->b, false, "label of %s: %.200s", buf_text(&text),
				   trace_text_get(&t->texts, t->entries[i].label)->p);
	}
	buf_done(&text);
}

static void free_entries(struct trace *t)
{
	free(t->entries);
}

const struct trace_part trace_entry_part = { finish_entries, free_entries };
