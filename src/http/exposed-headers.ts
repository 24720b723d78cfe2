import { POSITION } from './position';

/** The headers of responses that pages of other origins may read (CORS). */
export const EXPOSED_HEADERS = [POSITION, 'retry-after'].join(', ');
