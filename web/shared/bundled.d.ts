// What esbuild bundles besides modules: style sheets, and schemas as texts.
declare module '*.css';
declare module '*.graphql' {
  const text: string;
  // eslint-disable-next-line no-restricted-exports -- esbuild exports a text so
  export default text;
}
declare module '@fastify/swagger-ui/static/swagger-ui-bundle.js' {
  /** Swagger UI, with the parameters that it documents. */
  const SwaggerUI: (parameters: Readonly<Record<string, unknown>>) => {
    readonly specActions: { readonly updateSpec: (text: string) => void };
  };
  export = SwaggerUI;
}
