/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples as samples: the events in which V8 streams CPU profiles. */
#ifndef FLAMETTY_EXPORT_TRACE_OUT_SAMPLES_H
#define FLAMETTY_EXPORT_TRACE_OUT_SAMPLES_H

#include "write/export/trace_out.h"

/* Write a lane of samples: a Profile event and its ProfileChunk events. number: of the profile in
 * the file, from 1. */
void trace_out_samples(struct trace_out *o, const struct lane *lane, unsigned number);

#endif
