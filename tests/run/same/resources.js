setTimeout(() => {}, 30); setInterval(() => {}, 50).unref();
console.log(process.getActiveResourcesInfo ? process.getActiveResourcesInfo() : 0, process._getActiveHandles().length, process._getActiveRequests().length);
