/** Waits until a check holds; fails with what it says when it does not within some seconds. */
export async function eventually(seconds: number, check: () => void | Promise<void>, pause = 200): Promise<void> {
  for (const end = Date.now() + seconds * 1000; ;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
