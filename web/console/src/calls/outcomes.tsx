import { Button } from '@mui/material';
import { useState } from 'react';

import { Section } from '../parts/page';
import { StackedAreas, type Area } from '../samples/stacked-areas';
import { words } from './texts';

const AREAS: readonly Area[] = [
  { series: 'CALLS_ANSWERED', label: words.outcomes.answered },
  { series: 'CALLS_FAILED_5XX', label: words.outcomes.failed5xx },
  { series: 'CALLS_FAILED_4XX', label: words.outcomes.failed4xx },
  { series: 'CALLS_FAILED_6XX', label: words.outcomes.failed6xx },
  { series: 'CALLS_BUSY', label: words.outcomes.busy },
  { series: 'CALLS_FAILED_OTHER', label: words.outcomes.failedOther },
];

/** What became of calls over time, by the class of the final status. Folded, because the page is about single calls. */
export function Outcomes() {
  const [isOpen, setOpen] = useState(false);
  const action = (
    <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      {isOpen ? words.hideOutcomes : words.showOutcomes}
    </Button>
  );
  if (!isOpen) return <div>{action}</div>;
  return (
    <Section title={words.outcomesOverTime} action={action}>
      <StackedAreas label={words.outcomesOverTime} areas={AREAS} />
    </Section>
  );
}
