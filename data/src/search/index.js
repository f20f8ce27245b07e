// A search index in memory: reads generated articles, keeps words, positions and a cache of pages.
'use strict';

const articles = 1500;
const words = 4000;

class Cache {
  constructor() {
    this.pages = new Map();
  }

  put(key, page) {
    this.pages.set(key, page);
  }
}

let seed = 7;

function random(n) {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed % n;
}

function makeText(id) {
  const text = [];
  for (let i = 0; i < 120; i++) {
    text.push('word' + random(words));
  }
  return `article ${id} ${text.join(' ')}`;
}

function tokenize(text) {
  return text.split(' ').map((word, at) => ({ word, at }));
}

function addArticle(index, id, text) {
  for (const { word, at } of tokenize(text)) {
    let places = index.get(word);
    if (!places) {
      places = [];
      index.set(word, places);
    }
    places.push({ id, at });
  }
}

function render(id, text) {
  return Buffer.from(`<html><h1>${id}</h1><p>${text}</p></html>`.repeat(4));
}

function buildIndex(cache) {
  const index = new Map();
  for (let id = 0; id < articles; id++) {
    const text = makeText(id);
    addArticle(index, id, text);
    if (id % 3 === 0) {
      cache.put(id, render(id, text));
    }
  }
  return index;
}

const cache = new Cache();
const index = buildIndex(cache);

// What is alive when the process exits is what the profile shows.
process.on('exit', () => console.log(index.size, cache.pages.size));
