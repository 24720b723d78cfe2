import EvictIcon from '@mui/icons-material/PhoneDisabled';
import { IconButton, Tooltip } from '@mui/material';
import { useState } from 'react';
import { useNotify } from 'react-admin';

import { request } from '../graph/client';
import { Confirm } from '../parts/confirm';
import { live as words } from '../texts/live';
import { EVICT } from './operations';

interface Props {
  readonly aor: string;
  readonly onEvicted: () => void;
}

/** Ends the registrations of all devices of an address of record, after a confirmation. */
export function EvictButton({ aor, onEvicted }: Props) {
  const [isAsking, setAsking] = useState(false);
  const notify = useNotify();
  const evict = async (): Promise<void> => {
    const { evictContact } = await request<{ readonly evictContact: number }>(EVICT, { aor });
    notify(words.evicted(evictContact), { type: 'success' });
    onEvicted();
  };
  return (
    <>
      <Tooltip title={words.evict(aor)}>
        <IconButton size="small" aria-label={words.evict(aor)} onClick={() => setAsking(true)}>
          <EvictIcon fontSize="small" />
        </IconButton>
      </Tooltip>
      {isAsking && (
        <Confirm
          title={words.evictTitle}
          about={words.evictQuestion(aor)}
          submit={words.evictConfirm}
          onConfirm={evict}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
