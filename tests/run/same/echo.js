process.stdin.on('data', data => process.stdout.write(data)); process.stdin.on('end', () => console.error('end'));
