/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Versions of libraries are those that run, except where a library tells only that of its header.
 */
#include "config.h"

#include "cli/version.h"

#include "analyse/pattern.h"
#include "base/json/json_read.h"
#include "term/description.h"
#include "term/term.h"

#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LZ4
#include <lz4.h>
#endif
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#define TEXT_OF(x) TEXT_OF_TOKEN(x)
#define TEXT_OF_TOKEN(x) #x

/* The C library and how the program is linked. packaging/static.sh defines STATIC_MUSL as the
 * version of musl. */
static void add_libc(struct buf *out)
{
#if defined STATIC_MUSL
	buf_adds(out, "static program: musl " TEXT_OF(STATIC_MUSL));
#elif defined __GLIBC__
	buf_addf(out, "dynamic program: glibc %s", gnu_get_libc_version());
#else
	buf_adds(out, "C library of the system");
#endif
}

void version_format(struct buf *out)
{
	buf_adds(out, "flametty " PACKAGE_VERSION "\n");
	add_libc(out);
	buf_addf(out, ", %s, json-c %s, ", term_library(), json_text_library());
	pattern_library(out);
	buf_addf(out, ", zlib %s", zlibVersion());
#ifdef HAVE_ZSTD
	buf_addf(out, ", zstd %s", ZSTD_versionString());
#endif
#ifdef HAVE_LZ4
	buf_addf(out, ", lz4 %s", LZ4_versionString());
#endif
	buf_adds(out, "\nbuilt-in terminals: ");
	builtin_list(out);
	buf_addc(out, '\n');
#ifndef HAVE_REMOTE
	buf_adds(out, "without attach\n");
#endif
}
