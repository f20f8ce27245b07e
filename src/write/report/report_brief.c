/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `report --format=md --size=SIZE`: the page within a number of bytes. It is made of parts, the
 * most valuable first: the functions that the findings name, each with its callers and its hottest
 * line; the findings; the tables. A part is there as a whole or not at all. */
#include "config.h"

#include "write/report/page_body.h"

#include "base/alloc.h"
#include "base/text.h"
#include "model/function_id.h"
#include "model/profile.h"
#include "write/report/gather.h"
#include "write/report/report_lists.h"

#include <stdlib.h>
#include <string.h>

#define FUNCTIONS_MAX 4
#define CALLERS_MAX 3
#define NAME_CELLS 60
#define LEFT_BYTES 120 /* of the line about what is left out */

struct brief {
	const struct gathered *g;
	struct buf *out;
	size_t most;   /* bytes, without LEFT_BYTES */
	size_t n_left; /* parts that did not fit */
	frame_id named[FUNCTIONS_MAX];
	size_t n_named;
	struct hot_line *lines;
	size_t n_lines;
};

/* Add a part, if it fits. */
static void add_part(struct brief *b, const char *text, size_t len)
{
	if (len == 0)
		return;
	if (b->out->len + len > b->most)
		b->n_left++;
	else
		buf_add(b->out, text, len);
}

static void add_name(const struct brief *b, frame_id id, struct buf *out)
{
	BUF_LOCAL whole = { 0 };
	BUF_LOCAL name = { 0 };

	profile_add_name(b->g->profile, &b->g->view.frames[id], &whole);
	text_fit(&name, buf_text(&whole), whole.len, NAME_CELLS);
	markdown_code(out, buf_text(&name), name.len);
}

/* Its heaviest callers, the nearest first, without recursion. */
static void add_callers(const struct brief *b, frame_id id, struct buf *out)
{
	struct rows rows;
	size_t at = 0, n = 0;

	rows_init(&rows, &b->g->totals, ROWS_BOTTOMUP, ROWS_BY_TOTAL, id);
	while (n < CALLERS_MAX && at + 1 < rows.n &&
	       rows.rows[at + 1].depth > rows.rows[at].depth) {
		at++;
		if (rows.rows[at].frame != id && rows.rows[at].total > 0) {
			buf_adds(out, n++ ? " < " : "; called by ");
			add_name(b, rows.rows[at].frame, out);
			buf_addf(out, " %s",
				 units_percent(rows.rows[at].total, b->g->whole_ns, UNITS_ROOM));
		}
		rows_open(&rows, at);
	}
	rows_done(&rows);
}

static void add_function(struct brief *b, frame_id id)
{
	const struct gathered *g = b->g;
	const struct frame *f = &g->view.frames[id];
	BUF_LOCAL text = { 0 };
	BUF_LOCAL place = { 0 };
	char code[FUNCTION_ID_ROOM] = "";

	for (size_t i = 0; i < b->n_named; i++)
		if (b->named[i] == id)
			return;
	if (b->n_named == FUNCTIONS_MAX || !gather_lists(g, id))
		return;
	b->named[b->n_named++] = id;
	if (id < g->options->n_ids)
		function_id_format(g->options->ids[id], code);
	buf_adds(&text, "- ");
	add_name(b, id, &text);
	buf_addc(&text, ' ');
	markdown_code(&text, code, strlen(code));
	profile_location(g->profile, f, false, &place);
	if (place.len)
		buf_adds(&text, " at ");
	markdown_code(&text, buf_text(&place), place.len);
	buf_addf(&text, ": self %s,",
		 units_percent(g->totals.frame_self[id], g->whole_ns, UNITS_ROOM));
	buf_addf(&text, " total %s",
		 units_percent(g->totals.frame_total[id], g->whole_ns, UNITS_ROOM));
	add_callers(b, id, &text);
	for (size_t i = 0; i < b->n_lines; i++) {
		if (b->lines[i].frame != id)
			continue;
		buf_addf(&text, "; hottest line %d", (int)b->lines[i].line);
		break;
	}
	buf_addc(&text, '\n');
	add_part(b, text.data, text.len);
}

static bool is_heavy(const void *ctx, frame_id frame)
{
	const struct gathered *g = ctx;

	return g->totals.frame_self[frame] > 0 && g->view.frames[frame].url &&
		gather_lists(g, frame);
}

/* Functions of findings, then those with most time of their own. */
static void add_functions(struct brief *b)
{
	const struct gathered *g = b->g;
	struct rows_top top;

	for (uint32_t i = 0; i < g->findings.n_joined; i++) {
		const struct finding *f = g->findings.joined[i].f;

		if (f->function != FRAME_NONE && f->function < g->view.n_frames)
			add_function(b, f->function);
		if (i < 2 && f->under != FRAME_NONE && f->under < g->view.n_frames)
			add_function(b, f->under);
	}
	rows_top_init(&top, &g->totals, ROWS_BY_SELF, FUNCTIONS_MAX, is_heavy, g);
	for (size_t i = 0; i < top.n; i++)
		add_function(b, top.list[i]);
	rows_top_done(&top);
}

/* The next item of a list before `end`, which is returned if there is none. */
static const char *item_in(const char *text, const char *end)
{
	const char *item = strstr(text, "\n- ");

	return item && item < end ? item + 1 : end;
}

/* The page as it is without a limit: its sections are the parts, and of that of findings, which is
 * the first, each sentence with those below it. */
static void add_sections(struct brief *b, const char *text)
{
	const char *section = strstr(text, "\n## ");

	while (section) {
		const char *next = strstr(section + 1, "\n## "),
			   *end = next ? next : strchr(section, '\0');

		if (strncmp(section, "\n## Findings", 12) == 0) {
			const char *item = item_in(section, end);

			while (item < end) {
				const char *after = item_in(item, end);

				add_part(b, item, (size_t)(after - item));
				item = after;
			}
		} else {
			add_part(b, section, (size_t)(end - section));
		}
		section = next;
	}
}

void report_brief(const struct gathered *g, const char *page, struct buf *out)
{
	size_t most = (size_t)g->options->bytes;
	struct brief b = { .g = g, .out = out };
	const char *head_end = strstr(page, "\n## ");

	b.most = most > LEFT_BYTES ? most - LEFT_BYTES : 0;
	b.n_lines = summary_lines(&g->of_originals, SIZE_MAX, &b.lines, &b.n_lines);
	buf_adds(out, MARKDOWN_HEAD);
	if (g->n_lanes)
		add_functions(&b);
	add_sections(&b, page);
	/* The head of the page has only figures that the findings are part of. */
	if (head_end)
		add_part(&b, page + strlen(MARKDOWN_HEAD),
			 (size_t)(head_end - page) - strlen(MARKDOWN_HEAD));
	if (b.n_left)
		buf_addf(
			out,
			"\n%zu part%s left out of the report (--size=%zu): without it, all is there\n",
			b.n_left, b.n_left == 1 ? " is" : "s are", most);
	free(b.lines);
}
