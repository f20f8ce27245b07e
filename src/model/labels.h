/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Labels of samples: pairs of a key and a text, such as `trace endpoint` and `GET /users`. Each
 * different set of labels is stored once; a lane whose samples have labels has the number of a set
 * for each sample (lane.labels), all other lanes have nothing. Set 0 is empty. A number is a text,
 * too, and is known to be one. */
#ifndef FLAMETTY_MODEL_LABELS_H
#define FLAMETTY_MODEL_LABELS_H

#include "base/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits; what is beyond has a warning. */
#define LABELS_SETS_MAX ((size_t)1 << 22)
#define LABELS_KEYS_MAX 256u
#define LABELS_TEXT_MAX 1024u /* bytes of a key or a value */

struct label {
	uint32_t key;  /* index of labels.keys */
	str_id value;  /* of the profile's strings; not 0 */
	uint32_t form; /* LABEL_TEXT; or LABEL_NUMBER, plus the str_id of its unit, with which the
			  value ends behind a blank; or LABEL_JOINED */
};

enum {
	LABEL_TEXT,
	LABEL_NUMBER,
	LABEL_JOINED = INT32_MAX /* several values of a key as one; they follow it one by one */
};

/* What labels with some keys say about all samples of a thread: see formats(5), PPROF. */
enum label_says {
	LABEL_SAYS_NOTHING,
	LABEL_SAYS_PID,
	LABEL_SAYS_TID,
	LABEL_SAYS_THREAD,
	LABEL_SAYS_PROCESS
};
enum label_says labels_says(const char *key, size_t len);

struct label_key {
	str_id name;
	str_id none; /* `(no trace endpoint)` */
};

/* Zeroed: there are none. */
struct labels {
	struct intern sets; /* each a list of struct label, by key */
	struct label_key *keys;
	uint32_t n_keys;
	size_t cap_keys;
};

void labels_done(struct labels *labels);

/* The number of sets, with the empty one; at least 1. */
static inline size_t labels_count(const struct labels *labels)
{
	return labels->sets.n ? labels->sets.n : 1;
}

/* The number of labels of a set, and one of them. */
size_t labels_size(const struct labels *labels, uint32_t set);
struct label labels_get(const struct labels *labels, uint32_t set, size_t i);

/* The index of a key. Fails with ERR_FORMAT, and some that there are, when no sample has it. */
bool labels_find(const struct labels *labels, const struct intern *strings, const char *key,
		 uint32_t *index, struct error *err) MUST_USE;

/* The value of a key in a set; 0: it has none. */
str_id labels_value(const struct labels *labels, uint32_t set, uint32_t key);

#endif
