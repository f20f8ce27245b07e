// A library that is read before anything is shown.
window.config = (function () {
  function parseConfig() {
    const config = {};
    for (let i = 0; i < 20000; i++) config['key' + i] = JSON.parse('{ "list": [1, 2, 3, ' + i + '] }');
    return config;
  }
  return parseConfig();
})();
