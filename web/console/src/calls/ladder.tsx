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

/** Room for a line of the picture, and for a party, in units of the picture. */
const [ROW, PARTY, MARGIN] = [28, 270, 135];
/** Characters above an arrow. */
const SHORT = 42;

/** The messages of a call as a ladder: a line for each party, and an arrow for each message, and as a table. */
export function Ladder({ messages }: { readonly messages: readonly Message[] }) {
  const parties = [...new Set(messages.flatMap(({ from, to }) => [from, to]))];
  const rows = messages.map((message, place): Placed => ({ ...message, place }));
  return (
    <>
      <Picture parties={parties} rows={rows} />
      <DataTable label={words.messages} columns={COLUMNS} rows={rows} keyOf={({ place }) => String(place)} />
    </>
  );
}

const COLUMNS: readonly Column<Placed>[] = [
  { label: words.message.time, cell: ({ at }) => <Time isBrief value={at} /> },
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
  readonly rows: readonly Placed[];
}

/** The table says the same, so screen readers skip the picture. */
function Picture({ parties, rows }: PictureProps) {
  const [width, height] = [PARTY * parties.length, ROW * (rows.length + 2)];
  const xOf = (party: string): number => MARGIN + PARTY * parties.indexOf(party);
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
            <text x={xOf(party)} y={ROW / 2} stroke="none">
              {party}
            </text>
            <line x1={xOf(party)} x2={xOf(party)} y1={ROW} y2={height} strokeOpacity={0.4} />
          </g>
        ))}
        {rows.map(({ place, from, to, firstLine }) => (
          <Arrow key={place} from={xOf(from)} to={xOf(to)} y={ROW * (place + 2)} text={shortened(firstLine)} />
        ))}
      </svg>
    </Box>
  );
}

/** A first line without the version of SIP. */
function shortened(line: string): string {
  const text = line.replace(/^SIP\/2\.0 | SIP\/2\.0$/, '');
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
