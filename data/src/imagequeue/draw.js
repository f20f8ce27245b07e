'use strict';

function mandelbrot(cx, cy, limit) {
  let x = 0, y = 0, n = 0;
  while (n < limit && x * x + y * y < 4) {
    [x, y] = [x * x - y * y + cx, 2 * x * y + cy];
    n++;
  }
  return n;
}

function colourOf(n, limit) {
  return n === limit ? [0, 0, 0] : [(n * 9) & 255, (n * 5) & 255, (n * 3) & 255];
}

function drawPicture(id, width, height) {
  const data = new Uint8ClampedArray(width * height * 4);
  const zoom = 3 / (1 + id / 4);
  for (let row = 0; row < height; row++) {
    for (let col = 0; col < width; col++) {
      const n = mandelbrot(-0.7 + zoom * (col / width - 0.5), zoom * (row / height - 0.5), 40);
      data.set([...colourOf(n, 40), 255], 4 * (row * width + col));
    }
  }
  return { id, width, height, data };
}

module.exports = { drawPicture };
