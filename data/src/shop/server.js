'use strict';
// A small shop: JSON routes and one rendered page, behind express.

const express = require('express');
const compression = require('compression');
const catalogue = require('./lib/catalogue');
const session = require('./lib/session');
const { searchProducts } = require('./lib/search');
const { renderTemplate } = require('./lib/templates');
const { buildReport } = require('./lib/report');

const app = express();

app.use(compression({ threshold: 512 }));
app.use(express.json({ limit: '1mb' }));
app.use(session.readSession);

app.get('/api/products', function listProducts(req, res) {
  const page = Number(req.query.page || 0);
  res.json(catalogue.pageOf(page, 120));
});

app.get('/api/search', function handleSearch(req, res) {
  res.json(searchProducts(catalogue.all(), String(req.query.q || '')));
});

app.post('/api/login', function handleLogin(req, res) {
  const token = session.createSession(req.body.user, req.body.password);
  res.json({ token });
});

app.post('/api/cart', function updateCart(req, res) {
  res.json(catalogue.priceCart(req.body.lines));
});

app.get('/products/:id', function showProduct(req, res) {
  const product = catalogue.find(Number(req.params.id));
  res.type('html').send(renderTemplate('product', {
    product,
    related: catalogue.relatedTo(product, 40),
  }));
});

app.get('/report.csv.gz', function downloadReport(req, res) {
  res.type('application/gzip').send(buildReport(catalogue.all()));
});

const server = app.listen(Number(process.env.PORT || 8080), '127.0.0.1');

process.on('SIGTERM', function shutdown() {
  server.close();
  server.closeAllConnections();
});
