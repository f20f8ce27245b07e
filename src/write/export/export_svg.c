/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The picture as a file of its own, with its script. */
#include "config.h"

#include "write/export/export_svg.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/units.h"
#include "write/export/boxes.h"
#include "write/export/export.h"
#include "write/report/page.h"

#include <inttypes.h>
#include <string.h>

/* ==== svg script ====
 *
 * A box is a <g class="b"> with a <title> (name, place, times: a line each), a <rect>, and a <text>
 * if there is room for one. The script reads the places of the boxes once. A zoom changes x and
 * width of all boxes, and writes names into those that have room now. Inside a page, keys count
 * only while the picture has the focus. */

/* c0, c1, ...: categories of code (enum category); s0 to s3: shades, so that neighbours
 * differ; s4: several calls drawn together. */
const char svg_style[] =
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

const char svg_script[] =
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
 * The rows of a group stand below its title, the outermost calls at the top. Short calls are drawn
 * together until there are few enough boxes, and bytes. */

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

static void add_place(const struct svg_out *o, const struct frame *f, struct buf *out)
{
	struct buf place = { 0 };

	profile_location(o->profile, f, true, &place);
	if (place.len) {
		buf_addc(out, '\n');
		text_fit_end(out, buf_text(&place), place.len, PLACE_CELLS);
	}
	buf_done(&place);
}

/* Name, place and times of a box, as lines. */
static void describe(const struct svg_out *o, const struct box *box, struct buf *out)
{
	const struct boxes *b = &o->boxes;
	char time[UNITS_MAX], at[UNITS_MAX], count[UNITS_MAX], share[UNITS_MAX];

	units_count(box->n, count);
	if (box->frame == FRAME_NONE) {
		buf_addf(out, "%s calls", count);
	} else {
		const struct frame *f = profile_frame(o->profile, box->frame);
		const char *name = profile_text(o->profile, f->name);

		buf_adds(out, box->n > 1 ? "\u2248 " : "");
		text_fit(out, name, intern_len(&o->profile->strings, f->name), NAME_CELLS);
		add_place(o, f, out);
	}
	profile_value(o->profile, box->ns, time);
	units_percent(box->ns, b->t1 - b->t0, share);
	buf_addf(out, "\n%s%s, %s", time, box->n > 1 ? " together" : "", share);
	if (box->n > 1 && box->frame != FRAME_NONE)
		buf_addf(out, ", %s calls, most of the %s in this function", count,
			 amount_name(&o->profile->unit));
	if (b->is_merged && box->self >= 0) {
		profile_value(o->profile, box->self, time);
		buf_addf(out, ", self %s", time);
	} else if (!b->is_merged) {
		profile_value_near(o->profile, b->t0 + box->t0, (b->t1 - b->t0) / 1000, at);
		buf_addf(out, ", at %s", at);
	}
}

static void add_box(struct svg_out *o, const struct box *box, int y)
{
	const struct frame *f = profile_frame(o->profile, box->frame);
	double x = LEFT + (double)box->t0 * o->scale,
	       width = (double)(box->t1 - box->t0) * o->scale;
	int cells = (int)((width - 4) / CHAR);
	struct buf text = { 0 };

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
		struct buf name = { 0 };
		const char *end = strchr(buf_text(&text), '\n');
		size_t len = end ? (size_t)(end - buf_text(&text)) : text.len;

		text_fit(&name, buf_text(&text), len, cells);
		buf_addf(o->out, "<text x=\"%.2f\" y=\"%d\">", x + 2, y + 12);
		add_buf(o->out, &name);
		buf_adds(o->out, "</text>");
		buf_done(&name);
	}
	buf_adds(o->out, "</g>\n");
	buf_done(&text);
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
	char time[UNITS_MAX], share[UNITS_MAX];
	struct buf name = { 0 };

	if (g->lane)
		write_full_name(o->profile, g->lane, &name);
	else
		buf_adds(&name, "all calls");
	profile_value(o->profile, g->ns, time);
	units_percent(g->ns, o->boxes.t1 - o->boxes.t0, share);
	buf_addf(o->out, "<text x=\"%d\" y=\"%d\">", LEFT,
		 row_y(&o->boxes, g->row) - TITLE + TITLE_BASE);
	add_buf(o->out, &name);
	buf_addf(o->out, " - %s", time);
	if (g->lane)
		buf_addf(o->out, ", %s", share);
	buf_adds(o->out, "</text>\n");
	buf_done(&name);
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

static void add_ticks(struct svg_out *o)
{
	const struct boxes *b = &o->boxes;
	int64_t step = tick_step(b->t1 - b->t0), first = (b->t0 + step - 1) / step * step;

	for (int64_t t = first; t <= b->t1 && step > 0; t += step) {
		double x = (double)(t - b->t0) * o->scale;
		char time[UNITS_MAX];

		profile_value_near(o->profile, t, step, time);
		buf_addf(o->out,
			 "<g class=\"a\" data-x=\"%.2f\" transform=\"translate(%.2f,0)\"><line "
			 "class=\"t\" y1=\"%d\" y2=\"%d\"/><text class=\"d\" x=\"2\" "
			 "y=\"%d\">%s</text></g>\n",
			 x, x + LEFT, TOP - 12, height_of(b) - ROW, TOP - 2, time);
	}
}

/* The names of the inputs, in the room that the links beside them leave. */
static void add_names(const struct profile *p, struct buf *out)
{
	struct buf names = { 0 }, fit = { 0 };

	for (uint32_t i = 0; i < p->n_inputs && i < 3; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", profile_input_name(p, i));
	if (p->n_inputs > 3)
		buf_addf(&names, " and %" PRIu32 " more", p->n_inputs - 3);
	text_fit(&fit, buf_text(&names), names.len, TITLE_CELLS);
	add_buf(out, &fit);
	buf_done(&names);
	buf_done(&fit);
}

static void add_title(struct svg_out *o)
{
	const struct profile *p = o->profile;
	const struct boxes *b = &o->boxes;
	char length[UNITS_MAX], from[UNITS_MAX], n[UNITS_MAX], joints[UNITS_MAX], min[UNITS_MAX],
		cut[BOXES_CUT_MAX];

	buf_addf(o->out, "<text class=\"h\" x=\"%d\" y=\"18\">", LEFT);
	add_names(p, o->out);
	profile_value(o->profile, b->t1 - b->t0, length);
	profile_value_near(o->profile, o->options->scope.t0, (b->t1 - b->t0) / 100, from);
	buf_addf(o->out, "</text>\n<text class=\"d\" x=\"%d\" y=\"34\">", LEFT);
	if (b->is_merged)
		buf_addf(o->out, "calls merged, heaviest first; 100 %% = %s", length);
	else
		buf_addf(o->out, "in %s order; 100 %% = %s from %s on",
			 amount_is_time(&p->unit) ? "time" : "allocation", length, from);
	if (b->n_joints) {
		units_count(b->n_joined, n);
		units_count(b->n_joints, joints);
		profile_value(o->profile, b->min_ns, min);
		buf_addf(o->out, "; shorter than %s: %s calls, drawn together in %s boxes", min, n,
			 joints);
	}
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
	add_title(o);
	if (!b->is_merged)
		add_ticks(o);
	for (size_t i = 0; i < b->n_groups && sink_step(o->sink); i++)
		add_group(o, &b->groups[i]);
	for (size_t i = 0; i < b->n && sink_step(o->sink); i++)
		add_box(o, &b->list[i], row_y(b, b->list[i].row));
	if (!plan->is_inside)
		buf_addf(o->out, "<script><![CDATA[\n%s]]></script>\n", svg_script);
	buf_adds(o->out, "</svg>\n");
}

void svg_picture_write(const struct profile *p, const struct export_options *options,
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

#define BYTES_MAX 9500000

static void svg_write(const struct profile *p, const struct export_options *options,
		      struct sink *sink)
{
	static const struct svg_picture_plan plan = { .bytes_most = BYTES_MAX };

	svg_picture_write(p, options, &plan, sink);
}

const struct export_format export_svg = {
	.name = "svg",
	.help = "a picture: the flame chart, or with --merged a flame graph",
	.opens = "any web browser",
	.write = svg_write,
};
