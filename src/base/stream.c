/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Three stages, each pulling from the one before: raw bytes (file descriptor or
 * memory), unpacked bytes (gzip, zstd, or as they are), text (UTF-8, or UTF-16
 * converted). Which ones act is decided by the first bytes. Plain UTF-8, the common
 * case, is read straight into the caller's buffer.
 *
 * A long text goes through a fourth stage: the three move to a thread (base/ahead.h), which
 * fills blocks, and the caller reads those. From then on:
 * 1. What stands under "the stages" in struct stream is the thread's alone.
 * 2. Progress and what is told of the stream (damage, bytes) come with the blocks.
 * 3. Packing and encoding are known by then and do not change.
 *
 * Damage in packed data does not fail the stream: what came before it is good. */
#include "config.h"

#include "base/stream.h"

#include "base/read_ahead.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/thread.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define RAW_SIZE ((size_t)256 << 10)
#define TEXT_SIZE ((size_t)64 << 10)
#define WAIT_MS 50
/* Shorter texts are read before a thread pays. */
#define AHEAD_FROM ((size_t)2 << 20)

static_assert(STREAM_KEPT <= BLOCK_HEAD && STREAM_PAD <= BLOCK_TAIL &&
		      STREAM_STRETCHES <= READ_AHEAD_KEPT,
	      "blocks hold what stream_next() promises");

enum packing { PACK_NONE, PACK_GZIP, PACK_ZSTD };
enum encoding { ENC_UTF8, ENC_UTF16_LE, ENC_UTF16_BE };

struct stream {
	struct progress *progress;
	size_t n_given, ahead_from; /* bytes of text: so far, and after which to read ahead */
	struct block own;           /* for stream_next() without a thread */
	struct read_ahead *ahead;   /* NULL: nobody reads ahead */
	int n_processors;           /* when it began to */
	struct block *now;          /* the last one taken from it */
	size_t now_at;              /* what stream_read() left of it */
	int64_t told_bytes;         /* bytes of the file behind the blocks taken */
	const char *told_damage;
	bool is_stopped; /* the user does not want the rest */

	/* The stages. */
	struct read_ahead *worker; /* whose thread they run on; NULL: the caller's */
	int fd;                    /* -1: memory */
	bool is_owned;
	bool is_slow; /* a pipe or the like: bytes may be long in coming */
	const unsigned char *memory;
	size_t memory_len, memory_at, fail_at;
	int64_t file_bytes;
	int64_t file_size; /* -1: unknown */

	unsigned char *raw; /* bytes of the file not yet unpacked */
	size_t raw_at, raw_len;
	bool is_raw_end;

	enum packing packing;
	z_stream z;
	bool is_z_open, is_z_done;
#ifdef HAVE_ZSTD
	ZSTD_DStream *zstd;
	bool is_frame_open;
#endif
	const char *damage;

	bool is_begun;
	enum encoding encoding;
	unsigned char head[4]; /* first bytes of the text, given out again */
	size_t head_at, head_len;
	unsigned char *wide; /* UTF-16 not yet converted */
	size_t wide_at, wide_len;
	bool is_text_end;
};

static struct stream *stream_new(void)
{
	struct stream *s = xcalloc(1, sizeof *s);

	s->fd = -1;
	s->file_size = -1;
	s->fail_at = s->ahead_from = SIZE_MAX;
	return s;
}

struct stream *stream_open(const char *path, struct progress *progress, struct error *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct stream *s;
	struct stat st = { 0 };
	int fd = STDIN_FILENO;

	/* Opening a FIFO must not wait for its writer: wait_bytes() does, and can be stopped. */
	if (!is_stdin)
		fd = open(path,
			  O_RDONLY | O_CLOEXEC | O_NOCTTY |
				  (stat(path, &st) == 0 && S_ISFIFO(st.st_mode) ? O_NONBLOCK : 0));
	if (fd < 0) {
		error_errno(err, errno, "cannot open");
		return NULL;
	}
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		if (!is_stdin)
			close(fd);
		error_errno(err, EISDIR, "cannot read");
		return NULL;
	}
#ifdef POSIX_FADV_SEQUENTIAL
	if (S_ISREG(st.st_mode))
		posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
	s = stream_new();
	s->fd = fd;
	s->is_owned = !is_stdin;
	s->is_slow = !S_ISREG(st.st_mode);
	s->file_size = s->is_slow ? -1 : (int64_t)st.st_size;
	s->progress = progress;
	s->ahead_from = AHEAD_FROM;
	progress_start(progress, "Loading", S_ISREG(st.st_mode) ? (int64_t)st.st_size : -1);
	return s;
}

struct stream *stream_open_memory(const void *data, size_t len, size_t fail_at)
{
	struct stream *s = stream_new();

	s->memory = data;
	s->memory_len = len;
	s->fail_at = fail_at;
	return s;
}

void stream_set_ahead(struct stream *s, size_t from)
{
	s->ahead_from = from;
}

void stream_close(struct stream *s)
{
	if (!s)
		return;
	read_ahead_stop(s->ahead);
	block_done(&s->own);
	if (s->is_owned)
		close(s->fd);
	if (s->is_z_open)
		inflateEnd(&s->z);
#ifdef HAVE_ZSTD
	ZSTD_freeDStream(s->zstd);
#endif
	free(s->raw);
	free(s->wide);
	free(s);
}

/* ---- stage 1: bytes of the file ---- */

static ptrdiff_t read_memory(struct stream *s, void *out, size_t size, struct error *err)
{
	size_t left = s->memory_len - s->memory_at;

	if (s->fail_at < s->memory_len && s->memory_at >= s->fail_at) {
		error_errno(err, EIO, "cannot read");
		return -1;
	}
	if (s->fail_at < s->memory_len && left > s->fail_at - s->memory_at)
		left = s->fail_at - s->memory_at;
	if (size > left)
		size = left;
	if (size)
		memcpy(out, s->memory + s->memory_at, size);
	s->memory_at += size;
	return (ptrdiff_t)size;
}

/* Whether to go on, `more` bytes having been read. The thread asks whether somebody still
 * wants what it reads; the one who wants it tells of progress. */
static bool goes_on(struct stream *s, int64_t more)
{
	return s->worker ? !read_ahead_is_stopping(s->worker) : progress_add(s->progress, more);
}

/* The user wants no more: the end, or, if not even what was read is of use, a failure. */
static ptrdiff_t end_here(struct stream *s, struct error *err)
{
	s->is_stopped = true;
	if (!s->progress->is_given_up)
		return 0;
	error_set(err, ERR_CANCELLED, -1, "given up");
	return -1;
}

/* Wait until there is something to read, or nobody who could write it. Returns false when the
 * user stopped waiting. */
static bool wait_bytes(struct stream *s)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };

	while (s->is_slow && poll(&p, 1, WAIT_MS) <= 0)
		if (!goes_on(s, 0))
			return false;
	return true;
}

static ptrdiff_t read_raw(struct stream *s, void *out, size_t size, struct error *err)
{
	ptrdiff_t n;
	int errnum;

	if (s->fd < 0) {
		n = read_memory(s, out, size, err);
	} else {
		/* A signal may be the terminal's: let the one who waits look. */
		while ((n = wait_bytes(s) ? read(s->fd, out, size) : -1) < 0 &&
		       (errno == EINTR || errno == EAGAIN))
			if (!goes_on(s, 0))
				break;
		errnum = errno;
		if (n < 0 && goes_on(s, 0))
			error_errno(err, errnum, "cannot read");
	}
	if (n > 0)
		s->file_bytes += n;
	if (!goes_on(s, n > 0 ? n : 0))
		return s->worker ? 0 : end_here(s, err);
	return n;
}

/* Have some raw bytes waiting. Returns false at the end or on failure (then err is set). */
static bool fill_raw(struct stream *s, struct error *err)
{
	ptrdiff_t n;

	if (s->raw_at < s->raw_len)
		return true;
	if (s->is_raw_end)
		return false;
	n = read_raw(s, s->raw, RAW_SIZE, err);
	s->raw_at = 0;
	s->raw_len = n > 0 ? (size_t)n : 0;
	s->is_raw_end = n <= 0;
	return n > 0;
}

/* ---- stage 2: unpacked bytes ---- */

static ptrdiff_t read_plain(struct stream *s, void *out, size_t size, struct error *err)
{
	size_t left = s->raw_len - s->raw_at;

	if (left == 0)
		return s->is_raw_end ? 0 : read_raw(s, out, size, err);
	if (size > left)
		size = left;
	memcpy(out, s->raw + s->raw_at, size);
	s->raw_at += size;
	return (ptrdiff_t)size;
}

/* After the end of a gzip member: begin the next one, if one follows. */
static bool next_member(struct stream *s, struct error *err)
{
	if (!fill_raw(s, err))
		return false;
	if (s->raw[s->raw_at] != 0x1F) {
		/* Padding with NUL bytes is what tape and block devices leave. */
		s->damage = s->raw[s->raw_at] ? "other bytes after the gzip data" : NULL;
		return false;
	}
	return inflateReset(&s->z) == Z_OK;
}

static ptrdiff_t read_gzip(struct stream *s, void *out, size_t size, struct error *err)
{
	s->z.next_out = out;
	s->z.avail_out = size > UINT32_MAX ? UINT32_MAX : (uInt)size;
	while (s->z.avail_out == size && !s->is_z_done) {
		int rc;

		if (!fill_raw(s, err)) {
			if (err->kind != ERR_NONE)
				return -1;
			s->damage = "gzip data is cut off";
			s->is_z_done = true;
			break;
		}
		s->z.next_in = s->raw + s->raw_at;
		s->z.avail_in = (uInt)(s->raw_len - s->raw_at);
		rc = inflate(&s->z, Z_NO_FLUSH);
		s->raw_at = s->raw_len - s->z.avail_in;
		if (rc == Z_STREAM_END) {
			s->is_z_done = !next_member(s, err);
		} else if (rc != Z_OK && rc != Z_BUF_ERROR) {
			s->damage = s->z.msg && strstr(s->z.msg, "check") ? "gzip checksum is wrong"
									  : "gzip data is damaged";
			s->is_z_done = true;
		}
	}
	if (err->kind != ERR_NONE)
		return -1;
	return (ptrdiff_t)(size - s->z.avail_out);
}

#ifdef HAVE_ZSTD
static ptrdiff_t read_zstd(struct stream *s, void *out, size_t size, struct error *err)
{
	ZSTD_outBuffer to = { out, size, 0 };

	while (to.pos == 0 && !s->is_z_done) {
		ZSTD_inBuffer from;
		size_t rc;

		if (!fill_raw(s, err)) {
			if (err->kind != ERR_NONE)
				return -1;
			if (s->is_frame_open)
				s->damage = "zstd data is cut off";
			s->is_z_done = true;
			break;
		}
		from = (ZSTD_inBuffer){ s->raw + s->raw_at, s->raw_len - s->raw_at, 0 };
		rc = ZSTD_decompressStream(s->zstd, &to, &from);
		s->raw_at += from.pos;
		s->is_frame_open = rc != 0;
		if (ZSTD_isError(rc)) {
			s->damage = "zstd data is damaged";
			s->is_z_done = true;
		}
	}
	return (ptrdiff_t)to.pos;
}
#endif

static ptrdiff_t read_unpacked(struct stream *s, void *out, size_t size, struct error *err)
{
	if (s->packing == PACK_GZIP)
		return read_gzip(s, out, size, err);
#ifdef HAVE_ZSTD
	if (s->packing == PACK_ZSTD)
		return read_zstd(s, out, size, err);
#endif
	return read_plain(s, out, size, err);
}

static bool begin_packing(struct stream *s, struct error *err)
{
	const unsigned char *p;
	size_t n;

	s->raw = xmalloc(RAW_SIZE);
	/* A pipe may bring the first bytes one by one. */
	while (s->raw_len < 4 && !s->is_raw_end) {
		ptrdiff_t got = read_raw(s, s->raw + s->raw_len,
					 s->raw_len ? 4 - s->raw_len : RAW_SIZE, err);

		if (got < 0)
			return false;
		s->raw_len += (size_t)got;
		s->is_raw_end = got == 0;
	}
	p = s->raw;
	n = s->raw_len;
	if (n >= 2 && p[0] == 0x1F && p[1] == 0x8B) {
		s->packing = PACK_GZIP;
		if (inflateInit2(&s->z, 15 + 16) != Z_OK)
			return error_set(err, ERR_LIMIT, -1, "cannot start unpacking");
		s->is_z_open = true;
	} else if (n >= 4 && p[0] == 0x28 && p[1] == 0xB5 && p[2] == 0x2F && p[3] == 0xFD) {
#ifdef HAVE_ZSTD
		s->packing = PACK_ZSTD;
		s->zstd = ZSTD_createDStream();
		if (!s->zstd)
			return error_set(err, ERR_LIMIT, -1, "cannot start unpacking");
#else
		return error_set(err, ERR_FORMAT, 0,
				 "zstd data; this flametty was built without libzstd");
#endif
	}
	return true;
}

/* ---- stage 3: text ---- */

static bool begin_text(struct stream *s, struct error *err)
{
	unsigned char *h = s->head;

	s->is_begun = true;
	if (!begin_packing(s, err))
		return false;
	while (s->head_len < sizeof s->head) {
		ptrdiff_t n = read_unpacked(s, h + s->head_len, sizeof s->head - s->head_len, err);

		if (n < 0)
			return false;
		if (n == 0)
			break;
		s->head_len += (size_t)n;
	}
	if (s->head_len >= 4 &&
	    ((h[0] == 0xFF && h[1] == 0xFE && h[2] == 0 && h[3] == 0) ||
	     (h[0] == 0 && h[1] == 0 && h[2] == 0xFE && h[3] == 0xFF)))
		return error_set(err, ERR_FORMAT, 0, "UTF-32 text; convert it to UTF-8 first");
	if (s->head_len >= 3 && h[0] == 0xEF && h[1] == 0xBB && h[2] == 0xBF) {
		s->head_at = 3;
	} else if (s->head_len >= 2 && h[0] == 0xFF && h[1] == 0xFE) {
		s->encoding = ENC_UTF16_LE;
		s->head_at = 2;
	} else if (s->head_len >= 2 && h[0] == 0xFE && h[1] == 0xFF) {
		s->encoding = ENC_UTF16_BE;
		s->head_at = 2;
	} else if (s->head_len >= 2 && h[0] == 0 && (h[1] == '{' || h[1] == '[')) {
		s->encoding = ENC_UTF16_BE;
	} else if (s->head_len >= 2 && h[1] == 0 && (h[0] == '{' || h[0] == '[')) {
		s->encoding = ENC_UTF16_LE;
	}
	if (s->encoding != ENC_UTF8)
		s->wide = xmalloc(TEXT_SIZE);
	return true;
}

static ptrdiff_t read_bytes(struct stream *s, void *out, size_t size, struct error *err)
{
	size_t left = s->head_len - s->head_at;

	if (left == 0)
		return read_unpacked(s, out, size, err);
	if (size > left)
		size = left;
	memcpy(out, s->head + s->head_at, size);
	s->head_at += size;
	return (ptrdiff_t)size;
}

static unsigned unit(const struct stream *s, size_t at)
{
	const unsigned char *p = s->wide + at;

	return s->encoding == ENC_UTF16_LE ? p[0] | (unsigned)p[1] << 8
					   : p[1] | (unsigned)p[0] << 8;
}

/* Have a whole code point of UTF-16 waiting, as far as the file has one. */
static bool fill_wide(struct stream *s, struct error *err)
{
	while (s->wide_len - s->wide_at < 4 && !s->is_text_end) {
		ptrdiff_t n;

		memmove(s->wide, s->wide + s->wide_at, s->wide_len - s->wide_at);
		s->wide_len -= s->wide_at;
		s->wide_at = 0;
		n = read_bytes(s, s->wide + s->wide_len, TEXT_SIZE - s->wide_len, err);
		if (n < 0)
			return false;
		s->wide_len += (size_t)n;
		s->is_text_end = n == 0;
	}
	return s->wide_len - s->wide_at >= 2;
}

static ptrdiff_t read_utf16(struct stream *s, unsigned char *out, size_t size, struct error *err)
{
	size_t used = 0;

	while (size - used >= 4 && fill_wide(s, err)) {
		uint32_t cp = unit(s, s->wide_at);

		s->wide_at += 2;
		if (cp >= 0xD800 && cp < 0xDC00 && s->wide_len - s->wide_at >= 2) {
			unsigned low = unit(s, s->wide_at);

			if (low >= 0xDC00 && low < 0xE000) {
				cp = 0x10000 + ((cp - 0xD800) << 10) + (low - 0xDC00);
				s->wide_at += 2;
			}
		}
		if (cp >= 0xD800 && cp < 0xE000)
			cp = 0xFFFD;
		used += buf_encode_utf8(cp, (char *)out + used);
	}
	return err->kind != ERR_NONE ? -1 : (ptrdiff_t)used;
}

static ptrdiff_t read_text(struct stream *s, void *out, size_t size, struct error *err)
{
	if (!s->is_begun && !begin_text(s, err))
		return -1;
	if (s->encoding != ENC_UTF8)
		return read_utf16(s, out, size, err);
	return read_bytes(s, out, size, err);
}

/* ---- stage 4: ahead ---- */

static void fill_block(void *ctx, struct read_ahead *a, struct block *b)
{
	struct stream *s = ctx;

	s->worker = a;
	b->n = read_text(s, b->text, BLOCK_SIZE, &b->err);
	b->file_bytes = s->file_bytes;
	b->damage = s->damage;
}

static void start_ahead(struct stream *s)
{
	s->told_bytes = s->file_bytes;
	s->told_damage = s->damage;
	s->n_processors = thread_processors();
	s->ahead = read_ahead_start(fill_block, s);
	if (!s->ahead)
		s->ahead_from = SIZE_MAX;
}

/* Have text in s->now that was not given out. Returns how much; 0 at the end; -1 and err on
 * failure, and when the user stopped waiting. */
static ptrdiff_t fill_now(struct stream *s, struct error *err)
{
	struct block *b = s->now;

	if (b && (b->n <= 0 || s->now_at < (size_t)b->n)) {
		if (b->n < 0)
			*err = b->err;
		return b->n > 0 ? b->n - (ptrdiff_t)s->now_at : b->n;
	}
	do {
		b = read_ahead_take(s->ahead, WAIT_MS);
		if (!progress_add(s->progress, b ? b->file_bytes - s->told_bytes : 0))
			return end_here(s, err);
	} while (!b);
	s->now = b;
	s->now_at = 0;
	s->told_bytes = b->file_bytes;
	s->told_damage = b->damage;
	if (b->n < 0)
		*err = b->err;
	return b->n;
}

ptrdiff_t stream_read(struct stream *s, void *out, size_t size, struct error *err)
{
	ptrdiff_t n;

	if (!s->ahead && s->n_given >= s->ahead_from)
		start_ahead(s);
	if (s->ahead) {
		n = fill_now(s, err);
		if (n > 0 && (size_t)n > size)
			n = (ptrdiff_t)size;
		if (n > 0)
			memcpy(out, s->now->text + s->now_at, (size_t)n);
		s->now_at += n > 0 ? (size_t)n : 0;
	} else {
		n = read_text(s, out, size, err);
	}
	s->n_given += n > 0 ? (size_t)n : 0;
	return n;
}

ptrdiff_t stream_next(struct stream *s, const void *kept, size_t n_kept, unsigned char **text,
		      struct error *err)
{
	ptrdiff_t n = 0;

	if (!s->own.text)
		block_init(&s->own);
	*text = s->own.text;
	if (!s->ahead && s->n_given >= s->ahead_from)
		start_ahead(s);
	if (s->ahead) {
		n = fill_now(s, err);
		if (n > 0) {
			*text = s->now->text + s->now_at;
			s->now_at += (size_t)n;
		}
	}
	/* What is kept may lie where reading would put the text. */
	if (n_kept)
		memmove(*text - n_kept, kept, n_kept);
	if (!s->ahead)
		n = read_text(s, *text, BLOCK_SIZE, err);
	s->n_given += n > 0 ? (size_t)n : 0;
	return n;
}

bool stream_leaves_room(const struct stream *s)
{
	return s->ahead && (s->packing == PACK_NONE || s->n_processors > 2);
}

const char *stream_compression(const struct stream *s)
{
	return s->packing == PACK_GZIP ? "gzip" : s->packing == PACK_ZSTD ? "zstd" : NULL;
}

bool stream_is_converted(const struct stream *s)
{
	return s->encoding != ENC_UTF8;
}

bool stream_is_stopped(const struct stream *s)
{
	return s->is_stopped;
}

const char *stream_damage(const struct stream *s)
{
	if (s->is_stopped)
		return NULL;
	return s->ahead ? s->told_damage : s->damage;
}

int64_t stream_file_size(const struct stream *s)
{
	return s->file_size;
}

int64_t stream_file_bytes(const struct stream *s)
{
	return s->ahead ? s->told_bytes : s->file_bytes;
}
