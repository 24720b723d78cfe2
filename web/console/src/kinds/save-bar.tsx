import { Button } from '@mui/material';
import { SaveButton, Toolbar, useRecordContext, useRedirect, useResourceContext } from 'react-admin';
import { useFormState } from 'react-hook-form';

import { texts } from '../texts';

/** Lines of a form are not longer than can be read well. */
export const FORM_STYLE = { maxWidth: '50rem' };

/** Saves a form, or leaves it for the page of the resource, or for the list if there is no resource yet. */
export function SaveBar() {
  const redirect = useRedirect();
  const resource = useResourceContext();
  const id = useRecordContext()?.id;
  const { isSubmitting } = useFormState();
  return (
    <Toolbar sx={{ gap: 2 }}>
      <SaveButton alwaysEnable={!isSubmitting} />
      <Button onClick={() => redirect(id === undefined ? 'list' : 'show', resource, id)}>{texts.kinds.cancel}</Button>
    </Toolbar>
  );
}
