import { Box } from '@mui/material';
import { Fragment, type ReactNode } from 'react';

import { useGroups } from '../graph/spelling';
import { Time } from './time';

const NUMBER_OR_TIME = /(tel:[+\d*#][\d*#\-.()]*|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/;

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

/** A text of the server, with the tel URIs in it as numbers, and its times in the user's time zone. */
export function TextWithNumbers({ children }: { readonly children: string }) {
  return children
    .split(NUMBER_OR_TIME)
    .map((part, index) => <Fragment key={index}>{index % 2 === 1 ? readable(part) : part}</Fragment>);
}

function readable(part: string): ReactNode {
  return part.startsWith('tel:') ? <Telephone telUrl={part} /> : <Time value={part} />;
}
