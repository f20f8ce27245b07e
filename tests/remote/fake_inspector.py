#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""An inspector that plays a recording in a circle, and gives it away in the chunks that it is asked
for. Prints its port; ends with the connection.

usage: fake_inspector.py RECORDING EXPECTED [ANSWERS]
       fake_inspector.py --flood=KIND

Writes to EXPECTED what the chunks cover, in one piece. Each chunk has nodes and ids of its own, and
its last samples are in the next one, too, as those of V8.

ANSWERS has what the script of --requests answers, a line each: the results as JSON, or what should be
JSON. The first ones answer the calls that begin it, until one has an objectId but no function; each
pull gets the next one, and at the end the last one again and again. FROM and NOW stand for the times
of the last pull and of this one.

With --flood it sends without end, once Profiler.start was answered: KIND is events, pings or
fragments (of one message), or answers (nothing else is there from the first call on)."""
import base64
import hashlib
import json
import os
import socket
import struct
import sys
import time

OVERLAP = 3  # samples


class Recording:
    def __init__(self, path):
        with open(path, encoding='utf-8') as file:
            p = json.load(file)
        self.nodes = {n['id']: n for n in p['nodes']}
        self.parent = {c: n['id'] for n in p['nodes'] for c in n.get('children', [])}
        times, at = [], 0
        for delta in p['timeDeltas']:
            at += delta
            times.append(at)
        order = sorted(range(len(times)), key=lambda i: times[i])
        self.times = [times[i] for i in order]
        self.samples = [p['samples'][i] for i in order]
        self.turn = self.times[-1] + 1000  # us
        self.first = 5_000_000_000  # us: when the circle begins

    def time(self, i):
        return self.first + i // len(self.times) * self.turn + self.times[i % len(self.times)]

    def count(self, us):
        """Samples in the first `us` microseconds."""
        n = int(us // self.turn) * len(self.times)
        while self.time(n) <= self.first + us:
            n += 1
        return n

    def cut(self, start, begin, end, stop):
        """A profile of the samples [begin, end)."""
        samples = [self.samples[i % len(self.samples)] for i in range(begin, end)]
        used = set()
        for node in samples:
            while node and node not in used:
                used.add(node)
                node = self.parent.get(node)
        ids, nodes = {}, []
        for node in self.nodes:  # parents first
            if node in used:
                ids[node] = len(ids) + 1
        for node in ids:
            n = self.nodes[node]
            nodes.append({'id': ids[node], 'callFrame': n['callFrame'],
                          'hitCount': samples.count(node),
                          'children': [ids[c] for c in n.get('children', []) if c in ids]})
        times = [start] + [self.time(i) for i in range(begin, end)]
        return {'nodes': nodes, 'startTime': start, 'endTime': stop,
                'samples': [ids[s] for s in samples],
                'timeDeltas': [b - a for a, b in zip(times, times[1:])]}


class Client:
    def __init__(self, connection):
        self.socket = connection

    def exactly(self, n):
        data = b''
        while len(data) < n:
            more = self.socket.recv(n - len(data))
            if not more:
                raise ConnectionError
            data += more
        return data

    def head(self):
        data = b''
        while b'\r\n\r\n' not in data:
            data += self.exactly(1)
        return data.decode()

    def read(self):
        first, length = self.exactly(2)
        n = length & 127
        if n > 125:
            n = struct.unpack('>H' if n == 126 else '>Q', self.exactly(2 if n == 126 else 8))[0]
        mask, text = self.exactly(4), self.exactly(n)
        if first & 15 == 8:
            raise ConnectionError
        return json.loads(bytes(b ^ mask[i % 4] for i, b in enumerate(text)))

    def write(self, message):
        self.write_text(json.dumps(message, separators=(',', ':')).encode())

    def write_text(self, text):
        self.socket.sendall(b'\x81\x7f' + struct.pack('>Q', len(text)) + text)


def flood(client, kind):
    os.nice(10)
    while kind != 'answers':
        call = client.read()
        client.write({'id': call['id'], 'result': {}})
        if call['method'] == 'Profiler.start':
            break
    frame = {
        'answers': b'\x81\x19{"id":999999,"result":{}}',
        'events': b'\x81\x1d{"method":"Nothing.happened"}',
        'pings': b'\x89\x04ping',
        'fragments': b'\x00\x7f' + struct.pack('>Q', 1000) + b' ' * 1000}[kind]
    frames = frame * (60000 // len(frame))
    # It takes what is sent to it, too: only the flood keeps the other side busy.
    client.socket.setblocking(False)
    if kind == 'fragments':
        frames = b'\x01\x00' + frames
    while True:
        try:
            client.socket.recv(65536)
        except BlockingIOError:
            pass
        client.socket.setblocking(True)
        client.socket.sendall(frames)
        client.socket.setblocking(False)
        if kind == 'fragments':
            frames = frame * 60


class Server:
    def __init__(self, client, recording, expected, answers):
        self.client, self.recording, self.expected = client, recording, expected
        self.answers, self.pulled = answers, recording.first
        self.began, self.chunks, self.whole = time.monotonic(), {}, None

    def begin(self, title):
        us = int((time.monotonic() - self.began) * 1e6)
        self.chunks[title] = (self.recording.first + us, self.recording.count(us))
        self.whole = self.whole or self.chunks[title]

    def end(self, title):
        """The profile of what has begun."""
        start, begin = self.chunks.pop(title)
        n = self.recording.count(int((time.monotonic() - self.began) * 1e6))
        end = max(n, begin) + OVERLAP
        stop = self.recording.time(end - 1) + 100
        with open(self.expected, 'w', encoding='utf-8') as file:
            json.dump(self.recording.cut(self.whole[0], self.whole[1], end, stop), file)
        return self.recording.cut(start, begin, end, stop)

    def evaluate(self, text):
        title = text[text.index("'") + 1:text.rindex("'")]
        if 'profileEnd' in text:
            self.client.write({'method': 'Profiler.consoleProfileFinished', 'params': {
                'title': title, 'profile': self.end(title)}})
        else:
            self.begin(title)
            self.client.write({'method': 'Profiler.consoleProfileStarted',
                               'params': {'title': title}})
        return {'result': {'type': 'undefined'}}

    def answer(self, call):
        """What the script of --requests answers."""
        line = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        now = self.recording.first + int((time.monotonic() - self.began) * 1e6)
        line = line.replace('NOW', str(now)).replace('FROM', str(self.pulled))
        self.pulled = now
        self.client.write_text(f'{{"id":{call["id"]},"result":{line}}}'.encode('utf-8', 'surrogateescape'))

    def serve(self):
        while True:
            call = self.client.read()
            text = call.get('params', {}).get('expression', '')
            result = {}
            if self.answers and (call['method'] in ('Runtime.callFunctionOn', 'Runtime.getProperties') or
                                 'flametty:requests' in text):
                self.answer(call)
                continue
            if call['method'] == 'Profiler.start':
                self.begin('')
            elif call['method'] == 'Profiler.stop':
                result = {'profile': self.end('')}
            elif 'console.profile' in text:
                result = self.evaluate(text)
            self.client.write({'id': call['id'], 'result': result})


def main():
    kind = sys.argv[1][8:] if sys.argv[1].startswith('--flood=') else None
    recording = None if kind else Recording(sys.argv[1])
    listener = socket.socket()
    listener.bind(('127.0.0.1', 0))
    listener.listen()
    port = listener.getsockname()[1]
    print(port, flush=True)
    while True:
        client = Client(listener.accept()[0])
        head = client.head()
        if 'Upgrade: websocket' in head:
            break
        body = json.dumps([{'type': 'node', 'title': 'played', 'id': 'x',
                            'webSocketDebuggerUrl': f'ws://127.0.0.1:{port}/x'}])
        client.socket.sendall(f'HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n{body}'.encode())
        client.socket.close()
    key = head.split('Sec-WebSocket-Key: ')[1].split('\r\n')[0]
    accept = base64.b64encode(hashlib.sha1(
        (key + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').encode()).digest()).decode()
    client.socket.sendall(('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n'
                           f'Connection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n').encode())
    try:
        if kind:
            flood(client, kind)
        else:
            answers = []
            if len(sys.argv) > 3:
                with open(sys.argv[3], encoding='utf-8', errors='surrogateescape') as file:
                    answers = file.read().split('\n')
            Server(client, recording, sys.argv[2], answers).serve()
    except (ConnectionError, TimeoutError):
        pass


main()
