import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  LinearProgress,
  Stack,
  TextField,
  Typography,
} from '@mui/material';
import { useEffect, useState } from 'react';
import { useNotify, useRefresh as useRefreshAdmin } from 'react-admin';

import { CallEffects } from '../effects/call-effects';
import { callsOfRevert } from '../effects/calls';
import { GraphError, isTooSlow, messageOf } from '../graph/graph-error';
import { request, useGraph, useRefresh } from '../graph/request';
import { useModel } from '../model/model';
import { ResourceName } from '../parts/links';
import { isComplete, NO_WAIT, type Wait, WAIT_DECLARED, WAIT_PASSED, waitVariables } from '../pending/wait';
import { WaitOptions } from '../pending/wait-options';
import { texts } from '../texts';
import { Diff } from './diff';
import { type DonePage, requestsOf } from './done';
import { type Change, CHANGE, nameIn, namesIn } from './entry';
import { LargeRevert } from './large-revert';
import { Sentence } from './sentence';
import { words } from './texts';

/** A request can have changed thousands of resources. */
const SHOWN = 50;

interface RevertDialogProps {
  readonly what: Reverting;
  /** Called with true after the revert. */
  readonly onClose: (isReverted: boolean) => void;
}

/** Shows what a revert would do, asks for the secrets that it needs, and then does it. */
export function RevertDialog({ what, onClose }: RevertDialogProps) {
  const [hasTooMany, setTooMany] = useState(false);
  return (
    <Dialog open onClose={() => onClose(false)} aria-labelledby="revert-title" fullWidth maxWidth="sm">
      <DialogTitle id="revert-title">
        {'entry' in what ? words.revertEntry(what.entry) : words.revertRequest}
      </DialogTitle>
      {'request' in what && (what.isLarge === true || hasTooMany) ? (
        <LargeRevert request={what.request} onClose={onClose}>
          <WhatWasDone request={what.request} />
        </LargeRevert>
      ) : (
        <Revert what={what} onClose={onClose} onTooMany={() => setTooMany(true)} />
      )}
    </Dialog>
  );
}

function Revert({ what, onClose, onTooMany }: RevertDialogProps & { readonly onTooMany: () => void }) {
  const [secrets, setSecrets] = useState<Secrets>({});
  const [needed, setNeeded] = useState<readonly string[]>([]);
  const [changes, setChanges] = useState<readonly Change[]>();
  const [failure, setFailure] = useState<unknown>();
  const [sent, setSent] = useState<Secrets>({});
  const [isBusy, setBusy] = useState(false);
  const [wait, setWait] = useState<Wait>(NO_WAIT);
  const notify = useNotify();
  const refreshHistory = useRefresh('history', 'pendingChanges');
  const refreshPage = useRefreshAdmin();

  const run = async (dryRun: boolean): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    setSent(secrets);
    try {
      const reverted = await revert(what, secrets, dryRun, dryRun ? NO_WAIT : wait);
      setChanges(reverted);
      if (dryRun) return;
      const isLater = wait.at !== null;
      notify(isLater ? words.scheduled : words.done(reverted.length), { type: 'info' });
      onClose(!isLater);
      refreshPage();
      await refreshHistory();
    } catch (error) {
      setChanges(undefined);
      setFailure(error);
      if (hasTooManyEntries(error) || isOutOfTime(error)) onTooMany();
      if (isForSecrets(error)) setNeeded((known) => [...new Set([...known, ...error.fields])]);
    } finally {
      setBusy(false);
    }
  };
  // The dialog opens with what would happen.
  useEffect(() => void run(true), []);

  const mayRevert = isTooSlow(failure) || (changes !== undefined && changes.length > 0);
  return (
    <>
      <DialogContent>
        <Stack spacing={2}>
          {'request' in what && <WhatWasDone request={what.request} />}
          {isBusy && <LinearProgress aria-label={texts.parts.loading} />}
          {failure !== undefined && <Failure error={failure} sent={sent} />}
          {needed.map((field) => (
            <TextField
              key={field}
              label={texts.kinds.heading(field)}
              type="password"
              autoComplete="new-password"
              value={secrets[field] ?? ''}
              error={isRefused(failure, field, sent)}
              helperText={isRefused(failure, field, sent) && failure.at(field)}
              onChange={({ target }) => setSecrets({ ...secrets, [field]: target.value })}
            />
          ))}
          {changes && changes.length > 0 && <CallEffects load={async () => callsOfRevert(what, sent)} />}
          {changes && <Preview changes={changes} />}
          {changes && changes.length > 0 && <WaitOptions value={wait} isBusy={isBusy} onChange={setWait} />}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={() => onClose(false)}>{texts.parts.cancel}</Button>
        {needed.length > 0 && (
          <Button disabled={isBusy} onClick={() => void run(true)}>
            {words.check}
          </Button>
        )}
        <Button
          variant="contained"
          disabled={isBusy || !mayRevert || !isComplete(wait)}
          onClick={() => void run(false)}
        >
          {words.revert}
        </Button>
      </DialogActions>
    </>
  );
}

/** What the request did, in a sentence: the preview of a large one takes too long. */
function WhatWasDone({ request: id }: { readonly request: string }) {
  const { data } = useGraph<{ requests: DonePage }>('history', requestsOf(useModel()), { where: { request: id } });
  const [done] = data?.requests.nodes ?? [];
  if (!done) return null;
  return (
    <Typography>
      {words.undoes(texts.requests.who(done.who?.username), <Sentence done={done} hasLinks={false} />)}
    </Typography>
  );
}

function Preview({ changes }: { readonly changes: readonly Change[] }) {
  const names = namesIn(useModel().kinds, changes);
  if (changes.length === 0) return <Alert severity="info">{words.nothing}</Alert>;
  return (
    <>
      <Typography>{words.wouldChange}</Typography>
      {changes.slice(0, SHOWN).map((change) => (
        <div key={change.entry}>
          <Headline change={change} />
          <Diff kind={change.kind} changes={change.changes} names={names} />
        </div>
      ))}
      {changes.length > SHOWN && <Typography>{words.others(changes.length - SHOWN)}</Typography>}
    </>
  );
}

function Headline({ change }: { readonly change: Change }) {
  const { kinds } = useModel();
  const { event, kind, ref } = change;
  const own = kinds.find(({ name }) => name === kind);
  const name = own ? <ResourceName kind={kind} of={ref} known={nameIn(change.changes, own.label)} /> : ref;
  return words.headline(event, kind, name);
}

function Failure({ error, sent }: { readonly error: unknown; readonly sent: Secrets }) {
  // Refused secrets are told at their fields.
  if (isForSecrets(error) && error.fields.some((field) => isRefused(error, field, sent))) return null;
  if (isForSecrets(error)) return <Alert severity="info">{words.needsSecrets}</Alert>;
  if (isTooSlow(error)) return <Alert severity="warning">{words.noPreview}</Alert>;
  const { code, fields } = error instanceof GraphError ? error : { code: '', fields: [] };
  return (
    <Alert severity="error">
      {(code === 'CONFLICT' ? words.conflict : words.refused)(messageOf(error))}
      {fields.length > 0 && <div>{words.fields(fields.map((field) => texts.kinds.heading(field)))}</div>}
    </Alert>
  );
}

/** What to revert: an entry, or all that a request did. */
export type Reverting = { readonly entry: string } | WholeRequest;

interface WholeRequest {
  readonly request: string;
  /** Whether it is reverted in the background, in pieces. */
  readonly isLarge?: boolean;
}

/** Secrets by their fields. */
type Secrets = Readonly<Record<string, string>>;

/** Reverts, or with `dryRun` returns what a revert would do. Throws a GraphError. */
async function revert(what: Reverting, secrets: Secrets, dryRun: boolean, wait: Wait): Promise<readonly Change[]> {
  const [field, argument, type, value] =
    'entry' in what ? ['revert', 'entry', 'ID!', what.entry] : ['revertRequest', 'id', 'String!', what.request];
  const document = `mutation Revert($of: ${type}, $secrets: [RevertSecretInput!], $dryRun: Boolean!, ${WAIT_DECLARED}) {
    reverted: ${field}(${argument}: $of, secrets: $secrets, dryRun: $dryRun, ${WAIT_PASSED}) { ${CHANGE} }
  }`;
  const given = Object.entries(secrets).map(([name, secret]) => ({ field: name, value: secret }));
  const variables = { of: value, secrets: given, dryRun, ...waitVariables(wait) };
  const { reverted } = await request<{ reverted: readonly Change[] }>(document, variables);
  return reverted;
}

/** Whether the server refused the secret that was entered for a field. */
function isRefused(error: unknown, field: string, sent: Secrets): error is GraphError {
  return isForSecrets(error) && error.fields.includes(field) && sent[field] !== undefined;
}

/** Whether the revert needs other secrets than those that were given. */
function isForSecrets(error: unknown): error is GraphError {
  if (!(error instanceof GraphError) || error.code !== 'BAD_USER_INPUT' || isTooSlow(error)) return false;
  return error.fields.length > 0 && !error.fields.some((field) => /^(at|confirmWithin|revertIf)\b/.test(field));
}

/** Whether a request has too many entries for one revert (src/history/revert-service.ts): the server names what takes more. */
function hasTooManyEntries(error: unknown): boolean {
  return error instanceof GraphError && error.code === 'NOT_SUPPORTED' && error.message.includes('startRevert');
}

/** Whether a request took longer than it may (REQUEST_TIMEOUT), so that nothing was changed. In the background it may take any time. */
function isOutOfTime(error: unknown): boolean {
  return error instanceof GraphError && error.code === 'UNAVAILABLE' && /took longer than \d+ s;/.test(error.message);
}
