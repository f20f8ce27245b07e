/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of a gate. */
#ifndef FLAMETTY_ANALYSIS_GATE_GATE_RESULT_H
#define FLAMETTY_ANALYSIS_GATE_GATE_RESULT_H

#include "analyse/gate/gate_value.h"

struct gate_result {
	const struct gate *gate;
	struct gate_value value;
	double figure; /* in the unit of the limit */
	double error;  /* value.error_ns in that unit */
	bool has_failed;
	/* The profile is too little to decide: value.lack is set, or the figure is nearer to the
	 * limit than the error. */
	bool is_undecided;
};

/* Decide a gate that is not about a change. False: the pattern takes too long. */
bool gate_result_find(const struct gate *gate, const struct gate_source *source,
		      struct gate_result *result, struct error *err);

#endif
