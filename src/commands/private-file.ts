import { open, type FileHandle } from 'node:fs/promises';

/** Opens a file to be written anew, which only its owner may read, also where it exists already. Throws where another owns it. */
export async function openPrivateFile(path: string): Promise<FileHandle> {
  const file = await open(path, 'w', 0o600);
  try {
    // What is no file, such as /dev/stdout, keeps its mode.
    if ((await file.stat()).isFile()) await file.chmod(0o600);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
