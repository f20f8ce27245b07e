/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Node.js names its profiles PREFIX.YYYYMMDD.HHMMSS.PID.TID.SEQ[.EXT]. The prefix has no dot.
 * The date is the local time of the start. Deno uses CPU.MILLISECONDS.PID.cpuprofile. No other
 * name is understood. */
#include "config.h"

#include "read/load/file_hints.h"

#include "base/date.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_NUMBER INT64_MIN

/* The number that the `len` bytes at `p` are; NO_NUMBER if they are not 1 to 15 digits. */
static int64_t number_part(const char *p, size_t len)
{
	int64_t v = 0;

	if (len == 0 || len > 15)
		return NO_NUMBER;
	for (size_t i = 0; i < len; i++) {
		if (p[i] < '0' || p[i] > '9')
			return NO_NUMBER;
		v = v * 10 + (p[i] - '0');
	}
	return v;
}

/* The same for the id of a process or thread, which may be negative. */
static int64_t id_part(const char *p, size_t len)
{
	bool is_negative = len > 1 && *p == '-';
	int64_t v = number_part(p + is_negative, len - is_negative);

	return is_negative && v != NO_NUMBER ? -v : v;
}

/* Take YYYYMMDD and HHMMSS as the date. Names made by hand may have any digits there: if they are
 * no date, they are only text. */
static void take_date(struct file_hints *hints, int64_t date, int64_t time)
{
	int64_t month = date / 100 % 100, day = date % 100;

	if (date / 10000 < 1970 || month < 1 || month > 12 || day < 1 || day > 31 ||
	    time / 10000 > 23 || time / 100 % 100 > 59 || time % 100 > 60) {
		snprintf(hints->date_text, sizeof hints->date_text, "%04d-%02d-%02d %02d:%02d:%02d",
			 (int)(date / 10000), (int)month, (int)day, (int)(time / 10000),
			 (int)(time / 100 % 100), (int)(time % 100));
		return;
	}
	hints->has_date = true;
	hints->date_s = date_days(date / 10000, month, day) * 86400 + time / 10000 * 3600 +
		time / 100 % 100 * 60 + time % 100;
}

static void take_deno(struct file_hints *hints, const char *name)
{
	size_t len, pid_len;
	int64_t ms, pid;

	if (strncmp(name, "CPU.", 4) != 0)
		return;
	name += 4;
	len = strcspn(name, ".");
	/* 13 digits are the years 2001 to 2286. Fewer could be a date. */
	if (len != 13 || !name[len])
		return;
	ms = number_part(name, len);
	name += len + 1;
	pid_len = strcspn(name, ".");
	pid = id_part(name, pid_len);
	if (ms < 0 || pid == NO_NUMBER || !strstr(name + pid_len, ".cpuprofile"))
		return;
	hints->pid = pid;
	hints->has_date = true;
	hints->is_utc = true;
	hints->date_s = ms / 1000;
}

void file_hints_parse(const char *path, struct file_hints *hints)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *at = name;
	int64_t part[6] = { 0 };
	size_t n = 0;

	*hints = (struct file_hints){ .pid = LANE_NO_ID, .tid = LANE_NO_ID, .seq = -1 };
	while (n < 6) {
		size_t len = strcspn(at, ".");

		/* The prefix may be any text. */
		part[n] = n == 0 ? 0 : n == 3 || n == 4 ? id_part(at, len) : number_part(at, len);
		if (part[n] == NO_NUMBER || (n == 1 && len != 8) || (n == 2 && len != 6))
			break;
		n++;
		if (!at[len])
			break;
		at += len + 1;
	}
	if (n < 6) {
		take_deno(hints, name);
		return;
	}
	hints->pid = part[3];
	hints->tid = part[4];
	hints->seq = part[5];
	take_date(hints, part[1], part[2]);
}
