import type { Reads } from '../../database/sql';
import { InvalidInputError, quote } from '../../errors';
import { parseAddressOfRecord } from '../../model/format/address-of-record';
import { addressOf, MAX_ADDRESS } from '../../spelling/written';
import { factsOfAddress } from './address-facts';
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
    const facts = await factsOfAddress(this.sql, this.node, { user, host });
    const steps = stepsOfAddress(facts, await this.suggestions.forTarget(facts));
    const broken = brokenOf(steps);
    return { state: broken ? stateOf(broken) : 'REACHABLE', steps, facts };
  }
}

/** The verdict for the first broken link. */
function stateOf({ of, state }: Step): NumberState {
  if (state === 'DISABLED') return 'TARGET_DISABLED';
  if (of === 'domain') return 'DOMAIN_MISSING';
  if (of === 'target') return state === 'FORBIDDEN' ? 'TARGET_FORBIDDEN' : 'TARGET_MISSING';
  return state === 'EXPIRED' ? 'EXPIRED' : 'NOT_REGISTERED';
}
