/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reserve: memory that a thread keeps aside, so that a shortage does not end the program.
 *
 * When an allocation of that thread fails (alloc.h), its reserve is freed, part by part, until the
 * allocation succeeds. The thread goes on until it comes to a place where it can free what it can
 * do without; there it looks at reserve_wanted() and asks for a new reserve. Arrays that may be
 * larger than the reserve are not allocated before reserve_has_room() has said that they fit.
 *
 * Each thread has a reserve of its own, of 0 bytes at first. */
#ifndef FLAMETTY_BASE_RESERVE_H
#define FLAMETTY_BASE_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

#define RESERVE_LEAST ((size_t)1 << 20)

/* Have a reserve of `bytes`, or as much as there is memory for, but not less than RESERVE_LEAST.
 * The shortage before is over. Returns false when there is no memory for any reserve. bytes: from
 * RESERVE_LEAST; 0: free the reserve, and have none. */
bool reserve_keep(size_t bytes);

/* The same with the size of the call before. Forgets what was refused, too. */
bool reserve_renew(void);

/* An allocation of `wanted` bytes has failed: free a part of the reserve. Returns false when
 * nothing is left of it, and trying again is useless. For base/alloc. */
bool reserve_spend(size_t wanted);

/* The size of the first allocation that failed since the reserve is there, 1 or more; 0: none has
 * failed, or the thread has no reserve. */
size_t reserve_wanted(void);

/* Whether the thread has asked for a reserve. */
bool reserve_is_kept(void);

/* Whether `bytes` more can be allocated without the reserve. If not, the caller leaves out what the
 * memory was for, and reserve_refused() is `bytes` until the reserve is renewed; the first refusal
 * counts. Always true on a thread that never asked for a reserve: there, an allocation that fails
 * ends the program with a message. */
bool reserve_has_room(size_t bytes);
size_t reserve_refused(void);

#endif
