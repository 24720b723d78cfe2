const shared = globalThis as { hasRealPasswords?: boolean };

/** Lets the tests of a file compute hashes of secrets with the cost that the program sets (shared-runtime.js). */
export function useRealPasswords(): void {
  beforeAll(() => {
    shared.hasRealPasswords = true;
  });
  afterAll(() => {
    shared.hasRealPasswords = false;
  });
}
