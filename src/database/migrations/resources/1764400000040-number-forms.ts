import { SqlMigration } from '../../ddl';

/** An index of how gateways write numbers, by which calls from them are read. */
export class NumberForms1764400000040 extends SqlMigration {
  readonly statements = (): readonly string[] => [
    'CREATE INDEX gateways_number_form ON gateways (number_country, number_plus, number_trunk)',
  ];
}
