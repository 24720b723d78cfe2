import { Button, Link, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';

import { useMayWrite } from '../graph/session';
import { useModel } from '../model/model';
import { ResourceLink, ResourceName } from '../parts/links';
import { Rows } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { Diff } from './diff';
import { type Entry, isRevertible, nameIn } from './entry';
import { RevertDialog, type Reverting } from './revert-dialog';

interface Props {
  readonly entries: readonly Entry[] | undefined;
  readonly error: unknown;
}

/** Entries of the history with their differences, which those who may write can revert. */
export function Entries({ entries, error }: Props) {
  const { kinds } = useModel();
  const mayWrite = useMayWrite();
  const [reverting, setReverting] = useState<Reverting>();
  return (
    <>
      <Rows
        label={texts.history.entries}
        rows={entries}
        error={error}
        empty={texts.history.empty}
        keyOf={({ entry }) => entry}
      >
        {(entry) => (
          <>
            <Headline entry={entry} />
            <Diff kind={entry.kind} changes={entry.changes} />
            <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', mt: 1 }}>
              {mayWrite && isRevertible(entry, kinds) && (
                <Button
                  size="small"
                  aria-label={texts.history.revertEntry(entry.entry)}
                  onClick={() => setReverting({ entry: entry.entry })}
                >
                  {texts.history.revert}
                </Button>
              )}
              {mayWrite && isRevertible(entry, kinds) && entry.request !== null && (
                <Button size="small" onClick={() => setReverting({ request: entry.request ?? '' })}>
                  {texts.history.revertRequest}
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

function Headline({ entry }: { readonly entry: Entry }) {
  const { event, kind, ref, at, who, way, address, request, count, reverts } = entry;
  const { kinds } = useModel();
  const own = kinds.find(({ name }) => name === kind);
  const origin = [way === null ? null : texts.kinds.choice(way), address].filter((part) => part !== null);
  const resource = own ? (
    <ResourceLink kind={kind} of={ref}>
      <ResourceName kind={kind} of={ref} known={nameIn(entry, own.label)} />
    </ResourceLink>
  ) : (
    ref
  );
  return (
    <Typography component="div" variant="body2">
      {texts.parts.list(
        texts.history.by(texts.history.headline(event, kind, resource), event, who?.username, count),
        <Time value={at} />,
        texts.history.origin(origin),
        reverts !== null && texts.history.reverted(reverts),
        request !== null && (
          <Link component={RouterLink} to={`/history?request=${encodeURIComponent(request)}`}>
            {texts.history.more}
          </Link>
        ),
      )}
    </Typography>
  );
}
