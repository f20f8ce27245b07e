'use strict';

const fs = require('node:fs');
const path = require('node:path');
const Handlebars = require('handlebars');

const VIEWS = path.join(__dirname, '..', 'views');

Handlebars.registerHelper('upper', text => String(text).toUpperCase());

// The source is read and compiled again for each page.
function loadTemplate(name) {
  const source = fs.readFileSync(path.join(VIEWS, `${name}.hbs`), 'utf8');
  return Handlebars.compile(source);
}

function renderTemplate(name, context) {
  return loadTemplate(name)(context);
}

module.exports = { renderTemplate };
