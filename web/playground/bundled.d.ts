// esbuild bundles imported style sheets.
declare module '*.css';

declare module '@fastify/swagger-ui/static/swagger-ui-bundle.js' {
  /** Swagger UI, with the parameters that it documents. */
  const SwaggerUI: (parameters: Readonly<Record<string, unknown>>) => void;
  export = SwaggerUI;
}
