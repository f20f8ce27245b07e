/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `flametty run` has Node.js load this file before each program (NODE_OPTIONS, --require). It loads
 * the script of the recording, hook.cjs in the folder FLAMETTY_RUN, which is gone when the run is
 * over. Programs keep their variables for weeks and pass them to other users, so whatever is missing
 * or not permitted, nothing is done, and nothing is said. Only a script of the user's own that no
 * other user can change is loaded.
 *
 * All versions of flametty and of Node.js share this file: it must not need to change. */
'use strict';
(function () {
	var fs, folder, hook, uid;

	function isOwn(path, isKind) {
		var info = fs.lstatSync(path);

		return info.uid === uid && info[isKind]() && (info.mode & 18) === 0; /* 022 */
	}

	try {
		folder = process.env.FLAMETTY_RUN;
		if (!folder || typeof Deno !== 'undefined' || typeof Bun !== 'undefined')
			return;
		fs = require('fs');
		uid = process.geteuid();
		hook = folder + '/hook.cjs';
		if (isOwn(folder, 'isDirectory') && isOwn(hook, 'isFile'))
			require(hook);
	} catch (error) {
		/* Nothing is recorded. */
	}
	/* Programs look at what is loaded. */
	try {
		delete require.cache[hook];
		delete require.cache[__filename];
	} catch (error) {
		/* It stays. */
	}
})();
