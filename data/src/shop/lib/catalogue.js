'use strict';

const ADJECTIVES = ['small', 'large', 'blue', 'green', 'oak', 'steel', 'woven', 'folding'];
const NOUNS = ['chair', 'table', 'lamp', 'shelf', 'basket', 'kettle', 'rug', 'mirror', 'clock'];

function makeProduct(id) {
  const name = `${ADJECTIVES[id % 8]} ${NOUNS[id % 9]} no. ${id}`;
  return {
    id,
    name,
    price: 500 + (id * 7919) % 20000,
    tags: [ADJECTIVES[(id * 3) % 8], NOUNS[(id * 5) % 9]],
    description: `A ${name}, made to last. `.repeat(3 + id % 5),
  };
}

const products = Array.from({ length: 3000 }, (_, id) => makeProduct(id));

function all() {
  return products;
}

function find(id) {
  return products[id % products.length];
}

// A new formatter for every price: the most costly line of the program.
function formatPrice(cents) {
  return new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' })
    .format(cents / 100);
}

function pageOf(page, size) {
  return products
    .slice(page * size, (page + 1) * size)
    .map(product => ({ ...product, label: formatPrice(product.price) }));
}

function countSharedTags(a, b) {
  return a.tags.filter(tag => b.tags.includes(tag)).length;
}

function relatedTo(product, limit) {
  return products
    .map(other => ({ other, score: countSharedTags(product, other) }))
    .sort((a, b) => b.score - a.score || a.other.price - b.other.price)
    .slice(0, limit)
    .map(entry => ({ ...entry.other, label: formatPrice(entry.other.price) }));
}

function priceCart(lines) {
  let total = 0;
  const priced = lines.map(function priceLine(line) {
    const product = find(line.id);
    const sum = product.price * line.count;
    total += sum;
    return { ...line, name: product.name, sum: formatPrice(sum) };
  });
  return { lines: priced, total: formatPrice(total) };
}

module.exports = { all, find, pageOf, relatedTo, priceCart };
