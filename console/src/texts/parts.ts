/** The texts of parts/. */
export const parts = {
  loading: 'Loading',
  cancel: 'Cancel',
  once: 'It is shown only now. Copy it, and keep it in a safe place.',
  copy: 'Copy',
  copied: 'Copied',
  done: 'I have copied it',
} as const;
