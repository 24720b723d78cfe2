/** Words of field names that are not written as they are spoken. */
const WORDS: Readonly<Record<string, string>> = {
  aor: 'address of record',
  dids: 'DIDs',
  did: 'DID',
  geo: 'location',
  id: 'ID',
  ip: 'IP',
  info: '',
  iso: 'ISO',
  link: '',
  nat: 'NAT',
  on: 'on',
  ref: 'reference',
  uri: 'URI',
  url: 'URL',
};

/** A field, kind or value of the graph as a heading: `telUrl` is `Tel URL`. */
function heading(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[ ._]+/)
    .map((word) => WORDS[word.toLowerCase()] ?? word.toLowerCase())
    .filter((word) => word !== '');
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The texts of kinds/. */
export const kinds = {
  heading,
  /** `UDP` and other short values stay as they are. */
  choice: (value: string) => (value.length <= 4 ? value : heading(value)),
  create: (kind: string) => `New ${heading(kind)}`,
  edit: (kind: string) => `Change ${heading(kind)}`,
  kindTitle: (kind: string, label: string) => `${heading(kind)} ${label}`,
  search: 'Search',
  contains: 'contains',
  is: 'is',
  isNot: 'is not',
  atLeast: 'at least',
  atMost: 'at most',
  from: 'from',
  until: 'until',
  total: (from: number, to: number, total: number | undefined) =>
    total === undefined ? `${from}–${to}` : `${from}–${to} of ${total.toLocaleString('en')}`,
  none: 'None',
  noMatches: 'Nothing matches the filter.',
  empty: 'There is nothing here yet.',
  far: 'This page is too far from both ends of the list to be opened from its address. Narrow the filter.',
  perPage: 'Rows per page',
  pages: 'Pages',
  first: 'First page',
  previous: 'Previous page',
  next: 'Next page',
  last: 'Last page',
  yes: 'Yes',
  no: 'No',
  all: (count: number) => `Show all ${count.toLocaleString('en')}`,
  makeUp: 'Make up',
  show: 'Show',
  hide: 'Hide',
  secretKept: 'Leave it empty to keep the secret that is set.',
  secretRemoved: 'The secret is removed when you save.',
  remove: 'Remove',
  secretOnce: 'Copy it now: it cannot be read later.',
  delete: 'Delete',
  deleteTitle: (kind: string, label: string) => `Delete ${heading(kind)} ${label}?`,
  cancel: 'Cancel',
  used: 'You can restore it from the history. What refers to it, if anything:',
  deleted: (kind: string) => `${heading(kind)} deleted`,
  conflict: 'What is there already:',
  changedMeanwhile: 'Somebody else has changed it since you opened this form.',
  goneMeanwhile: 'Somebody else has deleted it.',
  again: 'Try again',
  integer: 'A whole number is required.',
  reload: 'Load the current values',
} as const;
