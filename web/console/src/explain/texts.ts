/** The texts of explanations of an earlier time. */
export const words = {
  at: 'At an earlier time',
  hint: 'Why it did not ring then; empty for now',
  rang: 'It rang then',
  rangNot: 'It did not ring then',
  unknown: 'What was then is not known',
  change: 'Show the change in the history, to revert it',
  none: 'This number did not exist then',
  slider: 'Time, up to 7 days ago',
  now: 'Now',
  outcomes: {
    RINGS: 'It rang then',
    LEAVES: 'It left through a gateway',
    REFUSED: 'It was refused',
    UNKNOWN: 'What became of it is not known',
  },
  refused: (status: number, reason: string) => `It was refused: ${String(status)} ${reason}`,
};
