// esbuild bundles style sheets that are imported for their effect.
declare module '*.css';
