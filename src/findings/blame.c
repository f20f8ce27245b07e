/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings about tasks and stretches say how long they are, which the caller knows: they are passed
 * over, as are those that name no function, while there is another one. */
#include "config.h"

#include "findings/blame.h"

#include "base/text.h"

#include <string.h>

static bool is_about_work(const struct finding *f)
{
	switch (f->kind) {
	case FINDING_BLOCK:
	case FINDING_STRETCH:
	case FINDING_EVERY:
	case FINDING_FILE:
	case FINDING_EVEN:
	case FINDING_IDLE:
		return false;
	default:
		return true;
	}
}

static const struct finding *choose(const struct findings_result *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (is_about_work(&r->list[i]))
			return &r->list[i];
	return r->n > 0 ? &r->list[0] : NULL;
}

static void add_visible(const struct profile *p, str_id text, struct buf *out)
{
	text_visible(out, profile_text(p, text), intern_len(&p->strings, text));
}

void blame_find(const struct profile *profile, const struct lane *lane, int64_t t0, int64_t t1,
		const struct source_host *sources, struct blame *blame)
{
	const struct finding *finding;
	struct findings findings;

	*blame = (struct blame){ 0 };
	findings_init(&findings, profile, lane);
	findings_read_sources(&findings, sources);
	findings_begin(&findings, t0 - lane->zero_ns, t1 - lane->zero_ns);
	while (!findings_work(&findings, BUDGET_UNLIMITED))
		;
	finding = choose(&findings.result);
	if (finding) {
		buf_adds(&blame->text, finding->text);
		blame->share = finding->whole > 0 ? (double)finding->ns / (double)finding->whole
						  : 0;
	}
	if (finding && finding->function != FRAME_NONE) {
		const struct frame *f = &profile->frames.frames[finding->function];

		add_visible(profile, f->name, &blame->name);
		add_visible(profile, f->url, &blame->url);
		blame->line = f->line > 0 ? f->line : 0;
		blame->column = f->column > 0 ? f->column : 0;
	}
	findings_done(&findings);
}

void blame_done(struct blame *blame)
{
	buf_done(&blame->text);
	buf_done(&blame->name);
	buf_done(&blame->url);
}
