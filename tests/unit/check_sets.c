/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several files: one test for each rule of formats(5), SETS. */
#include "config.h"

#include "story.h"
#include "suite.h"
#include "temp_folder.h"

#include "base/units.h"
#include "model/build/align.h"
#include "model/profile.h"
#include "read/load/file_set.h"
#include "read/load/load_file.h"
#include "read/load/split_lanes.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void put(const char *name, const char *text)
{
	char path[256], *copy = xstrdup(text);
	int fd;

	for (char *p = copy; *p; p++)
		if (*p == '\'')
			*p = '"';
	temp_folder_path(path, sizeof path, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ck_assert_int_eq(write(fd, copy, strlen(copy)), (ssize_t)strlen(copy));
	close(fd);
	free(copy);
}

/* A CPU profile of one function, from start_us on, 100 us long. */
static void put_profile(const char *name, long long start_us)
{
	char text[512];

	snprintf(
		text, sizeof text,
		"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2]},{'id':2,'callFrame':{'functionName':'f'}}],"
		"'startTime':%lld,'endTime':%lld,'samples':[2,2],'timeDeltas':[0,50]}",
		start_us, start_us + 100);
	put(name, text);
}

struct loaded {
	struct profile *profile; /* NULL: nothing */
	size_t n_failed;
	struct buf messages;
	int64_t done, total;
};

static struct loaded load_paths(const char *const *paths, size_t n)
{
	struct builder *b = builder_new(&(struct builder_options){ .is_raw = false });
	struct loaded is = { 0 };
	struct progress progress = { 0 };
	struct file_set set = { 0 };
	struct error err = ERROR_INIT;
	const char *name = NULL;

	for (size_t i = 0; i < n; i++)
		ck_assert(file_set_add(&set, paths[i], NULL, &err));
	is.n_failed = file_set_load(&set, b, &progress, &name, &is.messages);
	is.profile = builder_finish(b, &err);
	is.done = progress.done;
	is.total = progress.total;
	file_set_done(&set);
	return is;
}

static struct loaded load_folder(void)
{
	const char *path = temp_folder;

	return load_paths(&path, 1);
}

static void done(struct loaded *is)
{
	profile_free(is->profile);
	buf_done(&is->messages);
}

/* "pid:tid at start" of each lane, in us. */
static void check_lanes(const struct profile *p, bool has_own_zero, const char *expect)
{
	struct buf out = { 0 };

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];

		/* -1: unknown. */
		buf_addf(&out, "%s%lld:%lld at %lld", i ? ", " : "",
			 (long long)(lane->pid == LANE_NO_ID ? -1 : lane->pid),
			 (long long)(lane->tid == LANE_NO_ID ? -1 : lane->tid),
			 (long long)lane->t0 / 1000);
	}
	ck_assert_str_eq(buf_text(&out), expect);
	ck_assert_int_eq(p->has_own_zero, has_own_zero);
	buf_done(&out);
}

START_TEST(one_clock)
{
	struct loaded is;

	put_profile("CPU.20251120.100000.10.0.001.cpuprofile", 5000000);
	put_profile("CPU.20251120.100000.10.2.002.cpuprofile", 5000200);
	put_profile("CPU.20251120.100003.11.0.001.cpuprofile", 8000000);
	is = load_folder();
	check_lanes(is.profile, false, "10:0 at 0, 10:2 at 200, 11:0 at 3000000");
	ck_assert_str_eq(profile_text(is.profile, is.profile->lanes[1].thread_name), "worker 2");
	ck_assert_int_eq(is.done, is.total);
	done(&is);
}
END_TEST

static void check_recorded(const struct profile *p, uint32_t input, const char *expect)
{
	struct buf out = { 0 };

	wall_clock_recorded(p, &p->inputs[input], &out);
	ck_assert_str_eq(buf_text(&out), expect);
	buf_done(&out);
}

START_TEST(dates_and_numbers_of_names_are_kept)
{
	struct loaded is;

	put_profile("CPU.1746884785123.77.cpuprofile", 5000000);
	put_profile("CPU.20250510.134625.51430.2.003.cpuprofile", 5000000);
	put_profile("CPU.20250510.250090.51430.3.004.cpuprofile", 5000000);
	put_profile("a.cpuprofile", 5000000);
	is = load_folder();
	check_recorded(is.profile, 0, "2025-05-10 13:46:25 UTC");
	check_recorded(is.profile, 1, "2025-05-10 13:46:25");
	check_recorded(is.profile, 2, "2025-05-10 25:00:90");
	check_recorded(is.profile, 3, "");
	ck_assert_int_eq(is.profile->inputs[0].seq, -1);
	ck_assert_int_eq(is.profile->inputs[1].seq, 3);
	ck_assert_int_eq(is.profile->inputs[2].seq, 4);
	done(&is);
}
END_TEST

/* Names have whole seconds: the second file began at 10:00:03 or later, so the first one did at
 * 10:00:00.7 or later. */
START_TEST(wall_clock_is_the_latest_that_a_name_allows)
{
	struct loaded is;
	int64_t at = 0, began = (date_days(2025, 11, 20) * 86400 + 36000) * NS_PER_S;

	put_profile("CPU.20251120.100000.10.0.001.cpuprofile", 5000000);
	put_profile("CPU.20251120.100003.11.0.001.cpuprofile", 7300000);
	is = load_folder();
	ck_assert(!is.profile->has_own_zero);
	ck_assert(wall_clock_find(is.profile, &is.profile->lanes[0], &at));
	ck_assert_int_eq(at, began + 700 * NS_PER_MS);
	done(&is);
}
END_TEST

START_TEST(wall_clocks_of_different_clocks)
{
	struct loaded is;
	int64_t at = 0, began = (date_days(2025, 11, 20) * 86400 + 36000) * NS_PER_S;

	put_profile("CPU.20251120.100000.10.0.001.cpuprofile", 5000000);
	put_profile("CPU.20251120.110000.11.0.001.cpuprofile", 4000000);
	is = load_folder();
	ck_assert(is.profile->has_own_zero);
	ck_assert(wall_clock_find(is.profile, &is.profile->lanes[0], &at));
	ck_assert_int_eq(at, began);
	ck_assert(wall_clock_find(is.profile, &is.profile->lanes[1], &at));
	ck_assert_int_eq(at, began + 3600 * NS_PER_S);
	done(&is);
}
END_TEST

START_TEST(no_wall_clock_without_dates)
{
	struct loaded is;
	int64_t at;

	put_profile("a.cpuprofile", 5000000);
	is = load_folder();
	ck_assert(!wall_clock_find(is.profile, &is.profile->lanes[0], &at));
	done(&is);
}
END_TEST

/* A file that was recorded later has an earlier clock: the machine was started again meanwhile. */
START_TEST(order_of_dates_disagrees)
{
	struct loaded is;

	put_profile("CPU.20251120.100000.10.0.001.cpuprofile", 5000000);
	put_profile("CPU.20251120.100000.10.2.002.cpuprofile", 5000200);
	put_profile("CPU.20251120.110000.11.0.001.cpuprofile", 4000000);
	is = load_folder();
	check_lanes(is.profile, true, "10:0 at 0, 10:2 at 200, 11:0 at 0");
	done(&is);
}
END_TEST

START_TEST(two_seconds_are_forgiven)
{
	struct loaded is;

	put_profile("CPU.20251120.100002.10.0.001.cpuprofile", 5000000);
	put_profile("CPU.20251120.100000.11.0.001.cpuprofile", 5000500);
	is = load_folder();
	check_lanes(is.profile, false, "10:0 at 0, 11:0 at 500");
	done(&is);
}
END_TEST

START_TEST(more_than_a_day_apart)
{
	struct loaded is;

	put_profile("CPU.20251120.100000.10.0.001.cpuprofile", 5000000);
	put_profile("CPU.20251122.100000.11.0.001.cpuprofile", 5000000 + 86400LL * 1000000);
	is = load_folder();
	check_lanes(is.profile, true, "10:0 at 0, 11:0 at 0");
	done(&is);
}
END_TEST

START_TEST(names_without_dates)
{
	struct loaded is;

	put_profile("a.cpuprofile", 5000000);
	put_profile("b.cpuprofile", 5000700);
	is = load_folder();
	check_lanes(is.profile, false, "-1:-1 at 0, -1:-1 at 700");
	done(&is);
}
END_TEST

static size_t count_notes(const struct profile *p, const char *text)
{
	size_t n = 0;

	for (uint32_t i = 0; i < p->n_inputs; i++)
		for (size_t k = 0; k < p->inputs[i].n_notes; k++)
			n += strstr(profile_text(p, p->inputs[i].notes[k].text), text) != NULL;
	return n;
}

/* Clocks that are near to each other may be those of one run. That is an assumption, and said so,
 * unless dates prove it. */
START_TEST(near_clocks_without_dates_are_an_assumption)
{
	struct loaded is;

	put_profile("a.cpuprofile", 5000000);
	put_profile("b.cpuprofile", 15000100);
	is = load_folder();
	check_lanes(is.profile, false, "-1:-1 at 0, -1:-1 at 10000100");
	ck_assert_uint_eq(count_notes(is.profile, "is an assumption"), 1);
	ck_assert(is.profile->is_clock_assumed);
	done(&is);
	temp_folder_remove();
	temp_folder_make();
	put_profile("CPU.20251120.100000.10.0.001.cpuprofile", 5000000);
	put_profile("CPU.20251120.100003.11.0.001.cpuprofile", 8000000);
	is = load_folder();
	ck_assert(!is.profile->has_own_zero);
	ck_assert_uint_eq(count_notes(is.profile, "is an assumption"), 0);
	done(&is);
}
END_TEST

/* Hosts have run for different times: without dates nothing joins them. */
START_TEST(distant_clocks_without_dates_are_apart)
{
	struct error err = ERROR_INIT;
	struct loaded is;

	put_profile("a.cpuprofile", 5000000);
	put_profile("b.cpuprofile", 15000101);
	put_profile("CPU.20251120.100000.10.0.001.cpuprofile", 5000000);
	is = load_folder();
	check_lanes(is.profile, true, "-1:-1 at 0, -1:-1 at 0, 10:0 at 0");
	ck_assert_uint_eq(count_notes(is.profile, "is an assumption"), 0);
	ck_assert(realign_is_possible(is.profile, false, &err));
	done(&is);
}
END_TEST

/* Each host has a process 1, or another one of the same number. Files are of one process only where
 * their clocks agree. */
START_TEST(one_process_id_on_two_hosts)
{
	struct loaded is;

	put_profile("CPU.20251120.100000.1.0.001.cpuprofile", 5000000);
	put_profile("CPU.20251120.100001.1.1.002.cpuprofile", 6000000);
	put_profile("CPU.20251120.100002.1.0.001.cpuprofile", 900000000);
	put_profile("CPU.20251120.100009.1.1.002.cpuprofile", 907000000);
	is = load_folder();
	check_lanes(is.profile, true, "1:0 at 0, 1:1 at 1000000, 1:0 at 0, 1:1 at 7000000");
	ck_assert(!is.profile->is_one_clock);
	ck_assert_uint_eq(
		count_notes(is.profile, "process 1: the clocks of its files do not agree"), 1);
	done(&is);
}
END_TEST

#define TRACE                                                                                      \
	"[{'ph':'X','pid':%d,'tid':1,'ts':%lld,'dur':5,'name':'a'},"                               \
	"{'ph':'X','pid':%d,'tid':1,'ts':%lld,'dur':5,'name':'b'}]"

static void put_trace(const char *name, int pid, long long ts)
{
	char text[256];

	snprintf(text, sizeof text, TRACE, pid, ts, pid, ts + 100);
	put(name, text);
}

/* The same without dates; a process whose files are near to each other is one. */
START_TEST(one_process_id_without_dates)
{
	struct loaded is;

	put_trace("a.json", 1, 5000000);
	put_trace("b.json", 1, 900000000);
	put_trace("c.json", 2, 900000000);
	put_trace("d.json", -7, 5000000);
	put_trace("e.json", -7, 5000500);
	is = load_folder();
	check_lanes(is.profile, true, "-7:1 at 0, -7:1 at 500, 1:1 at 0, 1:1 at 0, 2:1 at 0");
	ck_assert_uint_eq(count_notes(is.profile, "process 1: the clocks"), 1);
	done(&is);
	temp_folder_remove();
	temp_folder_make();
	put_trace("a.json", 1, 5000000);
	put_trace("b.json", 1, 5000500);
	is = load_folder();
	check_lanes(is.profile, false, "1:1 at 0, 1:1 at 500");
	ck_assert_uint_eq(is.profile->inputs[1].n_notes, 0);
	ck_assert(!is.profile->is_clock_assumed);
	done(&is);
}
END_TEST

static void put_host(const char *name, const char *host, int pid, long long ts)
{
	char text[400];

	snprintf(text, sizeof text, "{'metadata':{%s},'traceEvents':" TRACE "}", host, pid, ts, pid,
		 ts + 100);
	put(name, text);
}

/* Files with a warning about their clocks. */
static size_t count_clocks(const struct profile *p)
{
	size_t n = 0;

	for (uint32_t i = 0; i < p->n_inputs; i++)
		for (size_t k = 0; k < p->inputs[i].n_warnings; k++)
			n += p->inputs[i].warnings[k].kind == WARN_CLOCK;
	return n;
}

static const char *process_of(const struct profile *p, uint32_t lane)
{
	return profile_text(p, p->lanes[lane].process_name);
}

/* Files that name different hosts are never of one process or on one time line; those of one host
 * are. */
START_TEST(hosts_are_apart)
{
	struct loaded is;

	put_host("a.json", "'hostname':'alpha'", 1, 5000000);
	put_host("b.json", "'hostname':'beta'", 1, 5000010);
	put_host("c.json", "'hostname':'beta'", 2, 5000500);
	put_host("d.json", "'hostname':'alpha'", 3, 5000700);
	put_trace("e.json", 1, 5000600);
	is = load_folder();
	check_lanes(is.profile, true, "1:1 at 0, 1:1 at 0, 1:1 at 0, 2:1 at 490, 3:1 at 700");
	ck_assert_uint_eq(count_clocks(is.profile), 4);
	for (uint32_t i = 0; i < 5; i++)
		ck_assert_int_eq(is.profile->lanes[i].is_twin, i < 3);
	done(&is);
}
END_TEST

/* The only lane of a file. */
static const struct lane *lane_of(const struct profile *p, uint32_t input)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].input == input)
			return &p->lanes[i];
	ck_abort_msg("no lane of file %u", (unsigned)input);
}

/* A file that names no host is of the process of one that does, and stays so when the files of that
 * host become one group. */
START_TEST(groups_stay_whole_when_those_of_a_host_are_united)
{
	static const int64_t starts_us[] = { 1000000, 1200000, 0, 0 };
	struct loaded is;

	put_host("a.json", "'hostname':'alpha'", 3, 100000000);
	put_host("b.json", "'hostname':'alpha'", 5, 100200000);
	put_trace("c.json", 5, 99000000);
	put_host("d.json", "'hostname':'beta'", 7, 100100000);
	is = load_folder();
	ck_assert(is.profile->has_own_zero);
	ck_assert_int_eq(is.profile->t1, 1200105 * NS_PER_US);
	for (uint32_t i = 0; i < 4; i++) {
		const struct lane *l = lane_of(is.profile, i);

		ck_assert_int_eq(l->t0, starts_us[i] * NS_PER_US);
		ck_assert_int_eq(l->group == lane_of(is.profile, 0)->group, i < 3);
		ck_assert(!l->is_twin);
	}
	done(&is);
}
END_TEST

/* A file that names no host has processes of both: it does not make them one time line. */
START_TEST(hosts_are_not_joined_by_a_file_without_one)
{
	struct loaded is;

	put_host("a.json", "'hostname':'alpha'", 5, 5000000);
	put("b.json",
	    "[{'ph':'X','pid':5,'tid':1,'ts':5000010,'dur':5,'name':'a'},"
	    "{'ph':'X','pid':7,'tid':1,'ts':5000060,'dur':5,'name':'a'}]");
	put_host("c.json", "'hostname':'beta'", 7, 5000050);
	is = load_folder();
	check_lanes(is.profile, true, "5:1 at 0, 5:1 at 0, 7:1 at 0, 7:1 at 50");
	ck_assert_uint_eq(count_clocks(is.profile), 2);
	ck_assert_uint_eq(count_notes(is.profile, "process 5, and 1 other: the clocks"), 1);
	done(&is);
}
END_TEST

/* Wherever the file is that names only a part of its host. */
START_TEST(hosts_are_apart_in_any_order)
{
	static const char *const hosts[] = { "'hostname':'alpha'", "'hostname':'alpha'",
					     "'os-name':'Linux'", "'hostname':'beta'" };
	uint32_t input[4];
	struct loaded is;

	for (uint32_t i = 0; i < 4; i++) {
		char name[32];

		input[i] = (i + (uint32_t)_i) % 4;
		snprintf(name, sizeof name, "%u.json", (unsigned)input[i]);
		put_host(name, hosts[i], (int)i + 1, 5000000 + 100 * i);
	}
	is = load_folder();
	ck_assert(is.profile->has_own_zero);
	ck_assert_uint_eq(count_clocks(is.profile), 4);
	for (uint32_t i = 0; i < 4; i++) {
		const struct lane *l = lane_of(is.profile, input[i]);

		ck_assert_int_eq(l->t0, i == 1 ? 100 * NS_PER_US : 0);
		ck_assert_int_eq(l->group == lane_of(is.profile, input[0])->group, i < 2);
	}
	done(&is);
}
END_TEST

START_TEST(what_names_a_host)
{
	static const struct {
		const char *a, *b;
		bool is_apart;
	} c[] = {
		{ "'cpu-brand':'x 1'", "'cpu-brand':'x 2'", true },
		{ "'os-name':'Linux'", "'os-name':'Mac OS X'", true },
		{ "'clock-domain':'LINUX_CLOCK_MONOTONIC'", "'clock-domain':'WIN_QPC'", true },
		{ "'os-name':'Linux'", "'hostname':'beta'", false },
		{ "'hostname':'beta'", "'hostname':'beta'", false },
		{ "'hostname':'beta'", "'hostname':''", false },
		{ "'hostname':'beta'", "'hostname':7", false },
	};
	struct loaded is;

	put_host("a.json", c[_i].a, 1, 5000000);
	put_host("b.json", c[_i].b, 1, 5000010);
	is = load_folder();
	ck_assert_int_eq(is.profile->has_own_zero, c[_i].is_apart);
	ck_assert_uint_eq(count_clocks(is.profile), c[_i].is_apart ? 2 : 0);
	done(&is);
}
END_TEST

#define PERF                                                                                       \
	"# ========\n# captured on    : Fri Nov 20 10:00:00 2026\n# hostname : %s\n"               \
	"# clockid: monotonic (1)\n# ========\n#\n"                                                \
	"node 7/7 [000] 9.100000: 10000000 cpu-clock:\n\t10 f (/x)\n\n"                            \
	"node 7/7 [000] 9.110000: 10000000 cpu-clock:\n\t10 f (/x)\n\n"

START_TEST(hosts_of_perf_script)
{
	struct loaded is;
	char text[600];

	for (int same = 0; same < 2; same++) {
		snprintf(text, sizeof text, PERF, "alpha");
		put("a.perf", text);
		snprintf(text, sizeof text, PERF, same ? "alpha" : "beta");
		put("b.perf", text);
		is = load_folder();
		ck_assert_int_eq(is.profile->has_own_zero, !same);
		done(&is);
	}
}
END_TEST

/* Names are of the process of one host. */
START_TEST(names_of_processes_are_of_one_host)
{
	struct loaded is;

	for (int i = 0; i < 2; i++) {
		char text[400];

		snprintf(text, sizeof text,
			 "{'metadata':{'hostname':'%d'},'traceEvents':[{'ph':'M','pid':1,'tid':0,"
			 "'name':'process_name','args':{'name':'name %d'}},"
			 "{'ph':'X','pid':1,'tid':1,'ts':%d,'dur':5,'name':'a'}]}",
			 i, i, 5000 + i);
		put(i ? "b.json" : "a.json", text);
	}
	is = load_folder();
	ck_assert_str_eq(process_of(is.profile, 0), "name 0");
	ck_assert_str_eq(process_of(is.profile, 1), "name 1");
	done(&is);
}
END_TEST

/* A few samples far from all others do not take the time line from these. */
START_TEST(file_far_from_the_others_is_on_its_own)
{
	struct loaded is;

	put_profile("a.cpuprofile", 1000000000000000);
	put_profile("b.cpuprofile", 1000000000000300);
	put_profile("c.cpuprofile", 1000000);
	is = load_folder();
	check_lanes(is.profile, true, "-1:-1 at 0, -1:-1 at 0, -1:-1 at 300");
	ck_assert_uint_eq(count_clocks(is.profile), 1);
	ck_assert_uint_eq(is.profile->inputs[2].n_warnings, 1);
	done(&is);
	/* More samples than a group that may be stray. */
	put_trace("d.json", 7, 1000000);
	is = load_folder();
	ck_assert_uint_eq(count_clocks(is.profile), 0);
	ck_assert(is.profile->has_own_zero);
	done(&is);
}
END_TEST

/* The dates are in order, but three seconds of the wall clock are not an hour of one machine. */
START_TEST(distance_of_dates_disagrees)
{
	struct loaded is;

	put_profile("CPU.20251120.100000.10.0.001.cpuprofile", 5000000);
	put_profile("CPU.20251120.100003.11.0.001.cpuprofile", 3605000000);
	is = load_folder();
	check_lanes(is.profile, true, "10:0 at 0, 11:0 at 0");
	ck_assert_uint_eq(count_notes(is.profile, "do not agree"), 0);
	done(&is);
}
END_TEST

/* The samples of the lane move with it, and all is as before when the lanes share the clock again.
 */
START_TEST(alignment_can_be_switched)
{
	struct error err = ERROR_INIT;
	struct loaded is;

	put_profile("CPU.20251120.100000.10.0.001.cpuprofile", 5000000);
	put_profile("CPU.20251120.100000.10.2.002.cpuprofile", 5000200);
	put_profile("CPU.20251120.100003.11.0.001.cpuprofile", 8000000);
	is = load_folder();
	ck_assert(realign_is_possible(is.profile, true, &err));
	align_switch(is.profile, true);
	check_lanes(is.profile, true, "10:0 at 0, 10:2 at 200, 11:0 at 0");
	ck_assert_int_eq(samples_time(&is.profile->lanes[2].samples, 1), 50 * NS_PER_US);
	ck_assert_int_eq(is.profile->inputs[2].zero_ns, 8 * NS_PER_S);
	ck_assert_int_eq(is.profile->t1, 300 * NS_PER_US);
	ck_assert(realign_is_possible(is.profile, false, &err));
	align_switch(is.profile, false);
	check_lanes(is.profile, false, "10:0 at 0, 10:2 at 200, 11:0 at 3000000");
	ck_assert_int_eq(samples_time(&is.profile->lanes[2].samples, 1),
			 3 * NS_PER_S + 50 * NS_PER_US);
	ck_assert_int_eq(is.profile->inputs[2].zero_ns, 5 * NS_PER_S);
	ck_assert_int_eq(is.profile->t1, 3 * NS_PER_S + 100 * NS_PER_US);
	done(&is);
}
END_TEST

/* What the rules do not allow, the user may want: the dates may be wrong. */
START_TEST(clock_can_be_shared_against_the_dates)
{
	struct error err = ERROR_INIT;
	struct loaded is;

	put_profile("CPU.20251120.100000.10.0.001.cpuprofile", 5000000);
	put_profile("CPU.20251120.110000.11.0.001.cpuprofile", 4000000);
	is = load_folder();
	ck_assert(is.profile->has_own_zero);
	ck_assert(realign_is_possible(is.profile, false, &err));
	align_switch(is.profile, false);
	check_lanes(is.profile, false, "10:0 at 1000000, 11:0 at 0");
	done(&is);
}
END_TEST

START_TEST(alignment_that_cannot_be_switched)
{
	struct error err = ERROR_INIT;
	struct loaded is;

	put_profile("CPU.20251120.100000.10.0.001.cpuprofile", 5000000);
	put_profile("CPU.20251120.100000.10.2.002.cpuprofile", 5000200);
	is = load_folder();
	ck_assert(realign_is_possible(is.profile, false, &err));
	ck_assert(!realign_is_possible(is.profile, true, &err));
	ck_assert_str_eq(err.text, "all lanes are of one recording");
	done(&is);
	put("stacks.folded", "a;b 12\n");
	is = load_folder();
	err = (struct error)ERROR_INIT;
	ck_assert(!realign_is_possible(is.profile, false, &err));
	ck_assert_str_eq(err.text, "the files have no clock in common");
	done(&is);
}
END_TEST

/* A page's clock counts from its opening, and folded stacks have none. */
START_TEST(clocks_of_other_kinds)
{
	struct loaded is;

	put_profile("CPU.20251120.100000.10.0.001.cpuprofile", 5000000);
	put("page.json",
	    "{'frames':[{'name':'a'}],'stacks':[{'frameId':0}],'samples':[{'timestamp':4000,'stackId':0},{'timestamp':4001}]}");
	put("stacks.folded", "a;b 12\n");
	is = load_folder();
	ck_assert_uint_eq(is.profile->n_lanes, 3);
	ck_assert(is.profile->has_own_zero);
	for (uint32_t i = 0; i < 3; i++)
		ck_assert_int_eq(is.profile->lanes[i].t0, 0);
	done(&is);
}
END_TEST

START_TEST(two_traces_of_pages_in_one_file)
{
	struct profile *p = story_load(
		"[{'frames':[{'name':'a'}],'stacks':[{'frameId':0}],'samples':[{'timestamp':4000,'stackId':0},{'timestamp':4001}]},"
		"{'frames':[{'name':'a'}],'stacks':[{'frameId':0}],'samples':[{'timestamp':9000,'stackId':0},{'timestamp':9001}]}]");

	check_lanes(p, true, "-1:-1 at 0, -1:-1 at 0");
	profile_free(p);
}
END_TEST

START_TEST(other_files_are_left_out)
{
	struct loaded is;

	put_profile("a.cpuprofile", 5000000);
	put(".hidden.cpuprofile", "broken");
	put("README", "This is text.\n");
	put("package.json", "{'name':'x'}");
	put("empty", "");
	put("z.txt", "");
	is = load_folder();
	ck_assert_uint_eq(is.n_failed, 0);
	ck_assert_uint_eq(is.profile->n_lanes, 1);
	ck_assert_uint_eq(is.profile->n_inputs, 1);
	ck_assert_uint_eq(is.profile->inputs[0].n_notes, 1);
	ck_assert(strstr(profile_text(is.profile, is.profile->inputs[0].notes[0].text),
			 "README, empty, package.json, z.txt") != NULL);
	done(&is);
}
END_TEST

START_TEST(broken_profiles_are_named)
{
	struct loaded is;

	put_profile("a.cpuprofile", 5000000);
	put("b.cpuprofile", "{'nodes':[{'id':1,'callFr");
	put_profile("c.cpuprofile", 6000000);
	is = load_folder();
	ck_assert_uint_eq(is.n_failed, 1);
	ck_assert(strstr(buf_text(&is.messages), "b.cpuprofile") != NULL);
	ck_assert_uint_eq(is.profile->n_lanes, 2);
	ck_assert_int_eq(is.done, is.total);
	done(&is);
}
END_TEST

START_TEST(nothing_in_it)
{
	struct loaded is = load_folder();

	ck_assert(is.profile == NULL && is.n_failed == 1);
	ck_assert(strstr(buf_text(&is.messages), "no files") != NULL);
	done(&is);
	put("README", "This is text.\n");
	is = load_folder();
	ck_assert(is.profile == NULL && is.n_failed == 1);
	ck_assert(strstr(buf_text(&is.messages), "no profile") != NULL);
	done(&is);
}
END_TEST

START_TEST(files_below_are_not_looked_at)
{
	char path[128];
	struct loaded is;

	put_profile("a.cpuprofile", 5000000);
	temp_folder_path(path, sizeof path, "below");
	ck_assert_int_eq(mkdir(path, 0700), 0);
	put_profile("below/b.cpuprofile", 5000000);
	is = load_folder();
	ck_assert_uint_eq(is.profile->n_lanes, 1);
	done(&is);
}
END_TEST

static void make_folder(const char *name)
{
	char path[256];

	temp_folder_path(path, sizeof path, name);
	ck_assert_int_eq(mkdir(path, 0700), 0);
}

/* The files that a set gets from the folder, without the path of the folder. */
static void check_tree(const char *expect)
{
	struct file_set set = { .is_recursive = true };
	struct error err = ERROR_INIT;
	struct buf out = { 0 };

	ck_assert(file_set_add(&set, temp_folder, NULL, &err));
	for (size_t i = 0; i < set.n; i++)
		buf_addf(&out, "%s%s", i ? " " : "", set.files[i].path + strlen(temp_folder) + 1);
	ck_assert_str_eq(buf_text(&out), expect);
	ck_assert_uint_eq(set.n_folders, 1);
	ck_assert(!set.folders[0].is_cut);
	buf_done(&out);
	file_set_done(&set);
}

START_TEST(files_below_are_read_on_demand)
{
	char link_path[256];

	make_folder("below");
	make_folder("below/er");
	make_folder("also");
	make_folder(".hidden");
	make_folder("below/node_modules");
	put_profile("z.cpuprofile", 5000000);
	put_profile("below/er/e.cpuprofile", 5000000);
	put_profile("below/b.cpuprofile", 5000000);
	put_profile("also/c.cpuprofile", 5000000);
	put_profile(".hidden/d.cpuprofile", 5000000);
	put_profile("below/node_modules/n.cpuprofile", 5000000);
	temp_folder_path(link_path, sizeof link_path, "link");
	ck_assert_int_eq(symlink("below", link_path), 0);
	temp_folder_path(link_path, sizeof link_path, "below/link.cpuprofile");
	ck_assert_int_eq(symlink("b.cpuprofile", link_path), 0);
	check_tree("z.cpuprofile also/c.cpuprofile below/b.cpuprofile below/er/e.cpuprofile");
}
END_TEST

/* The files of a tree are one directory to the notes: what is no profile is said once. */
START_TEST(tree_is_one_directory)
{
	struct builder *b = builder_new(&(struct builder_options){ .is_raw = false });
	struct file_set set = { .is_recursive = true };
	struct progress progress = { 0 };
	struct error err = ERROR_INIT;
	struct buf messages = { 0 };
	struct profile *p;
	const char *name;

	make_folder("below");
	put("below/README", "This is text.\n");
	put("package.json", "{'name':'x'}");
	put_profile("below/b.cpuprofile", 5000000);
	ck_assert(file_set_add(&set, temp_folder, NULL, &err));
	ck_assert_uint_eq(file_set_load(&set, b, &progress, &name, &messages), 0);
	p = builder_finish(b, &err);
	ck_assert_uint_eq(p->inputs[0].n_notes, 1);
	ck_assert(strncmp(profile_text(p, p->inputs[0].notes[0].text), "2 files of ", 11) == 0);
	profile_free(p);
	buf_done(&messages);
	file_set_done(&set);
}
END_TEST

START_TEST(tree_has_at_most_10000_files)
{
	struct file_set set = { .is_recursive = true };
	struct error err = ERROR_INIT;
	char path[256], first[256];

	put("0", "");
	temp_folder_path(first, sizeof first, "0");
	for (int i = 1; i < FOLDER_TREE_MAX + 1; i++) {
		snprintf(path, sizeof path, "%s/%d", temp_folder, i);
		ck_assert_int_eq(link(first, path), 0);
	}
	ck_assert(file_set_add(&set, temp_folder, NULL, &err));
	ck_assert_uint_eq(set.n, FOLDER_TREE_MAX);
	ck_assert(set.folders[0].is_cut);
	file_set_done(&set);
	unlink(path);
	ck_assert(file_set_add(&set, temp_folder, NULL, &err));
	ck_assert(!set.folders[0].is_cut);
	file_set_done(&set);
}
END_TEST

/* A file that is named on the command line must be a profile. */
START_TEST(files_and_folders_mixed)
{
	char other[128], path[128];
	const char *paths[] = { temp_folder, other, path };
	struct loaded is;

	put_profile("a.cpuprofile", 5000000);
	put("README", "This is text.\n");
	temp_folder_path(other, sizeof other, "README");
	temp_folder_path(path, sizeof path, "a.cpuprofile");
	is = load_paths(paths, 3);
	ck_assert_uint_eq(is.n_failed, 1);
	ck_assert_uint_eq(is.profile->n_lanes, 2);
	ck_assert_uint_eq(is.profile->inputs[0].n_notes, 1);
	done(&is);
}
END_TEST

/* What a quick look at a file calls no profile is none for the readers, either; what it calls one
 * has the reader that looks at all of it. */
static int n_others, n_quick;

static int look_at(const char *path, const struct stat *info, int kind, struct FTW *at)
{
	const struct reader *reader;
	struct builder *b;
	struct error err = ERROR_INIT;

	(void)info;
	(void)at;
	if (kind != FTW_F || !sniff_file(path, &reader))
		return 0;
	b = builder_new(&(struct builder_options){ .is_raw = false });
	if (load_file(&(struct load_file_order){ .path = path }, b, NULL, NULL, &err)) {
		struct profile *p = builder_finish(b, &err);

		ck_assert_msg(reader && p, "%s", path);
		ck_assert_msg(strcmp(p->inputs[0].format, reader->name) == 0, "%s: %s, %s", path,
			      p->inputs[0].format, reader->name);
		profile_free(p);
		n_quick++;
		return 0;
	}
	if (reader) {
		builder_free(b);
		return 0;
	}
	ck_assert_msg(err.kind == ERR_UNKNOWN, "%s: %s", path, err.text);
	builder_free(b);
	n_others++;
	return 0;
}

START_TEST(quick_look_agrees_with_the_readers)
{
	const char *top = getenv("srcdir");
	char path[300];

	n_others = n_quick = 0;
	snprintf(path, sizeof path, "%s/tests/input", top ? top : ".");
	ck_assert_int_eq(nftw(path, look_at, 8, FTW_PHYS), 0);
	snprintf(path, sizeof path, "%s/data", top ? top : ".");
	ck_assert_int_eq(nftw(path, look_at, 8, FTW_PHYS), 0);
	ck_assert_int_ge(n_others, 10);
	ck_assert_int_ge(n_quick, 50);
}
END_TEST

static bool stop_at_once(void *ctx, const struct progress *p)
{
	(void)ctx;
	(void)p;
	return false;
}

START_TEST(reading_a_directory_can_be_cancelled)
{
	struct progress progress = { .tick = stop_at_once };
	struct file_set set = { 0 };
	struct error err = ERROR_INIT;

	for (int i = 0; i < 20; i++) {
		char name[32];

		snprintf(name, sizeof name, "%d.txt", i);
		put(name, "text");
	}
	ck_assert(file_set_add(&set, temp_folder, &progress, &err));
	ck_assert_uint_lt(set.n, 5);
	file_set_done(&set);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "folders", SUITE_SECONDS);

	tcase_add_checked_fixture(t, temp_folder_make, temp_folder_remove);
	tcase_add_test(t, one_clock);
	tcase_add_test(t, dates_and_numbers_of_names_are_kept);
	tcase_add_test(t, wall_clock_is_the_latest_that_a_name_allows);
	tcase_add_test(t, wall_clocks_of_different_clocks);
	tcase_add_test(t, no_wall_clock_without_dates);
	tcase_add_test(t, order_of_dates_disagrees);
	tcase_add_test(t, two_seconds_are_forgiven);
	tcase_add_test(t, more_than_a_day_apart);
	tcase_add_test(t, names_without_dates);
	tcase_add_test(t, near_clocks_without_dates_are_an_assumption);
	tcase_add_test(t, distant_clocks_without_dates_are_apart);
	tcase_add_test(t, one_process_id_on_two_hosts);
	tcase_add_test(t, one_process_id_without_dates);
	tcase_add_test(t, hosts_are_apart);
	tcase_add_test(t, groups_stay_whole_when_those_of_a_host_are_united);
	tcase_add_test(t, hosts_are_not_joined_by_a_file_without_one);
	tcase_add_loop_test(t, hosts_are_apart_in_any_order, 0, 4);
	tcase_add_loop_test(t, what_names_a_host, 0, 7);
	tcase_add_test(t, hosts_of_perf_script);
	tcase_add_test(t, names_of_processes_are_of_one_host);
	tcase_add_test(t, file_far_from_the_others_is_on_its_own);
	tcase_add_test(t, distance_of_dates_disagrees);
	tcase_add_test(t, alignment_can_be_switched);
	tcase_add_test(t, clock_can_be_shared_against_the_dates);
	tcase_add_test(t, alignment_that_cannot_be_switched);
	tcase_add_test(t, clocks_of_other_kinds);
	tcase_add_test(t, two_traces_of_pages_in_one_file);
	tcase_add_test(t, other_files_are_left_out);
	tcase_add_test(t, broken_profiles_are_named);
	tcase_add_test(t, nothing_in_it);
	tcase_add_test(t, files_below_are_not_looked_at);
	tcase_add_test(t, files_below_are_read_on_demand);
	tcase_add_test(t, tree_is_one_directory);
	tcase_add_test(t, tree_has_at_most_10000_files);
	tcase_add_test(t, files_and_folders_mixed);
	tcase_add_test(t, quick_look_agrees_with_the_readers);
	tcase_add_test(t, reading_a_directory_can_be_cancelled);
}

int main(void)
{
	return suite_run("sets", add_tests);
}
