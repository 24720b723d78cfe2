/**
 * Maps the values of an iterator. If the iterator or `map` throws, the value of `last` is the last value. Unlike that
 * of an async generator, `return` does not wait for a pending value, which may never come.
 */
export function mapIterator<In, Out>(
  source: AsyncIterator<In>,
  map: (value: In) => Promise<Out>,
  last: (error: unknown) => Out,
): AsyncIterableIterator<Out> {
  let isOver = false;
  const end = (): IteratorResult<Out> => {
    isOver = true;
    return { value: undefined, done: true };
  };
  return {
    next: async () => {
      if (isOver) return end();
      try {
        const result = await source.next();
        return result.done === true ? end() : { value: await map(result.value), done: false };
      } catch (error) {
        isOver = true;
        await source.return?.();
        return { value: last(error), done: false };
      }
    },
    return: async () => {
      await source.return?.();
      return end();
    },
    throw: async (error: unknown) => {
      await source.return?.();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
