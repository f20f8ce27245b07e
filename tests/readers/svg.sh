#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Chromium draws exports as SVG; a click, a search and a key do what they should.
# usage: svg.sh [FILE|FOLDER...]
set -u
. "$(dirname "$0")/lib.sh"
read_by svg.py "$@"
