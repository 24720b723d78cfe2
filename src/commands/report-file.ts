import type { FileHandle } from 'node:fs/promises';
import { types } from 'node:util';

import { stringify } from 'csv-stringify/sync';

import { CommandError } from './answer';
import { openPrivateFile } from './private-file';

// The number of characters that are written at once.
const CHUNK = 64 * 1024;

/** A CSV file that a command writes row by row, such as the result of each row of an import. */
export class ReportFile {
  private text = '';

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** Creates the file, or empties it. Only its owner can read it. */
  static async create(path: string): Promise<ReportFile> {
    return new ReportFile(path, await openPrivateFile(path));
  }

  /** Adds a row. Throws CommandError if the file cannot be written, for example because the disk is full. */
  async write(row: readonly (string | number)[]): Promise<void> {
    this.text += stringify([[...row]], { escape_formulas: true });
    if (this.text.length >= CHUNK) await this.flush();
  }

  /** Writes the rest of the rows and closes the file. Throws the errors of `write`. */
  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.file.close();
    }
  }

  private async flush(): Promise<void> {
    const { text } = this;
    this.text = '';
    try {
      await this.file.appendFile(text);
    } catch (error) {
      // Node's message: `ENOSPC: no space left on device, write`.
      const reason = types.isNativeError(error) ? error.message.replace(/^[A-Z]+: |, \w+$/g, '') : String(error);
      throw new CommandError(`${this.path} cannot be written: ${reason}`);
    }
  }
}
