import { SqlMigration, type Dialect } from '../ddl';

/** Creates the table of the users who have written recently, whose reads need a replica that has their writes. */
export class ReplicaMarks1763676920000 extends SqlMigration {
  readonly statements = ({ table }: Dialect): readonly string[] => [
    // `name` is the ref of a user, or empty for the row that shows how far replicas are behind.
    `CREATE TABLE replica_marks (name varchar(100) PRIMARY KEY NOT NULL, marked_on bigint NOT NULL) ${table}`,
  ];
}
