import { silence } from '../errors';

/**
 * Resolves to the response to a statement. Rejects if there is none within `milliseconds`. The time limit of mysql2 does
 * not include that the statement waits for earlier ones of its connection, or is prepared.
 */
export function responseWithin<T>(
  milliseconds: number,
  send: (done: (error: Error | null, response: T) => void) => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(silence()), milliseconds);
    send((error, response) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve(response);
    });
  });
}
