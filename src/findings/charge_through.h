/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass-through: which package only passes time on to another one. Only charge.c uses this. */
#ifndef FLAMETTY_ANALYSIS_CHARGE_THROUGH_H
#define FLAMETTY_ANALYSIS_CHARGE_THROUGH_H

#include "findings/charge.h"

/* Begin with a charge that has the times and the attributes of its nodes; it is borrowed. */
struct charge_through *charge_through_begin(struct charge *charge);

/* Replace the packages of nodes without an owner by those that their time is passed on to, in
 * steps: call until it returns true. */
bool charge_through_work(struct charge_through *through, struct budget *budget);

/* NULL is allowed. */
void charge_through_end(struct charge_through *through);

#endif
