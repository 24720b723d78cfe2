import { createGateway } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';
import { transports, type Subscription } from '../support/subscriptions';

const [transport] = transports;

onEachDatabase('After a backup was restored', (subject) => {
  const subscribe = async (since?: string): Promise<Subscription> => {
    const query = 'subscription($since: String) { resourceChanged(since: $since) { ref cursor } }';
    return transport.subscribe(subject().app.url, await subject().app.token(), query, { since });
  };
  const cursor = async (): Promise<string> =>
    (await subject().app.graphql<{ changeCursor: string }>('{ changeCursor }')).data.changeCursor;
  /** Takes the last changes away, as a restored backup does, which does not have them. */
  const restore = async (changes: number): Promise<void> => {
    const { url } = subject();
    await runSql(url, `UPDATE change_head SET last = last - ${String(changes)}`);
    await runSql(url, 'DELETE FROM changes WHERE id > (SELECT last FROM change_head)');
  };
  const gone = {
    errors: [
      {
        message: expect.stringContaining('before a backup was restored') as string,
        extensions: { code: 'CURSOR_GONE' },
      },
    ],
  };

  test('a cursor is refused before and after its number is used again, and earlier cursors are good', async () => {
    const { app } = subject();
    await createGateway(app);
    const early = await cursor();
    for (let n = 0; n < 3; n++) await createGateway(app);
    const late = await cursor();
    await restore(3);
    const ahead = await subscribe(late);
    expect(await ahead.next()).toMatchObject(gone);
    const refs: string[] = [];
    for (let n = 0; n < 5; n++) refs.push(await createGateway(app));
    await cursor(); // numbers them
    const again = await subscribe(late);
    expect(await again.next()).toMatchObject(gone);
    const earlier = await subscribe(early);
    for (const ref of refs) expect(await earlier.next()).toMatchObject({ data: { resourceChanged: { ref } } });
    for (const each of [ahead, again, earlier]) await each.close();
  });

  test('a running subscription ends with an error', async () => {
    const { app } = subject();
    const running = await subscribe();
    const ref = await createGateway(app);
    expect(await running.next()).toMatchObject({ data: { resourceChanged: { ref } } });
    await restore(1);
    expect(await running.next()).toMatchObject(gone);
    await running.close();
  });

  test('a cursor of version 0.1, which is only a number, is accepted', async () => {
    const { app } = subject();
    const [, number] = Buffer.from(await cursor(), 'base64url')
      .toString()
      .split(':');
    const subscription = await subscribe(Buffer.from(`change:${String(number)}`).toString('base64url'));
    const ref = await createGateway(app);
    expect(await subscription.next()).toMatchObject({ data: { resourceChanged: { ref } } });
    await subscription.close();
  });
});
