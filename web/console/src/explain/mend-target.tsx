import { Alert, Autocomplete, Button, Stack, TextField } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { resourcesOf, useLiveQuery } from '../graph/live-query';
import { request, useDebounced, useGraph } from '../graph/request';
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
  const [chosen, setChosen] = useState<TargetOption | string | null>(null);
  const asked = useDebounced(text);
  const { data, isFetching } = useGraph<FoundTargets>('targets', FIND_TARGETS, { text: asked });
  // Options of an earlier text could be chosen by mistake.
  const options = data && asked === text ? optionsOf(data, aorLink) : [];
  const route = useMutation({
    mutationFn: (to: string) => request(routeOf(number.__typename), { ref: number.ref, aorLink: to }),
    onSuccess: onSaved,
  });
  // Who edits the text of a chosen option means the text.
  const target = typeof chosen === 'object' && chosen?.label === text ? chosen.aorLink : text;

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
        <Autocomplete<TargetOption, false, false, true>
          freeSolo
          fullWidth
          options={[...options]}
          filterOptions={(all) => all}
          getOptionKey={(option) => (typeof option === 'string' ? option : option.aorLink)}
          getOptionLabel={(option) => (typeof option === 'string' ? option : option.label)}
          loading={isFetching || asked !== text}
          loadingText={words.loading}
          noOptionsText={words.none}
          value={chosen}
          inputValue={text}
          onChange={(_event, option) => setChosen(option)}
          onInputChange={(_event, value) => setText(value)}
          renderInput={(parameters) => (
            <TextField
              {...parameters}
              label={words.choose}
              helperText={route.error?.message ?? words.hint}
              error={route.isError}
              margin="none"
            />
          )}
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

/** An agent or peer to which calls can be routed. */
interface TargetOption {
  readonly label: string;
  readonly aorLink: string;
}

/** The result of FIND_TARGETS. */
interface FoundTargets {
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

const FIND_TARGETS = `query FindTargets($text: String!) {
  agents(first: 10, where: ${NAMED}) { nodes { name username domains { domainUri } } }
  peers(first: 5, where: ${NAMED}) { nodes { name username } }
}`;

/** The options for what was found. Peers can be called in any domain, so they get that of the current target. */
function optionsOf({ agents, peers }: FoundTargets, aorLink: string): readonly TargetOption[] {
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

interface AddToDomainProps {
  readonly aorLink: string;
  readonly onAdded: () => void;
}

/** Adds an agent with the user name of an address of record to the domain of the address. */
export function AddToDomain({ aorLink, onAdded }: AddToDomainProps) {
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
