'use strict';

const crypto = require('node:crypto');

const KEY = crypto.randomBytes(32);

function hashPassword(user, password) {
  return crypto.pbkdf2Sync(password, `salt:${user}`, 6000, 32, 'sha256');
}

function signToken(payload) {
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
  const mac = crypto.createHmac('sha256', KEY).update(body).digest('base64url');
  return `${body}.${mac}`;
}

function verifyToken(token) {
  const [body, mac] = token.split('.');
  const good = crypto.createHmac('sha256', KEY).update(body).digest('base64url');
  return mac === good ? JSON.parse(Buffer.from(body, 'base64url')) : null;
}

function createSession(user, password) {
  const hash = hashPassword(user, password);
  return signToken({ user, check: hash.toString('hex').slice(0, 8) });
}

function parseCookies(header) {
  const cookies = {};
  for (const part of header.split(/;\s*/)) {
    const [, name, value] = /^([^=]+)=(.*)$/.exec(part) || [];
    if (name) cookies[name] = decodeURIComponent(value);
  }
  return cookies;
}

function readSession(req, res, next) {
  const cookies = parseCookies(req.headers.cookie || '');
  req.session = cookies.token ? verifyToken(cookies.token) : null;
  next();
}

module.exports = { createSession, readSession };
