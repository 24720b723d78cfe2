// A loaded machine may need longer than a test expects. Only tests that fail wait this long.
const PATIENCE = 15;

/** Repeats a check until it passes. After `seconds`, and at least 15, fails with the last error of the check. */
export async function eventually(seconds: number, check: () => void | Promise<void>, pause = 200): Promise<void> {
  for (const end = Date.now() + Math.max(seconds, PATIENCE) * 1000; ;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
