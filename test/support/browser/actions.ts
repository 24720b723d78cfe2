import type { Subject } from '../databases/on-each-database';

/** Changes resources of the application under test, by default as the admin. */
export function actionsOn(subject: () => Subject, tokenOf: () => string | undefined = () => undefined) {
  const act = async (mutation: string): Promise<void> => {
    const { errors } = await subject().app.graphql(`mutation { ${mutation} }`, {}, { token: tokenOf() });
    if (errors) throw new Error(JSON.stringify(errors));
  };
  const tick = async (): Promise<number> => {
    const before = Date.now();
    while (Date.now() <= before + 2) await new Promise((resolve) => setImmediate(resolve));
    return Date.now();
  };
  return {
    act,
    input: (kind: string, ref: string, values: string): Promise<void> =>
      act(`update${kind}(ref: "${ref}", input: { ${values} }) { ref }`),
    /** A time after all that was done, and before all that will be. */
    moment: async (): Promise<number> => {
      const now = await tick();
      await tick();
      return now;
    },
  };
}
