import { Button, Stack, Typography } from '@mui/material';
import { useNotify } from 'react-admin';

import { messageOf } from '../graph/graph-error';
import { request, useGraph, useRefresh } from '../graph/request';
import { DialogFrame } from '../parts/dialogs';
import { Rows } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';
import type { Webhook } from './webhook';

const DELIVERIES = `query WebhookDeliveries($ref: String!) {
  webhookDeliveries(ref: $ref) { id payload createdOn attempts outcome deliveredOn nextAttemptOn }
}`;
const REDELIVER = 'mutation Redeliver($id: ID!) { redeliver(id: $id) }';
interface Delivery {
  readonly id: string;
  readonly payload: string;
  readonly createdOn: string;
  readonly attempts: number;
  readonly outcome: string | null;
  readonly deliveredOn: string | null;
  readonly nextAttemptOn: string | null;
}

interface Props {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** The last messages to a webhook with their results. */
export function Deliveries({ webhook: { ref, url }, onClose }: Props) {
  const { data, error } = useGraph<{ webhookDeliveries: readonly Delivery[] }>('deliveries', DELIVERIES, { ref });
  const refresh = useRefresh('deliveries');
  const notify = useNotify();
  const redeliver = (id: string): void => {
    request(REDELIVER, { id }).then(refresh, (failure: unknown) => notify(messageOf(failure), { type: 'error' }));
  };
  return (
    <DialogFrame title={texts.webhooks.deliveriesOf(url)} width="md" onClose={onClose} close={texts.webhooks.close}>
      <Rows
        label={texts.webhooks.deliveries}
        rows={data?.webhookDeliveries}
        error={error}
        empty={texts.webhooks.noDeliveries}
        keyOf={({ id }) => id}
      >
        {(delivery) => (
          <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
            <Description delivery={delivery} />
            <Button size="small" onClick={() => redeliver(delivery.id)}>
              {texts.webhooks.redeliver}
            </Button>
          </Stack>
        )}
      </Rows>
    </DialogFrame>
  );
}

function Description({ delivery }: { readonly delivery: Delivery }) {
  const { payload, createdOn, attempts, outcome, deliveredOn, nextAttemptOn } = delivery;
  return (
    <Typography component="div" variant="body2" sx={{ flex: '1 1 14rem' }}>
      {texts.parts.list(
        <Time value={createdOn} />,
        deliveredOn === null ? texts.webhooks.waiting : texts.webhooks.delivered,
        texts.webhooks.attempts(attempts),
        outcome,
        nextAttemptOn !== null && texts.webhooks.next(<Time value={nextAttemptOn} />),
      )}
      <Typography component="div" variant="caption" sx={{ fontFamily: 'monospace', overflowWrap: 'anywhere' }}>
        {payload}
      </Typography>
    </Typography>
  );
}
