import { Page } from '../parts/page';
import { texts } from '../texts';
import { ApiTokens } from './api-tokens';
import { Sessions } from './sessions';

/** The user's own sessions and API tokens. */
export function AccountPage() {
  return (
    <Page title={texts.titles.account}>
      <Sessions />
      <ApiTokens />
    </Page>
  );
}
