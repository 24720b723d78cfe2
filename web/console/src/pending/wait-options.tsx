import { Alert, Box, Checkbox, FormControlLabel, Stack, TextField } from '@mui/material';

import { Choice } from '../parts/choice';
import { PageLink } from '../parts/links';
import { Time } from '../parts/time';
import { words } from './texts';
import { FIRST_TIME, LIMITS, NO_WAIT, TIMES, type Wait, type Waiting } from './wait';

interface Props {
  readonly value: Wait;
  readonly isBusy?: boolean;
  /** Why the change cannot be made later; undefined if it can. */
  readonly notLater?: string;
  readonly onChange: (wait: Wait) => void;
}

/** In each preview: whether the change comes back unless it is confirmed, and whether it is made later. */
export function WaitOptions({ value, isBusy = false, notLater, onChange }: Props) {
  const { within, limits, at } = value;
  const change = (changed: Partial<Wait>): void => onChange({ ...value, ...changed });
  return (
    <Stack component="section" aria-label={words.wait.title} spacing={1} sx={{ mt: 1 }}>
      <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        <FormControlLabel
          control={
            <Checkbox
              checked={within !== null}
              disabled={isBusy}
              onChange={({ target }) =>
                change({ within: target.checked ? FIRST_TIME : null, limits: target.checked ? limits : NO_WAIT.limits })
              }
            />
          }
          label={words.wait.confirm}
        />
        {within !== null && (
          <Choice
            size="small"
            label={words.wait.within}
            value={String(within)}
            disabled={isBusy}
            options={TIMES.map((seconds) => [String(seconds), words.wait.time(seconds)])}
            onChange={({ target }) => change({ within: Number(target.value) })}
          />
        )}
      </Stack>
      {within !== null && (
        <Box role="group" aria-label={words.wait.limits} sx={{ pl: 4 }}>
          <Box sx={{ typography: 'body2', mb: 1 }}>{words.wait.limits}</Box>
          <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap' }}>
            {LIMITS.map((limit) => (
              <TextField
                key={limit}
                size="small"
                type="number"
                label={words.wait.limit[limit]}
                value={limits[limit]}
                disabled={isBusy}
                onChange={({ target }) => change({ limits: { ...limits, [limit]: target.value } })}
                slotProps={{
                  htmlInput: { min: 1, max: limit === 'failedCallsPercent' ? 100 : 100_000 },
                  inputLabel: { shrink: true },
                }}
                sx={{ width: '10rem' }}
              />
            ))}
          </Stack>
        </Box>
      )}
      <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        <FormControlLabel
          control={
            <Checkbox
              checked={at !== null}
              disabled={isBusy || notLater !== undefined}
              onChange={({ target }) => change({ at: target.checked ? '' : null })}
            />
          }
          label={words.wait.later}
        />
        {at !== null && (
          <TextField
            size="small"
            type="datetime-local"
            required
            label={words.wait.at}
            value={at}
            disabled={isBusy}
            onChange={({ target }) => change({ at: target.value })}
            slotProps={{ inputLabel: { shrink: true } }}
          />
        )}
      </Stack>
      {notLater !== undefined && <Box sx={{ typography: 'body2' }}>{notLater}</Box>}
    </Stack>
  );
}

/** Tells that changes are scheduled. */
export function Scheduled({ waiting: { dueOn } }: { readonly waiting: NonNullable<Waiting> }) {
  return (
    <Alert severity="info" role="status" sx={{ my: 1 }}>
      {words.wait.scheduled(<Time value={dueOn} />, <PageLink to="/pending">{words.wait.list}</PageLink>)}
    </Alert>
  );
}
