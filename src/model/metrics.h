/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is measured of a process once a second, as counters and marks of a trace: how they are
 * called in the file. Their writer is record/metric_log.h. */
#ifndef FLAMETTY_MODEL_METRICS_H
#define FLAMETTY_MODEL_METRICS_H

#include <stdbool.h>
#include <string.h>

/* The file in the folder of a recording. */
#define METRICS_FILE "metrics.trace.json"

/* One row each: METRIC(id, name of the counter, name of its series). */
/* clang-format off */
#define METRICS(METRIC)                                                                    \
	METRIC(BUSY,     "busy %", "busy")                                                 \
	METRIC(GC,       "GC %", "GC")                                                     \
	METRIC(DELAY,    "loop delay ms", "delay")                                         \
	METRIC(TASK,     "longest task ms", "task")                                        \
	METRIC(RSS,      "memory MB", "rss")                                               \
	METRIC(HEAP,     "memory MB", "heap used")                                         \
	METRIC(EXTERNAL, "memory MB", "external")                                          \
	METRIC(HANDLES,  "handles", "handles")                                             \
	METRIC(REQUESTS, "requests", "per s")                                              \
	METRIC(P99,      "requests", "p99 ms")
/* clang-format on */

enum metric {
#define METRIC_ID(id, ...) METRIC_##id,
	METRICS(METRIC_ID) METRIC_COUNT
};

struct metric_name {
	const char *counter, *series;
};

/* How metric i, below METRIC_COUNT, is called in the file. */
static inline const struct metric_name *metrics_name(int i)
{
	static const struct metric_name names[] = {
#define METRIC_NAME(id, counter, series) { counter, series },
		METRICS(METRIC_NAME)
	};

	return &names[i];
}

/* The counter whose series are functions: how much of the time they take. They are the user's own,
 * or, where no own one is known, others. */
#define METRICS_FUNCTIONS "own functions %"

/* Whether a counter of this name is one of them. */
static inline bool metrics_is_counter(const char *name)
{
	for (int i = 0; i < METRIC_COUNT; i++)
		if (strcmp(name, metrics_name(i)->counter) == 0)
			return true;
	return strcmp(name, METRICS_FUNCTIONS) == 0;
}

/* Marks of a process. Any other mark says why it is not measured. */
#define METRICS_PRIMARY "primary"
#define METRICS_WORKER "worker"
#define METRICS_ENDED "ended"

#endif
