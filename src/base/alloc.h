/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that cannot fail: when the system has none left, die() says so after
 * the last-words hook has given the terminal back. */
#ifndef FLAMETTY_BASE_ALLOC_H
#define FLAMETTY_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#if defined(__GNUC__)
#define ALLOC_NORETURN __attribute__((noreturn, format(printf, 1, 2)))
#else
#define ALLOC_NORETURN
#endif

/* malloc, calloc, realloc, strndup that never return NULL (for size 0 neither). */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *p, size_t count, size_t size);
char *xstrndup(const char *text, size_t len);
char *xstrdup(const char *text);

/* xmalloc() for what can be done with less: NULL where there is not that much. */
void *alloc_if_room(size_t size);

/* Make room for at least `need` items of `size` bytes in the array `p`, which
 * has room for *cap. Grows by half, so that adding one at a time stays cheap.
 * Returns the array, perhaps moved; *cap is updated. */
void *xgrow(void *p, size_t *cap, size_t need, size_t size);

/* What die() calls before it prints: term/ gives the terminal back in it. is_own: on the thread
 * that set the hook; on another one, what that thread uses may not be touched. */
void die_set_hook(void (*hook)(bool is_own));

/* Print "flametty: " and the text to standard error and exit with status 1, without more ado on
 * another thread than the one that set the hook. */
void die(const char *format, ...) ALLOC_NORETURN;

#endif
