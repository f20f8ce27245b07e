const line = 'x'.repeat(99) + '\n'; for (let i = 0; i < 20000; i++) process.stdout.write(line);
