import { faults } from '../../support/browser/accessibility';
import { PHONE } from '../../support/browser/browser';
import { VIEWER, withConsole } from '../../support/browser/console';
import { eventually } from '../../support/eventually';
import { createGateway } from '../../support/factories';
import { inAnHour, nameOf } from '../../support/pending';
import { describeWith } from '../../support/runner/programs';
import { runSql } from '../../support/databases/sql';

describeWith(['chromium'], 'Changes that wait, in the console', () => {
  const subject = withConsole();
  const page = () => subject.opened.page;
  const bar = () => page().getByRole('region', { name: 'Changes that wait for confirmation' });

  async function change(ref: string, more = 'confirmWithin: 600, revertIf: { numbersStopped: 5 }'): Promise<string> {
    const { data, errors } = await subject.app.graphql<{ applied: { pending: { id: string } } }>(
      `mutation ($ref: String!) {
        applied: applyChanges(changes: [{ update: { ref: $ref, gateway: { name: "after" } } }], ${more}) { pending { id } }
      }`,
      { ref },
    );
    expect(errors).toBeUndefined();
    return data.applied.pending.id;
  }

  test('a bar on every page counts down, shows the figures, and confirms or reverts the changes', async () => {
    const [kept, reverted] = [
      await createGateway(subject.app, { name: 'before' }),
      await createGateway(subject.app, { name: 'before' }),
    ];
    await change(kept);
    for (const path of ['/history', '/gateways']) {
      await subject.open(path);
      await bar().getByText('1 change by admin').waitFor();
      const shown = await bar().getByRole('timer').innerText();
      expect(shown).toMatch(/^(10:00|9:\d\d)$/);
      await eventually(5, async () => expect(await bar().getByRole('timer').innerText()).not.toBe(shown));
      await bar().getByText('Numbers stopped: 0 (limit 5) · Gateways down: 0').waitFor();
    }
    expect(await faults(page())).toEqual([]);
    await bar().getByRole('button', { name: 'Confirm 1 change by admin' }).click();
    await bar().waitFor({ state: 'hidden' });
    expect(await nameOf(subject.app, kept)).toBe('after');

    await change(reverted);
    await subject.open('/history');
    await bar().getByRole('button', { name: 'Revert now: 1 change by admin' }).click();
    await bar().waitFor({ state: 'hidden' });
    expect(await nameOf(subject.app, reverted)).toBe('before');
  });

  test('changes that were not confirmed are told about, on a phone and to viewers, who have no buttons', async () => {
    const ref = await createGateway(subject.app, { name: 'before' });
    const id = await change(ref);
    await subject.open('/history', { ...PHONE, ...VIEWER });
    await bar().getByText('1 change by admin').waitFor();
    expect(await bar().getByRole('button').count()).toBe(0);
    await runSql(subject.url, 'UPDATE pending_changes SET due_on = 1 WHERE ref = ?', [id]);
    await bar().getByText('1 change by admin: reverted, not confirmed within 10 minutes').waitFor();
    expect(await faults(page())).toEqual([]);
    await bar().getByRole('button', { name: 'Hide' }).click();
    await bar().waitFor({ state: 'hidden' });
  });

  test('scheduled changes are listed and cancelled', async () => {
    const ref = await createGateway(subject.app, { name: 'before' });
    await change(ref, `at: "${inAnHour()}"`);
    await subject.open('/pending');
    const item = page().getByRole('listitem').filter({ hasText: 'Scheduled' });
    await item.getByText('1 change by admin').waitFor();
    expect(await faults(page())).toEqual([]);
    await item.getByRole('button', { name: 'Cancel 1 change by admin' }).click();
    await page().getByRole('listitem').filter({ hasText: 'Cancelled by admin' }).waitFor();
    expect(await nameOf(subject.app, ref)).toBe('before');
  });
});
