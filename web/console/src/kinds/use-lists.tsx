import { Alert, Button, LinearProgress, Link, Paper, Stack, Typography } from '@mui/material';
import { Link as RouterLink } from 'react-router-dom';

import { messageOf } from '../graph/graph-error';
import { texts } from '../texts';
import { useTotal } from './use-total';
import { SHOWN, type Uses } from './use-uses';
import { Value } from './value';

/** The resources that refer to a resource, a list for each kind. */
export function UseLists({ lists, isRead, error, refetch }: Uses) {
  return (
    <>
      {error !== undefined && (
        <Alert severity="error" action={<Button onClick={() => void refetch()}>{texts.kinds.again}</Button>}>
          {messageOf(error)}
        </Alert>
      )}
      {error === undefined && !isRead && <LinearProgress aria-label={texts.layout.reading} />}
      {lists.map((list) => list.nodes.length > 0 && <UseList key={list.use.kind.name + list.use.path} {...list} />)}
    </>
  );
}

function UseList({ use: { kind }, where, nodes }: Uses['lists'][number]) {
  const total = useTotal(kind, { ...where });
  const label = kind.fields.find(({ name }) => name === kind.label);
  if (!label) return null;
  const list = `/${kind.collection}?${new URLSearchParams({ filter: JSON.stringify(where) }).toString()}`;
  return (
    <Paper component="section" sx={{ p: 2 }}>
      <Typography component="h2" variant="h6" gutterBottom>
        {texts.kinds.listOf(kind.collection, total)}
      </Typography>
      <Stack direction="row" useFlexGap spacing={2} sx={{ flexWrap: 'wrap' }}>
        {nodes.map((node) => (
          <Value key={node.ref} field={{ ...label, sort: 'link' }} value={{ ...node, __typename: kind.name }} />
        ))}
      </Stack>
      {total !== undefined && total > SHOWN && (
        <Link component={RouterLink} to={list}>
          {texts.kinds.all(total)}
        </Link>
      )}
    </Paper>
  );
}
