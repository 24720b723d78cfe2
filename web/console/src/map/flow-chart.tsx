import { Box, Typography } from '@mui/material';
import { Fragment, useState } from 'react';

import { PageLink } from '../parts/links';
import { colorOf } from '../parts/progress';
import type { Flows } from './operations';
import { pictureOf, type Node, type Paths, type Ribbon, type Width } from './picture';
import { words } from './texts';

/** Where the bars of the columns are, and the room for the texts beside them, in percent of the width. */
const PLACES = {
  wide: [
    { bar: 24, left: 0, width: 24, align: 'right' },
    { bar: 51, left: 51, width: 24, align: 'left' },
    { bar: 76, left: 76, width: 24, align: 'left' },
  ],
  narrow: [
    { bar: 27, left: 0, width: 27, align: 'right' },
    { bar: 41, left: 41, width: 27, align: 'left' },
    { bar: 68, left: 68, width: 32, align: 'left' },
  ],
} as const;
// Pixels: the width of a bar, and from its left edge to the text beside it.
const BAR = 6;
const BESIDE = 12;
// The most lines of the texts of a node.
const LINES = { wide: { name: 1, figures: 1 }, narrow: { name: 3, figures: 3 } };
// The opacity of ribbons. What is broken stands out.
const STRENGTHS = { works: 0.2, broken: 0.4, faint: 0.05 };

interface Props {
  readonly label: string;
  readonly found: Flows;
  readonly paths: Paths;
  /** How much room there is. */
  readonly width: Width;
}

/**
 * Flows as columns of nodes with ribbons between them. While the pointer or the keyboard is at a node, only its ribbons
 * stand out.
 */
export function FlowChart({ label, found, paths, width }: Props) {
  const [active, setActive] = useState<string>();
  const { columns, ribbons, height } = pictureOf(found, paths, width);
  return (
    <Box component="section" aria-label={label} sx={{ minWidth: 0 }}>
      <Box aria-hidden sx={{ position: 'relative', height: '2.75rem' }}>
        {columns.map(({ name }, index) => (
          <Typography
            key={name}
            variant="body2"
            sx={{ ...besideBar(index, width), bottom: 4, lineHeight: 1.3, color: 'text.secondary' }}
          >
            {name}
          </Typography>
        ))}
      </Box>
      <Box sx={{ position: 'relative', height }}>
        {ribbons.map((some, index) => (
          <Ribbons key={index} index={index} width={width} height={height} ribbons={some} active={active} />
        ))}
        {columns.map(({ name, nodes }, index) => (
          <Box key={name} component="ul" aria-label={name} sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {nodes.map((node) => (
              <NodeItem key={node.id} node={node} index={index} width={width} setActive={setActive} />
            ))}
          </Box>
        ))}
      </Box>
    </Box>
  );
}

/** The place of a text in a column. */
function besideBar(index: number, of: Width) {
  const { left, width, align } = PLACES[of][index] ?? PLACES[of][0];
  const room = { position: 'absolute', width: `calc(${width}% - ${BESIDE}px)`, textAlign: align } as const;
  return { ...room, left: align === 'right' ? `${left}%` : `calc(${left}% + ${BESIDE}px)` };
}

interface RibbonsProps {
  readonly index: number;
  readonly width: Width;
  readonly height: number;
  readonly ribbons: readonly Ribbon[];
  readonly active: string | undefined;
}

function Ribbons({ index, width, height, ribbons, active }: RibbonsProps) {
  const [from, to] = [PLACES[width][index]?.bar ?? 0, PLACES[width][index + 1]?.bar ?? 100];
  return (
    <Box
      component="svg"
      aria-hidden
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      sx={{ position: 'absolute', left: `calc(${from}% + ${BAR}px)`, width: `calc(${to - from}% - ${BAR}px)`, height }}
    >
      {ribbons.map((ribbon) => {
        const progress = ribbon.rings ? 'works' : 'broken';
        const isFaint = active !== undefined && active !== ribbon.from && active !== ribbon.to;
        return (
          <Box
            key={`${ribbon.from} ${ribbon.to} ${progress}`}
            component="path"
            d={outlineOf(ribbon)}
            sx={{ fill: colorOf(progress), opacity: STRENGTHS[isFaint ? 'faint' : progress] }}
          />
        );
      })}
    </Box>
  );
}

/** The outline of a ribbon across a picture that is 100 wide. */
function outlineOf({ left, right, height }: Ribbon): string {
  const [a, b, c, d] = [left, right, right + height, left + height].map((y) => Math.round(y * 100) / 100);
  return `M0 ${a}C50 ${a} 50 ${b} 100 ${b}V${c}C50 ${c} 50 ${d} 0 ${d}Z`;
}

interface NodeProps {
  readonly node: Node;
  readonly index: number;
  readonly width: Width;
  readonly setActive: (id: string | undefined) => void;
}

function NodeItem({ node: { id, label, count, lost, to, slot, bar }, index, width, setActive }: NodeProps) {
  const on = (): void => setActive(id);
  const off = (): void => setActive(undefined);
  const style = { ...clampedTo(LINES[width].name), lineHeight: 1.35, fontWeight: 600 };
  return (
    <Box component="li" onPointerEnter={on} onPointerLeave={off} onFocus={on} onBlur={off}>
      <Box
        aria-hidden
        sx={{
          ...{ position: 'absolute', left: `${PLACES[width][index]?.bar ?? 0}%`, width: BAR },
          ...{ top: bar.top, height: bar.height, bgcolor: colorOf('broken') },
        }}
      >
        <Box sx={{ height: `${(100 * (count - lost)) / Math.max(count, 1)}%`, bgcolor: colorOf('works') }} />
      </Box>
      <Box sx={{ ...besideBar(index, width), ...HALO, ...slot, display: 'grid', alignContent: 'center' }}>
        {to === undefined ? (
          <Typography variant="body2" title={label} sx={style}>
            <Breakable>{label}</Breakable>
          </Typography>
        ) : (
          <PageLink to={to} variant="body2" title={label} underline="hover" sx={style}>
            <Breakable>{label}</Breakable>
          </PageLink>
        )}
        <Typography variant="caption" sx={{ ...clampedTo(LINES[width].figures), ...FIGURES }}>
          {width === 'wide' ? words.numbers(count) : words.count(count)}
          {lost > 0 && width === 'wide' && words.and}
          {lost > 0 && (
            <Box
              component="span"
              sx={{ color: 'text.primary', fontWeight: 600, ...(width === 'narrow' && { display: 'block' }) }}
            >
              {lost < count ? words.lost(lost) : words.noneRings}
            </Box>
          )}
        </Typography>
      </Box>
    </Box>
  );
}

/** A text whose lines end after the parts of a domain, rather than inside a word. */
function Breakable({ children }: { readonly children: string }) {
  return children.split(/(?<=[.@])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

const FIGURES = { lineHeight: 1.3, color: 'text.secondary', fontVariantNumeric: 'tabular-nums' } as const;

/** Keeps a text apart from the ribbons behind it. */
const HALO = {
  textShadow: ({ palette }: { readonly palette: { readonly background: { readonly default: string } } }) =>
    Array.from({ length: 4 }, () => `0 0 3px ${palette.background.default}`).join(', '),
} as const;

/** At most so many lines; the pointer shows the rest. */
function clampedTo(lines: number) {
  return {
    ...{ display: '-webkit-box', WebkitBoxOrient: 'vertical', WebkitLineClamp: lines, overflow: 'hidden' },
    overflowWrap: 'anywhere',
    // Before a long word, the only line would end after a letter.
    wordBreak: lines === 1 ? 'break-all' : 'normal',
    hyphens: 'auto',
  } as const;
}
