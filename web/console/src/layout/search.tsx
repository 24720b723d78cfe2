import SearchIcon from '@mui/icons-material/Search';
import { Box, ButtonBase, type Theme } from '@mui/material';
import { createContext, useContext } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

import { textOfCall } from '../explain/question';
import { texts } from '../texts';

/** Has the function that opens the search. */
export const SearchOpener = createContext<() => void>(() => undefined);

/** Returns a function that opens the search. */
export function useOpenSearch(): () => void {
  return useContext(SearchOpener);
}

/** The question that the page answers; empty on other pages. */
export function useAsked(): string {
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  const [asked = '', from = '', source = ''] = ['q', 'from', 'source'].map((name) => parameters.get(name) ?? '');
  if (pathname !== '/') return '';
  return from === '' ? asked : textOfCall({ from, to: asked, source });
}

/** Opens the search, in the bar of every page. Looks like the field that it opens. */
export function SearchButton() {
  const open = useOpenSearch();
  const asked = useAsked();
  return (
    <ButtonBase
      aria-haspopup="dialog"
      aria-keyshortcuts="/ Control+K Meta+K"
      onClick={open}
      sx={{
        ...{ display: 'flex', gap: 1, px: 1, py: 0.5, mx: 1, minWidth: 0, height: 32, borderRadius: 1 },
        ...{ border: 1, borderColor: 'divider', typography: 'body2', color: 'inherit' },
        width: { xs: 32, sm: 280 },
        justifyContent: { xs: 'center', sm: 'flex-start' },
      }}
    >
      <SearchIcon fontSize="small" />
      <Box component="span" sx={LABEL}>
        {asked === '' ? (
          texts.search.open
        ) : (
          <>
            <span style={HIDDEN}>{texts.search.before}</span>
            {asked}
          </>
        )}
      </Box>{' '}
      <Box component="kbd" sx={{ display: { xs: 'none', sm: 'block' }, whiteSpace: 'nowrap', font: 'inherit' }}>
        {texts.search.keys}
      </Box>
    </ButtonBase>
  );
}

/** For screen readers only. */
export const HIDDEN = {
  position: 'absolute',
  ...{ width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)', whiteSpace: 'nowrap' },
} as const;

/** There is no room for it on a phone. */
const LABEL = ({ breakpoints }: Theme) =>
  ({
    ...{ flex: 1, textAlign: 'left', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    [breakpoints.down('sm')]: HIDDEN,
  }) as const;
