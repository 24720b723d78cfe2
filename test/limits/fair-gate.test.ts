import { FairGate, GateFullError } from '../../src/limits/fair-gate';

const LONG = { milliseconds: 60_000 };

/** A gate with two places, of which one user may have one, and its turns that began or were refused, in order. */
function createGate(waiting = 100) {
  const gate = new FairGate({ capacity: 2, waiting });
  const [began, refused]: [string[], string[]] = [[], []];
  const enter = (user: string, name: string, wait: Parameters<FairGate['enter']>[2] = LONG): void => {
    gate.enter(user, 1, wait).then(
      () => began.push(name),
      (error: unknown) => {
        expect(error).toBeInstanceOf(GateFullError);
        refused.push(name);
      },
    );
  };
  return { gate, began, refused, enter, settled: () => new Promise((resolve) => setImmediate(resolve)) };
}

test('Turns that cannot end in time at the pace of their user are refused, and those that can wait', async () => {
  const { gate, began, refused, enter, settled } = createGate();
  for (let n = 0; n < 10; n++) enter('a', `a${String(n)}`, { milliseconds: 10_000 });
  enter('a', 'patient');
  await settled();
  expect([began, refused]).toEqual([['a0'], []]);
  gate.leave('a', 1, 3000);
  enter('a', 'late', { milliseconds: 10_000 });
  enter('b', 'other', { milliseconds: 10_000 });
  await settled();
  expect(began).toEqual(['a0', 'a1', 'other']);
  // Three more take 9 s.
  expect(refused).toEqual(['a5', 'a6', 'a7', 'a8', 'a9', 'late']);
});

test('Without a pace, turns wait until their time is over', async () => {
  const { gate, began, refused, enter, settled } = createGate();
  for (const name of ['one', 'two', 'three']) enter('a', name);
  gate.leave('a');
  await settled();
  expect([began, refused]).toEqual([['one', 'two'], []]);
});

test('What continues an earlier turn goes before the other turns of its user', async () => {
  const { gate, began, enter, settled } = createGate();
  for (const name of ['first', 'second', 'third']) enter('a', name);
  enter('a', 'further', { ...LONG, isFurther: true });
  enter('a', 'further still', { ...LONG, isFurther: true });
  for (let n = 0; n < 4; n++) gate.leave('a');
  await settled();
  expect(began).toEqual(['first', 'further', 'further still', 'second', 'third']);
});

test('In a full queue, what continues an earlier turn replaces the newest turn of the longest lane', async () => {
  const { gate, began, refused, enter, settled } = createGate(4);
  for (const name of ['first', 'second', 'third']) enter('a', name);
  for (const name of ['b1', 'b2', 'b3']) enter('b', name);
  enter('a', 'too many');
  enter('b', 'further', { ...LONG, isFurther: true });
  await settled();
  expect(refused).toEqual(['too many', 'third']);
  gate.leave('b');
  await settled();
  expect(began).toEqual(['first', 'b1', 'further']);
});
