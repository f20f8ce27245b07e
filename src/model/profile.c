/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Access to a finished profile. */
#include "config.h"

#include "model/profile.h"

#include "base/text.h"
#include "model/other_names.h"
#include "model/whole_lanes.h"

#include <stdlib.h>
#include <string.h>

static void recorded_free(struct recorded *recorded)
{
	if (!recorded)
		return;
	free(recorded->joined);
	free(recorded->gc);
	free(recorded);
}

void lane_done(struct lane *lane)
{
	calltree_done(&lane->tree);
	samples_done(&lane->samples);
	free(lane->labels);
	free(lane->counts);
	free(lane->hits);
	free(lane->breaks);
	free(lane->deopt);
	free(lane->cats);
	free(lane->ticks);
	recorded_free(lane->recorded);
	slices_done(&lane->slices);
	slice_time_free(lane->slice_time);
	for (uint32_t i = 0; i < lane->n_series; i++)
		series_done(&lane->series[i]);
	free(lane->series);
	*lane = (struct lane){ 0 };
}

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	whole_lanes_restore(profile);
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		lane_done(&profile->lanes[i]);
	for (uint32_t i = 0; i < profile->n_inputs && !profile->is_borrower; i++) {
		fingerprint_done(&profile->inputs[i].print);
		for (size_t k = 0; k < profile->inputs[i].n_parts; k++)
			fingerprint_done(&profile->inputs[i].parts[k].print);
		free(profile->inputs[i].parts);
		free(profile->inputs[i].warnings);
		free(profile->inputs[i].notes);
		free(profile->inputs[i].maps);
	}
	free(profile->flows);
	free(profile->flows_by_lane);
	free(profile->stack_frames);
	free(profile->lanes);
	frame_table_done(&profile->frames);
	if (!profile->is_borrower) {
		other_names_free(profile->other);
		free(profile->inputs);
		free(profile->named);
		free(profile->event_cats);
		labels_done(&profile->labels);
		intern_done(&profile->strings);
	}
	free(profile);
}

const char *profile_text(const struct profile *profile, str_id id)
{
	return intern_text(&profile->strings, id);
}

const char *profile_input_name(const struct profile *p, uint32_t input)
{
	const struct input *in = &p->inputs[input];
	const char *path = profile_text(p, in->path), *slash = strrchr(path, '/');

	if (in->name)
		return profile_text(p, in->name);
	return slash && slash[1] ? slash + 1 : path;
}

const struct frame *profile_frame(const struct profile *profile, frame_id id)
{
	return &profile->frames.frames[id];
}

const struct frame *profile_node_frame(const struct profile *profile, const struct lane *lane,
				       node_id node)
{
	return &profile->frames.frames[lane->tree.frame[node]];
}

bool profile_is_mark(const struct profile *profile, const struct lane *lane, node_id node)
{
	return profile_node_frame(profile, lane, node)->category == CATEGORY_MARK;
}

event_cat profile_node_cat(const struct profile *profile, const struct lane *lane, node_id node)
{
	return lane->cats ? lane->cats[node] : profile_node_frame(profile, lane, node)->cat;
}

void profile_exact(const struct profile *profile, int64_t ns, char out[UNITS_MAX])
{
	if (profile->has_ns && amount_is_time(&profile->unit))
		units_exact_ns(ns, out);
	else
		amount_exact(&profile->unit, ns, out);
}

void profile_value(const struct profile *profile, int64_t ns, char out[UNITS_MAX])
{
	amount_text(&profile->unit, ns, out);
}

void profile_value_near(const struct profile *profile, int64_t ns, int64_t step,
			char out[UNITS_MAX])
{
	amount_near(&profile->unit, ns, step, out);
}

bool profile_warns(const struct profile *profile, enum warning_kind kind)
{
	for (uint32_t i = 0; i < profile->n_inputs; i++)
		for (size_t k = 0; k < profile->inputs[i].n_warnings; k++)
			if (profile->inputs[i].warnings[k].kind == kind)
				return true;
	return false;
}

bool profile_has_made_up_times(const struct profile *profile)
{
	return profile_warns(profile, WARN_DELTAS_MISSING) ||
		profile_warns(profile, WARN_DELTAS_SHORT);
}

size_t profile_warning_count(const struct profile *profile)
{
	size_t n = 0;

	for (uint32_t i = 0; i < profile->n_inputs; i++)
		for (size_t k = 0; k < profile->inputs[i].n_warnings; k++)
			n += !profile->inputs[i].warnings[k].is_note;
	return n;
}

/* The part of a url after its last slash that is not at the end. */
static const char *last_part(const char *url)
{
	size_t len = strlen(url);
	const char *slash, *back;

	if (len == 0)
		return url;
	slash = memrchr(url, '/', len - 1);
	back = memrchr(slash ? slash : url, '\\', len - 1 - (size_t)(slash ? slash - url : 0));
	return back ? back + 1 : slash ? slash + 1 : url;
}

/* Append a url percent-decoded. */
static void add_decoded(struct buf *out, const char *url, const char *end)
{
	for (const char *p = url; p < end; p++) {
		if (*p == '%' && text_hex_pair(p + 1) >= 0) {
			buf_addc(out, (char)text_hex_pair(p + 1));
			p += 2;
		} else {
			buf_addc(out, *p);
		}
	}
}

/* Append a location. is_cut: of a very long url only the two ends. */
static void add_location(const struct profile *profile, const struct frame *frame, bool is_full,
			 bool is_cut, struct buf *out)
{
	const char *url = profile_text(profile, frame->url);
	struct buf ends = { 0 };
	size_t len;

	if (!frame->url)
		return;
	if (strncmp(url, "file://", 7) == 0)
		url += 7;
	/* Names of Node's own modules are short, and the scheme tells what they are. */
	if (!is_full && strncmp(url, "node:", 5) != 0)
		url = last_part(url);
	len = strlen(url);
	if (is_cut && len > TEXT_CELLS_MOST) {
		text_add_ends(&ends, url, len);
		url = buf_text(&ends);
		len = ends.len;
	}
	add_decoded(out, url, url + len);
	buf_done(&ends);
	if (frame->line > 0)
		buf_addf(out, ":%d", frame->line);
	if (frame->line > 0 && frame->column > 0)
		buf_addf(out, ":%d", frame->column);
}

bool profile_is_anonymous(const struct profile *profile, const struct frame *frame)
{
	return strcmp(profile_text(profile, frame->name), "(anonymous)") == 0;
}

void profile_location(const struct profile *profile, const struct frame *frame, bool is_full,
		      struct buf *out)
{
	add_location(profile, frame, is_full, false, out);
}

void profile_location_ends(const struct profile *profile, const struct frame *frame, bool is_full,
			   struct buf *out)
{
	add_location(profile, frame, is_full, true, out);
}

size_t profile_flows_of(const struct profile *p, uint32_t lane, const struct span *span,
			size_t *first)
{
	size_t lo = 0, hi = p->n_flows, n = 0;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct flow_point *at = &p->flows[p->flows_by_lane[mid]];

		if (at->lane < lane || (at->lane == lane && at->span.t0 < span->t0))
			lo = mid + 1;
		else
			hi = mid;
	}
	/* Slices of one start share the range: those of other depths are passed at its ends. */
	for (*first = lo; lo < p->n_flows; lo++) {
		const struct flow_point *at = &p->flows[p->flows_by_lane[lo]];

		if (at->lane != lane || at->span.t0 != span->t0)
			break;
		if (at->span.depth == span->depth && at->span.first == span->first) {
			if (n == 0)
				*first = lo;
			n++;
		} else if (n) {
			break;
		}
	}
	return n;
}
