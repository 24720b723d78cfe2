import { Box, Button, Typography } from '@mui/material';
import { useState, type DragEvent, type ReactNode } from 'react';

import { importTexts } from './texts';

/** What a zone says, and which files it offers. */
export interface DropTexts {
  readonly drop: (choose: ReactNode) => ReactNode;
  readonly choose: string;
  readonly hint: string;
  /** The ends of names and the types, as an input of HTML has them. */
  readonly accept: string;
}

interface Props {
  readonly isBusy: boolean;
  readonly onFile: (file: File) => void;
  /** By default, those of an import. */
  readonly words?: DropTexts;
}

const IMPORT: DropTexts = {
  drop: importTexts.drop,
  choose: importTexts.choose,
  hint: importTexts.columns,
  accept: '.csv,.tsv,.txt,.yml,.yaml,.json,text/csv,text/tab-separated-values',
};

/** Takes a file: dropped on it, or chosen. */
export function DropZone({ isBusy, onFile, words = IMPORT }: Props) {
  const [isOver, setOver] = useState(false);
  const take = (file: File | undefined): void => {
    if (file && !isBusy) onFile(file);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  return (
    <Box
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      sx={{ border: 2, borderStyle: 'dashed', borderColor: isOver ? 'primary.main' : 'divider', borderRadius: 1, p: 4 }}
    >
      <Typography>
        {words.drop(
          // The input takes the focus: a button must not contain another control.
          <Button
            component="label"
            role={undefined}
            tabIndex={-1}
            variant="outlined"
            size="small"
            disabled={isBusy}
            sx={{ '&:focus-within': { outline: 2 } }}
          >
            {words.choose}
            <input
              type="file"
              accept={words.accept}
              onChange={({ target }) => {
                take(target.files?.[0]);
                // The same file can be chosen again after it was corrected.
                target.value = '';
              }}
              style={{ position: 'absolute', width: 1, height: 1, opacity: 0 }}
            />
          </Button>,
        )}
      </Typography>
      <Typography variant="body2" color="text.secondary" sx={{ mt: 1 }}>
        {words.hint}
      </Typography>
    </Box>
  );
}
