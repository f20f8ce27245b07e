/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes wait in the message until there are many of them, or it ends. Standard error is not
 * buffered: each write of the C library is one of the system. */
#include "config.h"

#include "base/message.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define PART_MAX 16384 /* bytes of what message_vprint() formats; the rest is cut off */
#define PREFIX "flametty: "

/* A message while it is put together. */
struct message {
	char bytes[4096];
	size_t n;
};

static void flush(struct message *m)
{
	if (m->n)
		fwrite(m->bytes, 1, m->n, stderr);
	m->n = 0;
}

static void put(struct message *m, const char *bytes, size_t len)
{
	if (len > sizeof m->bytes - m->n)
		flush(m);
	memcpy(m->bytes + m->n, bytes, len);
	m->n += len;
}

/* newline: what stands for one; NULL: its visible form. */
static void add_visible(struct message *m, const char *text, size_t len, const char *newline)
{
	static const char replacement[] = "\357\277\275";
	const char *p = text, *end = text + len;

	while (p < end) {
		const char *from = p;
		uint32_t cp = text_next(&p, end);
		char seen[12];

		if (cp == '\n' && newline) {
			put(m, newline, strlen(newline));
		} else if (text_is_ill_formed(cp, from, p)) {
			put(m, replacement, sizeof replacement - 1);
		} else if (text_is_control(cp)) {
			text_control(cp, seen);
			put(m, seen, strlen(seen));
		} else {
			put(m, from, (size_t)(p - from));
		}
	}
}

void message_parts(const char *before, const char *what, const char *after)
{
	struct message m = { .n = 0 };

	put(&m, PREFIX, strlen(PREFIX));
	add_visible(&m, before, strlen(before), NULL);
	add_visible(&m, what, strlen(what), NULL);
	add_visible(&m, after, strlen(after), "\n" PREFIX);
	put(&m, "\n", 1);
	flush(&m);
}

void message_vprint(const char *before, const char *format, va_list ap)
{
	char part[PART_MAX];
	int len = vsnprintf(part, sizeof part, format, ap);

	message_parts(before, len < 0 ? format : part, len >= (int)sizeof part ? "..." : "");
}

void message_print(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	message_vprint("", format, ap);
	va_end(ap);
}

void message_lines(const char *text, size_t len)
{
	struct message m = { .n = 0 };

	add_visible(&m, text, len, "\n");
	flush(&m);
}
