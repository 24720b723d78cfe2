import { Box, Typography } from '@mui/material';

import { texts } from '../texts';
import type { FieldChange } from './entry';

/** The values of fields before and after a change. */
export function Diff({ changes }: { readonly changes: readonly FieldChange[] }) {
  if (changes.length === 0) return null;
  return (
    <Box
      component="dl"
      sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '12rem 1fr' }, gap: 0.5, m: 0, mt: 1 }}
    >
      {changes.map(({ field, before, after, isSecret }) => (
        <Box key={field} sx={{ display: 'contents' }}>
          <Typography component="dt" variant="body2" color="text.secondary">
            {texts.kinds.heading(field)}
          </Typography>
          <Box component="dd" sx={{ m: 0, typography: 'body2', overflowWrap: 'anywhere' }}>
            <Values before={shown(before, isSecret)} after={shown(after, isSecret)} />
          </Box>
        </Box>
      ))}
    </Box>
  );
}

function Values({ before, after }: { readonly before: string | null; readonly after: string | null }) {
  const old = before !== null && <del aria-label={texts.history.before}>{before}</del>;
  const now = after !== null && (
    <ins aria-label={texts.history.after} style={{ textDecoration: 'none', fontWeight: 600 }}>
      {after}
    </ins>
  );
  if (old && now) return texts.history.changed(old, now);
  return old || now || texts.history.noValue;
}

/** A fingerprint only tells that a secret changed. */
function shown(value: string | null, isSecret: boolean): string | null {
  return isSecret && value !== null ? texts.history.secret(value) : value;
}
