import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import type { Row, SqlValue } from './sql';

/** What a process answers: rows, or why there are none. */
interface Answer {
  readonly rows?: readonly Row[];
  readonly code?: string;
  readonly message?: string;
}

// Milliseconds after which a process with nothing to do is ended.
const IDLE = 60_000;

/**
 * Reads a SQLite file in processes of their own, begun when they are needed. A thread would not do: it ends only after its
 * statement has, since nothing interrupts SQLite from outside.
 */
export class SqliteReaders {
  private readonly all = new Set<ChildProcess>();
  private readonly idle: { readonly child: ChildProcess; readonly timer: NodeJS.Timeout }[] = [];

  constructor(private readonly file: string) {}

  /** Runs a statement; its process is killed when it takes too long. */
  rows(text: string, values: readonly SqlValue[], milliseconds: number): Promise<readonly Row[]> {
    const child = this.take();
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        child.removeAllListeners('message').removeAllListeners('exit');
      };
      const timer = setTimeout(() => {
        end();
        this.kill(child);
        reject(failed('SQLITE_SLOW', 'The statement took too long'));
      }, milliseconds);
      child.once('message', (answer: Answer) => {
        end();
        this.rest(child);
        if (answer.rows) resolve(answer.rows);
        else reject(failed(answer.code, answer.message));
      });
      child.once('exit', () => {
        end();
        this.kill(child);
        reject(failed('SQLITE_READER_LOST', 'The process ended'));
      });
      child.send({ text, values }, (error) => {
        // What does not arrive is not answered; the exit tells the rest.
        if (error) child.kill('SIGKILL');
      });
    });
  }

  /** What runs is stopped. */
  close(): void {
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer);
    for (const child of this.all) child.kill('SIGKILL');
  }

  private take(): ChildProcess {
    const rested = this.idle.pop();
    const child = rested?.child ?? this.begin();
    clearTimeout(rested?.timer);
    child.removeAllListeners('exit');
    child.channel?.ref();
    return child;
  }

  private begin(): ChildProcess {
    // Nothing of the environment is needed, and secrets are in it.
    const child = fork(join(__dirname, 'sqlite-child.js'), [this.file], { env: {}, execArgv: [] });
    child.on('error', () => child.kill('SIGKILL'));
    child.unref();
    this.all.add(child);
    return child;
  }

  private rest(child: ChildProcess): void {
    child.channel?.unref();
    child.once('exit', () => {
      this.kill(child);
    });
    const timer = setTimeout(() => {
      this.kill(child);
    }, IDLE).unref();
    this.idle.push({ child, timer });
  }

  private kill(child: ChildProcess): void {
    const place = this.idle.findIndex((each) => each.child === child);
    if (place >= 0) clearTimeout(this.idle.splice(place, 1)[0]?.timer);
    this.all.delete(child);
    child.kill('SIGKILL');
  }
}

function failed(code: string | undefined, message: string | undefined): Error {
  return Object.assign(new Error(message), { code });
}
