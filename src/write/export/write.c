/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Digits are made by hand: an export writes millions of numbers, and printf() is slower. */
#include "config.h"

#include "write/export/write.h"

#include "base/text.h"
#include "model/lane_name.h"

#include <inttypes.h>
#include <string.h>

void write_integer(struct buf *out, int64_t value)
{
	char digits[24];
	size_t at = sizeof digits;
	uint64_t rest = value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;

	do
		digits[--at] = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (value < 0)
		digits[--at] = '-';
	buf_add(out, digits + at, sizeof digits - at);
}

void write_us(struct buf *out, int64_t ns)
{
	int64_t rest = ns % 1000;

	if (rest < 0) {
		buf_addc(out, '-');
		ns = -ns;
		rest = -rest;
	}
	write_integer(out, ns / 1000);
	if (rest) {
		char fraction[4] = { '.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
				     (char)('0' + rest % 10) };

		buf_add(out, fraction, sizeof fraction);
	}
}

void write_value(struct buf *out, const struct profile *profile, int64_t ns)
{
	if (amount_is_time(&profile->unit))
		write_us(out, ns);
	else
		write_integer(out, amount_number(&profile->unit, ns));
}

void write_text(struct buf *out, const char *text, size_t len)
{
	buf_addc(out, '"');
	text_json(out, text, len);
	buf_addc(out, '"');
}

void write_string(struct buf *out, const struct profile *profile, str_id id)
{
	write_text(out, profile_text(profile, id), intern_len(&profile->strings, id));
}

static void add_string(struct buf *out, const struct profile *profile, str_id id)
{
	buf_add(out, profile_text(profile, id), intern_len(&profile->strings, id));
}

void write_full_name(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	if (lane->title || lane->thread_name || lane->tid != LANE_NO_ID)
		lane_name(profile, lane, true, out);
	else
		write_lane_name(profile, lane, out);
}

void write_lane_name(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	if (lane->title)
		add_string(out, profile, lane->title);
	else if (lane->thread_name)
		add_string(out, profile, lane->thread_name);
	else if (lane->tid == 0 && lane->pid != LANE_NO_ID)
		buf_adds(out, "main thread");
	else if (lane->tid != LANE_NO_ID && lane->tid != 0)
		buf_addf(out, "thread %" PRId64, lane->tid);
	else
		buf_adds(out, profile_input_name(profile, lane->input));
}
