import type { Command } from 'commander';

import { InvalidInputError } from '../errors';
import type { PastCall, PastNumber } from '../history/past/past-diagnosis';
import { formerAmong } from '../history/past/past-links';
import type { Model } from '../model/model';
import type { CallExplanation } from '../sip/diagnosis/calls/call-diagnosis';
import type { CallStep } from '../sip/diagnosis/calls/call-steps';
import { summaryOf } from '../sip/diagnosis/steps';
import { answering, time, type Answer } from './answer';
import type { Databases } from './databases';
import { timeIn } from './history';
import { color, markOf, printable, table } from './table';

interface Caller {
  readonly from?: string;
  readonly source?: string;
  /** Milliseconds since the epoch. */
  readonly at?: number;
}

/** Adds the command `explain`. */
export function addExplainCommand(program: Command, databases: Databases, model: Model): void {
  answering(
    program
      .command('explain')
      .description('explain whether a call to a number or an address of record succeeds, and if not, why')
      .argument('<number-or-address>', 'a number such as +17066041487, or an address of record such as 1001@sip.local')
      .option('--from <caller>', 'who calls: an address of record such as 1001@sip.local, or a number from outside')
      .option('--source <address>', 'the IP address from which the call comes; requires --from')
      .option(
        '--at <time>',
        'explain a number or a call as it was then: a time such as 2026-03-01T10:15Z, or an age such as 24h',
        timeIn,
      ),
    (text: string, { from, source, at }: Caller) =>
      databases.openToRead(async ({ addresses, callDiagnosis, diagnosis, pastDiagnosis }) => {
        if (from !== undefined) {
          const asked = { from, to: text, source };
          return at === undefined
            ? callExplanation(await callDiagnosis.explain(from, text, source), asked)
            : pastCallExplanation(await pastDiagnosis.call(model, asked, at), asked);
        }
        if (source !== undefined) throw InvalidInputError.of('--source', 'requires --from');
        if (at !== undefined) return pastExplanation(await pastDiagnosis.number(model, text, at), text);
        if (text.includes('@')) {
          const { state, steps, facts } = await addresses.explain(text);
          return explanation({ addressOfRecord: facts.aorLink }, state, steps);
        }
        const { digits, state, steps } = await diagnosis.explain(text);
        return explanation({ telUrl: text, digits }, state, steps);
      }),
  );
}

function stepLines(steps: readonly Pick<CallStep, 'state' | 'of' | 'summary'>[]): readonly string[] {
  return table(
    steps,
    { state: (step) => step.state, link: (step) => step.of, summary: (step) => step.summary },
    markOf,
  );
}

function explanation(
  of: object,
  state: PastNumber['state'],
  steps: readonly Pick<CallStep, 'state' | 'of' | 'summary'>[],
  summary = summaryOf(steps),
): { readonly text: readonly string[]; readonly json: object } {
  return {
    text: [`${color(markOf({ state }), state)}: ${printable(summary)}`, ...stepLines(steps)],
    json: { ...of, state, reachable: state === 'REACHABLE', summary, steps },
  };
}

function pastExplanation(past: PastNumber, telUrl: string): Answer {
  const { digits, state, summary } = past;
  const links = past.steps.map(({ of: link, state: of, summary: told }) => ({ of: link, state: of, summary: told }));
  const { text, json } = explanation({ telUrl, digits }, state, links, summary);
  return { text, json: { ...json, ...pastMembers(past) } };
}

/** What JSON has of an explanation of an earlier time besides that of the present. */
function pastMembers({ at, change, event, resources, unknown }: PastNumber | PastCall) {
  return {
    at: time(at),
    entry: change?.rowId ?? null,
    event: event ? { event: event.event, at: time(event.at) } : null,
    former: formerAmong(resources),
    unknown,
  };
}

/** Prints a call of an earlier time: why, and what is not known. */
export function pastCallExplanation(past: PastCall, of: object): Answer {
  const { text, json } = callExplanation(past, of, past.summary);
  return {
    text: [...text, ...past.unknown.map((each) => `not known: ${printable(each)}`)],
    json: { ...json, ...pastMembers(past) },
  };
}

function callExplanation(
  { outcome, status, reason, steps, attempts }: CallExplanation,
  of: object,
  summary = summaryOf(steps),
) {
  const refusal = status === null ? '' : ` ${String(status)} ${String(reason)}`;
  const links = steps.map(({ of: link, state, summary: told, suggestion }) => ({
    of: link,
    state,
    summary: told,
    suggestion,
  }));
  const sent = attempts.map(({ requestUri, nextHop, from, assertedIdentity, health }) => ({
    requestUri,
    nextHop,
    from,
    assertedIdentity,
    health,
  }));
  return {
    text: [
      `${color(markOf({ state: outcome }), outcome)}${refusal}: ${printable(summary)}`,
      ...stepLines(links),
      ...(sent.length === 0
        ? []
        : table(sent, {
            'request URI': (each) => each.requestUri,
            'next hop': (each) => each.nextHop,
            from: (each) => each.from,
            identity: (each) => each.assertedIdentity,
            health: (each) => each.health,
          })),
    ],
    json: { ...of, outcome, status, reason, summary, steps: links, attempts: sent },
  };
}
