// Copies Kamailio's templates to the directory from which the compiled server reads them.
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
cpSync(`${root}/src/kamailio/templates`, `${root}/dist/kamailio/templates`, { recursive: true });
