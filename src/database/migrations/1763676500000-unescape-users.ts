import type { MigrationInterface, QueryRunner } from 'typeorm';

const BATCH = 1000;

/** Unescapes `aor_user` (RFC 3261, 19.1.4): the same user, escaped and unescaped, was treated as two users. */
export class UnescapeUsers1763676500000 implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return nameUsers(runner, unescaped);
  }

  down(runner: QueryRunner): Promise<void> {
    return nameUsers(runner, (written) => written);
  }
}

/** Recomputes `aor_user` from the user part of `aor_link`, which `named` converts. */
async function nameUsers(runner: QueryRunner, named: (written: string) => string): Promise<void> {
  for (let last = 0; ;) {
    const rows = (await runner.query(
      `SELECT id, aor_link AS link FROM numbers WHERE id > ? AND aor_user <> '' AND INSTR(aor_link, '%') > 0
       ORDER BY id LIMIT ${String(BATCH)}`,
      [last],
    )) as { readonly id: number; readonly link: string }[];
    if (rows.length === 0) return;
    const cases = rows.map(() => 'WHEN ? THEN ?').join(' ');
    const places = rows.map(() => '?').join(', ');
    await runner.query(`UPDATE numbers SET aor_user = CASE id ${cases} END WHERE id IN (${places})`, [
      ...rows.flatMap(({ id, link }) => [id, named(/^sips?:([^@]*)@/i.exec(link)?.[1] ?? '')]),
      ...rows.map(({ id }) => id),
    ]);
    last = Number(rows.at(-1)?.id);
  }
}

function unescaped(user: string): string {
  return user.replace(/(?:%[0-9A-F]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped;
    }
  });
}
