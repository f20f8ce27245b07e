'use strict';
module.exports = {
  url: 'http://shop.example/',
  categories: ['disabled-by-default-devtools.timeline.frame',
    'disabled-by-default-devtools.timeline.stack', 'disabled-by-default-devtools.screenshot',
    'disabled-by-default-lighthouse', 'navigation,rail'],
  slow: { 'style.css': 150, 'items.json': 120, 'hero.svg': 350 },
  moved: { 'teaser.svg': '/logo.svg' },
  // Milliseconds to wait, and ids to click.
  steps: [1600, 'buy', 900],
};
