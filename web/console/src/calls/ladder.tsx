import { Box, Typography } from '@mui/material';

import { DataTable, type Column } from '../parts/data-table';
import { Time } from '../parts/time';
import { MONOSPACE } from '../theme';
import type { Message } from './operations';
import { words } from './texts';

/** A message, and its place among those of the call. */
interface Placed extends Message {
  readonly place: number;
}

/** Room for a line of the picture, for a party, and for the times beside it, in units of the picture. */
const [ROW, PARTY, TIMES] = [28, 220, 64];
/** Characters above an arrow. */
const SHORT = 36;

interface LadderProps {
  readonly messages: readonly Message[];
  /** Who is at an address, where that is known. */
  readonly names: ReadonlyMap<string, string>;
}

/** The messages of a call as a ladder: a line for each party, and an arrow for each message, and as a table. */
export function Ladder({ messages, names }: LadderProps) {
  const parties = [...new Set(messages.flatMap(({ from, to }) => [from, to]))];
  const rows = messages.map((message, place): Placed => ({ ...message, place }));
  return (
    <>
      <Picture parties={parties} names={names} rows={rows} />
      <DataTable label={words.messages} columns={COLUMNS} rows={rows} keyOf={({ place }) => String(place)} />
    </>
  );
}

const COLUMNS: readonly Column<Placed>[] = [
  { label: words.message.time, cell: ({ at }) => <Time isBrief isExact value={at} /> },
  { label: words.message.between, cell: ({ from, to }) => words.parties(from, to) },
  {
    label: words.message.line,
    cell: ({ firstLine, headers }) => (
      <>
        <Typography component="span" variant="body2" sx={{ fontFamily: MONOSPACE }}>
          {firstLine}
        </Typography>
        <Box component="details">
          <summary>{words.headers}</summary>
          <Box component="pre" sx={{ m: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontSize: 'small' }}>
            {headers.join('\n')}
          </Box>
        </Box>
      </>
    ),
  },
];

interface PictureProps {
  readonly parties: readonly string[];
  readonly names: ReadonlyMap<string, string>;
  readonly rows: readonly Placed[];
}

/** The table says the same, so screen readers skip the picture. */
function Picture({ parties, names, rows }: PictureProps) {
  const [width, height] = [TIMES + PARTY * parties.length, ROW * (rows.length + 2)];
  const xOf = (party: string): number => TIMES + PARTY * (parties.indexOf(party) + 0.5);
  const begun = Date.parse(rows[0]?.at ?? '');
  return (
    // Focusable, so that the keyboard scrolls it.
    <Box role="region" aria-label={words.ladder} tabIndex={0} sx={{ overflowX: 'auto', mb: 2 }}>
      <svg
        aria-hidden="true"
        focusable="false"
        width={width}
        height={height}
        viewBox={[0, 0, width, height].join(' ')}
        stroke="currentColor"
        fill="currentColor"
        fontSize={11}
        textAnchor="middle"
      >
        {parties.map((party) => (
          <g key={party}>
            <text x={xOf(party)} y={9} stroke="none" fontWeight={600}>
              {names.get(party)}
            </text>
            <text x={xOf(party)} y={names.has(party) ? 23 : 16} stroke="none">
              {party}
            </text>
            <line x1={xOf(party)} x2={xOf(party)} y1={ROW} y2={height} strokeOpacity={0.4} />
          </g>
        ))}
        {rows.map(({ place, at, from, to, firstLine }) => (
          <g key={place}>
            <text x={TIMES - 8} y={ROW * (place + 2) + 4} stroke="none" textAnchor="end" fillOpacity={0.75}>
              {words.later(Date.parse(at) - begun)}
            </text>
            <Arrow from={xOf(from)} to={xOf(to)} y={ROW * (place + 2)} text={shortened(firstLine)} />
          </g>
        ))}
      </svg>
    </Box>
  );
}

/** A first line without the version of SIP, and the parameters of the URI. */
function shortened(line: string): string {
  const text = line.replace(/^SIP\/2\.0 |(;[^ ]*)? SIP\/2\.0$/, '');
  return text.length > SHORT ? `${text.slice(0, SHORT - 1)}…` : text;
}

interface ArrowProps {
  readonly from: number;
  readonly to: number;
  readonly y: number;
  readonly text: string;
}

function Arrow({ from, to, y, text }: ArrowProps) {
  const back = to > from ? -6 : 6;
  const head = [
    [to, y],
    [to + back, y - 4],
    [to + back, y + 4],
  ];
  return (
    <>
      <line x1={from} x2={to} y1={y} y2={y} />
      <polygon points={head.map((point) => point.join(',')).join(' ')} />
      <text x={(from + to) / 2} y={y - 5} stroke="none">
        {text}
      </text>
    </>
  );
}
