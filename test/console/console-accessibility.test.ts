import { faults, keyboardFaults } from '../support/browser/accessibility';
import { PHONE } from '../support/browser/browser';
import { withConsole } from '../support/browser/console';
import { createAgent, createDid, createDomain, createGateway, createNumber, createRoute } from '../support/factories';
import { describeWith } from '../support/runner/programs';
import { storeCall } from '../support/databases/sql';

/** The longest names that a table or a heading must stand. */
const LONG = 'Deutsche Telekom SIP-Trunk Pooling, Rechenzentrum Frankfurt am Main, Halle 12, R';
const LONG_HOST = 'a-very-long-name-of-a-host.of-the-northern-branch.logistics.berlin.example.test';

const LISTS = ['dids', 'numbers', 'agents', 'domains', 'gateways', 'peers', 'routes'];
/** A resource of each kind: `refs` of the test. */
const RESOURCES = ['DID', 'Number', 'Agent', 'Domain', 'Gateway', 'Peer', 'Route'];

/** How the browser shows the pages at first. */
const SEEN = { viewport: PHONE, reducedMotion: 'reduce' } as const;

/** Pages by name. `REF` is the reference of the resource that the name says, `CALL` a call, and `THEN` a time. */
const PAGES: readonly (readonly [name: string, path: string])[] = [
  ['the first page', ''],
  ['the map', '/map'],
  ['the health of numbers', '/health'],
  ['the numbers whose target is missing', '/health?state=TARGET_MISSING'],
  ['the calls', '/calls'],
  ['a call', '/calls/CALL'],
  ['the devices', '/live?show=devices'],
  ['the trunks', '/live?show=trunks'],
  ['the history', '/history'],
  ['the sign-ins', '/history?show=security'],
  ['the changes that wait', '/pending'],
  ['the users', '/users'],
  ['the sessions and tokens', '/account'],
  ['the webhooks', '/webhooks'],
  ['the import', '/import'],
  ['the page for moving in', '/moving'],
  ['the form of a phone user', '/new-phone-user'],
  ['a number that does not ring', '/?q=%2B1007'],
  ['a call to a number', '/?q=%2B1001&from=%2B4930123456'],
  ['a moment', '/?at=THEN'],
  ['no page', '/nothing'],
  ...LISTS.map((list) => [`the list of ${list}`, `/${list}?perPage=10`] as const),
  ...LISTS.map((list) => [`the form of new ${list}`, `/${list}/create`] as const),
  ...RESOURCES.map((kind, index) => [`the ${kind}`, `/${LISTS[index] ?? ''}/REF/show`] as const),
  ['the form of the DID', '/dids/REF'],
  ['the form of the Gateway', '/gateways/REF'],
  ['the replacement of the Gateway', '/replace-trunk/REF'],
];

describeWith(['chromium'], 'In the console, with names of 80 characters,', () => {
  const subject = withConsole();
  const refs: Record<string, string> = {};
  let call = '';

  beforeAll(async () => {
    const { app, url } = subject;
    const aorLink = `sip:longest@${LONG_HOST}`;
    refs['Domain'] = await createDomain(app, { name: LONG, domainUri: LONG_HOST });
    refs['Gateway'] = await createGateway(app, {
      name: LONG,
      host: `sip.${LONG_HOST}`,
      username: 'a-user-name-of-forty-characters-at-least',
      secret: 'trunk-secret',
    });
    refs['Agent'] = await createAgent(app, { name: LONG, username: 'longest', domains: [LONG_HOST] });
    refs['DID'] = await createDid(app, { telUrl: 'tel:+493012345678', gatewayRef: refs['Gateway'], aorLink });
    refs['Number'] = await createNumber(app, { telUrl: 'tel:+493012345679', gatewayRef: refs['Gateway'], aorLink });
    refs['Route'] = await createRoute(app);
    const { data } = await app.graphql<{ peers: { nodes: { ref: string }[] } }>('{ peers { nodes { ref } } }');
    refs['Peer'] = data.peers.nodes[0]?.ref ?? '';
    const now = Date.now();
    await storeCall(url, {
      state: 5,
      begun: now - 300_000,
      direction: 'OUT',
      from_uri: `sip:longest@${LONG_HOST}`,
      to_uri: `sip:+4940555000@${LONG_HOST}`,
      called: '+4940555000',
      caller: `agent:${refs['Agent']}`,
      gateway_ref: refs['Gateway'],
      ended: now - 299_000,
      ended_by: 'CALLEE',
      status: 503,
      reason: 'no circuit',
    });
    const calls = await app.graphql<{ calls: { nodes: { id: string }[] } }>('{ calls { nodes { id } } }');
    call = calls.data.calls.nodes[0]?.id ?? '';
    const { errors } = await app.graphql(
      'mutation { createWebhook(url: "https://93.184.216.34/a/path/that/is/long/enough/to/wrap/on/a/phone", events: [RESOURCE_CHANGED]) { secret } }',
    );
    expect(errors).toBeUndefined();
    await subject.open('', SEEN);
  });

  const pathOf = (name: string, path: string): string => {
    const kind = RESOURCES.find((each) => name.endsWith(` ${each}`)) ?? '';
    return path
      .replace('REF', refs[kind] ?? '')
      .replace('CALL', encodeURIComponent(call))
      .replace('THEN', encodeURIComponent(new Date(Date.now() - 60_000).toISOString()));
  };

  test.each(PAGES)(
    '%s is accessible in both themes, fits at 200 %% and 400 %%, and is reached by Tab',
    async (name, path) => {
      // Loaded on a phone, where the menu does not cover it.
      await subject.opened.page.setViewportSize(PHONE);
      await subject.open(pathOf(name, path), SEEN);
      const { page } = subject.opened;
      await page.locator('#react-admin-title:not(:empty)').waitFor();
      await page.waitForLoadState('networkidle');
      // The last view is that of a wide screen.
      expect({ seen: await faults(page), byKeyboard: await keyboardFaults(page) }).toEqual({
        seen: [],
        byKeyboard: [],
      });
    },
  );
});
