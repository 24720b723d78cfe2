import type { TestApp } from './app';

/** Errors of MySQL and MariaDB that may pass, and the seconds after which clients may retry. */
export const ERRORS: Readonly<Record<number, string>> = {
  1021: '5', // a full disk
  1026: '5', // a file that cannot be written
  1040: '5', // too many connections
  1047: '5', // a node without a quorum
  1114: '5', // a full table
  1129: '5', // a blocked client
  1180: '5', // a commit that fails
  1205: '5', // a lock that is not released
  1213: '5', // a deadlock in each attempt
  1226: '5', // a limit of the server's user
  1290: '5', // a read-only server
  1461: '5', // too many prepared statements
  1836: '5', // a read-only mode
  1969: '8', // MariaDB's time limit of a statement
  3024: '8', // MySQL's time limit of a statement
  3032: '5', // an offline mode
  3100: '5', // a group of nodes without a majority
  3101: '5', // a conflict with another node
};

/** Makes the insert of a gateway fail with the number in its host. */
export const TRIGGER = `CREATE TRIGGER refusing BEFORE INSERT ON gateways FOR EACH ROW
  BEGIN
    DECLARE number INT DEFAULT CAST(SUBSTRING(NEW.host, 2, 4) AS UNSIGNED);
    SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = number, MESSAGE_TEXT = 'told by a trigger';
  END`;

const MUTATION = 'mutation ($input: CreateGatewayInput!) { createGateway(input: $input) { ref } }';

/** What a create fails with, in both protocols. */
export async function refusal(app: TestApp, number: string): Promise<readonly unknown[]> {
  const gateway = { host: `e${number}.test`, transport: 'UDP' };
  const document = { kind: 'Gateway', metadata: { name: `r${number}` }, spec: { ...gateway, transport: 'udp' } };
  const [{ errors = [] }, { status, headers, text }] = await Promise.all([
    app.graphql(MUTATION, { input: { name: `g${number}`, ...gateway } }),
    app.rest('POST', '/gateways', { body: document }),
  ]);
  if (text.includes('told by a trigger')) throw new Error(`The response has the server's message: ${text}`);
  return [errors[0]?.extensions['code'], status, headers.get('retry-after')];
}
