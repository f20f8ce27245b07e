'use strict';
// Makes pictures, has the workers shrink and encode them, gathers the results.

const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { drawPicture } = require('./draw');

const WORKERS = ['thumbnail-worker.js', 'thumbnail-worker.js', 'checksum-worker.js'];
const PICTURES = 24;

class WorkerPool {
  constructor(files) {
    this.results = [];
    this.workers = files.map(file => this.startWorker(file));
  }

  startWorker(file) {
    const worker = new Worker(path.join(__dirname, file));
    worker.on('message', result => this.collectResult(worker, result));
    worker.pending = 0;
    return worker;
  }

  leastBusy(workers) {
    return workers.reduce((best, worker) => (worker.pending < best.pending ? worker : best));
  }

  dispatch(picture) {
    const [first, second, checksums] = this.workers;
    for (const worker of [this.leastBusy([first, second]), checksums]) {
      worker.pending++;
      worker.postMessage(picture);
    }
  }

  collectResult(worker, result) {
    worker.pending--;
    this.results.push(result);
    if (this.results.length === 2 * PICTURES) this.finish();
  }

  finish() {
    for (const worker of this.workers) worker.postMessage(null);
    console.log(summarise(this.results));
  }
}

function summarise(results) {
  const sum = results.reduce((total, result) => total + (result.bytes || 0), 0);
  return `${results.length} results, ${sum} bytes of thumbnails`;
}

const pool = new WorkerPool(WORKERS);
let next = 0;

function produce() {
  pool.dispatch(drawPicture(next++, 480, 320));
  if (next < PICTURES) setTimeout(produce, 40);
}

produce();
