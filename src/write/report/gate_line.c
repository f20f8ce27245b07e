/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gates come from the command line, so their text is made visible as all others. */
#include "config.h"

#include "write/report/gate_line.h"

#include "base/text.h"
#include "base/units.h"
#include "model/lane_name.h"

#include <string.h>

#define NAME_CELLS 40
#define PLACE_CELLS 36

static const char *whole_name(const struct gate *gate)
{
	return gate->metric == GATE_IDLE || gate->metric == GATE_BUSY ? "sampled" : "busy";
}

static void add_percent(double percent, struct buf *out)
{
	buf_addf(out, "%.1f %%", percent);
}

/* Where the longest task is; the lane only if there are several. */
static void add_place(const struct gate_value *value, const struct profile *profile,
		      struct buf *out)
{
	char time[UNITS_MAX];

	amount_near(&value->amount, value->t0, value->ns, time);
	buf_addf(out, " at %s", time);
	for (uint32_t i = 0; profile->n_lanes > 1 && i < profile->n_lanes; i++) {
		if (profile->lanes[i].id != value->lane)
			continue;
		buf_adds(out, " in ");
		lane_name_brief(profile, &profile->lanes[i], out);
	}
}

void gate_line_figure(const struct gate_result *result, const struct profile *profile,
		      struct buf *out)
{
	const struct gate_value *value = &result->value;
	char time[UNITS_MAX], whole[UNITS_MAX];

	text_visible(out, result->gate->text, strlen(result->gate->text));
	buf_adds(out, ": ");
	amount_text(&value->amount, value->ns, time);
	if (value->is_at_most)
		buf_adds(out, "at most ");
	if (result->gate->unit == GATE_TIME) {
		buf_adds(out, time);
	} else {
		amount_text(&value->amount, value->whole_ns, whole);
		add_percent(result->figure, out);
		buf_addf(out, " (%s of %s%s%s)", time, whole,
			 amount_is_time(&value->amount) ? " " : "",
			 amount_is_time(&value->amount) ? whole_name(result->gate) : "");
	}
	if (value->lane)
		add_place(value, profile, out);
}

void gate_line_name(const struct frame *frame, const struct profile *profile, struct buf *out)
{
	struct buf place = { 0 };

	text_fit(out, profile_text(profile, frame->name),
		 intern_len(&profile->strings, frame->name), NAME_CELLS);
	profile_location(profile, frame, false, &place);
	if (place.len) {
		buf_addc(out, ' ');
		text_fit_end(out, place.data, place.len, PLACE_CELLS);
	}
	buf_done(&place);
}

static void add_function(const struct gate_result *result, const struct profile *profile,
			 uint32_t i, struct buf *out)
{
	const struct gate_value *value = &result->value;
	char text[UNITS_MAX];

	gate_line_name(&value->functions[i], profile, out);
	if (result->gate->unit == GATE_TIME)
		amount_text(&value->amount, value->function_ns[i], text);
	else
		units_percent(value->function_ns[i], value->whole_ns, text);
	buf_addf(out, " %s", text);
}

void gate_line_functions(const struct gate_result *result, const struct profile *profile,
			 const char *separator, struct buf *out)
{
	const struct gate_value *value = &result->value;

	for (uint32_t i = 0; i < value->n_functions; i++) {
		buf_adds(out, i ? separator : "");
		add_function(result, profile, i, out);
	}
	if (value->n_more)
		buf_addf(out, "%s%u more function%s", separator, (unsigned)value->n_more,
			 value->n_more == 1 ? "" : "s");
}

void gate_line_doubt(const struct gate_result *result, struct buf *out)
{
	char text[UNITS_MAX];

	if (result->value.lack != GATE_LACKS_NOTHING) {
		buf_adds(out, gate_value_lack(result->value.lack));
	} else if (result->is_undecided) {
		buf_adds(out, "nearer to the limit than the error of sampling, ");
		if (result->gate->unit == GATE_TIME) {
			amount_text(&result->value.amount, result->value.error_ns, text);
			buf_adds(out, text);
		} else {
			add_percent(result->error, out);
		}
	}
}
