import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadConfig } from '../../src/config/config';

const page = readFileSync(join(__dirname, '../../docs/configuration.md'), 'utf8');

test('docs/configuration.md lists every configuration variable, and no others', () => {
  const asked = new Set<string>();
  const environment = new Proxy(
    {},
    {
      get: (_target, name) => {
        asked.add(String(name));
        return name === 'SIP_SERVER' ? 'kamailio' : undefined; // which requires more variables
      },
    },
  );
  expect(() => loadConfig(environment)).toThrow('KAMAILIO_PASSWORD');
  const names = [...page.matchAll(/^\| (`[^|]*)\|/gm)].flatMap(([, cell = '']) => cell.match(/\w+/g) ?? []);
  expect(names.sort()).toEqual([...asked].sort());
});
