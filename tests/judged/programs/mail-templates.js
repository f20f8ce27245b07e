// Renders mails from templates.
// Culprit: escapeHtml looks each character up and joins an array for each value.
'use strict';

const template = `<h1>Hello {{name}}</h1><p>Order {{id}} of {{date}} was sent to {{address}}.</p>
<ul>{{#items}}<li>{{title}} - {{price}}</li>{{/items}}</ul><footer>{{shop}} &copy; {{year}}</footer>`;

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text) {
  const out = [];
  for (const char of Array.from(String(text))) {
    const found = Object.keys(entities).find((key) => key === char);
    out.push(found ? entities[found] : char);
  }
  return out.join('');
}

function compile(source) {
  const parts = [];
  let last = 0;
  for (const m of source.matchAll(/\{\{([#/]?)(\w+)\}\}/g)) {
    parts.push({ kind: 'text', value: source.slice(last, m.index) });
    parts.push({ kind: m[1] || 'name', value: m[2] });
    last = m.index + m[0].length;
  }
  parts.push({ kind: 'text', value: source.slice(last) });
  return parts;
}

function renderParts(parts, data, from, until) {
  let html = '';
  for (let i = from; i < until; i += 1) {
    const part = parts[i];
    if (part.kind === 'text') html += part.value;
    else if (part.kind === 'name') html += escapeHtml(data[part.value]);
    else if (part.kind === '#') {
      const close = parts.findIndex((p, at) => at > i && p.kind === '/' && p.value === part.value);
      for (const item of data[part.value]) html += renderParts(parts, item, i + 1, close);
      i = close;
    }
  }
  return html;
}

function makeOrder(n) {
  const items = [];
  for (let i = 0; i < 3 + n % 5; i += 1) items.push({ title: `Thing <${i}> & more`, price: (n * 7 + i).toFixed(2) });
  return { name: `Customer "${n}"`, id: n, date: '2026-11-22', address: `Street ${n}, 12345 Town`, items, shop: 'Shop', year: 2026 };
}

const end = Date.now() + 2000;
let bytes = 0;
for (let n = 0; Date.now() < end; n += 1) bytes += renderParts(compile(template), makeOrder(n), 0, 17).length;
console.log(bytes);
