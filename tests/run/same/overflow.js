function f() { return 1 + f(); }
try { f(); } catch (e) { console.log(e.message); }
