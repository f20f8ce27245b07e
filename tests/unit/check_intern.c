/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interned texts, the arena that holds them, hashes and sets of small numbers. */
#include "config.h"

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/hash.h"
#include "base/intern.h"

#include "suite.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(empty_text_has_id_0)
{
	struct intern in;

	intern_init(&in);
	ck_assert_uint_eq(intern_add(&in, "", 0), 0);
	ck_assert_uint_eq(intern_add(&in, NULL, 0), 0);
	ck_assert_str_eq(intern_text(&in, 0), "");
	ck_assert_uint_eq(intern_len(&in, 0), 0);
	intern_done(&in);
}
END_TEST

START_TEST(equal_text_has_the_equal_id)
{
	struct intern in;
	char text[32];

	intern_init(&in);
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 1; i < 5000; i++) {
			snprintf(text, sizeof text, "text %u", i);
			ck_assert_uint_eq(intern_adds(&in, text), i);
			ck_assert_str_eq(intern_text(&in, i), text);
			ck_assert_uint_eq(intern_len(&in, i), strlen(text));
		}
	ck_assert_uint_eq(in.n, 5000);
	intern_done(&in);
}
END_TEST

START_TEST(a_text_that_does_not_fit_is_told_later)
{
	struct error err = ERROR_INIT;
	struct intern in;

	intern_init(&in);
	in.most = 3;
	ck_assert_uint_eq(intern_adds(&in, "a"), 1);
	ck_assert_uint_eq(intern_adds(&in, "b"), 2);
	ck_assert(intern_fits(&in, &err));
	ck_assert_uint_eq(intern_adds(&in, "c"), 0);
	ck_assert_uint_eq(intern_adds(&in, "b"), 2);
	ck_assert(!intern_fits(&in, &err));
	ck_assert_int_eq(err.kind, ERR_LIMIT);
	ck_assert_str_eq(err.text, "more than 2 different texts");
	intern_done(&in);
}
END_TEST

START_TEST(texts_differ_by_length_and_behind_a_nul)
{
	struct intern in;
	str_id a, b, c;

	intern_init(&in);
	a = intern_add(&in, "a\0b", 3);
	b = intern_add(&in, "a\0c", 3);
	c = intern_add(&in, "a\0c", 2);
	ck_assert_uint_ne(a, b);
	ck_assert_uint_ne(b, c);
	ck_assert_uint_ne(c, intern_adds(&in, "a"));
	ck_assert_uint_eq(intern_len(&in, b), 3);
	ck_assert_int_eq(memcmp(intern_text(&in, b), "a\0c", 4), 0);
	intern_done(&in);
}
END_TEST

START_TEST(arena_memory_is_zeroed_aligned_and_stays)
{
	struct arena a = { 0 };
	unsigned char *all[500];
	char *copy = arena_copy(&a, "text and more", 4), *huge;

	for (size_t i = 0; i < 500; i++) {
		all[i] = arena_alloc(&a, i * 7);
		ck_assert_uint_eq((uintptr_t)all[i] % alignof(max_align_t), 0);
		for (size_t k = 0; k < i * 7; k++)
			ck_assert_int_eq(all[i][k], 0);
		memset(all[i], (int)(i & 0xFF), i * 7);
		arena_copy(&a, "odd", i % 3);
	}
	huge = arena_alloc(&a, (size_t)3 << 20);
	memset(huge, 1, (size_t)3 << 20);
	for (size_t i = 0; i < 500; i++)
		for (size_t k = 0; k < i * 7; k++)
			ck_assert_int_eq(all[i][k], (int)(i & 0xFF));
	ck_assert_str_eq(copy, "text");
	ck_assert_uint_ge(a.bytes, (size_t)3 << 20);
	arena_done(&a);
	ck_assert_uint_eq(a.bytes, 0);
}
END_TEST

/* A pseudo-random set of each size, against a plain array of flags. */
START_TEST(bitset_gives_its_numbers_in_order_and_is_empty_then)
{
	enum { MANY = 3000 };
	static uint32_t list[MANY + 1];
	static bool is_in[MANY];
	struct bitset s;

	bitset_init(&s, MANY);
	ck_assert_uint_eq(bitset_drain(&s, list), 0);
	for (uint64_t round = 1; round < 60; round++) {
		size_t n = 0, k = 0;

		memset(is_in, 0, sizeof is_in);
		for (uint64_t i = 0; i < round * round; i++) {
			uint32_t number = (uint32_t)(hash_u64(round << 32 | i) % MANY);

			n += !is_in[number];
			is_in[number] = true;
			bitset_add(&s, number);
		}
		is_in[0] = is_in[MANY - 1] = true;
		bitset_add(&s, 0);
		bitset_add(&s, MANY - 1);
		n = bitset_drain(&s, list);
		for (uint32_t i = 0; i < MANY; i++)
			if (is_in[i])
				ck_assert_uint_eq(list[k++], i);
		ck_assert_uint_eq(n, k);
		ck_assert_uint_eq(bitset_drain(&s, list), 0);
	}
	bitset_done(&s);
}
END_TEST

/* One changed bit, or one byte more, changes the low half, which tables use. */
START_TEST(hash_depends_on_every_byte)
{
	unsigned char text[40] = { 0 };

	for (size_t len = 0; len < sizeof text; len++) {
		uint64_t plain = hash_bytes(text, len);

		ck_assert_uint_ne((uint32_t)plain, (uint32_t)hash_bytes(text, len + 1));
		for (size_t bit = 0; bit < len * 8; bit++) {
			text[bit / 8] ^= (unsigned char)(1u << bit % 8);
			ck_assert_uint_ne((uint32_t)plain, (uint32_t)hash_bytes(text, len));
			text[bit / 8] = 0;
		}
		ck_assert_uint_eq(plain, hash_bytes(text, len));
	}
	for (int bit = 0; bit < 64; bit++)
		ck_assert_uint_ne((uint32_t)hash_u64(7),
				  (uint32_t)hash_u64(7 ^ UINT64_C(1) << bit));
}
END_TEST

/* On little-endian machines. Colours of functions follow from these values. */
static const struct {
	size_t len;
	uint64_t hash;
} known_hashes[] = {
	{ 0, UINT64_C(0x70ddd666604d1453) },  { 1, UINT64_C(0x6904d6e580ff9d10) },
	{ 2, UINT64_C(0x50675378c66df23b) },  { 3, UINT64_C(0xeeeb801bb4cd0511) },
	{ 4, UINT64_C(0xe4a267d4b5603940) },  { 5, UINT64_C(0xda9609f2ffc3deca) },
	{ 7, UINT64_C(0x0de95c621eee0024) },  { 8, UINT64_C(0x8feb0f30d36c78b6) },
	{ 9, UINT64_C(0xe2839dd9eadbafd9) },  { 14, UINT64_C(0x2099e10c018f2195) },
	{ 15, UINT64_C(0xea6feb0858e37849) }, { 16, UINT64_C(0x9ffc0cc69a33f3f1) },
	{ 17, UINT64_C(0xb35c55751a9e3a3a) }, { 23, UINT64_C(0x7df8bc7c759dfc4b) },
	{ 24, UINT64_C(0x00bd171610f1ef0b) }, { 25, UINT64_C(0x4cd780f015c478d8) },
	{ 31, UINT64_C(0x2fadc99ba6795358) }, { 32, UINT64_C(0x48d692b6320d617b) },
	{ 36, UINT64_C(0xee0215ff9ee686e7) },
};

/* Whatever stands before and after a text is not a part of it. */
START_TEST(hash_is_of_the_text_alone)
{
	static const char text[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	char around[100];

	for (size_t i = 0; i < ARRAY_LEN(known_hashes); i++) {
		size_t len = known_hashes[i].len;
		char *alone = xmalloc(len);
		uint64_t hash = hash_bytes(text, len);

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		ck_assert_uint_eq(hash, known_hashes[i].hash);
#endif
		memcpy(alone, text, len);
		ck_assert_uint_eq(hash_bytes(alone, len), hash);
		free(alone);
		for (size_t at = 0; at < 32; at++) {
			memset(around, (int)(at * 37 + 1), sizeof around);
			memcpy(around + at, text, len);
			ck_assert_uint_eq(hash_bytes(around + at, len), hash);
		}
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "intern", SUITE_SECONDS);

	tcase_add_test(t, empty_text_has_id_0);
	tcase_add_test(t, equal_text_has_the_equal_id);
	tcase_add_test(t, a_text_that_does_not_fit_is_told_later);
	tcase_add_test(t, texts_differ_by_length_and_behind_a_nul);
	t = suite_case(suite, "memory", SUITE_SECONDS);
	tcase_add_test(t, arena_memory_is_zeroed_aligned_and_stays);
	tcase_add_test(t, bitset_gives_its_numbers_in_order_and_is_empty_then);
	tcase_add_test(t, hash_depends_on_every_byte);
	tcase_add_test(t, hash_is_of_the_text_alone);
}

int main(void)
{
	return suite_run("intern", add_tests);
}
