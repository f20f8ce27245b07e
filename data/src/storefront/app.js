const list = document.getElementById('list');

// Makes a formatter for each price.
function formatPrice(price) {
  return new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(price);
}

// Reads the layout after each change.
function fitRows() {
  let height = 0;
  for (const [i, row] of [...list.children].entries()) {
    row.style.width = (200 + i % 50) + 'px';
    height += row.offsetHeight;
  }
  return height;
}

function renderList(items) {
  list.textContent = '';
  for (const item of items) {
    for (let piece = 1; piece <= 60; piece++) {
      if (piece % 20) { formatPrice(item.price * piece); continue; }
      const row = document.createElement('div');
      row.className = piece % 3 ? 'row' : 'row third';
      row.textContent = piece + ' ' + item.name + ' ' + formatPrice(item.price * piece);
      list.appendChild(row);
    }
  }
  fitRows();
}

function checkBasket(ms) {
  const end = performance.now() + ms;
  let sum = 0;
  while (performance.now() < end) sum += Math.sqrt(sum + 1);
  return sum;
}

document.getElementById('buy').addEventListener('click', function onBuy() {
  checkBasket(180);
  performance.mark('bought');
});

performance.mark('app start');
fetch('/items.json').then(answer => answer.json()).then(function onItems(items) {
  performance.measure('items', 'app start');
  renderList(items);
  const hero = new Image(800, 400);
  hero.src = '/hero.svg';
  document.getElementById('top').appendChild(hero);
});

setInterval(function poll() {
  fetch('/stock.json').then(answer => answer.json()).then(function onStock(stock) {
    document.getElementById('stock').textContent = stock.left + ' left';
  });
}, 250);

setTimeout(function showBanner() {
  const banner = document.createElement('div');
  banner.style.height = '120px';
  banner.textContent = 'Sale';
  document.body.prepend(banner);
}, 900);
