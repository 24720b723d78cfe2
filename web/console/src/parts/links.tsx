import { Link } from '@mui/material';
import type { MouseEvent, ReactNode } from 'react';
import { useGetManyAggregate } from 'react-admin';
import { Link as RouterLink } from 'react-router-dom';

import type { ResourceRecord } from '../data/data-provider';
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

interface NameProps {
  readonly kind: string;
  readonly of: string;
  /** What a resource that no longer exists was called. */
  readonly known?: string | null | undefined;
}

/** The name of a resource: its reference until it is read, or if there is none. Names of a page are read at once. */
export function ResourceName({ kind, of, known }: NameProps) {
  const { collection, label } = useKind(kind);
  const { data } = useGetManyAggregate<ResourceRecord>(collection, { ids: [of] }, { retry: false });
  const name = data?.[0]?.[label];
  return typeof name === 'string' ? name : (known ?? of);
}

/** A click on a link in a row does not open the row. */
function stop(event: MouseEvent): void {
  event.stopPropagation();
}

/** The address of the explanation of a number, an address of record or a name. */
export function questionPath(text: string): string {
  return `/?${new URLSearchParams({ q: text }).toString()}`;
}

/** The address of the page that moves the numbers of a gateway to another one. */
export function replacePath(gatewayRef: string): string {
  return `/replace-trunk/${encodeURIComponent(gatewayRef)}`;
}

/** A link to the explanation of a number, an address of record or a name. */
export function QuestionLink({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <Link component={RouterLink} to={questionPath(text)} sx={{ overflowWrap: 'anywhere' }}>
      {children ?? <TextWithNumbers>{text}</TextWithNumbers>}
    </Link>
  );
}
