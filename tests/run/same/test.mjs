import { test } from 'node:test'; import assert from 'node:assert';
test('good', () => assert.ok(true)); test('later', async () => { await new Promise(done => setTimeout(done, 20)); });
