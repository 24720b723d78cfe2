import { Box } from '@mui/material';
import { useEffect, useState } from 'react';

import { words } from './texts';

/** Counts down to a time. Screen readers read it when they are asked to, and not each second. */
export function Countdown({ to }: { readonly to: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((Date.parse(to) - now) / 1000);
  if (seconds <= 0) return words.revertedNow;
  return (
    <>
      {words.revertedIn}{' '}
      <Box component="span" role="timer" aria-label={words.left} sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {words.countdown(seconds)}
      </Box>
    </>
  );
}
