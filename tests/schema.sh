#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What commands print as JSON is what flametty schema says: tests/schema.py.
. "$(dirname "$0")/lib.sh"
needs python3
exec python3 "$(dirname "$0")/schema.py" "$FLAMETTY"
