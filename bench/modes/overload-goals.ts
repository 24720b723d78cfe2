import { summary, type Answered } from '../traffic';

/** A figure of a row, and the value that it must stay below. */
export interface Goal {
  readonly figure: 'p99' | 'max' | 'refused max' | 'no Retry-After' | 'MB';
  readonly below: number;
}

/** The goals of requests that are refused. */
export const REFUSALS: readonly Goal[] = [
  { figure: 'refused max', below: 500 },
  { figure: 'no Retry-After', below: 1 },
];
/** The goal of requests that are accepted at twice the load that a process can carry. */
export const ACCEPTED: Goal = { figure: 'p99', below: 1000 };
/** The goal of simple reads of one client while others scan. */
export const SIMPLE_READS: Goal = { figure: 'max', below: 250 };
/** The goal of the memory of a server, under any load. */
export const MEMORY: Goal = { figure: 'MB', below: 400 };

/** The figures of a load: times in milliseconds, and the highest memory of the server. */
export type Figures = ReturnType<typeof figuresOf>;

/** A row of the report. */
export interface Row {
  readonly database: string;
  readonly what: string;
  readonly figures: Figures;
  readonly goals: readonly Goal[];
}

const isAccepted = (status: number): boolean => status === 200;
const isRefused = (status: number): boolean => status === 503;
const isOther = (status: number): boolean => !isAccepted(status) && !isRefused(status);

/** `peak`: the highest memory of the server in bytes. */
export function figuresOf(answers: readonly Answered[], peak?: number) {
  const [accepted, refused] = [summary(answers, isAccepted), summary(answers, isRefused)];
  return {
    accepted: accepted.count,
    p50: accepted.p50,
    p99: accepted.p99,
    max: accepted.max,
    refused: refused.count,
    'refused p99': refused.p99,
    'refused max': refused.max,
    'no Retry-After': answers.filter(({ status, mayRetry }) => isRefused(status) && !mayRetry).length,
    other: summary(answers, isOther).count,
    ...(peak !== undefined && { MB: Math.round(peak / 1e6) }),
  };
}

/** The goals that are missed, in words. */
export function missed(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(({ database, what, figures, goals }) => {
    const missedHere = goals.filter((goal) => !isMet(goal, figures));
    return missedHere.map(({ figure, below }) => {
      const value = figures.accepted === 0 && isOfAccepted(figure) ? 'nothing accepted' : String(figures[figure]);
      return `${database}, ${what}: ${figure} is ${value}, not below ${String(below)}`;
    });
  });
}

function isMet({ figure, below }: Goal, figures: Figures): boolean {
  // Times of no requests are 0.
  if (isOfAccepted(figure) && figures.accepted === 0) return false;
  return (figures[figure] ?? Infinity) < below;
}

function isOfAccepted(figure: Goal['figure']): boolean {
  return figure === 'p99' || figure === 'max';
}
