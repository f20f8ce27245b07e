/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tmux, which the helper starts, reads the text from a socket: unlike a pipe, that can be written
 * to without a signal when tmux has ended. It gets TMUX_MS; if it has not ended with success by
 * then, the terminal gets the text, which tmux itself may pass on. */
#include "config.h"

#include "term/clipboard.h"

#include "base/base64.h"
#include "base/clock.h"
#include "base/units.h"
#include "term/helper.h"
#include "term/tty.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define TMUX_MS 1000
#define SCREEN_PIECE 752 /* with the frame of a piece, at most 768 bytes */

static struct buf unsure;

/* ---- OSC 52 ---- */

/* Append the control sequences for a text. is_screen: wrapped for GNU screen, which passes strings
 * of at most 768 bytes to its terminal. */
static void clipboard_encode(const char *text, size_t len, bool is_screen, struct buf *out)
{
	BUF_LOCAL plain = { 0 };

	buf_adds(&plain, "\033]52;c;");
	base64_add(&plain, text, len);
	buf_adds(&plain, "\007");
	if (!is_screen)
		buf_add(out, plain.data, plain.len);
	for (size_t at = 0; is_screen && at < plain.len; at += SCREEN_PIECE) {
		buf_adds(out, "\033P");
		buf_add(out, plain.data + at,
			plain.len - at < SCREEN_PIECE ? plain.len - at : SCREEN_PIECE);
		buf_adds(out, "\033\\");
	}
}

/* Whether a terminal takes a text of `len` bytes. */
static bool fits(size_t len)
{
	return (len + 2) / 3 * 4 <= CLIPBOARD_BYTES_MAX;
}

static bool send_to_terminal(const char *text, size_t len)
{
	BUF_LOCAL out = { 0 };
	const char *type = getenv("TERM");
	bool is_screen = getenv("STY") && type && strncmp(type, "screen", 6) == 0;

	if (!fits(len))
		return false;
	clipboard_encode(text, len, is_screen, &out);
	tty_write(out.data, out.len);
	return true;
}

/* ---- tmux ---- */

static void feed(int fd, const char *text, size_t len, int64_t end_ns)
{
	while (len && clock_ns() < end_ns) {
		ssize_t n = send(fd, text, len, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n > 0) {
			text += n;
			len -= (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1,
			     (int)((end_ns - clock_ns()) / NS_PER_MS) + 1);
		} else if (errno != EINTR) {
			return;
		}
	}
}

/* tmux before 3.2 does not know -w. */
static bool send_to_tmux(const char *text, size_t len, bool has_w)
{
	int64_t end_ns = clock_ns() + TMUX_MS * NS_PER_MS;
	int ends[2];
	bool has_begun;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return false;
	has_begun = helper_copy(has_w, ends[0]);
	close(ends[0]);
	if (has_begun)
		feed(ends[1], text, len, end_ns);
	close(ends[1]);
	return has_begun && helper_copied(end_ns);
}

/* ---- both ---- */

const char *clipboard_put(const char *text, size_t len, bool has_clipboard)
{
	const char *tmux = getenv("TMUX");

	buf_clear(&unsure);
	if (tmux && *tmux) {
		if (send_to_tmux(text, len, true))
			return "tmux buffer, and the clipboard if tmux may set it";
		if (send_to_tmux(text, len, false))
			return "tmux buffer";
	}
	if (!send_to_terminal(text, len)) {
		buf_add(&unsure, text, len);
		return "too long for the terminal; printed at exit";
	}
	if (has_clipboard)
		return "clipboard of the terminal";
	buf_add(&unsure, text, len);
	return "sent to the terminal (OSC 52), printed at exit";
}

void clipboard_take_unsure(struct buf *out)
{
	*out = unsure;
	unsure = (struct buf){ 0 };
}
