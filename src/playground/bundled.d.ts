// esbuild bundles style sheets that are imported for their effect.
declare module '*.css';

declare module '@fastify/swagger-ui/static/swagger-ui-bundle.js' {
  /** Swagger UI, as it documents its parameters. */
  const SwaggerUI: (parameters: Readonly<Record<string, unknown>>) => void;
  export = SwaggerUI;
}
