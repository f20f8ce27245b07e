/* SPDX-License-Identifier: GPL-2.0-or-later */
/* While a file is loaded each beginning of it has an app, and the next one goes on where the last
 * one was. */
#ifndef FLAMETTY_UI_APP_TRANSFER_H
#define FLAMETTY_UI_APP_TRANSFER_H

#include "ui/command.h"

struct app;

/* Whether a command makes something of the profile that could not be handed over. */
bool app_transfer_is_barred(enum command_id id);

#endif
