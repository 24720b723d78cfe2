import { Box, Link, Typography } from '@mui/material';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';

import { useMayWrite } from '../graph/session';
import { isRevertible } from '../history/entry';
import type { Reverting } from '../history/revert-dialog';
import { type Model, useModel } from '../model/model';
import { onDemand } from '../on-demand';
import { Section } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { LIST } from './attention';
import type { NamedEntry, Now } from './operations';

const RevertDialog = onDemand(() => import('../history/revert-dialog').then((file) => file.RevertDialog));

const words = texts.now;
const SHOWN = 8;

/** What was changed last: a line for each request. */
export function LastChanges({ history: { nodes, pageInfo } }: Pick<Now, 'history'>) {
  const model = useModel();
  const mayWrite = useMayWrite();
  const [undoing, setUndoing] = useState<Reverting>();
  const groups = groupsOf(nodes);
  return (
    <Section
      title={words.changed}
      action={
        <Link component={RouterLink} to="/history" variant="body2">
          {words.history}
        </Link>
      }
    >
      {groups.length === 0 && <Typography color="text.secondary">{words.noChanges}</Typography>}
      {groups.length > 0 && (
        <Box component="ul" aria-label={words.changed} sx={LIST}>
          {groups.slice(0, SHOWN).map((group, index) => {
            const { entry, at, who, request } = group[0];
            // The rest of the last request may be on the next page.
            const did = didOf(model, group, pageInfo.hasNextPage && index === groups.length - 1);
            const mayUndo = mayWrite && group.every((each) => isRevertible(each, model.kinds));
            return (
              <Box
                component="li"
                key={entry}
                sx={{ display: 'flex', gap: 1, alignItems: 'baseline', px: 2, py: 1, typography: 'body2' }}
              >
                <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
                  <Box component="span" sx={{ fontWeight: 600 }}>
                    {words.who(who?.username)}
                  </Box>{' '}
                  {request === null ? (
                    did
                  ) : (
                    <Link
                      component={RouterLink}
                      to={`/history?request=${encodeURIComponent(request)}`}
                      color="inherit"
                      underline="hover"
                    >
                      {did}
                    </Link>
                  )}
                </Box>
                <Box sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
                  <Time isBrief value={at} />
                </Box>
                {mayUndo && (
                  <Link
                    component="button"
                    variant="body2"
                    aria-label={words.undoOf(did)}
                    onClick={() => setUndoing(group.length > 1 && request !== null ? { request } : { entry })}
                  >
                    {words.undo}
                  </Link>
                )}
              </Box>
            );
          })}
        </Box>
      )}
      {undoing && <RevertDialog what={undoing} onClose={() => setUndoing(undefined)} />}
    </Section>
  );
}

/** Entries of one request, newest first. */
type Group = readonly [NamedEntry, ...NamedEntry[]];

/** The changes by their request. Sign-ins change nothing. */
function groupsOf(entries: readonly NamedEntry[]): readonly Group[] {
  const groups: [NamedEntry, ...NamedEntry[]][] = [];
  for (const entry of entries) {
    if (!['CREATED', 'UPDATED', 'DELETED'].includes(entry.event)) continue;
    const last = groups.at(-1);
    if (last && entry.request !== null && last[0].request === entry.request) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

/** What a request did, such as `updated 67 DIDs`. */
function didOf({ kinds }: Model, group: Group, isCut: boolean): string {
  const [{ event, kind, ref, resource }] = group;
  if (group.length === 1) return words.did(event, words.one(kind, resource?.label ?? ref));
  const counts = new Map<string, number>();
  for (const each of group) {
    const key = `${each.event} ${each.kind}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const parts = [...counts].map(([key, count]) => {
    const [what = '', name = ''] = key.split(' ');
    const many = kinds.find((each) => each.name === name)?.collection ?? name;
    return words.did(what, count === 1 ? texts.kinds.heading(name) : words.many(many, count, isCut));
  });
  return words.several(parts);
}
