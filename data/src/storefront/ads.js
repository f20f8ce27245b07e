// Somebody else's script.
(function () {
  function auction(ms) {
    const end = performance.now() + ms;
    let bid = 0;
    while (performance.now() < end) bid += Math.sin(bid);
    return bid;
  }
  auction(120);
  setTimeout(function refreshAd() { auction(70); }, 400);
  setInterval(function viewability() { auction(6); }, 100);
})();
