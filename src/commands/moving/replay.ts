import { access, constants } from 'node:fs/promises';

import type { Command } from 'commander';

import type { Model } from '../../model/model';
import { callRecords } from '../../resources/moving/call-records';
import { replay, type CallDifference, type ReplayTotals } from '../../resources/moving/replay';
import { answering, count, limitIn, moreOf, type Answer } from '../answer';
import type { Databases } from '../databases';
import { readText } from '../imports/text-file';
import { printable, table } from '../table';
import { withProgress } from '../transfer';

/** The exit code if a call goes differently, as that of `drift`. */
const DIFFERS = 3;

/** Adds the command `replay`. */
export function addReplayCommand(program: Command, databases: Databases, model: Model): void {
  answering(
    program
      .command('replay')
      .description(
        'compare recorded calls with what would become of them now, without a SIP server; the exit code is 3 if one goes another way',
      )
      .argument(
        '<file>',
        "CSV file with a header: calls that Kamailio's acc, Asterisk's CDR or sipgraph recorded, or with the columns from, to, source, gateway, called and status",
      )
      .option('--limit <number>', 'number of differences to print', limitIn, 50),
    async (file: string, { limit }: { readonly limit: number }): Promise<Answer> => {
      await access(file, constants.R_OK);
      return databases.openToRead(async (read) => {
        const { totals, differences, invalid } = await withProgress((progress) =>
          replay(callRecords(readText(file)), read, model, progress),
        );
        const shown = differences.slice(0, limit);
        return {
          text: [
            ...(shown.length === 0 ? [] : table(shown, COLUMNS)),
            ...moreOf('differences', differences.length > limit, limit),
            ...(invalid === undefined ? [] : [printable(invalid)]),
            summaryIn(totals),
          ],
          json: { ...totals, differences, invalidRecord: invalid ?? null },
          code: totals.differ > 0 ? DIFFERS : 0,
        };
      });
    },
  );
}

const COLUMNS = {
  calls: (each: CallDifference) => each.count,
  from: (each: CallDifference) => each.from,
  to: (each: CallDifference) => each.to,
  source: (each: CallDifference) => each.source,
  was: (each: CallDifference) => each.was,
  now: (each: CallDifference) => each.now,
  line: (each: CallDifference) => each.line,
};

function summaryIn({ calls, asked, same, later, differ, unknown, ignored, invalid }: ReplayTotals): string {
  return [
    `Of ${count(calls, 'call')} (${String(asked)} distinct), ${String(same)} go the same way, ${String(differ)} differ`,
    ...(later > 0 ? [`${String(later)} go by a later attempt`] : []),
    ...(unknown > 0 ? [`${String(unknown)} depend on what only the SIP server knows`] : []),
    ...(invalid > 0 ? [`${count(invalid, 'record')} cannot be read`] : []),
    ...(ignored > 0 ? [`${count(ignored, 'record')} without a call`] : []),
  ].join(', ');
}
