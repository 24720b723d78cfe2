import type { Reads, SqlValue } from '../../database/sql';
import { InvalidInputError, quote } from '../../errors';
import { parseAddressOfRecord, writeAddressOfRecord } from '../../model/format/address-of-record';
import { addressOf, MAX_ADDRESS } from '../../spelling/written';
import { nodeOf } from '../live/contact';
import type { AddressFacts, NumberState } from './facts';
import { brokenOf, stepsOfAddress, type Step } from './steps';
import { Suggestions } from './suggestions';

/** Why an address of record rings or does not. */
export interface AddressExplanation {
  readonly state: NumberState;
  readonly steps: readonly Step[];
  readonly facts: AddressFacts;
}

/** Parses the argument `addressOfRecord`, which has a domain. Throws InvalidInputError. */
export function addressIn(text: string): { readonly user: string; readonly host: string } {
  const address = text.length > MAX_ADDRESS ? undefined : parseAddressOfRecord(addressOf(text));
  if (address?.host !== undefined) return { user: address.user, host: address.host };
  throw InvalidInputError.of(
    'addressOfRecord',
    `${quote(text)} is not an address of record such as sip:1001@sip.local`,
  );
}

/** Explains why calls to an address of record ring or not, as NumberDiagnosis does for those to a number. */
export class AddressDiagnosis {
  private readonly suggestions: Suggestions;

  /** `node` is the node of the SIP server where calls arrive, as host:port. Undefined if there is only one node. */
  constructor(
    private readonly sql: Reads,
    private readonly node: string | undefined,
    /** Charges the user for suggestions, in objects. Throws RateLimitedError. */
    spend: (objects: number) => void,
  ) {
    this.suggestions = new Suggestions(sql, spend);
  }

  /** Returns the path of a call to an address of record. Throws InvalidInputError if the text is not one. */
  async explain(addressOfRecord: string): Promise<AddressExplanation> {
    const { user, host } = addressIn(addressOfRecord);
    const facts = await this.factsOf(user, host);
    const steps = stepsOfAddress(facts, await this.suggestions.forTarget(facts));
    const broken = brokenOf(steps);
    return { state: broken ? stateOf(broken) : 'REACHABLE', steps, facts };
  }

  private async factsOf(user: string, host: string): Promise<AddressFacts> {
    const [domain, agent, elsewhere, peer, devices] = await Promise.all([
      this.row('SELECT id FROM domains WHERE domain_uri = ?', [host]),
      this.row(
        `SELECT m.agent_id FROM domains d JOIN agent_domains m ON m.domain_id = d.id
         WHERE d.domain_uri = ? AND m.username = ?`,
        [host, user],
      ),
      this.row(
        `SELECT MIN(e.domain_uri) FROM agents a JOIN agent_domains x ON x.agent_id = a.id
         JOIN domains e ON e.id = x.domain_id WHERE a.username = ?`,
        [user],
      ),
      this.row('SELECT id, contact_addr FROM peers WHERE username = ?', [user]),
      this.sql.rows('SELECT expires, socket FROM location WHERE username = ? AND domain = ?', [user, host]),
    ]);
    const now = Math.floor(Date.now() / 1000);
    const isHere = (socket: SqlValue | undefined): boolean =>
      this.node === undefined || socket === null || nodeOf(String(socket)) === this.node;
    const here = devices.filter(([, socket]) => isHere(socket)).map(([expires]) => Number(expires));
    const live = devices.filter(([expires]) => Number(expires) > now);
    const sockets = live.flatMap(([, socket]) => (typeof socket === 'string' ? [socket] : []));
    return {
      aorLink: writeAddressOfRecord({ user, host }),
      user,
      host,
      domainId: idOf(domain?.[0]),
      agentId: idOf(agent?.[0]),
      peerId: idOf(peer?.[0]),
      agentElsewhere: textOf(elsewhere?.[0]),
      contactAddr: textOf(peer?.[1]),
      node: this.node,
      nodeOfDevice: nodeOf(sockets.sort()[0] ?? null),
      devices: here.filter((expires) => expires > now).length,
      devicesUntil: here.length > 0 ? Math.max(...here) * 1000 : null,
    };
  }

  private async row(text: string, values: readonly SqlValue[]): Promise<readonly SqlValue[] | undefined> {
    const [row] = await this.sql.rows(text, values);
    return row;
  }
}

/** The verdict for the first broken link. */
function stateOf({ of, state }: Step): NumberState {
  if (of === 'domain') return 'DOMAIN_MISSING';
  if (of === 'target') return state === 'FORBIDDEN' ? 'TARGET_FORBIDDEN' : 'TARGET_MISSING';
  return state === 'EXPIRED' ? 'EXPIRED' : 'NOT_REGISTERED';
}

function idOf(value: SqlValue | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

function textOf(value: SqlValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
