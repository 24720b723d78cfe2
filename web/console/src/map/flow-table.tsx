import { DataTable } from '../parts/data-table';
import { PageLink } from '../parts/links';
import { texts } from '../texts';
import type { Flow, Flows } from './operations';
import { linksOf, type Paths } from './picture';
import { words } from './texts';

/** The figures of the picture in a table. */
export function FlowTable({ found, paths }: { readonly found: Flows; readonly paths: Paths }) {
  const { gateway, end, state } = linksOf(found, paths);
  const cell = (of: typeof gateway) => (flow: Flow) => {
    const { label, to } = of(flow);
    return to === undefined ? label : <PageLink to={to}>{label}</PageLink>;
  };
  return (
    <DataTable
      label={words.table}
      columns={[
        { label: words.heads.gateway, cell: cell(gateway) },
        { label: words.heads[found.by], cell: cell(end) },
        { label: words.heads.state, cell: cell(state) },
        { label: words.heads.count, cell: ({ count }) => texts.live.count(count) },
      ]}
      rows={found.flows}
      keyOf={(flow) => JSON.stringify([flow.gateway?.ref, flow.host, flow.addressOfRecord, flow.state])}
    />
  );
}
