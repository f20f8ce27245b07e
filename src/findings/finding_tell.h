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

/* `formatPrice catalogue.js:28`. Without a name: `catalogue.js:28 in list`, where `list` is the
 * nearest named caller in the same file that has most of its time; at the beginning of a file, the
 * file alone. In minified code a short name is no name, and a place has its column, unless lines
 * are short and the name is not. */
void finding_name_label(struct finding_window *w, frame_id frame, struct buf *out);

/* The name without a location; with it if the name is a short one of minified code; as
 * finding_name_label() if there is none. */
void finding_name_short(struct finding_window *w, frame_id frame, struct buf *out);

/* Whether a function begins so far behind the beginning of its line that the line says little, as
 * in minified code. */
bool finding_name_is_on_long_line(const struct profile *profile, frame_id frame);

/* ` 37 %` without the blank: the share of the busy time. */
void finding_name_share(const struct finding_window *w, int64_t ns, struct buf *out);

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
