console.log('cjs', __filename.endsWith('cjs.cjs'));
