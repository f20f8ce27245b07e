/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `flametty watch`: a line for each stall of running processes, and profiles around them. */
#ifndef FLAMETTY_RECORD_WATCH_COMMAND_H
#define FLAMETTY_RECORD_WATCH_COMMAND_H

#include "base/error.h"
#include "cli/options.h"
#include "cli/run.h"
#include "record/watch_thread.h"

/* Watch the processes of the arguments until they have ended, or until a signal ends the program.
 * SIGTERM and SIGHUP then end it as such, when the inspectors are closed and the files written:
 * this does not return. */
void watch_command(struct run *run);

struct watch_settings {
	int64_t stall_ns; /* INT64_MAX: none */
	int64_t keep_ns;
	int64_t interval_us;
	struct watch_share gc, busy; /* limits above 1: none */
	int64_t grow_kb, grow_ns;    /* grow_kb 0: none */
	uint32_t most;               /* files */
	bool is_json;
};

/* Returns false and err if a value is wrong. */
bool watch_settings_find(struct watch_settings *settings, const struct options *options,
			 struct error *err) MUST_USE;

#endif
