#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Inputs at the limits that flametty-limits(7) lists: just below and just above, and what is said.

usage: limits.py PROGRAM FOLDER [--show] [NAME...]

A case is a function of a number; it is called with the limit and with one more (or what its row in
CASES says), writes files into the folder, which is the current one, and returns arguments. The
program must not crash, must answer within a minute, and what it prints must match the row's pattern
above the limit and must not below; with a ! before it, the other way round.
"""
import gzip
import json
import os
import re
import shutil
import subprocess
import sys

KIB, MIB = 1 << 10, 1 << 20


def write(path, text):
    mode = "wb" if isinstance(text, bytes) else "w"
    with open(path, mode) as file:
        file.write(text)
    return path


def profile(url="file:///x/a.js", extra="", column=0, line=0, start=0):
    """A CPU profile of one function."""
    return (
        '{%s"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"",'
        '"lineNumber":-1,"columnNumber":-1},"children":[2]},{"id":2,"callFrame":{"functionName":'
        '"work","scriptId":"1","url":"%s","lineNumber":%d,"columnNumber":%d}}],"startTime":%d,'
        '"endTime":%d,"samples":[2,2,2,2],"timeDeltas":[0,1000,1000,1000]}'
        % (extra, url, line, column, start, start + 4000)
    )


def report(*files):
    return ["report", *files]


def trace(events, extra="", path="p.json"):
    head = '{"traceEvents":[' + ",\n".join(json.dumps(e) for e in events) + "]"
    return write(path, head + extra + "}")


def x(ts, dur=10, name="slice", tid=1, **more):
    return {"ph": "X", "pid": 1, "tid": tid, "ts": ts, "dur": dur, "name": name, "cat": "c", **more}


# ---- all inputs ----


def unpacked(n):
    write("p.cpuprofile.gz", gzip.compress((" " * (n - len(profile())) + profile()).encode()))
    return report("--max-unpacked=1M", "p.cpuprofile.gz")


def ratio(n):
    """Data that packs `n` times: twice the limit of unpacked bytes."""
    noise = 0
    while True:
        text = profile(extra='"x":"%s",' % os.urandom(noise).hex()) + " " * 2 * MIB
        packed = gzip.compress(text.encode(), 9)
        if len(text) // len(packed) <= n:
            break
        noise += 40
    write("p.cpuprofile.gz", packed)
    return report("--max-unpacked=1M", "p.cpuprofile.gz")


def key(n):
    write("p.cpuprofile", profile()[:-1] + ',"%s":1}' % ("k" * n))
    return report("p.cpuprofile")


def word(n):
    write("p.cpuprofile", profile()[:-1] + ',"startTime":%s}' % ("1" * n))
    return report("p.cpuprofile")


def line(n):
    write("p.folded", "main;short 3\n" + "a" * (n - 2) + " 5\nmain;after 4\n")
    return report("p.folded")


def wrapped(n):
    write("p.json", '{"result":' * n + profile() + "}" * n)
    return report("p.json")


def prefix(n):
    """A document in a line of a log."""
    write("p.log", "a" * (n - 1) + " " + profile() + "\nend\n")
    return report("p.log")


def in_strings(n):
    text = profile()
    for _ in range(n):
        text = json.dumps(text)
    write("p.json", text)
    return report("p.json")


def around_string(n):
    write("p.json", '{"result":' * n + json.dumps(profile()) + "}" * n)
    return report("p.json")


def window(n):
    if not shutil.which("zstd"):
        return None
    write("p.cpuprofile", profile())
    with open("p.cpuprofile", "rb") as file, open("p.cpuprofile.zst", "wb") as out:
        subprocess.run(["zstd", "-q", "--long=%d" % n, "-c"], stdin=file, stdout=out, check=True)
    return report("p.cpuprofile.zst")


# ---- directories and labels ----


def tree(n):
    os.makedirs("d/e", exist_ok=True)
    for i in range(n - 1):
        write("d/e/%05d.txt" % i, "x")
    write("d/e/aaa.cpuprofile", profile())
    return report("-r", "d")


def named(n):
    for i in range(n):
        os.makedirs("d/%d" % i, exist_ok=True)
        write("d/%d/p.cpuprofile" % i, profile())
    return report("d")


def beside(n):
    write("p.cpuprofile", profile())
    write("flametty.json", '{"version":"labelled"}'.ljust(n))
    return report("--where=version=labelled", "p.cpuprofile")


def hosts(n):
    """Two files of each, a tenth of a second apart."""
    for i in range(n):
        name = "d/last" if i + 1 == n else "d/%03d" % i
        os.makedirs(name)
        write(name + "/flametty.json", '{"host":"host%d"}' % i)
        for k in range(2):
            write("%s/p%d.cpuprofile" % (name, k), profile(start=k * 100000))
    return report("-r", "--table=lanes", "--format=csv", "d")


def label_key(n):
    write("p.cpuprofile", profile())
    return report("--label=%s=v" % ("k" * n), "p.cpuprofile")


def template(n):
    write("p.cpuprofile", profile())
    return report("--label-from=" + "".join("{k%d}/" % i for i in range(n)), "p.cpuprofile")


def options(n):
    write("p.cpuprofile", profile())
    return report(*["--map=/%d=/tmp" % i for i in range(n)], "p.cpuprofile")


# ---- stacks ----


def old_form(n):
    frame = '{"functionName":"f","scriptId":"0","url":"","lineNumber":0,"id":%d,"hitCount":1,"children":['
    write("p.cpuprofile",
          '{"head":' + "".join(frame % (i + 1) for i in range(n)) + "]}" * n
          + ',"startTime":0,"endTime":1,"samples":[%d],"timestamps":[1]}' % n)
    return report("--top=1", "p.cpuprofile")


def markers(n):
    write("p.json", json.dumps({
        "resources": ["a.js"], "frames": [{"name": "f", "resourceId": 0, "line": 1, "column": 1}],
        "stacks": [{"frameId": 0}],
        "samples": [sample for i in range(n) for sample in (
            {"timestamp": 2 * i, "marker": "last" if i + 1 == n else "m%d" % i},
            {"timestamp": 2 * i + 1, "stackId": 0})]}))
    return ["export", "--format=folded", "p.json"]


def strays(n):
    far = 4 * 10**9
    return report(trace([x(10**6 + i) for i in range(n)]
                        + [x(far + i * 20) for i in range(2000)]))


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def pprof(labels=(), comments=()):
    """labels: pairs of texts of one sample; comments: texts."""
    texts = ["", "cpu", "nanoseconds", "work", "samples", "count"]

    def text(t):
        if t not in texts:
            texts.append(t)
        return texts.index(t)

    sample = field(1, 1) + field(2, 1000000)
    for k, v in labels:
        sample += field(3, field(1, text(k)) + field(2, text(v)))
    out = field(1, field(1, 1) + field(2, 2)) + field(2, sample)
    out += field(4, field(1, 1) + field(4, field(1, 1) + field(2, 1)))
    out += field(5, field(1, 1) + field(2, 3))
    for comment in comments:
        out += field(13, text(comment))
    for t in texts:
        out += field(6, t.encode())
    return out


def label_keys(n):
    write("p.pb", pprof(labels=[("key%d" % i, "v") for i in range(n)]))
    return report("p.pb")


def label_text(n):
    write("p.pb", pprof(labels=[("key", "v" * n)]))
    return report("p.pb")


def comments(n):
    write("p.pb", pprof(comments=["remark"] * (n - 1) + ["last-remark"]))
    return ["--render=140x80", "--keys=8", "p.pb"]


def note(n):
    write("p.pb", pprof(comments=["c" * (n - 1) + "Z"]))
    return ["--render=240x60", "--keys=8", "p.pb"]


# ---- traces ----


def layers(n):
    return report(trace([x(i, 100000 + i) for i in range(n)]))


def async_parts(n):
    events = []
    for i in range(n):
        events.append({"ph": "b", "pid": 1, "tid": 1, "ts": i, "cat": "c", "id": "0x1", "name": "n%d" % i})
    for i in range(n):
        events.append({"ph": "e", "pid": 1, "tid": 1, "ts": 100000 + i, "cat": "c", "id": "0x1", "name": "n%d" % i})
    return report(trace(events))


def counters(n):
    return report(trace([x(0)] + [{"ph": "C", "pid": 1, "tid": 1, "ts": i, "name": "counter%d" % i,
                                   "args": {"v": 1}} for i in range(n)]))


def series(n):
    return report(trace([x(0), {"ph": "C", "pid": 1, "tid": 1, "ts": 5, "name": "counter",
                                "args": {"v%d" % i: 1 for i in range(n)}}]))


def tracks(n):
    detail = '{"devtools":{"dataType":"track-entry","track":"%s"}}'
    events = [x(0)]
    for i in range(n):
        name = "last-track" if i + 1 == n else "track%d" % i
        event = {"pid": 1, "tid": 1, "name": "entry", "cat": "blink.user_timing", "id": "%#x" % (i + 1)}
        events.append({**event, "ph": "b", "ts": i * 10, "args": {"detail": detail % name}})
        events.append({**event, "ph": "e", "ts": i * 10 + 5})
    return report("--table=lanes", "--format=csv", trace(events))


def metadata(n):
    return report(trace([x(0), x(50)], ',"metadata":{"modifications":{"a":"%s"}}' % ("m" * n)))


def stack_frame(n):
    return report(trace([x(0), x(50)], ',"stackFrames":{"1":{"name":"%s"}}' % ("m" * n)))


def categories(n):
    """The last one has the longest slice."""
    return ["report", "--table=cats", "--format=csv", trace(
        [x(i * 10, name="s%d" % i, cat="cat%d" % i) for i in range(n - 1)] + [x(n * 10, 10**6, cat="last-cat")])]


def twins(n):
    """Event categories of one name; the last one has the longest slice."""
    return ["report", "--table=cats", "--format=csv", trace(
        [x(i * 10, cat="cat%d" % i) for i in range(n - 1)] + [x(n * 10, 10**6, cat="last-cat")])]


def unit(n):
    return report(trace([x(0), x(50)], ',"displayTimeUnit":"%s"' % ("m" * (n - 2))))


def changes(n):
    """Hidden entries, of which a note lists some."""
    entries = ",".join('"r-%d"' % i for i in range(n))
    return ["--render=300x60", "--keys=8G", trace(
        [x(i * 10, cat="devtools.timeline", name="t%d" % i) for i in range(n + 2)],
        ',"metadata":{"source":"DevTools","modifications":{"entriesModifications":{"hiddenEntries":[%s],'
        '"expandableEntries":[]}}}' % entries)]


def page_marks(n):
    mark = {"ph": "I", "s": "t", "cat": "blink.user_timing", "pid": 1, "tid": 1, "args": {}}
    return ["--render=100x20", trace(
        [{"name": "navigationStart", "ph": "R", "cat": "blink.user_timing", "pid": 1, "tid": 1, "ts": 0, "args": {
            "frame": "F", "data": {"isLoadingMainFrame": True, "navigationId": "1",
                                   "documentLoaderURL": "https://a.example/"}}},
         x(100, 200, "RunTask")] + [{**mark, "name": "mark%d" % i, "ts": 50000 + i * 10 if i else 5000} for i in range(n)])]


def pages(n):
    def event(name, i, ts, **data):
        return {"name": name, "ph": "R", "cat": "blink.user_timing", "pid": 1, "tid": 1, "ts": i * 1000 + ts, "args": {
            "frame": "F", "data": {"isLoadingMainFrame": True, "navigationId": str(i), **data}}}

    return report(trace([x(0, 10**6, "RunTask")] + [e for i in range(n) for e in (
        event("navigationStart", i, 0, documentLoaderURL="https://a.example/%d" % i),
        event("firstContentfulPaint", i, 300))]))


def frames(n):
    """The first one is drawn after as many others have begun; then the time from it to the one before is a slice."""
    event = {"ph": "I", "pid": 1, "tid": 1}
    return ["--render=100x20", "--keys=/^7.00 ms<Enter>", trace(
        [x(0), {**event, "name": "SetLayerTreeId", "ts": 1, "args": {"data": {"frame": "F", "layerTreeId": 2}}}]
        + [{**event, "name": name, "ts": ts, "args": {"layerTreeId": 2, "frameSeqId": seq}} for name, ts, seq in [
            ("BeginFrame", 1000, 0), ("BeginFrame", 8000, 1),
            *[("BeginFrame", 8000 + i, 1 + i) for i in range(1, n + 1)],
            ("DrawFrame", 100000, 1), ("BeginFrame", 200000, n + 2), ("DrawFrame", 200100, n + 2)]])]


def trace_maps(n):
    one = {"sourceMap": {"version": 3, "sources": ["a.ts"], "names": [], "mappings": "AAAA"}}
    return report(trace([x(0), x(50)], ',"metadata":{"sourceMaps":%s}' % json.dumps(
        [{"url": "https://a.example/%d.js" % i, **one} for i in range(n)])))


def named_objects(n):
    event = {"pid": 1, "tid": 1, "cat": "o", "name": "Type"}
    return ["--render=100x20", "--keys=/Type %#x<Enter>" % n, trace(
        [x(0)] + [{**event, "ph": ph, "id": "%#x" % (i + 1), "ts": i * 10 + at}
                  for i in range(n) for ph, at in (("N", 1), ("D", 5))])]


def objects(n):
    """The last one has a name of its own."""
    event = {"pid": 1, "tid": 1, "cat": "o", "name": "Type"}
    return report("--table=lanes", trace(
        [x(0)] + [{**event, "ph": ph, "id": "%#x" % (i + 1), "ts": i * 10 + at}
                  for i in range(n) for ph, at in (("N", 1), ("D", 5))]
        + [{**event, "ph": "O", "id": "%#x" % n, "ts": n * 10, "args": {"snapshot": {"base_type": "Last"}}}]))


# ---- perf ----


def perf(samples):
    """samples: pairs of an event and a function."""
    write("p.perf", "".join("work  71 %d.000001:          1 %s: \n\tabc %s+0x1 (/bin/work)\n\n" % (i + 1, event, name)
                            for i, (event, name) in enumerate(samples)))
    return "p.perf"


def perf_events(n):
    return report("--sample-type=nosuch", perf([("event%d" % i, "f") for i in range(n)]))


def perf_number(n):
    perf([("cpu-clock", "f")])
    with open("p.perf", "a", encoding="ascii") as file:
        file.write("work  71 3.000001: %d cpu-clock: \n\tabc large+0x1 (/bin/work)\n\n" % n)
    return report("p.perf")


# ---- source maps ----


def with_map(text, line=0):
    write("a.js", "x();\n" * (line + 1))
    write("a.js.map", text)
    write("p.cpuprofile", profile(os.getcwd() + "/a.js", line=line))
    return report("p.cpuprofile")


def numbers(n):
    """A mapping with so many numbers."""
    return with_map('{"version":3,"sources":["a.ts"],"names":["b"],"mappings":"%s"}' % ("A" * n))


def map_parts(n):
    """As many sections; the function is in the last one."""
    part = '{"offset":{"line":%d,"column":0},"map":{"version":3,"sources":["%s"],"names":[],"mappings":"AAAA"}}'
    return with_map('{"version":3,"sections":[%s]}'
                    % ",".join(part % (i, "last.ts" if i + 1 == n else "a.ts") for i in range(n)), n - 1)


def regexp(n):
    """Its end is that far from its begin."""
    write("a.js", "/" + "b" * (n - 2) + "/\n")
    write("p.cpuprofile", profile(os.getcwd() + "/a.js"))
    return ["--render=200x40", "--keys=S", "--roles", "p.cpuprofile"]


MAP = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}'


def sections(n):
    text = MAP
    for _ in range(n):
        text = '{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":%s}]}' % text
    return with_map(text)


def vlq_of(n):
    n, out = n << 1, ""
    while True:
        n, digit = n >> 5, n & 31
        out += "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[digit | (32 if n else 0)]
        if not n:
            return out


def map_sources(n):
    return with_map('{"version":3,"sources":["a.ts"%s],"names":[],"mappings":"AAAA"}' % (',""' * (n - 1)))


def vlq(n):
    """A mapping whose first number has `n` digits, of the value 0."""
    return with_map('{"version":3,"sources":["a.ts"],"names":[],"mappings":"%sAAAA"}' % ("g" * (n - 1)))


def chain(n):
    for i in range(n):
        write("a%d.js" % i, "x();\n//# sourceMappingURL=a%d.js.map\n" % i)
        write("a%d.js.map" % i,
              '{"version":3,"sources":["%s"],"names":[],"mappings":"AAAA"}'
              % ("end.js" if i + 1 == n else "a%d.js" % (i + 1)))
    write("p.cpuprofile", profile(os.getcwd() + "/a0.js"))
    return report("p.cpuprofile")


def generated(n):
    """The last of as many sources was made from end.ts, whose text is in its map."""
    write("a.js", "x();\ny();\n//# sourceMappingURL=a.js.map\n")
    for i in range(n):
        write("s%d.js" % i, "x();\n//# sourceMappingURL=s%d.js.map\n" % i)
        write("s%d.js.map" % i, json.dumps({"version": 3, "names": [], "mappings": "AAAA", "sources": [
            "end.ts" if i + 1 == n else "other.css"], "sourcesContent": ["theText();"]}))
    write("a.js.map", json.dumps({"version": 3, "names": [], "sources": ["s%d.js" % i for i in range(n)],
                                  "mappings": ";A%sAA" % vlq_of(n - 1)}))
    write("p.cpuprofile", profile(os.getcwd() + "/a.js", line=1))
    return ["--render=200x40", "--keys=S", "p.cpuprofile"]


def map_size(n):
    arguments = with_map("")
    os.truncate("a.js.map", n)
    return arguments


def source_size(n):
    write("a.js", "firstLine();\n")
    os.truncate("a.js", n)
    write("p.cpuprofile", profile(os.getcwd() + "/a.js"))
    return ["--render=200x40", "--keys=S", "p.cpuprofile"]


# ---- reports and exports ----


def same_files(n):
    for i in range(n):
        write("p%04d.cpuprofile" % i, profile())
    return ["p%04d.cpuprofile" % i for i in range(n)]


def many_lanes(n):
    return report(*same_files(n))


def findings(n):
    """As many functions of equal times; that there are such, and no pause, are two findings more."""
    names = ["f%d" % i for i in range(n - 1)] + ["last"]
    nodes = [{"id": 1, "callFrame": {"functionName": "(root)", "scriptId": "0", "url": ""},
              "children": list(range(2, n + 2))}]
    nodes += [{"id": i + 2, "callFrame": {"functionName": name, "scriptId": str(i + 1), "url": "file:///x/%s.js" % name,
                                          "lineNumber": 1, "columnNumber": 0}} for i, name in enumerate(names)]
    samples = [2 + (turn * 7 + i) % n for turn in range(300) for i in range(n)]
    write("p.cpuprofile", json.dumps({"nodes": nodes, "startTime": 0, "endTime": 1000 * len(samples),
                                      "samples": samples, "timeDeltas": [1000] * len(samples)}))
    return report("--top=100", "p.cpuprofile")


def callers(n):
    """A function that each of n nested functions calls: n * n / 2 callers of callers."""
    chain, lines = "", []
    for i in range(n):
        chain += "c%d;" % i
        lines.append(chain + "leaf 1\n")
    write("p.folded", "".join(lines))
    return ["--render=150x12", "--keys=/^leaf$<Enter>3", "p.folded"]


def long_markdown(n):
    write("p.folded", "".join("main;%s%d 1\n" % ("a" * 300, i) for i in range(n)))
    return report("-f", "md", "--top=1000", "p.folded")


def gate_functions(n):
    """Functions that one pattern of a gate finds; the lightest one is named last."""
    write("p.folded", "".join("main;f%d %d\n" % (i, 1000 - i) for i in range(n)))
    return ["report", "--fail-if", "total(^f) > 1%", "p.folded"]


def html_depth(n):
    write("p.folded", ";".join("f%d" % i for i in range(n - 1)) + ";last 1\n")
    return ["export", "--format=html", "p.folded"]


def html_bytes(n):
    """As many stacks of 100 functions."""
    write("p.folded", "".join(";".join("f%d_%d" % (i, k) for k in range(100)) + " 1\n" for i in range(n)))
    return ["export", "--format=html", "p.folded"]


def html_rows(n):
    write("p.folded", "".join("main;f%d 1\n" % i for i in range(n)) + "main;small 1\n")
    return ["export", "--format=html", "--top=1000", "p.folded"]


def fleet_cells(n):
    """As many hosts as functions."""
    os.mkdir("d")
    for i in range(n):
        write("d/h%d.cpuprofile" % i, profile().replace('"work"', '"work%d"' % i))
    return ["fleet", "-i", "--render=80x20", "--keys=G", "--label-from={host}.cpuprofile", "d"]


# ---- the screen ----


def details_files(n):
    return ["--render=100x20", "--keys=8G", *same_files(n + 1)]


def details_names(n):
    """Of threads without an event."""
    return ["--render=100x40", "--keys=8G", trace([x(0)] + [
        {"ph": "M", "pid": 1, "tid": 2 + i, "ts": 0, "name": "thread_name", "args": {"name": "t%d" % i}}
        for i in range(n)])]


def details_stack(n):
    return ["--render=100x499", "--keys=8G", trace([x(0, sf="1")], ',"stackFrames":{%s}' % ",".join(
        '"%d":{"name":"f%d"%s}' % (i + 1, i, ',"parent":"%d"' % (i + 2) if i + 1 < n else "") for i in range(n)))]


def details_value(n):
    return ["--render=1000x499", "--keys=8", trace([x(0, name="v" * n)])]


def costly_texts(n):
    """On as many texts the pattern gives up; the last one that it can match."""
    write("p.folded", "".join("main;%s%d 1\n" % ("a" * 60, i) for i in range(n)) + "main;aaab 1\n")
    return ["--render=200x20", "--keys=/^(a+)+[b-z]$<Enter>", "p.folded"]


def costly_text(n):
    write("p.folded", "main;%s 1\nmain;aaab 1\n" % ("a" * n))
    return ["--render=200x20", "--keys=/^(a+)+[b-z]$<Enter>", "p.folded"]


# ---- settings ----


def config_size(n):
    write("p.cpuprofile", profile())
    write("c", "# " + "\n# " * ((n - 2) // 3) + "x" * ((n - 2) % 3))
    return report("--config=c", "p.cpuprofile")


def config_warnings(n):
    write("p.cpuprofile", profile())
    write("c", "set nosuch on\n" * n)
    return report("--config=c", "p.cpuprofile")


def config_line(n):
    write("p.cpuprofile", profile())
    write("c", "# " + "x" * (n - 2) + "\n")
    return report("--config=c", "p.cpuprofile")


def rows(n):
    write("p.folded", "".join("main;f%d 1\n" % i for i in range(n - 1)))
    return report("--format=csv", "--table=topdown", "--max-rows=100", "p.folded")


# name in the manual, limit, value above it, function, pattern above and not below
CASES = [
    ("UNPACK_MAX", 10**6, 10**6 + 1, unpacked, "more than 300 times"),
    ("UNPACK_RATIO", 290, 330, ratio, "more than 300 times"),
    ("KEY_BYTES_MAX", 16 * MIB - 2, 20 * MIB, key, "more than 16777216 bytes"),
    ("SCAN_WORD_MAX", MIB - 2, 5 * MIB, word, "more than 1048576 bytes"),
    ("TEXT_LINE_MAX", 64 * MIB - 10, 70 * MIB, line, "a line of more than"),
    ("WRAPPER_DEPTH", 4, 5, wrapped, "!main thread"),
    ("PREFIX_MAX", 256, 257, prefix, "!main thread"),
    ("DEPTH_MAX", 4, 5, around_string, "!main thread"),
    ("LEVELS_MAX", 3, 4, in_strings, "!main thread"),
    ("zstd window", 27, 28, window, "window above 128 MiB"),
    ("FOLDER_TREE_MAX", 10000, 10001, tree, "first 10000 files"),
    ("MAX_NAMED", 3, 4, named, "and 1 more"),
    ("BESIDE_MAX", 64 * KIB - 1, 64 * KIB, beside, "there are no labels"),
    ("HOSTS_MAX", 64, 65, hosts, "!last/p1.cpuprofile,,,4,100000,4000"),
    ("KEY_MAX", 64, 65, label_key, "is no key of a label"),
    ("FILE_LABELS_FROM_MAX", 16, 17, template, "has more than 16 labels"),
    ("OPTION_STEPS_MAX", 32, 33, options, "more than 32 of --map"),
    ("HEAD_MAX_DEPTH", 1000000, 1000001, old_form, "nested deeper than 1000000"),
    ("MARKER_MAX", 64, 65, markers, "!last"),
    ("STRAY_MAX", 4, 3, strays, "events or samples far from all others"),
    ("LABELS_KEYS_MAX", 256, 257, label_keys, "label beyond 256 keys"),
    ("LABELS_TEXT_MAX", 1024, 1025, label_text, "of more than 1 kB; cut"),
    ("COMMENTS_MAX", 16, 17, comments, "!last-remark"),
    ("NOTE_MAX", 200, 201, note, "!cZ"),
    ("SLICE_STACKS_MAX", 512, 600, layers, "deep recursion"),
    ("PARTS_MAX", 512, 513, async_parts, r"512  async +2  n0"),
    ("COUNTERS_MAX", 4096, 4097, counters, "too many counters"),
    ("SERIES_MAX", 256, 257, series, "not a number; left out"),
    ("TRACKS_MAX", 1024, 1025, tracks, "!last-track"),
    ("EVENT_CATS_MAX", 65535, 65536, categories, "!last-cat"),
    ("TWINS_MAX", 1001, 1002, twins, "!last-cat"),
    ("PAGES_MAX", 256, 257, pages, "more than 256 pages: figures of the later ones are not shown"),
    ("LOOKS_MAX", 4096, 4097, frames, r"!7\.00 ms.*1 of 1 span"),
    ("MAPS_MAX", 100000, 100001, trace_maps, "only the first 100,000 of a trace are used"),
    ("NAMES_MAX", 65536, 65537, named_objects, "!1 of 1 span"),
    ("UNIT_MAX", 4096, 4 * MIB, unit, "a value of more than 4096 bytes"),
    ("LISTED_MAX", 8, 9, changes, "and 1 more"),
    ("ENTRIES_MAX", 999, 1001, changes, "1000 entries hidden"),
    ("MARKS_MAX", 1000, 1001, page_marks, "!nav +mark0 "),
    ("LIST_MAX", 20, 21, perf_events, "and others"),
    ("NUMBER_MAX", 1152921504606846960, 1152921504606846976 * 2, perf_number, "!large"),
    ("VALUE_MAX", 16 * MIB - 20, 21 * MIB, metadata, "more than 16777216 bytes"),
    ("VALUE_MAX", 64 * MIB - 20, 69 * MIB, stack_frame, "more than 67108864 bytes"),
    ("DEPTH_MAX", 8, 9, sections, "nest too deeply"),
    ("SOURCES_MAX", 1000000, 1000001, map_sources, "only the first 1,000,000 sources"),
    ("PARTS_MAX", 100000, 100001, map_parts, "!last.ts"),
    ("FIELDS_MAX", 5, 6, numbers, "1 of 1 segments"),
    ("REGEXP_MAX", 1000, 1001, regexp, '!@"{20}'),
    ("VLQ_DIGITS_MAX", 7, 8, vlq, "a number of more than 32 bits"),
    ("MAPS_CHAIN_MAX", 4, 5, chain, "!end.js"),
    ("MAPS_MAX", 64, 65, generated, r"!theText\(\)"),
    ("MAP_TEXT_MAX", 100 * MIB, (1 << 30) + 1, map_size, "longer than 1 GB"),
    ("SOURCE_TEXT_MAX", 64 * MIB, 64 * MIB + 1, source_size, "longer than 64 MB"),
    ("CONFIG_FILE_MAX", 64 * KIB, 64 * KIB + 1, config_size, "too long: more than 65536 bytes"),
    ("WARNINGS_MAX", 20, 21, config_warnings, "c: and more"),
    ("CONFIG_LINE_MAX", 1000, 1001, config_line, "the line is too long"),
    ("FINDINGS_MAX", 8, 9, findings, r"!\n  last last\.js:2 \d"),
    ("FINDINGS_LANES_MAX", 200, 201, many_lanes, "1 less busy one was not looked at"),
    ("GATE_FUNCTIONS_MAX", 3, 4, gate_functions, "f2 25.0 %, 1 more function"),
    ("CALLERS_NODES", 1412, 1420, callers, "levels of callers"),
    ("BYTES_MAX", 120, 160, long_markdown, "the rest is left out: the page ends after 59 kB"),
    ("BYTES_MAX", 30, 150, html_bytes, "… 43 more, 43.0 "),
    ("ROWS_MAX", 499, 500, html_rows, "!>small<"),
    ("DEPTH_MAX", 201, 202, html_depth, "!class=\"leaf\">.*<code>last</code>"),
    ("FLEET_CELLS_MAX", 2896, 2897, fleet_cells, "!work999"),
    ("MATCH_LIMIT", 13, 14, costly_text, "the pattern takes too long, there may be more"),
    ("MAX_FAILURES", 100, 101, costly_texts, "!1 of 1 span"),
    ("INPUTS_MAX", 50, 51, details_files, "more files +1 "),
    ("NAMED_MAX", 100, 101, details_names, "and more +1 "),
    ("STACK_MAX", 200, 201, details_stack, "and further"),
    ("VALUE_MAX", 65536, 65537, details_value, "1 more bytes"),
    ("--max-rows", 100, 101, rows, "1 row is left out"),
]


def run(program, arguments):
    result = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                            timeout=60, check=False)
    if result.returncode < 0 or result.returncode > 3:
        sys.exit("limits: %s: status %d" % (arguments, result.returncode))
    return (result.stdout + result.stderr).decode("utf-8", "replace")


def main():
    program, folder = sys.argv[1:3]
    show = "--show" in sys.argv
    wanted = [a for a in sys.argv[3:] if a != "--show"]
    failed = passed = 0
    for name, below, above, make, pattern in CASES:
        if wanted and name not in wanted:
            continue
        outputs = []
        for n in (below, above):
            work = os.path.join(folder, "case")
            shutil.rmtree(work, ignore_errors=True)
            os.makedirs(work)
            os.chdir(work)
            arguments = make(n)
            outputs.append(run(program, arguments) if arguments else None)
        os.chdir(folder)
        if None in outputs:
            continue
        if show:
            print("=====", name, below, above)
            a, b = (o.splitlines() for o in outputs)
            for l in [l for l in a if l not in b][:6]:
                print("  -", l[:200])
            for l in [l for l in b if l not in a][:6]:
                print("  +", l[:200])
            continue
        turned = pattern.startswith("!")
        for n, output, expects in ((below, outputs[0], turned), (above, outputs[1], not turned)):
            if bool(re.search(pattern.lstrip("!"), output)) == expects:
                passed += 1
                continue
            failed += 1
            print("limits: %s: %d: %s '%s' in:" % (name, n, "no" if expects else "a", pattern))
            print("\n".join("    " + l[:200] for l in output.splitlines()[:12]))
    print("limits: %d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed else 0)


main()
