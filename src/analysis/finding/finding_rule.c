/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of rules, and the sentences. No sentence gives advice without a number. */
#include "config.h"

#include "analysis/finding/finding_rule.h"

#include "analysis/finding/finding_mechanism.h"
#include "analysis/finding/finding_name.h"
#include "analysis/finding/finding_rule_group.h"
#include "base/units.h"

static void add_under(struct finding_window *w, const struct finding_draft *d, struct buf *text)
{
	char share[FINDINGS_SHARE_MAX];

	if (d->f.under == FRAME_NONE)
		return;
	findings_share(d->other_ns, d->f.ns, share);
	buf_addf(text, ": %s of it under ", share);
	finding_name_label(w, d->f.under, text);
}

static void add_share(struct finding_window *w, const struct finding_draft *d, struct buf *text)
{
	buf_addc(text, ' ');
	finding_name_share(w, d->f.ns, text);
}

static void add_mechanism(struct finding_window *w, const struct finding_draft *d, struct buf *text)
{
	struct finding_mechanism m = finding_mechanism_at(w->charge, d->mechanism);
	const struct profile *p = w->charge->profile;

	switch (m.kind) {
	case MECHANISM_SELF:
		return;
	case MECHANISM_GC:
		buf_adds(text, "; GC ");
		break;
	case MECHANISM_LOAD:
		buf_adds(text, "; loading modules ");
		break;
	case MECHANISM_REGEXP:
	case MECHANISM_SYNC:
	case MECHANISM_NATIVE:
		buf_adds(text, "; in ");
		finding_name_text(p, p->frames.frames[m.id].name, text);
		buf_adds(text, m.kind == MECHANISM_SYNC ? " (synchronous) " : " ");
		break;
	case MECHANISM_PACKAGE:
		buf_adds(text, "; in package ");
		finding_name_text(p, w->charge->groups[m.id].id, text);
		buf_addc(text, ' ');
		break;
	case MECHANISM_NODE:
		buf_addf(text, "; in %s ", w->charge->modules.name[m.id]);
		break;
	}
	finding_name_share(w, d->mechanism_ns, text);
}

static void tell_owner(struct finding_window *w, const struct finding_draft *d, struct buf *name,
		       struct buf *label, struct buf *text)
{
	finding_name_short(w, d->f.function, name);
	finding_name_label(w, d->f.function, label);
	buf_adds(text, buf_text(label));
	add_share(w, d, text);
	add_mechanism(w, d, text);
}

static void tell_package(struct finding_window *w, const struct finding_draft *d, struct buf *name,
			 struct buf *label, struct buf *text)
{
	finding_name_text(w->charge->profile, w->charge->groups[d->group].id, name);
	buf_adds(label, buf_text(name));
	buf_addf(text, "package %s", buf_text(name));
	add_share(w, d, text);
	add_under(w, d, text);
}

static void tell_gc(struct finding_window *w, const struct finding_draft *d, struct buf *name,
		    struct buf *label, struct buf *text)
{
	buf_adds(name, "GC");
	buf_adds(label, "GC");
	buf_adds(text, "GC");
	add_share(w, d, text);
	add_under(w, d, text);
}

static void tell_idle(struct finding_window *w, const struct finding_draft *d, struct buf *name,
		      struct buf *label, struct buf *text)
{
	char share[FINDINGS_SHARE_MAX], length[UNITS_MAX];

	(void)w;
	findings_share(d->f.ns, d->f.whole, share);
	units_time(d->f.whole, length);
	buf_adds(name, "idle");
	buf_adds(label, "idle");
	buf_addf(text, "idle %s of %s: the processor is not the bottleneck", share, length);
}

/* In this order, which decides between equal scores. */
const struct finding_rule finding_rules[FINDING_COUNT] = {
	[FINDING_OWNER] = { "owner", finding_rule_group_owners, tell_owner },
	[FINDING_PACKAGE] = { "pkg", finding_rule_group_packages, tell_package },
	[FINDING_SYNC] = { "sync", NULL, NULL },
	[FINDING_LOAD] = { "load", NULL, NULL },
	[FINDING_GC] = { "gc", finding_rule_group_gc, tell_gc },
	[FINDING_REGEXP] = { "regexp", NULL, NULL },
	[FINDING_FILE] = { "file", NULL, NULL },
	[FINDING_HALF] = { "half", NULL, NULL },
	[FINDING_INSIDE] = { "inside", NULL, NULL },
	[FINDING_BLOCK] = { "block", NULL, NULL },
	[FINDING_STRETCH] = { "stretch", NULL, NULL },
	[FINDING_EVERY] = { "every", NULL, NULL },
	[FINDING_PROGRAM] = { "program", NULL, NULL },
	[FINDING_NODE] = { "node", NULL, NULL },
	[FINDING_IDLE] = { "idle", finding_rule_group_idle, tell_idle },
};
