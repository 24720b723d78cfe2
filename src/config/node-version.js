// @ts-check
'use strict';
/**
 * Ends the process with an error if sipgraph does not run on this Node (`engines` in package.json). Entry points load it
 * before anything else. It is plain JavaScript, so that `npm start` can run it before the build, and that old versions
 * of Node can load it.
 */
const { engines } = require('../../package.json');

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const supported = engines.node.split(' || ').map((range) => {
  const [, operator, from, least] = /^(\^|>=)(\d+)\.(\d+)\./.exec(range) || [];
  return { isOpen: operator === '>=', from: Number(from), least: Number(least) };
});

if (!supported.some(({ isOpen, from, least }) => (major === from && minor >= least) || (isOpen && major > from))) {
  const versions = supported.map(({ from, least }) => from + '.' + least + '+').join(' or ');
  console.error('sipgraph requires Node ' + versions + ', and this is Node ' + process.versions.node);
  process.exit(1);
}
