/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the options of `flametty watch` ask for. */
#ifndef FLAMETTY_WATCH_SETTINGS_H
#define FLAMETTY_WATCH_SETTINGS_H

#include "base/error.h"
#include "cli/options.h"
#include "record/watch_thread.h"

struct watch_settings {
	int64_t stall_ns; /* INT64_MAX: none */
	int64_t keep_ns;
	int64_t interval_us;
	struct watch_share gc, busy; /* limits above 1: none */
	uint32_t most;               /* files */
	bool is_json;
};

/* Returns false and err if a value is wrong. */
bool watch_settings_find(struct watch_settings *settings, const struct options *options,
			 struct error *err);

#endif
