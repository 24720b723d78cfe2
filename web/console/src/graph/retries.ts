import { GraphError, isTemporary } from './graph-error';

// Milliseconds.
const LONGEST = 5000;
/** Attempts in a row to read a part of a long result. */
const ATTEMPTS = 10;

/** How react-query repeats a read that may succeed later. */
export const RETRIES = {
  retry: (_count: number, error: Error): boolean => mayPass(error),
  retryDelay: (count: number, error: unknown): number =>
    error instanceof GraphError && error.retryAfter !== undefined
      ? error.retryAfter * 1000
      : Math.min(300 * 2 ** count, LONGEST),
};

/** Whether a read is repeated, up to three times: another error would come again, and so would a timeout. */
export function isWorthRetrying(count: number, error: Error): boolean {
  return count < 3 && mayPass(error);
}

/** Whether the same read may succeed if it is repeated: one that timed out would probably time out again. */
export function mayPass(error: Error): boolean {
  return isTemporary(error) && !(error instanceof GraphError && error.isTimeout);
}

/** Reads a part of a long result, again when it may succeed: the parts before it are not read again. */
export async function readPatiently<Part>(read: () => Promise<Part>, signal: AbortSignal): Promise<Part> {
  for (let count = 1; ; count++)
    try {
      return await read();
    } catch (error) {
      if (signal.aborted || count === ATTEMPTS || !isTemporary(error)) throw error;
      await pause(RETRIES.retryDelay(count, error), signal);
    }
}

/** Resolves after a time, or when the signal is aborted. */
export async function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    stopped.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
