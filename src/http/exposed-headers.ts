import { CONSISTENCY_HEADER } from './consistency-token';

/** The headers of responses that pages of other origins may read (CORS). */
export const EXPOSED_HEADERS = [CONSISTENCY_HEADER, 'retry-after'].join(', ');
