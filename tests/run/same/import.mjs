export const n = 2; console.log('imported', import.meta.url.endsWith('import.mjs'));
