// A cache with eviction of the least recently used page.
// Culprit: touch searches and splices an array at each access.
'use strict';

class PageCache {
  constructor(limit) {
    this.limit = limit;
    this.pages = new Map();
    this.order = [];
  }

  touch(key) {
    const at = this.order.indexOf(key);
    if (at >= 0) this.order.splice(at, 1);
    this.order.push(key);
  }

  get(key, load) {
    let page = this.pages.get(key);
    if (!page) {
      page = load(key);
      this.pages.set(key, page);
      if (this.pages.size > this.limit) this.pages.delete(this.order.shift());
    }
    this.touch(key);
    return page;
  }
}

let seed = 12345;
function random() {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  return seed / 0x7fffffff;
}

function loadPage(key) {
  return { key, title: `Page ${key}`, words: key.split('/').map((w) => w.toUpperCase()) };
}

function serve(cache) {
  const key = `/shelf/${Math.floor(random() * random() * 9000)}`;
  return cache.get(key, loadPage).title.length;
}

const cache = new PageCache(5000);
const end = Date.now() + 2000;
let sum = 0;
while (Date.now() < end) for (let i = 0; i < 500; i += 1) sum += serve(cache);
console.log(sum, cache.pages.size);
