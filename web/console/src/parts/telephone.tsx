import { Box } from '@mui/material';
import { Fragment } from 'react';

import { useGroups } from '../graph/spelling';

const NUMBER = /(tel:[+\d*#][\d*#\-.()]*)/;

/**
 * The number of a tel URI, in groups of digits. Between the groups is room, but no text: what is copied, and what the
 * page is searched for, is the number in the form of E.164.
 */
export function Telephone({ telUrl }: { readonly telUrl: string }) {
  const groups = useGroups(telUrl);
  if (groups.length === 1) return groups[0];
  return (
    <Box component="span" sx={{ whiteSpace: 'nowrap', '& > span + span': { ml: '0.3em' } }}>
      {groups.map((group, index) => (
        <span key={index}>{group}</span>
      ))}
    </Box>
  );
}

/** A text, with the tel URIs in it as numbers. */
export function TextWithNumbers({ children }: { readonly children: string }) {
  return children
    .split(NUMBER)
    .map((part, index) => <Fragment key={index}>{index % 2 === 1 ? <Telephone telUrl={part} /> : part}</Fragment>);
}
