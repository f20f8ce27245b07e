#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The terminal becomes smaller, then too small, then large again: the same picture as before.
. "$(dirname "$0")/lib.sh"

open 120 40
view
press k
press k
before=$(screen)
resize 60 15
wait_for "$chart"
wait_until 'test "$(screen | wc -l)" -le 15' '15 rows'
resize 30 8
wait_for "$too_small"
resize 120 40
wait_until 'test "$(screen)" = "$before"' 'the first picture again'
keys q
wait_for 'status 0'
check_sane
