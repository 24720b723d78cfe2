import { Button, Stack } from '@mui/material';
import { useState } from 'react';
import { TextInput, useInput, type TextInputProps } from 'react-admin';

import { CopyButton } from '../parts/dialogs';
import { texts } from '../texts';

const LENGTH = 24;
// Without characters that are easily confused, or that provisioning files quote.
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

type Props = TextInputProps & {
  readonly isNew: boolean;
  /** Whether it can be removed. */
  readonly isOptional: boolean;
  readonly helperText: string;
};

/** A secret: it can be set, made up and copied while the form is open. It is never read from the server. */
export function SecretInput({ isNew, isOptional, helperText, ...props }: Props) {
  const [isShown, setShown] = useState(false);
  // As it is: null removes the secret, an empty text does not.
  const { field } = useInput({ ...props, format: (given: unknown) => given });
  const value = typeof field.value === 'string' ? field.value : '';
  const makeUp = (): void => {
    field.onChange(randomSecret());
    setShown(true);
  };
  const kept = field.value === null ? texts.kinds.secretRemoved : texts.kinds.secretKept;
  const hint = value !== '' ? texts.kinds.secretOnce : isNew ? '' : kept;
  return (
    <Stack direction="row" useFlexGap spacing={1} sx={{ width: '100%', flexWrap: 'wrap', alignItems: 'flex-start' }}>
      <TextInput
        {...props}
        parse={(text: string) => text}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        helperText={texts.kinds.secretHint(helperText, hint)}
        sx={{ flex: '1 1 14rem', width: 'auto' }}
      />
      <Stack direction="row" sx={{ pt: 1.5 }}>
        <Button onClick={makeUp}>{texts.kinds.makeUp}</Button>
        <Button onClick={() => setShown(!isShown)}>{isShown ? texts.kinds.hide : texts.kinds.show}</Button>
        {isOptional && !isNew && <Button onClick={() => field.onChange(null)}>{texts.kinds.remove}</Button>}
        <CopyButton value={value} />
      </Stack>
    </Stack>
  );
}

/** Each letter is equally likely: numbers above the last multiple of their count are drawn again. */
function randomSecret(): string {
  const limit = 256 - (256 % LETTERS.length);
  let secret = '';
  while (secret.length < LENGTH) {
    const [number = 255] = crypto.getRandomValues(new Uint8Array(1));
    if (number < limit) secret += LETTERS.charAt(number % LETTERS.length);
  }
  return secret;
}
