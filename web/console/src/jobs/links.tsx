import type { ResourceProps } from '../feature';
import { useMayWrite } from '../graph/session';
import { PageButton, replacePath } from '../parts/links';
import { texts } from '../texts';
import { words } from './texts';

/** Leads to the form for a new phone user, above the list of agents. */
export function NewUserLink() {
  if (!useMayWrite()) return null;
  return (
    <PageButton to="/new-phone-user" variant="outlined">
      {texts.jobs.newUser}
    </PageButton>
  );
}

/** Leads to the page that replaces a gateway, from the gateway's page. */
export function ReplaceLink({ resourceRef }: ResourceProps) {
  return (
    <PageButton to={replacePath(resourceRef)} variant="outlined">
      {words.replace.open}
    </PageButton>
  );
}
