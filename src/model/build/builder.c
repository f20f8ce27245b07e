/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The builder as a whole: how it is made, how it finishes, and everything that is specific to
 * neither CPU profiles nor traces. */
#include "config.h"

#include "model/build/builder.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/build/align.h"
#include "model/build/builder_state.h"
#include "model/build/cpu_builder.h"
#include "model/build/lane_order.h"
#include "model/build/slice_lane.h"
#include "model/build/stray.h"
#include "model/build/subset.h"
#include "model/build/track_builder.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== builder lane ====
 *
 * The list of lanes while it grows, and what only the builder knows of each. */

struct lane *builder_lane_take(struct builder *b, const struct lane *made)
{
	struct profile *p = b->profile;
	struct lane *lane;

	if (p->n_lanes >= b->cap_lanes) {
		p->lanes = xgrow(p->lanes, &b->cap_lanes, (size_t)p->n_lanes + 1, sizeof *p->lanes);
		b->sources = xrealloc(b->sources, b->cap_lanes, sizeof *b->sources);
	}
	b->sources[p->n_lanes] =
		(struct lane_source){ .clock = made->kind == LANE_SAMPLES ? b->clock : 0 };
	lane = &p->lanes[p->n_lanes++];
	*lane = *made;
	lane->id = p->n_lanes;
	return lane;
}

struct lane *builder_lane(struct builder *b, enum lane_kind kind, uint32_t input, int64_t pid,
			  int64_t tid)
{
	return builder_lane_take(b,
				 &(struct lane){ .kind = kind,
						 .input = input,
						 .pid = pid,
						 .tid = tid,
						 .has_timeline = true });
}

/* ==== builder unit ====
 *
 * The unit follows from the name that the file gives it. Tracks of a trace become lanes when the
 * builder finishes, so they count as lanes from their first event on. */

static struct amount_unit unit_of(const struct profile *p, const struct lane_value *value)
{
	const char *name = value->unit ? profile_text(p, value->unit) : "";
	bool is_bytes = strcmp(name, "bytes") == 0 || strcmp(name, "byte") == 0;

	if (!value->type || value->unit_ns == 0)
		return (struct amount_unit){ .kind = AMOUNT_TIME };
	return (struct amount_unit){ .kind = is_bytes ? AMOUNT_BYTES : AMOUNT_COUNT,
				     .ns = value->unit_ns };
}

static bool take(struct builder *b, struct amount_unit unit, bool has_lanes, struct error *err)
{
	static const char *const names[] = { "times", "bytes", "counts" };
	struct amount_unit *is = &b->profile->unit;

	if (has_lanes && is->kind != unit.kind)
		return error_set(err, ERR_FORMAT, -1,
				 "its values are %s, those of the file before are %s: they cannot "
				 "be added up; open them one by one",
				 names[unit.kind], names[is->kind]);
	*is = unit;
	return true;
}

bool builder_unit_take(struct builder *b, const struct lane_value *value, struct error *err)
{
	return take(b, unit_of(b->profile, value), b->profile->n_lanes > 0 || b->tracks.n > 0, err);
}

/* ==== builder warn ====
 *
 * The lowest file of the builder: every other one may warn. An input has few kinds of warnings, so
 * they are searched one by one, and their array grows by one. */

void builder_warn_input(struct builder *b, uint32_t input, const struct warning *w,
			const char *detail)
{
	struct profile *p = b->profile;
	struct input *in = &p->inputs[input];
	char text[600];

	for (size_t i = 0; i < in->n_warnings; i++) {
		if (in->warnings[i].kind == w->kind) {
			in->warnings[i].count += w->count;
			return;
		}
	}
	snprintf(text, sizeof text, "%s%s%s", warning_text(w->kind), detail ? ": " : "",
		 detail ? detail : "");
	in->warnings = xrealloc(in->warnings, in->n_warnings + 1, sizeof *in->warnings);
	in->warnings[in->n_warnings] = *w;
	in->warnings[in->n_warnings].text = intern_adds(&p->strings, text);
	in->warnings[in->n_warnings].is_note = warning_is_note(w->kind);
	in->n_warnings++;
}

void builder_warn_many(struct builder *b, enum warning_kind kind, int64_t offset, uint64_t n,
		       const char *detail)
{
	/* Warnings stand in the order in which they came up: those of pending work come first. */
	if (b->before_warning)
		b->before_warning(b);
	builder_warn_input(b, builder_this_input_index(b),
			   &(struct warning){ .kind = kind, .offset = offset, .count = n }, detail);
}

void builder_warn_stopped(struct builder *b)
{
	struct input *in = builder_this_input(b);
	size_t kept = 0;

	for (size_t i = 0; i < in->n_warnings; i++)
		if (in->warnings[i].kind != WARN_CUT_OFF)
			in->warnings[kept++] = in->warnings[i];
	in->n_warnings = kept;
	builder_warn(b, WARN_STOPPED, -1);
}

/* ==== builder input ====
 *
 * Inputs are few and their notes are few, so the arrays of notes grow by one. */

#define MAPS_MAX 100000u

void builder_input_argument(struct builder *b, uint32_t argument)
{
	b->argument = argument;
}

void builder_input_labels(struct builder *b, const struct builder_label *list, size_t n)
{
	assert(n <= BUILDER_INPUT_LABELS);
	memcpy(b->labels, list, n * sizeof *list);
	b->n_labels = n;
}

void builder_files_note(struct builder *b, const char *text)
{
	b->files_note = text;
}

/* The labels of the current input, and what they say of its machine. */
static void label_input(struct builder *b)
{
	static const struct {
		const char *key;
		enum input_host is;
	} hosts[] = { { "host", INPUT_HOST_LABEL }, { "boot", INPUT_HOST_BOOT } };
	struct input *in = builder_this_input(b);

	in->labels = builder_labels_set(b, b->labels, b->n_labels);
	b->profile->has_input_labels |= in->labels != 0;
	for (size_t i = 0; i < b->n_labels; i++)
		for (size_t k = 0; k < ARRAY_LEN(hosts); k++)
			if (str_is(b->labels[i].key, hosts[k].key))
				in->host[hosts[k].is] = intern_add(&b->profile->strings,
								   b->labels[i].value.p,
								   b->labels[i].value.len);
}

void builder_input(struct builder *b, const char *path)
{
	struct profile *p = b->profile;

	builder_stray_end(b);
	p->inputs = xgrow(p->inputs, &b->cap_inputs, (size_t)p->n_inputs + 1, sizeof *p->inputs);
	b->clock = 0;
	p->inputs[p->n_inputs++] = (struct input){ .path = intern_adds(&p->strings, path),
						   .argument = b->argument,
						   .bytes = -1,
						   .seq = -1 };
	if (b->n_labels)
		label_input(b);
	builder_stray_begin(b);
}

struct input *builder_this_input(const struct builder *b)
{
	return &b->profile->inputs[builder_this_input_index(b)];
}

void builder_input_date(struct builder *b, int64_t seconds, bool is_utc)
{
	struct input *in = builder_this_input(b);

	in->has_date = true;
	in->is_utc = is_utc;
	in->date_s = seconds;
}

void builder_input_part(struct builder *b, const char *path, int64_t from)
{
	struct input *in = builder_this_input(b);

	in->parts = xrealloc(in->parts, in->n_parts + 1, sizeof *in->parts);
	in->parts[in->n_parts++] =
		(struct input_part){ .path = intern_adds(&b->profile->strings, path),
				     .from = from };
}

void builder_input_fingerprint(struct builder *b, const struct fingerprint *print)
{
	struct input *in = builder_this_input(b);

	fingerprint_copy(in->n_parts ? &in->parts[in->n_parts - 1].print : &in->print, print);
}

void builder_input_drop(struct builder *b)
{
	struct input *in = builder_this_input(b);

	fingerprint_done(&in->print);
	for (size_t i = 0; i < in->n_parts; i++)
		fingerprint_done(&in->parts[i].print);
	free(in->parts);
	free(in->warnings);
	free(in->notes);
	free(in->maps);
	b->profile->n_inputs--;
	stray_init(&b->times);
}

void builder_input_note(struct builder *b, bool is_loss, const char *format, ...)
{
	struct input *in = builder_this_input(b);
	char text[600];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	in->notes = xrealloc(in->notes, in->n_notes + 1, sizeof *in->notes);
	in->notes[in->n_notes++] = (struct input_note){ builder_input_text(b, text, strlen(text)),
							is_loss };
}

void builder_input_map(struct builder *b, const char *url, size_t len, int64_t offset)
{
	struct input *in = builder_this_input(b);

	if (in->n_maps >= MAPS_MAX) {
		builder_warn_text(b, WARN_SOURCE_MAP, offset,
				  "only the first 100,000 of a trace are used");
		return;
	}
	*ARRAY_ADD(in->maps, in->n_maps,
		   in->cap_maps) = (struct input_map){ builder_input_text(b, url, len), offset };
}

str_id builder_input_text(struct builder *b, const char *text, size_t len)
{
	return builder_input_text_hashed(b, text, len, hash_bytes(text, len));
}

str_id builder_input_text_hashed(struct builder *b, const char *text, size_t len, uint64_t hash)
{
	BUF_LOCAL clean = { 0 };
	str_id id;

	if (!text_repair(&clean, text, len)) {
		id = intern_add_hashed(&b->profile->strings, text, len, hash);
	} else {
		id = intern_add(&b->profile->strings, clean.data, clean.len);
		b->n_repaired++;
		builder_warn(b, WARN_TEXT, -1);
	}
	return id;
}

/* ==== builder labels ====
 *
 * A set is sorted by key, so equal sets are equal bytes. */

static str_id add_text(struct builder *b, struct str text)
{
	size_t len = text.len < LABELS_TEXT_MAX ? text.len : LABELS_TEXT_MAX;

	if (len < text.len)
		builder_warn(b, WARN_LABEL_TEXT, -1);
	return intern_add(&b->profile->strings, text.p, len);
}

/* The index of a key; UINT32_MAX: there are too many. There are few, so they are searched. */
static uint32_t find_key(struct builder *b, struct str key)
{
	struct labels *labels = &b->profile->labels;
	str_id name = add_text(b, key);
	BUF_LOCAL none = { 0 };

	for (uint32_t i = 0; i < labels->n_keys; i++)
		if (labels->keys[i].name == name)
			return i;
	if (labels->n_keys >= LABELS_KEYS_MAX) {
		builder_warn(b, WARN_LABEL_KEYS, -1);
		return UINT32_MAX;
	}
	buf_addf(&none, "(no %s)", intern_text(&b->profile->strings, name));
	*ARRAY_ADD(labels->keys, labels->n_keys, labels->cap_keys) =
		(struct label_key){ name, intern_add(&b->profile->strings, none.data, none.len) };
	return labels->n_keys - 1;
}

SORT_ORDER(by_key, struct label, SORT_BY_3(x->key, y->key, x->value, y->value, x->form, y->form))

/* Leave out labels that are there twice. Returns how many are left. */
static size_t drop_equal(struct label *list, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (kept == 0 || by_key(&list[kept - 1], &list[i]) != 0)
			list[kept++] = list[i];
	return kept;
}

/* The values of n labels as one. */
static struct label join(struct builder *b, const struct label *list, size_t n)
{
	struct label all = { list->key, list->value, LABEL_JOINED };
	BUF_LOCAL text = { 0 };

	for (size_t i = 0; i < n; i++)
		buf_addf(&text, "%s%s", i ? ", " : "",
			 intern_text(&b->profile->strings, list[i].value));
	all.value = add_text(b, (struct str){ text.data, text.len });
	return all;
}

/* Put the values of keys that have several in front of them as one. `out` has room for twice the
 * list. Returns its length. */
static size_t join_all(struct builder *b, const struct label *list, size_t n, struct label *out)
{
	size_t n_out = 0;

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && list[end].key == list[i].key;)
			end++;
		if (end > i + 1)
			out[n_out++] = join(b, list + i, end - i);
		for (size_t k = i; k < end; k++)
			out[n_out++] = list[k];
	}
	return n_out;
}

static uint32_t form_of(struct builder *b, const struct builder_label *label)
{
	if (!label->is_number)
		return LABEL_TEXT;
	return LABEL_NUMBER + (label->unit.len ? add_text(b, label->unit) : 0);
}

/* The number of a set. */
static uint32_t keep_set(struct builder *b, const struct label *list, size_t n)
{
	struct labels *labels = &b->profile->labels;
	uint32_t id;

	if (!n)
		return 0;
	if (!labels->sets.n) {
		intern_init(&labels->sets);
		labels->sets.most = LABELS_SETS_MAX;
	}
	id = intern_add(&labels->sets, (const char *)list, n * sizeof *list);
	if (!id)
		builder_warn(b, WARN_LABEL_LISTS, -1);
	return id;
}

uint32_t builder_labels_set(struct builder *b, const struct builder_label *list, size_t n)
{
	ALLOC_LOCAL struct label *set = xcalloc(n, sizeof *set);
	ALLOC_LOCAL struct label *all = xcalloc(2 * n, sizeof *all);
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (list[i].key.len == 0 || list[i].value.len == 0)
			continue;
		set[kept].key = find_key(b, list[i].key);
		set[kept].value = add_text(b, list[i].value);
		set[kept].form = form_of(b, &list[i]);
		kept += set[kept].key != UINT32_MAX && set[kept].value;
	}
	if (kept)
		qsort(set, kept, sizeof *set, by_key);
	return keep_set(b, all, join_all(b, set, drop_equal(set, kept), all));
}

uint32_t builder_labels_join(struct builder *b, uint32_t set, uint32_t more)
{
	const struct labels *labels = &b->profile->labels;
	ALLOC_LOCAL struct label *all = NULL;
	struct label own, other;
	size_t n = 0, cap = 0, i = 0, k = 0;

	for (;;) {
		bool has_own = labels_get(labels, set, i, &own);
		bool has_other = labels_get(labels, more, k, &other);
		bool is_own = has_own && (!has_other || own.key <= other.key);

		if (!has_own && !has_other)
			break;
		if (is_own || !n || all[n - 1].key != other.key)
			*ARRAY_ADD(all, n, cap) = is_own ? own : other;
		i += is_own;
		k += !is_own;
	}
	return keep_set(b, all, n);
}

/* ==== builder ==== */

struct builder *builder_new(const struct builder_options *options)
{
	struct builder *b = xcalloc(1, sizeof *b);
	struct profile *p = xcalloc(1, sizeof *p);

	stray_init(&b->times);
	b->options = *options;
	b->profile = p;
	p->is_raw = options->is_raw;
	intern_init(&p->strings);
	p->strings.most = builder_most(b, p->strings.most);
	frame_table_init(&p->frames);
	p->frames.frames[FRAME_NONE].name = intern_adds(&p->strings, "(root)");
	p->no_event_cat = intern_adds(&p->strings, "(no event category)");
	for (int c = 0; c < CATEGORY_COUNT; c++)
		p->category_names[c] = intern_adds(&p->strings, category_name((enum category)c));
	return b;
}

void builder_free(struct builder *b)
{
	if (!b)
		return;
	cpu_builder_drop(b);
	cpu_builder_texts_done(&b->texts);
	for (uint32_t i = 0; i < b->tracks.n; i++)
		track_filter_done(&b->tracks.tracks[i]);
	track_raw_done(&b->tracks);
	for (uint32_t i = 0; b->sources && i < b->profile->n_lanes; i++)
		time_survey_free(b->sources[i].survey);
	free(b->sources);
	profile_free(b->profile);
	free(b);
}

const struct builder_options *builder_options(const struct builder *b)
{
	return &b->options;
}

void builder_no_subset(struct builder *b)
{
	b->is_whole_only = true;
}

void builder_accept_empty(struct builder *b)
{
	b->is_empty_valid = true;
}

/* The window that a file asks for; one outside of the profile is ignored. */
static void set_window(const struct builder *b)
{
	struct profile *p = b->profile;
	int64_t t0 = b->tracks.window_t0 - p->origin_ns, t1 = b->tracks.window_t1 - p->origin_ns;

	for (size_t i = 0; i < p->n_crumbs; i++) {
		struct crumb c = p->crumbs[i];

		c.t0 = c.t0 > p->origin_ns ? c.t0 - p->origin_ns : 0;
		c.t1 = c.t1 - p->origin_ns < p->t1 ? c.t1 - p->origin_ns : p->t1;
		p->crumbs[i] = c;
	}
	if (!b->tracks.has_window || p->has_own_zero || t0 < 0 || t1 > p->t1 || t0 >= t1) {
		p->n_crumbs = 0;
		return;
	}
	p->window_t0 = t0;
	p->window_t1 = t1;
}

/* Whether all counts fit their types. */
static bool is_countable(const struct builder *b, struct error *err)
{
	size_t most_slices = builder_most(b, SLICE_LANE_MAX),
	       most_flows = builder_most(b, FLOW_BIND_MAX);

	for (uint32_t i = 0; i < b->tracks.n; i++)
		if (b->tracks.tracks[i].n > most_slices)
			return error_set(err, ERR_LIMIT, -1, "more than %zu slices on one thread",
					 most_slices);
	if (b->tracks.n_flows > most_flows)
		return error_set(err, ERR_LIMIT, -1, "more than %zu points of flows", most_flows);
	return true;
}

/* Whether the time of all lanes together, which tables and findings add up, fits its type: with
 * idle time, but without what was not sampled, as nothing adds that up but the rows without a name
 * and the length of all lanes. */
static bool is_summable(const struct builder *b, struct error *err)
{
	const struct profile *p = b->profile;
	int64_t left = INT64_MAX / 2;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		int64_t ns = lane_worked_ns(lane) + lane->idle_ns;

		if (ns > left && b->options.is_too_long)
			*b->options.is_too_long = true;
		if (ns > left)
			return error_set(err, ERR_LIMIT, -1,
					 "the samples and slices of all lanes together are longer "
					 "than 146 years: their sums cannot be counted%s",
					 b->options.is_survey || b->options.subset
						 ? ""
						 : "; --lane=RE loads some of them");
		left -= ns;
	}
	return true;
}

/* Complete the profile. */
static bool finish(struct builder *b, struct error *err)
{
	stray_drop(b);
	/* The same for slices, marks and counters of traces, which are times. */
	if (!is_countable(b, err) ||
	    !(b->tracks.n == 0 ||
	      take(b, (struct amount_unit){ .kind = AMOUNT_TIME }, b->profile->n_lanes > 0, err)))
		return false;
	track_lanes_build(b);
	if (b->profile->n_lanes == 0 && !b->is_empty_valid) {
		error_set(err, ERR_FORMAT, -1, "no profile to show");
		return false;
	}
	align_lanes(b);
	lane_order(b);
	flow_bind(b);
	request_bind(b);
	flow_bind_links(b->profile);
	unique_names_resolve(b->profile);
	site_set_origins(b->profile);
	if (b->options.subset)
		left_out_warn(b);
	set_window(b);
	return is_summable(b, err) && intern_fits(&b->profile->strings, err);
}

struct profile *builder_finish(struct builder *b, struct error *err)
{
	struct profile *p = NULL;

	if (b->files_note && *b->files_note && b->profile->n_inputs)
		builder_input_note(b, true, "%s", b->files_note);
	if (finish(b, err)) {
		p = b->profile;
		for (uint32_t i = 0; i < p->n_lanes; i++)
			time_survey_free(b->sources[i].survey);
		free(b->sources);
		b->sources = NULL;
		b->profile = NULL;
	}
	builder_free(b);
	return p;
}

struct subset *builder_finish_survey(struct builder *b, struct error *err)
{
	struct subset *subset = NULL;

	builder_stray_end(b);
	if (b->is_whole_only || b->has_stray_samples) {
		error_set(err, ERR_LIMIT, -1, "only the whole file can be loaded");
	} else if (finish(b, err)) {
		subset = subset_new(b->profile, b->sources);
		b->profile = NULL;
		b->sources = NULL;
	}
	builder_free(b);
	return subset;
}
