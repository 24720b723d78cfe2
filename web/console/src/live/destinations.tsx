import type { ResourceProps } from '../feature';
import { DESTINATION_HEALTH, HEALTH, resourcesOf, useLiveQuery } from '../graph/live-query';
import { DataTable, type Column } from '../parts/data-table';
import { Section } from '../parts/page';
import { Status } from '../parts/status';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { hostPort } from './operations';
import { destinations as words } from './texts';

const PLACE = 'host port transport';
const HEALTH_FIELDS = 'health { state since roundTrip lastStatus }';
const DESTINATIONS = `query Destinations($ref: String!) { gateway(ref: $ref) {
  ${PLACE} ${HEALTH_FIELDS} destinations { ${PLACE} priority weight enabled draining ${HEALTH_FIELDS} }
} }`;

interface Place {
  readonly host: string;
  readonly port: number | null;
  readonly transport: string | null;
  readonly priority?: number | null;
  readonly weight?: number | null;
  readonly enabled?: boolean | null;
  readonly draining?: boolean | null;
  readonly health: {
    readonly state: 'UP' | 'DOWN' | 'UNKNOWN';
    readonly since: string | null;
    readonly roundTrip: number | null;
    readonly lastStatus: number | null;
  };
}

interface Found {
  readonly gateway: (Place & { readonly destinations: readonly Place[] | null }) | null;
}

const PROGRESS = { UP: 'works', DOWN: 'broken', UNKNOWN: 'unneeded' } as const;

const COLUMNS: readonly Column<Place>[] = [
  { label: words.columns.place, cell: (place) => nameOf(place) },
  { label: words.columns.priority, cell: ({ priority }) => priority ?? words.byDefault },
  { label: words.columns.weight, cell: ({ weight }) => weight ?? words.byDefault },
  { label: words.columns.use, cell: ({ enabled, draining }) => words.use(enabled !== false, draining === true) },
  {
    label: words.columns.health,
    cell: ({ health: { state } }) => <Status progress={PROGRESS[state]}>{words.states[state]}</Status>,
  },
  {
    label: words.columns.since,
    cell: ({ health }) => <Time isBrief value={health.since} none={texts.parts.noValue} />,
  },
  { label: words.columns.answer, cell: ({ health }) => words.answer(health.lastStatus, health.roundTrip) },
];

function nameOf({ host, port, transport }: Place): string {
  return [hostPort(host, port), transport].filter((part) => part !== null).join(', ');
}

/** Where calls of a gateway go, with their health: its host and its destinations. Nothing for a gateway with its host only. */
export function Destinations({ resourceRef: ref }: ResourceProps) {
  const { data } = useLiveQuery<Found>(DESTINATIONS, { ref }, () => [
    resourcesOf(['Gateway'], ref),
    HEALTH,
    DESTINATION_HEALTH,
  ]);
  const { gateway } = data ?? {};
  const others = gateway?.destinations ?? [];
  if (!gateway || others.length === 0) return null;
  const places = [
    { ...gateway, priority: 0 },
    ...others.map((each) => ({ ...each, transport: each.transport ?? gateway.transport })),
  ];
  return (
    <Section title={words.title}>
      <DataTable label={words.title} columns={COLUMNS} rows={places} keyOf={nameOf} />
    </Section>
  );
}
