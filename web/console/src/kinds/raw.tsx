import { Stack, Typography } from '@mui/material';

import type { ResourceRecord } from '../data/data-provider';
import { selectionOf } from '../data/queries';
import { type Kind, useModel } from '../model/model';
import { CopyButton } from '../parts/dialogs';
import { Section } from '../parts/page';
import { texts } from '../texts';
import { MONOSPACE } from '../theme';

interface Props {
  readonly kind: Kind;
  readonly record: ResourceRecord;
}

/** The resource as the graph returns it, with the query, for those who write programs. The graph returns no secrets. */
export function Raw({ kind, record: { id, ...fields } }: Props) {
  const query = indented(`{ ${kind.single}(ref: ${JSON.stringify(id)}) { ${selectionOf(useModel(), kind, true)} } }`);
  return (
    <Stack spacing={3}>
      <Typography sx={{ color: 'text.secondary' }}>{texts.kinds.raw}</Typography>
      <Text title={texts.kinds.document} text={query} />
      <Text title={texts.kinds.result} text={JSON.stringify({ data: { [kind.single]: fields } }, null, 2)} />
    </Stack>
  );
}

/** A document of GraphQL with a line for each field. */
function indented(document: string): string {
  const lines: string[] = [];
  let depth = 0;
  for (const token of document.match(/[{}]|\.\.\. on \w+|[^\s{}(]+(?:\([^)]*\))?/g) ?? []) {
    if (token === '}') depth--;
    const last = lines.pop();
    if (last !== undefined) lines.push(token === '{' ? `${last} {` : last);
    if (token !== '{' || last === undefined) lines.push('  '.repeat(depth) + token);
    if (token === '{') depth++;
  }
  return lines.join('\n');
}

function Text({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <Section title={title} action={<CopyButton value={text} label={texts.parts.copyOf(title)} />}>
      <Typography
        component="pre"
        sx={{
          ...{ m: 0, p: 2, border: 1, borderColor: 'divider', borderRadius: 1, fontFamily: MONOSPACE },
          ...{ fontSize: '0.8125rem', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
        }}
      >
        {text}
      </Typography>
    </Section>
  );
}
