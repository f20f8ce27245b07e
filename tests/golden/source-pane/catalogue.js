'use strict';
// The catalogue: prices, search, and a slow comparison of names.
const crypto = require('crypto');

/*
 * Levenshtein distance of two names.
 * It is the slow part on purpose.
 */
function levenshtein(a, b) {
	const rows = [];
	for (let i = 0; i <= a.length; i++) {
		rows[i] = [i];
		for (let j = 1; j <= b.length; j++) {
			rows[i][j] = i === 0 ? j : Math.min(
				rows[i - 1][j] + 1,
				rows[i][j - 1] + 1,
				rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
		}
	}
	return rows[a.length][b.length];
}

const words = [];
for (let i = 0; i < 300; i++)
	words.push(crypto.createHash('md5').update(`word ${i}`).digest('hex').slice(0, 8 + i % 9));

function nearest(word) {
	let best = null, least = Infinity;
	for (const other of words) {
		const d = levenshtein(word, other);
		if (d < least && other !== word) { least = d; best = other; }
	}
	return best;
}

const re = /^[a-f]+\d*(?:"|')?[/]x/i;
function render(items) {
	let html = `<ul class="${items.length > 3 ? `many ${1 + 2}` : 'few'}">`;
	for (const item of items)
		html += '<li>' + item.replace(/[&<>]/g, (c) => '&#' + c.charCodeAt(0) + ';') + '</li>'; // schön 日本語
	return html + "</ul>";
}
module.exports = { nearest, render, words, re };
