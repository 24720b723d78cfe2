import Add from '@mui/icons-material/Add';
import Help from '@mui/icons-material/HelpOutlineOutlined';
import { Button, type ButtonProps, Link, type LinkProps } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type MouseEvent, type ReactNode } from 'react';
import { useCreatePath, useGetManyAggregate } from 'react-admin';
import { Link as RouterLink } from 'react-router-dom';

import type { ResourceRecord } from '../data/data-provider';
import { formerName } from '../data/names';
import { type Kind, useKind } from '../model/model';
import { texts } from '../texts';
import { Telephone, TextWithNumbers } from './telephone';

/** A link to a page of the console. */
export function PageLink(props: LinkProps<typeof RouterLink>) {
  return <Link component={RouterLink} {...props} />;
}

/** A link to a page of the console that looks like a button. */
export function PageButton(props: ButtonProps<typeof RouterLink>) {
  return <Button component={RouterLink} {...props} />;
}

/** Leads to the form of a new resource. */
export function CreateLink({ kind, children }: { readonly kind: Kind; readonly children: ReactNode }) {
  const createPath = useCreatePath();
  return (
    <PageButton to={createPath({ resource: kind.collection, type: 'create' })} variant="contained" startIcon={<Add />}>
      {children}
    </PageButton>
  );
}

/** Leads from the page of a resource to the explanation of a number or an address of record. */
export function ExplainButton({ question }: { readonly question: string }) {
  return (
    <PageButton to={questionPath(question)} startIcon={<Help />}>
      {texts.kinds.explain}
    </PageButton>
  );
}

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
    <PageLink to={`/${collection}/${encodeURIComponent(of)}/show`} onClick={stop}>
      {children}
    </PageLink>
  );
}

/** A gateway by its name, as a link to its page. Nothing for none. */
export function GatewayLink({ of }: { readonly of: { readonly ref: string; readonly name: string } | null }) {
  return (
    of && (
      <ResourceLink kind="Gateway" of={of.ref}>
        {of.name}
      </ResourceLink>
    )
  );
}

interface NameProps {
  readonly kind: string;
  readonly of: string;
  /** What a resource that no longer exists was called. */
  readonly known?: string | null | undefined;
}

/**
 * The name of a resource; of one that no longer exists, what it was called. Its reference if nobody knows. Names of a page
 * are read at once.
 */
export function ResourceName({ kind, of, known }: NameProps) {
  const { collection, label } = useKind(kind);
  const { data, isPending } = useGetManyAggregate<ResourceRecord>(collection, { ids: [of] }, { retry: false });
  const read = data?.[0]?.[label];
  if (typeof read !== 'string') {
    if (isPending) return known ?? texts.parts.unread;
    return <FormerName kind={kind} of={of} known={known} />;
  }
  return <Named text={read} />;
}

/** What something was called that no longer exists, or has no page, such as an API token. */
export function FormerName({ kind, of, known }: NameProps) {
  const isKnown = typeof known === 'string';
  const { data, isPending } = useQuery({
    queryKey: ['former name', kind, of],
    queryFn: async () => formerName({ kind, ref: of }),
    enabled: !isKnown,
    staleTime: Infinity,
    retry: false,
  });
  if (isKnown) return <Named text={known} />;
  return isPending ? texts.parts.unread : <Named text={data ?? of} />;
}

function Named({ text }: { readonly text: string }) {
  return text.startsWith('tel:') ? <Telephone telUrl={text} /> : text;
}

/** What a stored reference meant that no longer exists. Another resource may have the reference now. */
export interface Former {
  readonly kind: string;
  readonly ref: string;
  /** What it was called then; null if nobody knows. */
  readonly name: string | null;
}

interface ThenProps extends Props {
  /** What no longer exists. */
  readonly former: readonly Former[];
}

/** A link to the page of a resource of an earlier time, or to the history of one that no longer exists. */
export function ThenLink({ kind, of, former, children }: ThenProps) {
  const gone = former.some((each) => each.kind === kind && each.ref === of);
  if (!gone) return <ResourceLink {...{ kind, of, children }} />;
  return (
    <PageLink to={`/history?${new URLSearchParams({ kind, ref: of }).toString()}`} onClick={stop}>
      {children}
      {texts.parts.gone}
    </PageLink>
  );
}

interface StoredProps {
  readonly kind: string;
  /** The resource that the reference still means. */
  readonly now: { readonly ref: string; readonly name: string } | null;
  /** The reference, as it was stored. */
  readonly of: string | null;
  readonly former: readonly Former[];
}

/** The name of what a stored reference meant, as a link. Nothing without a reference. */
export function StoredLink({ kind, now, of, former }: StoredProps) {
  if (now) return <ResourceLink {...{ kind, of: now.ref }}>{now.name}</ResourceLink>;
  if (of === null) return null;
  const name = former.find((each) => each.kind === kind && each.ref === of)?.name;
  return (
    <ThenLink {...{ kind, of, former }}>
      <Named text={name ?? of} />
    </ThenLink>
  );
}

/** The name of a resource, as a link to its page. */
export function NamedLink({ kind, of }: Pick<NameProps, 'kind' | 'of'>) {
  return (
    <ResourceLink kind={kind} of={of}>
      <ResourceName kind={kind} of={of} />
    </ResourceLink>
  );
}

interface NamesProps {
  readonly kind: string;
  /** A reference, or a list of some, which the history and previews tell as JSON. */
  readonly of: string;
  /** What a resource that no longer exists was called. */
  readonly knownOf?: (ref: string) => string | undefined;
}

/** The names of the resources to which a field leads. */
export function ResourceNames({ kind, of, knownOf }: NamesProps) {
  return refsIn(of).map((ref, index) => (
    <Fragment key={ref}>
      {index > 0 && texts.parts.comma}
      <ResourceName kind={kind} of={ref} known={knownOf?.(ref)} />
    </Fragment>
  ));
}

function refsIn(value: string): readonly string[] {
  if (!value.startsWith('[')) return [value];
  try {
    const refs: unknown = JSON.parse(value);
    return Array.isArray(refs) ? refs.map(String) : [value];
  } catch {
    return [value];
  }
}

/** A click on a link in a row does not open the row. */
function stop(event: MouseEvent): void {
  event.stopPropagation();
}

/** The address of the explanation of a number, an address of record or a name. */
export function questionPath(text: string): string {
  return `/?${new URLSearchParams({ q: text }).toString()}`;
}

/** The address of the history of what a request did. */
export function requestPath(request: string): string {
  return `/history?${new URLSearchParams({ request }).toString()}`;
}

/** The address of the page about a moment, in milliseconds since the epoch, and of what a gateway was then. */
export function momentPath(at: number, gatewayRef?: string): string {
  const moment = { at: new Date(Math.floor(at / 1000) * 1000).toISOString() };
  return `/?${new URLSearchParams(gatewayRef === undefined ? moment : { ...moment, gateway: gatewayRef }).toString()}`;
}

/** The address of the page that moves the numbers of a gateway to another one. */
export function replacePath(gatewayRef: string): string {
  return `/replace-trunk/${encodeURIComponent(gatewayRef)}`;
}

/** A link to the explanation of a number, an address of record or a name. */
export function QuestionLink({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <PageLink to={questionPath(text)} sx={{ overflowWrap: 'anywhere' }}>
      {children ?? <TextWithNumbers>{text}</TextWithNumbers>}
    </PageLink>
  );
}
