import { Button } from '@mui/material';
import { useState } from 'react';

import type { ResourceProps } from '../feature';
import { request } from '../graph/request';
import { Confirm, DialogFrame } from '../parts/dialogs';
import { randomSecret } from '../parts/secret';
import type { PhoneAccount, Registered } from './account';
import { PhoneCard } from './phone-card';
import { words } from './texts';

/** Gives an agent or a peer a new secret, after a question, and shows it once. */
export function ResetSecret({ kind, resourceRef }: ResourceProps) {
  const [isAsking, setAsking] = useState(false);
  const [account, setAccount] = useState<PhoneAccount>();
  if (kind !== 'Agent' && kind !== 'Peer') return null;
  return (
    <>
      <Button variant="outlined" onClick={() => setAsking(true)}>
        {words.reset.open}
      </Button>
      {isAsking && (
        <Confirm
          title={words.reset.title}
          about={words.reset.about}
          submit={words.reset.submit}
          onConfirm={async () => setAccount(await resetSecret(kind, resourceRef))}
          onClose={() => setAsking(false)}
        />
      )}
      {account && (
        // Closed by its button only: the secret is not shown again.
        <DialogFrame
          title={words.card.title(account.name)}
          width="sm"
          actions={
            <Button variant="contained" onClick={() => setAccount(undefined)}>
              {words.reset.done}
            </Button>
          }
        >
          <PhoneCard account={account} />
        </DialogFrame>
      )}
    </>
  );
}

const FIRST_DOMAIN = '{ domains(first: 1) { nodes { domainUri } } }';
const FIELDS = 'name username contacts { id expiresOn }';
const RESET = {
  Agent: `mutation ResetAgent($ref: String!, $secret: String!) {
    changed: updateAgent(ref: $ref, input: { secret: $secret }) { ${FIELDS} domains { domainUri } }
  }`,
  Peer: `mutation ResetPeer($ref: String!, $secret: String!) {
    changed: updatePeer(ref: $ref, input: { secret: $secret }) { ${FIELDS} }
  }`,
};

interface Domain {
  readonly domainUri: string;
}

interface Changed {
  readonly changed: {
    readonly name: string;
    readonly username: string;
    readonly contacts: readonly Registered[];
    readonly domains?: readonly Domain[];
  };
}

/** Gives an account a new secret. Throws a GraphError. */
async function resetSecret(kind: PhoneAccount['kind'], ref: string): Promise<PhoneAccount> {
  // A peer may register in any domain. Read first: nothing may fail after the change.
  const { domains: all } =
    kind === 'Peer' ? await request<{ domains: { nodes: readonly Domain[] } }>(FIRST_DOMAIN) : NONE;
  const secret = randomSecret();
  const { changed } = await request<Changed>(RESET[kind], { ref, secret });
  const { name, username, contacts, domains = all.nodes } = changed;
  return { kind, ref, name, username, secret, server: domains[0]?.domainUri ?? '', before: contacts };
}

const NONE = { domains: { nodes: [] as readonly Domain[] } };
