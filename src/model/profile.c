/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Access to a finished profile, and its end. */
#include "config.h"

#include "model/profile.h"

#include "build/partial/part.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

void lane_done(struct lane *lane)
{
	calltree_done(&lane->tree);
	samples_done(&lane->samples);
	free(lane->hits);
	free(lane->deopt);
	free(lane->ticks);
	slices_done(&lane->slices);
	for (uint32_t i = 0; i < lane->n_series; i++) {
		for (int k = 0; k < lane->series[i].n_high; k++)
			free(lane->series[i].high[k]);
		free(lane->series[i].high);
		free(lane->series[i].t);
		free(lane->series[i].value);
	}
	free(lane->series);
	time_survey_free(lane->survey);
	*lane = (struct lane){ 0 };
}

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		lane_done(&profile->lanes[i]);
	for (uint32_t i = 0; i < profile->n_inputs && !profile->is_borrower; i++) {
		free(profile->inputs[i].warnings);
		free(profile->inputs[i].facts);
	}
	free(profile->flows);
	free(profile->flows_by_lane);
	free(profile->stack_frames);
	free(profile->lanes);
	frame_table_done(&profile->frames);
	if (!profile->is_borrower) {
		free(profile->inputs);
		intern_done(&profile->strings);
	}
	free(profile);
}

const char *profile_text(const struct profile *profile, str_id id)
{
	return intern_text(&profile->strings, id);
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

bool profile_warns(const struct profile *profile, const char *kind)
{
	for (uint32_t i = 0; i < profile->n_inputs; i++)
		for (size_t k = 0; k < profile->inputs[i].n_warnings; k++)
			if (strcmp(profile->inputs[i].warnings[k].kind, kind) == 0)
				return true;
	return false;
}

bool profile_has_made_up_times(const struct profile *profile)
{
	return profile_warns(profile, "deltas-missing") || profile_warns(profile, "deltas-short");
}

size_t profile_warning_count(const struct profile *profile)
{
	size_t n = 0;

	for (uint32_t i = 0; i < profile->n_inputs; i++)
		for (size_t k = 0; k < profile->inputs[i].n_warnings; k++)
			n += !profile->inputs[i].warnings[k].is_note;
	return n;
}

void profile_location(const struct profile *profile, const struct frame *frame, bool is_full,
		      struct buf *out)
{
	const char *url = profile_text(profile, frame->url), *p;

	if (!frame->url)
		return;
	if (strncmp(url, "file://", 7) == 0)
		url += 7;
	/* Names of Node's own modules are short and mean little without the scheme. */
	if (!is_full && strncmp(url, "node:", 5) != 0) {
		for (p = url; *p; p++)
			if ((*p == '/' || *p == '\\') && p[1])
				url = p + 1;
	}
	for (p = url; *p; p++) {
		if (*p == '%' && text_hex_pair(p + 1) >= 0) {
			buf_addc(out, (char)text_hex_pair(p + 1));
			p += 2;
		} else {
			buf_addc(out, *p);
		}
	}
	if (frame->line > 0)
		buf_addf(out, ":%d", frame->line);
	if (frame->line > 0 && frame->column > 0)
		buf_addf(out, ":%d", frame->column);
}
