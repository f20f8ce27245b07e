/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Class names of the page differ from those of the picture inside it (svg_script.c). The picture
 * keeps the colours of its boxes in the dark, with dark names in them.
 *
 * The script sorts tables by a click on a heading or by Enter: numbers by data-v. */
#include "config.h"

#include "write/export/html_script.h"

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

const char html_script[] =
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
