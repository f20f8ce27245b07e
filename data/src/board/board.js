'use strict';
// A table of departures: fetched, drawn, sorted by a click, counted by a worker.

const table = document.getElementById('board');
const bar = document.getElementById('bar');
const counter = new Worker('count-worker.js');
let rows = [];

function parseLine(line) {
  const [number, to, time, delay] = line.split(';');
  return { number, to, time, delay: Number(delay) };
}

function formatTime(row) {
  const [hour, minute] = row.time.split(':').map(Number);
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
    .format(Date.UTC(2026, 0, 1, hour, minute + row.delay));
}

function drawRow(row) {
  const tr = document.createElement('tr');
  if (row.delay > 10) tr.className = 'late';
  for (const text of [row.number, row.to, row.time, formatTime(row)]) {
    const td = document.createElement('td');
    td.textContent = text;
    tr.append(td);
  }
  return tr;
}

function drawTable() {
  performance.mark('draw-begin');
  table.replaceChildren(...rows.map(drawRow));
  performance.measure('draw table', 'draw-begin');
}

// Reads the layout after each change, as programs do by accident.
function fitColumns() {
  let width = 0;
  for (const tr of table.rows) {
    tr.cells[1].style.minWidth = width + 'px';
    width = Math.max(width, tr.cells[1].offsetWidth);
  }
}

function bySlowCompare(a, b) {
  return a.to.localeCompare(b.to) || formatTime(a).localeCompare(formatTime(b));
}

function sortRows() {
  performance.mark('sort');
  console.time('sort');
  rows.sort(bySlowCompare);
  console.timeEnd('sort');
  drawTable();
  fitColumns();
}

function countRows() {
  console.timeStamp('count asked');
  counter.postMessage(rows);
}

function moveBar(step) {
  bar.style.width = step * 10 + 'px';
  if (step < 20) requestAnimationFrame(() => moveBar(step + 1));
}

async function load() {
  const answer = await fetch('departures.txt');
  const text = await answer.text();
  rows = text.trim().split('\n').map(parseLine);
  drawTable();
  setTimeout(() => moveBar(0), 20);
}

counter.onmessage = event => {
  document.title = `Board: ${event.data.late} of ${event.data.all} late`;
};
document.getElementById('sort').addEventListener('click', sortRows);
document.getElementById('count').addEventListener('click', countRows);
load();
