// Prints every change to resources, also after lost connections and restarts of either side:
//
// SIPGRAPH=ws://localhost:4567/graphql TOKEN=... CURSOR_FILE=cursor node docs/live/follow.mjs

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const { SIPGRAPH: url, TOKEN: token, CURSOR_FILE: file } = process.env;
if (!url || !token || !file) throw new Error('Set SIPGRAPH, TOKEN and CURSOR_FILE');
const query = 'subscription($since: String) { resourceChanged(since: $since) { cursor event kind ref } }';

// No retries by graphql-ws: they resend the same variables, and so the first cursor. The loop below resumes from the latest one.
const client = createClient({ url, webSocketImpl: WebSocket, connectionParams: { token }, retryAttempts: 0 });

async function follow() {
  if (!existsSync(file)) {
    const { value } = await client.iterate({ query: '{ changeCursor }' }).next();
    writeFileSync(file, value.data.changeCursor);
  }
  const since = readFileSync(file, 'utf8');
  for await (const { data, errors } of client.iterate({ query, variables: { since } })) {
    // UNAVAILABLE passes. CURSOR_GONE does not: read everything again, and start with a new file.
    if (errors?.[0].extensions?.code === 'UNAVAILABLE') throw errors[0];
    if (errors) return errors[0].message;
    const { cursor, event, kind, ref } = data.resourceChanged;
    console.log(event, kind, ref);
    // Stored after the event is processed: after a crash in between, the event is processed again, never lost.
    writeFileSync(file, cursor);
  }
}

let refusal;
while (!refusal) {
  // Rejects with an error or with the close event of the socket. Code 4403 means that the token is invalid.
  refusal = await follow().catch((error) =>
    error.code === 4403
      ? error.reason
      : console.error(error.reason || error.message || `The connection was lost (${error.code})`),
  );
  await pause(1000);
}
console.error(refusal);
process.exitCode = 1;
