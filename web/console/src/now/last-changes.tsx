import { Box, Typography } from '@mui/material';
import { useState } from 'react';

import { useMayWrite } from '../graph/session';
import { revertingOf } from '../history/done';
import { RequestLine } from '../history/request-line';
import type { Reverting } from '../history/revert-dialog';
import { useModel } from '../model/model';
import { onDemand } from '../on-demand';
import { PageLink, requestPath } from '../parts/links';
import { Section } from '../parts/page';
import { texts } from '../texts';
import { LIST } from './attention';
import type { Now } from './operations';

const RevertDialog = onDemand(() => import('../history/revert-dialog').then((file) => file.RevertDialog));

const words = texts.now;

/** What was changed last: a line for each request. */
export function LastChanges({ history: { nodes } }: Pick<Now, 'history'>) {
  const model = useModel();
  const mayWrite = useMayWrite();
  const [undoing, setUndoing] = useState<Reverting>();
  return (
    <Section
      title={words.changed}
      action={
        <PageLink to="/history" variant="body2">
          {words.history}
        </PageLink>
      }
    >
      {nodes.length === 0 && <Typography color="text.secondary">{words.noChanges}</Typography>}
      {nodes.length > 0 && (
        <Box component="ul" aria-label={words.changed} sx={LIST}>
          {nodes.map((done) => {
            const reverting = mayWrite ? revertingOf(done, model) : undefined;
            return (
              <Box component="li" key={done.entry} sx={{ px: 2, py: 1 }}>
                <RequestLine
                  done={done}
                  to={done.request === null ? undefined : requestPath(done.request)}
                  actions={reverting ? [{ text: texts.requests.undo, onPress: () => setUndoing(reverting) }] : []}
                />
              </Box>
            );
          })}
        </Box>
      )}
      {undoing && <RevertDialog what={undoing} onClose={() => setUndoing(undefined)} />}
    </Section>
  );
}
