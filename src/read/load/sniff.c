/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sniff_file() gives the answer of sniff_reader() for the first SNIFF_FIRST bytes, but without
 * a stream and its buffers. Where a stream would change these bytes, it gives none. */
#include "config.h"

#include "read/load/sniff.h"

#include "base/quoted.h"
#include "base/stream/decode.h"
#include "base/stream/unpack.h"
#include "read/load/not_a_profile.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SNIFF_PAD 64u /* bytes after the text that a scanner may look at */

/* The reader with the highest score for a document, or NULL. */
static const struct reader *ask(const struct outline *outline)
{
	const struct reader *best = NULL;
	int score = 0;

	for (size_t i = 0; readers[i]; i++) {
		int n = readers[i]->sniff(outline);

		if (n > score) {
			score = n;
			best = readers[i];
		}
	}
	return best;
}

/* Report what a document without a reader is. */
static void refuse(const struct outline *outline, const char *kind, struct error *err)
{
	if (!kind && (outline->err.kind == ERR_SYNTAX || outline->err.kind == ERR_LIMIT))
		error_set(err, ERR_UNKNOWN, outline->err.offset, "%s", outline->err.text);
	else
		error_set(err, ERR_UNKNOWN, 0, "%s", kind ? kind : not_a_profile_json(outline));
}

const struct reader *sniff_reader(struct outline *outline, struct str head, bool is_all,
				  bool is_last, struct error *err)
{
	const char *kind = not_a_profile_bytes(head.p, head.len);
	const struct reader *reader;
	bool is_known;

	outline_look(outline, head.p, head.len, is_all);
	reader = ask(outline);
	/* The first line is enough to name text that is not JSON. */
	is_known = kind
		? memchr(head.p, '\n', head.len) != NULL || memchr(head.p, '\0', head.len) != NULL
		: outline->is_whole;
	if (!reader && (is_known || is_all || is_last))
		refuse(outline, kind, err);
	return reader;
}

/* Read the beginning of a regular file. Returns the number of bytes; -1: it cannot be read. */
static ptrdiff_t read_head(const char *path, char *head, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	ptrdiff_t len = 0, n = -1;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		while ((n = read(fd, head + len, size - (size_t)len)) > 0)
			len += n;
	close(fd);
	return n < 0 ? -1 : len;
}

/* Whether a stream would unpack or convert a document that begins with `head`. */
static bool is_encoded(const char *head, size_t len)
{
	return unpack_format_of(head, len) != UNPACK_PLAIN || decode_is_needed(head, len) ||
		quoted_is_needed(head, len < QUOTED_HEAD ? len : QUOTED_HEAD);
}

bool sniff_file(const char *path, const struct reader **reader)
{
	char head[SNIFF_FIRST + SNIFF_PAD];
	struct outline outline;
	struct error err = ERROR_INIT;
	ptrdiff_t len = read_head(path, head, SNIFF_FIRST);

	if (len <= 0 || is_encoded(head, (size_t)len))
		return false;
	memset(head + len, 0, SNIFF_PAD);
	*reader = sniff_reader(&outline, (struct str){ head, (size_t)len },
			       (size_t)len < SNIFF_FIRST, false, &err);
	return *reader || err.kind != ERR_NONE;
}
