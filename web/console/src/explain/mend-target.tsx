import { Alert, Button, Stack } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { Nodes } from '../graph/lists';
import { resourcesOf, useLiveQuery } from '../graph/live-query';
import { addressOf } from '../../../../src/spelling/written';
import { request } from '../graph/request';
import { TargetField } from '../parts/target-field';
import { texts } from '../texts';
import { type PhoneNumber, routeOf } from './operations';

const words = texts.explain.target;

interface ChooseTargetProps {
  readonly number: PhoneNumber;
  /** Where calls go now. */
  readonly aorLink: string;
  /** Where they probably should go. */
  readonly suggestion: string | undefined;
  readonly onSaved: () => void;
}

/** Routes calls to a number to another agent or peer. */
export function ChooseTarget({ number, aorLink, suggestion, onSaved }: ChooseTargetProps) {
  const [text, setText] = useState('');
  const route = useMutation({
    mutationFn: (to: string) => request(routeOf(number.__typename), { ref: number.ref, aorLink: to }),
    onSuccess: onSaved,
  });
  const target = addressOf(text);

  return (
    <Stack
      component="form"
      spacing={1}
      onSubmit={(event) => {
        event.preventDefault();
        if (target !== '') route.mutate(target);
      }}
    >
      {suggestion !== undefined && (
        <div>
          <Button variant="contained" disabled={route.isPending} onClick={() => route.mutate(suggestion)}>
            {words.use(suggestion)}
          </Button>
        </div>
      )}
      <Stack direction="row" spacing={1} sx={{ alignItems: 'flex-start' }}>
        <TargetField
          value={text}
          domain={aorLink.slice(aorLink.lastIndexOf('@') + 1)}
          onChange={setText}
          label={words.choose}
          helperText={route.error?.message ?? words.hint}
          error={route.isError}
          margin="none"
        />
        <Button
          type="submit"
          variant={suggestion === undefined ? 'contained' : 'outlined'}
          disabled={route.isPending || target === ''}
        >
          {words.save}
        </Button>
      </Stack>
      {route.isSuccess && <Alert severity="success">{words.saved(route.variables)}</Alert>}
    </Stack>
  );
}

const WATCHED = [resourcesOf(['Agent'])];

/** An agent, with its domains. */
interface FoundAgent {
  readonly ref: string;
  readonly name: string;
  readonly domains: readonly { readonly domainUri: string }[];
}

const FIND_AGENTS = `query FindAgents($username: String!) {
  agents(first: 10, where: { username: { eq: $username } }) { nodes { ref name domains { domainUri } } }
}`;

const ADD_TO_DOMAIN = `mutation AddToDomain($ref: String!, $domains: [String!]!) {
  updateAgent(ref: $ref, input: { domains: $domains }) { ref }
}`;

interface AddToDomainProps {
  readonly aorLink: string;
  readonly onAdded: () => void;
}

/** Adds an agent with the user name of an address of record to the domain of the address. */
export function AddToDomain({ aorLink, onAdded }: AddToDomainProps) {
  const [, username = '', domain = ''] = /^sips?:(.*)@([^@]*)$/i.exec(aorLink) ?? [];
  const { data } = useLiveQuery<{ agents: Nodes<FoundAgent> }>(FIND_AGENTS, { username }, () => WATCHED);
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
