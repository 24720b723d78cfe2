import { Alert, Box, LinearProgress, Typography } from '@mui/material';

import { texts } from '../texts';
import type { ImportResult, Progress } from './run-import';

/** How far an import is. */
export function ImportProgress({ progress }: { readonly progress: Progress | undefined }) {
  return (
    <Box sx={{ mt: 2 }}>
      <LinearProgress
        aria-label={texts.titles.imports}
        {...(progress ? { variant: 'determinate', value: (100 * progress.done) / progress.total } : {})}
      />
      <Typography variant="body2">{progress && texts.imports.progress(progress.done, progress.total)}</Typography>
    </Box>
  );
}

/** What an import did, or would do. */
export function Outcome({ result }: { readonly result: ImportResult }) {
  const [severity, text] = result.imported
    ? (['success', texts.imports.done] as const)
    : result.counts.FAILED > 0
      ? (['error', texts.imports.rejected(result.counts.FAILED)] as const)
      : (['info', texts.imports.dryRun] as const);
  return (
    <Alert severity={severity} role="status" sx={{ my: 1 }}>
      {text}
    </Alert>
  );
}
