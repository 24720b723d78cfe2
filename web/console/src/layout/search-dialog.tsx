import { Box, Dialog, InputBase, Typography } from '@mui/material';
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useStore } from 'react-admin';
import { useNavigate } from 'react-router-dom';

import { texts } from '../texts';
import { HIDDEN, SearchOpener, useAsked } from './search';
import { useFound, type Found } from './use-found';

const words = texts.search;
const RECENT = 5;

/** Has the dialog of the search, which `useOpenSearch` opens. */
export function WithSearch({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const asked = useAsked();
  return (
    <SearchOpener value={() => setOpen(true)}>
      {children}
      {isOpen && <SearchDialog asked={asked} onClose={() => setOpen(false)} />}
    </SearchOpener>
  );
}

interface Props {
  /** The text that the search begins with. */
  readonly asked: string;
  readonly onClose: () => void;
}

/**
 * Searches everything: numbers, addresses and names, pages and actions. The field keeps the focus, and the arrow keys
 * choose an option (the combobox pattern of the ARIA Authoring Practices).
 */
function SearchDialog({ asked, onClose }: Props) {
  const id = useId();
  const navigate = useNavigate();
  const [text, setText] = useState(asked);
  const [place, setPlace] = useState(0);
  const [recent, setRecent] = useStore<readonly Found[]>('search.recent', []);
  const { found, isSearching, error } = useFound(text, recent);
  const chosen = Math.min(place, found.length - 1);
  const optionId = (index: number): string => `${id}-${String(index)}`;

  const open = (option: Found): void => {
    const others = recent.filter(({ to }) => to !== option.to);
    setRecent([{ ...option, group: 'recent' as const }, ...others].slice(0, RECENT));
    onClose();
    if (option.to.startsWith('/')) void navigate(option.to);
    else location.assign(option.to);
  };
  const press = (event: KeyboardEvent): void => {
    const option = found[chosen];
    if (event.key === 'ArrowDown') setPlace((chosen + 1) % Math.max(found.length, 1));
    else if (event.key === 'ArrowUp') setPlace((chosen - 1 + found.length) % Math.max(found.length, 1));
    // Enter that ends the input of a Chinese or Japanese word is not meant.
    else if (event.key === 'Enter' && option && !event.nativeEvent.isComposing) open(option);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog
      open
      onClose={onClose}
      aria-labelledby={`${id}-title`}
      fullWidth
      maxWidth="sm"
      // Opens at once: whoever types on must not wait for it.
      transitionDuration={0}
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
    >
      <h2 id={`${id}-title`} style={HIDDEN}>
        {words.title}
      </h2>
      <InputBase
        autoFocus
        value={text}
        placeholder={words.label}
        onChange={({ target }) => {
          setText(target.value);
          setPlace(0);
        }}
        onFocus={({ target }) => target.select()}
        onKeyDown={press}
        slotProps={{
          input: {
            role: 'combobox',
            'aria-label': words.label,
            'aria-autocomplete': 'list',
            'aria-expanded': found.length > 0,
            'aria-controls': `${id}-options`,
            'aria-activedescendant': found.length > 0 ? optionId(chosen) : undefined,
            maxLength: 320,
            autoComplete: 'off',
            spellCheck: false,
          },
        }}
        sx={{ px: 2, py: 1, borderBottom: 1, borderColor: 'divider', flex: 'none' }}
      />
      <Box
        id={`${id}-options`}
        role="listbox"
        aria-label={words.title}
        aria-busy={isSearching}
        sx={{ overflowY: 'auto', maxHeight: '60vh', py: found.length > 0 ? 1 : 0 }}
      >
        {found.map((option, index) => (
          <Option
            key={`${option.group} ${option.to} ${option.detail}`}
            id={optionId(index)}
            option={option}
            isFirst={option.group !== found[index - 1]?.group}
            isChosen={index === chosen}
            onPoint={() => setPlace(index)}
            onOpen={() => open(option)}
          />
        ))}
      </Box>
      <Typography role="status" variant="body2" color="text.secondary" sx={{ px: 2, py: 1 }}>
        {error ? words.failed(error.message) : isSearching ? words.searching : statusOf(text, found)}
      </Typography>
    </Dialog>
  );
}

function statusOf(text: string, found: readonly Found[]): string {
  if (text.trim() === '') return words.hint;
  return found.length === 0 ? words.none : words.count(found.length);
}

interface OptionProps {
  readonly id: string;
  readonly option: Found;
  /** Whether its group begins with it. */
  readonly isFirst: boolean;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
  readonly onOpen: () => void;
}

function Option({ id, option: { group, label, detail }, isFirst, isChosen, onPoint, onOpen }: OptionProps) {
  return (
    <>
      {isFirst && (
        <Typography role="presentation" variant="body2" color="text.secondary" sx={{ px: 2, pt: 1 }}>
          {words.groups[group]}
        </Typography>
      )}
      <Box
        id={id}
        role="option"
        aria-selected={isChosen}
        ref={(element: HTMLElement | null) => {
          if (isChosen) element?.scrollIntoView({ block: 'nearest' });
        }}
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onMouseMove={onPoint}
        onClick={onOpen}
        sx={{
          ...{ display: 'flex', gap: 1, alignItems: 'baseline', px: 2, py: 0.75, cursor: 'pointer' },
          bgcolor: isChosen ? 'action.selected' : undefined,
        }}
      >
        <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
          {label}
        </Box>
        <Typography component="span" variant="body2" color="text.secondary" sx={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Typography>
      </Box>
    </>
  );
}
