'use strict';

function parseQuery(text) {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

function toPattern(word) {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`\\b${escaped.split('').join('[a-z]{0,1}?')}\\w*`, 'gi');
}

function scoreProduct(product, patterns) {
  let score = 0;
  for (const pattern of patterns) {
    const inName = product.name.match(pattern);
    const inText = product.description.match(pattern);
    if (inName) score += 5 * inName.length;
    if (inText) score += inText.length;
  }
  return score;
}

function highlight(text, patterns) {
  return patterns.reduce((out, pattern) => out.replace(pattern, '[$&]'), text);
}

function searchProducts(products, text) {
  const patterns = parseQuery(text).map(toPattern);
  return products
    .map(product => ({ product, score: scoreProduct(product, patterns) }))
    .filter(hit => hit.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 50)
    .map(hit => ({ id: hit.product.id, name: highlight(hit.product.name, patterns) }));
}

module.exports = { searchProducts };
