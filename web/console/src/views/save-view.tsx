import BookmarkAdd from '@mui/icons-material/BookmarkAddOutlined';
import { DialogContentText, TextField } from '@mui/material';
import { useState } from 'react';
import { Button, useNotify } from 'react-admin';

import type { ListProps } from '../feature';
import { request, useRefresh } from '../graph/request';
import { useKind } from '../model/model';
import { FormDialog, textIn } from '../parts/dialogs';
import { texts } from '../texts';
import { viewTexts } from './texts';
import { useShown, VIEWS } from './view';

const SAVE = `mutation SaveView($list: String!, $name: String!, $content: String!) {
  saveView(list: $list, name: $name, content: $content) { ref }
}`;

/** Saves the filter, order and columns of a list under a name. */
export function SaveView({ kind, columnsKey }: ListProps) {
  const { collection } = useKind(kind);
  const { shown } = useShown(columnsKey);
  const notify = useNotify();
  const refresh = useRefresh(VIEWS);
  const [isOpen, setOpen] = useState(false);
  const save = async (form: FormData): Promise<void> => {
    const name = textIn(form, 'name');
    await request(SAVE, { list: collection, name, content: JSON.stringify(shown) });
    notify(viewTexts.saved(name), { type: 'info' });
    await refresh();
  };
  return (
    <>
      <Button label={viewTexts.save} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <BookmarkAdd />
      </Button>
      {isOpen && (
        <FormDialog
          title={viewTexts.saveTitle(texts.kinds.heading(collection))}
          submit={viewTexts.save}
          onSubmit={save}
          onClose={() => setOpen(false)}
        >
          {(refused) => (
            <>
              <DialogContentText>{viewTexts.hint}</DialogContentText>
              <TextField
                autoFocus
                required
                fullWidth
                name="name"
                label={viewTexts.name}
                slotProps={{ htmlInput: { maxLength: 60 } }}
                {...refused('name')}
              />
            </>
          )}
        </FormDialog>
      )}
    </>
  );
}
