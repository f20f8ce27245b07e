/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The script by which processes of Node.js record themselves, and the variables that have it
 * loaded. */
#ifndef FLAMETTY_RUN_HOOK_H
#define FLAMETTY_RUN_HOOK_H

#include "base/buf.h"

#include <stdint.h>

struct run_hook {
	const char *folder;  /* of the run: see run_folder.h */
	int64_t interval_us; /* between samples */
	int64_t heap_bytes;  /* between samples of what is allocated; 0: record time instead */
	int64_t most_bytes;  /* of the slices that a thread keeps; 0: all */
};

/* Append the script, with the settings of this run. */
void run_hook_write(const struct run_hook *hook, struct buf *out);

/* Append a value of NODE_OPTIONS that loads the script at `path`. before: the value so far; NULL:
 * none. */
void run_hook_node_options(const char *path, const char *before, struct buf *out);

/* Append a value of BUN_OPTIONS by which Bun records itself. `folder`: where to, without blanks,
 * because Bun knows no way to quote them. before: as above. */
void run_hook_bun_options(const char *folder, int64_t interval_us, const char *before,
			  struct buf *out);

#endif
