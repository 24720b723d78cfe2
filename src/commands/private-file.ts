import { open, type FileHandle } from 'node:fs/promises';

/** Creates or truncates a file with mode 0600, even if it already exists. Throws if it belongs to another user. */
export async function openPrivateFile(path: string): Promise<FileHandle> {
  const file = await open(path, 'w', 0o600);
  try {
    // Devices, such as /dev/stdout, keep their mode.
    if ((await file.stat()).isFile()) await file.chmod(0o600);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
