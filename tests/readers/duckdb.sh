#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# DuckDB reads tables as CSV; the times of each function are the report's.
# usage: duckdb.sh [FILE|FOLDER...]
set -u
. "$(dirname "$0")/lib.sh"
read_by duckdb_csv.py "$@"
