// esbuild bundles imported style sheets and schemas.
declare module '*.css';
declare module '*.graphql' {
  const text: string;
  // eslint-disable-next-line no-restricted-exports -- esbuild exports a text so
  export default text;
}
