import { Alert, Button } from '@mui/material';

import { GraphError, messageOf } from '../graph/graph-error';
import type { Kind } from '../model/model';
import { texts } from '../texts';
import { PageButton } from './links';

interface Props {
  readonly kind: Kind;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Why a resource could not be read. Instead of one that does not exist, the list is offered. */
export function ReadError({ kind, error, refetch }: Props) {
  if (error === undefined || error === null) return null;
  return (
    <Alert
      severity="error"
      sx={{ my: 1 }}
      action={
        isMissing(error) ? (
          <PageButton to={`/${kind.collection}`}>{texts.kinds.heading(kind.collection)}</PageButton>
        ) : (
          <Button onClick={() => void refetch()}>{texts.kinds.again}</Button>
        )
      }
    >
      {messageOf(error)}
    </Alert>
  );
}

/** Whether the error says that the resource does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof GraphError && error.code === 'NOT_FOUND';
}
