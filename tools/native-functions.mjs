/** Packages that replace functions which older browsers lack, and these functions. Those that the pages support have them. */
const NATIVE = { 'object.entries': 'Object.entries', hasown: 'Object.hasOwn' };

/** A plugin for esbuild that bundles the browser's own functions instead of packages, which the first page would load. */
export const nativeFunctions = {
  name: 'native-functions',
  setup(build) {
    const namespace = 'native';
    build.onResolve({ filter: /^(object\.entries|hasown)$/ }, ({ path }) => ({ path, namespace }));
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: `module.exports = ${NATIVE[path]};` }));
  },
};
