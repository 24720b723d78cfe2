// Takes the pictures of docs/console.md: starts the application with sample data, and opens its pages in Chromium.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

import { createApp } from '../src/app/app';
import { loadConfig } from '../src/config/config';
import { openSqlite } from '../src/database/sqlite/better-sqlite3';

const PICTURES = [
  { name: 'chain', path: '?q=%2B17066041490', text: 'Route calls to', height: 880 },
  { name: 'now', path: '', text: 'Needs attention', height: 784 },
  { name: 'map', path: '/map', text: 'The map as a table', height: 560 },
  { name: 'list', path: '/dids', text: '1001@sip.local', height: 580 },
  { name: 'gateway', path: '/gateways/gweef506/show', text: 'DIDs (3)', height: 980 },
  { name: 'form', path: '/dids/create', text: 'Country ISO code', height: 840 },
  { name: 'health', path: '/health?state=NOT_REGISTERED', text: 'No device is registered', height: 920 },
  { name: 'history', path: '/history', text: 'created', height: 640 },
  { name: 'phone', path: '/new-phone-user', text: 'User name', height: 640 },
];
const WIDTH = 1200;
const QUARTER_HOUR = 900_000;
// On a busy machine.
const PATIENCE = 300_000;
const SECRET = 'the secret of the pictures';
const TARGET = join(__dirname, '../docs/console');

/** Samples of the day before, as a server has them that did not just start: one for each quarter of an hour. */
function fillDay(file: string): void {
  const connection = openSqlite(file);
  const insert = connection.prepare(
    `INSERT INTO samples (step, at, devices, trunks_registered, trunks_refused, trunks_unreachable, trunks_expired,
       trunks_unknown, numbers_reachable, numbers_not_registered, numbers_gateway_not_registered, changes)
     VALUES (?, ?, ?, 1, 0, 0, 0, 1, ?, ?, 2, ?)`,
  );
  const now = Date.now() - (Date.now() % QUARTER_HOUR);
  for (let place = 1; place < 96; place++) {
    // The phones of the office are off at night, and one of them for a while in the morning.
    const devices = place > 40 && place < 75 ? 0 : place > 20 && place < 26 ? 1 : 2;
    const ring = devices === 0 ? 0 : devices + 1;
    insert.run(QUARTER_HOUR, now - place * QUARTER_HOUR, devices, ring, 5 - ring, place % 31 === 3 ? 2 : 0);
  }
  connection.close();
}

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'sipgraph-pictures-'));
  const env = { PORT: '0', DATABASE_URL: `sqlite:${directory}/data.db`, ADMIN_SECRET: SECRET, LOG_LEVEL: 'silent' };
  const app = await createApp(loadConfig(env));
  const url = await app.listen();
  fillDay(`${directory}/data.db`);
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
  await mkdir(TARGET, { recursive: true });
  for (const { name, path, text, height } of PICTURES) {
    const page = await browser.newPage({ viewport: { width: WIDTH, height }, colorScheme: 'light' });
    page.setDefaultTimeout(PATIENCE);
    await page.goto(`${url}/console${path}`);
    await page.getByLabel('Name').fill('admin');
    await page.getByLabel('Secret').fill(SECRET);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(text).first().waitFor();
    await page.waitForLoadState('networkidle');
    // Nothing is under the pointer, which signed in.
    await page.mouse.move(WIDTH - 1, 0);
    await page.screenshot({ path: join(TARGET, `${name}.png`), animations: 'disabled' });
    await page.close();
  }
  await browser.close();
  await app.close();
  await rm(directory, { recursive: true });
}

void main();
