import type { ApiTokenService } from './api-token-service';
import type { SessionService } from './session-service';

/** The services that every user has for the own account. */
export interface AccountServices {
  readonly apiTokens: ApiTokenService;
  readonly sessions: SessionService;
}
