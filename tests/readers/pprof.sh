#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `go tool pprof` and protoc read exports as pprof; the times of each function are the report's.
# usage: pprof.sh [FILE|FOLDER...]
set -u
. "$(dirname "$0")/lib.sh"
read_by pprof.py "$@"
