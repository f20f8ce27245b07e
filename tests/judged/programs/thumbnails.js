// The main thread hands pictures to a worker and waits for the palettes.
// Culprit: nearest, in the worker, compares each pixel with each colour of the palette.
'use strict';
const { Worker, isMainThread, parentPort } = require('node:worker_threads');

function makePicture(n) {
  const pixels = new Uint8Array(160 * 120 * 3);
  for (let i = 0; i < pixels.length; i += 1) pixels[i] = (i * n + (i >> 3)) & 255;
  return pixels;
}

function makePalette() {
  const palette = [];
  for (let i = 0; i < 96; i += 1) palette.push({ r: (i * 37) & 255, g: (i * 91) & 255, b: (i * 53) & 255 });
  return palette;
}

function nearest(palette, r, g, b) {
  let best = 0;
  let least = Infinity;
  for (let i = 0; i < palette.length; i += 1) {
    const c = palette[i];
    const d = (c.r - r) ** 2 + (c.g - g) ** 2 + (c.b - b) ** 2;
    if (d < least) { least = d; best = i; }
  }
  return best;
}

function quantize(pixels, palette) {
  const out = new Uint8Array(pixels.length / 3);
  for (let i = 0; i < out.length; i += 1) out[i] = nearest(palette, pixels[i * 3], pixels[i * 3 + 1], pixels[i * 3 + 2]);
  return out;
}

function runLengths(indexes) {
  const runs = [];
  for (let i = 0, from = 0; i <= indexes.length; i += 1) if (indexes[i] !== indexes[from]) { runs.push([indexes[from], i - from]); from = i; }
  return runs;
}

if (isMainThread) {
  const worker = new Worker(__filename);
  const end = Date.now() + 2000;
  let n = 1;
  worker.on('message', () => {
    if (Date.now() > end) worker.postMessage(null);
    else worker.postMessage(makePicture(n += 1));
  });
  worker.postMessage(makePicture(n));
} else {
  const palette = makePalette();
  parentPort.on('message', (pixels) => {
    if (!pixels) parentPort.close();
    else parentPort.postMessage(runLengths(quantize(pixels, palette)).length);
  });
}
