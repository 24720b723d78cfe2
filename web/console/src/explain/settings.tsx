import { Box, Typography } from '@mui/material';

import { type Fact, Facts } from '../parts/facts';
import { Time } from '../parts/time';
import { texts } from '../texts';
import type { Step } from './operations';

const { gateway: words, device } = texts.explain;

/** What the SIP server registers with, so that it can be compared with the provider's data. */
export function GatewaySettings({
  step: { gateway, registration },
  state,
}: {
  readonly step: Step;
  readonly state: string;
}) {
  if (!gateway) return null;
  // A gateway has a registration once the SIP server has tried to register.
  const isTried = state !== 'GATEWAY_NOT_REGISTERED' || Boolean(registration);
  const hint = isTried ? Object.entries(words).find(([name]) => name === state)?.[1] : words.neverTried;
  return (
    <>
      {hint !== undefined && <Typography>{hint}</Typography>}
      <Settings
        title={words.configure}
        of={[
          [words.host, gateway.host],
          [words.port, String(gateway.port ?? words.defaultPort)],
          [words.transport, gateway.transport],
          [words.username, gateway.username ?? texts.parts.noValue],
          [words.secret, gateway.secretSet ? words.secretSet : words.secretUnset],
          [words.lastResponse, registration?.lastResponse ?? words.noResponse],
          [words.nextAttempt, <Time key="next" isBrief value={registration?.nextAttemptAt ?? null} />],
        ]}
      />
    </>
  );
}

/** What a device needs in order to register. */
export function DeviceSettings({ aorLink }: { readonly aorLink: string }) {
  const [, user = '', host = ''] = /^sips?:(.*)@([^@]*)$/i.exec(aorLink) ?? [];
  return (
    <Settings
      title={device.configure}
      of={[
        [device.server, host],
        [device.username, user],
        [device.secret, device.secretHint],
      ]}
    />
  );
}

interface Props {
  readonly title: string;
  readonly of: readonly Fact[];
}

function Settings({ title, of }: Props) {
  return (
    <Box>
      <Typography component="h3" variant="subtitle2">
        {title}
      </Typography>
      <Facts of={of} />
    </Box>
  );
}
