import { useState } from 'react';
import { Create, SimpleForm, useResourceContext } from 'react-admin';

import { createKeys } from '../data/forms';
import { useKind } from '../model/model';
import { texts } from '../texts';
import { Conflict, FORM_STYLE, SaveBar, useFormError } from './form';
import { SectionedFields } from './sections/form-sections';

/** The form for a new resource, made from the graph's input type. */
export function CreatePage() {
  const kind = useKind(useResourceContext() ?? '');
  const [keyOf] = useState(createKeys);
  const [conflict, showError] = useFormError();
  return (
    <Create
      title={texts.kinds.create(kind.name)}
      redirect="show"
      mutationOptions={{
        meta: { keyOf },
        onError: (error: unknown, { data }) => showError(error, data as object),
      }}
    >
      <SimpleForm
        toolbar={<SaveBar />}
        sx={FORM_STYLE}
        noValidate
        warnWhenUnsavedChanges
        disableInvalidFormNotification
      >
        <Conflict kind={kind} fields={conflict} />
        <SectionedFields kind={kind} fields={kind.create} isNew />
      </SimpleForm>
    </Create>
  );
}
