import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { load } from 'js-yaml';

import { loadConfig } from '../../src/config/config';
import { settings } from '../../src/config/settings';
import { describeWith } from '../support/runner/programs';

const ROOT = resolve(__dirname, '../..');
const textOf = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const { version, files } = JSON.parse(textOf('package.json')) as { version: string; files: readonly string[] };
const names = (folder: string): readonly string[] => readdirSync(join(ROOT, folder)).map((name) => join(folder, name));

/** The instructions of a Dockerfile, with continued lines joined. */
function instructionsOf(name: string): readonly (readonly [string, string])[] {
  const lines = textOf(name)
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)] as const);
}

describe.each(['deploy/Dockerfile', 'deploy/compose/kamailio.Dockerfile'])('%s', (name) => {
  const instructions = instructionsOf(name);
  const of = (which: string): readonly string[] =>
    instructions.flatMap(([each, rest]) => (each === which ? [rest] : []));

  test('builds on images with a version, all on the same release of Debian', () => {
    for (const image of of('FROM')) expect(image).toMatch(/^\w+:(\d+-)?bookworm-slim( AS \w+)?$/);
  });

  test('installs packages without recommended ones, and removes the lists', () => {
    for (const command of of('RUN').filter((each) => each.includes('apt-get install'))) {
      expect(command).toMatch(/^apt-get update && apt-get install -y --no-install-recommends /);
      expect(command).toMatch(/ && rm -rf \/var\/lib\/apt\/lists\/\*$/);
    }
  });

  test('runs as a numeric user that is not root, with commands that need no shell', () => {
    expect(of('USER').at(-1)).toBe('1000:1000');
    const commands = [
      ...of('CMD'),
      ...of('ENTRYPOINT'),
      ...of('HEALTHCHECK').map((each) => each.replace(/^.*CMD /, '')),
    ];
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) expect(Array.isArray(JSON.parse(command))).toBe(true);
    expect(instructions.map(([each]) => each)).not.toContain('ADD');
  });
});

describe('The image of sipgraph', () => {
  const instructions = instructionsOf('deploy/Dockerfile');
  const copied = instructions.flatMap(([each, rest]) => (each === 'COPY' ? [rest] : []));

  test('contains everything that the package contains', () => {
    for (const folder of [...files, 'node_modules', 'package.json'])
      expect(copied.some((rest) => rest.startsWith(`--from=build /app/${folder} `))).toBe(true);
  });

  test('copies files that exist and that .dockerignore does not exclude', () => {
    const sources = copied.filter((rest) => !rest.startsWith('--from')).flatMap((rest) => rest.split(' ').slice(0, -1));
    for (const source of sources) expect(existsSync(join(ROOT, source))).toBe(true);
    expect(textOf('.dockerignore')).toContain('!deploy/healthcheck.js\n');
    for (const secret of ['.env', 'data', '*.db', '.git'])
      expect(textOf('.dockerignore').split('\n')).toContain(secret);
  });

  test('listens on all addresses, with a database on its volume', () => {
    const env = instructions.flatMap(([each, rest]) => (each === 'ENV' ? rest.split(' ') : []));
    const config = loadConfig(
      Object.fromEntries(env.map((each) => each.split(/=(.*)/s).slice(0, 2) as [string, string])),
    );
    expect(config.host).toBe('0.0.0.0');
    expect(config.database).toMatchObject({ dialect: 'sqlite', file: '/data/sipgraph.db' });
    expect(instructions).toContainEqual(['VOLUME', '/data']);
    expect(instructions).toContainEqual(['EXPOSE', String(config.port)]);
  });
});

interface Service {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly volumes?: readonly string[];
  readonly '<<'?: Service;
}

describe('deploy/compose.yml', () => {
  const { services } = load(textOf('deploy/compose.yml')) as { services: Readonly<Record<string, Service>> };

  test('sets only variables that sipgraph reads, and contains no secret', () => {
    const own = ['SIP_ADDRESS', 'SIP_ADVERTISE', 'CONFIG_DIRECTORY'];
    const known = [...Object.keys(settings.shape), ...own];
    for (const name of ['setup', 'sipgraph']) {
      for (const [key, value] of Object.entries(services[name]?.environment ?? {})) {
        expect(known).toContain(key);
        if (/SECRET|PASSWORD|TOKEN/.test(key)) expect(value).toMatch(/^\$\{\w+:\?[^}]*\}$/);
      }
    }
  });

  test('mounts files that exist', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.filter((each) => each.startsWith('.')),
    );
    expect(mounted.length).toBeGreaterThan(2);
    for (const each of mounted) expect(existsSync(join(ROOT, 'deploy', each.split(':')[0] ?? ''))).toBe(true);
  });

  test('and the manifest of Kubernetes run the image of this version', () => {
    expect(textOf('deploy/compose.yml')).toContain(`image: sipgraph:${version}\n`);
    expect(textOf('deploy/kubernetes/deployment.yaml')).toContain(`image: sipgraph:${version}\n`);
  });
});

describe('The manifests of Kubernetes', () => {
  const [deployment, budget, service] = ['deployment', 'disruption-budget', 'service'].map((name) =>
    load(textOf(`deploy/kubernetes/${name}.yaml`)),
  );
  const labels = { 'app.kubernetes.io/name': 'sipgraph' };

  test('update without a gap, and keep one process while nodes are drained', () => {
    expect(deployment).toMatchObject({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: {
        replicas: 2,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0 } },
        selector: { matchLabels: labels },
        template: { metadata: { labels } },
      },
    });
    expect(budget).toMatchObject({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    });
    expect(service).toMatchObject({ apiVersion: 'v1', kind: 'Service', spec: { selector: labels } });
  });

  test('send requests to ready processes only, restart hung ones, and give them time to finish', () => {
    const probe = (path: string) => ({ httpGet: { path, port: 'http' } });
    expect(deployment).toMatchObject({
      spec: {
        template: {
          spec: {
            terminationGracePeriodSeconds: 30,
            containers: [
              {
                ports: [{ name: 'http', containerPort: 4567 }],
                readinessProbe: probe('/readyz'),
                livenessProbe: probe('/healthz'),
                startupProbe: probe('/healthz'),
              },
            ],
          },
        },
      },
    });
  });

  test('run without root, privileges, a token of the cluster, or a writable file system', () => {
    expect(deployment).toMatchObject({
      spec: {
        template: {
          spec: {
            automountServiceAccountToken: false,
            securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
            containers: [
              {
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  capabilities: { drop: ['ALL'] },
                },
                resources: { limits: { memory: expect.any(String) } },
              },
            ],
          },
        },
      },
    });
  });
});

describeWith(['systemd-analyze'], 'The units of systemd', () => {
  const units = names('deploy/systemd').filter((name) => /\.(service|timer)$/.test(name));
  // The program of the unit must exist, wherever this machine has Node.
  const directory = mkdtempSync(join(tmpdir(), 'sipgraph-units-'));
  const copies = units.map((name) => {
    const copy = join(directory, name.replace(/.*\//, ''));
    writeFileSync(copy, textOf(name).replaceAll('/usr/bin/node', process.execPath));
    return copy;
  });
  const analyze = (...args: readonly string[]) => promisify(execFile)('systemd-analyze', args);

  test('are valid', async () => {
    expect(units).toHaveLength(3);
    expect(await analyze('verify', ...copies)).toEqual({ stdout: '', stderr: '' });
  });

  test('the drop-in for Kamailio starts it after the database, and until the database responds', async () => {
    const unit = join(directory, 'kamailio.service');
    writeFileSync(unit, '[Service]\nExecStart=/bin/true\nRestart=on-failure\n');
    mkdirSync(`${unit}.d`);
    const dropIn = textOf('deploy/systemd/kamailio.conf');
    writeFileSync(join(`${unit}.d`, 'sipgraph.conf'), dropIn);
    expect(await analyze('verify', unit)).toEqual({ stdout: '', stderr: '' });
    const settings = dropIn.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(settings).toEqual([
      ...['[Unit]', 'After=mariadb.service mysql.service', 'StartLimitIntervalSec=0'],
      ...['[Service]', 'RestartSec=2'],
    ]);
  });

  test.each(copies.filter((name) => name.endsWith('.service')))('%s is in a sandbox', async (unit) => {
    const { stdout } = await analyze('security', '--offline=true', '--no-pager', unit);
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2);
  });
});
