// Exercises fourteen small kernels in turn, each for the same time: no culprit.
'use strict';

const text = 'The quick brown fox jumps over the lazy dog while nineteen small wizards quietly box. ';
const numbers = Float64Array.from({ length: 400 }, (_, i) => (i * 7919) % 1013);

const kernels = [
  function primes() { let n = 0; for (let i = 2; i < 300; i += 1) { let p = 1; for (let d = 2; d * d <= i; d += 1) if (i % d === 0) { p = 0; break; } n += p; } return n; },
  function matrix() { let s = 0; for (let i = 0; i < 12; i += 1) for (let j = 0; j < 12; j += 1) for (let k = 0; k < 12; k += 1) s += numbers[i * 12 + k] * numbers[k * 12 + j]; return s; },
  function fnv() { let h = 0; for (let i = 0; i < text.length * 8; i += 1) h = Math.imul(h ^ text.charCodeAt(i % text.length), 16777619); return h; },
  function median() { let low = 0; for (let i = 0; i < 40; i += 1) for (let j = 0; j < 40; j += 1) if (numbers[j] < numbers[i]) low += 1; return low; },
  function collatz() { let n = 0; for (let i = 1; i < 40; i += 1) for (let x = i; x !== 1; n += 1) x = x % 2 ? 3 * x + 1 : x / 2; return n; },
  function vowels() { let n = 0; for (let i = 0; i < text.length * 6; i += 1) { const c = text.charCodeAt(i % text.length); if (c === 97 || c === 101 || c === 105) n += 1; } return n; },
  function horner() { let s = 0; for (let x = 0; x < 30; x += 1) { let v = 0; for (let i = 0; i < 30; i += 1) v = v * 0.5 + numbers[i] * x; s += v; } return s; },
  function pairs() { let n = 0; for (let i = 0; i < 45; i += 1) for (let j = i; j < 45; j += 1) if ((numbers[i] + numbers[j]) % 7 === 0) n += 1; return n; },
  function gray() { let s = 0; for (let i = 0; i < 900; i += 1) s ^= i ^ (i >> 1); return s; },
  function walk() { let x = 0; for (let i = 0; i < 900; i += 1) x = (x * 5 + numbers[i % 400]) % 400 | 0; return x; },
  function sums() { let s = 0; for (let r = 0; r < 3; r += 1) for (let i = 1; i < 400; i += 1) s += numbers[i] - numbers[i - 1]; return s; },
  function gcds() { let s = 0; for (let i = 1; i < 60; i += 1) { let a = i * 91; let b = 1001; while (b) [a, b] = [b, a % b]; s += a; } return s; },
  function waves() { let s = 0; for (let i = 0; i < 120; i += 1) s += Math.sin(i) * Math.cos(i / 3); return s; },
  function bits() { let n = 0; for (let i = 0; i < 200; i += 1) for (let v = i; v; v >>= 1) n += v & 1; return n; },
];

const slice = 14;
let sum = 0;
for (let round = 0; round < 12; round += 1) {
  for (const kernel of kernels) {
    const end = process.hrtime.bigint() + BigInt(slice * 1e6);
    while (process.hrtime.bigint() < end) for (let i = 0; i < 400; i += 1) sum += kernel();
  }
}
console.log(sum);
