import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';

import { texts } from '../texts';

interface Props {
  readonly isOn: boolean;
  readonly setOn: (isOn: boolean) => void;
  readonly onClose: () => void;
}

/** Lists the keys, and turns them off for those who press them by accident, such as users of speech input. */
export function KeysDialog({ isOn, setOn, onClose }: Props) {
  return (
    <Dialog open onClose={onClose} aria-labelledby="keys-title">
      <DialogTitle id="keys-title">{texts.layout.keys}</DialogTitle>
      <DialogContent>
        <dl>
          {texts.layout.keyList.map(([key, meaning]) => (
            <div key={key}>
              <dt style={{ display: 'inline-block', width: '3rem' }}>
                <kbd>{key}</kbd>
              </dt>
              <dd style={{ display: 'inline', margin: 0 }}>{meaning}</dd>
            </div>
          ))}
        </dl>
        <label>
          <input type="checkbox" checked={isOn} onChange={({ target }) => setOn(target.checked)} />{' '}
          {texts.layout.keysOn}
        </label>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{texts.layout.close}</Button>
      </DialogActions>
    </Dialog>
  );
}
