import { Alert, Button, Chip, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { useNotify } from 'react-admin';

import { messageOf } from '../graph/graph-error';
import { request, useGraph, useRefresh } from '../graph/request';
import { ShownOnce } from '../parts/dialogs';
import { useNamesOfRefs } from '../parts/names-of-refs';
import { Page, Rows } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { MONOSPACE } from '../theme';
import { AttemptsStrip } from './attempts-strip';
import { VerifyDialog } from './verify-dialog';
import { CONTINUE, PAUSE, PING, type Ping, type Webhook, WEBHOOKS } from './webhook';
import { type Action, WebhookDialog } from './webhook-dialog';

/** All webhooks, for admins. */
export function WebhooksPage() {
  const { data, error } = useGraph<{ webhooks: readonly Webhook[] }>('webhooks', WEBHOOKS);
  const [open, setOpen] = useState<{ readonly action: Action; readonly webhook?: Webhook }>();
  const [secret, setSecret] = useState<string>();
  const [isVerifying, setVerifying] = useState(false);
  const refs = new Set(data?.webhooks.flatMap((webhook) => webhook.refs ?? []));
  const nameOf = useNamesOfRefs([...refs]);
  return (
    <Page
      title={texts.titles.webhooks}
      actions={
        <>
          <Button variant="outlined" onClick={() => setVerifying(true)}>
            {texts.webhooks.verify}
          </Button>
          <Button variant="contained" onClick={() => setOpen({ action: 'create' })}>
            {texts.webhooks.new}
          </Button>
        </>
      }
    >
      <Rows
        label={texts.titles.webhooks}
        rows={data?.webhooks}
        error={error}
        empty={texts.webhooks.empty}
        keyOf={({ ref }) => ref}
      >
        {(webhook) => (
          <>
            <Description webhook={webhook} nameOf={nameOf} />
            <AttemptsStrip attempts={webhook.attempts} />
            <Actions webhook={webhook} onOpen={(action) => setOpen({ action, webhook })} />
          </>
        )}
      </Rows>
      {open && <WebhookDialog {...open} onSecret={setSecret} onClose={() => setOpen(undefined)} />}
      {isVerifying && <VerifyDialog onClose={() => setVerifying(false)} />}
      {secret !== undefined && (
        <ShownOnce title={texts.webhooks.secret} value={secret} onClose={() => setSecret(undefined)} />
      )}
    </Page>
  );
}

interface DescriptionProps {
  readonly webhook: Webhook;
  /** What a reference is called. */
  readonly nameOf: (ref: string) => string;
}

function Description({ webhook, nameOf }: DescriptionProps) {
  const { url, events, kinds, refs, note, madeBy, pausedOn, pausedReason, previousSecretUntil } = webhook;
  return (
    <>
      <Typography component="div">
        <strong>{url}</strong>{' '}
        <Chip
          size="small"
          variant="outlined"
          label={pausedOn === null ? texts.webhooks.active : texts.webhooks.paused}
        />
      </Typography>
      <Typography component="div" variant="body2">
        {texts.parts.list(
          ...[...events, ...(kinds ?? [])].map(texts.kinds.choice),
          ...(refs ?? []).map(nameOf),
          texts.webhooks.by(madeBy),
          note,
          previousSecretUntil !== null && texts.webhooks.oldSecret(<Time value={previousSecretUntil} />),
        )}
      </Typography>
      {pausedReason !== null && <Alert severity="warning">{texts.webhooks.pausedBecause(pausedReason)}</Alert>}
    </>
  );
}

interface ActionsProps {
  readonly webhook: Webhook;
  readonly onOpen: (action: Action) => void;
}

function Actions({ webhook: { ref, pausedOn }, onOpen }: ActionsProps) {
  const notify = useNotify();
  const refresh = useRefresh('webhooks', 'history');
  const run = (document: string, variables: object = {}): void => {
    request(document, { ref, ...variables }).then(refresh, (error: unknown) =>
      notify(messageOf(error), { type: 'error' }),
    );
  };
  const [pinged, setPinged] = useState<Ping>();
  const ping = (): void => {
    setPinged(undefined);
    request<{ pingWebhook: Ping }>(PING, { ref }).then(
      ({ pingWebhook }) => setPinged(pingWebhook),
      (error: unknown) => notify(messageOf(error), { type: 'error' }),
    );
  };
  return (
    <>
      <div role="status">{pinged && <Pinged ping={pinged} />}</div>
      <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', mt: 1 }}>
        <Button size="small" onClick={() => onOpen('edit')}>
          {texts.webhooks.edit}
        </Button>
        <Button size="small" onClick={ping}>
          {texts.webhooks.ping}
        </Button>
        <Button size="small" onClick={() => onOpen('deliveries')}>
          {texts.webhooks.deliveries}
        </Button>
        {pausedOn === null ? (
          <Button size="small" onClick={() => run(PAUSE)}>
            {texts.webhooks.pause}
          </Button>
        ) : (
          <>
            <Button size="small" onClick={() => run(CONTINUE, { skip: false })}>
              {texts.webhooks.continue}
            </Button>
            <Button size="small" onClick={() => run(CONTINUE, { skip: true })}>
              {texts.webhooks.skip}
            </Button>
          </>
        )}
        <Button size="small" onClick={() => onOpen('rotate')}>
          {texts.webhooks.rotate}
        </Button>
        <Button size="small" color="error" onClick={() => onOpen('delete')}>
          {texts.webhooks.delete}
        </Button>
      </Stack>
    </>
  );
}

/** What the receiver responded to a ping: it stays until the next one. */
function Pinged({ ping: { delivered, outcome, roundTrip, body } }: { readonly ping: Ping }) {
  return (
    <Alert severity={delivered ? 'success' : 'error'} sx={{ mt: 1 }}>
      {(delivered ? texts.webhooks.pinged : texts.webhooks.refused)(outcome, roundTrip)}
      {body !== '' && (
        <Typography component="div" variant="body2" sx={{ fontFamily: MONOSPACE, overflowWrap: 'anywhere' }}>
          {body}
        </Typography>
      )}
    </Alert>
  );
}
