import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../ddl';

/** Creates the table of the users who have written recently, whose reads need a replica that has their writes. */
export class ReplicaMarks1763676920000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { table } = await dialectOf(runner);
    // `name` is the ref of a user, or empty for the row that shows how far replicas are behind.
    await runner.query(
      `CREATE TABLE replica_marks (name varchar(100) PRIMARY KEY NOT NULL, marked_on bigint NOT NULL) ${table}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE replica_marks');
  }
}
