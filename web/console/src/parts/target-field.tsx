import { Autocomplete, TextField, type TextFieldProps } from '@mui/material';

import type { Nodes } from '../graph/lists';
import { useDebounced, useGraph } from '../graph/request';
import { texts } from '../texts';

const words = texts.parts.target;

type Props = Pick<TextFieldProps, 'error' | 'helperText' | 'inputRef' | 'label' | 'margin' | 'required' | 'variant'> & {
  readonly id?: string;
  readonly value: string;
  /** The domain for peers, which can be called in any. */
  readonly domain?: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
};

/** Enters where calls go: an agent or a peer that is searched for, or an address of record. */
export function TargetField({ id, value, domain, onChange, onBlur, ...field }: Props) {
  const asked = useDebounced(value);
  const text = asked.replace(/^\s*sips?:|@.*$/gi, '').trim();
  const { data, isFetching } = useGraph<FoundTargets>('targets', FIND_TARGETS, { text });
  // Options of an earlier text could be chosen by mistake.
  const options = data && asked === value ? optionsOf(data, domain ?? asked.split('@')[1]) : [];
  // Whoever enters a name means the agent or peer that is found first. An address is whole, and so is a number with a +.
  const isName = !/[@+]/.test(value);
  return (
    <Autocomplete<TargetOption, false, false, true>
      id={id}
      freeSolo
      autoHighlight={isName}
      fullWidth
      options={[...options]}
      filterOptions={(all) => all}
      getOptionKey={(option) => (typeof option === 'string' ? option : option.aorLink)}
      getOptionLabel={(option) => (typeof option === 'string' ? option : option.aorLink)}
      renderOption={({ key, ...item }, option) => (
        <li key={key} {...item}>
          {option.label}
        </li>
      )}
      loading={isFetching || asked !== value}
      loadingText={words.loading}
      noOptionsText={words.none}
      value={null}
      inputValue={value}
      onChange={(_event, _chosen, reason) => {
        if (reason === 'createOption' && isName && options[0]) onChange(options[0].aorLink);
      }}
      onInputChange={(_event, entered) => onChange(entered)}
      onBlur={onBlur}
      renderInput={(parameters) => <TextField {...parameters} {...field} />}
    />
  );
}

/** An agent or peer to which calls can be routed. */
interface TargetOption {
  readonly label: string;
  readonly aorLink: string;
}

type Named = Readonly<Record<'name' | 'username', string>>;
type Domain = Readonly<Record<'domainUri', string>>;

/** The result of FIND_TARGETS. */
interface FoundTargets {
  readonly agents: Nodes<Named & { readonly domains: readonly Domain[] }>;
  readonly peers: Nodes<Named>;
  readonly domains: Nodes<Domain>;
}

const NAMED = '{ or: [{ username: { containsIgnoreCase: $text } }, { name: { containsIgnoreCase: $text } }] }';

const FIND_TARGETS = `query FindTargets($text: String!) {
  agents(first: 10, where: ${NAMED}) { nodes { name username domains { domainUri } } }
  peers(first: 5, where: ${NAMED}) { nodes { name username } }
  domains(first: 1) { nodes { domainUri } }
}`;

/** The options for what was found. Peers get the given domain, or the first one. */
function optionsOf({ agents, peers, domains }: FoundTargets, domain: string | undefined): readonly TargetOption[] {
  const ofPeers = domain === undefined || domain === '' ? domains.nodes[0]?.domainUri : domain;
  const option = (name: string, username: string, at: string): TargetOption => ({
    label: texts.parts.named(name, `sip:${username}@${at}`),
    aorLink: `sip:${username}@${at}`,
  });
  return [
    ...agents.nodes.flatMap(({ name, username, domains: own }) =>
      own.map(({ domainUri }) => option(name, username, domainUri)),
    ),
    ...(ofPeers === undefined ? [] : peers.nodes.map(({ name, username }) => option(name, username, ofPeers))),
  ];
}
