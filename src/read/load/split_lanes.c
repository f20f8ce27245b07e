/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Only the folder build/ changes profiles; this is its door for the program. */
#include "config.h"

#include "read/load/split_lanes.h"

#include "base/error.h"
#include "model/build/align.h"
#include "model/build/part_lanes.h"
#include "model/profile.h"

#include <string.h>

/* ==== realign ====
 *
 * The user's choice between one time line for all lanes and one for each group of them, for a
 * profile that is loaded. */

bool realign_is_possible(const struct profile *p, bool is_own, struct error *err)
{
	return align_can_switch(p, is_own, err);
}

bool realign(struct profile *p, bool is_own, struct error *err)
{
	if (!align_can_switch(p, is_own, err))
		return false;
	align_switch(p, is_own);
	return true;
}

/* ==== split lanes ==== */

#define LABEL "label:"

/* The key of `label:KEY`; NULL: it is another word. */
static const char *key_of(const char *how)
{
	return strncmp(how, LABEL, sizeof LABEL - 1) == 0 ? how + sizeof LABEL - 1 : NULL;
}

bool split_lanes_is_word(const char *how)
{
	const char *key = key_of(how);

	return key ? *key != '\0' : strcmp(how, "none") == 0 || strcmp(how, "cat") == 0;
}

bool split_lanes_is_possible(const struct profile *p, const char *how, struct error *err)
{
	const char *key = key_of(how);
	uint32_t index;

	if (key)
		return label_lanes_find(p, key, &index, err);
	return strcmp(how, "cat") != 0 || p->has_cat_lanes || cat_lanes_are_possible(p, err);
}

bool split_lanes_differs(const struct profile *p, const char *how)
{
	const char *key = key_of(how);
	uint32_t index = p->label_lanes.key;

	if (key)
		return !index || strcmp(profile_text(p, p->labels.keys[index - 1].name), key) != 0;
	return strcmp(how, "cat") == 0 ? !p->has_cat_lanes : p->whole != NULL;
}

bool split_lanes(struct profile *p, const char *how, struct error *err)
{
	const char *key = key_of(how);
	uint32_t index;

	if (!split_lanes_is_possible(p, how, err))
		return false;
	if (!split_lanes_differs(p, how))
		return true;
	whole_lanes_restore(p);
	if (key) {
		if (!label_lanes_find(p, key, &index, err))
			return false;
		label_lanes_make(p, index);
	} else if (strcmp(how, "cat") == 0) {
		cat_lanes_make(p);
	}
	return true;
}
