import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { kinds } from '../../src/model/kinds';
import { modelOf } from '../../src/model/model';

const page = readFileSync(join(__dirname, '../../docs/rest-contract.md'), 'utf8');

/** The part under a heading that begins in this way. */
function section(title: string): string {
  const [found = ''] = new RegExp(`^### (?:2|10)\\.\\d+ ${title}.*?(?=^###? )`, 'ms').exec(`${page}\n## `) ?? [];
  expect(found).not.toBe('');
  return found;
}

describe('docs/rest-contract.md', () => {
  test.each(modelOf(kinds).kinds.map((kind) => [kind.name, kind] as const))(
    'names each member of a document of the kind %s',
    (name, { fields }) => {
      const rows = section(`(?:\\w+ and )?${name}s?\\b`);
      const ofAll = section('Common shape of a resource');
      const paths = fields.map(({ pathKeys }) => `\`${pathKeys.join('.')}\``);
      expect(paths.filter((path) => !rows.includes(`| ${path}`) && !ofAll.includes(path))).toEqual([]);
    },
  );
});
