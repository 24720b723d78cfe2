import { Box, Typography } from '@mui/material';

import { linkedKind, spokenField, useModel } from '../model/model';
import { ResourceNames } from '../parts/links';
import { ValueWithRefs } from '../parts/names-of-refs';
import { TextWithNumbers } from '../parts/telephone';
import { texts } from '../texts';
import { type Change, readable } from './entry';
import { words } from './texts';

type Props = Pick<Change, 'kind' | 'changes'> & {
  /** What linked resources were called (see namesIn). */
  readonly names?: ReadonlyMap<string, string>;
};

/** The values of fields before and after a change. */
export function Diff({ kind: name, changes, names }: Props) {
  const { kinds } = useModel();
  const kind = kinds.find((each) => each.name === name);
  if (changes.length === 0) return null;
  return (
    <Box
      component="dl"
      sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '12rem 1fr' }, gap: 0.5, m: 0, mt: 1 }}
    >
      {changes.map(({ field, before, after, isSecret }) => (
        <Box key={field} sx={{ display: 'contents' }}>
          <Typography component="dt" variant="body2" color="text.secondary">
            {/* The values of `gatewayRef` are shown as names. */}
            {texts.kinds.heading(spokenField(kind, field))}
          </Typography>
          <Box component="dd" sx={{ m: 0, typography: 'body2', overflowWrap: 'anywhere' }}>
            <Values
              linked={kind && linkedKind(kind, field)}
              hasRefs={name === 'Webhook' && WITH_REFS.includes(field)}
              names={names}
              before={shown(before, isSecret)}
              after={shown(after, isSecret)}
            />
          </Box>
        </Box>
      ))}
    </Box>
  );
}

interface ValuesProps {
  /** The kind whose references the values are. */
  readonly linked: string | undefined;
  /** Whether references are among the values. */
  readonly hasRefs: boolean;
  readonly names: ReadonlyMap<string, string> | undefined;
  readonly before: string | null;
  readonly after: string | null;
}

function Values({ linked, hasRefs, names, before, after }: ValuesProps) {
  const named = (value: string) =>
    hasRefs ? (
      <ValueWithRefs value={value} />
    ) : linked === undefined ? (
      <TextWithNumbers>{readable(value)}</TextWithNumbers>
    ) : (
      <ResourceNames kind={linked} of={value} knownOf={(ref) => names?.get(`${linked} ${ref}`)} />
    );
  const old = before !== null && <del aria-label={words.before}>{named(before)}</del>;
  const now = after !== null && (
    <ins aria-label={words.after} style={{ textDecoration: 'none', fontWeight: 600 }}>
      {named(after)}
    </ins>
  );
  if (old && now) return words.changed(old, now);
  return old || now || words.noValue;
}

/** The fields of webhooks that have references. */
const WITH_REFS = ['refs', 'failedCalls'];

/** A fingerprint only tells that a secret changed. Viewers have none. */
function shown(value: string | null, isSecret: boolean): string | null {
  if (!isSecret || value === null) return value;
  return value === HIDDEN ? words.hidden : words.secret(value);
}

/** What the graph tells viewers instead of a fingerprint. */
const HIDDEN = '***';
