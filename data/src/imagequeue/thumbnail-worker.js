'use strict';
// Halves a picture twice, softens it and encodes it as JPEG and as PNG.

const { parentPort } = require('node:worker_threads');
const jpeg = require('jpeg-js');
const { PNG } = require('pngjs');

function blurPixel(source, col, row, channel) {
  let sum = 0, count = 0;
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const x = col + dx, y = row + dy;
      if (x < 0 || y < 0 || x >= source.width || y >= source.height) continue;
      sum += source.data[4 * (y * source.width + x) + channel];
      count++;
    }
  }
  return sum / count;
}

function mapPixels(source, width, height, pick) {
  const data = Buffer.alloc(width * height * 4);
  for (let row = 0; row < height; row++) {
    for (let col = 0; col < width; col++) {
      for (let channel = 0; channel < 4; channel++) {
        data[4 * (row * width + col) + channel] = pick(col, row, channel);
      }
    }
  }
  return { width, height, data };
}

function blur(source) {
  return mapPixels(source, source.width, source.height,
    (col, row, channel) => blurPixel(source, col, row, channel));
}

function halve(source) {
  return mapPixels(source, source.width >> 1, source.height >> 1,
    (col, row, channel) => source.data[4 * (2 * row * source.width + 2 * col) + channel]);
}

function encodeJpeg(picture) {
  return jpeg.encode(picture, 80).data;
}

function encodePng(picture) {
  const png = new PNG({ width: picture.width, height: picture.height });
  picture.data.copy(png.data);
  return PNG.sync.write(png);
}

function makeThumbnail(picture) {
  const small = halve(blur(halve(picture)));
  return encodeJpeg(small).length + encodePng(small).length;
}

parentPort.on('message', function onPicture(picture) {
  if (!picture) return parentPort.close();
  parentPort.postMessage({ id: picture.id, bytes: makeThumbnail(picture) });
});
