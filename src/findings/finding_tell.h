/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sentences of findings. No sentence gives advice without a number. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_TELL_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_TELL_H

#include "findings/finding_window.h"

/* The texts of a draft, each empty at first. */
struct finding_texts {
	struct buf name, label, text;
};

/* One function for each kind; they are members of the table of rules. */
typedef void finding_tell(struct finding_window *w, const struct finding_draft *d,
			  struct finding_texts *out);

finding_tell finding_tell_owner, finding_tell_package, finding_tell_sync, finding_tell_load,
	finding_tell_gc, finding_tell_regexp, finding_tell_file, finding_tell_spent,
	finding_tell_half, finding_tell_inside, finding_tell_block, finding_tell_stretch,
	finding_tell_every, finding_tell_layout, finding_tell_program, finding_tell_node;

/* What at least half of an owner's time is spent in, in a word; false: nothing. */
bool finding_tell_mechanism(const struct finding_window *w, const struct finding_draft *d,
			    struct buf *out);

#endif
