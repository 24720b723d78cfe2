import { Alert, Button, Checkbox, FormControlLabel, LinearProgress, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router-dom';

import { createKeys } from '../data/forms';
import { messageOf } from '../graph/graph-error';
import { useGraph, useRefresh } from '../graph/request';
import { RETRIES } from '../graph/retries';
import { RevertDialog } from '../history/revert-dialog';
import { GatewayLink, PageLink, ResourceLink } from '../parts/links';
import { Page } from '../parts/page';
import { words as waitWords } from '../pending/texts';
import { isComplete, isScheduled, isWaiting, NO_WAIT, type Wait } from '../pending/wait';
import { Scheduled, WaitOptions } from '../pending/wait-options';
import { texts } from '../texts';
import { Finder, type Choice } from './finder';
import {
  findGateways,
  MOST_WAITING,
  previewReplacement,
  replaceAndWait,
  replaceGateway,
  type Replaced,
} from './replace';
import { words } from './texts';

const { replace } = words;

/** A page of its own, because that of the gateway ends when the gateway is deleted. */
export function ReplacePage() {
  const { ref = '' } = useParams();
  return (
    <Page title={replace.title}>
      {/* For another gateway, it begins anew. */}
      <Replacement key={ref} from={ref} />
    </Page>
  );
}

const OLD = 'query OldGateway($ref: String!) { gateway(ref: $ref) { ref name host } }';

interface Old {
  readonly gateway: { readonly ref: string; readonly name: string; readonly host: string };
}

/** What was done, for which gateway, and whether it was reverted. */
interface Done extends Replaced {
  readonly to: Choice;
  readonly isDeleted: boolean;
  readonly isUndone: boolean;
}

function Replacement({ from }: { readonly from: string }) {
  // Read once: it may be deleted here.
  const { data, error } = useGraph<Old>('old gateway', OLD, { ref: from }, { staleTime: Infinity });
  const [done, setDone] = useState<Done>();
  const [isUndoing, setUndoing] = useState(false);
  // Whoever reads the page again when the gateway is deleted still sees what was done, and its Undo.
  if (!data)
    return error ? (
      <Alert severity="error">{messageOf(error)}</Alert>
    ) : (
      <LinearProgress aria-label={texts.parts.loading} />
    );
  const { name } = data.gateway;
  if (!done) return <ReplaceForm old={data.gateway} onDone={setDone} />;
  const { dids, numbers, to, request, pending, isDeleted, isUndone } = done;
  if (isScheduled(pending)) return <Scheduled waiting={pending} />;
  return (
    <Stack spacing={2} sx={{ maxWidth: '40rem' }}>
      <Alert
        severity={isUndone ? 'info' : 'success'}
        role="status"
        action={request !== null && !isUndone && <Button onClick={() => setUndoing(true)}>{replace.undo}</Button>}
      >
        {isUndone ? replace.undone : replace.moved(dids, numbers, to.label) + (isDeleted ? replace.deleted(name) : '')}
      </Alert>
      <div>
        <ResourceLink kind="Gateway" of={isUndone ? from : to.ref}>
          {words.newUser.open(isUndone ? name : to.label)}
        </ResourceLink>
      </div>
      {isUndoing && request !== null && (
        <RevertDialog
          what={{ request }}
          onClose={(isReverted) => {
            setUndoing(false);
            if (isReverted) setDone({ ...done, isUndone: true });
          }}
        />
      )}
    </Stack>
  );
}

interface FormProps {
  readonly old: Old['gateway'];
  readonly onDone: (done: Done) => void;
}

function ReplaceForm({ old, onDone }: FormProps) {
  const [to, setTo] = useState<Choice | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [keyOf] = useState(createKeys);
  const [wait, setWait] = useState<Wait>(NO_WAIT);
  const refreshPending = useRefresh('pendingChanges');
  const preview = useQuery({
    queryKey: ['replacement', old.ref, to?.ref],
    queryFn: async ({ signal }) => previewReplacement(old.ref, to?.ref ?? '', signal),
    enabled: to !== null,
    gcTime: 0,
    refetchOnWindowFocus: false,
    ...RETRIES,
  });
  const expected = to ? preview.data : undefined;
  const count = expected ? expected.dids + expected.numbers : 0;
  const waits = isWaiting(wait);
  const isTooLarge = waits && count + (isDeleting ? 1 : 0) > MOST_WAITING;

  const run = async (): Promise<void> => {
    if (!to || !expected) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const key = keyOf({ ...expected, to: to.ref, isDeleting, wait });
      const replaced = waits
        ? await replaceAndWait(old.ref, to.ref, expected, isDeleting, wait, key)
        : await replaceGateway(old.ref, to.ref, expected, isDeleting, key);
      if (waits) await refreshPending();
      onDone({ ...replaced, to, isDeleted: isDeleting, isUndone: false });
    } catch (error) {
      setFailure(error);
      await preview.refetch();
      setBusy(false);
    }
  };

  return (
    <Stack spacing={2} sx={{ maxWidth: '40rem' }}>
      <Typography>{replace.old(<GatewayLink of={old} />, old.host)}</Typography>
      <Finder
        required
        autoFocus
        label={replace.gateway}
        hint={replace.gatewayHint}
        none={replace.noGateway}
        what={['gateways but', old.ref]}
        find={async (text, signal) => findGateways(old.ref, text, signal)}
        value={to}
        onChange={setTo}
      />
      <FormControlLabel
        sx={{ ml: '-9px' }}
        control={<Checkbox checked={isDeleting} onChange={({ target }) => setDeleting(target.checked)} />}
        label={replace.delete(old.name)}
      />
      {failure !== undefined && (
        <Alert severity="error">
          {waits ? messageOf(failure) : replace.stopped(messageOf(failure))}{' '}
          <PageLink to="/history">{replace.history}</PageLink>
        </Alert>
      )}
      <div role="status">
        {to && preview.isFetching && <LinearProgress aria-label={replace.looking} />}
        {to && expected && (
          <Alert severity="info">
            {replace.wouldMove(expected.dids, expected.numbers, old.name, to.label)}
            {isDeleting && <> {replace.wouldDelete(old.name)}</>}
          </Alert>
        )}
      </div>
      {preview.error && <Alert severity="error">{messageOf(preview.error)}</Alert>}
      {to && expected && <WaitOptions value={wait} isBusy={isBusy} onChange={setWait} />}
      {isTooLarge && <Alert severity="warning">{waitWords.wait.noSets(MOST_WAITING)}</Alert>}
      <div>
        <Button
          variant="contained"
          color={isDeleting ? 'error' : 'primary'}
          disabled={
            isBusy || preview.isFetching || !expected || (count === 0 && !isDeleting) || isTooLarge || !isComplete(wait)
          }
          onClick={() => void run()}
        >
          {replace.submit(count, isDeleting)}
        </Button>
      </div>
    </Stack>
  );
}
