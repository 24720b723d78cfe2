import { createGateway } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { registerContact, registerGateway, runSql } from '../support/databases/sql';

onEachDatabase('REST lists', (subject) => {
  let refs: string[];

  beforeAll(async () => {
    refs = [];
    for (let index = 0; index < 35; index++) refs.push(await createGateway(subject().app));
  });

  test.each([
    ['', 1, 30, 30, 2],
    ['?page=2', 2, 30, 5, 2],
    ['?page=3', 3, 30, 0, 2],
    ['?page=999999999999', 999_999_999_999, 30, 0, 2],
    ['?itemsPerPage=10&page=4', 4, 10, 5, 4],
    ['?itemsPerPage=35', 1, 35, 35, 1],
    ['?itemsPerPage=100', 1, 100, 35, 1],
  ])(
    '/gateways%s returns page %i with %i items per page, of which it has %i, of %i pages',
    async (query, page, size, length, pages) => {
      const { body } = await subject().app.rest<{ metadata: { ref: string } }[]>('GET', `/gateways${query}`);
      expect(body.meta).toEqual({ currentPage: page, totalPages: pages, itemsPerPage: size, totalItems: 35 });
      expect(body.data.map(({ metadata }) => metadata.ref)).toEqual(refs.slice((page - 1) * size, page * size));
      expect(body.data).toHaveLength(length);
    },
  );

  test.each([
    'page=0',
    'page=-1',
    'page=x',
    'page=1.5',
    'page=1e3',
    'page=1000000000000000',
    'itemsPerPage=0',
    'itemsPerPage=101',
    'itemsPerPage=abc',
  ])('/gateways?%s is 400, and the error names the parameter', async (query) => {
    const { body } = await subject().app.rest<string[]>('GET', `/gateways?${query}`);
    expect(body).toMatchObject({ status: '400', message: 'Bad Request' });
    const [name = '', value = ''] = query.split('=');
    const most = name === 'page' ? '999999999999999' : '100';
    expect(body.data).toEqual([`${name}: "${value}" is not a whole number from 1 to ${most}`]);
  });

  test('an empty list has no pages', async () => {
    const { body } = await subject().app.rest('GET', '/agents');
    expect([body.data, body.meta]).toEqual([[], { currentPage: 1, totalPages: 0, itemsPerPage: 30, totalItems: 0 }]);
  });

  test('/location has an entry for each address of record with a live contact', async () => {
    const { app, url } = subject();
    const base = { domain: 'sip.local' };
    await registerContact(url, {
      ...base,
      username: 'b',
      contact: 'sip:b@10.0.0.1:5060;transport=TCP;ob',
      asked: 3600,
    });
    await registerContact(url, {
      ...base,
      username: 'a',
      contact: 'sip:a@10.0.0.2',
      socket: 'tls:192.0.2.1:5061',
      received: 'sip:198.51.100.1:1',
    });
    await registerContact(url, { ...base, username: 'a', contact: 'sip:a@10.0.0.3', q: 0.1 });
    await registerContact(url, { ...base, username: 'gone', contact: 'sip:gone@10.0.0.4', secondsLeft: -1 });
    await registerContact(url, { ...base, username: 'A', contact: 'sip:A;x=1@10.0.0.5;transport=udp' });
    const { body } = await app.rest('GET', '/location');
    expect(body.data).toEqual([
      { addressOfRecord: 'sip:A@sip.local', contactInfo: 'sip:A;x=1@10.0.0.5;transport=udp;nat=false;expires=600' },
      { addressOfRecord: 'sip:a@sip.local', contactInfo: 'sip:a@10.0.0.2;transport=tls;nat=true;expires=600 [...]' },
      { addressOfRecord: 'sip:b@sip.local', contactInfo: 'sip:b@10.0.0.1:5060;transport=tcp;nat=false;expires=3600' },
    ]);
    const { body: second } = await app.rest<{ addressOfRecord: string }[]>('GET', '/location?page=2&itemsPerPage=2');
    expect(second.data.map((entry) => entry.addressOfRecord)).toEqual(['sip:b@sip.local']);
    expect(second.meta).toEqual({ currentPage: 2, totalPages: 2, itemsPerPage: 2, totalItems: 3 });
  });

  test.each([
    [1, 'a few seconds ago'],
    [60, 'a minute ago'],
    [120, '2 minutes ago'],
    [3600, 'an hour ago'],
    [7200, '2 hours ago'],
    [86_400, 'a day ago'],
    [-60, 'a few seconds ago'],
  ])('/registry describes the time of a registration %i s ago as: %s', async (secondsAgo, words) => {
    const { app, url } = subject();
    const ref = await createGateway(app);
    await registerGateway(url, ref, { secondsAgo });
    const { body } = await app.rest<{ gwRef: string; regOnFormatted: string }[]>('GET', '/registry');
    expect(body.data.find(({ gwRef }) => gwRef === ref)?.regOnFormatted).toBe(words);
    await runSql(url, 'DELETE FROM gateway_registrations');
  });

  test('/registry shows neither expired registrations nor those of deleted gateways', async () => {
    const { app, url } = subject();
    const [expired, deleted] = [await createGateway(app), await createGateway(app)];
    await registerGateway(url, expired, { secondsLeft: -1 });
    await registerGateway(url, deleted);
    await app.graphql(`mutation { deleteGateway(ref: "${deleted}") }`);
    const { body } = await app.rest('GET', '/registry');
    expect([body.data, body.meta['totalItems']]).toEqual([[], 0]);
  });
});
