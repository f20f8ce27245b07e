/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library for LD_PRELOAD that lets files of requests get their names after two seconds: so long
 * may it take to write them. Used by remote/answers.sh. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

typedef int link_at(int from_folder, const char *from, int folder, const char *name, int flags);

int linkat(int from_folder, const char *from, int folder, const char *name, int flags)
{
	link_at *real = (link_at *)(unsigned long)dlsym(RTLD_NEXT, "linkat");

	if (strstr(name, "requests.trace.json"))
		usleep(2000000);
	return real(from_folder, from, folder, name, flags);
}
