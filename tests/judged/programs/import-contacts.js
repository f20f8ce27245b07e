// Imports contacts from CSV text.
// Culprit: isKnown compares each new address with all earlier ones.
'use strict';

function makeCsv(rows, shift) {
  const out = ['name,mail,city'];
  for (let i = 0; i < rows; i += 1) out.push(`"Person ${i}",person.${(i * 7 + shift) % (rows * 2)}@Mail.Example,"City ${i % 50}"`);
  return out.join('\r\n');
}

function splitRow(line) {
  const cells = [];
  let cell = '';
  let quoted = false;
  for (const c of line) {
    if (c === '"') quoted = !quoted;
    else if (c === ',' && !quoted) { cells.push(cell); cell = ''; } else cell += c;
  }
  cells.push(cell);
  return cells;
}

function isKnown(contacts, mail) {
  return contacts.some((contact) => contact.mail.toLowerCase() === mail.toLowerCase());
}

function importContacts(csv) {
  const contacts = [];
  const lines = csv.split('\r\n');
  for (let i = 1; i < lines.length; i += 1) {
    const [name, mail, city] = splitRow(lines[i]);
    if (!isKnown(contacts, mail)) contacts.push({ name: name.trim(), mail, city });
  }
  return contacts;
}

function groupByCity(contacts) {
  const groups = {};
  for (const contact of contacts) (groups[contact.city] = groups[contact.city] || []).push(contact.name);
  for (const names of Object.values(groups)) names.sort((a, b) => a.localeCompare(b));
  return groups;
}

const end = Date.now() + 2000;
let total = 0;
let shift = 0;
function nextFile() {
  total += Object.keys(groupByCity(importContacts(makeCsv(900, shift)))).length;
  shift += 1;
  if (Date.now() < end) setImmediate(nextFile);
  else console.log(total);
}

nextFile();
