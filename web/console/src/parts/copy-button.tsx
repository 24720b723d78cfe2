import { Button } from '@mui/material';
import { useState } from 'react';

import { texts } from '../texts';

/** Copies a text. Browsers have no clipboard in pages that were loaded over plain HTTP: there is no button then. */
export function CopyButton({ value }: { readonly value: string }) {
  const [copied, setCopied] = useState<string>();
  if (!isSecureContext) return null;
  const copy = (): void =>
    void navigator.clipboard.writeText(value).then(
      () => setCopied(value),
      // The browser does not permit it: the button does not say that it is done.
      () => undefined,
    );
  return (
    <Button onClick={copy} disabled={value === ''}>
      {copied === value && value !== '' ? texts.parts.copied : texts.parts.copy}
    </Button>
  );
}
