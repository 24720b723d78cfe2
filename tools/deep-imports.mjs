// Replaces imports from the indexes of MUI and react-admin by imports of the modules that declare what is imported.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import ts from 'typescript';

const packages = join(import.meta.dirname, '..', 'node_modules');
const MUI = '@mui/material';
// What is exported by another module than one of its own name.
const ELSEWHERE = { createFilterOptions: 'Autocomplete', major: 'version', useForkRef: 'utils' };
const IMPORT = /^import\s*\{([^}]*)\}\s*from\s*['"]([^'"]+)['"];?/gm;
const ADMIN = ['react-admin', 'ra-core', 'ra-ui-materialui'];

/** The files in which imports are replaced: those of the console, and of react-admin. */
export const importers = /(console\/src|node_modules\/(react-admin|ra-core|ra-ui-materialui)\/dist)\/.*\.(js|ts|tsx)$/;

/**
 * Returns the text of a module without imports from indexes. esbuild assigns all that is used of an index to one chunk,
 * so the first page would load what all pages use.
 */
export function withDeepImports(path, text) {
  return text.replace(IMPORT, (statement, names, from) => {
    const index = from === MUI ? undefined : fileOf(path, from);
    if (from !== MUI && basename(index ?? '') !== 'index.js') return statement;
    return names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => {
        const [exported, local = exported] = name.split(/\s+as\s+/);
        if (from === MUI) return importOfMui(exported, local);
        const [module, original] = declarationOf(index, exported) ?? [from, exported];
        return `import { ${original} as ${local} } from ${JSON.stringify(module)};`;
      })
      .join(' ');
  });
}

function importOfMui(exported, local) {
  return existsSync(join(packages, MUI, exported))
    ? `import ${local} from '${MUI}/${exported}';`
    : `import { ${exported} as ${local} } from '${MUI}/${ELSEWHERE[exported] ?? 'styles'}';`;
}

/** The file that a module of react-admin, or one that imports it, calls `from`; undefined if it is of another package. */
function fileOf(importer, from) {
  if (ADMIN.includes(from)) return join(packages, from, 'dist/index.js');
  return from.startsWith('.') ? join(dirname(importer), from) : undefined;
}

/** The file that declares what a module exports as `name`, and its name there; undefined if none of react-admin does. */
function declarationOf(file, name) {
  const { named, starred, declared } = exportsOf(file);
  if (declared.has(name)) return [file, name];
  const found = named.get(name);
  if (found) return (basename(found[0]) === 'index.js' && declarationOf(...found)) || found;
  for (const next of starred) {
    const inner = declarationOf(next, name);
    if (inner) return inner;
  }
  return undefined;
}

const known = new Map();

/** What a module exports: of which files everything, which names of which files, and what it declares itself. */
function exportsOf(file) {
  const before = known.get(file);
  if (before) return before;
  const exported = { named: new Map(), starred: [], declared: new Set() };
  known.set(file, exported);
  const imported = new Map();
  for (const statement of ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest).statements) {
    const from = statement.moduleSpecifier && fileOf(file, statement.moduleSpecifier.text);
    if (ts.isImportDeclaration(statement) && from && statement.importClause) {
      const { name, namedBindings } = statement.importClause;
      if (name) imported.set(name.text, [from, 'default']);
      if (namedBindings && ts.isNamedImports(namedBindings))
        for (const each of namedBindings.elements)
          imported.set(each.name.text, [from, (each.propertyName ?? each.name).text]);
    } else if (ts.isExportDeclaration(statement)) {
      if (!statement.exportClause) {
        if (from) exported.starred.push(from);
      } else if (ts.isNamedExports(statement.exportClause)) {
        for (const { name, propertyName } of statement.exportClause.elements) {
          const local = (propertyName ?? name).text;
          const origin = statement.moduleSpecifier ? from && [from, local] : imported.get(local);
          if (origin) exported.named.set(name.text, origin);
          else if (!statement.moduleSpecifier) exported.declared.add(name.text);
        }
      }
    } else if (ts.getCombinedModifierFlags(statement) & ts.ModifierFlags.Export) {
      const declarations = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
      for (const { name } of declarations) if (name) exported.declared.add(name.text);
    }
  }
  return exported;
}
