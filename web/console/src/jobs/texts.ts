import type { ReactNode } from 'react';

import { counted, sentence } from '../texts';

/** What is moved, such as `67 DIDs and 1 number`. */
function moved(dids: number, numbers: number): string {
  const parts = [dids > 0 && counted(dids, 'DID'), numbers > 0 && counted(numbers, 'number')];
  return parts.filter((part) => part !== false).join(' and ');
}

/** The texts of the jobs, which are loaded with them. What the first page says about them is in ../texts.ts. */
export const words = {
  newUser: {
    username: 'User name',
    usernameHint: 'What the phone registers with: the next free number, or any other name.',
    name: 'Name',
    nameHint: 'What others see, such as Anna Berg.',
    domain: 'Domain',
    number: 'Number',
    numberHint: 'Optional: a DID that leads to no agent or peer. Enter its first digits.',
    noNumber: 'No free DID begins with these digits.',
    enterNumber: 'Enter the first digits of the number.',
    noDomain: (create: ReactNode) => sentence('A phone registers in a domain, and there is none yet. ', create),
    createDomain: 'Create a domain',
    create: 'Create',
    another: 'Another phone user',
    rings: (number: ReactNode, user: string) => sentence('Calls to ', number, ` go to ${user}.`),
    notPointed: (user: string, number: ReactNode, why: string) =>
      sentence(`${user} is created, but calls to `, number, ` do not go there yet: ${why}`),
    notFree: 'the number is no longer free. Choose another one, or try again.',
    point: 'Route the number',
    open: (name: ReactNode) => sentence('Open ', name),
  },
  card: {
    title: (name: string) => `Phone of ${name}`,
    server: 'Server',
    username: 'User name',
    secret: 'Secret',
    number: 'Number',
    leave: 'The secret is shown only here, and was neither copied nor printed. Leave?',
    once: 'The secret is shown only now. Copy or print it, or let the phone read the code.',
    copy: (field: string) => `Copy: ${field}`,
    copyAll: 'Copy all',
    line: (field: string, value: string) => `${field}: ${value}`,
    print: 'Print',
    code: 'QR code with the server, user name and secret',
    readers: 'GS Wave reads this code. Enter the data above in other phones.',
    waiting: 'Waiting for the phone…',
    registered: (userAgent: string | null) =>
      userAgent === null ? 'The phone is registered' : `The phone is registered: ${userAgent}`,
  },
  reset: {
    open: 'Reset secret',
    title: 'Give the phone a new secret?',
    about:
      'The old secret ends at once. The phone must be given the new one: from its next registration on, it is offline until then.',
    submit: 'Reset secret',
    done: 'Done',
  },
  own: {
    open: 'Change my secret',
    about: 'All your other sessions end. API tokens stay valid.',
    oldSecret: 'Secret until now',
    newSecret: 'New secret',
    hint: '8 to 100 characters',
    submit: 'Change',
    changed: 'Your secret is changed.',
  },
  replace: {
    open: 'Replace',
    title: 'Replace a gateway',
    old: (name: ReactNode, host: string) => sentence('Move all numbers from ', name, ` (${host}) to another gateway.`),
    gateway: 'New gateway',
    gatewayHint: 'Enter a part of its name or host.',
    noGateway: 'No other gateway has this name or host.',
    looking: 'Reading what would change…',
    wouldMove: (dids: number, numbers: number, from: string, to: string) =>
      dids + numbers === 0 ? `${from} has no numbers.` : `${moved(dids, numbers)} will move from ${from} to ${to}.`,
    delete: (name: string) => `Delete ${name} after that`,
    wouldDelete: (name: string) => `${name} will be deleted.`,
    submit: (count: number, isDeleting: boolean) => {
      if (count === 0) return isDeleting ? 'Delete' : 'Move';
      return `Move ${counted(count, 'number')}${isDeleting ? ' and delete' : ''}`;
    },
    stopped: (why: string) =>
      `It was not done completely: ${why} What is left to do is shown below. The history has what was done, and reverts it.`,
    history: 'History',
    moved: (dids: number, numbers: number, to: string) =>
      dids + numbers === 0 ? '' : `${moved(dids, numbers)} moved to ${to}. `,
    deleted: (name: string) => `${name} deleted.`,
    undo: 'Undo',
    undone: 'It is undone: the numbers are where they were.',
    others: 'Meanwhile, the gateway has got or lost numbers. Nothing was done.',
  },
} as const;
