import { Box, Button, Chip } from '@mui/material';
import { useListContext } from 'react-admin';

import type { Filter } from '../data/queries';
import { type Kind, useModel } from '../model/model';
import { ResourceName, ResourceNames } from '../parts/links';
import { texts } from '../texts';
import { type Condition, conditionsIn, filterablesOf, withoutCondition } from './conditions';
import { words } from './texts';

/** The conditions of a list, each of which a click takes away. */
export function FilterChips({ kind }: { readonly kind: Kind }) {
  const model = useModel();
  const list = useListContext();
  const filter = list.filterValues as Filter; // what AddFilter, links and addresses set
  const set = (conditions: Filter): void => list.setFilters(conditions, {});
  const conditions = conditionsIn(filterablesOf(model, kind), filter);
  if (conditions.length === 0) return null;
  return (
    <Box
      component="ul"
      aria-label={words.conditions}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, m: 0, p: 1, listStyle: 'none' }}
    >
      {conditions.map((condition) => (
        <Box component="li" key={condition.path} sx={{ minWidth: 0, maxWidth: '100%' }}>
          <Chip
            component="button"
            type="button"
            clickable
            size="small"
            variant="outlined"
            title={words.remove}
            onClick={() => set(withoutCondition(filter, condition.path))}
            label={words.chip(condition.label, condition.words, <Shown {...condition} />)}
            sx={{ maxWidth: '100%', font: 'inherit' }}
          />
        </Box>
      ))}
      {conditions.length > 1 && (
        <li>
          <Button size="small" onClick={() => set('q' in filter ? { q: filter['q'] } : {})}>
            {words.clear}
          </Button>
        </li>
      )}
    </Box>
  );
}

/** The value of a condition: the name of a resource, a time in the reader's time zone, or a text. */
function Shown({ path, value, kind }: Condition) {
  if (kind !== undefined && typeof value === 'string') return <ResourceName kind={kind} of={value} />;
  if (typeof value === 'boolean') return value ? texts.kinds.yes : texts.kinds.no;
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value;
    if (kind !== undefined) return <ResourceNames kind={kind} of={JSON.stringify(entries)} />;
    return entries.every((each) => typeof each === 'string') ? entries.join(texts.parts.comma) : JSON.stringify(value);
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  return /On\.(gte|lt)$/.test(path) ? texts.parts.time(new Date(value)) : value;
}
