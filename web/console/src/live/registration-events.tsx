import type { ResourceProps } from '../feature';
import type { Nodes } from '../graph/lists';
import { useGraph } from '../graph/request';
import { lower } from '../model/fields';
import { DataTable, type Column } from '../parts/data-table';
import { Section } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { words } from './texts';

interface RegistrationEvent {
  readonly id: string;
  readonly at: string;
  readonly event: string;
  readonly host: string | null;
  readonly port: number | null;
  readonly userAgent: string | null;
  readonly status: number | null;
  readonly reason: string | null;
}

interface Events {
  readonly of: { readonly registrationEvents: Nodes<RegistrationEvent> } | null;
}

const COLUMNS: readonly Column<RegistrationEvent>[] = [
  { label: words.columns.at, cell: ({ at }) => <Time isBrief value={at} /> },
  { label: words.columns.event, cell: ({ event }) => words.events[event] ?? event },
  { label: words.columns.from, cell: ({ host }) => host ?? texts.parts.noValue },
  { label: words.columns.device, cell: ({ userAgent }) => userAgent ?? texts.parts.noValue },
  {
    label: words.columns.reason,
    cell: ({ status, reason }) => words.reason(status, reason) || texts.parts.noValue,
  },
];

/** The query for the last transitions of a resource. Its kind is a name of the graph. */
function eventsOf(kind: string): string {
  return `query RegistrationEvents($ref: String!) { of: ${lower(kind)}(ref: $ref) { registrationEvents(first: 10) {
    nodes { id at event host port userAgent status reason } } } }`;
}

/** When devices of an agent or a peer, or a gateway at its provider, registered, expired or were refused. Nothing if unknown. */
export function RegistrationEvents({ kind, resourceRef: ref }: ResourceProps) {
  const { data } = useGraph<Events>(`registrations of ${kind}`, eventsOf(kind), { ref });
  const events = data?.of?.registrationEvents.nodes ?? [];
  if (events.length === 0) return null;
  return (
    <Section title={words.title}>
      <DataTable label={words.title} columns={COLUMNS} rows={events} keyOf={({ id }) => id} />
    </Section>
  );
}
