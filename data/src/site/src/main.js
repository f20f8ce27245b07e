import { createElement, useState } from 'react';
import groupBy from 'lodash-es/groupBy.js';
import sortBy from 'lodash-es/sortBy.js';
import debounce from 'lodash-es/debounce.js';
import about from './about.md';

function PageList({ pages }) {
  const [filter, setFilter] = useState('');
  const shown = sortBy(pages.filter(page => page.title.includes(filter)), 'title');
  const groups = groupBy(shown, page => page.title[0]);

  return createElement('section', null,
    createElement('input', { onChange: debounce(event => setFilter(event.target.value), 200) }),
    Object.keys(groups).map(letter =>
      createElement('article', { key: letter }, groups[letter].map(page => page.html))));
}

export default createElement(PageList, { pages: [about] });
