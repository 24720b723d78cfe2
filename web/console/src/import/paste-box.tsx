import { Button, Stack, TextField } from '@mui/material';
import { useState } from 'react';

import { importTexts } from './texts';

interface Props {
  readonly isBusy: boolean;
  readonly onText: (text: string) => void;
}

/** Takes rows that are pasted, such as those of a spreadsheet, at once; typed ones with a button. */
export function PasteBox({ isBusy, onText }: Props) {
  const [text, setText] = useState('');
  const take = (given: string): void => {
    if (isBusy || given.trim() === '') return;
    setText('');
    onText(given);
  };
  return (
    <Stack direction="row" useFlexGap spacing={1} sx={{ mt: 2, alignItems: 'flex-end' }}>
      <TextField
        multiline
        fullWidth
        maxRows={6}
        size="small"
        label={importTexts.paste}
        value={text}
        disabled={isBusy}
        onChange={({ target }) => setText(target.value)}
        onPaste={(event) => {
          // What is pasted into a text that was typed is a part of it.
          if (text !== '') return;
          event.preventDefault();
          take(event.clipboardData.getData('text/plain'));
        }}
      />
      {text !== '' && (
        <Button
          variant="outlined"
          disabled={isBusy}
          onClick={() => take(text)}
          sx={{ flexShrink: 0, whiteSpace: 'nowrap' }}
        >
          {importTexts.read}
        </Button>
      )}
    </Stack>
  );
}
