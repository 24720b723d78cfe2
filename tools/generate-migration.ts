import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { kinds } from '../src/model/kinds';
import { modelOf } from '../src/model/model';
import { draftMigration } from './migration-draft';

// `npm run migrate:generate Trunk` writes a draft of the migration that creates the table of a kind.
const [name = ''] = process.argv.slice(2);
const kind = modelOf(kinds).kindOf(name);
const time = String(Date.now());
const className = `Create${kind.collection.charAt(0).toUpperCase()}${kind.collection.slice(1)}${time}`;
const file = `${time}-create-${kind.collection}`;
const path = join(__dirname, '../src/database/migrations', `${file}.ts`);
if (existsSync(path)) throw new Error(`${path} exists`);
writeFileSync(path, draftMigration(kind, className));
process.stdout.write(`src/database/migrations/${file}.ts was created: add it to src/database/migrations.ts\n`);
