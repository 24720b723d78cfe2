import { Button, Stack, Typography } from '@mui/material';
import { useState } from 'react';

import { LABELS } from '../data/names';
import { useMayWrite } from '../graph/session';
import { useModel } from '../model/model';
import { FormerName, PageLink, requestPath, ResourceLink, ResourceName } from '../parts/links';
import { Rows } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { Diff } from './diff';
import { type Entry, isRevertible, nameIn, namesIn } from './entry';
import { RevertDialog, type Reverting } from './revert-dialog';
import { words } from './texts';

interface Props {
  readonly entries: readonly Entry[] | undefined;
  readonly error: unknown;
  /** The names of users by their references. */
  readonly users: ReadonlyMap<string, string> | undefined;
}

/** Entries of the history with their differences, which those who may write can revert. */
export function Entries({ entries, error, users }: Props) {
  const { kinds } = useModel();
  const mayWrite = useMayWrite();
  const names = namesIn(kinds, entries ?? []);
  const [reverting, setReverting] = useState<Reverting>();
  return (
    <>
      <Rows label={words.entries} rows={entries} error={error} empty={words.empty} keyOf={({ entry }) => entry}>
        {(entry) => (
          <>
            <Headline entry={entry} users={users} />
            <Diff kind={entry.kind} changes={entry.changes} names={names} />
            <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', mt: 1 }}>
              {mayWrite && isRevertible(entry, kinds) && (
                <Button
                  size="small"
                  aria-label={words.revertEntry(entry.entry)}
                  onClick={() => setReverting({ entry: entry.entry })}
                >
                  {words.revert}
                </Button>
              )}
              {mayWrite && isRevertible(entry, kinds) && entry.request !== null && (
                <Button size="small" onClick={() => setReverting({ request: entry.request ?? '' })}>
                  {words.revertRequest}
                </Button>
              )}
            </Stack>
          </>
        )}
      </Rows>
      {reverting && <RevertDialog what={reverting} onClose={() => setReverting(undefined)} />}
    </>
  );
}

interface HeadlineProps {
  readonly entry: Entry;
  readonly users: Props['users'];
}

function Headline({ entry, users }: HeadlineProps) {
  const { event, kind, ref, at, who, way, address, request, count, reverts, former } = entry;
  const { kinds } = useModel();
  const own = kinds.find(({ name }) => name === kind);
  const origin = [way === null ? null : words.wayOf(way), address].filter((part) => part !== null);
  const resource = former ? (
    // What no longer exists has no page.
    <FormerName kind={kind} of={ref} known={former.name ?? nameIn(entry.changes, own?.label ?? '')} />
  ) : own ? (
    <ResourceLink kind={kind} of={ref}>
      <ResourceName kind={kind} of={ref} known={nameIn(entry.changes, own.label)} />
    </ResourceLink>
  ) : ref !== '' && kind in LABELS ? (
    <FormerName kind={kind} of={ref} known={nameIn(entry.changes, LABELS[kind] ?? '') ?? users?.get(ref)} />
  ) : (
    ref
  );
  return (
    <Typography component="div" variant="body2">
      {texts.parts.list(
        words.by(words.headline(event, kind, resource), event, who?.username, count),
        <Time value={at} />,
        words.origin(origin),
        reverts !== null && words.reverted(reverts),
        request !== null && <PageLink to={requestPath(request)}>{words.more}</PageLink>,
      )}
    </Typography>
  );
}
