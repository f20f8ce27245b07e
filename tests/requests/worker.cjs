// SPDX-License-Identifier: GPL-2.0-or-later
// The server, in a worker.
'use strict';
const { Worker } = require('worker_threads');

new Worker(require.resolve(process.argv[2] === 'module' ? './module.mjs' : './server.cjs'));
