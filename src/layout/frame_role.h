/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The colour role of a frame: the same in chart, tables and legend. */
#ifndef FLAMETTY_LAYOUT_FRAME_ROLE_H
#define FLAMETTY_LAYOUT_FRAME_ROLE_H

#include "layout/role.h"
#include "model/profile.h"

/* What the hue of a frame stands for. */
enum chart_color { CHART_COLOR_FILE, CHART_COLOR_PACKAGE, CHART_COLOR_CATEGORY, CHART_COLOR_NAME };

/* The fill role of a frame in this colour mode. */
enum role frame_role(const struct profile *profile, frame_id id, enum chart_color color);

#endif
