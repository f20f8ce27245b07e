/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a frame means to the findings: whose code it is, and which part of Node.js. Computed once
 * for each frame of a lane, from its name, url and category. */
#ifndef FLAMETTY_ANALYSIS_FINDING_CHARGE_FRAME_H
#define FLAMETTY_ANALYSIS_FINDING_CHARGE_FRAME_H

#include "base/arena.h"
#include "base/hash_table.h"
#include "model/profile.h"

/* The modules of Node.js whose functions ending in `Sync` block. */
enum charge_sync { SYNC_NONE, SYNC_FS, SYNC_ZLIB, SYNC_CRYPTO, SYNC_CHILD_PROCESS, SYNC_COUNT };

#define CHARGE_OWN 1u         /* the user's own code: application, WebAssembly, eval with a url */
#define CHARGE_DEPENDENCY 2u  /* code of a package */
#define CHARGE_LOADER 4u      /* loads modules */
#define CHARGE_BOOT 8u        /* starts Node.js */
#define CHARGE_TIMER 16u      /* calls back timers */
#define CHARGE_ENTRY 32u      /* calls back from an event loop */
#define CHARGE_IO 64u         /* machinery of input and output, which also waits for others */
#define CHARGE_MAIN 128u      /* below node:internal/main/ */
#define CHARGE_NODE 256u      /* any internal of Node.js */
#define CHARGE_TOP 1024u      /* the top level of a module: no name, at the beginning of a file */
#define CHARGE_NATIVE_IO 512u /* native function that writes or closes a socket */
#define CHARGE_TWIN 16384u    /* another function of the lane has its name, file and line */
#define CHARGE_MINIFIED 8192u /* its file is minified: lines are long, short names say nothing */
#define CHARGE_BASE 4096u     /* stands below all functions of a stack: `[root]` of Hermes */
#define CHARGE_SLEEPS 2048u   /* its own time is that of Atomics.wait(), which has no frame */

struct charge_frame {
	uint16_t flags;
	uint16_t module; /* index into struct charge_modules; 0: none */
	uint8_t sync;    /* enum charge_sync: the function blocks */
};

/* The names of modules, `node:http`, and of kinds of code that has no module, `native`. The first
 * one is none. */
struct charge_module {
	const char *name;
	bool is_io; /* it waits for others or only passes data on */
};

struct charge_modules {
	struct charge_module *list;
	size_t n, cap;
	struct hash_table index; /* by name */
};

void charge_frame_modules_done(struct charge_modules *modules);

/* Minified code has long lines: a function of it begins here or behind. */
#define CHARGE_LONG_COLUMN 200

/* Whether a frame with a url begins at CHARGE_LONG_COLUMN or behind. */
bool charge_frame_is_long(const struct frame *frame);

/* Whether the file of a frame is minified, by its name, or by the lines that all frames tell of:
 * they are noted first. urls: by str_id, 0 at first; what is known of a file. */
void charge_frame_note_url(const struct frame *frame, uint8_t *urls);
bool charge_frame_is_minified(const struct profile *profile, const struct frame *frame,
			      uint8_t *urls);

/* Classify a frame, without CHARGE_MINIFIED. Texts of `modules` live in `arena`. */
struct charge_frame charge_frame_of(const struct profile *profile, const struct frame *frame,
				    struct charge_modules *modules, struct arena *arena);

/* Whether a module, `node:http`, waits for others or only passes data on. */
bool charge_frame_is_io(const char *name);

/* `fs`, `zlib`, ... */
const char *charge_frame_sync_name(enum charge_sync sync);

#endif
