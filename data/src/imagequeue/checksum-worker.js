'use strict';
// Computes a digest and a histogram of each picture; idle most of the time.

const crypto = require('node:crypto');
const { parentPort } = require('node:worker_threads');

function digestOf(data) {
  return crypto.createHash('sha256').update(data).digest('hex');
}

function countColours(data) {
  const counts = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const key = `${data[i]},${data[i + 1]},${data[i + 2]}`;
    counts.set(key, (counts.get(key) || 0) + 1);
  }
  return counts;
}

function topColours(counts, limit) {
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, limit);
}

parentPort.on('message', function onPicture(picture) {
  if (!picture) return parentPort.close();
  parentPort.postMessage({
    id: picture.id,
    digest: digestOf(picture.data),
    colours: topColours(countColours(picture.data), 5),
  });
});
