console.log(new Error('here').stack); console.log(Error.stackTraceLimit);
