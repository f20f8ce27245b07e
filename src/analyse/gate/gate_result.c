/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A gate without a figure has not failed: whether that is good enough is for the user to say. */
#include "config.h"

#include "analyse/gate/gate_result.h"

#include <math.h>

static double in_unit(const struct gate *gate, const struct gate_value *value, int64_t ns)
{
	if (gate->unit == GATE_TIME)
		return (double)ns;
	return value->whole_ns > 0 ? 100.0 * (double)ns / (double)value->whole_ns : 0;
}

bool gate_result_find(const struct gate *gate, const struct gate_source *source,
		      struct gate_result *result, struct error *err)
{
	struct gate_value *value = &result->value;

	*result = (struct gate_result){ .gate = gate };
	if (!gate_value_find(gate, source, value, err))
		return false;
	if (value->is_all && gate->unit == GATE_PERCENT)
		return gate_value_refuse(gate, err);
	result->figure = in_unit(gate, value, value->ns);
	result->error = in_unit(gate, value, value->error_ns);
	result->is_undecided = value->lack != GATE_LACKS_NOTHING ||
		fabs(result->figure - gate->limit) < result->error;
	if (value->lack == GATE_LACKS_NOTHING || value->lack == GATE_LACKS_MATCH ||
	    value->lack == GATE_LACKS_LABEL)
		result->has_failed = gate->is_below ? result->figure < gate->limit
						    : result->figure > gate->limit;
	return true;
}
