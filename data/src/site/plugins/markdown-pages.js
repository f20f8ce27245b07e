'use strict';

const { marked } = require('marked');

function readTitle(source) {
  const match = /^#\s+(.*)$/m.exec(source);
  return match ? match[1] : 'untitled';
}

function markdownPages() {
  return {
    name: 'markdown-pages',
    transform(source, id) {
      if (!id.endsWith('.md')) return null;
      const page = { title: readTitle(source), html: marked.parse(source) };
      return { code: `export default ${JSON.stringify(page)};`, map: { mappings: '' } };
    },
  };
}

module.exports = { markdownPages };
