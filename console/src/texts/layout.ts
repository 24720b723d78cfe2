/** The texts of layout/ and of the application. */
export const layout = {
  title: (page: string) => (page === '' ? 'sipgraph console' : `${page} · sipgraph`),
  loading: 'Loading the console…',
  reading: 'Reading…',
  accountOf: (name: string) => `Account: ${name}`,
  signOut: 'Sign out',
  role: (role: string) => `Role: ${role.toLowerCase()}`,
  keys: 'Keys',
  keysOn: 'Use these keys',
  close: 'Close',
  keyList: [
    ['/', 'Search'],
    ['?', 'Show the keys'],
    ['g', 'Open the first page'],
    ['n', 'New, in a list'],
    ['e', 'Edit, on the page of a resource'],
    ['Esc', 'Close a dialog or menu'],
  ],
  notFound: 'There is no page at this address.',
  home: 'Open the first page',
  reload: 'Reload the page',
} as const;
