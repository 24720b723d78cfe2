import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, TextField } from '@mui/material';

import { texts } from '../texts';
import { CopyButton } from './copy-button';

interface Props {
  readonly title: string;
  readonly value: string;
  readonly onClose: () => void;
}

/** Shows a secret that the server does not show again. */
export function ShownOnce({ title, value, onClose }: Props) {
  return (
    <Dialog open aria-labelledby="shown-once" fullWidth maxWidth="sm">
      <DialogTitle id="shown-once">{title}</DialogTitle>
      <DialogContent>
        <Alert severity="warning" sx={{ mb: 2 }}>
          {texts.parts.once}
        </Alert>
        <TextField
          fullWidth
          label={title}
          value={value}
          slotProps={{ htmlInput: { readOnly: true, style: { fontFamily: 'monospace' } } }}
          onFocus={(event) => event.target.select()}
        />
      </DialogContent>
      <DialogActions>
        <CopyButton value={value} />
        <Button variant="contained" onClick={onClose}>
          {texts.parts.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
