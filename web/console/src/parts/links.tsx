import { Link } from '@mui/material';
import type { MouseEvent, ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';

import { useKind } from '../model/model';
import { TextWithNumbers } from './telephone';

interface Props {
  readonly kind: string;
  /** The reference of the resource. */
  readonly of: string;
  readonly children: ReactNode;
}

/** A link to the page of a resource. */
export function ResourceLink({ kind, of, children }: Props) {
  const { collection } = useKind(kind);
  return (
    <Link component={RouterLink} to={`/${collection}/${encodeURIComponent(of)}/show`} onClick={stop}>
      {children}
    </Link>
  );
}

/** A click on a link in a row does not open the row. */
function stop(event: MouseEvent): void {
  event.stopPropagation();
}

/** The address of the explanation of a number, an address of record or a name. */
export function questionPath(text: string): string {
  return `/?${new URLSearchParams({ q: text }).toString()}`;
}

/** A link to the explanation of a number, an address of record or a name. */
export function QuestionLink({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <Link component={RouterLink} to={questionPath(text)} sx={{ overflowWrap: 'anywhere' }}>
      {children ?? <TextWithNumbers>{text}</TextWithNumbers>}
    </Link>
  );
}
