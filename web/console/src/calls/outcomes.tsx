import { Button } from '@mui/material';
import { useState } from 'react';

import { Section } from '../parts/page';
import { StackedAreas, type Area } from '../samples/stacked-areas';
import { words } from './texts';

const AREAS: readonly Area[] = [
  { series: 'callsAnswered', label: words.outcomes.answered },
  { series: 'callsFailed5xx', label: words.outcomes.failed5xx },
  { series: 'callsFailed4xx', label: words.outcomes.failed4xx },
  { series: 'callsFailed6xx', label: words.outcomes.failed6xx },
  { series: 'callsBusy', label: words.outcomes.busy },
  { series: 'callsFailedOther', label: words.outcomes.failedOther },
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
