// Compiles the package twice, for `import` and for `require`, both with types.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const here = import.meta.dirname;
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const formats = {
  esm: ['module', ['--module', 'node20']],
  cjs: ['commonjs', ['--module', 'commonjs', '--moduleResolution', 'bundler']],
};

rmSync(`${here}/dist`, { recursive: true, force: true });
for (const [folder, [type, options]] of Object.entries(formats)) {
  mkdirSync(`${here}/dist/${folder}`, { recursive: true });
  writeFileSync(`${here}/dist/${folder}/package.json`, `${JSON.stringify({ type })}\n`);
  execFileSync(
    process.execPath,
    [tsc, '-p', here, '--noEmit', 'false', '--outDir', `${here}/dist/${folder}`, ...options],
    {
      stdio: 'inherit',
    },
  );
}
