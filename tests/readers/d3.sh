#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# d3-flame-graph draws exports for it in Chromium.
# usage: d3.sh [FILE|FOLDER...]
set -u
. "$(dirname "$0")/lib.sh"
read_by d3.py "$@"
