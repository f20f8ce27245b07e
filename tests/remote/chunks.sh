#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Chunks that flametty attach takes from an inspector which plays a recording, against the recording:
# samples, and self and total time of all functions, are the same.
set -u

here=$(cd "$(dirname "$0")" && pwd)
command=attach inspector=fake
. "$(dirname "$0")/lib.sh"
begin_remote

python3 -B "$here/fake_inspector.py" "$here"/../../data/build-tool/CPU.*.cpuprofile \
	"$work/long.cpuprofile" >"$work/port" &
played=$!
pids=$played
wait_until '[ -s "$work/port" ]' || { echo "no inspector"; exit 1; }
"$FLAMETTY" attach -t 3500ms -o "$work/chunks.cpuprofile" "127.0.0.1:$(cat "$work/port")" \
	>"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
wait "$played"
pids=
python3 -B - "$work/chunks.cpuprofile" "$work/long.cpuprofile" <<'END' || exit 1
import json, sys
def read(path):
    p = json.load(open(path))
    parent = {c: n['id'] for n in p['nodes'] for c in n.get('children', [])}
    nodes = {n['id']: n for n in p['nodes']}
    def stack(i):
        out = []
        while i:
            out.append(json.dumps(nodes[i]['callFrame'], sort_keys=True))
            i = parent.get(i)
        return tuple(out)
    at, samples = p['startTime'], []
    for s, d in zip(p['samples'], p['timeDeltas']):
        at += d
        samples.append((at, stack(s)))
    return p['startTime'], p['endTime'], samples
chunks, long = (read(p) for p in sys.argv[1:])
if chunks != long:
    print(f'{len(chunks[2])} samples of chunks, {len(long[2])} of the recording; they differ')
    sys.exit(1)
print(f'{len(long[2])} samples')
END
for name in chunks long; do
	"$FLAMETTY" report --table=functions --format=csv --top=1000000 "$work/$name.cpuprofile" >"$work/$name" || exit 1
	# Functions with equal times are in the order of their frames, which chunks may change.
	LC_ALL=C sort "$work/$name" >"$work/$name.csv"
	[ "$(wc -l <"$work/$name.csv")" -gt 100 ] || { echo "$name: no functions"; exit 1; }
done
diff "$work/chunks.csv" "$work/long.csv" || { echo "self and total differ"; exit 1; }
echo "chunks: $(wc -l <"$work/long.csv") functions as in one recording"
