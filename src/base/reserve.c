/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reserve is a few blocks of the heap that are never written to. They take addresses, which
 * limits of memory count, but almost no physical memory. Each allocation that fails costs a block,
 * or several if it is large: between two places where the thread can free something, more than one
 * may fail. */
#include "config.h"

#include "base/reserve.h"

#include <stdlib.h>

#define BLOCKS 8

/* An array of this size may use up a part of the reserve. */
#define SMALL (RESERVE_LEAST / 4)

static _Thread_local struct {
	void *blocks[BLOCKS]; /* the last ones are freed first */
	int n;
	size_t size; /* as asked for; 0: the thread has no reserve */
	size_t wanted, refused;
} own;

static void spend_all(void)
{
	while (own.n > 0)
		free(own.blocks[--own.n]);
}

/* Allocate all blocks of a reserve of this size, or none. */
static bool fill(size_t bytes)
{
	while (own.n < BLOCKS && (own.blocks[own.n] = malloc(bytes / BLOCKS)) != NULL)
		own.n++;
	if (own.n < BLOCKS)
		spend_all();
	return own.n > 0;
}

bool reserve_keep(size_t bytes)
{
	spend_all();
	own.size = bytes;
	own.wanted = own.refused = 0;
	for (; bytes >= RESERVE_LEAST; bytes /= 2)
		if (fill(bytes))
			return true;
	return false;
}

bool reserve_renew(void)
{
	return reserve_keep(own.size);
}

bool reserve_spend(size_t wanted)
{
	if (own.size && !own.wanted)
		own.wanted = wanted ? wanted : 1;
	if (own.n == 0)
		return false;
	free(own.blocks[--own.n]);
	return true;
}

size_t reserve_wanted(void)
{
	return own.wanted;
}

size_t reserve_refused(void)
{
	return own.refused;
}

bool reserve_is_kept(void)
{
	return own.size > 0;
}

bool reserve_has_room(size_t bytes)
{
	/* Volatile: a compiler may leave out an allocation that is not used. */
	void *volatile probe;
	bool has_room;

	if (own.size == 0 || bytes <= SMALL)
		return true;
	probe = malloc(bytes);
	has_room = probe != NULL;
	free(probe);
	if (!has_room && !own.refused)
		own.refused = bytes;
	return has_room;
}
