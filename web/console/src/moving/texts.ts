import type { ReactNode } from 'react';

import { counted, number, sentence } from '../texts';

/** The texts of moving in, which are loaded with their page. */
export const words = {
  system: 'System',
  systems: { KAMAILIO: 'Kamailio', DSIPROUTER: 'dSIPRouter', ROUTR2: 'Routr v2' },
  dump: {
    drop: (choose: ReactNode) => sentence('Drop the dump of its database, or ', choose),
    choose: 'choose a dump',
    hint: 'As mysqldump, mariadb-dump, pg_dump or the .dump of SQLite writes it. Of Routr v2, YAML or JSON, too.',
    accept: '.sql,.dump,.txt,.yml,.yaml,.json,application/sql',
  },
  gateway: 'Gateway of numbers that name none',
  gatewayHint: 'Its host or name in the dump, or a reference here',
  newSecrets: 'Give users whose password is only a digest a new secret',
  skipInvalid: 'Leave out records that cannot be imported',
  empty: 'The dump is empty.',
  uploading: (share: number) => `Uploading: ${number(Math.round(100 * share))} %`,
  large:
    'This is a large move: it is made in the background, in pieces, which the history has as one request. Which calls change is not compared, and it cannot wait for a confirmation. If a piece fails, those before it stay, and Undo takes them back.',
  stopped: (count: number, problem: string) =>
    `It stopped after ${counted(count, 'record')} that it changed${problem === '' ? '.' : `: ${problem}`}`,
  checking: 'Checking, without a change…',
  moving: 'Moving in…',
  check: 'Check again',
  dryRun: 'Dry run: nothing is changed yet.',
  rejected: (failed: number) => `${counted(failed, 'record')} cannot be imported, so nothing was changed.`,
  done: 'Moved in.',
  nothing: 'There is nothing to change.',
  start: (count: number) => `Move in ${number(count)}`,
  undo: 'Undo',
  kinds: 'What is created',
  kindColumns: ['Kind', 'To create', 'To update', 'Unchanged', 'Failed'],
  madeColumns: ['Kind', 'Created', 'Updated', 'Unchanged', 'Failed'],
  missing: 'Without counterpart',
  checks: 'To check',
  countColumns: ['Count', 'What', 'First'],
  failures: 'Cannot be imported',
  skipped: 'Left out',
  failureColumns: ['Record', 'Kind', 'Reason'],
  more: (count: number) => `and ${counted(count, 'more record')}`,
  replay: 'Replay recorded calls',
  records: {
    drop: (choose: ReactNode) => sentence('Drop call records of the old system as CSV, or ', choose),
    choose: 'choose call records',
    hint: "Kamailio's acc, Asterisk's CDR, or the columns from, to, source, gateway, called and status.",
    accept: '.csv,.tsv,.txt,text/csv',
  },
  replaying: (done: number, total: number) => `${number(done)} of ${counted(total, 'record')} compared…`,
  replayed: (calls: number, same: number, differ: number) =>
    `Of ${counted(calls, 'call')}, ${number(same)} go the same way; ${number(differ)} differ.`,
  later: (count: number) => `${counted(count, 'call')} left by a gateway that is now tried later.`,
  unknown: (count: number) => `${counted(count, 'call')} depend on what only the SIP server knows.`,
  ignored: (count: number) => `${counted(count, 'record')} without a call.`,
  invalid: (count: number, first: string) => `${counted(count, 'record')} cannot be read: ${first}`,
  stop: 'Stop',
  differences: 'Calls that differ',
  differenceColumns: ['Calls', 'From', 'To', 'Source', 'Was', 'Now', 'Line'],
  shown: (count: number, all: number) => `The first ${number(count)} of ${number(all)} are shown.`,
  noRecords: 'The file has no rows below a header.',
} as const;
