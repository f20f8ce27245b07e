function a(){}
//# sourceMappingURL=x.js.map
