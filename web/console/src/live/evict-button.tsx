import EvictIcon from '@mui/icons-material/PhoneDisabled';
import { IconButton, Tooltip } from '@mui/material';
import { useState } from 'react';
import { useNotify } from 'react-admin';

import { request } from '../graph/request';
import { Confirm } from '../parts/dialogs';
import { texts } from '../texts';
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
    notify(texts.live.evicted(evictContact), { type: 'success' });
    onEvicted();
  };
  return (
    <>
      <Tooltip title={texts.live.evict(aor)}>
        <IconButton size="small" aria-label={texts.live.evict(aor)} onClick={() => setAsking(true)}>
          <EvictIcon fontSize="small" />
        </IconButton>
      </Tooltip>
      {isAsking && (
        <Confirm
          title={texts.live.evictTitle}
          about={texts.live.evictQuestion(aor)}
          submit={texts.live.evictConfirm}
          onConfirm={evict}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
