/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an owner's time is spent in, besides the function itself. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_MECHANISM_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_MECHANISM_H

#include "findings/finding_window.h"

enum mechanism_kind {
	MECHANISM_SELF,
	MECHANISM_GC,
	MECHANISM_LOAD,
	MECHANISM_REGEXP,  /* id: frame */
	MECHANISM_SYNC,    /* id: frame */
	MECHANISM_NATIVE,  /* id: frame */
	MECHANISM_PACKAGE, /* id: group */
	MECHANISM_NODE,    /* id: module */
};

/* Those without an id: below MECHANISM_REGEXP. */
#define FINDING_MECHANISM_KINDS ((uint32_t)MECHANISM_REGEXP)

struct finding_mechanism {
	enum mechanism_kind kind;
	uint32_t id;
};

/* The mechanism of a key as an index for a tally; and back. */
uint32_t finding_mechanism_of(const struct charge *charge, charge_key key);
struct finding_mechanism finding_mechanism_at(const struct charge *charge, uint32_t index);

/* Whether it is machinery of input and output. */
bool finding_mechanism_is_io(const struct charge *charge, uint32_t index);

#endif
