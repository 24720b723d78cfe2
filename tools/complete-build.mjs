// Completes what the compiler writes: copies Kamailio's templates to the directory from which the compiled server reads
// them, and makes the command executable. npm does so only when it installs, so `npx sipgraph` would fail after a
// build in an empty directory.
import { chmodSync, cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
cpSync(`${root}/src/sip/kamailio/templates`, `${root}/dist/sip/kamailio/templates`, { recursive: true });
chmodSync(`${root}/dist/cli.js`, 0o755);
