#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# speedscope's importer reads exports; the times of each function are the report's.
# usage: speedscope.sh [FILE|FOLDER...]
set -u
. "$(dirname "$0")/lib.sh"
read_by speedscope.py "$@"
