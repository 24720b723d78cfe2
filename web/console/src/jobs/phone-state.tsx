import { Typography } from '@mui/material';

import { contactsOf, useLiveQuery } from '../graph/live-query';
import { Status } from '../parts/status';
import { texts } from '../texts';
import type { PhoneAccount, Registered } from './account';
import { words } from './texts';

const FIELDS = 'contacts { id expiresOn userAgent }';
const PHONES = {
  Agent: `query PhonesOfAgent($ref: String!) { account: agent(ref: $ref) { ${FIELDS} } }`,
  Peer: `query PhonesOfPeer($ref: String!) { account: peer(ref: $ref) { ${FIELDS} } }`,
};

interface Phones {
  readonly account: { readonly contacts: readonly (Registered & { readonly userAgent: string | null })[] };
}

const WATCHED = [contactsOf()];
// Milliseconds between two reads, however many other devices register.
const PAUSE = 1000;

/** Whether the phone has registered with its new secret; follows it. */
export function PhoneState({ account: { kind, ref, before } }: { readonly account: PhoneAccount }) {
  const { data, error, isLive } = useLiveQuery<Phones>(PHONES[kind], { ref }, () => WATCHED, { pause: PAUSE });
  // The SIP server accepts only the new secret, so a registration that is new or was refreshed has it.
  const known = new Map(before.map(({ id, expiresOn }) => [id, expiresOn]));
  const phone = data?.account.contacts.find(({ id, expiresOn }) => known.get(id) !== expiresOn);
  return (
    <div role="status">
      <Status progress={phone ? 'works' : 'unneeded'}>
        <strong>{phone ? words.card.registered(phone.userAgent) : words.card.waiting}</strong>
      </Status>
      {(error ?? !isLive) && (
        <Typography variant="body2" color="text.secondary">
          {error?.message ?? texts.explain.offline}
        </Typography>
      )}
    </div>
  );
}
