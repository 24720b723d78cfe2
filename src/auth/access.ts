import { ForbiddenError } from '../errors';
import type { Authenticator } from './authenticator';
import { mayAct, type Role, type Viewer } from './role';

/** What a request may use, once it is known who asks: the only way to the services. */
export interface Session<Read, Write, Admin> {
  readonly viewer: Viewer;
  readonly read: Read;
  /** Throws ForbiddenError below operator. */
  readonly write: Write;
  /** Throws ForbiddenError below admin. */
  readonly admin: Admin;
}

/** Hands the services out, each to those whose role allows it; no transport has them otherwise. */
export class Access<Read, Write, Admin> {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly services: { readonly read: Read; readonly write: Write; readonly admin: Admin },
  ) {}

  /** Throws UnauthenticatedError. */
  async open(token: string | undefined): Promise<Session<Read, Write, Admin>> {
    const viewer = await this.authenticator.viewerOf(token);
    const { read, write, admin } = this.services;
    return {
      viewer,
      read,
      get write() {
        assertRole(viewer, 'operator');
        return write;
      },
      get admin() {
        assertRole(viewer, 'admin');
        return admin;
      },
    };
  }
}

function assertRole({ role }: Viewer, needed: Role): void {
  if (!mayAct(role, needed)) throw new ForbiddenError(`This needs the role ${needed}; you have ${role}`);
}
