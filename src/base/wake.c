/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A full pipe loses a byte, which does no harm: it can be read already. */
#include "config.h"

#include "base/wake.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

static void set_flags(int fd)
{
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_SETFL, O_NONBLOCK);
}

bool wake_open(struct wake *wake)
{
	int ends[2];

	*wake = (struct wake){ -1, -1 };
	if (pipe(ends) != 0)
		return false;
	set_flags(ends[0]);
	set_flags(ends[1]);
	*wake = (struct wake){ ends[0], ends[1] };
	return true;
}

void wake_close(struct wake *wake)
{
	if (wake->in >= 0)
		close(wake->in);
	if (wake->out >= 0)
		close(wake->out);
	*wake = (struct wake){ -1, -1 };
}

void wake_up(const struct wake *wake)
{
	if (write(wake->out, "", 1) < 0)
		return;
}

int wake_fd(const struct wake *wake)
{
	return wake->in;
}

bool wake_has_news(const struct wake *wake)
{
	struct pollfd fd = { .fd = wake->in, .events = POLLIN };

	return poll(&fd, 1, 0) > 0;
}

void wake_forget(const struct wake *wake)
{
	char bytes[64];

	while (read(wake->in, bytes, sizeof bytes) == (ssize_t)sizeof bytes)
		;
}
