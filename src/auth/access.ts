import { ForbiddenError, NotSupportedError } from '../errors';
import type { Authenticator } from './authenticator';
import { mayAct, type Role, type Viewer } from './role';

/** What a request may use, once it is known who asks: the only way to the services. */
export interface Session<Read, Write, Admin> {
  readonly viewer: Viewer;
  readonly read: Read;
  /** Throws ForbiddenError below operator, and NotSupportedError where nothing may be changed. */
  readonly write: Write;
  /** For looking; throws ForbiddenError below admin. */
  readonly admin: Admin;
  /** For changing; throws as `admin` and `write` do. */
  readonly adminWrite: Admin;
}

/** Hands the services out, each to those whose role allows it; no transport has them otherwise. */
export class Access<Read, Write, Admin> {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly services: {
      readonly read: (viewer: Viewer) => Read;
      readonly write: Write;
      readonly admin: Admin;
    },
    private readonly readOnly = false,
  ) {}

  /** Throws UnauthenticatedError. */
  async open(token: string | undefined): Promise<Session<Read, Write, Admin>> {
    const viewer = await this.authenticator.viewerOf(token);
    const { write, admin } = this.services;
    const { readOnly } = this;
    return {
      viewer,
      read: this.services.read(viewer),
      get write() {
        assertRole(viewer, 'operator');
        assertWritable(readOnly);
        return write;
      },
      get admin() {
        assertRole(viewer, 'admin');
        return admin;
      },
      get adminWrite() {
        assertRole(viewer, 'admin');
        assertWritable(readOnly);
        return admin;
      },
    };
  }
}

function assertWritable(readOnly: boolean): void {
  if (readOnly) throw new NotSupportedError('Operation not supported by data source the service');
}

function assertRole({ role }: Viewer, needed: Role): void {
  if (!mayAct(role, needed)) throw new ForbiddenError(`This needs the role ${needed}; you have ${role}`);
}
