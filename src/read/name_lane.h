/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lane under construction, for formats whose stacks have a duration but no time, and whose frames
 * are names. The lane shows the stacks one after the other, in the order in which they come. The
 * reader pushes the names of a stack, outermost first, and then adds the stack. */
#ifndef FLAMETTY_READER_NAME_LANE_H
#define FLAMETTY_READER_NAME_LANE_H

#include "base/intern.h"
#include "read/reader.h"
#include "read/stack_lane.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct name_lane {
	struct intern names;
	struct stack_lane lane; /* its frames: ids of names */
	uint32_t node;          /* of the names that were pushed */
	size_t n_stacks;        /* 0: the next stack begins at time 0 */
};

void name_lane_init(struct name_lane *l);
void name_lane_done(struct name_lane *l);

/* Go from the current stack to the frame with this name, an id of l->names. Fails with ERR_LIMIT.
 */
bool name_lane_push(struct name_lane *l, str_id name, struct error *err);

/* Add the current stack, which lasts `ns`, and begin an empty one. offset: of the stack in the
 * document, for the warning if `ns` is negative or too long. */
void name_lane_add(struct name_lane *l, struct builder *b, int64_t offset, int64_t ns);

/* Make the lane, and begin another one. Fails with ERR_FORMAT if there are no stacks, or as
 * cpu_builder_end() does. */
bool name_lane_end(struct name_lane *l, struct builder *b, const struct file_hints *hints,
		   struct error *err);

#endif
