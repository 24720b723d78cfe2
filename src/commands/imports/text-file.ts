import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';

import { CommandError } from '../answer';

/** Reads the text of a file in UTF-8, or in UTF-16 with a byte order mark. Throws CommandError for another encoding. */
export async function* readText(file: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  try {
    for await (const chunk of createReadStream(file)) {
      const bytes = chunk as Buffer; // without an encoding
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder?.decode() ?? '';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandError(`${file} is not a text in UTF-8`);
  }
}

/** The text of a whole file. Throws the errors of `readText`. */
export async function wholeTextOf(file: string): Promise<string> {
  const parts: string[] = [];
  for await (const part of readText(file)) parts.push(part);
  return parts.join('');
}

function encodingOf(start: Buffer): string {
  const mark = start.subarray(0, 2).toString('hex');
  return mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
}
