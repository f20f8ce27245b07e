console.log('permitted', typeof process.permission);
