import { Box, Link } from '@mui/material';
import { useId } from 'react';

import { PageLink } from '../parts/links';
import { Time } from '../parts/time';
import { texts } from '../texts';
import type { Done } from './done';
import { Sentence } from './sentence';

const words = texts.requests;

/** A button of a line. */
interface Action {
  readonly text: string;
  /** Whether what it unfolds is shown. */
  readonly isOpen?: boolean;
  readonly onPress: () => void;
}

interface Props {
  readonly done: Done;
  /** The address of the page that has more about it. */
  readonly to?: string | undefined;
  /** The names of users by their references. */
  readonly users?: ReadonlyMap<string, string> | undefined;
  readonly actions: readonly Action[];
}

/** A request in a line: who did what and when. */
export function RequestLine({ done, to, users, actions }: Props) {
  const id = useId();
  const sentence = <Sentence done={done} hasLinks={to === undefined} users={users} />;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, alignItems: 'baseline', typography: 'body2' }}>
      <Box id={id} sx={{ flex: '1 1 14rem', minWidth: 0, overflowWrap: 'anywhere' }}>
        {words.line(
          <Box component="span" sx={{ fontWeight: 600 }}>
            {words.who(isOfNobody(done) ? '' : done.who?.username)}
          </Box>,
          to === undefined ? (
            sentence
          ) : (
            <PageLink to={to} color="inherit" underline="hover">
              {sentence}
            </PageLink>
          ),
        )}
        {done.reason !== null && words.because(done.reason)}
      </Box>
      <Box sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
        <Time isBrief value={done.at} />
      </Box>
      {actions.map(({ text, isOpen, onPress }) => (
        <Link
          key={text}
          component="button"
          variant="body2"
          id={`${id}-${text}`}
          // The buttons of a list are told apart by their lines.
          aria-labelledby={`${id}-${text} ${id}`}
          aria-expanded={isOpen}
          onClick={onPress}
        >
          {text}
        </Link>
      ))}
    </Box>
  );
}

/** Nobody is who tried to sign in and failed. */
function isOfNobody({ parts }: Done): boolean {
  return parts[0]?.event === 'SIGN_IN_FAILED';
}
