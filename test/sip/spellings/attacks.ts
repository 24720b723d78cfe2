import fc from 'fast-check';

import type { Name } from './cast';
import { weighted, type Template } from './grammar';
import {
  acceptingHeaders,
  answer,
  answerer,
  headersOfMethod,
  invitingHeaders,
  party,
  registrationHeaders,
  target,
  type WrittenAnswer,
  type WrittenHeader,
} from './headers';

/** What is written in an unusual way. Undefined: as usual. */
interface Written {
  readonly uri: Template | undefined;
  readonly from: Template | undefined;
  readonly to: Template | undefined;
  readonly headers: readonly WrittenHeader[];
}

/** A REGISTER, and a call to the user if it is accepted. */
export interface Registration extends Written {
  readonly kind: 'registration';
  readonly who: Name;
  readonly caller: Name;
}

/** A request outside of a dialog. */
export interface Request extends Written {
  readonly kind: 'request';
  readonly who: Name;
  readonly other: Name;
  readonly method: string;
  readonly answer: WrittenAnswer | undefined;
}

/** A request within a dialog, or another one with its Call-ID. */
export interface Step extends Written {
  /** Who sends it: one of both sides, or somebody else, who knows the tags. */
  readonly side: 'caller' | 'callee' | Name;
  readonly method: string;
  /**
   * The users and tags in From and To: those of the dialog; those of the other side; another tag in From; or no tag in
   * To, as if the request began a dialog.
   */
  readonly parties: 'own' | 'swapped' | 'other tag' | 'anew';
  /** Whether the routes of the dialog come before the other headers. */
  readonly isRoutedFirst: boolean;
  readonly answer: WrittenAnswer | undefined;
}

/** A call or subscription, and requests within it. */
interface Dialog {
  readonly caller: Name;
  readonly callee: Name;
  /** The headers of the request with which it begins, and of its answer. */
  readonly inviting: readonly WrittenHeader[];
  readonly accepting: readonly WrittenHeader[];
  /** Who sends that answer, if it is not the callee. */
  readonly acceptedBy: Name | undefined;
  /** Whether the callee uses the tag of the caller. */
  readonly isTagEqual: boolean;
  /** Which reading of a Contact the phones use. */
  readonly reading: number;
  readonly steps: readonly Step[];
}

export interface Call extends Dialog {
  readonly kind: 'call';
  /** Whether the call is not answered, but cancelled after the steps. */
  readonly isRung: boolean;
}

/** The callee is the notifier. */
export interface Subscription extends Dialog {
  readonly kind: 'subscription';
  readonly event: string;
}

export type Attack = Registration | Request | Call | Subscription;

/** Who calls whom in the usual way. */
export const CALLS: readonly (readonly [Name, Name])[] = [
  ['eve', 'anna'],
  ['eve', 'otto'],
  ['olga', 'anna'],
  ['anna', 'olga'],
  ['otto', 'eve'],
  ['olga', 'provider'],
  ['provider', 'anna'],
  ['provider', 'olga'],
  ['provider2', 'anna'],
  ['pbx', 'anna'],
  ['anna', 'pbx'],
  ['pbx', 'provider'],
  ['pia', 'anna'],
  ['pia', 'provider'],
  ['eve', 'fay'],
  ['emil', 'anna'],
  ['eve', 'emil'],
  ['toni', 'anna'],
  ['eve', 'toni'],
];
const SUBSCRIPTIONS: readonly (readonly [Name, Name])[] = [
  ['eve', 'anna'],
  ['eve', 'otto'],
  ['olga', 'anna'],
  ['pbx', 'anna'],
  ['anna', 'pbx'],
];

// Some methods are more frequent. Some phones read their names without regard to case.
const OUTSIDE =
  'INVITE REFER NOTIFY INVITE REFER NOTIFY MESSAGE MESSAGE SUBSCRIBE INFO PUBLISH OPTIONS UPDATE ACK BYE Notify';
const WITHIN =
  'INVITE REFER NOTIFY INVITE REFER NOTIFY CANCEL UPDATE MESSAGE INFO SUBSCRIBE BYE ACK OPTIONS PRACK PUBLISH refer';
const WITHIN_SUBSCRIPTION = `NOTIFY NOTIFY NOTIFY NOTIFY SUBSCRIBE SUBSCRIBE ${WITHIN}`;

const rarely = <T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> =>
  weighted<T | undefined>([5, undefined], [weight, arbitrary]);

const registration: fc.Arbitrary<Registration> = fc.record({
  kind: fc.constant('registration'),
  who: weighted<Name>([4, 'rita'], [2, 'rosa'], [2, 'walt'], [2, 'ella'], [1, 'tom']),
  caller: fc.constantFrom<Name>('anna', 'otto', 'pbx'),
  uri: rarely(target),
  from: rarely(party),
  to: rarely(party),
  headers: registrationHeaders,
});

const request: fc.Arbitrary<Request> = fc.constantFrom(...OUTSIDE.split(' ')).chain((method) =>
  fc.record({
    kind: fc.constant('request'),
    who: fc.constantFrom<Name>('eve', 'olga', 'pbx', 'provider', 'eve', 'olga', 'provider2', 'pia', 'stranger'),
    other: fc.constantFrom<Name>('anna', 'otto', 'olga', 'eve', 'pbx', 'provider'),
    method: fc.constant(method),
    uri: rarely(target),
    from: party,
    to: rarely(party),
    headers: headersOfMethod(method),
    answer: rarely(answer),
  }),
);

const step = (methods: string): fc.Arbitrary<Step> =>
  fc
    .tuple(fc.constantFrom(...methods.split(' ')), fc.constantFrom(false, false, false, true))
    .chain(([method, isForeign]) =>
      fc.record({
        side: isForeign
          ? fc.constantFrom<Step['side']>('stranger', 'otto', 'eve', 'provider2', 'provider', 'pbx', 'walt', 'fay2')
          : fc.constantFrom<Step['side']>('caller', 'callee'),
        method: fc.constant(method),
        parties: weighted<Step['parties']>([5, 'own'], [1, 'swapped'], [1, 'other tag'], [isForeign ? 5 : 1, 'anew']),
        isRoutedFirst: fc.constantFrom(true, true, false),
        uri: rarely(target),
        from: rarely(party),
        to: rarely(party),
        headers: headersOfMethod(method),
        answer: rarely(answer, 3),
      }),
    );

const dialog = (pairs: readonly (readonly [Name, Name])[], methods: string): fc.Arbitrary<Dialog> =>
  fc
    .tuple(
      fc.constantFrom(...pairs),
      fc.record({
        inviting: invitingHeaders,
        accepting: acceptingHeaders,
        acceptedBy: answerer,
        isTagEqual: weighted<boolean>([7, false], [1, true]),
        reading: fc.nat(5),
        steps: fc.array(step(methods), { maxLength: 4, size: 'max' }),
      }),
    )
    .map(([[caller, callee], rest]) => ({ caller, callee, ...rest }));
const call: fc.Arbitrary<Call> = fc
  .tuple(dialog(CALLS, WITHIN), fc.constantFrom(false, false, false, true))
  .map(([begun, isRung]) => ({ kind: 'call', ...begun, isRung }));
const subscription: fc.Arbitrary<Subscription> = fc
  .tuple(dialog(SUBSCRIPTIONS, WITHIN_SUBSCRIPTION), fc.constantFrom('presence', 'dialog'))
  .map(([begun, event]) => ({ kind: 'subscription', ...begun, event }));

/** What an attacker does. */
export const attack: fc.Arbitrary<Attack> = weighted<Attack>(
  [5, registration],
  [4, request],
  [5, call],
  [2, subscription],
);
