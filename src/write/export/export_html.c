/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One page with findings, the chart, tables and call trees, to be attached to a ticket. It needs no
 * other file; its policy (Content-Security-Policy) permits nothing from elsewhere, and of scripts
 * only its own two, by their hashes. Without scripts the chart is a plain picture, and call trees
 * still open.
 *
 * The limits of the parts add up to less than 10 MB. */
#include "config.h"

#include "write/export/html_script.h"
#include "write/export/svg_picture.h"
#include "write/export/svg_script.h"

#include "write/report/html_tree.h"
#include "write/report/markup.h"
#include "write/report/page_body.h"
#include "write/report/page_header.h"
#include "write/report/page_html.h"
#include "write/report/page_tables.h"

#include <inttypes.h>
#include <string.h>

#define CHART_BYTES_MOST 5500000
#define ROWS 300 /* of a table, without --top */
#define ROWS_MOST 500
#define NAMES 3 /* of inputs, in the title */

static void add_title(const struct profile *p, struct buf *out)
{
	for (uint32_t i = 0; i < p->n_inputs && i < NAMES; i++) {
		const char *name = profile_input_name(p, i);

		buf_adds(out, i ? ", " : "");
		page_html_text(out, name, strlen(name), true);
	}
	if (p->n_inputs > NAMES)
		buf_addf(out, " and %" PRIu32 " more", p->n_inputs - NAMES);
}

static void begin(const struct profile *p, struct buf *out)
{
	buf_adds(out,
		 "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		 "style-src 'unsafe-inline'; script-src '" HTML_SVG_SCRIPT_HASH
		 "' '" HTML_SCRIPT_HASH "'; base-uri 'none'; form-action 'none'\">\n"
		 "<meta name=\"viewport\" content=\"width=device-width\">\n"
		 "<meta name=\"generator\" content=\"flametty " PACKAGE_VERSION "\">\n<title>");
	add_title(p, out);
	buf_addf(out, " - flametty</title>\n<style>\n%s</style></head><body>\n<h1>", html_style);
	add_title(p, out);
	buf_adds(out, "</h1>\n");
}

static void add_chart(const struct profile *p, const struct export_options *options,
		      struct sink *sink)
{
	static const struct svg_picture_plan plan = { .bytes_most = CHART_BYTES_MOST,
						      .is_inside = true };

	buf_addf(sink_buf(sink), "<h2>%s</h2>\n<div class=\"wide\">\n",
		 options->is_merged                 ? "Calls, merged"
			 : amount_is_time(&p->unit) ? "Calls in time order"
						    : "Calls in the order of allocations");
	svg_picture_write(p, options, &plan, sink);
	buf_adds(sink_buf(sink), "</div>\n");
}

/* The page has more rows than the report. */
static struct report_options find_options(const struct export_options *options)
{
	struct report_options own = { .top = ROWS };

	if (options->report)
		own = *options->report;
	if (!own.has_top)
		own.top = ROWS;
	if (own.top > ROWS_MOST)
		own.top = ROWS_MOST;
	own.scope = options->scope;
	return own;
}

static void html_write(const struct profile *p, const struct export_options *options,
		       struct sink *sink)
{
	const struct scoped plain = { .profile = p, .original = p };
	const struct report_options own = find_options(options);
	struct buf *out = sink_buf(sink);
	struct gathered g;
	struct page page = { .g = &g, .form = &page_html, .out = out };

	page_body_gather(&g, options->scoped ? options->scoped : &plain, &own);
	begin(g.scoped->original, out);
	page_body_begin(&page);
	sink_step(sink);
	if (g.n_lanes)
		add_chart(p, options, sink);
	page_body_tables(&page);
	if (g.n_lanes) {
		html_tree(&page, ROWS_TOPDOWN);
		html_tree(&page, ROWS_BOTTOMUP);
	}
	page_tables_inputs(&page);
	page_header_warnings(&page);
	buf_adds(out, "<footer><p>Written by flametty " PACKAGE_VERSION "</p></footer>\n");
	if (g.n_lanes)
		buf_addf(out, "<script>\n%s</script>\n", svg_script);
	buf_addf(out, "<script>\n%s</script>\n</body></html>\n", html_script);
	gather_done(&g);
}

const struct export_format export_html = {
	.name = "html",
	.help = "a page with findings, chart and tables",
	.opens = "any web browser",
	.is_gathered = true,
	.write = html_write,
};
