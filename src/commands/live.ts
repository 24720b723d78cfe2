import { Option, type Command } from 'commander';

import type { Model } from '../model/model';
import { valuesOf } from '../resources/read/row';
import { fieldsOnly } from '../resources/read/selection';
import { NUMBER_STATES, type NumberState } from '../sip/diagnosis/facts';
import type { ScopeQuery } from '../sip/diagnosis/number-scope';
import { responseOf } from '../sip/calls/call';
import { REGISTRATION_EVENTS, type RegistrationEventKind } from '../sip/past/registration-event';
import type { ContactQuery } from '../sip/live/contact-query';
import { HEALTH_STATES } from '../model/gateway-health';
import { GatewayTests } from '../sip/live/gateway-tests';
import type { GatewayTest } from '../sip/live/sip-server';
import { NOT_CHECKED } from '../sip/live/health-reader';
import { TRUNK_STATES, type TrunkState } from '../sip/live/trunk-reader';
import { answering, count, limitIn, listOf, time } from './answer';
import type { Databases } from './databases';
import { timeIn } from './history';
import { markOf, printable, table, type Mark } from './table';

interface Limited {
  readonly limit: number;
}

interface Scope {
  readonly gateway?: string;
  readonly agent?: string;
  readonly peer?: string;
  readonly domain?: string;
  readonly address?: string;
}

interface RegistrationConditions extends Limited {
  readonly address?: string;
  readonly agent?: string;
  readonly peer?: string;
  readonly gateway?: string;
  readonly event?: RegistrationEventKind;
  readonly since?: number;
}

/** Adds the commands that show what is live: `health`, `trunks`, `refused`, `test-gateway`, `devices` and `registrations`. */
export function addLiveCommands(program: Command, databases: Databases, model: Model): void {
  addHealth(program, databases);
  addTrunks(program, databases, model);
  addRefused(program, databases, model);
  addTestGateway(program, databases);
  addDevices(program, databases);
  addRegistrations(program, databases);
}

function addHealth(program: Command, databases: Databases): void {
  answering(
    program
      .command('health')
      .description(
        'count the numbers that ring, and the others by cause, and the gateways by whether their hosts respond',
      )
      .option('--gateway <ref>', 'only numbers of this gateway')
      .option('--agent <ref>', 'only numbers that lead to this agent')
      .option('--peer <ref>', 'only numbers that lead to this peer')
      .option('--domain <ref>', 'only numbers whose address of record is in this domain')
      .option('--address <address>', 'only numbers that lead to this address of record'),
    ({ gateway, agent, peer, domain, address }: Scope) =>
      databases.openToRead(async ({ diagnosis, health }) => {
        const scope: ScopeQuery = {
          gatewayRef: gateway,
          agentRef: agent,
          peerRef: peer,
          domainRef: domain,
          addressOfRecord: address,
        };
        const states = new Map<NumberState, number>();
        let examined = 0;
        let after: number | undefined;
        for (let more = true; more;) {
          const part = await diagnosis.counts(after, scope);
          for (const [state, many] of part.counts) states.set(state, (states.get(state) ?? 0) + many);
          examined += part.examined;
          after = part.end;
          more = part.more;
        }
        const counts = NUMBER_STATES.filter((state) => state !== 'MISSING').map((state) => ({
          state,
          count: states.get(state) ?? 0,
        }));
        const found = counts.filter((each) => each.count > 0);
        const isAll = Object.values(scope).every((each) => each === undefined);
        const known = isAll ? await health.counts() : undefined;
        const gateways = known && HEALTH_STATES.map((state) => ({ state, count: known.get(state) ?? 0 }));
        return {
          text: [
            ...table(found, { state: (each) => each.state, numbers: (each) => each.count }, markOf),
            count(examined, 'number'),
            ...(gateways
              ? table(
                  gateways.filter((each) => each.count > 0),
                  { health: (each) => each.state, gateways: (each) => each.count },
                  markOf,
                )
              : []),
          ],
          json: { examined, states: counts, ...(gateways && { gateways }) },
        };
      }),
  );
}

function addTrunks(program: Command, databases: Databases, model: Model): void {
  answering(
    program
      .command('trunks')
      .description('list the gateways that register at their providers or are checked with OPTIONS, and their state')
      .addOption(new Option('--state <state>', 'only trunks in this state').choices(TRUNK_STATES))
      .option('--search <text>', "only trunks with this text in the gateway's name, host or user name")
      .option('--limit <number>', 'number of trunks', limitIn, 50),
    ({ state, search, limit }: Limited & { readonly state?: TrunkState; readonly search?: string }) =>
      databases.openToRead(async ({ trunks, resources, registrations, health }) => {
        const { items, more } = await trunks.page({ limit, backwards: false }, { states: state && [state], search });
        const ids = items.map(({ rowId }) => rowId);
        const kind = model.kindOf('Gateway');
        const gateways = await resources.byRowIds(kind, ids, fieldsOnly('ref', 'name', 'host'));
        const found = await registrations.of(ids);
        const measured = await health.of(ids);
        const rows = items.map(({ rowId, state: now, since }) => {
          const { expiresOn = null, lastResponse = null } = found.get(rowId) ?? {};
          const gateway = gateways.get(rowId);
          const { state: responds, roundTrip, lastStatus } = measured.get(rowId) ?? NOT_CHECKED;
          const values = gateway && valuesOf(kind, gateway);
          const [name, host] = [values?.get('name'), values?.get('host')];
          return {
            state: now,
            ref: gateway?.ref,
            name,
            host,
            since: time(since),
            expiresOn: time(expiresOn),
            lastResponse,
            health: responds,
            roundTrip,
            lastStatus,
          };
        });
        return listOf(
          'trunks',
          rows,
          {
            state: (row) => row.state,
            gateway: (row) => row.ref,
            name: (row) => row.name,
            host: (row) => row.host,
            since: (row) => row.since,
            response: (row) => row.lastResponse,
            health: (row) => row.health,
            'round trip': (row) => (row.roundTrip === null ? null : `${String(row.roundTrip)} ms`),
          },
          { more, limit },
          markOf,
        );
      }),
  );
}

function addRefused(program: Command, databases: Databases, model: Model): void {
  answering(
    program.command('refused').description('list unknown addresses whose calls were refused in the last 30 days'),
    () =>
      databases.openToRead(async ({ refusedCallers, resources }) => {
        const found = await refusedCallers.sources();
        const kind = model.kindOf('Gateway');
        const ids = found.flatMap(({ rowId }) => rowId ?? []);
        const gateways = await resources.byRowIds(kind, ids, fieldsOnly('ref'));
        const sources = found.map(({ rowId, ip, digits, calls, firstOn, lastOn }) => ({
          ip,
          calls,
          gateway: rowId === null ? null : (gateways.get(rowId)?.ref ?? null),
          digits,
          firstOn: time(firstOn),
          lastOn: time(lastOn),
        }));
        return {
          text: table(sources, {
            address: (row) => row.ip,
            calls: (row) => row.calls,
            gateway: (row) => row.gateway,
            number: (row) => row.digits,
            first: (row) => row.firstOn,
            last: (row) => row.lastOn,
          }),
          json: { sources },
        };
      }),
  );
}

function addTestGateway(program: Command, databases: Databases): void {
  answering(
    program
      .command('test-gateway')
      .description(
        'send OPTIONS to the host and the destinations of a gateway through the SIP server, and print what comes back within 2 seconds',
      )
      .argument('<ref>', 'the reference of the gateway'),
    (ref: string) =>
      databases.openExisting(async (database) => {
        const tests = new GatewayTests(database, databases.sipServer(), new Set());
        const [result, destinations] = await Promise.all([
          tests.test(ref),
          tests.testDestinations(ref, () => undefined),
        ]);
        const others = destinations.map(({ host, port, ...test }) => {
          const place = port === null ? host : `${host}:${String(port)}`;
          return `${place}: ${test.outcome === null ? 'not tested' : answerOf({ ...test, outcome: test.outcome })}`;
        });
        return { text: [answerOf(result), ...others].map(printable), json: { ...result, destinations } };
      }),
  );
}

function addDevices(program: Command, databases: Databases): void {
  answering(
    program
      .command('devices')
      .description('list the devices that are registered now, in the order of registration')
      .option('--search <text>', 'only devices with this text in the address of record, contact URI or user agent')
      .option('--domain <domain>', 'only devices in this domain')
      .option('--transport <transport>', 'only devices with this transport, such as udp')
      .option('--limit <number>', 'number of devices', limitIn, 50),
    ({ limit, search, domain, transport }: Limited & ContactQuery) =>
      databases.openToRead(async ({ contacts }) => {
        const { items, more } = await contacts.page({ limit, backwards: false }, { search, domain, transport });
        const rows = items.map(({ rowId, id, expiresOn, ...contact }) => ({ ...contact, expiresOn: time(expiresOn) }));
        return listOf(
          'devices',
          rows,
          {
            address: (row) => row.addressOfRecord,
            contact: (row) => row.uri,
            transport: (row) => row.transport,
            until: (row) => row.expiresOn,
            agent: (row) => row.userAgent,
          },
          { more, limit },
        );
      }),
  );
}

function addRegistrations(program: Command, databases: Databases): void {
  answering(
    program
      .command('registrations')
      .description('list registrations of devices and gateways that began, moved, ended or were refused, newest first')
      .option('--address <address>', 'only of this address of record')
      .addOption(new Option('--agent <ref>', 'only of this agent').conflicts(['peer', 'gateway']))
      .addOption(new Option('--peer <ref>', 'only of this peer').conflicts('gateway'))
      .option('--gateway <ref>', 'only of this gateway, at its provider')
      .addOption(new Option('--event <event>', 'only these events').choices(REGISTRATION_EVENTS))
      .option('--since <time>', 'only later events: a time such as 2026-03-01T10:15Z, or an age such as 24h', timeIn)
      .option('--limit <number>', 'number of events', limitIn, 50),
    ({ address, agent, peer, gateway, event, since, limit }: RegistrationConditions) =>
      databases.openToRead(async ({ registrationEvents }) => {
        const owners = [
          agent === undefined ? [] : { kind: 'Agent' as const, ref: agent },
          peer === undefined ? [] : { kind: 'Peer' as const, ref: peer },
          gateway === undefined ? [] : { kind: 'Gateway' as const, ref: gateway },
        ].flat();
        const query = { addressOfRecord: address, owner: owners[0], events: event && [event], from: since };
        const { items, more } = await registrationEvents.page({ limit, backwards: false }, query);
        const rows = items.map(({ rowId: _row, seekKey: _key, at, ...each }) => ({ at: time(at), ...each }));
        const mark = ({ event }: (typeof rows)[number]): Mark => markOf({ state: event });
        return listOf(
          'events',
          rows,
          {
            at: (row) => row.at,
            event: (row) => row.event,
            of: (row) => row.addressOfRecord ?? row.owner?.ref,
            from: (row) => (row.port === null ? row.host : `${String(row.host)}:${String(row.port)}`),
            agent: (row) => row.userAgent,
            reason: responseOf,
          },
          { more, limit },
          mark,
        );
      }),
  );
}

function answerOf({ outcome, address, status, reason, roundTrip }: GatewayTest): string {
  switch (outcome) {
    case 'ANSWERED':
      return `${String(status)} ${reason ?? ''} from ${String(address)} after ${String(roundTrip)} ms`;
    case 'SILENT':
      return `no response from ${String(address)} within 2 s`;
    case 'NO_ADDRESS':
      return 'the host has no address in DNS';
    case 'DRY_RUN':
      return 'not sent';
    case 'NOT_SENT':
      return `${String(address)} cannot be reached`;
  }
}
