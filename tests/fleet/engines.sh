#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# DuckDB and ClickHouse (chdb) say of the tables of a fleet what flametty says of it.
# install.sh FOLDER of tests/readers fetches their Python modules.
set -u
FLAMETTY=${FLAMETTY:-$PWD/flametty}
[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
exec "${PYTHON:-python3}" -B "$(dirname "$0")/engines.py" "$FLAMETTY"
