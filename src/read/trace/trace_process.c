/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes of a trace, in a hash table by process id. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"

struct trace_process *trace_process_get(struct trace *t, int64_t pid)
{
	struct hash_probe probe;
	uint64_t hash;

	if (t->last_process < t->n_processes && t->processes[t->last_process].pid == pid)
		return &t->processes[t->last_process];
	hash = hash_u64((uint64_t)pid);
	probe = hash_probe(hash);
	while (hash_table_next(&t->process_index, &probe)) {
		if (t->processes[probe.index].pid == pid) {
			t->last_process = probe.index;
			return &t->processes[probe.index];
		}
	}
	t->processes = xgrow(t->processes, &t->cap_processes, t->n_processes + 1,
			     sizeof *t->processes);
	t->processes[t->n_processes] = (struct trace_process){ .pid = pid };
	t->last_process = (uint32_t)t->n_processes++;
	hash_table_add(&t->process_index, hash, t->last_process);
	return &t->processes[t->last_process];
}
