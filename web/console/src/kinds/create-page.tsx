import { useState } from 'react';
import { Create, useResourceContext } from 'react-admin';

import { createKeys } from '../data/forms';
import { useKind } from '../model/model';
import { texts } from '../texts';
import { KindForm, useFormError } from './form';

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
      <KindForm kind={kind} fields={conflict} isNew />
    </Create>
  );
}
