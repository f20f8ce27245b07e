/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Node names its profiles PREFIX.YYYYMMDD.HHMMSS.PID.TID.SEQ[.EXT]; the prefix has no
 * dot. Nothing else is taken from a name. */
#include "config.h"

#include "reader/reader.h"

#include <stdlib.h>
#include <string.h>

/* Digits at `p` up to the next dot or the end; -1 when there is anything else. */
static int64_t number_part(const char *p, size_t len)
{
	int64_t v = 0;

	if (len == 0 || len > 15)
		return -1;
	for (size_t i = 0; i < len; i++) {
		if (p[i] < '0' || p[i] > '9')
			return -1;
		v = v * 10 + (p[i] - '0');
	}
	return v;
}

void file_facts_parse(const char *path, struct file_facts *facts)
{
	const char *name = strrchr(path, '/');
	int64_t part[6];
	size_t n = 0;

	*facts = (struct file_facts){ -1, -1 };
	name = name ? name + 1 : path;
	while (n < 6) {
		size_t len = strcspn(name, ".");

		/* The prefix may be any text. */
		part[n] = n == 0 ? 0 : number_part(name, len);
		if (part[n] < 0 || (n == 1 && len != 8) || (n == 2 && len != 6))
			return;
		n++;
		if (!name[len])
			break;
		name += len + 1;
	}
	if (n < 6)
		return;
	facts->pid = part[3];
	facts->tid = part[4];
}
