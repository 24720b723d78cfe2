import DoneIcon from '@mui/icons-material/CheckCircle';
import ToDoIcon from '@mui/icons-material/RadioButtonUnchecked';
import { Box, Typography } from '@mui/material';
import { useCreatePath } from 'react-admin';

import type { Nodes } from '../graph/lists';
import { useMayWrite, useSession } from '../graph/session';
import { kindOf, useModel } from '../model/model';
import { PageLink } from '../parts/links';
import { Section } from '../parts/page';
import { colorOf } from '../parts/progress';
import { texts } from '../texts';
import { LIST } from './attention';
import type { Now } from './operations';
import type { Shown } from './use-now';

const words = texts.now;

const NEW_USER = '/new-phone-user';

type Kind = keyof typeof words.steps;

const KINDS = Object.keys(words.steps) as readonly Kind[]; // the keys of the texts

/** The kinds that are needed for a number to ring, and whether there is one. */
function doneIn({ domains, agents, gateways, dids, numbers }: Now): Readonly<Record<Kind, boolean>> {
  const has = ({ nodes }: Nodes<object>): boolean => nodes.length > 0;
  return { Domain: has(domains), Agent: has(agents), Gateway: has(gateways), DID: has(dids) || has(numbers) };
}

/** Whether the server is set up: there is one of each kind, or a number rings without some of them. */
export function isSetUp({ now, numbers: { states } }: Shown): boolean {
  return Object.values(doneIn(now)).every(Boolean) || (states.get('REACHABLE') ?? 0) > 0;
}

/** How an empty server gets its first number; each step is done when there is such a resource. */
export function Steps({ now }: { readonly now: Now }) {
  const model = useModel();
  const mayWrite = useMayWrite();
  const isAdmin = useSession()?.role === 'ADMIN';
  const createPath = useCreatePath();
  const done = doneIn(now);
  return (
    <Section title={words.start}>
      <Box component="ol" aria-label={words.start} sx={LIST}>
        {KINDS.map((kind) => {
          const Icon = done[kind] ? DoneIcon : ToDoIcon;
          const text = words.steps[kind];
          // A phone user is an agent with a card for the phone.
          const to =
            kind === 'Agent' ? NEW_USER : createPath({ resource: kindOf(model, kind).collection, type: 'create' });
          return (
            <Box component="li" key={kind} sx={{ display: 'flex', gap: 1, alignItems: 'center', px: 2, py: 1 }}>
              <Icon
                fontSize="small"
                titleAccess={done[kind] ? words.done : words.toDo}
                sx={{ color: colorOf(done[kind] ? 'works' : 'unreached') }}
              />
              {mayWrite && !done[kind] ? (
                <PageLink to={to}>{text}</PageLink>
              ) : (
                <Box component="span" sx={{ color: done[kind] ? 'text.secondary' : undefined }}>
                  {text}
                </Box>
              )}
            </Box>
          );
        })}
      </Box>
      {isAdmin && (
        <Typography variant="body2" sx={{ px: 2, py: 1 }}>
          {words.moving(<PageLink to="/moving">{texts.titles.moving}</PageLink>)}
        </Typography>
      )}
    </Section>
  );
}
