/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of the details pane that says what the file states about a slice or mark: its events,
 * read again, with their stacks. */
#ifndef FLAMETTY_UI_DETAILS_EVENT_H
#define FLAMETTY_UI_DETAILS_EVENT_H

#include "model/lane.h"
#include "ui/pane/details_lines.h"

/* Add the events of a span; nothing if the file states none. While they are being read, a line says
 * so, and app->details.is_waiting is set. */
void details_event_add(struct details_lines *p, const struct lane *lane, const struct span *span);

#endif
