import { Box, Button, GlobalStyles, Stack, Typography } from '@mui/material';
import { useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

import { CopyButton } from '../parts/dialogs';
import { useLeavingQuestion } from '../parts/leaving';
import { MONOSPACE } from '../theme';
import type { PhoneAccount } from './account';
import { PhoneState } from './phone-state';
import { QrCode } from './qr-code';
import { words } from './texts';

interface Props {
  readonly account: PhoneAccount;
  /** The number that leads to the phone. */
  readonly number?: string | undefined;
}

/** What somebody needs to set up a phone: to read, copy, scan and print. Tells when the phone has registered. */
export function PhoneCard({ account, number }: Props) {
  const { server, username, secret } = account;
  const { card } = words;
  const [isTaken, setTaken] = useState(false);
  useLeavingQuestion(!isTaken, card.leave);
  const facts: readonly Fact[] = [
    [card.server, server],
    [card.username, username],
    [card.secret, secret],
    ...(number === undefined ? [] : ([[card.number, number]] as const)),
  ];
  const all = facts.map(([name, value]) => card.line(name, value)).join('\n');
  return (
    <Box component="section" aria-label={card.title(account.name)} sx={{ display: 'grid', gap: 2 }}>
      <Facts of={facts}>
        {(name, value) => (
          <CopyButton
            value={value}
            label={card.copy(name)}
            onCopied={() => setTaken((was) => was || value === secret)}
          />
        )}
      </Facts>
      <Typography variant="body2" color="text.secondary">
        {card.once}
      </Typography>
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
        <CopyButton value={all} text={card.copyAll} onCopied={() => setTaken(true)} />
        <Button
          onClick={() => {
            setTaken(true);
            print();
          }}
        >
          {card.print}
        </Button>
      </Stack>
      <div>
        <QrCode account={account} />
        <Typography variant="body2" color="text.secondary" sx={{ mt: 1 }}>
          {card.readers}
        </Typography>
      </div>
      <PhoneState account={account} />
      <Printed>
        <h1>{card.title(account.name)}</h1>
        <Facts of={facts}>{() => null}</Facts>
        <QrCode account={account} />
        <p>{card.readers}</p>
      </Printed>
    </Box>
  );
}

type Fact = readonly [name: string, value: string];

interface FactsProps {
  readonly of: readonly Fact[];
  /** What is beside a value. */
  readonly children: (name: string, value: string) => ReactNode;
}

function Facts({ of, children }: FactsProps) {
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'max-content 1fr',
        columnGap: 2,
        rowGap: 0.5,
        m: 0,
        alignItems: 'center',
      }}
    >
      {of.map(([name, value]) => (
        <Box key={name} sx={{ display: 'contents' }}>
          <Typography component="dt">{name}</Typography>
          <Box component="dd" sx={{ m: 0, minWidth: 0 }}>
            <Box component="code" sx={{ fontFamily: MONOSPACE, fontSize: '1rem', overflowWrap: 'anywhere' }}>
              {value}
            </Box>{' '}
            {children(name, value)}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

const PRINTED = 'printed';

/** What is printed instead of the page. Nobody sees it on the screen. */
const PRINTED_STYLES = {
  '@media screen': { [`.${PRINTED}`]: { display: 'none' } },
  '@media print': {
    [`body > :not(.${PRINTED})`]: { display: 'none !important' },
    // Also in the dark theme.
    'html, body': { background: '#fff !important', color: '#000 !important' },
  },
};

function Printed({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <GlobalStyles styles={PRINTED_STYLES} />
      {createPortal(<div className={PRINTED}>{children}</div>, document.body)}
    </>
  );
}
