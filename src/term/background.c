/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answer has the form of xterm: three or four channels of one to four hexadecimal digits each,
 * where all digits f is full intensity. */
#include "config.h"

#include "term/background.h"

#include "base/clock.h"
#include "base/units.h"
#include "term/color.h"
#include "term/input.h"

#include <stdlib.h>
#include <string.h>
#include <sys/select.h>

static struct {
	int in_fd;
	int64_t asked_ns;
	bool is_asking; /* the answer may still come */
	bool is_known;
	int32_t page;
	bool is_taken;
} background;

/* Parse an answer like `11;rgb:ffff/ffff/dddd`. False: it is none, and *page is unchanged. */
static bool parse(const char *answer, int32_t *page)
{
	const char *p = answer;
	int32_t rgb = 0;

	if (strncmp(p, "11;rgb", 6) != 0)
		return false;
	p += 6;
	p += *p == 'a'; /* rgba: the fourth channel does not matter */
	if (*p != ':')
		return false;
	for (int i = 0; i < 3; i++) {
		size_t digits = strspn(++p, "0123456789abcdefABCDEF");

		if (digits < 1 || digits > 4)
			return false;
		rgb = rgb << 8 |
			(int32_t)(strtoul(p, NULL, 16) * 255 / ((1ul << (4 * digits)) - 1));
		p += digits;
		if (i < 2 && *p != '/')
			return false;
	}
	*page = rgb;
	return true;
}

void background_begin(int in_fd)
{
	memset(&background, 0, sizeof background);
	background.in_fd = in_fd;
	background.asked_ns = clock_ns();
	background.is_asking = true;
}

static void look(void)
{
	struct input_answers *answers = input_answers();

	if (parse(answers->text, &background.page)) {
		background.is_known = true;
		background.is_taken = false;
	}
	answers->text[0] = '\0';
	/* Answers come in the order of the requests: the colour was first. */
	background.is_asking = !answers->has_attributes;
}

void background_await(int ms)
{
	int64_t end = background.asked_ns + ms * NS_PER_MS, left;

	while (background.is_asking && (left = end - clock_ns()) > 0) {
		struct timeval time = { 0, (suseconds_t)(left / 1000) };
		fd_set set;

		FD_ZERO(&set);
		FD_SET(background.in_fd, &set);
		if (select(background.in_fd + 1, &set, NULL, NULL, &time) <= 0 || !input_look())
			return;
		look();
	}
}

bool background_is_light(int32_t page)
{
	return color_contrast(0x000000, page) > color_contrast(0xffffff, page);
}

bool background_take(int32_t *page)
{
	int32_t before = *page;

	if (background.is_asking)
		look();
	if (!background.is_known || background.is_taken)
		return false;
	background.is_taken = true;
	*page = background.page;
	return *page != before;
}
