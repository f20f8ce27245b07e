/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `report --format=grep`: `file:line:column: message`, as compilers print it, for the lists of
 * editors: the findings, then the functions with most time of their own, each with its hottest
 * lines. Entries without a file or a line are left out. */
#include "config.h"

#include "write/report/report.h"

#include "analyse/rows/rows.h"
#include "analyse/summary.h"
#include "base/text.h"
#include "model/profile.h"
#include "model/source_text.h"
#include "write/report/gather.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINES_MAX 3  /* of a function, */
#define PART_MIN 100 /* each with at least this part of the whole: a hundredth */

/* What the host appends to the path of a text that a source map has. */
#define FROM_MAP " (source map)"

struct grep {
	struct gathered g;
	/* Functions, with any --group: */
	const struct profile *profile;
	const struct view *view;
	uint8_t *is_row; /* by frame: --filter keeps it; NULL: all */
	struct hot_line *lines;
	size_t n_lines;
	struct buf *out;
};

/* Append the path of the file of a function, if it is there; else its url without file://. */
static void add_file(const struct grep *grep, frame_id id, struct buf *out)
{
	const struct gathered *g = &grep->g;
	const struct source_host *host = g->options->sources;
	const struct source_text *text = NULL;
	struct frame file = { .url = grep->view->frames[id].url };
	BUF_LOCAL from = { 0 };
	struct source_wanted wanted;

	if (host && host->read && g->n_originals && id < g->scoped->original->frames.n &&
	    source_text_wanted(g->scoped->original, id, g->originals[0]->input, &wanted)) {
		wanted.is_plain = true;
		text = host->read(host->ctx, &wanted);
	}
	if (text && text->is_found) {
		const char *end = strstr(buf_text(&text->from), FROM_MAP);

		buf_add(&from, buf_text(&text->from),
			end ? (size_t)(end - buf_text(&text->from)) : text->from.len);
	}
	if (!from.len || access(buf_text(&from), F_OK) != 0) {
		buf_clear(&from);
		profile_location(grep->profile, &file, true, &from);
	}
	text_visible(out, buf_text(&from), from.len);
}

/* Append the beginning of an entry. False: there is no file or line. */
static bool begin_entry(const struct grep *grep, frame_id id, int32_t line, int32_t column)
{
	if (!grep->view->frames[id].url || line <= 0)
		return false;
	add_file(grep, id, grep->out);
	buf_addf(grep->out, ":%d:%d: ", (int)line, column > 0 ? (int)column : 1);
	return true;
}

static void add_share(const struct grep *grep, const char *what, int64_t ns)
{
	buf_addf(grep->out, "%s %s (%s)", what, units_percent(ns, grep->g.whole_ns, UNITS_ROOM),
		 profile_value(grep->profile, ns, UNITS_ROOM));
}

static void end_entry(const struct grep *grep, frame_id id)
{
	buf_adds(grep->out, ": ");
	profile_add_name(grep->profile, &grep->view->frames[id], grep->out);
	buf_addc(grep->out, '\n');
}

static void add_findings(const struct grep *grep)
{
	const struct findings_all *all = &grep->g.findings;

	for (uint32_t i = 0; i < all->n_joined && i < (uint32_t)grep->g.options->top; i++) {
		const struct finding *f = all->joined[i].f;
		const struct frame *frame = f->function < grep->view->n_frames
			? &grep->view->frames[f->function]
			: NULL;

		if (!frame || (grep->is_row && !grep->is_row[f->function]) ||
		    !begin_entry(grep, f->function, frame->line, frame->column))
			continue;
		if (!findings_add_joined(all, &all->joined[i], grep->out))
			text_visible(grep->out, f->text, strlen(f->text));
		buf_addc(grep->out, '\n');
	}
}

static void add_function(const struct grep *grep, frame_id id)
{
	const struct totals *totals = grep->g.functions;
	const struct frame *frame = &grep->view->frames[id];
	int n = 0;

	if (begin_entry(grep, id, frame->line, frame->column)) {
		add_share(grep, "self", totals->frame_self[id]);
		buf_addf(grep->out, ", total %s",
			 units_percent(totals->frame_total[id], grep->g.whole_ns, UNITS_ROOM));
		end_entry(grep, id);
	}
	for (size_t i = 0; i < grep->n_lines && n < LINES_MAX; i++) {
		if (grep->lines[i].frame != id ||
		    grep->lines[i].about_ns < grep->g.whole_ns / PART_MIN ||
		    !begin_entry(grep, id, grep->lines[i].line, 0))
			continue;
		add_share(grep, "line about", grep->lines[i].about_ns);
		end_entry(grep, id);
		n++;
	}
}

static bool is_wanted(const void *ctx, frame_id id)
{
	const struct grep *grep = ctx;
	const struct frame *frame = &grep->view->frames[id];

	if (frame->category == CATEGORY_IDLE && !grep->g.options->scope.has_idle)
		return false;
	return grep->g.functions->frame_self[id] > 0 && frame->url && frame->line > 0 &&
		(!grep->is_row || grep->is_row[id]);
}

static uint64_t grep_write(const struct scoped *scoped, const struct report_options *options,
			   struct sink *sink)
{
	struct grep grep = { .out = sink_buf(sink) };
	struct gathered *g = &grep.g;
	struct rows_top top;
	struct error err = ERROR_INIT;

	gather_init(g, scoped, options, GATHER_FINDINGS);
	grep.profile = g->functions->profile;
	grep.view = g->functions->view;
	if (options->scope.filter)
		grep.is_row = frame_set_find(grep.profile, grep.view->frames, grep.view->n_frames,
					     options->scope.filter, &err);
	if (g->n_lanes) {
		grep.n_lines = summary_lines(&g->of_originals, SIZE_MAX, &grep.lines,
					     &grep.n_lines);
		add_findings(&grep);
		rows_top_init(&top, g->functions, ROWS_BY_SELF, (size_t)options->top, is_wanted,
			      &grep);
		for (size_t i = 0; i < top.n; i++)
			add_function(&grep, top.list[i]);
		rows_top_done(&top);
	}
	free(grep.lines);
	free(grep.is_row);
	gather_done(g);
	return 0;
}

const struct report report_grep = { "grep", "file:line:column: message, for editors", grep_write };
