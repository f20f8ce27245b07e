/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Labels of samples while a profile is built. */
#ifndef FLAMETTY_BUILD_BUILDER_LABELS_H
#define FLAMETTY_BUILD_BUILDER_LABELS_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct builder;

/* Any bytes. */
struct builder_label {
	struct str key, value;
	bool is_number;  /* the value is one, */
	struct str unit; /* with this unit behind it, if that is not empty */
};

/* The number of a set of labels, for cpu_builder_label(). Labels without key or value do not count;
 * several values of one key are one, too, with commas. Returns 0, with a warning, when there are
 * too many sets (model/labels.h). */
uint32_t builder_labels_set(struct builder *b, const struct builder_label *list, size_t n);

#endif
