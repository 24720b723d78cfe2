import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const FOLDERS = ['bench', 'clients/typescript/src', 'docs', 'src', 'test'];
const files = [
  ...readdirSync(ROOT),
  'clients/typescript/README.md',
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { encoding: 'utf8', recursive: true }).map((name) => join(folder, name)),
  ),
].filter((name) => /\.(md|ts)$/.test(name));

const textOf = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const headingsOf = (name: string): readonly string[] =>
  [...textOf(name).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** The broken relative links of a page. */
function brokenLinks(page: string): readonly string[] {
  const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]*))?\)/g)];
  return links.flatMap(([, path = '', anchor]) => {
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, target))) return [target];
    const isThere = anchor === undefined || headingsOf(target).map(anchorOf).includes(anchor);
    return isThere ? [] : [`${target}#${anchor}`];
  });
}

/** The missing files that a page names: in code spans relative to the root, in diagrams relative to `src`. */
function missingFiles(page: string): readonly string[] {
  const text = textOf(page);
  const spans = [...text.matchAll(/`((?:bench|clients|docs|schema|scripts|src|test)\/[\w./-]+)`/g)];
  const pictures = [...text.matchAll(/```mermaid\n([^`]*)```/g)].map(([, picture = '']) => picture);
  const drawn = pictures.flatMap((picture) => [...picture.matchAll(/\b([a-z-]+(?:\/[a-z-]+)+\.ts)\b/g)]);
  const templates = pictures.flatMap((picture) => [...picture.matchAll(/\b([a-z-]+\.cfg)\b/g)]);
  const named = [
    ...spans.map(([, path = '']) => path),
    ...drawn.map(([, path = '']) => join('src', path)),
    ...templates.map(([, name = '']) => join('src/sip/kamailio/templates', name)),
  ];
  return named.filter((path) => !existsSync(join(ROOT, path)));
}

/**
 * The citations of missing sections in comments, such as `docs/rest-contract.md, section 4.2` and
 * `docs/legacy-clients.md, "Requests"`.
 */
function brokenCitations(file: string): readonly string[] {
  // A citation in a comment may span lines.
  const text = textOf(file).replace(/\n *(?:\*|\/\/) /g, ' ');
  const citations = [...text.matchAll(/(docs\/[a-z-]+\.md), (?:sections? ([\d.]*\d)(?: to ([\d.]*\d))?|"([^"]+)")/g)];
  const broken = citations.flatMap(([citation, page = '', first, last, title]) => {
    const headings = existsSync(join(ROOT, page)) ? headingsOf(page) : [];
    const isThere = (section: string): boolean =>
      headings.some((each) => each === section || each.replace(/\.(?= )/, '').startsWith(`${section} `));
    return [first, last, title].every((each) => each === undefined || isThere(each)) ? [] : [citation];
  });
  const absent = [...text.matchAll(/\b[A-Z]{4,}\.md\b/g)].filter(([name]) => !existsSync(join(ROOT, name)));
  return [...broken, ...absent.map(([name]) => name)];
}

describe('The documentation', () => {
  test.each(files.filter((name) => name.endsWith('.md')))('%s has no broken links', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  test.each(['README.md', 'CONTRIBUTING.md', ...files.filter((name) => /^docs\/.*\.md$/.test(name))])(
    '%s names files that exist',
    (page) => {
      expect(missingFiles(page)).toEqual([]);
    },
  );

  test.each([
    ['README.md', 150],
    ['docs/architecture.md', 200],
    ...files.filter((name) => name.startsWith('docs/decisions/')).map((name): [string, number] => [name, 40]),
  ] satisfies readonly [string, number][])('%s has at most %i lines', (page, most) => {
    expect(textOf(page).trimEnd().split('\n').length).toBeLessThanOrEqual(most);
  });

  test('has the pages and sections that comments cite', () => {
    const sources = files.filter((name) => name.endsWith('.ts') && name !== 'test/docs/docs-links.test.ts');
    const broken = sources.flatMap((file) => brokenCitations(file).map((citation) => `${file}: ${citation}`));
    expect(broken).toEqual([]);
    expect(sources.filter((file) => textOf(file).includes('docs/rest-contract.md, section')).length).toBeGreaterThan(
      10,
    );
  });
});
