/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "source/map_text.h"

#include "base/alloc.h"
#include "base/json/cursor.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define END_BYTES ((size_t)8 << 10)

void map_text_done(struct map_text *text)
{
	free(text->bytes);
	*text = (struct map_text){ 0 };
}

/* Read from byte `from` to the end of a file of `size` bytes. */
static bool read_from(struct map_text *text, int fd, size_t from, size_t size, const char *path,
		      struct error *err)
{
	map_text_done(text);
	text->bytes = alloc_if_room(size - from + CURSOR_PAD);
	if (!text->bytes)
		return error_set(err, ERR_LIMIT, -1, "%s: no memory for it", path);
	while (from + text->len < size) {
		ssize_t n = pread(fd, text->bytes + text->len, size - from - text->len,
				  (off_t)(from + text->len));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, errno, "%s", path);
		if (n == 0)
			break;
		text->len += (size_t)n;
	}
	memset(text->bytes + text->len, 0, CURSOR_PAD);
	return true;
}

/* Read the last `most` bytes, or more of a file that ends with a longer line. */
static bool read_file(struct map_text *text, const char *path, size_t most, struct error *err)
{
	/* A pipe without a writer would wait for ever. */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	bool ok;

	*text = (struct map_text){ 0 };
	if (fd < 0) {
		if (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG)
			error_errno(err, errno, "%s", path);
		return false;
	}
	if (fstat(fd, &st) < 0) {
		ok = error_errno(err, errno, "%s", path);
	} else if (!S_ISREG(st.st_mode)) {
		ok = error_set(err, ERR_IO, -1, "%s: no regular file", path);
	} else if (st.st_size > MAP_TEXT_MAX) {
		ok = error_set(err, ERR_LIMIT, -1, "%s: longer than 1 GB", path);
	} else {
		size_t size = (size_t)st.st_size, from = size > most ? size - most : 0;

		ok = read_from(text, fd, from, size, path, err);
		if (ok && from && !memchr(text->bytes, '\n', text->len))
			ok = read_from(text, fd, 0, size, path, err);
	}
	close(fd);
	if (ok)
		text->changed_s = (int64_t)st.st_mtime;
	else
		map_text_done(text);
	return ok;
}

bool map_text_read(struct map_text *text, const char *path, struct error *err)
{
	return read_file(text, path, SIZE_MAX, err);
}

bool map_text_read_end(struct map_text *text, const char *path, struct error *err)
{
	return read_file(text, path, END_BYTES, err);
}

/* ---- data: urls ---- */

static int base64_digit(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+' || c == '-')
		return 62;
	return c == '/' || c == '_' ? 63 : -1;
}

static bool decode_base64(struct map_text *text, const char *p, size_t n)
{
	uint32_t bits = 0;
	int n_bits = 0;

	for (size_t i = 0; i < n && p[i] != '='; i++) {
		int digit = base64_digit(p[i]);

		if (digit < 0)
			return false;
		bits = bits << 6 | (uint32_t)digit;
		n_bits += 6;
		if (n_bits >= 8) {
			n_bits -= 8;
			text->bytes[text->len++] = (char)(bits >> n_bits & 0xff);
		}
	}
	return true;
}

static bool decode_percent(struct map_text *text, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int byte = p[i] == '%' && i + 2 < n ? text_hex_pair(p + i + 1) : -1;

		text->bytes[text->len++] = byte >= 0 ? (char)byte : p[i];
		i += byte >= 0 ? 2 : 0;
	}
	return true;
}

bool map_text_decode(struct map_text *text, struct str url, struct error *err)
{
	static const char base64[] = ";base64";
	const size_t n_word = sizeof(base64) - 1;
	const char *comma = memchr(url.p, ',', url.len);
	size_t n;
	bool ok;

	*text = (struct map_text){ 0 };
	if (!comma)
		return error_set(err, ERR_FORMAT, 0, "a data: url without a comma");
	n = url.len - (size_t)(comma + 1 - url.p);
	text->bytes = alloc_if_room(n + CURSOR_PAD);
	if (!text->bytes)
		return error_set(err, ERR_LIMIT, -1, "no memory for a source map");
	if ((size_t)(comma - url.p) >= n_word && memcmp(comma - n_word, base64, n_word) == 0)
		ok = decode_base64(text, comma + 1, n);
	else
		ok = decode_percent(text, comma + 1, n);
	if (!ok) {
		map_text_done(text);
		return error_set(err, ERR_FORMAT, 0, "a data: url that is no base64");
	}
	memset(text->bytes + text->len, 0, CURSOR_PAD);
	return true;
}

/* ---- the comment ---- */

static bool is_end_of_url(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\'' || c == '"' ||
		c == '`' || c == '\\';
}

struct str map_text_url(struct str script)
{
	static const char word[] = "sourceMappingURL=";
	const size_t n_word = sizeof(word) - 1;

	/* Backwards: the last one counts, and it is at the end nearly always. */
	for (size_t i = script.len < n_word + 4 ? 0 : script.len - n_word; i >= 4; i--) {
		const char *p = script.p + i;
		size_t n = 0;

		if (p[0] != 's' || memcmp(p, word, n_word) != 0)
			continue;
		if ((p[-1] != ' ' && p[-1] != '\t') || (p[-2] != '#' && p[-2] != '@') ||
		    p[-4] != '/' || (p[-3] != '/' && p[-3] != '*'))
			continue;
		p += n_word;
		while (p + n < script.p + script.len && !is_end_of_url(p[n]) &&
		       !(p[n] == '*' && p[n + 1] == '/'))
			n++;
		return (struct str){ p, n };
	}
	return (struct str){ "", 0 };
}
