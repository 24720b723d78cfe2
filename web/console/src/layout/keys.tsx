import { useEffect } from 'react';
import { useStore } from 'react-admin';
import { useLocation, useNavigate } from 'react-router-dom';

import { DialogFrame } from '../parts/dialogs';
import { texts } from '../texts';
import { useOpenSearch } from './search';

/** The input that `/` focuses, on pages with a search of their own. */
const SEARCH = '[data-search]';

interface Props {
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/** The keys that work on every page, and the dialog that lists them and turns them off. */
export function Keys({ isOpen, setOpen }: Props) {
  const [isOn, setOn] = useStore('keys', true);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const openSearch = useOpenSearch();

  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isSearch = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      // Works in fields, too, but does not leave a dialog.
      if (isSearch && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        if (!isInDialog(event.target)) openSearch();
        return;
      }
      if (!isOn || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.defaultPrevented || isInUse(event.target)) return;
      const [collection, id, page] = pathname.split('/').slice(1);
      if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>(SEARCH);
        if (search) search.focus();
        else openSearch();
      } else if (event.key === '?') setOpen(true);
      else if (event.key === 'g') void navigate('/');
      else if (event.key === 'n' && id === undefined) click(`a[href$="/${collection ?? ''}/create"]`);
      else if (event.key === 'e' && page === 'show') click(`a[href$="/${collection ?? ''}/${id ?? ''}"]`);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before the menu, which searches its entries for typed letters.
    document.addEventListener('keydown', press, true);
    return () => document.removeEventListener('keydown', press, true);
  }, [isOn, pathname, navigate, setOpen, openSearch]);

  return isOpen && <KeysDialog isOn={isOn} setOn={setOn} onClose={() => setOpen(false)} />;
}

/** Presses a link, if the page offers it. */
function click(selector: string): void {
  document.querySelector<HTMLAnchorElement>(selector)?.click();
}

/** What uses keys itself: fields, dialogs, menus and lists of options. */
const USES_KEYS = [
  'input:not([type=checkbox])',
  'textarea',
  'select',
  '[role=dialog]',
  '[role=combobox]',
  '[role=listbox]',
  '.MuiPopover-root [role=menu]',
].join();

function isInUse(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest(USES_KEYS) !== null);
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[role=dialog]') !== null;
}

interface DialogProps {
  readonly isOn: boolean;
  readonly setOn: (isOn: boolean) => void;
  readonly onClose: () => void;
}

/** Lists the keys, and turns them off for those who press them by accident, such as users of speech input. */
function KeysDialog({ isOn, setOn, onClose }: DialogProps) {
  return (
    <DialogFrame title={texts.layout.keys} onClose={onClose} close={texts.layout.close}>
      <dl>
        {texts.layout.keyList.map(([key, meaning]) => (
          <div key={key}>
            <dt style={{ display: 'inline-block', width: '3rem' }}>
              <kbd>{key}</kbd>
            </dt>
            <dd style={{ display: 'inline', margin: 0 }}>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input type="checkbox" checked={isOn} onChange={({ target }) => setOn(target.checked)} /> {texts.layout.keysOn}
      </label>
    </DialogFrame>
  );
}
