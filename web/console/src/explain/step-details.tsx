import { Stack, Typography } from '@mui/material';

import { QuestionLink, ResourceLink } from '../parts/links';
import { texts } from '../texts';
import type { Device, Step } from './operations';

/** The link to the page of the resource that a step consists of. */
export function StepLink({ step }: { readonly step: Step }) {
  const { number, gateway, domain, target, aorLink } = step;
  if (number) return <Opened kind={number.__typename} of={number.ref} name={number.telUrl} />;
  if (gateway) return <Opened kind="Gateway" of={gateway.ref} name={gateway.name} />;
  if (domain) return <Opened kind="Domain" of={domain.ref} name={domain.domainUri} />;
  if (target) return <Opened kind={target.__typename} of={target.ref} name={target.name} />;
  return aorLink === undefined ? null : <QuestionLink text={aorLink}>{texts.explain.meant(aorLink)}</QuestionLink>;
}

function Opened({ kind, of, name }: { readonly kind: string; readonly of: string; readonly name: string }) {
  return (
    <ResourceLink kind={kind} of={of}>
      {texts.explain.open(name)}
    </ResourceLink>
  );
}

/** The devices that ring. */
export function Devices({ contacts }: { readonly contacts: readonly Device[] }) {
  if (contacts.length === 0) return null;
  return (
    <Stack component="ul" sx={{ pl: 2.5, m: 0 }}>
      {contacts.map(({ id, uri, transport, userAgent, nat }) => (
        <Typography component="li" key={id} variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {texts.parts.list(uri, texts.parts.transport(transport), userAgent, nat && texts.explain.device.nat)}
        </Typography>
      ))}
    </Stack>
  );
}
