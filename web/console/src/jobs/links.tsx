import { Button } from '@mui/material';
import { Link } from 'react-router-dom';

import type { ResourceProps } from '../feature';
import { useMayWrite } from '../graph/session';
import { replacePath } from '../parts/links';
import { texts } from '../texts';
import { words } from './texts';

/** Leads to the form for a new phone user, above the list of agents. */
export function NewUserLink() {
  if (!useMayWrite()) return null;
  return (
    <Button component={Link} to="/new-phone-user" variant="outlined">
      {texts.jobs.newUser}
    </Button>
  );
}

/** Leads to the page that replaces a gateway, from the gateway's page. */
export function ReplaceLink({ resourceRef }: ResourceProps) {
  return (
    <Button component={Link} to={replacePath(resourceRef)} variant="outlined">
      {words.replace.open}
    </Button>
  );
}
