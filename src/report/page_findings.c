/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each finding is a sentence, wrapped: no number in it is lost. Its notes stand below it. */
#include "config.h"

#include "report/page_findings.h"

#include "analysis/findings_all.h"
#include "base/text.h"
#include "report/page.h"

#include <string.h>

/* The length of the word at `text`, together with a unit after it: `50 ms`, `12 %;`. */
static size_t word(const char *text)
{
	size_t length = strcspn(text, " ");

	while (text[length]) {
		const char *next = text + length + 1;
		size_t more = strcspn(next, " ");

		if (*next != '%' && strncmp(next, "ms", 2) != 0 && strcspn(next, " ;,:)") != 1)
			break;
		length += 1 + more;
	}
	return length;
}

/* Append a text as lines of at most PAGE_CELLS cells, broken at blanks. The first line begins with
 * `indent` blanks, the others with two more. */
static void add_wrapped(const char *text, int indent, struct buf *out)
{
	bool is_start = true;
	int col = indent;

	buf_addf(out, "%*s", indent, "");
	while (*text) {
		size_t length = word(text);

		if (!is_start && col + 1 + text_cells(text, length) > PAGE_CELLS) {
			buf_addf(out, "\n%*s", indent + 2, "");
			col = indent + 2;
			is_start = true;
		}
		if (!is_start)
			buf_addc(out, ' ');
		col += !is_start + text_fit(out, text, length, PAGE_CELLS - col - !is_start);
		is_start = false;
		text += length;
		text += *text == ' ';
	}
	buf_addc(out, '\n');
}

static void add_finding(const struct gathered *g, const struct finding *f, struct buf *out)
{
	struct buf text = { 0 };

	if (g->n_originals > 1)
		buf_addf(&text, "lane %u: ", (unsigned)f->lane->id);
	buf_adds(&text, f->text);
	add_wrapped(buf_text(&text), 2, out);
	for (uint32_t i = 0; i < f->n_notes; i++)
		add_wrapped(f->notes[i], 6, out);
	buf_done(&text);
}

bool page_findings(const struct gathered *g, struct buf *out)
{
	const struct scope *scope = &g->options->scope;
	struct findings_all all;
	bool is_enough = false;

	if (scope->group != GROUP_FUNCTION)
		return false;
	findings_all_init(&all,
			  &(struct findings_wanted){ g->profile, g->lanes, g->n_lanes, scope->t0,
						     scope->t1, g->options->sources });
	if (all.n)
		buf_addf(out, "\nfindings, in percent of busy time%s\n",
			 g->n_originals > 1 ? " of the lane" : "");
	for (uint32_t i = 0; i < all.n; i++)
		add_finding(g, all.list[i], out);
	for (uint32_t i = 0; i < all.n; i++)
		is_enough |= all.list[i]->kind != FINDING_FEW;
	findings_all_done(&all);
	return is_enough;
}
