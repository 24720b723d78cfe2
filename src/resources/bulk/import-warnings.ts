import { list, sql } from '../../database/fragment';
import { pad, type Sql } from '../../database/sql';
import { endOfTurn } from '../../limits/event-loop';
import { stepsOf, summaryOf } from '../../sip/diagnosis/steps';
import type { NumberState } from '../../sip/diagnosis/facts';
import { countsOf, factsOf, toFacts } from '../../sip/diagnosis/facts-query';

/** Numbers of an import that will not ring for the same reason. */
export interface ImportWarning {
  readonly state: NumberState;
  /** How many numbers. */
  readonly count: number;
  /** The line of the first one. */
  readonly line: number;
  /** The reason. */
  readonly summary: string;
}

/** A row of an import, with its resource. */
interface Imported {
  readonly line: number;
  readonly kind?: string | undefined;
  readonly ref?: string | undefined;
}

/** The kinds whose numbers ring. */
const KINDS = ['DID', 'Number'];
/** A phone that is not there yet is no mistake of the import. */
const EXPECTED: readonly string[] = ['REACHABLE', 'NOT_REGISTERED', 'EXPIRED'];
/** Numbers of one statement. */
const CHUNK = 1000;
/** The most reasons, those of the most numbers. */
const MOST = 100;

/**
 * Returns why numbers of an import will not ring: what they lead to does not exist, or their gateway is down. `reads` sees
 * what was imported, so it is the transaction of a dry run. `node` is that of the SIP server where calls arrive.
 */
export async function warningsOf(
  reads: Sql,
  rows: readonly Imported[],
  node: string | undefined,
): Promise<readonly ImportWarning[]> {
  const found = new Map<string, ImportWarning>();
  for (const kind of KINDS) {
    const lines = new Map(
      rows.flatMap((row) => (row.kind === kind && row.ref !== undefined ? [[row.ref, row.line]] : [])),
    );
    const refs = [...lines.keys()];
    for (let start = 0; start < refs.length; start += CHUNK) {
      const chunk = pad(refs.slice(start, start + CHUNK), '');
      for (const { state, count, ref, summary } of await causesIn(reads, kind, chunk, node)) {
        const key = `${state} ${summary}`;
        const known = found.get(key);
        const line = Math.min(lines.get(ref) ?? Infinity, known?.line ?? Infinity);
        found.set(key, { state, count: count + (known?.count ?? 0), line, summary });
      }
      await endOfTurn();
    }
  }
  return [...found.values()].sort((one, other) => other.count - one.count || one.line - other.line).slice(0, MOST);
}

interface FoundCause extends Omit<ImportWarning, 'line'> {
  /** The first number. */
  readonly ref: string;
}

async function causesIn(
  reads: Sql,
  kind: string,
  refs: readonly string[],
  node: string | undefined,
): Promise<readonly FoundCause[]> {
  const moment = { now: Date.now(), node };
  const window = sql`SELECT n.id FROM numbers n WHERE n.kind = ${kind} AND n.ref IN (${list(refs)})`;
  const counted = countsOf(window, CHUNK, moment);
  const rows = await reads.rows(counted.text, counted.values);
  const counts = new Map(
    rows.flatMap(([state, many, , place, first]) =>
      Number(place) > 0 && !EXPECTED.includes(String(state)) ? [[Number(first), Number(many)] as const] : [],
    ),
  );
  if (counts.size === 0) return [];
  const { text, values } = factsOf(
    sql`SELECT n.id FROM numbers n WHERE n.id IN (${list(pad([...counts.keys()], 0))})`,
    undefined,
    moment,
  );
  return (await reads.rows(text, values)).map((row) => {
    const facts = toFacts(row, node);
    const { state, rowId, ref } = facts;
    return { state, count: counts.get(rowId) ?? 0, ref, summary: summaryOf(stepsOf(facts)) };
  });
}
