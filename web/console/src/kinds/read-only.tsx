import { useEffect } from 'react';
import { useCreatePath, useNotify, useResourceContext } from 'react-admin';
import { Navigate, useParams } from 'react-router-dom';

import { useKind } from '../model/model';
import { texts } from '../texts';

/** Instead of a form, for those who may not write: the page of the resource or, without one, the list, and says why. */
export function ReadOnly() {
  const kind = useKind(useResourceContext() ?? '');
  const createPath = useCreatePath();
  const { id } = useParams();
  const notify = useNotify();
  useEffect(() => notify(texts.kinds.readOnly, { type: 'info' }), [notify]);
  const resource = kind.collection;
  return (
    <Navigate
      replace
      to={
        id === undefined
          ? createPath({ resource, type: 'list' })
          : createPath({ resource, type: 'show', id: decodeURIComponent(id) })
      }
    />
  );
}
