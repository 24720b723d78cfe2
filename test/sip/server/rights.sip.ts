import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startApp } from '../../support/app';
import { databases } from '../../support/databases/databases';
import { createAgent, createDomain } from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { Phone, headersOf, id } from '../phone';
import { runCommand } from '../stack';
import { freePort, startKamailio, withModulesInLog } from '../support';

const servers = databases.filter(({ name }) => name !== 'SQLite');

describe.each(servers)(
  'With the rights that docs/kamailio.md names, and no others, on $name',
  ({ name, createDatabase }) => {
    test('sipgraph starts, installs for Kamailio, and a phone registers and calls', async () => {
      const own = await createDatabase();
      const model = new URL(own.url).pathname.slice(1);
      const mark = `${String(process.pid)}_${Math.random().toString(36).slice(2, 8)}`;
      const names: Readonly<Record<string, string>> = {
        'sipgraph.*': `${model}.*`,
        'kamailio.*': `kamailio_${mark}.*`,
        'sipgraph@': `sipgraph_${mark}@`,
        'installer@': `installer_${mark}@`,
      };
      const [sipgraph, installer, kamailio] = [`sipgraph_${mark}`, `installer_${mark}`, `kamailio_${mark}`];
      const page = await readFile(join(__dirname, '../../../docs/kamailio.md'), 'utf8');
      const grants = [...(/```sql\n([^]*?)```/.exec(page)?.[1] ?? '').matchAll(/^GRANT .*;$/gm)].map(([grant]) =>
        Object.entries(names).reduce((text, [usual, here]) => text.replaceAll(usual, here), grant),
      );
      expect(grants).toHaveLength(5);
      const urlOf = (user: string): string => {
        const url = new URL(own.url);
        [url.username, url.password] = [user, 'p'];
        return url.href;
      };
      const target = ['--schema', kamailio, '--user', kamailio, '--password', 'p'];
      try {
        for (const user of [sipgraph, installer])
          await runSql(own.url, `CREATE USER ${user}@127.0.0.1 IDENTIFIED BY 'p'`);
        for (const grant of grants) await runSql(own.url, grant);
        // The page mentions this right only in its text, because MariaDB has no such table.
        if (name === 'MySQL') await runSql(own.url, `GRANT INSERT ON mysql.component TO ${installer}@127.0.0.1`);
        const app = await startApp({ DATABASE_URL: urlOf(sipgraph) });
        for (let time = 0; time < 2; time++) await runCommand(urlOf(installer), ['kamailio', 'install', ...target]);
        const sip = `127.0.0.1:${String(await freePort())}`;
        const printed = await runCommand(urlOf(sipgraph), [
          'kamailio',
          'config',
          ...target,
          '--sip',
          sip,
          '--run',
          '/@RUN@',
        ]);
        await createDomain(app, { domainUri: 'one.test' });
        for (const username of ['anna', 'bert'])
          await createAgent(app, { username, secret: 's', domains: ['one.test'] });
        const server = await startKamailio(printed, sip, { edit: withModulesInLog });
        const [anna, bert] = [await Phone.open(sip, '127.0.1.1'), await Phone.open(sip, '127.0.1.2')];
        try {
          expect(await bert.registers('bert', 'one.test')).toMatch(/^SIP\/2\.0 200/);
          const asking = {
            uri: 'sip:bert@one.test',
            from: 'anna@one.test',
            to: 'bert@one.test',
            callId: id(),
            fromTag: id(),
          };
          const headers = [`Contact: <${anna.contact('anna')}>`];
          const answered = anna.proves({ ...asking, method: 'INVITE', headers }, { username: 'anna', secret: 's' });
          const heard = (await bert.hears(/^INVITE/)) ?? '';
          bert.answers(heard, '200 OK', 'b', [`Contact: <${bert.contact('bert')}>`]);
          const route = headersOf(await answered, 'Record-Route').map((line) => line.replace('Record-Route', 'Route'));
          const within = { ...asking, uri: bert.contact('bert'), toTag: 'b', headers: route };
          anna.says({ ...within, method: 'ACK', cseq: 2 });
          expect(await bert.hears(/^ACK/)).toBeDefined();
          expect(await runSql(own.url, `SELECT state FROM ${kamailio}.dialog`)).toHaveLength(1);
          const ended = anna.asks({ ...within, method: 'BYE', cseq: 3 });
          bert.answers((await bert.hears(/^BYE/)) ?? '', '200 OK', 'b');
          expect(await ended).toMatch(/^SIP\/2\.0 200/);
          expect(server.log()).not.toMatch(/denied/);
          const { body } = await app.rest<{ addressOfRecord: string }[]>('GET', '/location');
          expect(body.data).toMatchObject([{ addressOfRecord: 'sip:bert@one.test' }]);
        } finally {
          for (const phone of [anna, bert]) phone.close();
          await server.stop();
          await app.close();
        }
        expect(
          await runCommand(urlOf(installer), ['kamailio', 'uninstall', '--schema', kamailio, '--user', kamailio]),
        ).toBe(`Dropped the user "${kamailio}".\nDropped the views, the tables and the schema "${kamailio}".\n`);
      } finally {
        for (const user of [sipgraph, installer]) await runSql(own.url, `DROP USER IF EXISTS ${user}@127.0.0.1`);
        await own.drop();
      }
    });
  },
);
