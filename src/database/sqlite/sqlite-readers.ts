import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import type { Row, SqlValue } from '../sql';

/** The message that a reader process sends back: rows or an error. */
interface Reply {
  readonly rows?: readonly Row[];
  readonly code?: string;
  readonly message?: string;
}

// Milliseconds after which an idle process is killed. It takes 55 MB, and 0.1 s to start. While numbers are counted, it is used at least
// every 10 s.
const IDLE = 15_000;

/**
 * Reads and copies a SQLite file in child processes, which are started on demand. A statement that takes too long is stopped by
 * killing its process. Worker threads cannot be used, because better-sqlite3 cannot be interrupted, and a thread ends
 * only after its statement.
 */
export class SqliteReaders {
  private readonly all = new Set<ChildProcess>();
  private readonly idle: { readonly child: ChildProcess; readonly timer: NodeJS.Timeout }[] = [];

  constructor(private readonly file: string) {}

  /**
   * Runs a statement in a child process. If the statement takes longer than `milliseconds`, or the signal is aborted,
   * kills the process and rejects.
   */
  async rows(
    text: string,
    values: readonly SqlValue[],
    milliseconds: number,
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    return await this.order({ text, values }, milliseconds, signal);
  }

  /** Copies the file in a child process (see `copySqlite`). Kills the process and rejects as `rows` does. */
  async copyTo(target: string, milliseconds: number): Promise<void> {
    await this.order({ copyTo: target }, milliseconds);
  }

  private async order(order: object, milliseconds: number, signal?: AbortSignal): Promise<readonly Row[]> {
    signal?.throwIfAborted();
    const child = this.take();
    return await new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        child.removeAllListeners('message').removeAllListeners('exit');
      };
      const stop = (error: Error): void => {
        end();
        this.kill(child);
        reject(error);
      };
      const timer = setTimeout(() => stop(errorOf('SQLITE_SLOW', 'The statement timed out')), milliseconds);
      const cancel = (): void => stop(signal?.reason as Error); // the error of the request
      signal?.addEventListener('abort', cancel);
      child.once('message', (reply: Reply) => {
        end();
        this.release(child);
        if (reply.rows) resolve(reply.rows);
        else reject(errorOf(reply.code, reply.message));
      });
      child.once('exit', () => {
        end();
        this.kill(child);
        reject(errorOf('SQLITE_READER_LOST', 'The reader process exited'));
      });
      child.send(order, (error) => {
        // The process did not get the statement and will not reply. The `exit` event of the killed process rejects the
        // promise.
        if (error) child.kill('SIGKILL');
      });
    });
  }

  /** Kills all processes, including those that run a statement. */
  close(): void {
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer);
    for (const child of this.all) child.kill('SIGKILL');
  }

  private take(): ChildProcess {
    const idle = this.idle.pop();
    const child = idle?.child ?? this.start();
    clearTimeout(idle?.timer);
    child.removeAllListeners('exit');
    child.channel?.ref();
    return child;
  }

  private start(): ChildProcess {
    const child = forkReader(join(__dirname, 'sqlite-child.js'), this.file);
    child.on('error', () => child.kill('SIGKILL'));
    child.unref();
    this.all.add(child);
    return child;
  }

  private release(child: ChildProcess): void {
    child.channel?.unref();
    child.once('exit', () => this.kill(child));
    const timer = setTimeout(() => this.kill(child), IDLE).unref();
    this.idle.push({ child, timer });
  }

  private kill(child: ChildProcess): void {
    const index = this.idle.findIndex((each) => each.child === child);
    if (index >= 0) clearTimeout(this.idle.splice(index, 1)[0]?.timer);
    this.all.delete(child);
    child.kill('SIGKILL');
  }
}

/**
 * Starts a reader process. Throws if the system has no process or file descriptor left, which `fork` reports as an
 * exception or as an event.
 */
function forkReader(script: string, file: string): ChildProcess {
  try {
    // The environment contains secrets, and the process needs none of it.
    const child = fork(script, [file], { env: {}, execArgv: [] });
    if (child.channel) return child;
    child.on('error', () => undefined);
  } catch {
    // The error is thrown below.
  }
  throw errorOf('SQLITE_READER_LOST', 'The reader process could not be started');
}

function errorOf(code: string | undefined, message: string | undefined): Error {
  return Object.assign(new Error(message), { code });
}
