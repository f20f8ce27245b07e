/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `flametty watch` has told of long tasks, as rows of a list; each also is a slice of the lane
 * of its thread. Owned by the profile. */
#ifndef FLAMETTY_MODEL_STALL_LIST_H
#define FLAMETTY_MODEL_STALL_LIST_H

#include "base/intern.h"
#include "model/frame.h"

#include <stddef.h>
#include <stdint.h>

struct stall_entry {
	uint32_t input;
	int64_t t0, t1; /* ns since the start of the profile */
	str_id time;    /* `2026-11-23 03:12:44`: by the wall clock of the machine */
	str_id process; /* `4711 server.js`, `4711/2 server.js` of its worker 2 */
	str_id event;   /* `stall`, as `watch` calls it */
	str_id blame;   /* `render page.js:12 93 %`; 0: nothing is known */
	str_id file;    /* name of its recording, beside the list; 0: it has none */
	frame_id frame; /* of its slice: the function that is to blame */
};

struct stall_list {
	struct stall_entry *all; /* by input, then t0 */
	size_t n, cap;
};

#endif
