/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stages, each of which reads from the one before it:
 *
 *	1 file     bytes of a file descriptor or of memory     read_file()
 *	2 unpack   unpacked bytes (gzip, zstd, lz4, plain)     base/stream/unpack.h
 *	3 decode   text in UTF-8                               base/stream/unpack.h
 *	4 quoted   the document of a text in which it stands   base/quoted.h
 *	5 ahead    blocks of text, filled on a second thread   read ahead, below
 *
 * A short text has no stage 5: the caller's thread runs the stages 1 to 4. When a text turns out to
 * be long, they move to a thread for good, and the caller takes blocks from it. Plain text of a
 * regular file stays with the caller, which uses a few blocks in turn. A thread that has nothing
 * else to do may fill the next ones (stream_help()). The thread that fills a block has the turn
 * (block ring, below).
 *
 *	member of struct stream            used by, once there is a thread
 *	progress, n_given, ahead_from,     the caller
 *	  is_long, now, n_processors,
 *	  now_at, seen, is_stopped
 *	own, ahead                         the caller; they have locks of their own
 *	worker and all of the stages 1-4   the thread, until read_ahead_stop() has returned; of a
 *	                                   plain file, who has the turn
 *	unpack.format, decode.encoding,    both: they do not change any more
 *	  quoted.n_before, quoted.quote
 *
 * Progress is reported by the caller's thread only. The number of bytes read from the file and the
 * damage found come to the caller with each block (`seen`). */
#include "config.h"

#include "base/stream/stream.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/fingerprint.h"
#include "base/progress.h"
#include "base/quoted.h"
#include "base/sandbox.h"
#include "base/stream/unpack.h"
#include "base/thread.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== read ahead ====
 *
 * Reading ahead: a thread fills a few blocks, which the caller takes in order.
 *
 * Threads: `fill` runs on that thread, one call after the other. No other thread may touch what
 * `fill` uses until read_ahead_stop() has returned. All functions except read_ahead_is_stopping()
 * are for the caller's thread. The thread blocks signals.
 *
 * A ring of blocks under one mutex. n_taken and n_filled only grow; modulo the size of the ring
 * they are the numbers of blocks. The last READ_AHEAD_KEPT blocks taken belong to the caller, those
 * from n_taken to n_filled wait for it, the others belong to the thread. When the thread waits for
 * room, it is woken for FILL_AT_ONCE blocks: waking it costs about as much as filling one. */

#define READ_AHEAD_SIZE ((size_t)1 << 18) /* bytes of text in a block */
#define READ_AHEAD_HEAD ((size_t)1 << 14) /* room before the text */
#define READ_AHEAD_TAIL ((size_t)64)      /* and after it */
#define READ_AHEAD_KEPT 6u /* the blocks taken last, which still belong to the caller */

/* Memory for text, and the state of the source after that text: file_bytes and damage are what
 * stream_facts() has of bytes and damage then. */
struct read_ahead_block {
	unsigned char *text;   /* room for READ_AHEAD_SIZE bytes, READ_AHEAD_HEAD before and
				  READ_AHEAD_TAIL after */
	unsigned char *memory; /* where it lies */
	ptrdiff_t n;           /* bytes of text; 0: the end; -1: failed */
	struct error err;      /* why n is -1 */
	int64_t file_bytes;
	const char *damage;
};

struct read_ahead;

#define BLOCK_RING_READY 3u /* blocks that others fill before the owner needs them */
#define BLOCK_RING_SIZE (READ_AHEAD_KEPT + BLOCK_RING_READY)

/* Fill a block. is_helping: not on the owner's thread. */
typedef void block_ring_fill(void *ctx, struct read_ahead_block *b, bool is_helping);

struct block_ring {
	struct read_ahead_block blocks[BLOCK_RING_SIZE];
	pthread_mutex_t turn; /* held while a block is filled; protects the two below */
	unsigned at;          /* the block that was taken last */
	unsigned n_ready;     /* blocks after it that are filled */
};

/* Text begins with a page, as the system's copy of the file does. Processors of AMD (Zen 3, "rep
 * movsb") copy 1.7 instead of 10 GB a second to addresses that are 1 to 31 bytes further in their
 * page than where they copy from, and malloc() returns large blocks 16 bytes after a page begins.
 */
#define PAGE ((uintptr_t)4096)

static void read_ahead_block_init(struct read_ahead_block *b)
{
	*b = (struct read_ahead_block){ .err = ERROR_INIT };
	b->memory = xmalloc(PAGE + READ_AHEAD_HEAD + READ_AHEAD_SIZE + READ_AHEAD_TAIL);
	b->text = b->memory + READ_AHEAD_HEAD;
	b->text += -(uintptr_t)b->text % PAGE;
}

static void read_ahead_block_done(struct read_ahead_block *b)
{
	free(b->memory);
	b->memory = b->text = NULL;
}

/* ==== block ring ====
 *
 * Blocks after `at`, n_ready of them, are filled; those before it are the owner's, and the others
 * are free. The ring has room for all of them, so that a block which is filled early is none that
 * the owner still uses. */

#define YIELDS_MAX 1000u

static void block_ring_done(struct block_ring *r)
{
	for (unsigned i = 0; i < BLOCK_RING_SIZE; i++)
		read_ahead_block_done(&r->blocks[i]);
	pthread_mutex_destroy(&r->turn);
}

/* Block i after the last one taken, with memory. */
static struct read_ahead_block *block_after(struct block_ring *r, unsigned i)
{
	struct read_ahead_block *b = &r->blocks[(r->at + i) % BLOCK_RING_SIZE];

	if (!b->text)
		read_ahead_block_init(b);
	return b;
}

/* Another thread may be filling the next block. That takes less time than to sleep and to be woken,
 * unless the file is slow. */
static void take_turn(struct block_ring *r)
{
	for (unsigned i = 0; i < YIELDS_MAX; i++) {
		if (pthread_mutex_trylock(&r->turn) == 0)
			return;
		sched_yield();
	}
	pthread_mutex_lock(&r->turn);
}

/* Take the next block; the last READ_AHEAD_KEPT blocks taken belong to the owner. *has_help:
 * another thread has filled it. */
static struct read_ahead_block *block_ring_take(struct block_ring *r, block_ring_fill *fill,
						void *ctx, bool *has_help)
{
	struct read_ahead_block *b;

	take_turn(r);
	b = block_after(r, 1);
	r->at = (r->at + 1) % BLOCK_RING_SIZE;
	*has_help = r->n_ready > 0;
	if (*has_help)
		r->n_ready--;
	else
		fill(ctx, b, false);
	pthread_mutex_unlock(&r->turn);
	return b;
}

/* Fill the next block that is not filled, on another thread than the owner's. more: whether there
 * is text to fill it; called as `fill` is. Returns false when there is none, when enough blocks are
 * filled, and when one is being filled. */
static bool block_ring_help(struct block_ring *r, block_ring_fill *fill, bool (*more)(void *ctx),
			    void *ctx)
{
	bool is_needed;

	if (pthread_mutex_trylock(&r->turn) != 0)
		return false;
	is_needed = r->n_ready < BLOCK_RING_READY && more(ctx);
	if (is_needed) {
		fill(ctx, block_after(r, r->n_ready + 1), true);
		r->n_ready++;
	}
	pthread_mutex_unlock(&r->turn);
	return is_needed;
}

/* ---- the thread that reads ahead ---- */

#define N_AHEAD 4u /* blocks being filled, or waiting */
#define N_BLOCKS (READ_AHEAD_KEPT + N_AHEAD)
#define FILL_AT_ONCE 3u

struct read_ahead {
	void (*fill)(void *ctx, struct read_ahead *a, struct read_ahead_block *b);
	void *ctx;
	pthread_t thread;
	pthread_mutex_t mutex; /* protects the four below */
	int cpu;               /* the processor of the caller, when it took a block; -1: unknown */
	size_t n_filled, n_taken;
	bool is_stopping;
	pthread_cond_t has_filled, has_room;
	struct read_ahead_block blocks[N_BLOCKS];
};

/* How many blocks can be filled. */
static size_t room(const struct read_ahead *a)
{
	return a->n_taken + N_AHEAD - a->n_filled;
}

/* Wait for a block to fill. cpu: the processor of the caller. NULL: it wants no more. */
static struct read_ahead_block *next_free(struct read_ahead *a, int *cpu)
{
	struct read_ahead_block *b = NULL;

	pthread_mutex_lock(&a->mutex);
	if (room(a) == 0)
		while (!a->is_stopping && room(a) < FILL_AT_ONCE)
			pthread_cond_wait(&a->has_room, &a->mutex);
	if (!a->is_stopping)
		b = &a->blocks[a->n_filled % N_BLOCKS];
	*cpu = a->cpu;
	pthread_mutex_unlock(&a->mutex);
	return b;
}

static void *fill_blocks(void *arg)
{
	struct read_ahead *a = arg;
	struct read_ahead_block *b;
	bool is_last;
	int cpu, off = -1;

	do {
		b = next_free(a, &cpu);
		if (!b)
			break;
		off = thread_stay_off(cpu, off);
		a->fill(a->ctx, a, b);
		pthread_mutex_lock(&a->mutex);
		a->n_filled++;
		is_last = b->n <= 0;
		pthread_mutex_unlock(&a->mutex);
		pthread_cond_signal(&a->has_filled);
	} while (!is_last);
	return NULL;
}

static void read_ahead_free(struct read_ahead *a)
{
	pthread_cond_destroy(&a->has_room);
	pthread_cond_destroy(&a->has_filled);
	pthread_mutex_destroy(&a->mutex);
	for (size_t i = 0; i < N_BLOCKS; i++)
		read_ahead_block_done(&a->blocks[i]);
	free(a);
}

/* Start to fill blocks. Filling ends with the first block whose n is 0 or -1. Returns NULL when no
 * thread can be started; `fill` was not called then. */
static struct read_ahead *read_ahead_start(void (*fill)(void *ctx, struct read_ahead *a,
							struct read_ahead_block *b),
					   void *ctx)
{
	struct read_ahead *a = xcalloc(1, sizeof *a);

	a->fill = fill;
	a->ctx = ctx;
	for (size_t i = 0; i < N_BLOCKS; i++)
		read_ahead_block_init(&a->blocks[i]);
	pthread_mutex_init(&a->mutex, NULL);
	thread_cond_init(&a->has_filled);
	thread_cond_init(&a->has_room);
	a->cpu = thread_cpu();
	if (thread_start_small(&a->thread, fill_blocks, a))
		return a;
	read_ahead_free(a);
	return NULL;
}

/* Take the next filled block; NULL when there was none within wait_ms. The last READ_AHEAD_KEPT
 * blocks taken belong to the caller until the next call; older ones are filled again. Must not be
 * called after the last block. */
static struct read_ahead_block *read_ahead_take(struct read_ahead *a, int wait_ms)
{
	struct timespec until = thread_after_ms(wait_ms);
	struct read_ahead_block *b = NULL;
	bool is_late = false, has_room;

	pthread_mutex_lock(&a->mutex);
	a->cpu = thread_cpu();
	while (!is_late && a->n_taken == a->n_filled)
		is_late = pthread_cond_timedwait(&a->has_filled, &a->mutex, &until) != 0;
	if (a->n_taken < a->n_filled)
		b = &a->blocks[a->n_taken++ % N_BLOCKS];
	has_room = room(a) >= FILL_AT_ONCE;
	pthread_mutex_unlock(&a->mutex);
	if (has_room)
		pthread_cond_signal(&a->has_room);
	return b;
}

/* Free the blocks that were taken before the last one, if all that will be filled are filled. NULL
 * is allowed. */
static void read_ahead_trim(struct read_ahead *a)
{
	bool is_needed[N_BLOCKS] = { false };
	size_t n_filled;

	if (!a)
		return;
	pthread_mutex_lock(&a->mutex);
	n_filled = a->n_filled;
	pthread_mutex_unlock(&a->mutex);
	if (n_filled == 0 || a->blocks[(n_filled - 1) % N_BLOCKS].n > 0)
		return;
	for (size_t i = a->n_taken ? a->n_taken - 1 : 0; i < n_filled; i++)
		is_needed[i % N_BLOCKS] = true;
	for (size_t i = 0; i < N_BLOCKS; i++)
		if (!is_needed[i])
			read_ahead_block_done(&a->blocks[i]);
}

/* For `fill`, while it waits: whether the caller wants no more blocks. */
static bool read_ahead_is_stopping(struct read_ahead *a)
{
	bool is_stopping;

	pthread_mutex_lock(&a->mutex);
	is_stopping = a->is_stopping;
	pthread_mutex_unlock(&a->mutex);
	return is_stopping;
}

/* Wait until the current call of `fill` returns, end the thread, and free everything. NULL is
 * allowed. */
static void read_ahead_stop(struct read_ahead *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->mutex);
	a->is_stopping = true;
	pthread_cond_signal(&a->has_room);
	pthread_mutex_unlock(&a->mutex);
	pthread_join(a->thread, NULL);
	read_ahead_free(a);
}

struct memory_bytes {
	const unsigned char *data; /* borrowed */
	size_t len, at;
	size_t fail_at; /* reading fails after that many bytes; SIZE_MAX: never */
};

/* What the caller knows of the stages 1 to 4 while the thread runs them. */
struct seen {
	int64_t file_bytes;
	const char *damage;
};

struct stream {
	struct progress *progress;
	size_t n_given;               /* bytes of text given out */
	size_t ahead_from;            /* the text is long after that many */
	struct block_ring own;        /* for stream_next() without a thread */
	bool is_long;                 /* own blocks are used in turn; there is no thread */
	struct read_ahead *ahead;     /* NULL: no thread */
	int n_processors;             /* when the text turned out to be long */
	struct read_ahead_block *now; /* the block taken last */
	size_t now_at;                /* its bytes up to here were given out */
	struct seen seen;             /* with that block */
	bool is_stopped;              /* the user cancelled */

	/* Stage 1. */
	struct read_ahead *worker; /* on whose thread it runs; NULL: the caller's */
	bool is_helping;           /* it runs on a thread that helps */
	int fd;                    /* -1: memory */
	bool is_owned;
	bool is_slow;                     /* a pipe or terminal: reading may block for long */
	struct fingerprint print;         /* of what was read */
	const struct fingerprint *before; /* of the first reading; NULL: this is the first */
	bool has_changed;                 /* it is not what was read then */
	struct memory_bytes memory;
	int64_t file_bytes;
	int64_t file_size; /* -1: unknown */

	struct unpack unpack; /* stage 2 */
	struct decode decode; /* stage 3 */
	struct quoted quoted; /* stage 4 */
};

static ptrdiff_t read_file(void *ctx, void *out, size_t size, struct error *err);
static ptrdiff_t read_unpacked(void *ctx, void *out, size_t size, struct error *err);
static ptrdiff_t read_decoded(void *ctx, void *out, size_t size, struct error *err);

/* ==== memory bytes ====
 *
 * Bytes in memory, read as a file is. */

/* Copy up to `size` bytes and go on behind them. Returns how many; 0 at the end; -1 and err
 * (ERR_IO) on failure. */
static ptrdiff_t memory_bytes_read(struct memory_bytes *m, void *out, size_t size,
				   struct error *err)
{
	size_t end = m->fail_at < m->len ? m->fail_at : m->len;

	if (m->at >= end && end < m->len) {
		error_errno(err, EIO, "cannot read");
		return -1;
	}
	if (size > end - m->at)
		size = end - m->at;
	if (size)
		memcpy(out, m->data + m->at, size);
	m->at += size;
	return (ptrdiff_t)size;
}

/* ==== open file ====
 *
 * Opens files to be read, without waiting for the writer of a FIFO. */

/* Open a file; "-" is standard input, which the caller must not close. A FIFO without a writer is
 * opened, too. Returns the descriptor and fills *st; -1 and err on failure. */
static int open_file(const char *path, struct stat *st, struct error *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = STDIN_FILENO;

	*st = (struct stat){ 0 };
	/* Opening a FIFO must not block until there is a writer: the caller waits for it, and
	 * can be cancelled. */
	if (!is_stdin)
		fd = open(path,
			  O_RDONLY | O_CLOEXEC | O_NOCTTY |
				  (stat(path, st) == 0 && S_ISFIFO(st->st_mode) ? O_NONBLOCK : 0));
	if (fd < 0) {
		error_errno(err, sandbox_errno(errno, path, R_OK), "cannot open");
		return -1;
	}
	if (fstat(fd, st) == 0 && S_ISDIR(st->st_mode)) {
		if (!is_stdin)
			close(fd);
		error_errno(err, EISDIR, "cannot read");
		return -1;
	}
	return fd;
}

/* Set ERR_IO: the file is not the one that was read. Returns false. */
static bool open_file_fail_changed(struct error *err)
{
	return error_set(err, ERR_IO, -1, "the file has changed since it was read");
}

/* Open a file that was read before: only the same regular file. Returns the descriptor and fills
 * *st; -1 and err on failure. */
static int open_file_again(const char *path, const struct fingerprint *before, struct stat *st,
			   struct error *err)
{
	int fd;

	if (!before->is_known) {
		error_set(err, ERR_IO, -1, "standard input or a pipe cannot be read a second time");
		return -1;
	}
	/* Devices can act on being opened, so look at the name before. */
	if (stat(path, st) != 0) {
		error_errno(err, errno, "cannot open");
		return -1;
	}
	if (!fingerprint_is_of(before, st)) {
		open_file_fail_changed(err);
		return -1;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0) {
		error_errno(err, sandbox_errno(errno, path, R_OK), "cannot open");
		return -1;
	}
	if (fstat(fd, st) == 0 && fingerprint_is_of(before, st))
		return fd;
	close(fd);
	open_file_fail_changed(err);
	return -1;
}

/* ==== stream skip ====
 *
 * Bytes are read in blocks, because a packed stream has no other way. */

#define BLOCK ((size_t)1 << 16)

bool stream_skip(struct stream *s, int64_t bytes, struct error *err)
{
	ALLOC_LOCAL char *block = xmalloc(BLOCK);
	bool ok = true;

	while (ok && bytes > 0) {
		ptrdiff_t n = stream_read(s, block, bytes < (int64_t)BLOCK ? (size_t)bytes : BLOCK,
					  err);

		if (n <= 0)
			ok = error_set(err, ERR_IO, -1, "the file is shorter than it was");
		bytes -= n > 0 ? n : 0;
	}
	return ok;
}

/* ==== stream ==== */

#define WAIT_MS 50
#define COMPARE_STEP ((size_t)1 << 16)
#define AHEAD_FROM ((size_t)2 << 20) /* shorter texts are not long */
#define LONG_LIST ((size_t)64 << 10)

static_assert(STREAM_KEPT <= READ_AHEAD_HEAD && STREAM_PAD <= READ_AHEAD_TAIL &&
		      STREAM_STRETCHES <= READ_AHEAD_KEPT,
	      "blocks hold what stream_next() promises");

static struct stream *stream_new(void)
{
	struct stream *s = xcalloc(1, sizeof *s);

	s->fd = -1;
	pthread_mutex_init(&s->own.turn, NULL);
	s->file_size = -1;
	s->ahead_from = SIZE_MAX;
	unpack_init(&s->unpack, (struct byte_source){ read_file, s });
	decode_init(&s->decode, (struct byte_source){ read_unpacked, s });
	quoted_init(&s->quoted, (struct byte_source){ read_decoded, s });
	return s;
}

static struct stream *stream_of_file(int fd, bool is_owned, const struct stat *st,
				     struct progress *progress)
{
	struct stream *s = stream_new();
	bool is_regular = S_ISREG(st->st_mode);

#ifdef POSIX_FADV_SEQUENTIAL
	if (is_regular)
		posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
	s->fd = fd;
	s->is_owned = is_owned;
	s->is_slow = !is_regular;
	s->file_size = is_regular ? (int64_t)st->st_size : -1;
	s->progress = progress;
	s->ahead_from = AHEAD_FROM;
	if (s->is_owned)
		fingerprint_begin(&s->print, st);
	progress_start(progress, "Loading", s->file_size);
	return s;
}

struct stream *stream_open(const char *path, struct progress *progress, struct error *err)
{
	struct stat st;
	int fd = open_file(path, &st, err);

	return fd < 0 ? NULL : stream_of_file(fd, strcmp(path, "-") != 0, &st, progress);
}

struct stream *stream_open_again(const char *path, const struct fingerprint *before,
				 struct progress *progress, struct error *err)
{
	struct stat st;
	int fd = open_file_again(path, before, &st, err);
	struct stream *s = fd < 0 ? NULL : stream_of_file(fd, true, &st, progress);

	if (s)
		s->before = before;
	return s;
}

struct stream *stream_open_memory(const void *data, size_t len, size_t fail_at)
{
	struct stream *s = stream_new();

	s->memory = (struct memory_bytes){ data, len, 0, fail_at };
	return s;
}

void stream_set_ahead(struct stream *s, size_t from)
{
	s->ahead_from = from;
}

void stream_set_unpack_limits(struct stream *s, const struct unpack_limits *limits)
{
	s->unpack.limits = *limits;
}

void stream_close(struct stream *s)
{
	if (!s)
		return;
	read_ahead_stop(s->ahead);
	block_ring_done(&s->own);
	if (s->is_owned)
		close(s->fd);
	fingerprint_done(&s->print);
	unpack_done(&s->unpack);
	decode_done(&s->decode);
	quoted_done(&s->quoted);
	free(s);
}

/* ---- stage 1 ---- */

/* Whether to go on after `more` bytes were read. The thread asks whether the stream is being
 * closed; only the caller's thread may report progress. A block that another thread fills is
 * reported when it is taken. */
static bool goes_on(struct stream *s, int64_t more)
{
	if (s->is_helping)
		return true;
	return s->worker ? !read_ahead_is_stopping(s->worker) : progress_add(s->progress, more);
}

/* The user cancelled. The text ends here; when the part that was read is to be discarded, that is a
 * failure. */
static ptrdiff_t end_here(struct stream *s, struct error *err)
{
	s->is_stopped = true;
	if (!s->progress->is_given_up)
		return 0;
	error_set(err, ERR_CANCELLED, -1, "given up");
	return -1;
}

/* Wait until read() will not block. Returns false when the user cancelled, or with errno set when
 * waiting is not possible. */
static bool wait_bytes(struct stream *s)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };

	while (s->is_slow) {
		int n = poll(&p, 1, WAIT_MS);

		if (n > 0)
			return true;
		if ((n < 0 && errno != EINTR) || !goes_on(s, 0))
			return false;
	}
	return true;
}

static ptrdiff_t read_file(void *ctx, void *out, size_t size, struct error *err)
{
	struct stream *s = ctx;
	ptrdiff_t n;
	int errnum;

	if (s->fd < 0) {
		n = memory_bytes_read(&s->memory, out, size, err);
	} else {
		/* EINTR may be a signal of the terminal: the caller's progress function handles
		 * it. */
		while ((n = wait_bytes(s) ? read(s->fd, out, size) : -1) < 0 &&
		       (errno == EINTR || errno == EAGAIN))
			if (!goes_on(s, 0))
				break;
		errnum = errno;
		if (n < 0 && goes_on(s, 0))
			error_errno(err, errnum, "cannot read");
	}
	if (n > 0 && s->print.is_known)
		s->has_changed |= !fingerprint_add(&s->print, s->before, out, (size_t)n);
	else if (n >= 0 && s->before)
		s->has_changed |= s->print.n_bytes < s->before->n_bytes;
	if (n >= 0 && s->has_changed) {
		open_file_fail_changed(err);
		return -1;
	}
	if (!goes_on(s, n > 0 ? n : 0))
		return s->worker ? 0 : end_here(s, err);
	if (n > 0)
		s->file_bytes += n;
	return n;
}

/* Move stage 1 back to the caller's thread. */
static void stop_ahead(struct stream *s)
{
	read_ahead_stop(s->ahead);
	s->ahead = s->worker = NULL;
	s->now = NULL;
}

bool stream_compare(struct stream *s, struct error *err)
{
	unsigned char *block;
	ptrdiff_t n = 1;

	stop_ahead(s);
	if (s->has_changed)
		return open_file_fail_changed(err);
	block = xmalloc(COMPARE_STEP);
	while (n > 0 && s->before && !s->is_stopped &&
	       !fingerprint_is_compared(&s->print, s->before))
		n = read_file(s, block, COMPARE_STEP, err);
	free(block);
	return n >= 0;
}

struct fingerprint stream_identity(const struct stream *s)
{
	return fingerprint_identity(&s->print);
}

void stream_take_fingerprint(struct stream *s, struct fingerprint *print)
{
	stop_ahead(s);
	fingerprint_end(&s->print);
	*print = s->print;
	s->print = (struct fingerprint){ 0 };
}

/* ---- stages 2 to 4 ---- */

static ptrdiff_t read_unpacked(void *ctx, void *out, size_t size, struct error *err)
{
	struct stream *s = ctx;

	return unpack_read(&s->unpack, out, size, err);
}

static ptrdiff_t read_decoded(void *ctx, void *out, size_t size, struct error *err)
{
	struct stream *s = ctx;

	return decode_read(&s->decode, out, size, err);
}

/* ---- stage 5 ---- */

static void fill_block(void *ctx, struct read_ahead *a, struct read_ahead_block *b)
{
	struct stream *s = ctx;

	if (a)
		s->worker = a;
	b->n = quoted_read(&s->quoted, b->text, READ_AHEAD_SIZE, &b->err);
	b->file_bytes = s->file_bytes;
	b->damage = s->unpack.damage;
}

/* Read ahead, or go round the own blocks, from now on if the text is long enough. */
static void check_length(struct stream *s)
{
	if (s->ahead || s->is_long || s->n_given < s->ahead_from)
		return;
	s->n_processors = thread_processors();
	/* Stages 1 to 4 do nothing but copy, and what they do is known. */
	s->is_long = s->fd >= 0 && !s->is_slow && s->n_given > 0 &&
		s->unpack.format == UNPACK_PLAIN && s->decode.encoding == DECODE_UTF8 &&
		!s->quoted.quote;
	s->seen = (struct seen){ s->file_bytes, s->unpack.damage };
	if (s->is_long)
		return;
	s->ahead = read_ahead_start(fill_block, s);
	if (!s->ahead)
		s->ahead_from = SIZE_MAX;
}

static void fill_own(void *ctx, struct read_ahead_block *b, bool is_helping)
{
	struct stream *s = ctx;

	s->is_helping = is_helping;
	fill_block(s, NULL, b);
	s->is_helping = false;
}

/* Whether the text is long: it comes in blocks, not straight from stage 4. */
static bool has_blocks(const struct stream *s)
{
	return s->ahead || s->is_long;
}

static struct read_ahead_block *take_ahead(struct stream *s)
{
	struct read_ahead_block *b;

	do {
		b = read_ahead_take(s->ahead, WAIT_MS);
		if (!progress_add(s->progress, b ? b->file_bytes - s->seen.file_bytes : 0))
			return NULL;
	} while (!b);
	return b;
}

static bool has_more(void *ctx)
{
	const struct stream *s = ctx;

	return s->file_bytes < s->file_size;
}

bool stream_help(struct stream *s)
{
	return s->is_long && block_ring_help(&s->own, fill_own, has_more, s);
}

/* Have text in s->now that was not given out. Returns how much; 0 at the end; -1 and err on
 * failure, and when the user cancelled. */
static ptrdiff_t fill_now(struct stream *s, struct error *err)
{
	struct read_ahead_block *b = s->now;
	bool has_help = false;

	if (b && b->n > 0 && s->now_at < (size_t)b->n)
		return b->n - (ptrdiff_t)s->now_at;
	if (!b || b->n > 0) {
		b = s->is_long ? block_ring_take(&s->own, fill_own, s, &has_help) : take_ahead(s);
		/* A block that another thread has filled is reported now. */
		if (!b ||
		    (has_help && !progress_add(s->progress, b->file_bytes - s->seen.file_bytes)))
			return end_here(s, err);
		s->now = b;
		s->now_at = 0;
		s->seen = (struct seen){ b->file_bytes, b->damage };
	}
	if (b->n < 0)
		*err = b->err;
	return b->n;
}

ptrdiff_t stream_read(struct stream *s, void *out, size_t size, struct error *err)
{
	ptrdiff_t n;

	check_length(s);
	if (has_blocks(s)) {
		n = fill_now(s, err);
		if (n > 0 && (size_t)n > size)
			n = (ptrdiff_t)size;
		if (n > 0)
			memcpy(out, s->now->text + s->now_at, (size_t)n);
		s->now_at += n > 0 ? (size_t)n : 0;
	} else {
		n = quoted_read(&s->quoted, out, size, err);
	}
	s->n_given += n > 0 ? (size_t)n : 0;
	return n;
}

ptrdiff_t stream_next(struct stream *s, const void *kept, size_t n_kept, unsigned char **text,
		      struct error *err)
{
	ptrdiff_t n = 0;

	check_length(s);
	if (has_blocks(s))
		n = fill_now(s, err);
	*text = n > 0 ? s->now->text + s->now_at : block_after(&s->own, 0)->text;
	s->now_at += n > 0 ? (size_t)n : 0;
	/* Before reading: the kept bytes may lie in the memory that the text will be read into. */
	if (n_kept)
		memmove(*text - n_kept, kept, n_kept);
	if (!has_blocks(s))
		n = quoted_read(&s->quoted, *text, READ_AHEAD_SIZE, err);
	s->n_given += n > 0 ? (size_t)n : 0;
	return n;
}

void stream_trim(struct stream *s)
{
	read_ahead_trim(s->ahead);
	if (!s->is_long || s->seen.file_bytes != s->file_size)
		return;
	/* No block is filled any more. */
	for (unsigned i = 0; i < BLOCK_RING_SIZE; i++)
		if (i != s->own.at)
			read_ahead_block_done(&s->own.blocks[i]);
}

bool stream_leaves_room(const struct stream *s, int64_t n)
{
	size_t least = s->ahead_from < LONG_LIST ? s->ahead_from : LONG_LIST;

	return has_blocks(s) && (uint64_t)n >= least &&
		(s->unpack.format == UNPACK_PLAIN || s->n_processors > 2);
}

struct stream_facts stream_facts(const struct stream *s)
{
	static const char *const
		names[] = { [UNPACK_GZIP] = "gzip", [UNPACK_ZSTD] = "zstd", [UNPACK_LZ4] = "lz4" };
	struct stream_facts facts = { .compression = names[s->unpack.format],
				      .is_converted = s->decode.encoding != DECODE_UTF8,
				      .n_before = (int64_t)s->quoted.n_before,
				      .is_quoted = s->quoted.quote != 0,
				      .is_stopped = s->is_stopped,
				      .file_size = s->file_size };

	facts.file_bytes = has_blocks(s) ? s->seen.file_bytes : s->file_bytes;
	if (!s->is_stopped)
		facts.damage = has_blocks(s) ? s->seen.damage : s->unpack.damage;
	return facts;
}
