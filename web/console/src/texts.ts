import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';

/** What the numbers of a resource have in common. */
const NUMBERS_OF = {
  Gateway: 'Numbers that belong to the gateway',
  Agent: 'Numbers that lead to the agent',
  Peer: 'Numbers that lead to the peer',
  Domain: 'Numbers with an address of record in the domain',
};

/**
 * The texts of the console in English, by the folder that shows them. Links, times and other elements in a sentence are
 * arguments. Texts of kinds and fields come from the graph. The first page does not need those of jobs, the history and
 * imports, so each of these has its own texts.ts. What is shown before the scripts run is in index.html, and why the server
 * is not reached in web/shared/request.ts.
 */
export const texts = {
  /** The titles of pages that are in menus. */
  titles: {
    account: 'Sessions and API tokens',
    calls: 'Calls',
    health: 'Number health',
    history: 'History',
    imports: 'Import',
    map: 'Map',
    moving: 'Moving in',
    pending: 'Waiting changes',
    users: 'Users',
    webhooks: 'Webhooks',
  },
  layout: {
    name: 'sipgraph',
    menu: 'Menu',
    title: (page: string) => (page === '' ? 'sipgraph console' : `${page} · sipgraph`),
    loading: 'Loading the console…',
    reading: 'Reading…',
    /** The headings of groups in the menu. */
    groups: {
      now: '',
      numbers: 'Numbers',
      people: 'People',
      trunks: 'Trunks',
      more: 'More',
      history: '',
      settings: 'Settings',
    },
    accountOf: (name: string) => `Account: ${name}`,
    signOut: 'Sign out',
    role: (role: string) => `Role: ${role.toLowerCase()}`,
    keys: 'Keys',
    keysOn: 'Use these keys',
    close: 'Close',
    keyList: [
      ['/', 'Search in the list, or everywhere'],
      ['Ctrl K', 'Search everywhere'],
      ['?', 'Show the keys'],
      ['g', 'Open the first page'],
      ['n', 'New, in a list'],
      ['e', 'Edit, on the page of a resource'],
      ['Esc', 'Close a dialog or menu'],
    ],
    notAllowed: 'Your role does not allow this page.',
    notFound: 'There is no page at this address.',
    notFoundAt: (path: ReactNode) => sentence('The address is ', path, '.'),
    home: 'Open the first page',
    reload: 'Reload the page',
    failed: (message: string, reload: ReactNode) => sentence(message, ' ', reload),
    cell: (column: string) => `${column}: `,
  },
  session: {
    title: 'Sign in to sipgraph',
    again: 'Sign in again',
    ended: 'Your session has ended. Sign in again to go on where you are.',
    hint: 'The server printed the admin’s secret on its first start.',
    name: 'Name',
    secret: 'Secret',
    onlyThisTab: 'Only in this tab',
    submit: 'Sign in',
    busy: 'Signing in…',
    nobody: 'Nobody is signed in',
  },
  parts: {
    loading: 'Loading',
    cancel: 'Cancel',
    once: 'It is shown only now. Copy it, and keep it in a safe place.',
    copy: 'Copy',
    copied: 'Copied',
    done: 'I have copied it',
    failed: (message: string) => `This cannot be read: ${message}`,
    noValue: '–',
    /** Instead of a name that is being read. */
    unread: '…',
    /** After the name of what was deleted, which leads to its history. */
    gone: ' (no longer exists)',
    copyReference: 'Copy reference',
    /** What somebody recognizes, with what tells it from others of the same name. */
    named: (name: string, value: string) => `${name} (${value})`,
    time: (at: Date) => at.toLocaleString('en-GB'),
    timeOfDay: (at: Date) => at.toLocaleTimeString('en-GB'),
    exactTime: (at: Date) => `${at.toLocaleString('en-GB')}.${milliseconds(at)}`,
    exactTimeOfDay: (at: Date) => `${at.toLocaleTimeString('en-GB')}.${milliseconds(at)}`,
    roughTimeOfDay: (at: Date) => at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' }),
    roughTime: (at: Date) =>
      at.toLocaleString(
        'en-GB',
        at.getFullYear() === new Date().getFullYear()
          ? { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }
          : { day: 'numeric', month: 'short', year: 'numeric' },
      ),
    transport: (transport: string) => transport.toUpperCase(),
    list: dotted,
    target: { loading: 'Searching…', none: 'No agent or peer has this name.' },
    comma: ', ',
    copyOf: (value: string) => `Copy ${value}`,
  },
  kinds: {
    /** The names and plurals are those of react-admin. */
    notices: {
      created: 'Created',
      updated: 'Saved |||| %{smart_count} saved',
      deleted: 'Deleted |||| %{smart_count} deleted',
    },
    heading,
    state: 'State',
    states: {
      disabled: 'Disabled',
      draining: 'Draining',
      registersNot: 'Does not register',
      health: { UP: 'Responds', DOWN: 'Does not respond' },
      both: (one: string, other: string) => `${one}, ${other.toLowerCase()}`,
      gateway: (state: string) => `Gateway: ${state.toLowerCase()}`,
      noTarget: 'No agent or peer',
      noDomain: (name: string) => `Domain ${name} does not exist`,
      noDevice: 'No device',
      devices: (count: number) => counted(count, 'device'),
    },
    since: (time: ReactNode) => sentence('since ', time),
    roundTrip: (milliseconds: number) => `${number(milliseconds)} ms`,
    because: (state: string, cause: string | null) => (cause === null ? state : `${state}: ${cause}`),
    verdict: (reachable: boolean) => (reachable ? 'Rings' : 'Does not ring'),
    tabs: { overview: 'Overview', numbers: 'Numbers', history: 'History', raw: 'Raw' },
    tabsOf: (kind: string) => `Parts of the page: ${heading(kind)}`,
    raw: 'The fields of the graph, as programs read them. Secrets cannot be read.',
    document: 'Document',
    result: 'Result',
    explain: 'Explain',
    newOne: 'Create',
    /** `UDP` and other short values stay as they are. */
    choice: (value: string) => (value.length <= 4 ? value : heading(value)),
    create: (kind: string) => `New ${heading(kind)}`,
    edit: (kind: string) => `Change ${heading(kind)}`,
    kindTitle: (kind: ReactNode, label: ReactNode) => sentence(kind, ' ', label),
    range: (first: ReactNode, last: ReactNode) => sentence(first, ' – ', last),
    search: 'Search',
    contains: 'contains',
    is: 'is',
    isNot: 'is not',
    atLeast: 'at least',
    atMost: 'at most',
    from: 'from',
    until: 'until',
    total: (from: number, to: number, total: number | undefined) =>
      total === undefined ? `${from}–${to}` : `${from}–${to} of ${number(total)}`,
    listOf: (kinds: string, total: number | undefined) =>
      total === undefined ? heading(kinds) : `${heading(kinds)} (${number(total)})`,
    unknown: (kind: string) => `There is no kind ${kind}`,
    none: 'None',
    unset: 'Not set',
    noMatches: 'Nothing matches the filter.',
    empty: 'There is nothing here yet.',
    /** What tells a kind from one that resembles it. */
    apart: {
      DID: 'A DID only takes calls; a Number can also be the caller of calls that go out.',
      Number: 'A Number can also be the caller of calls that go out; a DID only takes calls.',
    } as Readonly<Record<string, string | undefined>>,
    far: 'This page is too far from both ends of the list to be opened from its address. Narrow the filter.',
    perPage: 'Rows per page',
    pages: 'Pages',
    first: 'First page',
    previous: 'Previous page',
    next: 'Next page',
    last: 'Last page',
    nothingSet: 'nothing set',
    sections: {
      connection: 'Connection',
      registration: 'Registration',
      places: 'Destinations and sources',
      quirks: 'Quirks of the provider',
      limits: 'Limits',
      labels: 'Labels and note',
    },
    yes: 'Yes',
    yesByDefault: 'Yes, by default',
    no: 'No',
    label: (field: string) => `${heading(field)}: `,
    all: (count: number) => `Show all ${number(count)}`,
    makeUp: 'Make up',
    show: 'Show',
    hide: 'Hide',
    secretHint: (about: string, hint: string) => `${about} ${hint}`,
    secretKept: 'Leave it empty to keep the secret that is set.',
    secretRemoved: 'The secret is removed when you save.',
    remove: 'Remove',
    secretOnce: 'Copy it now: it cannot be read later.',
    delete: 'Delete',
    deleteTitle: (kind: string, label: ReactNode) => sentence(`Delete ${heading(kind)} `, label, '?'),
    cancel: 'Cancel',
    restorable: (isReferredTo: boolean) =>
      `You can restore it from the history.${isReferredTo ? ' What refers to it:' : ''}`,
    inUse: (isReplaceable: boolean) =>
      `It cannot be deleted while others refer to it. Change or delete these first${isReplaceable ? ', or replace it' : ''}:`,
    deleted: (kind: string) => `${heading(kind)} deleted`,
    conflict: (links: ReactNode) => sentence('What is there already: ', links),
    changedMeanwhile: 'Somebody else has changed it since you opened this form.',
    goneMeanwhile: 'Somebody else has deleted it.',
    overwrite: {
      about:
        'These fields have other values than when you opened the form. Saving overwrites those that you changed, too.',
      unseen: 'What differs cannot be shown. Load the current values to see it.',
      changed: 'changed',
      both: (theirs: ReactNode, own: ReactNode) => sentence(theirs, ' (in your form: ', own, ')'),
      by: (who: string | null, time: ReactNode) => (who === null ? sentence(time) : sentence('by ', who, ', ', time)),
      edit: 'Go on editing',
      overwrite: 'Save all the same',
    },
    /** The calls in progress, and how many may be. */
    calls: ({ calls, maxCalls }: { readonly calls: number; readonly maxCalls: number | null }) =>
      `${maxCalls === null ? counted(calls, 'call') : `${number(calls)} of ${counted(maxCalls, 'call')}`} in progress`,
    again: 'Try again',
    integer: 'Enter a whole number.',
    enter: (field: string) => `Enter ${withArticle(inSentence(field))}.`,
    choose: (field: string) => `Choose ${withArticle(inSentence(field))}.`,
    /** A message of the server about a field, as a sentence. */
    invalid: (field: string, message: string) => {
      if (message === 'is empty') return texts.kinds.enter(field);
      if (/ is not (a (tel|sip)|an address such)/.test(message))
        return texts.kinds.written[field]?.invalid ?? `${message}.`;
      const told = /^(is|are|has|have|must|cannot|does)\b/.test(message) ? `${heading(field)} ${message}` : message;
      return /[.?!]$/.test(told) ? told : `${told}.`;
    },
    /** How the values of fields may be written, and what is shown if they are not. */
    written: {
      telUrl: {
        hint: 'The number, such as +49 30 1234567.',
        invalid: 'Enter a telephone number, such as +49 30 1234567.',
      },
      lastTelUrl: {
        hint: 'For a range: its last number, with as many digits as the first, such as +49 30 1239999. Leave it empty for a single number.',
        invalid: 'Enter the last number of the range, such as +49 30 1239999.',
      },
      aorLink: {
        hint: 'Where calls go: an agent or a peer, or an address of record such as 1001@sip.local.',
        invalid: 'Enter an address of record, such as 1001@sip.local.',
      },
      furtherTargets: {
        hint: 'Who else rings: agents, peers, or outside numbers such as +49 30 1234567. One without seconds rings together with the one before; the others ring when those before have rung for so long, or at once if they are busy, not registered or refuse. An outside number that rings together with others is called through one gateway only.',
        invalid: 'Enter agents, peers or outside numbers.',
      },
      prefix: {
        hint: 'The beginning of the dialed numbers, such as +49 or 0; leave it empty for all numbers. The longest prefix decides.',
        invalid: 'Enter the beginning of a number, such as +49.',
      },
      rule: {
        hint: 'Regular expression. Calls to a number or name that matches it leave through the gateway of the egress number.',
        invalid: 'Enter a regular expression, such as ^0.',
      },
      numberRefs: {
        hint: 'The numbers to try, in order. Each is the caller of its attempt, and its gateway carries the call; if that fails, the next number is tried.',
        invalid: 'Choose at most 8 numbers.',
      },
      shares: {
        hint: 'An entry for each caller: those of the same priority share the calls by weight. Leave it empty to try them in order.',
        invalid: 'Add an entry for each caller, with a priority and a weight.',
      },
    } as Readonly<Record<string, { readonly hint: string; readonly invalid: string } | undefined>>,
    targets: {
      target: (place: number) => `Target ${place}`,
      seconds: (place: number) => `Seconds before target ${place}`,
      together: 'together',
      up: (place: number) => `Move target ${place} up`,
      remove: (place: number) => `Remove target ${place}`,
      add: 'Add a target',
    },
    reload: 'Load the current values',
    readOnly: 'You see what there is: your role does not allow changes.',
  },
  now: {
    title: 'Now',
    overview: 'Overview',
    ring: 'Numbers that ring',
    trunks: 'Trunks up',
    devices: 'Devices registered',
    changes: 'Changes today',
    of: (total: number) => `of ${number(total)}`,
    ofSoFar: (total: number) => `of ${number(total)} so far`,
    ringNot: (count: number) => `${number(count)} ${count === 1 ? 'does' : 'do'} not ring`,
    trunksNot: (count: number) => `${number(count)} ${count === 1 ? 'is' : 'are'} down`,
    attention: 'Needs attention',
    fine: 'All numbers ring.',
    numbers: (count: number) => counted(count, 'number'),
    since: (time: ReactNode) => sentence('since ', time),
    noResponse: 'The provider does not respond',
    neverTried: 'Never tried to register',
    noDevices: 'No number of the domain has a registered device',
    explain: 'Explain',
    explainOf: (name: string) => `Explain ${name}`,
    move: 'Move numbers',
    moveOf: (name: string) => `Move numbers of ${name}`,
    others: (count: number) => `${counted(count, 'more number')} that ${count === 1 ? 'does' : 'do'} not ring`,
    changed: 'Last changes',
    noChanges: 'Nothing has been changed yet.',
    history: 'All changes',
    start: 'Get the first number to ring',
    steps: {
      Domain: 'Create a domain, such as sip.example.com',
      Agent: 'Create a phone user in the domain, who gets a card for the phone',
      Gateway: 'Create a gateway to your provider',
      DID: 'Create a number that leads to the phone user',
    },
    done: 'Done',
    toDo: 'To do',
    moving: (page: ReactNode) => sentence('Or move in another system: ', page, '.'),
  },
  /** What a request did, in a sentence after who sent it. */
  requests: {
    because: (reason: string) => ` (${reason})`,
    who: (name: string | undefined) => (name === '' ? 'Somebody' : (name ?? 'An earlier version of sipgraph')),
    verbs: { CREATED: 'created', UPDATED: 'changed', DELETED: 'deleted' } as Readonly<Record<string, string>>,
    imported: 'imported',
    one: (kind: string, name: ReactNode) => sentence(`the ${inSentence(kind)} `, name),
    many: (kinds: string, count: number, isWhole: boolean) =>
      `${number(count)}${isWhole ? '' : '+'} ${inSentence(kinds)}`,
    manyOf: (kind: string) => `${kind}s`,
    did: (verb: string, what: ReactNode) => sentence(`${verb} `, what),
    changed: (fields: readonly string[], of: ReactNode, before: ReactNode, after: ReactNode) =>
      sentence(
        `changed ${fields.length > 3 ? counted(fields.length, 'field') : `the ${listed(fields.map(inSentence)).join('')}`} of `,
        ...[of, before === null ? '' : ' from ', before, after === null ? '' : ' to ', after],
      ),
    removed: (field: string, of: ReactNode) => sentence(`removed the ${inSentence(field)} of `, of),
    moved: (what: ReactNode, from: ReactNode, to: ReactNode) =>
      sentence('moved ', what, from === null ? '' : ' from ', from, ' to ', to),
    evicted: (address: string, devices: number) =>
      `ended ${address === '*' ? 'all registrations' : `the registrations of ${address}`} (${counted(devices, 'device')})`,
    signedIn: (times: number, address: string | null) => `signed in${repeated(times)}${fromAddress(address)}`,
    failed: (name: ReactNode, times: number, address: string | null) =>
      sentence(
        'failed to sign in ',
        ...(name === '' ? ['with a name that no user has'] : ['as ', name]),
        `${repeated(times)}${fromAddress(address)}`,
      ),
    sessionEnded: (name: ReactNode) => sentence('ended a session of ', name),
    sessionsEnded: (name: ReactNode) => sentence('ended all sessions of ', name),
    /** An event that this version of the console does not know. */
    other: (kind: string, event: string, name: ReactNode) =>
      sentence(`${inSentence(kind)} ${inSentence(event)} `, name),
    nothing: 'made changes that are no longer kept',
    several: (parts: readonly ReactNode[]) => sentence(...listed(parts)),
    more: (count: number) => counted(count, 'other change'),
    asUndo: (what: ReactNode) => sentence(what, ' to undo an earlier change'),
    undo: 'Undo',
    line: (who: ReactNode, did: ReactNode) => sentence(who, ' ', did),
  },
  search: {
    open: 'Search',
    /** Before the question that the page answers, for screen readers. */
    before: 'Search: ',
    keys: 'Ctrl K',
    title: 'Search',
    label: 'Number, address of record, name or page',
    hint: 'For example +1 706 604-1487, 1001@sip.local or the name of a gateway.',
    groups: { question: 'Explain', recent: 'Recent', resources: 'Matches', pages: 'Pages', actions: 'Actions' },
    /** What Enter does with the text as it is. */
    ask: (text: string) => `Explain ${text}`,
    find: (text: string) => `Find ${text} among all names`,
    searching: 'Searching…',
    count: (count: number) => counted(count, 'result'),
    none: 'Nothing is found.',
    failed: (message: string) => `The search failed: ${message}`,
  },
  /** What jobs are offered as. Their other texts are loaded with them (jobs/texts.ts). */
  jobs: { newUser: 'New phone user' },
  explain: {
    title: 'Where calls go, and why',
    links: {
      SourceStep: 'Source',
      CallerStep: 'Caller',
      AccessStep: 'Access control list',
      RouteStep: 'Way out',
      LimitStep: 'Limit of calls',
      NumberStep: 'Number',
      GatewayStep: 'Gateway',
      AorStep: 'Address of record',
      DomainStep: 'Domain',
      TargetStep: 'Agent or peer',
      ContactsStep: 'Devices',
    },
    progress: {
      works: 'Works',
      broken: 'Broken here',
      unreached: 'Not reached',
      unneeded: 'Not needed',
    },
    call: {
      ask: 'Say who calls',
      from: 'From',
      fromHint: 'Who calls: 1001@sip.local, or a number from outside',
      source: 'Source address',
      sourceHint: 'The IP address from which the call comes',
      explain: 'Explain the call',
      without: 'Without a caller',
      outcomes: {
        RINGS: 'This call rings',
        LEAVES: 'This call leaves',
        REFUSED: 'This call is refused',
        UNKNOWN: 'Only the SIP server knows what becomes of this call',
      },
      refused: (status: number, reason: string) => `This call is refused with ${status} ${reason}`,
      attempts: { RINGS: 'Calls', LEAVES: 'Calls one after the other', REFUSED: '', UNKNOWN: 'May call' },
      order: 'Order',
      afterSeconds: (order: number, seconds: number) =>
        `${order}, when those before have rung for ${seconds} s, or at once if they fail`,
      requestUri: 'Request-URI',
      nextHop: 'Next hop',
      noNextHop: 'the address of the host is not known here',
      shownFrom: 'From',
      kept: 'as the provider sends it',
      identity: 'P-Asserted-Identity',
      diversion: 'Diversion',
      gateway: 'Gateway',
      number: 'Number',
      health: 'Health',
      device: 'Device',
    },
    rings: 'This number rings',
    ringsNot: 'This number does not ring',
    addressRings: 'This address rings',
    addressRingsNot: 'This address does not ring',
    missing: { number: 'This number does not exist', address: 'This address does not exist' },
    chain: 'The path of a call',
    targets: {
      title: 'Targets',
      states: { works: 'Called', broken: 'Not called', unneeded: 'Not called', unreached: 'Not reached' },
    },
    offline: 'The connection is lost. What is shown may be out of date.',
    loading: 'Reading…',
    failed: 'This cannot be read',
    open: (name: ReactNode) => sentence('Open ', name),
    openNumber: (kind: string, telUrl: ReactNode) => sentence(`Open ${kind} `, telUrl),
    create: {
      Domain: (name: string) => `Create the domain ${name}`,
      DID: 'Create a DID',
      Number: 'Create a Number',
    },
    addToDomain: (agent: string, domain: string) => `Add ${agent} to the domain ${domain}`,
    meant: (name: ReactNode) => sentence('Explain ', name),
    others: 'Other numbers with the same digits. Change or delete all but one.',
    gateway: {
      configure: 'How the SIP server registers at the provider',
      edit: 'Edit the gateway',
      move: 'Move its numbers',
      host: 'Host',
      port: 'Port',
      defaultPort: 'default of the transport',
      transport: 'Transport',
      username: 'User name',
      secret: 'Secret',
      secretSet: 'set, not shown',
      secretUnset: 'not set',
      lastResponse: 'Last response',
      noResponse: 'none recorded',
      nextAttempt: 'Next attempt',
      GATEWAY_DISABLED: 'Edit the gateway, and set Enabled to let calls through.',
      GATEWAY_DRAINING: 'Edit the gateway, and end Draining to let new calls through.',
      GATEWAY_REFUSED: 'The provider refuses these credentials. Compare them with those of your contract.',
      neverTried: 'The SIP server has never tried to register here. Check that it runs and reads this database.',
      GATEWAY_NOT_REGISTERED: 'The provider did not respond. Check host, port, transport and the network.',
      GATEWAY_EXPIRED: 'The registration was not renewed. Check that the SIP server runs and reaches the provider.',
    },
    device: {
      configure: 'How to configure the device',
      server: 'Registrar and domain',
      username: 'User name',
      secret: 'Secret',
      secretHint: 'that of the agent or peer; set a new one on its page if it is not known',
      nat: 'behind NAT',
    },
    target: {
      choose: 'Route calls to',
      hint: 'An agent or a peer, or an address of record such as sip:1001@sip.local',
      save: 'Save',
      use: (aorLink: string) => `Route calls to ${aorLink}`,
      saved: (aorLink: string) => `Calls now go to ${aorLink}.`,
    },
    numbers: {
      title: 'Numbers that lead here',
      none: 'No number leads to this address.',
      more: (count: number) => `and ${count} more`,
    },
    names: {
      title: (text: string) => `Matches for “${text}”`,
      none: 'Nothing has this name.',
      noNumber: 'No number or name contains this.',
      searching: 'Searching…',
      more: 'There are more. Enter more of the name.',
    },
  },
  refusedCallers: {
    title: 'Refused callers',
    about:
      'Calls to numbers of this gateway came from these addresses, which are neither its host nor one of its sources. If they belong to the provider, add them.',
    row: (ip: string, calls: number, digits: string, first: ReactNode, last: ReactNode) =>
      sentence(`${ip}: ${counted(calls, 'call')}, the last to ${digits}, from `, first, ' to ', last),
    add: (ip: string) => `Add ${ip} to the sources`,
  },
  live: {
    trunks: 'Trunks',
    trunksUp: 'Trunks up',
    devices: 'Devices',
    registrations: 'Registrations',
    down: (count: number) => `${number(count)} down`,
    states: {
      REGISTERED: 'Registered',
      REFUSED: 'Refused',
      UNREACHABLE: 'No response',
      EXPIRED: 'Expired',
      UNKNOWN: 'Never tried',
      UP: 'Responds',
      DOWN: 'Does not respond',
    },
    columns: {
      gateway: 'Gateway',
      provider: 'Provider',
      state: 'State',
      reason: 'Last response',
      since: 'Since',
      who: 'Who',
      where: 'Where',
      transport: 'Transport',
      userAgent: 'User agent',
      nat: 'NAT',
      until: 'Until',
      actions: 'Actions',
    },
    search: 'Search',
    allStates: 'All states',
    domain: 'Domain',
    transport: 'Transport',
    anyTransport: 'Any',
    nat: 'NAT',
    natAny: 'Any',
    natYes: 'Behind NAT',
    natNo: 'Not behind NAT',
    yes: 'yes',
    no: 'no',
    never: 'never',
    count: (count: number) => number(count),
    countOf: (what: string, count: number | undefined) => (count === undefined ? what : `${what} (${number(count)})`),
    inState: (state: string, count: number | undefined) => `${state}: ${count === undefined ? '…' : number(count)}`,
    ofThemSilent: (count: number) => `, ${number(count)} of them ${count === 1 ? 'does' : 'do'} not respond`,
    noTrunks: 'No gateway matches.',
    noTrunksYet:
      'There is no trunk yet. A gateway is listed here if it registers at its provider, or once the SIP server has checked its host.',
    noDevices: 'No registered device matches.',
    noDevicesYet:
      'No device is registered. Phones register at Kamailio with the configuration that “sipgraph kamailio config” writes.',
    newer: 'Newer',
    older: 'Older',
    next: 'Next',
    previous: 'Previous',
    offline: 'The connection is lost. What is shown may be out of date.',
    evict: (aor: string) => `End the registrations of ${aor}`,
    evictTitle: 'End registrations',
    evictQuestion: (aor: string) =>
      `All devices of ${aor} are unregistered. They cannot be called until they register again, which most devices do by themselves.`,
    evictConfirm: 'End registrations',
    evicted: (count: number) => (count === 1 ? '1 registration has ended.' : `${count} registrations have ended.`),
    updating: 'Updating…',
  },
  testGateway: {
    open: 'Test now',
    title: 'Test of the gateway',
    busy: 'The SIP server sends OPTIONS to the host, and waits for a response…',
    again: 'Test again',
    close: 'Close',
    outcomes: {
      ANSWERED: (of: string, response: string, roundTrip: number) =>
        `${of} responded ${response} after ${roundTrip} ms.`,
      SILENT: (of: string) => `${of} did not respond within 2 seconds.`,
      NO_ADDRESS: () => 'The host has no address in DNS. Nothing was sent.',
      NOT_SENT: (of: string) => `${of} cannot be reached. Nothing was sent.`,
    },
    destination: (place: string, result: string) => `Destination ${place}: ${result}`,
    notTested: (place: string) =>
      `Destination ${place} was not tested: another test was just made, or its transport is not supported.`,
    about: 'Any response shows that the host is there. This test does not change the health of the gateway.',
  },
  health: {
    counted: (count: number) => counted(count, 'number'),
    counting: (count: number) => `${counted(count, 'number')} examined so far…`,
    recount: 'Count again',
    countedAt: (time: ReactNode) => sentence('Counted at ', time),
    of: (scopes: readonly { readonly kind: keyof typeof NUMBERS_OF; readonly name: ReactNode }[], all: ReactNode) =>
      sentence(
        ...scopes.flatMap(({ kind, name }, index) => [
          index === 0 ? `${NUMBERS_OF[kind]} ` : ` and ${NUMBERS_OF[kind].replace('Numbers ', '')} `,
          name,
        ]),
        '. ',
        all,
      ),
    all: 'Show all numbers',
    /** `time` is that of a count that does not follow changes. */
    countOf: (kind: keyof typeof NUMBERS_OF, count: number, time: ReactNode | undefined) =>
      sentence(
        `${NUMBERS_OF[kind]}: ${counted(count, 'number')}`,
        ...(time === undefined ? [] : [', counted at ', time]),
      ),
    firstOf: (kind: keyof typeof NUMBERS_OF, count: number, time: ReactNode, countAll: ReactNode) =>
      sentence(`${NUMBERS_OF[kind]}: the first ${counted(count, 'number')} of more, counted at `, time, '. ', countAll),
    countAll: 'Count all',
    byState: 'Numbers by state',
    states: {
      MISSING: 'The number does not exist',
      DISABLED: 'The number is disabled',
      AMBIGUOUS: 'Several numbers have the same digits',
      GATEWAY_DISABLED: 'The gateway is disabled',
      GATEWAY_DRAINING: 'The gateway is draining',
      GATEWAY_NOT_REGISTERED: 'The gateway is not registered',
      GATEWAY_EXPIRED: 'The registration of the gateway has expired',
      GATEWAY_REFUSED: 'The provider refuses the gateway',
      DOMAIN_MISSING: 'The domain does not exist',
      TARGET_FORBIDDEN: 'The agent belongs to another domain',
      TARGET_MISSING: 'The agent or peer does not exist',
      TARGET_DISABLED: 'The agent, the peer or its domain is disabled',
      NOT_REGISTERED: 'No device is registered',
      EXPIRED: 'The registrations of the devices have expired',
      REACHABLE: 'Rings',
    },
    numbers: (state: string | undefined) => (state === undefined ? 'All numbers' : `Numbers: ${state}`),
    anyState: 'Numbers in any state',
    columns: { number: 'Number', gateway: 'Gateway', target: 'Leads to', why: 'Why' },
    choose: 'Choose a state to list its numbers.',
    none: 'No number is in this state.',
    searching: 'Searching…',
    next: 'Next',
    first: 'First page',
  },
  bulk: {
    change: 'Change',
    allMatching: 'All that match',
    selectAll: (count: number) => `All ${number(count)} that match`,
    changeAll: 'Change all…',
    deleteAll: 'Delete all…',
    export: 'Export as CSV',
    field: 'Add a field to change',
    fieldHint: 'Fields that you do not add keep their values. A field without a value is cleared.',
    keep: (field: string) => `Do not change ${field}`,
    preview: 'Preview',
    back: 'Back',
    close: 'Close',
    undo: 'Undo',
    busy: 'Please wait',
    sample: 'The first that change',
    columns: ['Resource', 'Field', 'Before', 'After'],
    secret: 'a secret',
    impossible: (action: string, kind: string) => `The graph cannot ${action} many of ${kind}`,
    heading: (type: 'update' | 'delete', kinds: string, count: number | undefined) =>
      `${type === 'update' ? 'Change' : 'Delete'} ${count === undefined ? 'all that match' : `${number(count)} selected`}: ${kinds}`,
    summary: (step: 'preview' | 'done', type: 'update' | 'delete', count: number, changed: number): string => {
      const what = type === 'update' ? 'changed' : 'deleted';
      if (step === 'done') return `${number(changed)} of ${number(count)} ${what}.`;
      return `${number(changed)} of ${number(count)} will be ${what}.${changed > 10 ? ' The first ten:' : ''}`;
    },
    unseen: (type: 'update' | 'delete', count: number) =>
      `The preview took too long. ${counted(count, 'resource')} match. You can ${type === 'update' ? 'change' : 'delete'} them without it.`,
    confirm: (type: 'update' | 'delete', count: number) =>
      `${type === 'update' ? 'Change' : 'Delete'} ${number(count)}`,
    exportTitle: (kinds: string) => `Export: ${kinds}`,
    exporting: (rows: number, total: number | undefined) =>
      `${number(rows)}${total === undefined ? '' : ` of ${number(total)}`} rows read`,
    exported: (rows: number) => `${counted(rows, 'row')} saved.`,
    incomplete: (most: number) =>
      `The file contains the first ${number(most)} rows only. Narrow the filter, or let the server write the file.`,
    exportAll: 'Export all',
  },
  accounts: {
    noUsers: 'There are no users.',
    newUser: 'New user',
    create: 'Create',
    name: 'Name',
    secret: 'Secret',
    newSecret: 'New secret',
    secretHint: '8 to 100 characters',
    role: 'Role',
    roles: { ADMIN: 'Admin', OPERATOR: 'Operator', VIEWER: 'Viewer' } as Readonly<Record<string, string>>,
    user: (name: string, role: string, since: ReactNode) =>
      dotted(createElement('strong', null, name), role, sentence('since ', since)),
    of: (action: string, name: string) => `${action}: ${name}`,
    changeRole: 'Change role',
    changeRoleOf: (name: string) => `Change the role of ${name}`,
    changeSecret: 'Change secret',
    changeSecretOf: (name: string) => `Change the secret of ${name}`,
    secretEnds: 'All sessions of the user end.',
    endSessions: 'End sessions',
    endSessionsOf: (name: string) => `End all sessions of ${name}?`,
    endSessionsAbout: 'The user has to sign in again. API tokens stay valid.',
    delete: 'Delete',
    deleteUser: (name: string) => `Delete the user ${name}?`,
    deleteUserAbout: 'The sessions and API tokens of the user end. This cannot be taken back.',
    save: 'Save',
    first: 'First users',
    next: 'Next users',
    sessions: 'Sessions',
    noSessions: 'There are no sessions.',
    current: 'this session',
    session: (device: string | null, address: string, since: ReactNode, until: ReactNode) =>
      dotted(
        createElement('strong', null, device ?? 'An unknown program'),
        `from ${address}`,
        sentence('since ', since),
        sentence('until ', until),
      ),
    end: 'End',
    endSession: (device: string | null, address: string) =>
      `End the session of ${device ?? 'an unknown program'} from ${address}`,
    endAbout: 'Whoever uses its token has to sign in again.',
    endAll: 'End all sessions',
    endAllAbout: 'You have to sign in again, here and everywhere else. API tokens stay valid.',
    tokens: 'API tokens',
    noTokens: 'You have no API tokens.',
    newToken: 'New API token',
    token: 'API token',
    note: 'Note',
    expires: 'Expires on',
    expiresHint: 'At the end of this day. Empty: it does not expire.',
    documents: 'Only these GraphQL documents',
    documentsHint:
      'One, or several with a line --- in between. Programs send them to the letter, without spaces and blank lines before and after. Empty: all, and REST.',
    onlyDocuments: (names: readonly string[]) => `only ${names.join(', ')}`,
    describedToken: (name: string, role: string, until: ReactNode, ...more: readonly (string | null)[]) =>
      dotted(createElement('strong', null, name), role, until, ...more),
    until: (time: ReactNode) => sentence('until ', time),
    never: 'does not expire',
    used: (day: string, address: string) => `last used ${day}, ${address}`,
    unused: 'never used',
    deprecatedOf: (name: string) => `Deprecated parts of the graph that ${name} uses`,
    deprecated: (field: string, count: number, day: string) =>
      `uses ${field}, which is deprecated: ${counted(count, 'request')}, last ${day}`,
    deleteToken: (name: string) => `Delete the API token ${name}?`,
    deleteTokenAbout: 'Programs that use it are refused from the next request on.',
  },
  webhooks: {
    empty: 'There are no webhooks.',
    new: 'New webhook',
    create: 'Create',
    save: 'Save',
    edit: 'Change',
    editOf: (url: string) => `Change the webhook ${url}`,
    url: 'URL of the receiver',
    events: 'Events',
    kinds: 'Kinds of resources',
    kindsHint: 'None: all kinds.',
    refs: 'Only events of these',
    refsHint:
      'Resources by name or number, and addresses of record, such as sip:1001@sip.local. Empty: all. Events of numbers need at least one.',
    resource: (kind: string, name: string) => `${heading(kind)} ${name}`,
    after: 'Seconds to wait before sending a state',
    failedCalls: {
      title: 'Failed calls',
      about: 'Which failed calls count. What is empty does not matter.',
      gatewayRef: 'Gateway',
      agentRef: 'Agent',
      peerRef: 'Peer',
      domainRef: 'Domain',
      routeRef: 'Route',
      digits: 'Digits of the number',
      direction: 'Direction',
      anyDirection: 'Any',
      minStatus: 'Lowest status',
      minStatusHint: 'Such as 500: failures of servers only.',
      reason: 'Part of the reason',
      count: 'Calls that must fail',
      minutes: 'Within minutes',
      minutesHint: 'There is one message in this time at most, with the number of calls.',
    },
    note: 'Note',
    active: 'active',
    paused: 'paused',
    pausedBecause: (reason: string) => `Paused: ${reason}`,
    by: (name: string) => `created by ${name}`,
    pause: 'Pause',
    continue: 'Continue',
    skip: 'Continue, and skip what was missed',
    ping: 'Ping',
    pinged: (outcome: string, roundTrip: number) =>
      `The receiver accepted the ping: ${outcome}, after ${number(roundTrip)} ms`,
    refused: (outcome: string, roundTrip: number) =>
      `The receiver did not accept the ping: ${outcome}, after ${number(roundTrip)} ms`,
    attemptsOfDay: (succeeded: number, failed: number) =>
      `${counted(succeeded + failed, 'attempt')} in the last 24 hours, ${failed === 0 ? 'none' : number(failed)} failed`,
    verify: 'Verify signatures',
    verifyAbout:
      'The receiver must reject messages without a right signature: anybody can send to its URL. The secret is shown when the webhook is created, and when it gets a new one.',
    copyCode: 'Copy the code',
    codeIn: (language: string) => `Code in ${language}`,
    /** What each event tells, where events are chosen. */
    about: {
      RESOURCE_CHANGED: 'Somebody created, changed or deleted a resource.',
      REGISTRATION_CHANGED: 'The registration of a gateway at its provider changed in any way, at once.',
      CONTACTS_CHANGED: 'A device registered, or its registration ended.',
      GATEWAY_LOST: 'A gateway is not registered at its provider, for the seconds below.',
      GATEWAY_BACK: 'A gateway that was lost is registered again.',
      GATEWAY_DOWN: 'The host of a gateway does not respond to OPTIONS, for the seconds below.',
      GATEWAY_UP: 'The host of a gateway that was down responds again.',
      DESTINATION_DOWN: 'A destination of a gateway does not respond to OPTIONS, for the seconds below.',
      DESTINATION_UP: 'A destination that was down responds again.',
      NUMBER_STOPPED: 'A number of the references below does not ring, for the seconds below.',
      NUMBER_BACK: 'A number that had stopped rings again.',
      LIMIT_NEARLY_REACHED: 'An agent, a peer, a domain or a gateway has 80 % of the calls that it may have.',
      LIMIT_REACHED: 'A call was refused, or took another gateway, because there are too many. Once a minute at most.',
      EMERGENCY_CALL: 'Somebody called an emergency number, whatever became of the call.',
      CALL_FAILED: 'Calls failed, as many and as often as set below.',
      CHANGES_REVERTED: 'Changes came back: nobody confirmed them in time, or a limit was reached.',
      CHANGES_NOT_REVERTED: 'Changes had to come back, and did not, because somebody has built upon them.',
      CHANGES_APPLIED: 'Scheduled changes were made.',
      CHANGES_NOT_APPLIED:
        'Scheduled changes were not made: they would have done something else, or were not possible.',
    } as Readonly<Record<string, string>>,
    secret: 'Secret of the webhook',
    rotate: 'New secret',
    rotateAbout: 'Messages are signed with the old secret, too, until the end of this time.',
    overlap: 'Hours for which the old secret stays valid',
    oldSecret: (until: ReactNode) => sentence('The old secret is valid until ', until),
    deliveries: 'Deliveries',
    deliveriesOf: (url: string) => `Deliveries to ${url}`,
    noDeliveries: 'Nothing has been sent yet.',
    attempts: (count: number) => counted(count, 'attempt'),
    delivered: 'delivered',
    waiting: 'waiting',
    next: (time: ReactNode) => sentence('next attempt ', time),
    redeliver: 'Send again',
    close: 'Close',
    delete: 'Delete',
    deleteOf: (url: string) => `Delete the webhook ${url}?`,
    deleteAbout: 'Messages that are not delivered are deleted, too. This cannot be taken back.',
  },
  samples: {
    changesLine: (total: number, high: number) =>
      `${counted(total, 'change')} in the last 24 hours, at most ${number(high)} in a quarter of an hour`,
    line: (what: string, last: number, low: number, high: number) =>
      low === high && last === high
        ? `${what} in the last 24 hours: ${high === 0 ? 'none' : `${number(high)} all the time`}`
        : `${what} in the last 24 hours: between ${number(low)} and ${number(high)}, ${number(last)} in the last quarter of an hour`,
    /** What a line was at most and at least, with times. */
    extremes: (...given: Parameters<typeof extremes<string>>) => extremes(...given).join(''),
    /** `extremes` with links instead of times. */
    extremesWith: (...given: Parameters<typeof extremes<ReactNode>>) => sentence(...extremes(...given)),
    explain: 'Explain what was then',
    chart: (what: string, span: string, told: string) => `${what} in the last ${span}: ${told}`,
    /** A time below a line: the longer the span, the less of the time of day. */
    tick: (at: Date, span: 'hours' | 'day' | 'week' | 'quarter') =>
      at.toLocaleString('en-GB', {
        ...(span === 'week' || span === 'quarter' ? { day: 'numeric', month: 'short' } : {}),
        ...(span === 'quarter' ? {} : { hour: '2-digit', minute: '2-digit' }),
      }),
    overTime: 'Numbers over time',
    span: 'Span of time',
    spans: { hours: '6 hours', day: '24 hours', week: '7 days', quarter: '90 days' },
    none: 'There are no samples of this time yet. One is taken every minute.',
    time: 'Time',
    timeOf: (what: string) => `Time in ${what}`,
    changes: 'Changes',
    number: (value: number | null) => (value === null ? '–' : number(Math.round(value))),
    value: (what: string, value: number | null) =>
      `${what}: ${value === null ? 'not counted' : number(Math.round(value))}`,
    at: (time: string, values: readonly string[], changes: number) =>
      [time, ...values, counted(changes, 'change')].join('; '),
    changed: (time: string, changes: number) => `${time} · ${counted(changes, 'change')} of resources`,
    /** `seconds`: the time in which the state is known, if it is less than the span. */
    registered: (span: string, share: number, seconds: number | undefined) =>
      `Up ${percent(share)} of the ${seconds === undefined ? `last ${span}` : `${lasting(seconds)} observed in the last ${span}`}`,
    percent,
    availability: 'Availability',
    lastDay: 'Last 24 hours',
    outages: 'Times when it was down',
    from: 'From',
    to: 'To',
    more: (count: number) => `${counted(count, 'earlier time')} not shown`,
  },
} as const;

/** A share from 0 to 1. One that is not whole is never shown as 0 or 100 %. */
function percent(share: number): string {
  const rounded = Math.min(Math.max(Math.round(share * 10_000) / 100, share > 0 ? 0.01 : 0), share < 1 ? 99.99 : 100);
  return `${number(rounded)} %`;
}

/** A time in words, of which a smaller unit than the last one would not tell more: `1 minute`, `13 minutes`, `30 hours`, `5 days`. */
function lasting(seconds: number): string {
  const [minutes, hours, days] = [60, 3600, 86_400].map((unit) => Math.floor(seconds / unit)) as [
    number,
    number,
    number,
  ];
  if (days >= 2) return counted(days, 'day');
  return hours >= 2 ? counted(hours, 'hour') : counted(Math.max(minutes, 1), 'minute');
}

/** The parts of a sentence about the values of a line, with the times of its highest and lowest, and since when it is lower than usual. */
function extremes<Time>(
  now: number,
  [high, then]: readonly [number, Time],
  [low, at]: readonly [number, Time],
  less: Time | undefined,
): readonly (string | Time)[] {
  if (now === high && now === low) return [`${number(Math.round(now))} all the time`];
  const [last, most, fewest] = [now, high, low].map((value) => number(Math.round(value)));
  return [
    ...[`Now ${last} · most ${most} at `, then, ` · fewest ${fewest} at `, at],
    ...(less === undefined ? [] : [' · less than 90 % of the most since ', less]),
  ];
}

/** A count with its noun: `1 row`, `2,000 rows`. */
export function counted(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** The milliseconds of a time, with three digits. */
function milliseconds(at: Date): string {
  return String(at.getMilliseconds()).padStart(3, '0');
}

/** Seconds as `9:05` or `1:09:05`. */
export function duration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${hours > 0 ? `${String(hours)}:${two(minutes)}` : String(minutes)}:${two(Math.floor(seconds) % 60)}`;
}

/** A number with separators: `2,000`. */
export function number(value: number): string {
  return value.toLocaleString('en');
}

/** A sentence with elements in it. */
export function sentence(...parts: readonly ReactNode[]): ReactElement {
  return createElement(Fragment, null, ...parts);
}

/** Facts in one line; those that are null, false or empty are left out. */
function dotted(...parts: readonly ReactNode[]): ReactElement {
  const given = parts.filter((part) => part !== null && part !== undefined && part !== false && part !== '');
  return sentence(...given.flatMap((part, index) => (index === 0 ? [part] : [' · ', part])));
}

function repeated(times: number): string {
  return times > 1 ? ` ${number(times)} times` : '';
}

function fromAddress(address: string | null): string {
  return address === null ? '' : ` from ${address}`;
}

/** Parts with commas and `and` between them. */
function listed<Part>(parts: readonly Part[]): readonly (Part | string)[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [index < parts.length - 1 ? ', ' : ' and ', part]));
}

/** Words of field names that are not written as they are spoken. */
const WORDS: Readonly<Record<string, string>> = {
  aor: 'address of record',
  api: 'API',
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

/** A heading within a sentence: `User name` is `user name`, and `DID` stays. */
function inSentence(field: string): string {
  const text = heading(field);
  return /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function withArticle(words: string): string {
  return `${/^[aeio]|^u(?!ser|ri|rl)/i.test(words) ? 'an' : 'a'} ${words}`;
}

/** A field, kind or value of the graph as a heading: `userAgent` is `User agent`, and `telUrl`, which people call a number, `Number`. */
export function heading(name: string): string {
  const words = name
    .replace(/tel_?url/i, 'Number')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[ ._]+/)
    .map((word) => WORDS[word.toLowerCase()] ?? word.toLowerCase())
    .filter((word) => word !== '');
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
