process.emitWarning('careful'); new Buffer(2); require('url').parse('http://a:b');
