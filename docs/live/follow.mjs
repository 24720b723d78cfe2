// Prints all changes of resources, through lost connections and restarts of either side, and misses none:
//
//   SIPGRAPH=ws://localhost:4567/graphql TOKEN=... CURSOR_FILE=cursor node docs/live/follow.mjs

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const { SIPGRAPH: url, TOKEN: token, CURSOR_FILE: file } = process.env;
const query = 'subscription($since: String) { resourceChanged(since: $since) { cursor event kind ref } }';

// No attempts of its own: it would ask again since the first cursor, not since the last.
const client = createClient({ url, webSocketImpl: WebSocket, connectionParams: { token }, retryAttempts: 0 });

async function follow() {
  if (!existsSync(file)) {
    const { value } = await client.iterate({ query: '{ changeCursor }' }).next();
    writeFileSync(file, value.data.changeCursor);
  }
  const since = readFileSync(file, 'utf8');
  for await (const { data, errors } of client.iterate({ query, variables: { since } })) {
    // Such as a cursor that is too old: read everything anew, and begin with a new file.
    if (errors) return errors[0].message;
    const { cursor, event, kind, ref } = data.resourceChanged;
    console.log(event, kind, ref);
    // After what is to be done with it: a crash in between does it again, and loses nothing.
    writeFileSync(file, cursor);
  }
}

let refusal;
while (!refusal) {
  // Rejected with an error, or with the event that closed the socket; 4403: the token is not valid.
  refusal = await follow().catch((error) =>
    error.code === 4403 ? error.reason : console.error(error.reason || error.message),
  );
  await pause(1000);
}
console.error(refusal);
process.exitCode = 1;
