/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects as events of a trace. */
#ifndef FLAMETTY_EXPORT_TRACE_OUT_OBJECT_H
#define FLAMETTY_EXPORT_TRACE_OUT_OBJECT_H

#include "write/export/trace_out.h"

/* Write the objects of a lane, in the range of the scope. */
void trace_out_object(struct trace_out *o, const struct lane *lane);

#endif
