import { Phone } from './phone';

/** What a party does with an INVITE: its responses, in order, and waits in milliseconds. */
export type Script = readonly (string | number)[];

/** A phone or a provider at an address of its own, which responds to each INVITE as it is told. */
export class Party {
  script: Script = [];
  /** The first copy of each request. */
  readonly heard: string[] = [];
  private readonly branches = new Set<string>();
  private readonly canceled = new Set<string>();

  private constructor(
    readonly name: string,
    readonly phone: Phone,
  ) {}

  static async open(name: string, server: string, host: string): Promise<Party> {
    return new Party(name, await Phone.open(server, host));
  }

  /** Responds from now on, after the phone has registered. */
  listen(): void {
    this.phone.handle((message) => void this.hears(message));
  }

  /** The requests of a method. */
  of(method: string): readonly string[] {
    return this.heard.filter((each) => each.startsWith(`${method} `));
  }

  private async hears(message: string): Promise<void> {
    if (message.startsWith('SIP/2.0')) return;
    const [method = ''] = message.split(' ');
    const branch = /branch=([^;\r]+)/.exec(message)?.[1] ?? '';
    const key = `${method} ${branch}`;
    if (this.branches.size === this.branches.add(key).size) return;
    this.heard.push(message);
    if (method === 'BYE' || method === 'CANCEL') this.phone.answers(message, '200 OK', this.name);
    if (method === 'CANCEL') {
      const invite = this.of('INVITE').find((each) => each.includes(branch)) ?? '';
      if (this.script.includes('late')) return;
      this.canceled.add(branch);
      this.phone.answers(invite, '487 Request Terminated', this.name);
    }
    if (method === 'INVITE') await this.answers(message, branch);
  }

  private async answers(invite: string, branch: string): Promise<void> {
    for (const step of this.script) {
      if (step === 'late') continue;
      if (typeof step === 'number') {
        await new Promise((resolve) => setTimeout(resolve, step));
        continue;
      }
      if (this.canceled.has(branch)) return;
      const contact = `Contact: <${this.phone.contact(this.name)}>`;
      if (!step.startsWith('407')) this.phone.answers(invite, step, this.name, [contact]);
      else if (!invite.includes('Proxy-Authorization')) {
        this.phone.answers(invite, step, this.name, ['Proxy-Authenticate: Digest realm="p", nonce="n"']);
        return;
      }
    }
  }
}
