/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One page with findings, the chart, tables and call trees, to be attached to a ticket. It needs no
 * other file; its policy (Content-Security-Policy) permits nothing from elsewhere, and of scripts
 * only its own two, by their hashes. Without scripts the chart is a plain picture, and call trees
 * still open.
 *
 * The limits of the parts add up to less than 10 MB. */
#include "config.h"

#include "analyse/rows/rows_walk.h"
#include "base/alloc.h"
#include "base/units.h"
#include "write/export/export_svg.h"
#include "write/report/page.h"
#include "write/report/page_body.h"
#include "write/report/page_header.h"
#include "write/report/report_lists.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== html script ====
 *
 * Class names of the page differ from those of the picture inside it (export_svg.c). The picture
 * keeps the colours of its boxes in the dark, with dark names in them.
 *
 * The script sorts tables by a click on a heading or by Enter: numbers by data-v. */

/* The hashes of html_script and svg_script with which the page permits these scripts and no others;
 * tests/valid.py compares them, and prints what they must be. */
#define HTML_SCRIPT_HASH "sha256-kqV1E9NMpb/1oizc0skwkjZri6uKJr/fOFJhfIDcqHA="
#define HTML_SVG_SCRIPT_HASH "sha256-I6JRFHqEyZ4+TaFlyjNNCnJ7DKEOACb0Zb93h5Vjj6E="

const char html_style[] =
	":root{color-scheme:light dark;--fg:#1b1f24;--bg:#fff;--dim:#57606a;--line:#d8dee4;\n"
	"  --bar:#f6deb0;--head:#f3f5f7}\n"
	"@media (prefers-color-scheme:dark){:root{--fg:#e6edf3;--bg:#0d1117;--dim:#9aa5b1;\n"
	"  --line:#30363d;--bar:#5a4413;--head:#161b22}}\n"
	"body{font:14px/1.45 system-ui,sans-serif;color:var(--fg);background:var(--bg);\n"
	"  margin:1.5em auto;max-width:1220px;padding:0 1em}\n"
	"h1{font-size:1.5em;margin:0 0 .5em;overflow-wrap:anywhere}\n"
	"h2{font-size:1.15em;margin:1.8em 0 .5em}small,.more,footer{color:var(--dim)}\n"
	"small{font-weight:normal}p{margin:.15em 0;overflow-wrap:anywhere}\n"
	".item{padding-left:1.2em;text-indent:-1.2em}.item:before{content:'\\2022\\00a0\\00a0'}\n"
	".sub{padding-left:2.4em;color:var(--dim)}\n"
	".wide{overflow-x:auto}table{border-collapse:collapse;min-width:50%}\n"
	"th,td{padding:.2em .7em;text-align:left;border-bottom:1px solid var(--line);\n"
	"  vertical-align:top}\n"
	"th{background:var(--head);white-space:nowrap}th.sort{cursor:pointer}\n"
	"th[aria-sort=descending]:after{content:' \\25be'}\n"
	"th[aria-sort=ascending]:after{content:' \\25b4'}\n"
	".num{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
	".bar{background:linear-gradient(to right,var(--bar) var(--w),transparent 0)}\n"
	".name,code{font-family:ui-monospace,monospace;font-size:.93em;overflow-wrap:anywhere}\n"
	".gap td{color:var(--dim)}footer{margin-top:2em}\n"
	".tree details,.tree .leaf,.tree .more{margin-left:1.1em;white-space:nowrap}\n"
	".tree .leaf,.tree .more{padding-left:1.05em}.tree summary{cursor:pointer}\n"
	".tree b,.tree span{display:inline-block;text-align:right;min-width:4.2em;\n"
	"  font-variant-numeric:tabular-nums}.tree span{min-width:5.2em}\n"
	".tree i,.tree em{color:var(--dim);font-style:normal}\n"
	"#flametty{max-width:100%;height:auto}#flametty:focus{outline:1px solid var(--line)}\n"
	"@media (prefers-color-scheme:dark){#flametty{background:#0d1117}#flametty>text,\n"
	"  #bar text,.a text{fill:#e6edf3}#flametty .d{fill:#9aa5b1}#flametty .t{stroke:#30363d}\n"
	"  #flametty .b rect{stroke:#0d1117}#flametty .s1 rect{fill-opacity:.94}\n"
	"  #flametty .s2 rect{fill-opacity:.88}#flametty .s3 rect{fill-opacity:.82}\n"
	"  #flametty .s4 rect{fill-opacity:.76}#flametty .b:hover rect,#flametty .sel rect{\n"
	"  stroke:#fff}#flametty .off rect{fill-opacity:.2}}\n"
	"@media print{details{display:block}#bar{display:none}}\n";

/* Each line ends with a line break. */
static const char html_script[] =
	"(function(){'use strict';\n"
	"[].forEach.call(document.querySelectorAll('table'),function(table){\n"
	"  var body=table.tBodies[0],heads=table.tHead.rows[0].cells;\n"
	"  if(body.querySelector('.gap'))return;\n"
	"  function key(row,i){var cell=row.cells[i],v=cell.getAttribute('data-v');\n"
	"    return v===null?cell.textContent:+v}\n"
	"  function sort(i){var head=heads[i],num=head.classList.contains('num');\n"
	"    var down=head.getAttribute('aria-sort')===(num?'descending':'ascending')?!num:num;\n"
	"    [].forEach.call(heads,function(h){h.removeAttribute('aria-sort')});\n"
	"    head.setAttribute('aria-sort',down?'descending':'ascending');\n"
	"    var rows=[].map.call(body.rows,function(r,n){return{r:r,k:key(r,i),n:n}});\n"
	"    rows.sort(function(a,b){var c=typeof a.k===typeof b.k?a.k<b.k?-1:a.k>b.k?1:0:\n"
	"      typeof a.k==='number'?1:-1;return(down?-c:c)||a.n-b.n});\n"
	"    rows.forEach(function(x){body.appendChild(x.r)})}\n"
	"  [].forEach.call(heads,function(head,i){head.classList.add('sort');head.tabIndex=0;\n"
	"    head.title='sort';head.addEventListener('click',function(){sort(i)});\n"
	"    head.addEventListener('keydown',function(e){if(e.key==='Enter')sort(i)})})});\n"
	"})();\n";

/* ==== html tree ====
 *
 * A walk through the rows (rows_walk.h) keeps only those that are still to come beside the current
 * one and the rows above it. The tree ends at rows of less than SHARE_MIN of the whole, at
 * DEPTH_MAX (browsers nest elements up to 512 deep), and after BYTES_MAX. */

#define SHARE_MIN 200 /* 1/200: 0.5 % */
#define DEPTH_MAX 200
#define DEPTH_OPEN 12
#define BYTES_MAX 1000000

struct tree {
	struct page *page;
	enum rows_kind kind;
	int64_t least;
	size_t start; /* length of the output before the tree */
	bool is_full;
	int level; /* depth of the rows that are written: that many elements are open */
	struct {
		uint64_t n;
		int64_t time;
	} * left; /* by depth, to DEPTH_MAX: rows that were left out below the open row */
};

/* What a row is measured by: bottom-up, below the first level too, the part of the self time. */
static int64_t weight(const struct tree *t, const struct row *row)
{
	return t->kind == ROWS_BOTTOMUP ? row->self : row->total;
}

static void add_row(struct tree *t, const struct row *row)
{
	const struct gathered *g = t->page->g;
	const struct frame *f = &g->view.frames[row->frame];
	char share[UNITS_MAX], time[UNITS_MAX], self[UNITS_MAX];
	struct buf place = { 0 };

	units_percent(weight(t, row), g->whole_ns, share);
	profile_value(g->profile, weight(t, row), time);
	buf_addf(t->page->out, "<b>%s</b> <span>%s</span> <code>", share, time);
	page_html_text(t->page->out, profile_text(g->profile, f->name),
		       intern_len(&g->profile->strings, f->name), false);
	buf_adds(t->page->out, "</code>");
	profile_location(g->profile, f, false, &place);
	if (place.len) {
		buf_adds(t->page->out, " <i>");
		page_html_text(t->page->out, buf_text(&place), place.len, true);
		buf_adds(t->page->out, "</i>");
	}
	if (t->kind == ROWS_TOPDOWN && row->self > 0) {
		profile_value(g->profile, row->self, self);
		buf_addf(t->page->out, " <em>self %s</em>", self);
	}
	buf_done(&place);
}

/* End the levels below `depth`, each with what was left out of it. */
static void end_levels(struct tree *t, int depth)
{
	for (; t->level > depth; t->level--) {
		int at = t->level;

		if (t->left[at].time > 0) {
			char time[UNITS_MAX];

			profile_value(t->page->g->profile, t->left[at].time, time);
			buf_addf(t->page->out,
				 "<p class=\"more\">\342\200\246 %" PRIu64 " more, %s</p>\n",
				 t->left[at].n, time);
		}
		t->left[at].n = 0;
		t->left[at].time = 0;
		if (at > 0)
			buf_adds(t->page->out, "</details>\n");
	}
}

/* Count a row as left out if it has little time or there is no room. */
static bool leave_out(struct tree *t, const struct row *row)
{
	t->is_full |= t->page->out->len - t->start > BYTES_MAX;
	if (!t->is_full && weight(t, row) >= t->least)
		return false;
	t->left[row->depth].n += weight(t, row) > 0;
	t->left[row->depth].time += weight(t, row);
	return true;
}

/* Write a row, and begin the level below it. Returns whether there is one. */
static bool begin_row(struct tree *t, const struct row *row)
{
	bool is_heavy;

	if (!row->can_open || row->depth >= DEPTH_MAX) {
		buf_adds(t->page->out, "<p class=\"leaf\">");
		add_row(t, row);
		buf_adds(t->page->out, "</p>\n");
		return false;
	}
	is_heavy = row->depth < DEPTH_OPEN && t->kind == ROWS_TOPDOWN &&
		weight(t, row) >= t->page->g->whole_ns / 5;
	buf_addf(t->page->out, "<details%s><summary>", is_heavy ? " open" : "");
	add_row(t, row);
	buf_adds(t->page->out, "</summary>\n");
	t->level = row->depth + 1;
	return true;
}

/* Write a row of the first level and the rows below it. */
static void add_branch(struct tree *t, struct rows_walk *walk, struct rows *rows, size_t at)
{
	const struct row *row;

	if (leave_out(t, &rows->rows[at]))
		return;
	for (rows_walk_begin(walk, rows, at); (row = rows_walk_next(walk));) {
		end_levels(t, row->depth);
		if ((row->depth > 0 && leave_out(t, row)) || !begin_row(t, row))
			rows_walk_pass(walk);
	}
	end_levels(t, 0);
}

/* Append the section: top-down, the calls with their callees; bottom-up, the functions with their
 * callers. Rows of little time are left out, and counted. */
static void html_tree(struct page *page, enum rows_kind kind)
{
	const struct gathered *g = page->g;
	struct tree t = { .page = page, .kind = kind, .least = g->whole_ns / SHARE_MIN };
	struct rows_walk walk = { 0 };
	struct rows rows;
	char note[AMOUNT_WORDS_MAX];
	const char *words;

	if (g->whole_ns <= 0)
		return;
	t.least += !t.least;
	t.left = xcalloc(DEPTH_MAX + 1, sizeof *t.left);
	words = amount_words(&g->profile->unit,
			     kind == ROWS_TOPDOWN
				     ? "total time, heaviest call first"
				     : "self time of functions, and the part of each caller",
			     note);
	page_section(page, kind == ROWS_TOPDOWN ? "call tree" : "callers", words);
	t.start = page->out->len;
	rows_init(&rows, &g->totals, kind, kind == ROWS_TOPDOWN ? ROWS_BY_TOTAL : ROWS_BY_SELF,
		  FRAME_NONE);
	buf_adds(page->out, "<div class=\"tree wide\">\n");
	for (size_t i = 0; i < rows.n; i++)
		if (gather_lists(g, rows.rows[i].frame))
			add_branch(&t, &walk, &rows, i);
	end_levels(&t, -1);
	buf_adds(page->out, "</div>\n");
	free(t.left);
	rows_walk_done(&walk);
	rows_done(&rows);
}

/* ==== export html ==== */

#define CHART_BYTES_MAX 5500000
#define ROWS 300 /* of a table, without --top */
#define ROWS_MAX 500
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
	static const struct svg_picture_plan plan = { .bytes_most = CHART_BYTES_MAX,
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
	if (own.top > ROWS_MAX)
		own.top = ROWS_MAX;
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
	struct report_out lists = { .g = &g, .page = &page, .rows_max = (size_t)own.top };

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
	lists.profile = g.profile;
	report_lists_inputs(&lists);
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
