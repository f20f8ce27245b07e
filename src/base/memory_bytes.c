/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "base/memory_bytes.h"

#include <errno.h>
#include <string.h>

ptrdiff_t memory_bytes_read(struct memory_bytes *m, void *out, size_t size, struct error *err)
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
