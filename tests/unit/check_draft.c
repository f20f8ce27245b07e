/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are complete under their name, or not there at all. Most rules hold for drafts without
 * a name and for drafts with a temporary name: the latter occur without /proc, which a folder that
 * becomes the root of the test does not have. */
#include "config.h"

#include "base/sink.h"

#include "suite.h"
#include "temp_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* How a loop test runs. */
enum { WITH_PROC, WITHOUT_PROC, N_WAYS };

static const char *folder; /* the folder of the test; the root of the test without /proc */
static int old_root = -1;
static char path[300], other[300];

static void set_up(void)
{
	umask(022);
	temp_folder_make();
	folder = temp_folder;
	snprintf(path, sizeof path, "%s/out", folder);
	snprintf(other, sizeof other, "%s/other", folder);
}

static void tear_down(void)
{
	if (old_root >= 0) {
		ck_assert_int_eq(fchdir(old_root), 0);
		ck_assert_int_eq(chroot("."), 0);
	}
	temp_folder_remove();
}

static bool has_no_hard_links; /* as FAT */

/* The code under test calls this instead of the function of the C library. */
int link(const char *from, const char *to)
{
	if (has_no_hard_links) {
		errno = EPERM;
		return -1;
	}
	return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* Returns false if the test cannot be run in that way. */
static bool go(int way)
{
	int fd;

	if (way == WITH_PROC)
		return true;
	fd = open("/", O_RDONLY | O_DIRECTORY);
	if (chroot(temp_folder) != 0 && (unshare(CLONE_NEWUSER) != 0 || chroot(temp_folder) != 0)) {
		close(fd);
		return false;
	}
	old_root = fd;
	folder = "/";
	strcpy(path, "/out");
	strcpy(other, "/other");
	return true;
}

static size_t count_files(void)
{
	DIR *d = opendir(folder);
	size_t n = 0;

	ck_assert_ptr_nonnull(d);
	for (struct dirent *entry; (entry = readdir(d));)
		n += entry->d_name[0] != '.';
	closedir(d);
	return n;
}

static void check_file(const char *name, const char *expected)
{
	char text[100] = "";
	int fd = open(name, O_RDONLY);

	ck_assert_msg(fd >= 0, "%s: %s", name, strerror(errno));
	ck_assert_int_ge(read(fd, text, sizeof text - 1), 0);
	close(fd);
	ck_assert_str_eq(text, expected);
}

static void make_file(const char *name, const char *text, mode_t mode)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	ck_assert_int_eq(fchmod(fd, mode), 0);
	close(fd);
}

static mode_t mode_of(const char *name)
{
	struct stat st;

	ck_assert_int_eq(lstat(name, &st), 0);
	return st.st_mode;
}

static struct sink *begin(const char *name, bool is_forced)
{
	struct error err = ERROR_INIT;
	struct sink *s = sink_open(name, is_forced, &err);

	ck_assert_msg(s != NULL, "%s", err.text);
	buf_adds(sink_buf(s), "new");
	return s;
}

static void write_file(const char *name, bool is_forced)
{
	struct error err = ERROR_INIT;
	struct sink *s = begin(name, is_forced);

	ck_assert_msg(sink_close(s, &err), "%s", err.text);
	check_file(name, "new");
}

static void check_refused(const char *name, bool is_forced, int errnum)
{
	struct error err = ERROR_INIT;

	ck_assert_ptr_null(sink_open(name, is_forced, &err));
	ck_assert_int_eq(err.kind, ERR_IO);
	ck_assert_ptr_nonnull(strstr(err.text, strerror(errnum)));
}

/* ---- new files ---- */

START_TEST(file_has_its_name_when_it_is_complete)
{
	struct error err = ERROR_INIT;
	struct sink *d;

	umask(027);
	if (!go(_i))
		return;
	d = begin(path, false);
	ck_assert_int_ne(access(path, F_OK), 0);
	if (_i == WITHOUT_PROC)
		ck_assert_uint_eq(count_files(), 1);
	ck_assert(sink_close(d, &err));
	check_file(path, "new");
	ck_assert_uint_eq(mode_of(path), S_IFREG | 0640);
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(dropped_draft_leaves_nothing)
{
	if (!go(_i))
		return;
	sink_drop(begin(path, false));
	ck_assert_uint_eq(count_files(), 0);
	sink_drop(NULL);
}
END_TEST

START_TEST(file_that_appears_meanwhile_is_kept)
{
	struct error err = ERROR_INIT;
	struct sink *d;

	if (!go(_i))
		return;
	d = begin(path, false);
	make_file(path, "first", 0644);
	ck_assert(!sink_close(d, &err));
	ck_assert_str_eq(err.text, "exists already; --force replaces it");
	check_file(path, "first");
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(without_hard_links_the_rules_are_the_same)
{
	struct error err = ERROR_INIT;
	struct sink *d;

	if (!go(WITHOUT_PROC))
		return;
	has_no_hard_links = true;
	write_file(path, false);
	ck_assert_uint_eq(mode_of(path), S_IFREG | 0644);
	write_file(path, true);
	ck_assert_uint_eq(count_files(), 1);
	d = begin(other, false);
	make_file(other, "first", 0644);
	ck_assert(!sink_close(d, &err));
	ck_assert_str_eq(err.text, "exists already; --force replaces it");
	check_file(other, "first");
	ck_assert_uint_eq(count_files(), 2);
}
END_TEST

START_TEST(two_drafts_of_a_name_are_two_files)
{
	struct error err = ERROR_INIT;
	struct sink *a, *b;

	if (!go(_i))
		return;
	a = begin(path, true);
	b = begin(path, true);
	ck_assert(sink_close(a, &err));
	ck_assert(sink_close(b, &err));
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(longest_name_is_possible)
{
	char name[256];

	if (!go(_i))
		return;
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	ck_assert_int_eq(chdir(folder), 0);
	write_file(name, false);
	write_file(name, true);
	ck_assert_uint_eq(count_files(), 1);
	ck_assert_int_eq(chdir("/"), 0);
}
END_TEST

START_TEST(name_that_cannot_be_is_refused_at_once)
{
	char name[600];

	if (!go(_i))
		return;
	check_refused("", false, ENOENT);
	snprintf(name, sizeof name, "%s/%0300d", folder, 0);
	check_refused(name, false, ENAMETOOLONG);
	snprintf(name, sizeof name, "%s/none/out", folder);
	check_refused(name, false, ENOENT);
	make_file(path, "text", 0644);
	snprintf(name, sizeof name, "%s/out", path);
	check_refused(name, true, ENOTDIR);
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(read_only_folder_is_refused)
{
	uid_t own = geteuid();

	ck_assert_int_eq(chmod(temp_folder, 0555), 0);
	ck_assert(own != 0 || seteuid(65534) == 0); /* root may write everywhere */
	check_refused(path, false, EACCES);
	check_refused(path, true, EACCES);
	ck_assert(own != 0 || seteuid(0) == 0);
	ck_assert_int_eq(chmod(temp_folder, 0755), 0);
	ck_assert_uint_eq(count_files(), 0);
}
END_TEST

/* ---- files that are replaced ---- */

START_TEST(replaced_file_keeps_its_mode)
{
	if (!go(_i))
		return;
	make_file(path, "a longer text", 0604);
	write_file(path, true);
	ck_assert_uint_eq(mode_of(path), S_IFREG | 0604);
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(replaced_file_keeps_its_owner_where_permitted)
{
	struct stat st;

	make_file(path, "old", 0664);
	if (chown(path, 65534, 65533) != 0)
		return;
	write_file(path, true);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_uid, 65534);
	ck_assert_uint_eq(st.st_gid, 65533);
	ck_assert_uint_eq(st.st_mode, S_IFREG | 0664);
	/* A user who may not: the other group gets no more than all others. */
	ck_assert_int_eq(chmod(temp_folder, 0777), 0);
	ck_assert_int_eq(seteuid(65532), 0);
	write_file(path, true);
	ck_assert_int_eq(seteuid(0), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_uid, 65532);
	ck_assert_uint_eq(st.st_mode, S_IFREG | 0644);
}
END_TEST

START_TEST(symbolic_link_stays_and_its_target_is_replaced)
{
	if (!go(_i))
		return;
	make_file(other, "old", 0640);
	ck_assert_int_eq(symlink("other", path), 0);
	write_file(path, true);
	ck_assert(S_ISLNK(mode_of(path)));
	ck_assert_uint_eq(mode_of(other), S_IFREG | 0640);
	check_file(other, "new");
	ck_assert_uint_eq(count_files(), 2);
}
END_TEST

START_TEST(links_are_followed_from_folder_to_folder)
{
	char name[400];

	if (!go(_i))
		return;
	snprintf(name, sizeof name, "%s/sub", folder);
	ck_assert_int_eq(mkdir(name, 0755), 0);
	ck_assert_int_eq(symlink("sub/second", path), 0);
	snprintf(name, sizeof name, "%s/sub/second", folder);
	ck_assert_int_eq(symlink("../third", name), 0);
	snprintf(name, sizeof name, "%s/third", folder);
	ck_assert_int_eq(symlink(other, name), 0);
	write_file(path, true); /* there was no such file yet */
	ck_assert(S_ISREG(mode_of(other)));
	check_file(other, "new");
	ck_assert_int_eq(unlink(other), 0);
	ck_assert_int_eq(symlink("out", other), 0);
	check_refused(path, true, ELOOP);
}
END_TEST

START_TEST(other_hard_link_keeps_the_old_contents)
{
	if (!go(_i))
		return;
	make_file(path, "old", 0644);
	ck_assert_int_eq(link(path, other), 0);
	write_file(path, true);
	check_file(other, "old");
	ck_assert_uint_eq(count_files(), 2);
}
END_TEST

START_TEST(folder_that_appears_meanwhile_is_kept)
{
	struct error err = ERROR_INIT;
	struct sink *d;

	if (!go(_i))
		return;
	d = begin(path, true);
	ck_assert_int_eq(mkdir(path, 0755), 0);
	ck_assert(!sink_close(d, &err));
	ck_assert_int_eq(err.kind, ERR_IO);
	ck_assert(S_ISDIR(mode_of(path)));
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

/* ---- ends ---- */

/* Run `end` in a process of its own, with a draft open. Returns its status as wait() gives it. */
static int end_in_the_middle(int number, void (*end)(struct sink *d, int number))
{
	struct rlimit none = { 0, 0 };
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &none);
		signal(number, SIG_DFL);
		end(begin(path, true), number);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

static void raise_signal(struct sink *d, int number)
{
	(void)d;
	raise(number);
}

static const int numbers[] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,   SIGXFSZ, SIGXCPU, SIGPIPE,
			       SIGUSR1, SIGALRM, SIGPROF, SIGVTALRM, SIGABRT, SIGSEGV, SIGBUS };

START_TEST(signal_leaves_no_draft)
{
	for (int way = WITH_PROC; way < N_WAYS; way++) {
		int status;

		if (!go(way))
			return;
		status = end_in_the_middle(numbers[_i], raise_signal);
		ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == numbers[_i], "status %x",
			      status);
		ck_assert_uint_eq(count_files(), 0);
	}
}
END_TEST

static void exit_early(struct sink *d, int number)
{
	(void)d;
	(void)number;
	die("this is the message of a test");
}

START_TEST(death_leaves_no_draft)
{
	if (!go(_i))
		return;
	ck_assert_int_eq(WEXITSTATUS(end_in_the_middle(SIGTERM, exit_early)), 1);
	ck_assert_uint_eq(count_files(), 0);
}
END_TEST

static void write_too_much(struct sink *d, int number)
{
	struct rlimit little = { 1000, 1000 };

	(void)number;
	setrlimit(RLIMIT_FSIZE, &little);
	for (int i = 0; i < 1000; i++)
		buf_adds(sink_buf(d), "0123456789");
	sink_close(d, &(struct error)ERROR_INIT);
}

START_TEST(limit_of_file_size_leaves_no_draft)
{
	int status;

	if (!go(_i))
		return;
	status = end_in_the_middle(SIGXFSZ, write_too_much);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
	ck_assert_uint_eq(count_files(), 0);
}
END_TEST

static void publish_and_raise(struct sink *d, int number)
{
	struct error err = ERROR_INIT;

	if (sink_close(d, &err))
		raise(number);
}

START_TEST(signal_afterwards_keeps_the_file)
{
	if (!go(_i))
		return;
	ck_assert_int_eq(WTERMSIG(end_in_the_middle(SIGTERM, publish_and_raise)), SIGTERM);
	check_file(path, "new");
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "draft", SUITE_SECONDS);

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_loop_test(t, file_has_its_name_when_it_is_complete, 0, N_WAYS);
	tcase_add_loop_test(t, dropped_draft_leaves_nothing, 0, N_WAYS);
	tcase_add_loop_test(t, file_that_appears_meanwhile_is_kept, 0, N_WAYS);
	tcase_add_test(t, without_hard_links_the_rules_are_the_same);
	tcase_add_loop_test(t, two_drafts_of_a_name_are_two_files, 0, N_WAYS);
	tcase_add_loop_test(t, longest_name_is_possible, 0, N_WAYS);
	tcase_add_loop_test(t, name_that_cannot_be_is_refused_at_once, 0, N_WAYS);
	tcase_add_test(t, read_only_folder_is_refused);
	tcase_add_loop_test(t, replaced_file_keeps_its_mode, 0, N_WAYS);
	tcase_add_test(t, replaced_file_keeps_its_owner_where_permitted);
	tcase_add_loop_test(t, symbolic_link_stays_and_its_target_is_replaced, 0, N_WAYS);
	tcase_add_loop_test(t, links_are_followed_from_folder_to_folder, 0, N_WAYS);
	tcase_add_loop_test(t, other_hard_link_keeps_the_old_contents, 0, N_WAYS);
	tcase_add_loop_test(t, folder_that_appears_meanwhile_is_kept, 0, N_WAYS);
	tcase_add_loop_test(t, signal_leaves_no_draft, 0, N(numbers));
	tcase_add_loop_test(t, death_leaves_no_draft, 0, N_WAYS);
	tcase_add_loop_test(t, limit_of_file_size_leaves_no_draft, 0, N_WAYS);
	tcase_add_loop_test(t, signal_afterwards_keeps_the_file, 0, N_WAYS);
}

int main(void)
{
	return suite_run("draft", add_tests);
}
