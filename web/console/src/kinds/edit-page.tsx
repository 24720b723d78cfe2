import { Alert, Button } from '@mui/material';
import { useEffect, useState } from 'react';
import { Edit, useEditContext, useRefresh, useResourceContext } from 'react-admin';

import type { ResourceRecord } from '../data/data-provider';
import { formValues } from '../data/forms';
import { useChangeCursor } from '../graph/live-query';
import { isWorthRetrying } from '../graph/retries';
import { subscribe } from '../graph/subscribe';
import { type Kind, useKind } from '../model/model';
import { texts } from '../texts';
import { type ConflictFields, KindForm, type ShowError, useFormError } from './form';
import { useCarefulSave } from './overwrite';
import { ReadError } from '../parts/read-error';

/** The form that changes a resource, made from the graph's input type. */
export function EditPage() {
  const kind = useKind(useResourceContext() ?? '');
  const [conflict, showError] = useFormError();
  // Read before the resource, so that no change after it is missed.
  const cursor = useChangeCursor('edit');
  return (
    <Edit
      title={texts.kinds.edit(kind.name)}
      redirect="show"
      mutationMode="pessimistic"
      queryOptions={{
        enabled: cursor.since !== undefined,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: isWorthRetrying,
        onError: () => undefined,
      }}
      actions={<Problem kind={kind} cursor={cursor} />}
    >
      <Form kind={kind} conflict={conflict} showError={showError} since={cursor.since} />
    </Edit>
  );
}

/** Why the form cannot be filled in. */
function Problem({ kind, cursor }: { readonly kind: Kind; readonly cursor: ReturnType<typeof useChangeCursor> }) {
  const resource = useEditContext();
  const { error, refetch } = cursor.error ? cursor : resource;
  return <ReadError kind={kind} error={error} refetch={refetch} />;
}

interface FormProps {
  readonly kind: Kind;
  readonly conflict: ConflictFields | undefined;
  readonly showError: ShowError;
  readonly since: string | undefined;
}

function Form({ kind, conflict, showError, since }: FormProps) {
  const { record } = useEditContext<ResourceRecord>();
  const refresh = useRefresh();
  const [changed, forget] = useChangedMeanwhile(kind, record?.id, since);
  const reload = (): void => {
    forget();
    refresh();
  };
  const [save, dialog] = useCarefulSave(kind, record, showError, reload);
  if (!record || since === undefined) return null;
  return (
    <>
      {dialog}
      <KindForm kind={kind} fields={conflict} isNew={false} record={formValues(kind, record)} onSubmit={save}>
        {changed && (
          <Alert
            severity="warning"
            sx={{ width: '100%', mb: 2 }}
            action={changed === 'UPDATED' && <Button onClick={reload}>{texts.kinds.reload}</Button>}
          >
            {changed === 'DELETED' ? texts.kinds.goneMeanwhile : texts.kinds.changedMeanwhile}
          </Alert>
        )}
      </KindForm>
    </>
  );
}

const CHANGED = `subscription Changed($refs: [String!], $kinds: [ResourceKind!], $since: String) {
  resourceChanged(refs: $refs, kinds: $kinds, since: $since) { cursor event }
}`;

type Event = 'CREATED' | 'UPDATED' | 'DELETED';

/**
 * Whether the resource was changed or deleted after the cursor, which was read before the form was filled in, and a
 * function that forgets it.
 */
function useChangedMeanwhile(
  kind: Kind,
  ref: string | undefined,
  since: string | undefined,
): [Event | undefined, () => void] {
  const [changed, setChanged] = useState<Event>();
  useEffect(() => {
    if (ref === undefined || since === undefined) return;
    return subscribe<{ resourceChanged: { event: Event } }>(
      CHANGED,
      { refs: [ref], kinds: [kind.name] },
      ({ resourceChanged }) => setChanged(resourceChanged.event),
      // It may have been changed.
      { since, onGap: () => setChanged('UPDATED') },
    );
  }, [kind, ref, since]);
  return [changed, () => setChanged(undefined)];
}
