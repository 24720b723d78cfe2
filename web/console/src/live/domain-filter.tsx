import { Autocomplete, TextField } from '@mui/material';
import { useState } from 'react';

import { useDebounced, useGraph } from '../graph/request';
import { texts } from '../texts';

const FIND_DOMAINS = `query FindDomains($text: String!) {
  domains(first: 10, where: { domainUri: { containsIgnoreCase: $text } }) { nodes { domainUri } }
}`;

interface Found {
  readonly domains: { readonly nodes: readonly { readonly domainUri: string }[] };
}

interface Props {
  readonly value: string | undefined;
  readonly onChange: (domain: string | undefined) => void;
}

/** A field that filters a list by a domain. */
export function DomainFilter({ value, onChange }: Props) {
  const [text, setText] = useState(value ?? '');
  const asked = useDebounced(text);
  const { data } = useGraph<Found>('domainsFound', FIND_DOMAINS, { text: asked });
  return (
    <Autocomplete
      freeSolo
      size="small"
      sx={{ minWidth: 200 }}
      options={data?.domains.nodes.map(({ domainUri }) => domainUri) ?? []}
      filterOptions={(options) => options}
      value={value ?? null}
      inputValue={text}
      onInputChange={(_event, entered) => setText(entered)}
      onChange={(_event, chosen) => onChange(chosen ?? undefined)}
      renderInput={(parameters) => <TextField {...parameters} label={texts.live.domain} margin="none" />}
    />
  );
}
