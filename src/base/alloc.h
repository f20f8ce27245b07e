/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory allocation that cannot fail: when the system has no memory left, the reserve of the thread
 * is used ("reserve" in alloc.c); a thread that has none calls die(), which restores the terminal,
 * prints a message and exits.
 *
 * The functions keep the short names that such functions usually have (xmalloc, die), without the
 * prefix of the file. */
#ifndef FLAMETTY_BASE_ALLOC_H
#define FLAMETTY_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* A sanitizer replaces the heap, and reserves terabytes of addresses. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define ALLOC_SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
	__has_feature(memory_sanitizer)
#define ALLOC_SANITIZED 1
#endif
#endif

#if defined(__GNUC__)
#define ALLOC_NORETURN __attribute__((noreturn, format(printf, 1, 2)))
#define ALLOC_NORETURN_PLAIN __attribute__((noreturn))
#define ALLOC_VPRINTF __attribute__((format(printf, 1, 0)))
#define ALLOC_NONNULL __attribute__((returns_nonnull))
#else
#define ALLOC_VPRINTF
#define ALLOC_NORETURN_PLAIN
#define ALLOC_NORETURN
#define ALLOC_NONNULL
#endif

/* malloc(), calloc(), realloc(), strndup() and strdup() that never return NULL, not even for size
 * 0. The caller frees the result with free(). */
void *xmalloc(size_t size) ALLOC_NONNULL;
void *xcalloc(size_t count, size_t size) ALLOC_NONNULL;
void *xrealloc(void *p, size_t count, size_t size) ALLOC_NONNULL;
char *xstrndup(const char *text, size_t len) ALLOC_NONNULL;
char *xstrdup(const char *text) ALLOC_NONNULL;

/* Before the type of a local pointer: what it points to is freed where its block ends. */
#define ALLOC_LOCAL __attribute__((cleanup(alloc_free_local)))

static inline void alloc_free_local(void *local)
{
	void *p;

	memcpy(&p, local, sizeof p);
	free(p);
}

/* For libraries, so that they follow the same rule. A library that takes allocation functions gets
 * ones that call xmalloc(). Of any other, results that are NULL only without memory pass through
 * alloc_checked(), which returns `p` or ends the program; and alloc_failed() ends it where a
 * library reports in another way that it could not allocate. */
void *alloc_checked(void *p) ALLOC_NONNULL;
void alloc_failed(void) ALLOC_NORETURN_PLAIN;

/* Like xmalloc(), for callers that can do with less: returns NULL when there is not enough
 * memory. */
void *alloc_if_room(size_t size);

/* Make room for at least `need` items of `size` bytes in the array `p`, which has room for *cap
 * items. Grows by half, a large array by an eighth, so that adding items one at a time stays cheap.
 * Returns the array, which may have moved, and updates *cap. */
void *xgrow(void *p, size_t *cap, size_t need, size_t size) ALLOC_NONNULL;

/* A pointer to the next item of an array that grows, which counts from now on; it has no value yet:
 * `*ARRAY_ADD(list, n, cap) = item;`. The item must not be taken from the array. */
#define ARRAY_ADD(list, n, cap)                                                                    \
	((list) = xgrow((list), &(cap), (size_t)(n) + 1, sizeof *(list)), &(list)[(n)++])

/* Bytes of the heap that are in use, those of libraries included; -1: unknown. Slow: for tests, and
 * for messages. */
int64_t alloc_bytes(void);

/* Set the function that die() calls before it prints; term/ restores the terminal in it. is_own:
 * die() was called on the thread that set the hook. On any other thread the hook must not touch
 * what that thread uses. */
void die_set_hook(void (*hook)(bool is_own));

/* What die() does on this thread, and on those that it starts: `lost` is told the text and returns
 * whether the program can go on without the thread. If so, the thread stops for ever: what it holds
 * stays as it is, and no thread may wait for it. `lost` must not allocate memory. A zeroed struct:
 * the program ends. */
struct die_rescue {
	bool (*lost)(void *ctx, const char *text);
	void *ctx;
};

void die_set_rescue(const struct die_rescue *rescue);
struct die_rescue die_get_rescue(void);

/* Print "flametty: " and the text to standard error, and exit with status 1. On another thread than
 * the one that set the hook, exit at once, without exit handlers. A rescue runs first.
 */
void die(const char *format, ...) ALLOC_NORETURN;

/* Bytes that this process can still allocate before the machine, or the control group that the
 * process runs in, has none left; -1: unknown. */
int64_t memory_available(void);

/* Bytes of physical memory that this process uses; -1: unknown. */
int64_t memory_used(void);

/* Bytes that count against memory_limit(): memory that was allocated, also if it was not used yet
 * or is free again but still with the C library; -1: unknown. Allocates nothing. */
int64_t memory_mapped(void);

/* Limit the process to this many bytes of memory, whatever allocates it. An allocation beyond the
 * limit fails, and the program exits with a message; without a limit the kernel may kill it without
 * one. */
void memory_limit(int64_t bytes);

/* Make free() return large arrays to the system. Otherwise the C library keeps what one thread
 * frees and builds arrays of another thread from it, which are then copied whenever they grow. Call
 * this before threads are started. */
void memory_return_large(void);

/* Keep up to 1 MiB of what is freed, for a thread that reads one small file after the other: the
 * system would clear it for each of them. */
void memory_keep_small(void);

/* Return all freed memory to the system, so that the next profile can use as much as the last one
 * did. */
void memory_give_back(void);

/* Parse `500M`, `6G`, `6.5GB`, `800000000`, or `40%` of `available` bytes. Returns false when the
 * text is none of these. */
bool memory_parse(const char *text, int64_t available, int64_t *bytes);

#define RESERVE_MIN ((size_t)1 << 20)

/* Have a reserve of `bytes`, or as much as there is memory for, but not less than RESERVE_MIN.
 * The shortage before is over. Returns false when there is no memory for any reserve. bytes: from
 * RESERVE_MIN; 0: free the reserve, and have none. */
bool reserve_keep(size_t bytes);

/* The same with the size of the call before. Forgets what was refused, too. */
bool reserve_renew(void);

/* Have the parts again that were used, as far as there is memory, between two steps of which
 * neither can free anything. The shortage is not over. */
void reserve_refill(void);

/* The size of the first allocation that failed since the reserve is there, 1 or more; 0: none has
 * failed, or the thread has no reserve. */
size_t reserve_wanted(void);

/* Whether the thread has asked for a reserve. */
bool reserve_is_kept(void);

/* Whether `bytes` more can be allocated without the reserve. If not, the caller leaves out what the
 * memory was for, and reserve_refused() is `bytes` until the reserve is renewed; the first refusal
 * counts. Always true on a thread that never asked for a reserve: there, an allocation that fails
 * ends the program with a message. */
bool reserve_has_room(size_t bytes);
size_t reserve_refused(void);

#endif
