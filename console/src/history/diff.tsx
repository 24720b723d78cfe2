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
            {before !== null && <del aria-label={texts.history.before}>{shown(before, isSecret)}</del>}
            {before !== null && after !== null && ' → '}
            {after !== null && (
              <ins aria-label={texts.history.after} style={{ textDecoration: 'none', fontWeight: 600 }}>
                {shown(after, isSecret)}
              </ins>
            )}
            {before === null && after === null && texts.history.noValue}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

/** A fingerprint only tells that a secret changed. */
function shown(value: string, isSecret: boolean): string {
  return isSecret ? `${texts.history.secret} (${value})` : value;
}
