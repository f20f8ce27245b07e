/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the script run_preload.cjs is, which NODE_OPTIONS names during a run.
 *
 * A program of Node.js does not start if that file is missing or cannot be read, and programs keep
 * their variables after the run and pass them on, also to processes of other users. So the file
 * is never deleted, everyone can read it, and no other user can put another one in its place: it is
 * the file that `make install` has installed, or a copy that is made once in the user's folder for
 * data. */
#ifndef FLAMETTY_RECORD_RUN_PLACE_H
#define FLAMETTY_RECORD_RUN_PLACE_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/* Append the path of the script, which is made if there is none. Returns false and err if there is
 * no place for it. */
bool run_place_find(struct buf *path, struct error *err) MUST_USE;

/* ---- for tests ---- */

enum run_place_fault {
	RUN_PLACE_GOOD,
	RUN_PLACE_MISSING, /* the path is not there, or cannot be looked at */
	RUN_PLACE_SHARED,  /* another user can put another file in its place */
	RUN_PLACE_CLOSED   /* only this user can read it */
};

#endif
