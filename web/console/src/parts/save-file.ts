/** Saves a file among the downloads of the browser. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has started to read the file when this runs.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
