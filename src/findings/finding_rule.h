/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A rule: what makes a finding of one kind, its sentence, and whether it may lead the verdict line.
 *
 * To add a kind: a value in enum finding_kind (findings.h), a rule in the file of its family, which
 * is declared here, and its row in finding_rules (findings.c). */
#ifndef FLAMETTY_FINDINGS_FINDING_RULE_H
#define FLAMETTY_FINDINGS_FINDING_RULE_H

#include "findings/finding_window.h"

/* The texts of a draft, each empty at first. */
struct finding_texts {
	struct buf name, label, text;
	struct buf mechanism; /* what at least half of an owner's time is spent in; mostly empty */
};

/* The bit of a kind of groups. */
#define FINDING_GROUPS(kind) (1u << (kind))

struct finding_rule {
	const char *name; /* for programs */
	/* Add drafts, for each group of these kinds, or for the window; one of the two is NULL.
	 * Rules are called in the order of the kinds, which decides between equal scores. */
	unsigned groups; /* FINDING_GROUPS() */
	void (*find_group)(struct finding_window *w, uint32_t group);
	void (*find)(struct finding_window *w);
	/* Write name, label and sentence. No sentence gives advice without a number. */
	void (*tell)(struct finding_window *w, const struct finding_draft *d,
		     struct finding_texts *out);
	/* Whether a finding may lead the verdict line; NULL: never. */
	bool (*leads)(const struct findings_result *r, const struct finding *f);
	bool is_cause;     /* a stall may be blamed on it */
	bool is_of_slices; /* also for lanes of slices */
};

extern const struct finding_rule *const finding_rules[FINDING_COUNT];

/* finding_group.c: charges of one kind; that no function stands out */
extern const struct finding_rule finding_owner, finding_package, finding_sync, finding_load,
	finding_gc, finding_regexp, finding_file, finding_program, finding_node, finding_waiting,
	finding_few, finding_even, finding_party;

/* finding_tree.c: functions with all that they call */
extern const struct finding_rule finding_spent, finding_half, finding_inside;

/* finding_time.c: when work happens */
extern const struct finding_rule finding_block, finding_stretch, finding_every, finding_layout,
	finding_idle, finding_input;

/* finding_served.c: requests */
extern const struct finding_rule finding_request;

/* finding_work.c: what slices of a trace tell */
extern const struct finding_rule finding_work;

#define FINDING_FORCED_PERCENT 30  /* of an owner's time: its sentence says the layout */
#define FINDING_PARTY_PERCENT 50   /* of a third party: the function is the culprit */
#define FINDING_WAITING_PERCENT 50 /* of the busy time: that functions wait is said first */

/* Whether functions of the program are told (FINDING_SPENT). They have the time of packages and
 * files. */
static inline bool finding_rule_has_spent(const struct findings_result *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (r->list[i].kind == FINDING_SPENT)
			return true;
	return false;
}

/* A finding that always may lead. */
static inline bool finding_rule_always(const struct findings_result *r, const struct finding *f)
{
	(void)r;
	(void)f;
	return true;
}

#endif
