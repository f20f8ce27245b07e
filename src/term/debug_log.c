/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each line is one write at the end of the file, so that several programs can share it and no line
 * is lost when the program ends. Errors of a write are ignored: there is no place to report them.
 */
#include "config.h"

#include "term/debug_log.h"

#include "base/clock.h"
#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define VARIABLE "FLAMETTY_DEBUG"
#define LINE_BYTES_MAX 200 /* a longer line is cut off */

static struct {
	bool is_open;
	int fd;
	int64_t began_ns;
} debug_log;

bool debug_log_open(struct error *err)
{
	const char *path = getenv(VARIABLE);
	struct stat st;
	int fd;

	if (!path || !*path)
		return true;
	/* Not the terminal, and no pipe without a reader. */
	fd = open(path,
		  O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
		  0600);
	if (fd < 0)
		return error_errno(err, errno, VARIABLE ": %s", path);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return error_set(err, ERR_IO, -1, VARIABLE ": %s: not a regular file", path);
	}
	debug_log.is_open = true;
	debug_log.fd = fd;
	debug_log.began_ns = clock_ns();
	debug_log_add("begin: process %ld, which has used %.3f ms of a processor", (long)getpid(),
		      (double)clock_used_ns() / NS_PER_MS);
	return true;
}

void debug_log_close(void)
{
	if (!debug_log.is_open)
		return;
	debug_log_add("end");
	close(debug_log.fd);
	debug_log.is_open = false;
}

bool debug_log_is_open(void)
{
	return debug_log.is_open;
}

void debug_log_add(const char *format, ...)
{
	char line[LINE_BYTES_MAX];
	size_t n;
	int len;
	va_list ap;

	if (!debug_log.is_open)
		return;
	n = (size_t)snprintf(line, sizeof line, "%10.3f ms  ",
			     (double)(clock_ns() - debug_log.began_ns) / NS_PER_MS);
	va_start(ap, format);
	len = vsnprintf(line + n, sizeof line - n, format, ap);
	va_end(ap);
	n = len < 0 ? n : n + (size_t)len < sizeof line - 1 ? n + (size_t)len : sizeof line - 1;
	line[n++] = '\n';
	if (write(debug_log.fd, line, n) < 0)
		errno = 0;
}
