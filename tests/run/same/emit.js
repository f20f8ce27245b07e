const { emit } = process;
process.emit = function (name, ...more) {
	if (name === 'mine' || name === 'exit') console.log('emit', name);
	return emit.call(this, name, ...more);
};
process.on('mine', () => console.log(new Error('where').stack.split('\n').slice(1, 4).map(x => x.replace(/\(?\/.*same/, '')).join('|')));
process.emit('mine');
process.on('exit', () => console.log('last'));
