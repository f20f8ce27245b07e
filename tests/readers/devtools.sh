#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# DevTools' engine reads exports as trace and .cpuprofile; the times of each function are the report's.
# usage: devtools.sh [FILE|FOLDER...]
set -u
. "$(dirname "$0")/lib.sh"
read_by devtools.py "$@"
