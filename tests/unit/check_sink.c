/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output files: complete under their name, or not there at all. */
#include "config.h"

#include "base/sink.h"

#include "suite.h"
#include "temp_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[300];

/* What write() does: it writes at most `most` bytes (0: no limit), every second call fails with
 * `errnum_often`, and the call number `failing` (-1: none) fails with EIO. */
struct faults {
	size_t most;
	int errnum_often;
	int failing;
};
static const struct faults no_faults = { 0, 0, -1 };
static struct faults faults = { 0, 0, -1 };
static int n_writes;

/* The code under test calls this instead of the function of the C library. */
ssize_t write(int fd, const void *bytes, size_t n)
{
	int nth = n_writes++;

	if ((faults.errnum_often && nth % 2 == 0) || nth == faults.failing) {
		errno = nth == faults.failing ? EIO : faults.errnum_often;
		return -1;
	}
	return syscall(SYS_write, fd, bytes, faults.most && faults.most < n ? faults.most : n);
}

static void set_up(void)
{
	temp_folder_make();
	snprintf(path, sizeof path, "%s/out", temp_folder);
}

static size_t count_files(void)
{
	DIR *folder = opendir(temp_folder);
	size_t n = 0;

	ck_assert_ptr_nonnull(folder);
	for (struct dirent *entry; (entry = readdir(folder));)
		n += entry->d_name[0] != '.';
	closedir(folder);
	return n;
}

static void check_file(const char *expected)
{
	char text[100] = "";
	FILE *f = fopen(path, "r");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fread(text, 1, sizeof text - 1, f), strlen(expected));
	ck_assert_str_eq(text, expected);
	fclose(f);
}

static void write_file(const char *text, bool is_forced)
{
	struct error err = ERROR_INIT;
	struct sink *s = sink_open(path, is_forced, &err);

	ck_assert_ptr_nonnull(s);
	buf_adds(sink_buf(s), text);
	ck_assert(sink_close(s, &err));
	ck_assert_int_eq(err.kind, ERR_NONE);
}

START_TEST(file_appears_when_it_is_complete)
{
	struct error err = ERROR_INIT;
	struct sink *s = sink_open(path, false, &err);
	struct stat st;
	mode_t mask = umask(0);

	umask(mask);
	ck_assert_ptr_nonnull(s);
	for (int i = 0; i < 300; i++) {
		for (int k = 0; k < 1000; k++)
			buf_adds(sink_buf(s), "0123456789");
		ck_assert(sink_step(s));
		ck_assert_uint_lt(sink_buf(s)->len, (size_t)2 << 20);
	}
	ck_assert_int_ne(stat(path, &st), 0);
	ck_assert(sink_close(s, &err));
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_size, 3000000);
	ck_assert_uint_eq(st.st_mode & 0777, 0666 & ~mask);
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(file_that_exists_is_replaced_only_by_force)
{
	struct error err = ERROR_INIT;

	write_file("first", false);
	ck_assert_ptr_null(sink_open(path, false, &err));
	ck_assert_int_eq(err.kind, ERR_IO);
	check_file("first");
	write_file("second", true);
	check_file("second");
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(file_that_appears_meanwhile_is_kept)
{
	struct error err = ERROR_INIT;
	struct sink *s = sink_open(path, false, &err);

	buf_adds(sink_buf(s), "late");
	write_file("first", false);
	ck_assert(!sink_close(s, &err));
	ck_assert_int_eq(err.kind, ERR_IO);
	check_file("first");
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(dropped_or_failed_output_leaves_nothing)
{
	struct error err = ERROR_INIT, cause = ERROR_INIT;
	struct sink *s = sink_open(path, false, &err);

	buf_adds(sink_buf(s), "text");
	sink_drop(s);
	ck_assert_uint_eq(count_files(), 0);
	s = sink_open(path, false, &err);
	buf_adds(sink_buf(s), "text");
	error_set(&cause, ERR_LIMIT, -1, "the cause");
	sink_fail(s, &cause);
	cause.kind = ERR_IO;
	sink_fail(s, &cause);
	ck_assert(!sink_step(s));
	ck_assert(!sink_close(s, &err));
	ck_assert_int_eq(err.kind, ERR_LIMIT);
	ck_assert_str_eq(err.text, "the cause");
	ck_assert_uint_eq(count_files(), 0);
	sink_drop(NULL);
}
END_TEST

START_TEST(full_device_is_an_error)
{
	struct error err = ERROR_INIT;
	struct sink *s = sink_open("/dev/full", false, &err);

	if (!s)
		return; /* not on this system */
	buf_adds(sink_buf(s), "text");
	ck_assert(!sink_close(s, &err));
	ck_assert_int_eq(err.kind, ERR_IO);
}
END_TEST

static const struct faults harmless[] = { { 1, 0, -1 }, { 7, EINTR, -1 }, { 0, EAGAIN, -1 } };

START_TEST(output_is_complete_after_writes_in_parts)
{
	faults = harmless[_i];
	write_file("all of the text", false);
	faults = no_faults;
	check_file("all of the text");
}
END_TEST

START_TEST(failed_write_leaves_the_old_file)
{
	struct error err = ERROR_INIT;
	struct sink *s;

	write_file("old", false);
	s = sink_open(path, true, &err);
	buf_adds(sink_buf(s), "0123456789");
	n_writes = 0;
	faults = (struct faults){ 4, 0, _i };
	ck_assert(!sink_close(s, &err));
	faults = no_faults;
	ck_assert_ptr_nonnull(strstr(err.text, strerror(EIO)));
	check_file("old");
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(fifo_is_written_in_place)
{
	pid_t reader;
	int status;

	ck_assert_int_eq(mkfifo(path, 0600), 0);
	reader = fork();
	if (reader == 0) {
		char text[10];

		_exit(read(open(path, O_RDONLY), text, sizeof text) != 4);
	}
	write_file("text", false);
	ck_assert_int_eq(waitpid(reader, &status, 0), reader);
	ck_assert_int_eq(status, 0);
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(folder_is_an_error)
{
	struct error err = ERROR_INIT;

	ck_assert_ptr_null(sink_open(temp_folder, true, &err));
	ck_assert_ptr_nonnull(strstr(err.text, strerror(EISDIR)));
	ck_assert_uint_eq(count_files(), 0);
}
END_TEST

/* A folder whose links lead from one to the next; the last one to `out` in the folder below. */
static void make_links(int n)
{
	char name[sizeof path], to[sizeof path];

	snprintf(name, sizeof name, "%s/below", temp_folder);
	ck_assert_int_eq(mkdir(name, 0777), 0);
	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof name, "%s/link%d", temp_folder, i);
		if (i + 1 == n)
			snprintf(to, sizeof to, "below/out");
		else if (i % 2)
			snprintf(to, sizeof to, "%s/link%d", temp_folder, i + 1);
		else
			snprintf(to, sizeof to, "link%d", i + 1);
		ck_assert_int_eq(symlink(to, name), 0);
	}
}

/* Their end is replaced, the links stay; whether there is a file at the end or not. */
START_TEST(links_are_followed)
{
	struct stat st;

	make_links(_i);
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "%s/link0", temp_folder);
		write_file(i ? "second" : "first", true);
		ck_assert_int_eq(lstat(path, &st), 0);
		ck_assert(S_ISLNK(st.st_mode));
		snprintf(path, sizeof path, "%s/below/out", temp_folder);
		check_file(i ? "second" : "first");
		ck_assert_int_eq(lstat(path, &st), 0);
		ck_assert(S_ISREG(st.st_mode));
	}
}
END_TEST

/* The kernel follows as many as the program does. */
START_TEST(links_without_end_are_an_error)
{
	struct error err = ERROR_INIT;

	ck_assert_int_eq(symlink("out", path), 0);
	ck_assert_ptr_null(sink_open(path, true, &err));
	ck_assert_ptr_nonnull(strstr(err.text, strerror(ELOOP)));
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(link_that_leads_nowhere_exists)
{
	struct error err = ERROR_INIT;

	ck_assert_int_eq(symlink("none", path), 0);
	ck_assert_ptr_null(sink_open(path, false, &err));
	ck_assert_str_eq(err.text, "exists already; --force replaces it");
}
END_TEST

START_TEST(another_name_of_standard_output_is_written_in_place)
{
	struct error err = ERROR_INIT;
	int own = dup(STDOUT_FILENO), fd = open(path, O_WRONLY | O_CREAT, 0600);
	struct sink *s;

	dup2(fd, STDOUT_FILENO);
	close(fd);
	s = sink_open(path, false, &err); /* as /dev/stdout */
	ck_assert_ptr_nonnull(s);
	buf_adds(sink_buf(s), "text");
	ck_assert(sink_close(s, &err));
	ck_assert_int_eq(write(STDOUT_FILENO, "more", 4), 4);
	dup2(own, STDOUT_FILENO);
	check_file("textmore");
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

/* Mount a file system of 64 kB over the folder. Returns false if that is not permitted. */
static bool make_small_disc(void)
{
#ifdef CLONE_NEWNS
	return unshare(CLONE_NEWNS) == 0 &&
		mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
		mount("none", temp_folder, "tmpfs", 0, "size=64k") == 0;
#else
	return false;
#endif
}

START_TEST(full_disc_is_an_error_and_leaves_nothing)
{
	struct error err = ERROR_INIT;
	struct sink *s;

	if (!make_small_disc())
		return;
	s = sink_open(path, false, &err);
	ck_assert_ptr_nonnull(s);
	for (int i = 0; i < 300000; i++)
		buf_adds(sink_buf(s), "0123456789");
	ck_assert(!sink_step(s));
	ck_assert(!sink_close(s, &err));
	ck_assert_ptr_nonnull(strstr(err.text, strerror(ENOSPC)));
	ck_assert_uint_eq(count_files(), 0);
	ck_assert_int_eq(umount(temp_folder), 0);
}
END_TEST

START_TEST(folder_that_is_missing_is_an_error)
{
	struct error err = ERROR_INIT;

	strcat(path, "/none/out");
	ck_assert_ptr_null(sink_open(path, true, &err));
	ck_assert_int_eq(err.kind, ERR_IO);
}
END_TEST

struct watched {
	int64_t bytes; /* of the last call */
	int64_t most;  /* cancel from here on */
	int n;
};

static bool watch(void *ctx, int64_t bytes)
{
	struct watched *w = ctx;

	ck_assert_int_ge(bytes, w->bytes);
	w->bytes = bytes;
	w->n++;
	return bytes < w->most;
}

/* Write lines of 100 bytes, until the sink says that it is pointless. Returns how many. */
static int write_lines(struct sink *s, int most)
{
	int n = 0;

	do
		buf_addf(sink_buf(s), "%99d\n", n);
	while (++n < most && sink_step(s));
	return n;
}

START_TEST(watched_output_tells_its_bytes_and_is_cancelled)
{
	struct watched all = { .most = INT64_MAX }, some = { .most = 3000000 };
	struct error err = ERROR_INIT;
	struct sink *s = sink_open(path, false, &err);

	sink_watch(s, watch, &all);
	ck_assert_int_eq(write_lines(s, 50000), 50000);
	ck_assert_int_gt(all.n, 50);
	ck_assert_int_gt(all.bytes, 4900000);
	ck_assert(sink_close(s, &err));
	ck_assert_int_eq(remove(path), 0);

	s = sink_open(path, false, &err);
	sink_watch(s, watch, &some);
	ck_assert_int_lt(write_lines(s, 50000), 31000);
	ck_assert(!sink_close(s, &err));
	ck_assert_int_eq(err.kind, ERR_CANCELLED);
	ck_assert_uint_eq(count_files(), 0);
}
END_TEST

/* Steps without output come to the watch, too. */
/* What is compressed counts with the bytes that it was made of. */
START_TEST(output_that_is_too_long_leaves_nothing)
{
	for (int works = 0; works < 2; works++) {
		struct error err = ERROR_INIT;
		struct sink *s = sink_open(path, false, &err);
		int n = 0;

		ck_assert_ptr_nonnull(s);
		sink_limit(s, 1000);
		do {
			if (works)
				sink_work(s, 100);
			else
				for (int i = 0; i < 100; i++)
					buf_addc(sink_buf(s), 'x');
		} while (++n < 100 && sink_step(s));
		ck_assert_int_eq(n, 11);
		ck_assert(!sink_close(s, &err));
		ck_assert_int_eq(err.kind, ERR_LIMIT);
		ck_assert_uint_eq(count_files(), 0);
	}
}
END_TEST

START_TEST(steps_of_few_bytes_are_watched)
{
	struct watched all = { .most = 0 };
	struct error err = ERROR_INIT;
	struct sink *s = sink_open_memory();
	int n = 0;

	sink_watch(s, watch, &all);
	while (n < 100000 && sink_step(s))
		n++;
	ck_assert_int_lt(n, 1000);
	ck_assert(!sink_close(s, &err));
}
END_TEST

START_TEST(memory_keeps_everything)
{
	struct error err = ERROR_INIT;
	struct sink *s = sink_open_memory();

	for (int i = 0; i < 200000; i++)
		buf_adds(sink_buf(s), "0123456789");
	ck_assert(sink_step(s));
	ck_assert_uint_eq(sink_buf(s)->len, 2000000);
	ck_assert(sink_close(s, &err));
}
END_TEST

/* Start a process that counts what comes out of the pipe. It begins when the pipe is so full that
 * its writer has to wait. Its exit status is 0 if it got `expected` bytes. */
static pid_t start_late_reader(const int ends[2], size_t expected)
{
	pid_t pid = fork();
	char block[1000];
	size_t n = 0;
	int unread = 0;
	ssize_t got;

	if (pid)
		return pid;
	close(ends[1]);
	while (ioctl(ends[0], FIONREAD, &unread) == 0 && unread < 60000)
		usleep(1000);
	while ((got = read(ends[0], block, sizeof block)) > 0)
		n += (size_t)got;
	_exit(n != expected);
}

START_TEST(output_that_never_blocks_is_waited_for)
{
	struct error err = ERROR_INIT;
	struct sink *s;
	int ends[2], status, own = dup(STDOUT_FILENO);
	pid_t reader;

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
	reader = start_late_reader(ends, 3000000);
	dup2(ends[1], STDOUT_FILENO);
	close(ends[0]);
	close(ends[1]);
	s = sink_open("-", false, &err);
	for (int i = 0; i < 300000; i++)
		buf_adds(sink_buf(s), "0123456789");
	sink_close(s, &err);
	dup2(own, STDOUT_FILENO);
	ck_assert_str_eq(err.text, "");
	ck_assert_int_eq(waitpid(reader, &status, 0), reader);
	ck_assert_int_eq(status, 0);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "sink", SUITE_SECONDS);

	tcase_add_checked_fixture(t, set_up, temp_folder_remove);
	tcase_add_test(t, file_appears_when_it_is_complete);
	tcase_add_test(t, file_that_exists_is_replaced_only_by_force);
	tcase_add_test(t, file_that_appears_meanwhile_is_kept);
	tcase_add_test(t, dropped_or_failed_output_leaves_nothing);
	tcase_add_test(t, full_device_is_an_error);
	tcase_add_loop_test(t, output_is_complete_after_writes_in_parts, 0, N(harmless));
	tcase_add_loop_test(t, failed_write_leaves_the_old_file, 0, 3);
	tcase_add_test(t, fifo_is_written_in_place);
	tcase_add_test(t, folder_is_an_error);
	tcase_add_loop_test(t, links_are_followed, 1, 40);
	tcase_add_test(t, links_without_end_are_an_error);
	tcase_add_test(t, link_that_leads_nowhere_exists);
	tcase_add_test(t, another_name_of_standard_output_is_written_in_place);
	tcase_add_test(t, full_disc_is_an_error_and_leaves_nothing);
	tcase_add_test(t, folder_that_is_missing_is_an_error);
	tcase_add_test(t, memory_keeps_everything);
	tcase_add_test(t, watched_output_tells_its_bytes_and_is_cancelled);
	tcase_add_test(t, steps_of_few_bytes_are_watched);
	tcase_add_test(t, output_that_is_too_long_leaves_nothing);
	tcase_add_test(t, output_that_never_blocks_is_waited_for);
}

int main(void)
{
	return suite_run("sink", add_tests);
}
