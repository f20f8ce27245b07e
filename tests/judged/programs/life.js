// The game of life on a grid of objects.
// Culprits: countNeighbours makes keys of strings for each cell; the copies of the grid make much garbage.
'use strict';

const size = 48;

function makeGrid() {
  const grid = new Map();
  for (let y = 0; y < size; y += 1) for (let x = 0; x < size; x += 1) grid.set(`${x},${y}`, { alive: (x * 7 + y * 13) % 5 < 2, age: 0, trail: [] });
  return grid;
}

function countNeighbours(grid, x, y) {
  let n = 0;
  for (let dy = -1; dy <= 1; dy += 1) {
    for (let dx = -1; dx <= 1; dx += 1) {
      if ((dx || dy) && grid.get(`${x + dx},${y + dy}`)?.alive) n += 1;
    }
  }
  return n;
}

function cloneGrid(grid) {
  const copy = new Map();
  for (const [key, cell] of grid) copy.set(key, { ...cell, trail: [...cell.trail, cell.alive ? 1 : 0].slice(-60) });
  return copy;
}

function step(grid) {
  const next = cloneGrid(grid);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const n = countNeighbours(grid, x, y);
      const cell = next.get(`${x},${y}`);
      const alive = n === 3 || (cell.alive && n === 2);
      cell.age = alive ? cell.age + 1 : 0;
      cell.alive = alive;
    }
  }
  return next;
}

function draw(grid) {
  let text = '';
  for (const cell of grid.values()) text += cell.alive ? '#' : '.';
  return text;
}

let grid = makeGrid();
const history = [];
const end = Date.now() + 2000;
let frames = 0;
function nextFrame() {
  grid = step(grid);
  history.push(grid);
  if (history.length > 40) history.shift();
  frames += draw(grid).length > 0 ? 1 : 0;
  if (Date.now() < end) setImmediate(nextFrame);
  else console.log(frames);
}

nextFrame();
