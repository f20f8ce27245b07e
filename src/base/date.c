/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Years begin in March here, so that the day of a leap year is the last one. An era has 400 years.
 */
#include "config.h"

#include "base/date.h"

#include "base/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DAY_S (24 * 3600)
#define ERA_DAYS 146097
#define FIRST_DAY 719468 /* of 1970, counted from March of the year 0 */

int64_t date_days(int64_t year, int64_t month, int64_t day)
{
	int64_t y = month > 2 ? year : year - 1, era = y / 400, of_era = y - era * 400;
	int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 + of_year - FIRST_DAY;
}

/* Take `n` digits, and the byte after them if it is one of `after` (NULL: any, which stays). */
static bool take(const char **p, const char *end, int n, const char *after, int64_t *number)
{
	*number = 0;
	if (end - *p < n)
		return false;
	for (int i = 0; i < n; i++, (*p)++) {
		if (**p < '0' || **p > '9')
			return false;
		*number = *number * 10 + (**p - '0');
	}
	if (!after)
		return true;
	return *p < end && **p && strchr(after, *(*p)++);
}

/* Take the fraction of a second, in ns, without rounding. */
static bool take_fraction(const char **p, const char *end, int64_t *ns)
{
	const char *from = *p + 1;

	*ns = 0;
	if (*p == end || **p != '.')
		return true;
	for (int64_t unit = NS_PER_S / 10; ++*p < end && **p >= '0' && **p <= '9'; unit /= 10)
		*ns += (**p - '0') * unit;
	return *p > from;
}

/* Take a time zone, in seconds before UTC. */
static bool take_zone(const char **p, const char *end, int64_t *seconds)
{
	int64_t hours, minutes = 0;
	bool is_east;

	*seconds = 0;
	if (*p == end)
		return true;
	if (**p == 'Z' || **p == 'z') {
		++*p;
		return true;
	}
	is_east = **p == '+';
	if (*(*p)++ != '-' && !is_east)
		return false;
	if (!take(p, end, 2, NULL, &hours))
		return false;
	*p += *p < end && **p == ':';
	if (*p < end && !take(p, end, 2, NULL, &minutes))
		return false;
	*seconds = (hours * 3600 + minutes * 60) * (is_east ? -1 : 1);
	return hours < 24 && minutes < 60;
}

bool date_parse(const char *text, size_t len, int64_t *ns)
{
	const char *p = text, *end = text + len;
	int64_t year, month, day, hour, minute, second, fraction, zone;

	if (!take(&p, end, 4, "-", &year) || !take(&p, end, 2, "-", &month) ||
	    !take(&p, end, 2, "Tt ", &day) || !take(&p, end, 2, ":", &hour) ||
	    !take(&p, end, 2, ":", &minute) || !take(&p, end, 2, NULL, &second) ||
	    !take_fraction(&p, end, &fraction) || !take_zone(&p, end, &zone) || p != end)
		return false;
	/* Later years have no room as nanoseconds. */
	if (year < 1970 || year > 2200 || month < 1 || month > 12 || day < 1 || day > 31 ||
	    hour > 23 || minute > 59 || second > 60)
		return false;
	*ns = (date_days(year, month, day) * DAY_S + hour * 3600 + minute * 60 + second + zone) *
			NS_PER_S +
		fraction;
	return true;
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

void date_format(int64_t seconds, char between, char out[DATE_MAX])
{
	int64_t days = floor_div(seconds, DAY_S) + FIRST_DAY, era = floor_div(days, ERA_DAYS),
		of_era = days - era * ERA_DAYS, time = seconds - floor_div(seconds, DAY_S) * DAY_S,
		year = (of_era - of_era / 1460 + of_era / 36524 - of_era / (ERA_DAYS - 1)) / 365,
		of_year = of_era - (365 * year + year / 4 - year / 100),
		month = (5 * of_year + 2) / 153, day = of_year - (153 * month + 2) / 5 + 1;

	month += month < 10 ? 3 : -9;
	year += era * 400 + (month <= 2);
	snprintf(out, DATE_MAX, "%04d-%02d-%02d%c%02d:%02d:%02d", (int)year, (int)month, (int)day,
		 between, (int)(time / 3600), (int)(time / 60 % 60), (int)(time % 60));
}

void date_clock(int64_t ns, int decimals, char out[DATE_MAX])
{
	int64_t s = floor_div(ns, NS_PER_S), rest = ns - s * NS_PER_S,
		time = s - floor_div(s, DAY_S) * DAY_S, unit = NS_PER_S;
	int n = snprintf(out, DATE_MAX, "%02d:%02d:%02d", (int)(time / 3600), (int)(time / 60 % 60),
			 (int)(time % 60));

	for (int i = 0; i < decimals && i < 9; i++)
		unit /= 10;
	if (decimals > 0)
		snprintf(out + n, (size_t)(DATE_MAX - n), ".%0*" PRId64,
			 decimals < 9 ? decimals : 9, rest / unit);
}
