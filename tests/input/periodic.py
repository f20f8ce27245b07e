#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Writes periodic.cpuprofile: 21 s of a server with requests at random, a timer every 0.7 s that runs
# for 60 ms, and garbage collection of 150 ms every 3.5 s.
import json
import os

FUNCTIONS = [  # name, script, line; parent
    ("(root)", "", 0, None), ("(idle)", "", 0, 1), ("(garbage collector)", "", 0, 1),
    ("parserOnIncoming", "node:_http_server", 1100, 1), ("render", "file:///srv/view.js", 30, 4),
    ("listOnTimeout", "node:internal/timers", 520, 1),
    ("flushMetrics", "file:///srv/metrics.js", 21, 6), ("serialise", "file:///srv/metrics.js", 44, 7),
]
IDLE, GC, RENDER, SERIALISE = 2, 3, 5, 8
STEP = 10  # ms

nodes = [{"id": i + 1,
          "callFrame": {"functionName": name, "scriptId": "1" if url else "0", "url": url,
                        "lineNumber": line - 1, "columnNumber": 3 if url else -1},
          "children": [k + 1 for k, f in enumerate(FUNCTIONS) if f[3] == i + 1]}
         for i, (name, url, line, _) in enumerate(FUNCTIONS)]
samples, state = [], 1
for t in range(0, 21000, STEP):
    state = (state * 1664525 + 1013904223) % 2**32
    work = RENDER if state >> 24 < 40 else IDLE
    samples.append(SERIALISE if t % 700 >= 640 else GC if t % 3500 >= 3000 and t % 3500 < 3150 else work)
with open(os.path.join(os.path.dirname(__file__), "periodic.cpuprofile"), "w") as out:
    json.dump({"nodes": nodes, "startTime": 0, "endTime": 21000000, "samples": samples,
               "timeDeltas": [0] + [STEP * 1000] * (len(samples) - 1)}, out, separators=(",", ":"))
    out.write("\n")
