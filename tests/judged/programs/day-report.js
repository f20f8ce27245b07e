// A report of bookings for each day.
// Culprit: formatDay makes a new Intl.DateTimeFormat for each booking.
'use strict';

function formatDay(time) {
  return new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', day: '2-digit', month: 'short', year: 'numeric' }).format(time);
}

function makeBookings(n) {
  const list = [];
  for (let i = 0; i < n; i += 1) list.push({ at: 1.79e12 + i * 5.3e6, room: `Room ${i % 12}`, guests: 1 + i % 4, price: 49 + (i * 13) % 200 });
  return list;
}

function summarize(bookings) {
  const days = new Map();
  for (const booking of bookings) {
    const day = formatDay(booking.at);
    const row = days.get(day) || { guests: 0, income: 0, rooms: new Set() };
    row.guests += booking.guests;
    row.income += booking.price * booking.guests;
    row.rooms.add(booking.room);
    days.set(day, row);
  }
  return days;
}

function print(days) {
  const lines = [];
  for (const [day, row] of days) lines.push(`${day.padEnd(14)}${String(row.guests).padStart(5)}${row.income.toFixed(2).padStart(12)} ${[...row.rooms].sort().join(' ')}`);
  return lines.join('\n');
}

const end = Date.now() + 2000;
let size = 0;
while (Date.now() < end) size += print(summarize(makeBookings(150))).length;
console.log(size);
