'use strict';

const { minify } = require('terser');

function minifyChunks() {
  return {
    name: 'minify-chunks',
    async renderChunk(code) {
      const result = await minify(code, { compress: { passes: 1 }, mangle: true });
      return { code: result.code, map: null };
    },
  };
}

module.exports = { minifyChunks };
