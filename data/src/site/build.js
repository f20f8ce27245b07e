'use strict';
// Bundles and minifies src/main.js with rollup and terser.

const { rollup } = require('rollup');
const { nodeResolve } = require('@rollup/plugin-node-resolve');
const commonjs = require('@rollup/plugin-commonjs');
const { replaceEnvironment } = require('./plugins/replace-environment');
const { markdownPages } = require('./plugins/markdown-pages');
const { minifyChunks } = require('./plugins/minify-chunks');

async function bundle() {
  const build = await rollup({
    input: 'src/main.js',
    plugins: [
      replaceEnvironment({ 'process.env.NODE_ENV': '"production"' }),
      markdownPages(),
      nodeResolve({ browser: true }),
      commonjs(),
    ],
  });
  const { output } = await build.write({
    dir: 'dist',
    format: 'iife',
    name: 'site',
    plugins: [minifyChunks()],
  });
  await build.close();
  return output;
}

function report(output) {
  for (const chunk of output) {
    console.log(`${chunk.fileName}: ${chunk.code.length} characters`);
  }
}

bundle().then(report);
