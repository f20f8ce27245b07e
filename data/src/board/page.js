'use strict';
module.exports = {
  url: 'http://board.example/',
  categories: ['v8'],
  // Milliseconds to wait, and ids to click.
  steps: [500, 'sort', 150, 'count', 250],
};
