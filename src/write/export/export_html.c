/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For web browsers: the picture of a profile as a file of its own (SVG), and one page with
 * findings, that picture, tables and call trees, to be attached to a ticket. Both need no other
 * file and no network. Names are text: what XML does not permit is replaced.
 *
 * The page's policy (Content-Security-Policy) permits nothing from elsewhere, and of scripts only
 * its own two, by their hashes. Without scripts the chart is a plain picture, and call trees still
 * open. The limits of the parts add up to less than 10 MB. */
#include "config.h"

#include "analyse/rows/rows_walk.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/units.h"
#include "write/export/boxes.h"
#include "write/export/export.h"
#include "write/report/gather.h"
#include "write/report/page.h"
#include "write/report/page_body.h"
#include "write/report/report_lists.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== svg script ====
 *
 * A box is a <g class="b"> with a <title> (name, place, times: a line each), a <rect>, and a <text>
 * if there is room for one. The script reads the places of the boxes once. A zoom changes x and
 * width of all boxes, and writes names into those that have room now. Inside a page, keys count
 * only while the picture has the focus. */

/* c0, c1, ...: categories of code (enum category); s0 to s3: shades, so that neighbours
 * differ; s4: several calls drawn together. */
static const char svg_style[] =
	"svg{background:#fff;font:11px monospace}text{fill:#111;pointer-events:none}\n"
	".h{font-size:14px;font-weight:bold}.d{fill:#666}.t{stroke:#ddd}\n"
	".b rect{fill:#d8d8d8;stroke:#fff;stroke-width:.4}.b.m rect{fill:#ccc}\n"
	".c0 rect{fill:#e8b24a}.c1 rect{fill:#8fb8de}.c2 rect,.c3 rect{fill:#9fcf9a}\n"
	".c4 rect{fill:#c9b6dd}.c5 rect{fill:#e59a8c}.c6 rect,.c7 rect{fill:#8ccfc8}\n"
	".c8 rect,.c9 rect{fill:#b7c68b}.c10 rect{fill:#d9a6c8}.c11 rect{fill:#e07070}\n"
	".c12 rect,.c13 rect,.c14 rect{fill:#dedede}.c15 rect{fill:#a9c4e6}\n"
	".s1 rect{fill-opacity:.88}.s2 rect{fill-opacity:.76}.s3 rect{fill-opacity:.64}\n"
	".s4 rect{fill-opacity:.5}\n"
	".b:hover rect,.sel rect{stroke:#000;stroke-width:1}.off rect{fill-opacity:.15}\n"
	".off text{fill:#999}#bar text{pointer-events:auto;cursor:pointer}\n";

static const char svg_script[] =
	"(function(){'use strict';\n"
	"var root=document.documentElement,page=root.tagName!=='svg',\n"
	"  svg=page?document.getElementById('flametty'):root;\n"
	"var W=+svg.getAttribute('data-width'),L=+svg.getAttribute('data-left'),CH=6.62;\n"
	"var info=svg.querySelector('#info'),first=info.textContent,boxes=[],sel=null,x0=0,x1=W;\n"
	"[].forEach.call(svg.querySelectorAll('g.b'),function(g){\n"
	"  var r=g.querySelector('rect'),lines=g.querySelector('title').textContent.split('\\n');\n"
	"  var b={g:g,r:r,x:+r.getAttribute('x')-L,w:+r.getAttribute('width'),\n"
	"    y:+r.getAttribute('y'),m:g.classList.contains('m'),name:lines[0],\n"
	"    all:lines.join('  '),t:g.querySelector('text')};\n"
	"  g.addEventListener('mouseover',function(){info.textContent=b.all});\n"
	"  g.addEventListener('mouseout',function(){info.textContent=sel?sel.all:first});\n"
	"  g.addEventListener('click',function(){select(b);zoom(b.x,b.x+b.w)});\n"
	"  boxes.push(b)});\n"
	"function fit(name,w){var n=Math.floor((w-4)/CH);\n"
	"  return n<3?'':name.length<=n?name:name.slice(0,n-1)+'\\u2026'}\n"
	"function zoom(a,z){x0=a;x1=z;var k=W/(z-a);\n"
	"  boxes.forEach(function(b){var l=Math.max(0,(b.x-a)*k),r=Math.min(W,(b.x+b.w-a)*k);\n"
	"    if(r<=l||r<0||l>W){b.g.style.display='none';return}\n"
	"    b.g.style.display='';b.r.setAttribute('x',l+L);b.r.setAttribute('width',Math.max(r-l,.2));\n"
	"    var s=b.m&&b.name.length*CH>r-l-4?'':fit(b.name,r-l);\n"
	"    if(!b.t&&s){b.t=document.createElementNS(svg.namespaceURI,'text');\n"
	"      b.t.setAttribute('y',b.y+12);b.g.appendChild(b.t)}\n"
	"    if(b.t){b.t.setAttribute('x',l+L+2);b.t.textContent=s}});\n"
	"  [].forEach.call(svg.querySelectorAll('g.a'),function(g){\n"
	"    var x=(+g.getAttribute('data-x')-a)*k;g.style.display=x<0||x>W?'none':'';\n"
	"    g.setAttribute('transform','translate('+(x+L)+',0)')})}\n"
	"function select(b){if(sel)sel.g.classList.remove('sel');sel=b;\n"
	"  if(b){b.g.classList.add('sel');info.textContent=b.all}else info.textContent=first}\n"
	"function search(){var q=prompt('Search: a regular expression','');\n"
	"  if(q===null)return;var re=null,n=0,end={},sum=0;\n"
	"  try{re=q?new RegExp(q,'i'):null}catch(e){info.textContent=String(e);return}\n"
	"  var hits=[];boxes.forEach(function(b){var is=!re||re.test(b.all);\n"
	"    b.g.classList.toggle('off',!is);if(re&&is)hits.push(b)});\n"
	"  hits.sort(function(a,b){return a.x-b.x||b.w-a.w});var right=-1;\n"
	"  hits.forEach(function(b){var l=Math.max(b.x,right),r=b.x+b.w;if(r>l){sum+=r-l;right=r}});\n"
	"  info.textContent=re?hits.length+(hits.length===1?' box matches ':' boxes match ')+q+\n"
	"    ', '+(100*sum/W).toFixed(1)+\n"
	"    ' % of the width':first}\n"
	"function move(dx,dy){if(!sel){if(boxes.length)select(boxes.reduce(function(a,b){\n"
	"  return b.y<a.y||b.y===a.y&&b.w>a.w?b:a}));return}var best=null,cost=Infinity;\n"
	"  var mid=sel.x+sel.w/2;boxes.forEach(function(b){if(b===sel)return;var c;\n"
	"    if(dy){if(b.y!==sel.y+dy*H)return;\n"
	"      c=b.x<=mid&&mid<b.x+b.w?0:Math.min(Math.abs(b.x-mid),Math.abs(b.x+b.w-mid));\n"
	"      if(dy>0&&(b.x+b.w<=sel.x||b.x>=sel.x+sel.w))return;if(dy>0)c=-b.w}\n"
	"    else{if(b.y!==sel.y)return;c=(b.x-sel.x)*dx;if(c<=0)return}\n"
	"    if(c<cost){cost=c;best=b}});if(best)select(best)}\n"
	"var H=+svg.getAttribute('data-row');\n"
	"function reset(){select(null);zoom(0,W);\n"
	"  boxes.forEach(function(b){b.g.classList.remove('off')})}\n"
	"(page?svg:document).addEventListener('keydown',function(e){if(e.ctrlKey&&e.key!=='f'||e.metaKey||e.altKey)return;\n"
	"  var k=e.key,on=true;\n"
	"  if(k==='Escape'||k==='0')reset();else if(k==='/'||k==='f')search();\n"
	"  else if(k==='Enter'){if(sel)zoom(sel.x,sel.x+sel.w)}\n"
	"  else if(k==='ArrowLeft'||k==='h')move(-1,0);else if(k==='ArrowRight'||k==='l')move(1,0);\n"
	"  else if(k==='ArrowUp'||k==='k')move(0,-1);else if(k==='ArrowDown'||k==='j')move(0,1);\n"
	"  else if(k==='w'||k==='s'){var m=sel?sel.x+sel.w/2:(x0+x1)/2,h=(x1-x0)*(k==='w'?.25:1);\n"
	"    zoom(Math.max(0,m-h),Math.min(W,m+h))}\n"
	"  else if(k==='a'||k==='d'){var d=Math.min((x1-x0)/4,k==='a'?x0:W-x1)*(k==='a'?-1:1);zoom(x0+d,x1+d)}\n"
	"  else on=false;if(on)e.preventDefault()});\n"
	"svg.querySelector('#reset').addEventListener('click',reset);\n"
	"svg.querySelector('#search').addEventListener('click',search);\n"
	"svg.querySelector('#bar').style.display='';\n"
	"})();\n";

/* ==== svg picture ====
 *
 * A flame chart in time order, or a flame graph of merged calls. The rows of a group stand below
 * its title, the outermost calls at the top. Short calls are drawn together until there are few
 * enough boxes, and bytes. */

/* Of the picture, in pixels. */
#define WIDTH 1180
#define LEFT 10
#define TOP 76 /* first row without a title */
#define ROW 17
#define TITLE 22 /* of a group */
#define TITLE_BASE 16
#define CHAR 6.62
#define NAME_CELLS 160 /* longest name in a title */
#define PLACE_CELLS 160
#define TICKS 10
#define TITLE_CELLS 112 /* of the names of the inputs, in a larger type */
#define MIN_WIDTH 0.5
#define MANY_CELLS 14  /* that have `1 234 calls` */
#define JOINED_SHADE 4 /* of several calls with one name */
#define BOX_BYTES 190  /* without names */

struct svg_picture_plan {
	size_t bytes_most; /* limit of its length, about */
	bool is_inside;    /* an element of a page, which brings the script */
};

struct svg_out {
	const struct profile *profile;
	const struct export_options *options;
	struct sink *sink;
	struct buf *out;
	struct boxes boxes;
	double scale; /* pixels for a ns */
};

static void add_buf(struct buf *out, const struct buf *text)
{
	markup_text(out, buf_text(text), text->len);
}

/* ---- boxes ---- */

/* Name, place and times of a box, as lines. */
static void describe(const struct svg_out *o, const struct box *box, struct buf *out)
{
	const struct boxes *b = &o->boxes;
	const char *count = units_count(box->n, UNITS_ROOM);
	BUF_LOCAL place = { 0 };

	if (box->frame == FRAME_NONE) {
		buf_addf(out, "%s calls", count);
	} else {
		const struct frame *f = profile_frame(o->profile, box->frame);
		BUF_LOCAL name = { 0 };

		profile_add_name(o->profile, f, &name);
		buf_adds(out, box->n > 1 ? "\u2248 " : "");
		text_fit(out, buf_text(&name), name.len, NAME_CELLS);
		profile_location(o->profile, f, true, &place);
		buf_adds(out, place.len ? "\n" : "");
		text_fit_end(out, buf_text(&place), place.len, PLACE_CELLS);
	}
	buf_addf(out, "\n%s%s, %s", profile_value(o->profile, box->ns, UNITS_ROOM),
		 box->n > 1 ? " together" : "", units_percent(box->ns, b->t1 - b->t0, UNITS_ROOM));
	if (box->n > 1 && box->frame != FRAME_NONE)
		buf_addf(out, ", %s calls, most of the %s in this function", count,
			 amount_name(&o->profile->unit));
	if (b->is_merged && box->self >= 0)
		buf_addf(out, ", self %s", profile_value(o->profile, box->self, UNITS_ROOM));
	else if (!b->is_merged)
		buf_addf(out, ", at %s",
			 profile_value_near(o->profile, b->t0 + box->t0, (b->t1 - b->t0) / 1000,
					    UNITS_ROOM));
}

static void add_box(struct svg_out *o, const struct box *box, int y)
{
	const struct frame *f = profile_frame(o->profile, box->frame);
	double x = LEFT + (double)box->t0 * o->scale,
	       width = (double)(box->t1 - box->t0) * o->scale;
	int cells = (int)((width - 4) / CHAR);
	BUF_LOCAL text = { 0 };

	if (box->frame == FRAME_NONE)
		buf_adds(o->out, "<g class=\"b m\"><title>");
	else
		buf_addf(o->out, "<g class=\"b c%d s%d\"><title>", (int)f->category,
			 box->n > 1 ? JOINED_SHADE : (int)(hash_u64(box->frame) % 4));
	describe(o, box, &text);
	add_buf(o->out, &text);
	buf_addf(o->out, "</title><rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"16\"/>", x, y,
		 width < 0.2 ? 0.2 : width);
	if (cells >= (box->frame == FRAME_NONE ? MANY_CELLS : 3)) {
		BUF_LOCAL name = { 0 };
		const char *end = strchr(buf_text(&text), '\n');
		size_t len = end ? (size_t)(end - buf_text(&text)) : text.len;

		text_fit(&name, buf_text(&text), len, cells);
		buf_addf(o->out, "<text x=\"%.2f\" y=\"%d\">", x + 2, y + 12);
		add_buf(o->out, &name);
		buf_adds(o->out, "</text>");
	}
	buf_adds(o->out, "</g>\n");
}

/* Titles take room: where a row of boxes is. */
static int row_y(const struct boxes *b, uint32_t row)
{
	size_t lo = 0, hi = b->n_groups;

	/* The last group that begins at or above the row. */
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (b->groups[mid].row <= row)
			lo = mid;
		else
			hi = mid;
	}
	return TOP + (int)(lo + 1) * TITLE + (int)row * ROW;
}

static int height_of(const struct boxes *b)
{
	return TOP + (int)b->n_groups * TITLE + (int)b->n_rows * ROW + ROW;
}

/* ---- words ---- */

static void add_group(struct svg_out *o, const struct box_group *g)
{
	BUF_LOCAL name = { 0 };

	if (g->lane)
		export_full_name(o->profile, g->lane, &name);
	else
		buf_adds(&name, "all calls");
	buf_addf(o->out, "<text x=\"%d\" y=\"%d\">", LEFT,
		 row_y(&o->boxes, g->row) - TITLE + TITLE_BASE);
	add_buf(o->out, &name);
	buf_addf(o->out, " - %s", profile_value(o->profile, g->ns, UNITS_ROOM));
	if (g->lane)
		buf_addf(o->out, ", %s",
			 units_percent(g->ns, o->boxes.t1 - o->boxes.t0, UNITS_ROOM));
	buf_adds(o->out, "</text>\n");
}

/* The step of ticks: 1, 2 or 5 times a power of ten. */
static int64_t tick_step(int64_t length)
{
	static const int64_t factors[] = { 2, 5, 10 };
	int64_t power = 1, step = 1;

	for (int i = 0; length / step > TICKS; i++) {
		step = power * factors[i % 3];
		power *= i % 3 == 2 ? 10 : 1;
	}
	return step;
}

static void add_head(struct svg_out *o)
{
	const struct profile *p = o->profile;
	const struct boxes *b = &o->boxes;
	char length[UNITS_MAX], from[UNITS_MAX], cut[BOXES_CUT_MAX];
	BUF_LOCAL names = { 0 }, fit = { 0 };

	buf_addf(o->out, "<text class=\"h\" x=\"%d\" y=\"18\">", LEFT);
	/* The names of the inputs, in the room that the links beside them leave. */
	for (uint32_t i = 0; i < p->n_inputs && i < 3; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", profile_input_name(p, i));
	if (p->n_inputs > 3)
		buf_addf(&names, " and %" PRIu32 " more", p->n_inputs - 3);
	text_fit(&fit, buf_text(&names), names.len, TITLE_CELLS);
	add_buf(o->out, &fit);
	profile_value(o->profile, b->t1 - b->t0, length);
	profile_value_near(o->profile, o->options->scope.t0, (b->t1 - b->t0) / 100, from);
	buf_addf(o->out, "</text>\n<text class=\"d\" x=\"%d\" y=\"34\">", LEFT);
	if (b->is_merged)
		buf_addf(o->out, "calls merged, heaviest first; 100 %% = %s", length);
	else
		buf_addf(o->out, "in %s order; 100 %% = %s from %s on",
			 amount_is_time(&p->unit) ? "time" : "allocation", length, from);
	if (b->n_joints)
		buf_addf(o->out, "; shorter than %s: %s calls, drawn together in %s boxes",
			 profile_value(o->profile, b->min_ns, UNITS_ROOM),
			 units_count(b->n_joined, UNITS_ROOM),
			 units_count(b->n_joints, UNITS_ROOM));
	if (boxes_is_cut(&b->cut)) {
		boxes_tell_cut(&b->cut, cut);
		buf_addf(o->out, "; %s", cut);
	}
	buf_adds(o->out, "</text>\n");
	buf_addf(o->out,
		 "<g id=\"bar\" style=\"display:none\"><text id=\"reset\" x=\"%d\" y=\"18\">whole "
		 "(Esc)</text><text id=\"search\" x=\"%d\" y=\"18\">search (/)</text></g>\n",
		 LEFT + WIDTH - 190, LEFT + WIDTH - 80);
	buf_addf(o->out,
		 "<text id=\"info\" x=\"%d\" y=\"52\">A click shows a box in full width; keys: "
		 "arrows, Enter, w s a d, /, Esc</text>\n",
		 LEFT);
}

/* ---- the picture ---- */

/* About how long the picture is. */
static size_t count_bytes(const struct boxes *b)
{
	const struct profile *p = b->profile;
	size_t bytes = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct frame *f = profile_frame(p, b->list[i].frame);
		size_t name = intern_len(&p->strings, f->name),
		       place = intern_len(&p->strings, f->url);

		bytes += BOX_BYTES + 2 * (name < NAME_CELLS ? name : NAME_CELLS) +
			(place < PLACE_CELLS ? place : PLACE_CELLS);
	}
	return bytes;
}

static bool collect(struct svg_out *o, size_t bytes_most)
{
	const struct scope *scope = &o->options->scope;
	struct boxes_plan plan = { .t0 = scope->t0,
				   .t1 = scope->t1,
				   .most = BOXES_MAX,
				   .bytes_most = bytes_most,
				   .bytes_of = count_bytes,
				   .is_merged = o->options->is_merged,
				   .has_idle = scope->has_idle };
	double min = o->options->min_width > 0 ? o->options->min_width : MIN_WIDTH;
	struct error err = ERROR_INIT;

	plan.min_ns = (int64_t)((double)(scope->t1 - scope->t0) * min / WIDTH);
	if (plan.min_ns < 1)
		plan.min_ns = 1;
	if (boxes_init(&o->boxes, o->profile, &plan, o->sink, &err)) {
		if (o->options->cut)
			*o->options->cut = o->boxes.cut;
		return true;
	}
	if (err.kind != ERR_NONE)
		sink_fail(o->sink, &err);
	return false;
}

static void draw(struct svg_out *o, const struct svg_picture_plan *plan)
{
	const struct boxes *b = &o->boxes;
	int height = height_of(b);

	o->scale = b->t1 > b->t0 ? WIDTH / (double)(b->t1 - b->t0) : 0;
	buf_addf(o->out,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"flametty\" width=\"%d\" "
		 "height=\"%d\" viewBox=\"0 0 %d %d\" data-width=\"%d\" data-left=\"%d\" "
		 "data-row=\"%d\"%s>\n<style>\n%s</style>\n",
		 WIDTH + 2 * LEFT, height, WIDTH + 2 * LEFT, height, WIDTH, LEFT, ROW,
		 plan->is_inside ? " tabindex=\"0\"" : "", svg_style);
	add_head(o);
	if (!b->is_merged) {
		int64_t step = tick_step(b->t1 - b->t0), first = (b->t0 + step - 1) / step * step;

		for (int64_t t = first; t <= b->t1 && step > 0; t += step) {
			double x = (double)(t - b->t0) * o->scale;

			buf_addf(
				o->out,
				"<g class=\"a\" data-x=\"%.2f\" transform=\"translate(%.2f,0)\"><line "
				"class=\"t\" y1=\"%d\" y2=\"%d\"/><text class=\"d\" x=\"2\" "
				"y=\"%d\">%s</text></g>\n",
				x, x + LEFT, TOP - 12, height_of(b) - ROW, TOP - 2,
				profile_value_near(o->profile, t, step, UNITS_ROOM));
		}
	}
	for (size_t i = 0; i < b->n_groups && sink_step(o->sink); i++)
		add_group(o, &b->groups[i]);
	for (size_t i = 0; i < b->n && sink_step(o->sink); i++)
		add_box(o, &b->list[i], row_y(b, b->list[i].row));
	if (!plan->is_inside)
		buf_addf(o->out, "<script><![CDATA[\n%s]]></script>\n", svg_script);
	buf_adds(o->out, "</svg>\n");
}

static void svg_picture_write(const struct profile *p, const struct export_options *options,
			      const struct svg_picture_plan *plan, struct sink *sink)
{
	struct svg_out o = { .profile = p,
			     .options = options,
			     .sink = sink,
			     .out = sink_buf(sink) };

	if (collect(&o, plan->bytes_most)) {
		if (!plan->is_inside)
			buf_adds(o.out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
		draw(&o, plan);
	}
	boxes_done(&o.boxes);
}

/* ==== export svg ==== */

#define SVG_BYTES_MAX 9500000

static void svg_write(const struct profile *p, const struct export_options *options,
		      struct sink *sink)
{
	static const struct svg_picture_plan plan = { .bytes_most = SVG_BYTES_MAX };

	svg_picture_write(p, options, &plan, sink);
}

const struct export_format export_svg = {
	.name = "svg",
	.help = "a picture: the flame chart, or with --merged a flame graph",
	.opens = "any web browser",
	.write = svg_write,
};

/* ==== html script ====
 *
 * Class names of the page differ from those of the picture inside it. The picture
 * keeps the colours of its boxes in the dark, with dark names in them.
 *
 * The script sorts tables by a click on a heading or by Enter: numbers by data-v. */

/* The hashes of html_script and svg_script with which the page permits these scripts and no others;
 * tests/valid.py compares them, and prints what they must be. */
#define HTML_SCRIPT_HASH "sha256-kqV1E9NMpb/1oizc0skwkjZri6uKJr/fOFJhfIDcqHA="
#define HTML_SVG_SCRIPT_HASH "sha256-I6JRFHqEyZ4+TaFlyjNNCnJ7DKEOACb0Zb93h5Vjj6E="

static const char html_style[] =
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
	BUF_LOCAL place = { 0 };

	buf_addf(t->page->out, "<b>%s</b> <span>%s</span> <code>",
		 units_percent(weight(t, row), g->whole_ns, UNITS_ROOM),
		 profile_value(g->profile, weight(t, row), UNITS_ROOM));
	profile_location(g->profile, f, false, &place);
	if (profile_is_placed(g->profile, f))
		page_html_text(t->page->out, buf_text(&place), place.len, true);
	else
		page_html_text(t->page->out, profile_text(g->profile, f->name),
			       intern_len(&g->profile->strings, f->name), false);
	buf_adds(t->page->out, "</code>");
	if (place.len && !profile_is_placed(g->profile, f)) {
		buf_adds(t->page->out, " <i>");
		page_html_text(t->page->out, buf_text(&place), place.len, true);
		buf_adds(t->page->out, "</i>");
	}
	if (t->kind == ROWS_TOPDOWN && row->self > 0)
		buf_addf(t->page->out, " <em>self %s</em>",
			 profile_value(g->profile, row->self, UNITS_ROOM));
}

/* End the levels below `depth`, each with what was left out of it. */
static void end_levels(struct tree *t, int depth)
{
	for (; t->level > depth; t->level--) {
		int at = t->level;

		if (t->left[at].time > 0)
			buf_addf(t->page->out,
				 "<p class=\"more\">\342\200\246 %" PRIu64 " more, %s</p>\n",
				 t->left[at].n,
				 profile_value(t->page->g->profile, t->left[at].time, UNITS_ROOM));
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

/* The page with what its chart needs. */
struct html_page {
	struct page page;
	const struct profile *profile;
	const struct export_options *options;
	struct sink *sink;
};

static void add_chart(struct page *page)
{
	static const struct svg_picture_plan plan = { .bytes_most = CHART_BYTES_MAX,
						      .is_inside = true };
	struct html_page *h = (struct html_page *)(void *)page;

	sink_step(h->sink);
	if (!page->g->n_lanes)
		return;
	buf_addf(page->out, "<h2>%s</h2>\n<div class=\"wide\">\n",
		 h->options->is_merged                       ? "Calls, merged"
			 : amount_is_time(&h->profile->unit) ? "Calls in time order"
							     : "Calls in the order of allocations");
	svg_picture_write(h->profile, h->options, &plan, h->sink);
	buf_adds(page->out, "</div>\n");
}

static void add_trees(struct page *page)
{
	struct report_out lists = { .g = page->g,
				    .profile = page->g->profile,
				    .page = page,
				    .rows_max = (size_t)page->g->options->top };

	if (page->g->n_lanes) {
		html_tree(page, ROWS_TOPDOWN);
		html_tree(page, ROWS_BOTTOMUP);
	}
	report_lists_write(&lists, REPORT_LIST_INPUTS);
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
	struct html_page h = { .page = { .g = &g,
					 .form = &page_html,
					 .out = out,
					 .chart = add_chart,
					 .trees = add_trees },
			       .profile = p,
			       .options = options,
			       .sink = sink };

	gather_init(&g, options->scoped ? options->scoped : &plain, &own,
		    report_lists_is_alone(&own) ? GATHER_TOTALS : GATHER_FINDINGS);
	buf_adds(out,
		 "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		 "style-src 'unsafe-inline'; script-src '" HTML_SVG_SCRIPT_HASH
		 "' '" HTML_SCRIPT_HASH "'; base-uri 'none'; form-action 'none'\">\n"
		 "<meta name=\"viewport\" content=\"width=device-width\">\n"
		 "<meta name=\"generator\" content=\"flametty " PACKAGE_VERSION "\">\n<title>");
	add_title(g.scoped->original, out);
	buf_addf(out, " - flametty</title>\n<style>\n%s</style></head><body>\n<h1>", html_style);
	add_title(g.scoped->original, out);
	buf_adds(out, "</h1>\n");
	page_body(&h.page);
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
