import { Alert } from '@mui/material';
import { useGetList } from 'react-admin';

import type { ResourceRecord } from '../data/data-provider';
import type { Kind } from '../model/model';
import { texts } from '../texts';
import type { ConflictFields } from './form-error';
import { Value } from './value';

interface Props {
  readonly kind: Kind;
  readonly fields: ConflictFields | undefined;
}

/** Shows the resources that have the values which a form was refused for. */
export function Conflict({ kind, fields }: Props) {
  const { data } = useGetList<ResourceRecord>(
    kind.collection,
    { filter: conditions(kind, fields ?? {}), pagination: { page: 1, perPage: 5 } },
    { enabled: fields !== undefined },
  );
  const label = kind.fields.find(({ name }) => name === kind.label);
  if (!fields || !data || !label) return null;
  return (
    <Alert severity="warning" sx={{ width: '100%', mb: 2 }}>
      {texts.kinds.conflict(
        data.map((record) => (
          <Value key={record.id} field={{ ...label, sort: 'link' }} value={{ ...record, __typename: kind.name }} />
        )),
      )}
    </Alert>
  );
}

/** The conditions that the values are equal; a list of links has at least one of these. */
function conditions(kind: Kind, fields: ConflictFields): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const link = kind.create.find((input) => input.name === name)?.link;
      return [name, Array.isArray(value) && link ? { [link.by]: { in: value } } : { eq: value }];
    }),
  );
}
