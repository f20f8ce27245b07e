/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Envelopes, in which Sentry's libraries send what they have: a line with a header, and for each
 * item a line with its header and what it holds. */
#ifndef FLAMETTY_READER_SENTRY_ENVELOPE_H
#define FLAMETTY_READER_SENTRY_ENVELOPE_H

#include "base/error.h"
#include "base/json/outline.h"
#include "read/documents.h"

#include <stdbool.h>

/* Whether a text that begins so is an envelope. */
bool sentry_envelope_is(const struct outline *outline);

/* Read the envelope at the scanner, each profile as one document of `d`. problem: why the first
 * profile failed that did, unless it has an error already. Returns false, with *d->err set, when
 * reading cannot go on. */
bool sentry_envelope_read(const struct documents *d, struct error *problem);

#endif
