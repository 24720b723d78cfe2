import type { TestApp } from '../../support/app';
import { createAgent, createDomain, createGateway, createNumber } from '../../support/factories';

/** What `createTrunk` creates. */
export interface Trunk {
  readonly gateway: Readonly<Record<string, unknown>>;
  /** The address of record that the number +4930100 calls. */
  readonly aorLink: string;
  /** Agents with the secret `s`, each as user name and domain. */
  readonly agents: readonly (readonly [string, string])[];
}

/**
 * Creates a gateway with a number, the domain out.test, whose policy sends +49 through the gateway, and agents. Waits
 * until Kamailio knows them. Returns the ref of the gateway, and those of the agents by user name.
 */
export async function createTrunk(
  app: TestApp,
  { gateway, aorLink, agents }: Trunk,
): Promise<{ readonly gatewayRef: string; readonly agentRefs: ReadonlyMap<string, string> }> {
  const gatewayRef = await createGateway(app, { transport: 'UDP', ...gateway });
  const numberRef = await createNumber(app, { gatewayRef, telUrl: 'tel:+4930100', aorLink });
  await createDomain(app, { domainUri: 'out.test', egressPolicy: { rule: '^[+]49[0-9]+$', numberRef } });
  const agentRefs = new Map<string, string>();
  for (const [username, domain] of agents)
    agentRefs.set(username, await createAgent(app, { username, secret: 's', domains: [domain] }));
  // Kamailio knows a new domain after at most 5 s.
  await new Promise((resolve) => setTimeout(resolve, 6000));
  return { gatewayRef, agentRefs };
}
