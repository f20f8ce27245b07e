'use strict';

function escapePattern(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function replaceEnvironment(values) {
  const pattern = new RegExp(Object.keys(values).map(escapePattern).join('|'), 'g');

  return {
    name: 'replace-environment',
    transform(code) {
      if (!pattern.test(code)) return null;
      pattern.lastIndex = 0;
      return { code: code.replace(pattern, key => values[key]), map: null };
    },
  };
}

module.exports = { replaceEnvironment };
