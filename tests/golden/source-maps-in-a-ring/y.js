function a(){}
//# sourceMappingURL=y.js.map
