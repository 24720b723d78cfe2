import { Alert, Button, DialogContentText } from '@mui/material';
import { useState } from 'react';

import type { ResourceProps } from '../feature';
import { messageOf } from '../graph/graph-error';
import { request } from '../graph/request';
import { DialogFrame } from '../parts/dialogs';
import { texts } from '../texts';
import { hostPort } from './operations';

const words = texts.testGateway;
const RESULT = 'outcome address status reason roundTrip';
const TEST = `mutation TestGateway($ref: String!) {
  testGateway(ref: $ref) { ${RESULT} destinations { host port ${RESULT} } }
}`;

interface Test {
  readonly outcome: keyof typeof words.outcomes;
  readonly address: string | null;
  readonly status: number | null;
  readonly reason: string | null;
  readonly roundTrip: number | null;
}

interface DestinationTest extends Omit<Test, 'outcome'> {
  readonly host: string;
  readonly port: number | null;
  readonly outcome: Test['outcome'] | null;
}

interface GatewayTest extends Test {
  readonly destinations: readonly DestinationTest[];
}

/** Sends OPTIONS to the host and the destinations of a gateway, and shows what comes back. */
export function TestGateway({ resourceRef }: ResourceProps) {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<GatewayTest | Error>();
  const run = (): void => {
    setOpen(true);
    setBusy(true);
    setResult(undefined);
    request<{ testGateway: GatewayTest }>(TEST, { ref: resourceRef })
      .then(({ testGateway }) => setResult(testGateway))
      .catch((error: unknown) => setResult(new Error(messageOf(error))))
      .finally(() => setBusy(false));
  };
  const close = (): void => setOpen(false);
  return (
    <>
      <Button variant="outlined" onClick={run}>
        {words.open}
      </Button>
      {isOpen && (
        <DialogFrame
          title={words.title}
          width="sm"
          onClose={close}
          close={words.close}
          actions={
            <Button variant="contained" disabled={isBusy} onClick={run}>
              {words.again}
            </Button>
          }
        >
          <div role="status">
            {isBusy && <DialogContentText>{words.busy}</DialogContentText>}
            {result && <Alert severity={severityOf(result)}>{textOf(result)}</Alert>}
            {result &&
              !(result instanceof Error) &&
              result.destinations.map((each, index) => <DestinationResult key={index} {...each} />)}
          </div>
          <DialogContentText variant="body2" sx={{ mt: 2 }}>
            {words.about}
          </DialogContentText>
        </DialogFrame>
      )}
    </>
  );
}

function DestinationResult({ host, port, outcome, ...test }: DestinationTest) {
  const place = hostPort(host, port);
  if (outcome === null) return <Alert severity="info">{words.notTested(place)}</Alert>;
  const result = { ...test, outcome };
  return <Alert severity={severityOf(result)}>{words.destination(place, textOf(result))}</Alert>;
}

function severityOf(result: Test | Error): 'success' | 'error' {
  return !(result instanceof Error) && result.outcome === 'ANSWERED' ? 'success' : 'error';
}

function textOf(result: Test | Error): string {
  if (result instanceof Error) return result.message;
  const { outcome, address, status, reason, roundTrip } = result;
  const response = [status, reason].filter((part) => part !== null).join(' ');
  return words.outcomes[outcome](address ?? '', response, roundTrip ?? 0);
}
