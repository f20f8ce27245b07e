// A stream of frames with a length before each, split again by a transform.
// Culprit: _transform concatenates all bytes that wait, for each small chunk.
'use strict';
const { Readable, Transform, Writable, pipeline } = require('node:stream');

class FrameSplitter extends Transform {
  constructor() {
    super({ readableObjectMode: true });
    this.waiting = Buffer.alloc(0);
  }

  _transform(chunk, encoding, done) {
    this.waiting = Buffer.concat([this.waiting, chunk]);
    while (this.waiting.length >= 4) {
      const size = this.waiting.readUInt32BE(0);
      if (this.waiting.length < 4 + size) break;
      this.push(this.waiting.subarray(4, 4 + size));
      this.waiting = this.waiting.subarray(4 + size);
    }
    done();
  }
}

function* chunks(until) {
  for (let n = 0; Date.now() < until; n += 1) {
    const body = Buffer.alloc(400000 + (n % 7) * 1000, 65 + (n % 26));
    const head = Buffer.alloc(4);
    head.writeUInt32BE(body.length);
    yield head;
    for (let at = 0; at < body.length; at += 1024) yield body.subarray(at, at + 1024);
  }
}

let frames = 0;
let sum = 0;
function checksum(frame) {
  let a = 1;
  for (let i = 0; i < frame.length; i += 1) a = (a + frame[i]) % 65521;
  return a;
}

const sink = new Writable({
  objectMode: true,
  write(frame, encoding, done) {
    frames += 1;
    sum += checksum(frame);
    done();
  },
});

pipeline(Readable.from(chunks(Date.now() + 2000)), new FrameSplitter(), sink, (error) => console.log(error ? error.message : frames, sum));
