import { Sparkline } from '../samples/sparkline';
import type { SeriesName } from '../samples/use-samples';

/** The series of the tiles. They are read with one request. */
const SERIES: readonly SeriesName[] = ['NUMBERS_REACHABLE', 'TRUNKS_REGISTERED', 'TRUNKS_UP', 'DEVICES', 'CHANGES'];

/** The last 24 hours of a figure. */
export function TileLine({ series, label }: { readonly series: SeriesName; readonly label: string }) {
  const plus = series === 'TRUNKS_REGISTERED' ? 'TRUNKS_UP' : undefined;
  return <Sparkline series={series} plus={plus} label={label} among={SERIES} />;
}
