/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of rules. */
#include "config.h"

#include "findings/finding_rule.h"

#include "findings/finding_rule_group.h"
#include "findings/finding_rule_spent.h"
#include "findings/finding_rule_time.h"
#include "findings/finding_rule_tree.h"
#include "findings/finding_rule_whole.h"

/* A rule about all groups of a kind. */
#define EACH(name, kind, rule)                                                                     \
	static void name(struct finding_window *w)                                                 \
	{                                                                                          \
		finding_rule_group_each(w, kind, rule);                                            \
	}

EACH(owners, CHARGE_BY_OWNER, finding_rule_group_owners)
EACH(packages, CHARGE_BY_PACKAGE, finding_rule_group_packages)
EACH(sync_calls, CHARGE_BY_SYNC, finding_rule_group_sync)
EACH(load, CHARGE_BY_LOAD, finding_rule_group_load)
EACH(gc, CHARGE_BY_GC, finding_rule_group_gc)
EACH(regexps, CHARGE_BY_REGEXP, finding_rule_group_regexp)
EACH(files, CHARGE_BY_FILE, finding_rule_group_files)
EACH(program, CHARGE_BY_PROGRAM, finding_rule_group_program)
EACH(waiting, CHARGE_BY_WAITING, finding_rule_whole_waiting)

static void modules(struct finding_window *w)
{
	finding_rule_group_each(w, CHARGE_BY_MODULE, finding_rule_group_modules);
	finding_rule_group_each(w, CHARGE_BY_BOOT, finding_rule_group_modules);
}

const struct finding_rule finding_rules[FINDING_COUNT] = {
	[FINDING_OWNER] = { "owner", owners, finding_tell_owner },
	[FINDING_PACKAGE] = { "pkg", packages, finding_tell_package },
	[FINDING_SYNC] = { "sync", sync_calls, finding_tell_sync },
	[FINDING_LOAD] = { "load", load, finding_tell_load },
	[FINDING_GC] = { "gc", gc, finding_tell_gc },
	[FINDING_REGEXP] = { "regexp", regexps, finding_tell_regexp },
	[FINDING_FILE] = { "file", files, finding_tell_file },
	[FINDING_SPENT] = { "spent", finding_rule_spent, finding_tell_spent },
	[FINDING_HALF] = { "half", finding_rule_tree_half, finding_tell_half },
	[FINDING_INSIDE] = { "inside", finding_rule_tree_inside, finding_tell_inside },
	[FINDING_BLOCK] = { "block", finding_rule_time_block, finding_tell_block },
	[FINDING_STRETCH] = { "stretch", finding_rule_time_stretch, finding_tell_stretch },
	[FINDING_EVERY] = { "every", finding_rule_time_every, finding_tell_every },
	[FINDING_LAYOUT] = { "layout", finding_rule_time_layout, finding_tell_layout },
	[FINDING_PROGRAM] = { "program", program, finding_tell_program },
	[FINDING_NODE] = { "node", modules, finding_tell_node },
	[FINDING_WAITING] = { "wait", waiting, finding_rule_whole_tell_waiting },
	[FINDING_FEW] = { "few", finding_rule_whole_few, finding_rule_whole_tell_few },
	[FINDING_EVEN] = { "even", finding_rule_whole_even, finding_rule_whole_tell_even },
	[FINDING_IDLE] = { "idle", finding_rule_whole_idle, finding_rule_whole_tell_idle },
};
