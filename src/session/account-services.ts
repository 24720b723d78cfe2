import type { ApiTokenService } from '../auth/api-token-service';
import type { SessionService } from '../auth/session-service';

/** The services that every user has for the own account. */
export interface AccountServices {
  readonly apiTokens: ApiTokenService;
  readonly sessions: SessionService;
}
