import { Box, DialogContentText, Tab, Tabs } from '@mui/material';
import { useId, useState } from 'react';

import { CopyButton, DialogFrame } from '../parts/dialogs';
import { texts } from '../texts';
import { MONOSPACE } from '../theme';
import { VERIFICATION } from './verification';

type Language = keyof typeof VERIFICATION;
const LANGUAGES = Object.keys(VERIFICATION) as readonly Language[]; // the keys of VERIFICATION

/** Shows code that verifies the signatures of messages. */
export function VerifyDialog({ onClose }: { readonly onClose: () => void }) {
  const id = useId();
  const [language, setLanguage] = useState<Language>('Node.js');
  return (
    <DialogFrame title={texts.webhooks.verify} width="md" onClose={onClose} close={texts.webhooks.close}>
      <DialogContentText>{texts.webhooks.verifyAbout}</DialogContentText>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
        <Tabs value={language} onChange={(_event, value: Language) => setLanguage(value)}>
          {LANGUAGES.map((each) => (
            <Tab key={each} value={each} label={each} id={`${id}-${each}`} aria-controls={`${id}-code`} />
          ))}
        </Tabs>
        <CopyButton value={VERIFICATION[language]} label={texts.webhooks.copyCode} />
      </Box>
      <Box role="tabpanel" id={`${id}-code`} aria-labelledby={`${id}-${language}`}>
        <Box
          component="pre"
          tabIndex={0}
          aria-label={texts.webhooks.codeIn(language)}
          sx={{ fontFamily: MONOSPACE, fontSize: '0.8125rem', overflow: 'auto', m: 0, py: 1 }}
        >
          {VERIFICATION[language]}
        </Box>
      </Box>
    </DialogFrame>
  );
}
