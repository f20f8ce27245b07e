// Filters pictures held in buffers.
// Culprits: blurRows reads every neighbour of every pixel anew; crc32 works bit by bit.
'use strict';

const width = 256;
const height = 128;

function makeGray(n) {
  const picture = Buffer.alloc(width * height);
  for (let i = 0; i < picture.length; i += 1) picture[i] = (i ^ (i >> 5)) + n;
  return picture;
}

function blurRows(picture, radius) {
  const out = Buffer.alloc(picture.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      let n = 0;
      for (let dx = -radius; dx <= radius; dx += 1) {
        if (x + dx < 0 || x + dx >= width) continue;
        sum += picture[y * width + x + dx];
        n += 1;
      }
      out[y * width + x] = sum / n;
    }
  }
  return out;
}

function crc32(buffer) {
  let crc = -1;
  for (let i = 0; i < buffer.length; i += 1) {
    crc ^= buffer[i];
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

function histogram(picture) {
  const bins = new Uint32Array(256);
  for (let i = 0; i < picture.length; i += 1) bins[picture[i]] += 1;
  return bins;
}

function equalize(picture, bins) {
  const map = new Uint8Array(256);
  let seen = 0;
  for (let i = 0; i < 256; i += 1) { seen += bins[i]; map[i] = (seen * 255) / picture.length; }
  return picture.map((value) => map[value]);
}

const end = Date.now() + 2000;
let sum = 0;
for (let n = 0; Date.now() < end; n += 1) {
  const picture = makeGray(n);
  const equal = equalize(picture, histogram(picture));
  sum = (sum + crc32(blurRows(equal, 5))) % 1e9;
}
console.log(sum);
