/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading has bytes; each step after it counts in units of its own, which are shown as a share. */
#include "config.h"

#include "base/progress_text.h"

#include "base/units.h"

#include <stdio.h>

/* What both kinds of progress have. */
struct part {
	const char *name;
	int64_t done, total, elapsed_ns; /* total 0: unknown */
};

static struct part part_of(const struct progress *p)
{
	if (p->step)
		return (struct part){ p->step, p->step_done, p->step_total, p->step_elapsed_ns };
	return (struct part){ "reading", p->done, p->total > 0 ? p->total : 0, p->elapsed_ns };
}

double progress_text_share(const struct progress *p)
{
	struct part part = part_of(p);

	if (part.total == 0)
		return -1;
	return part.done < part.total ? (double)part.done / (double)part.total : 1;
}

static double per_second(const struct part *part)
{
	return part->elapsed_ns > 0 ? (double)part->done * 1e9 / (double)part->elapsed_ns : 0;
}

/* ` 2.0 s left`, in tenths of a second, after `separator`; empty while the speed is
 * not known, and in the last tenth. */
static void format_left(const struct part *part, const char *separator, char *text, size_t size)
{
	double speed = per_second(part);
	char left[UNITS_MAX];
	int64_t ns;

	text[0] = '\0';
	if (part->total == 0 || speed <= 0 || part->done >= part->total)
		return;
	ns = (int64_t)((double)(part->total - part->done) / speed * 10) * (NS_PER_S / 10);
	if (ns == 0)
		return;
	units_time(ns, left);
	snprintf(text, size, "%s%s left", separator, left);
}

static void format_share(const struct part *part, char *text)
{
	units_percent(part->done < part->total ? part->done : part->total, part->total, text);
}

void progress_text_line(const struct progress *p, char *text)
{
	struct part part = part_of(p);
	char done[UNITS_MAX], total[UNITS_MAX], rate[UNITS_MAX], left[UNITS_MAX + 16];

	format_left(&part, "   ", left, sizeof left);
	if (p->step) {
		format_share(&part, done);
		snprintf(text, PROGRESS_TEXT_MAX, "%s   %s%s", part.name, done, left);
		return;
	}
	units_bytes(part.done, done);
	units_bytes((int64_t)per_second(&part), rate);
	units_bytes(part.total, total);
	snprintf(text, PROGRESS_TEXT_MAX, "%s   %s%s%s   %s/s%s", part.name, done,
		 part.total ? " of " : "", part.total ? total : "", rate, left);
}

void progress_text_short(const struct progress *p, char *text)
{
	struct part part = part_of(p);
	char done[UNITS_MAX], left[UNITS_MAX + 16];

	format_left(&part, ", ", left, sizeof left);
	if (part.total)
		format_share(&part, done);
	else
		units_bytes(part.done, done);
	snprintf(text, PROGRESS_TEXT_MAX, "%s %s%s", part.name, done, left);
}
