import { Agent } from './agent';
import { Domain } from './domain';
import { Gateway } from './gateway';
import type { KindClass } from './kind';
import { Did, TelephoneNumber } from './number';
import { Peer } from './peer';

/** The kinds (docs/rest-contract.md, section 2.3) that a server has unless it is given others: a seventh is a line here. */
export const kinds: readonly KindClass[] = [Gateway, Agent, Peer, Domain, Did, TelephoneNumber];
