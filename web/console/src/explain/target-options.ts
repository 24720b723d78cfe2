import { texts } from '../texts';

/** An agent or peer to which calls can be routed. */
export interface TargetOption {
  readonly label: string;
  readonly aorLink: string;
}

/** The result of FIND_TARGETS. */
export interface FoundTargets {
  readonly agents: {
    readonly nodes: readonly {
      readonly name: string;
      readonly username: string;
      readonly domains: readonly { readonly domainUri: string }[];
    }[];
  };
  readonly peers: { readonly nodes: readonly { readonly name: string; readonly username: string }[] };
}

const NAMED = '{ or: [{ username: { containsIgnoreCase: $text } }, { name: { containsIgnoreCase: $text } }] }';

export const FIND_TARGETS = `query FindTargets($text: String!) {
  agents(first: 10, where: ${NAMED}) { nodes { name username domains { domainUri } } }
  peers(first: 5, where: ${NAMED}) { nodes { name username } }
}`;

/** The options for what was found. Peers can be called in any domain, so they get that of the current target. */
export function optionsOf({ agents, peers }: FoundTargets, aorLink: string): readonly TargetOption[] {
  const host = aorLink.slice(aorLink.lastIndexOf('@') + 1);
  const option = (name: string, username: string, domain: string): TargetOption => ({
    label: texts.parts.named(name, `${username}@${domain}`),
    aorLink: `sip:${username}@${domain}`,
  });
  return [
    ...agents.nodes.flatMap(({ name, username, domains }) =>
      domains.map(({ domainUri }) => option(name, username, domainUri)),
    ),
    ...peers.nodes.map(({ name, username }) => option(name, username, host)),
  ];
}
