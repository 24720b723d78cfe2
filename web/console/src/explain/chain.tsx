import BrokenIcon from '@mui/icons-material/Cancel';
import WorksIcon from '@mui/icons-material/CheckCircle';
import UnreachedIcon from '@mui/icons-material/RadioButtonUnchecked';
import { Box, Card, CardContent, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';

import { type Former, QuestionLink, ThenLink } from '../parts/links';
import { colorOf, type Progress } from '../parts/progress';
import { TextWithNumbers } from '../parts/telephone';
import { texts } from '../texts';
import { type Device, progressOf, type Step } from './operations';

const ICONS = { works: WorksIcon, unneeded: WorksIcon, broken: BrokenIcon, unreached: UnreachedIcon };

interface ChainProps {
  readonly steps: readonly Step[];
  /** How to mend the first broken link. */
  readonly mend: ReactNode;
  /** Of an earlier time: the resources that no longer exist. */
  readonly former?: readonly Former[];
}

/** The links in the path of a call, drawn as a chain. For screen readers, an ordered list with the states in words. */
export function Chain({ steps, mend, former = [] }: ChainProps) {
  const progress = progressOf(steps);
  const firstBroken = progress.indexOf('broken');
  return (
    <Box component="ol" aria-label={texts.explain.chain} sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {steps.map((step, index) => (
        <Link
          key={index}
          step={step}
          progress={progress[index] ?? 'unreached'}
          isLast={index === steps.length - 1}
          former={former}
        >
          {index === firstBroken && mend}
        </Link>
      ))}
    </Box>
  );
}

interface LinkProps {
  readonly step: Step;
  readonly progress: Progress;
  readonly isLast: boolean;
  readonly former: readonly Former[];
  readonly children: ReactNode;
}

/** What is broken is a card with what mends it; the others are a line each. */
function Link({ step, progress, isLast, former, children }: LinkProps) {
  const Icon = ICONS[progress];
  const color = colorOf(progress);
  const isOpen = progress === 'broken';
  const rest = (
    <>
      <Devices contacts={step.contacts ?? []} />
      {children}
    </>
  );
  return (
    <Stack component="li" direction="row" spacing={1.5} useFlexGap data-progress={progress}>
      <Stack aria-hidden sx={{ alignItems: 'center', color, pt: isOpen ? 1.5 : 0 }}>
        <Icon />
        {!isLast && <Box sx={{ flexGrow: 1, borderLeft: '3px solid', borderColor: 'currentcolor', minHeight: 12 }} />}
      </Stack>
      {isOpen ? (
        <Card
          variant="outlined"
          sx={{ flexGrow: 1, minWidth: 0, mb: 1.5, borderLeft: '4px solid', borderLeftColor: color }}
        >
          <CardContent sx={{ py: 1, '&:last-child': { pb: 1 } }}>
            <Line step={step} progress={progress} former={former} />
            {rest}
          </CardContent>
        </Card>
      ) : (
        <Box sx={{ flexGrow: 1, minWidth: 0, pb: 1.5 }}>
          <Line step={step} progress={progress} former={former} />
          {rest}
        </Box>
      )}
    </Stack>
  );
}

/**
 * A step in a line, which wraps where there is little room: what it is, what was found, where it leads, and its state.
 */
function Line({ step, progress, former }: Pick<LinkProps, 'step' | 'progress' | 'former'>) {
  return (
    <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', columnGap: 2, alignItems: 'baseline' }}>
      <Typography component="h2" variant="subtitle2" sx={{ flex: '0 0 8.5rem' }}>
        {texts.explain.links[step.__typename]}
      </Typography>
      {/* Screen readers read it after the name; others see it at the end of the line. */}
      <Typography variant="body2" sx={{ color: colorOf(progress), fontWeight: 600, flex: '0 0 6rem', order: 1 }}>
        {texts.explain.progress[progress]}
      </Typography>
      <Typography
        sx={{
          ...{ overflowWrap: 'anywhere', flex: '1 1 16rem' },
          ...(progress === 'unreached' && { color: 'text.secondary' }),
        }}
      >
        <TextWithNumbers>{step.summary}</TextWithNumbers>
      </Typography>
      <StepLink step={step} former={former} />
    </Stack>
  );
}

/** The link to the page of the resource that a step consists of. */
function StepLink({ step, former }: Pick<LinkProps, 'step' | 'former'>) {
  const { number, domain, target, aorLink } = step;
  const gateway = step.gateway ?? step.source;
  if (number) return <Opened kind={number.__typename} of={number.ref} name={number.telUrl} former={former} />;
  if (gateway) return <Opened kind="Gateway" of={gateway.ref} name={gateway.name} former={former} />;
  if (domain) return <Opened kind="Domain" of={domain.ref} name={domain.domainUri} former={former} />;
  if (target) return <Opened kind={target.__typename} of={target.ref} name={target.name} former={former} />;
  return aorLink === undefined ? null : <QuestionLink text={aorLink}>{texts.explain.meant(aorLink)}</QuestionLink>;
}

interface OpenedProps extends Pick<LinkProps, 'former'> {
  readonly kind: string;
  readonly of: string;
  readonly name: string;
}

function Opened({ kind, of, name, former }: OpenedProps) {
  return (
    <ThenLink kind={kind} of={of} former={former}>
      {texts.explain.open(<TextWithNumbers>{name}</TextWithNumbers>)}
    </ThenLink>
  );
}

/** The devices that ring. */
function Devices({ contacts }: { readonly contacts: readonly Device[] }) {
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
