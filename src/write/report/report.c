/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of reports. The first one is the default. */
#include "config.h"

#include "write/report/report.h"

#include "base/alloc.h"
#include "base/sink.h"
#include "base/text.h"
#include "base/units.h"
#include "model/function_id.h"
#include "model/profile.h"
#include "write/report/gather.h"
#include "write/report/page.h"
#include "write/report/page_body.h"
#include "write/report/report_lists.h"

#include <stdbool.h>
#include <string.h>

/* ==== report md ====
 *
 * `report --format=md`: the page as Markdown. It begins as the one that Deno writes does, with a
 * table of the recording and the heaviest functions in a line, so that readers of those find their
 * way. */

#define TOP 10
#define NAME_CELLS 80
#define BYTES_MAX 59000 /* what many trackers take: 64 KiB, and words around it */

static void add_recording(const struct gathered *g, struct buf *out)
{
	char duration[UNITS_MAX], samples[UNITS_MAX], interval[UNITS_MAX] = "-";
	int64_t interval_ns = 0;
	uint64_t n_samples = 0;
	uint32_t n_frames = 0;

	for (uint32_t i = 0; i < g->n_originals; i++) {
		n_samples += g->originals[i]->kind == LANE_SAMPLES ? g->originals[i]->n_samples : 0;
		interval_ns = g->originals[i]->interval_ns;
	}
	for (uint32_t i = 0; i < g->totals.n_used; i++)
		n_frames += gather_has_row(g, g->totals.used[i]);
	profile_value(g->profile, g->options->scope.t1 - g->options->scope.t0, duration);
	units_count(n_samples, samples);
	if (interval_ns && g->n_originals == 1)
		profile_value(g->profile, interval_ns, interval);
	buf_addf(out,
		 "| Duration | Samples | Interval | Functions |\n"
		 "| ---: | ---: | ---: | ---: |\n"
		 "| %s | %s | %s | %s |\n\n",
		 duration, samples, interval, units_count(n_frames, UNITS_ROOM));
}

static bool is_heavy(const void *ctx, frame_id frame)
{
	const struct gathered *g = ctx;

	return g->totals.frame_self[frame] > 0 && gather_lists(g, frame);
}

/* Cut the page after a line, if it is too long for a ticket. */
static void cut(struct buf *out)
{
	if (out->len <= BYTES_MAX)
		return;
	out->len = BYTES_MAX;
	while (out->len > 0 && out->data[out->len - 1] != '\n')
		out->len--;
	buf_addf(out,
		 "\n\342\200\246 the rest is left out: the page ends after %d kB "
		 "(--top=N makes its lists shorter)\n",
		 BYTES_MAX / 1000);
}

static void write_page(const struct scoped *scoped, const struct report_options *options,
		       const struct page_form *form, struct buf *out, struct buf *brief)
{
	struct gathered g;
	struct page page = { .g = &g, .unit = scoped->profile->unit, .form = form, .out = out };

	gather_init(&g, scoped, options,
		    report_lists_is_alone(options) ? GATHER_TOTALS : GATHER_FINDINGS);
	if (form == &page_md)
		buf_adds(out, MARKDOWN_HEAD);
	if (form == &page_md && g.n_lanes) {
		struct rows_top top;

		add_recording(&g, out);
		rows_top_init(&top, &g.totals, ROWS_BY_SELF, TOP, is_heavy, &g);
		for (size_t i = 0; i < top.n; i++) {
			const struct frame *f = &g.view.frames[top.list[i]];
			BUF_LOCAL name = { 0 }, whole = { 0 };
			const char *share = units_percent(g.totals.frame_self[top.list[i]],
							  g.whole_ns, UNITS_ROOM);

			profile_add_name(g.profile, f, &whole);
			text_fit(&name, buf_text(&whole), whole.len, NAME_CELLS);
			buf_adds(out, i ? ", " : "**Top 10:** ");
			markdown_code(out, buf_text(&name), name.len);
			buf_addf(out, " %s", share);
		}
		buf_adds(out, top.n ? "\n\n" : "");
		rows_top_done(&top);
	}
	page_body(&page);
	if (form == &page_md && options->bytes)
		report_brief(&g, buf_text(out), brief);
	else if (form == &page_md)
		cut(out);
	gather_done(&g);
}

static uint64_t md_write(const struct scoped *scoped, const struct report_options *options,
			 struct sink *sink)
{
	BUF_LOCAL whole = { 0 };

	/* With a limit, the page is made of parts of the whole one. */
	write_page(scoped, options, &page_md, options->bytes ? &whole : sink_buf(sink),
		   sink_buf(sink));
	return 0;
}

const struct report report_md = { "md", "the page as Markdown, for a ticket", md_write };

/* ==== report text ====
 *
 * `report`: a page short enough for a message. */

static uint64_t text_write(const struct scoped *scoped, const struct report_options *options,
			   struct sink *sink)
{
	write_page(scoped, options, &page_text, sink_buf(sink), NULL);
	return 0;
}

const struct report report_text = { "text", "a short page for people", text_write };

/* ==== report ==== */

const struct report *const reports[] = {
	&report_text, &report_json, &report_csv, &report_md, &report_grep, NULL,
};

const char *report_word(unsigned i)
{
	return i + 1 < ARRAY_LEN(reports) ? reports[i]->name : NULL;
}

uint64_t report_write(const struct report *report, const struct scoped *scoped,
		      const struct report_options *options, struct sink *sink)
{
	struct report_options own = *options;
	/* JSON finds them beside the rest, where they are of functions only. */
	bool has_ids = report != &report_text &&
		(report != &report_json || options->table >= REPORT_LIST_CALLERS);
	ALLOC_LOCAL uint64_t *ids = has_ids ? function_id_all(scoped->original) : NULL;

	own.ids = ids;
	own.n_ids = ids ? scoped->original->frames.n : 0;
	return report->write(scoped, &own, sink);
}

const struct report *report_find(const char *name)
{
	if (!name)
		return reports[0];
	for (size_t i = 0; reports[i]; i++)
		if (strcmp(reports[i]->name, name) == 0)
			return reports[i];
	return NULL;
}
