/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Index tables, and the map of call tree nodes that is built on them. */
#include "config.h"

#include "suite.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "model/calltree.h"

#include <stdlib.h>

static bool find(const struct hash_table *t, uint64_t hash, uint32_t wanted)
{
	struct hash_probe probe = hash_probe(hash);

	while (hash_table_next(t, &probe))
		if (probe.index == wanted)
			return true;
	return false;
}

static size_t count(const struct hash_table *t, uint64_t hash)
{
	struct hash_probe probe = hash_probe(hash);
	size_t n = 0;

	while (hash_table_next(t, &probe))
		n++;
	return n;
}

START_TEST(empty_finds_nothing)
{
	struct hash_table t = { 0 };

	ck_assert_uint_eq(count(&t, 0), 0);
	hash_table_reserve(&t, 10);
	ck_assert_uint_eq(count(&t, 0), 0);
	hash_table_done(&t);
	hash_table_done(&t);
}
END_TEST

START_TEST(index_0_and_hash_0_are_entries)
{
	struct hash_table t = { 0 };

	hash_table_add(&t, 0, 0);
	ck_assert(find(&t, 0, 0));
	ck_assert_uint_eq(count(&t, 1), 0);
	hash_table_add(&t, 7, HASH_TABLE_INDEX_MAX);
	ck_assert(find(&t, 7, HASH_TABLE_INDEX_MAX));
	hash_table_done(&t);
}
END_TEST

START_TEST(growing_keeps_all_entries)
{
	struct hash_table t = { 0 };

	/* One check for all entries: a check is slower than the table. */
	bool is_right = true;

	for (uint32_t i = 0; i < 100000; i++) {
		is_right = is_right && !find(&t, hash_u64(i), i);
		hash_table_add(&t, hash_u64(i), i);
		is_right = is_right && t.n_slots >= 2 * t.n;
	}
	ck_assert(is_right);
	ck_assert_uint_eq(t.n, 100000);
	for (uint32_t i = 0; i < 100000; i++)
		is_right = is_right && find(&t, hash_u64(i), i);
	ck_assert(is_right);
	hash_table_done(&t);
}
END_TEST

START_TEST(reserved_room_does_not_move)
{
	struct hash_table t = { 0 };
	const struct hash_slot *slots;

	hash_table_reserve(&t, 1000);
	slots = t.slots;
	for (uint32_t i = 0; i < 1000; i++)
		hash_table_add(&t, hash_u64(i), i);
	ck_assert_ptr_eq(t.slots, slots);
	hash_table_reserve(&t, 10);
	ck_assert_ptr_eq(t.slots, slots);
	ck_assert_uint_eq(t.n, 1000);
	hash_table_done(&t);
}
END_TEST

/* Hashes that end up in one cluster, at the end of the table and round its end. */
START_TEST(collisions_come_in_order_of_adding)
{
	const uint64_t hashes[] = { 63, UINT64_C(0xffffffff), 62, 127, 0, 62 };
	struct hash_table t = { 0 };

	for (uint32_t i = 0; i < 600; i++) {
		hash_table_add(&t, hashes[i % 6], i);
		for (size_t k = 0; k < 6 && i < 200; k++) {
			struct hash_probe probe = hash_probe(hashes[k]);
			uint32_t next = 0;

			while (hash_table_next(&t, &probe)) {
				while (hashes[next % 6] != hashes[k])
					next++;
				ck_assert_uint_eq(probe.index, next++);
			}
			while (next <= i && hashes[next % 6] != hashes[k])
				next++;
			ck_assert_uint_eq(next, i + 1);
		}
	}
	ck_assert_uint_eq(count(&t, 62), 200);
	ck_assert_uint_eq(count(&t, 63), 100);
	ck_assert_uint_eq(count(&t, 61), 0);
	ck_assert_uint_eq(count(&t, 1), 0);
	hash_table_done(&t);
}
END_TEST

START_TEST(replaced_index_takes_the_place_of_the_old)
{
	struct hash_table t = { 0 };
	struct hash_probe probe;

	for (uint32_t i = 0; i < 3; i++)
		hash_table_add(&t, 9, i);
	probe = hash_probe(9);
	ck_assert(hash_table_next(&t, &probe));
	ck_assert(hash_table_next(&t, &probe));
	hash_table_replace(&t, &probe, 77);
	ck_assert(find(&t, 9, 0));
	ck_assert(!find(&t, 9, 1));
	ck_assert(find(&t, 9, 77));
	ck_assert(find(&t, 9, 2));
	ck_assert_uint_eq(t.n, 3);
	hash_table_done(&t);
}
END_TEST

START_TEST(growing_in_place_keeps_clusters_that_wrap)
{
	/* Half of the hashes are the last slots of any size: their cluster goes on at slot 0, where
	 * the other half begins. */
	struct hash_table t = { 0 };

	for (uint32_t i = 0; i < 3000; i++)
		hash_table_add(&t, i % 2 ? UINT32_MAX - i % 8 : i % 6, i);
	for (uint32_t i = 0; i < 3000; i++) {
		struct hash_probe probe = hash_probe(i % 2 ? UINT32_MAX - i % 8 : i % 6);
		uint32_t before = 0;
		bool is_found = false;

		while (hash_table_next(&t, &probe)) {
			ck_assert_uint_ge(probe.index, before);
			before = probe.index;
			is_found |= probe.index == i;
		}
		ck_assert_msg(is_found, "index %u", i);
	}
	hash_table_done(&t);
}
END_TEST

START_TEST(missing_is_added_where_its_search_ended)
{
	/* Hashes that share their first slot, and the last slots of the table: probing wraps. */
	static const uint64_t hashes[] = { 63, 63, 127, 62, 0, 63, 1, 62 };
	struct hash_table t = { 0 };

	for (uint32_t i = 0; i < 1000; i++) {
		struct hash_probe probe = hash_probe(hashes[i % ARRAY_LEN(hashes)] + i / 8 * 128);

		while (hash_table_next(&t, &probe))
			;
		hash_table_add_missing(&t, &probe, i);
	}
	ck_assert_uint_eq(t.n, 1000);
	for (uint32_t i = 0; i < 1000; i++) {
		struct hash_probe probe = hash_probe(hashes[i % ARRAY_LEN(hashes)] + i / 8 * 128);
		bool is_found = false;

		while (!is_found && hash_table_next(&t, &probe))
			is_found = probe.index == i;
		ck_assert_msg(is_found, "index %u", i);
	}
	hash_table_done(&t);
}
END_TEST

START_TEST(node_of_parent_and_frame)
{
	struct hash_probe probe;
	struct node_map m;

	node_map_init(&m);
	ck_assert_uint_eq(m.n, 1);
	ck_assert_uint_eq(m.parent[0], 0);
	ck_assert_uint_eq(m.frame[0], FRAME_NONE);
	ck_assert_uint_eq(node_map_find(&m, 0, FRAME_NONE, &probe), 0);
	ck_assert_uint_eq(node_map_child(&m, 0, 5), 1);
	ck_assert_uint_eq(node_map_child(&m, 1, 5), 2);
	ck_assert_uint_eq(node_map_child(&m, 0, 5), 1);
	ck_assert_uint_eq(node_map_find(&m, 5, 0, &probe), 0);
	ck_assert_uint_eq(node_map_find(&m, 2, 5, &probe), 0);
	ck_assert_uint_eq(m.n, 3);
	for (uint32_t i = 3; i < 5000; i++)
		ck_assert_uint_eq(node_map_child(&m, i / 2, i), i);
	for (uint32_t i = 3; i < 5000; i++) {
		ck_assert_uint_eq(node_map_find(&m, i / 2, i, &probe), i);
		ck_assert_uint_eq(m.parent[i], i / 2);
		ck_assert_uint_eq(m.frame[i], i);
	}
	node_map_done(&m);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "hash_table", SUITE_SECONDS);

	tcase_add_test(t, empty_finds_nothing);
	tcase_add_test(t, index_0_and_hash_0_are_entries);
	tcase_add_test(t, growing_keeps_all_entries);
	tcase_add_test(t, reserved_room_does_not_move);
	tcase_add_test(t, collisions_come_in_order_of_adding);
	tcase_add_test(t, replaced_index_takes_the_place_of_the_old);
	tcase_add_test(t, growing_in_place_keeps_clusters_that_wrap);
	tcase_add_test(t, missing_is_added_where_its_search_ended);
	tcase_add_test(t, node_of_parent_and_frame);
}

int main(void)
{
	return suite_run("hash_table", add_tests);
}
