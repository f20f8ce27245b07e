// SPDX-License-Identifier: GPL-2.0-or-later
// The lines of C that the makefile makes are the script without its comments, and it runs.
//
// usage: node same.mjs requests_lines.h
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { read, source } from './lib.mjs';

const made = readFileSync(process.argv[2], 'utf8').trimEnd().split('\n').map(line => {
	assert.match(line, /^"([^"\\]|\\.)*\\n",$/);
	return line.slice(1, -4).replace(/\\(.)/g, '$1');
});
const own = source.replace(/^\s*\/\*[^]*?\*\/\n/gm, '').split('\n').map(line => line.trim()).filter(line => line);

assert.deepEqual(made, own);
const { pull, stop, error } = (0, eval)(made.join('\n'))({ atOnce: 1, cpu: 1 }, createRequire(import.meta.url));

assert.equal(error, undefined);
assert.equal(read(pull()).head.state, 1);
assert.equal(read(stop()).head.errors, 0);
