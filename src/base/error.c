/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nothing here allocates memory: an error may be the lack of it. */
#include "config.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(struct error *err, enum error_kind kind, int64_t offset, const char *format, ...)
{
	va_list ap;

	if (err->kind != ERR_NONE)
		return false;
	err->kind = kind;
	err->offset = offset;
	va_start(ap, format);
	vsnprintf(err->text, sizeof err->text, format, ap);
	va_end(ap);
	return false;
}

bool error_errno(struct error *err, int errnum, const char *format, ...)
{
	va_list ap;
	size_t used;

	if (err->kind != ERR_NONE)
		return false;
	err->kind = ERR_IO;
	err->offset = -1;
	va_start(ap, format);
	vsnprintf(err->text, sizeof err->text, format, ap);
	va_end(ap);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof err->text - used, "%s%s", used ? ": " : "",
		 errnum == ERROR_SANDBOX ? "permission denied by the sandbox (--no-sandbox)"
					 : strerror(errnum));
	return false;
}
