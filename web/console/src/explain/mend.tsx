import { Stack, Typography } from '@mui/material';
import { useCreatePath } from 'react-admin';

import { useMayWrite } from '../graph/session';
import { useValueFor } from '../graph/spelling';
import { useKind } from '../model/model';
import { onDemand } from '../on-demand';
import { PageButton, QuestionLink, replacePath, ResourceLink } from '../parts/links';
import { Telephone, TextWithNumbers } from '../parts/telephone';
import { texts } from '../texts';
import { progressOf, type Explanation, type Gateway, type PhoneNumber, type Step } from './operations';
import { DeviceSettings, GatewaySettings } from './settings';

const AddToDomain = onDemand(() => import('./mend-target').then((module) => module.AddToDomain));
const ChooseTarget = onDemand(() => import('./mend-target').then((module) => module.ChooseTarget));

interface Props {
  readonly answer: Explanation & { readonly others?: readonly PhoneNumber[] };
  /** The number that was asked for. */
  readonly asked?: string;
  readonly onMended: () => void;
}

/** The actions that mend the first broken link, as far as the user's role permits. */
export function Mend({ answer, asked = '', onMended }: Props) {
  const mayWrite = useMayWrite();
  const { steps, state, others = [] } = answer;
  const broken = steps[progressOf(steps).indexOf('broken')];
  if (!broken || (broken.state === 'DISABLED' && broken.__typename !== 'GatewayStep')) return null;
  const number = steps.find(({ __typename }) => __typename === 'NumberStep')?.number;
  const aorLink = steps.find(({ __typename }) => __typename === 'AorStep')?.aorLink ?? '';
  const choose = mayWrite && number && broken.__typename !== 'LimitStep' && (
    <ChooseTarget number={number} aorLink={aorLink} suggestion={suggestedAor(broken, aorLink)} onSaved={onMended} />
  );
  return (
    <Stack spacing={1.5} sx={{ mt: 1.5 }}>
      {broken.__typename === 'NumberStep' && (
        <NumberActions broken={broken} others={others} asked={asked} mayWrite={mayWrite} />
      )}
      {broken.__typename === 'GatewayStep' && <GatewaySettings step={broken} state={state} />}
      {broken.gateway && mayWrite && <GatewayActions of={broken.gateway} />}
      {broken.__typename === 'DomainStep' && mayWrite && <CreateDomain aorLink={aorLink} />}
      {state === 'TARGET_FORBIDDEN' && mayWrite && <AddToDomain aorLink={aorLink} onAdded={onMended} />}
      {broken.__typename === 'ContactsStep' && <DeviceSettings aorLink={aorLink} />}
      {broken.__typename !== 'NumberStep' && broken.__typename !== 'GatewayStep' && choose}
      {!number && broken.__typename !== 'NumberStep' && <Suggested text={suggestedAor(broken, aorLink)} />}
    </Stack>
  );
}

/** Leads to the form of a gateway, and to the page that moves its numbers to another one. */
function GatewayActions({ of: { ref } }: { readonly of: Gateway }) {
  const createPath = useCreatePath();
  const { collection } = useKind('Gateway');
  return (
    <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
      <PageButton to={createPath({ resource: collection, type: 'edit', id: ref })}>
        {texts.explain.gateway.edit}
      </PageButton>
      <PageButton to={replacePath(ref)}>{texts.explain.gateway.move}</PageButton>
    </Stack>
  );
}

interface NumberProps {
  readonly broken: Step;
  readonly others: readonly PhoneNumber[];
  readonly asked: string;
  readonly mayWrite: boolean;
}

function NumberActions({ broken: { state, suggestion }, others, asked, mayWrite }: NumberProps) {
  const telUrl = useValueFor('telUrl', asked);
  if (state === 'AMBIGUOUS')
    return (
      <>
        <Typography>{texts.explain.others}</Typography>
        <Stack component="ul" sx={{ pl: 2.5, m: 0 }}>
          {others.map(({ __typename, ref, telUrl }) => (
            <li key={ref}>
              <ResourceLink kind={__typename} of={ref}>
                {texts.explain.openNumber(__typename, <Telephone telUrl={telUrl} />)}
              </ResourceLink>
            </li>
          ))}
        </Stack>
      </>
    );
  return (
    <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
      {suggestion !== null && <Suggested text={suggestion} />}
      {mayWrite &&
        (['DID', 'Number'] as const).map((kind) => (
          <CreateButton key={kind} kind={kind} values={{ telUrl }} text={texts.explain.create[kind]} />
        ))}
    </Stack>
  );
}

function Suggested({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : (
    <QuestionLink text={text}>{texts.explain.meant(<TextWithNumbers>{text}</TextWithNumbers>)}</QuestionLink>
  );
}

interface CreateProps {
  readonly kind: string;
  readonly values: object;
  readonly text: string;
}

/** Leads to the form of a new resource, with some values. */
function CreateButton({ kind, values, text }: CreateProps) {
  const createPath = useCreatePath();
  const { collection } = useKind(kind);
  const search = new URLSearchParams({ source: JSON.stringify(values) }).toString();
  return (
    <PageButton to={{ pathname: createPath({ resource: collection, type: 'create' }), search }}>{text}</PageButton>
  );
}

function CreateDomain({ aorLink }: { readonly aorLink: string }) {
  const domainUri = aorLink.slice(aorLink.lastIndexOf('@') + 1);
  const values = { name: domainUri, domainUri };
  return (
    <div>
      <CreateButton kind="Domain" values={values} text={texts.explain.create.Domain(domainUri)} />
    </div>
  );
}

/** The address of record with the suggested domain or user name. */
function suggestedAor({ __typename, suggestion }: Step, aorLink: string): string | undefined {
  if (suggestion === null) return undefined;
  const at = aorLink.lastIndexOf('@');
  return __typename === 'DomainStep'
    ? `${aorLink.slice(0, at)}@${suggestion}`
    : `sip:${suggestion}${aorLink.slice(at)}`;
}
