'use strict';

function digest(row) {
  let sum = 0;
  for (let round = 0; round < 2000; round++) {
    for (let i = 0; i < row.to.length; i++) sum = (sum * 31 + row.to.charCodeAt(i)) | 0;
  }
  return sum;
}

onmessage = event => {
  performance.mark('count begins');
  const sums = new Set(event.data.map(digest));
  const late = event.data.filter(row => row.delay > 10).length;
  performance.measure('count', 'count begins');
  postMessage({ all: event.data.length, late, towns: sums.size });
};
