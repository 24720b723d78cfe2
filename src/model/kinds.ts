import { Agent } from './agent';
import { Domain } from './domain';
import { Gateway } from './gateway';
import type { KindClass } from './kind';
import { Did, TelephoneNumber } from './number';
import { Peer } from './peer';
import { Route } from './route';

/**
 * The kinds of resources (docs/rest-contract.md, section 2.3) that a server has by default. A new kind is added here.
 */
export const kinds: readonly KindClass[] = [Gateway, Agent, Peer, Domain, Did, TelephoneNumber, Route];
