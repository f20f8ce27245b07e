/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Years begin in March here, so that the day of a leap year is the last one. An era has 400 years.
 */
#include "config.h"

#include "base/date.h"

#include "base/units.h"

#include <inttypes.h>
#include <stdio.h>

#define DAY_S (24 * 3600)
#define ERA_DAYS 146097
#define FIRST_DAY 719468 /* of 1970, counted from March of the year 0 */

int64_t date_days(int64_t year, int64_t month, int64_t day)
{
	int64_t y = month > 2 ? year : year - 1, era = y / 400, of_era = y - era * 400;
	int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 + of_year - FIRST_DAY;
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
