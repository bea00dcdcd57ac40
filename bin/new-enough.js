/** Whether this version of Node.js runs the program; the same stands in package.json. */
exports.newEnough = version => {
  const [major, minor] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 19);
};
