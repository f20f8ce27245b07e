'use strict';

const zlib = require('node:zlib');
const crypto = require('node:crypto');

function escapeField(value) {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function formatRow(product) {
  const digest = crypto.createHash('md5').update(product.description).digest('hex');
  return [product.id, product.name, product.price, product.description, digest]
    .map(escapeField).join(',');
}

function buildReport(products) {
  const csv = products.map(formatRow).join('\n');
  return zlib.gzipSync(csv, { level: 6 });
}

module.exports = { buildReport };
