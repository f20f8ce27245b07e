# SPDX-License-Identifier: GPL-2.0-or-later
"""The time of routes, requests and slices in a report with --during, computed again.

From the events of a trace alone: when the thread was busy (samples that are not idle), when it ran
for which request, and how long slices are. Self times of the report add up to the same.
usage: during.py FLAMETTY TRACE"""
import json
import re
import subprocess
import sys

flametty, path = sys.argv[1:3]
with open(path, encoding="utf-8") as file:
    events = json.load(file)["traceEvents"]


def profile():
    """[(start, end, function)] of all samples, in microseconds."""
    start = next(e["args"]["data"]["startTime"] for e in events if e["name"] == "Profile")
    names, leaves, times, t = {}, [], [], start
    for e in events:
        if e["name"] != "ProfileChunk":
            continue
        data = e["args"]["data"]
        for node in data.get("cpuProfile", {}).get("nodes", []):
            names[node["id"]] = node["callFrame"]["functionName"]
        leaves += data["cpuProfile"]["samples"]
        for delta in data["timeDeltas"]:
            t += delta
            times.append(t)
    ends = times[1:] + [2 * times[-1] - times[-2]]
    return [(a, b, names[leaf]) for a, b, leaf in zip(times, ends, leaves)]


def union(ranges):
    """The same time as ranges that are sorted and apart."""
    out = []
    for a, b in sorted(ranges):
        if out and a <= out[-1][1]:
            out[-1] = (out[-1][0], max(b, out[-1][1]))
        else:
            out.append((a, b))
    return out


samples = profile()
requests, pairs = {}, []
for event in events:
    if event["ph"] == "b":
        pairs.append({"name": event["name"], "cat": event["cat"], "id": event["id"],
                      "t0": event["ts"], "args": event["args"]})
        if event["cat"] == "http.server":
            requests[event["id"]] = pairs[-1]
    elif event["ph"] == "e":
        pair = next(p for p in pairs if p["id"] == event["id"] and p["cat"] == event["cat"])
        pair["t1"] = event["ts"]
runs = [(e["args"]["request"], e["ts"], e["ts"] + e["dur"]) for e in events
        if e.get("cat") == "request.cpu"]


def self_times(ranges, has_idle):
    times = {}
    for t0, t1 in union(ranges):
        for a, b, name in samples:
            ns = min(b, t1) - max(a, t0)
            if ns > 0 and (has_idle or name != "(idle)"):
                times[name] = times.get(name, 0) + ns
    return times


def reported(pattern):
    out = subprocess.run([flametty, "report", "--format=json", "--during=" + pattern, path],
                         check=True, capture_output=True, timeout=60)
    report = json.loads(out.stdout)
    lane = next(l for l in report["lanes"] if l["kind"] == "samples")
    return {f["name"]: f["self_us"] for f in lane["functions"] if f["self_us"]}, lane, \
        report["scope"]["transforms"][-1]


failed = n_cases = 0


def check(pattern, ranges, is_own, count):
    global failed, n_cases
    wanted = self_times(ranges, not is_own)
    got, lane, said = reported(pattern)
    busy = sum(ns for name, ns in wanted.items() if name != "(idle)")
    number = int(re.search(r": (\d+) (?:request|slice)s?, ", said).group(1))
    n_cases += 1
    if got != wanted or lane["busy_us"] != busy or number != count:
        failed += 1
        print(f"{pattern}: {got}, busy {lane['busy_us']}, {said}; wanted {wanted}, {count}")


for route in sorted({r["name"] for r in requests.values()}):
    ids = [i for i, r in requests.items() if r["name"] == route]
    check("route:^" + route + "$", [(a, b) for i, a, b in runs if i in ids], True, len(ids))
    check("slice:^" + route + "$", [(requests[i]["t0"], requests[i]["t1"]) for i in ids], False,
          len(ids))
for i, request in requests.items():
    check("request:" + request["args"]["path"] + "$", [(a, b) for k, a, b in runs if k == i], True, 1)
check("GET", [(a, b) for i, a, b in runs], True, len(requests))
check("slice:pg|stock", [(p["t0"], p["t1"]) for p in pairs if re.search("pg|stock", p["name"])],
      False, sum(1 for p in pairs if re.search("pg|stock", p["name"])))
print(f"during: {n_cases - failed} passed, {failed} failed")
sys.exit(1 if failed else 0)
