import { Alert, Button } from '@mui/material';
import { useMutation } from '@tanstack/react-query';

import { resourcesOf, useLiveQuery } from '../graph/live-query';
import { request } from '../graph/request';
import { texts } from '../texts';

const WATCHED = [resourcesOf(['Agent'])];

/** An agent, with its domains. */
interface FoundAgent {
  readonly ref: string;
  readonly name: string;
  readonly domains: readonly { readonly domainUri: string }[];
}

/** The result of FIND_AGENTS. */
interface FoundAgents {
  readonly agents: { readonly nodes: readonly FoundAgent[] };
}

const FIND_AGENTS = `query FindAgents($username: String!) {
  agents(first: 10, where: { username: { eq: $username } }) { nodes { ref name domains { domainUri } } }
}`;

const ADD_TO_DOMAIN = `mutation AddToDomain($ref: String!, $domains: [String!]!) {
  updateAgent(ref: $ref, input: { domains: $domains }) { ref }
}`;

interface Props {
  readonly aorLink: string;
  readonly onAdded: () => void;
}

/** Adds an agent with the user name of an address of record to the domain of the address. */
export function AddToDomain({ aorLink, onAdded }: Props) {
  const [, username = '', domain = ''] = /^sips?:(.*)@([^@]*)$/i.exec(aorLink) ?? [];
  const { data } = useLiveQuery<FoundAgents>(FIND_AGENTS, { username }, () => WATCHED);
  const add = useMutation({
    mutationFn: ({ ref, domains }: FoundAgent) =>
      request(ADD_TO_DOMAIN, { ref, domains: [...domains.map(({ domainUri }) => domainUri), domain] }),
    onSuccess: onAdded,
  });
  return (
    <>
      {data?.agents.nodes.map((agent) => (
        <div key={agent.ref}>
          <Button variant="contained" disabled={add.isPending} onClick={() => add.mutate(agent)}>
            {texts.explain.addToDomain(agent.name, domain)}
          </Button>
        </div>
      ))}
      {add.error && <Alert severity="error">{add.error.message}</Alert>}
    </>
  );
}
