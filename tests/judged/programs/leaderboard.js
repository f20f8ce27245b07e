// A leaderboard that writes a backup of itself.
// Culprits: submit sorts all players for each score; backup serializes everything with indentation.
'use strict';

class Leaderboard {
  constructor() {
    this.players = [];
  }

  submit(name, score) {
    const player = this.players.find((p) => p.name === name);
    if (player) player.score = Math.max(player.score, score);
    else this.players.push({ name, score, badges: [], games: 0 });
    this.players.sort(byScore);
  }

  award(limit) {
    for (const player of this.players.slice(0, limit)) {
      player.games += 1;
      if (player.games % 50 === 0 && player.badges.length < 5) player.badges.push(`badge-${player.games}`);
    }
  }
}

function byScore(a, b) {
  if (a.score !== b.score) return b.score - a.score;
  return a.name < b.name ? -1 : 1;
}

function backup(board) {
  return JSON.stringify(board.players, null, 2);
}

function restore(text) {
  return text.split('\n').filter((line) => line.includes('"name"')).length;
}

const board = new Leaderboard();
const end = Date.now() + 2000;
let sum = 0;
for (let n = 0; Date.now() < end; n += 1) {
  board.submit(`player-${(n * 7919) % 400}`, (n * 104729) % 100003);
  board.award(30);
  if (n % 8 === 0) sum += backup(board).length;
  if (n % 40 === 0) sum += restore(backup(board));
}
console.log(sum);
