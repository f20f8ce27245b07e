// SPDX-License-Identifier: GPL-2.0-or-later
// Records the process whose inspector is the argument, until it is killed.
import { connect, record } from './lib.mjs';

const { post } = await connect(process.argv[2]);

await record(post, { cpu: 1, sockets: 1, files: 1, quietMs: 1500 });
console.log('ready');
setInterval(() => {}, 1000);
