import { MAX_LISTED, type Context } from '../context';
import { refusal } from './present-error';

// Characters. No other request is served while a response is made.
const MAX_RESPONSE = 32 * 1024 * 1024;

/** The error to send instead of a response whose lists were emptied. */
export const TOO_MANY_OBJECTS = refusal(
  `The lists of the response have more than ${String(MAX_LISTED)} objects; request less. If it was a mutation, it has been executed`,
  'RESPONSE_TOO_LARGE',
);

const TOO_LARGE = JSON.stringify({
  errors: [
    refusal(
      'The response is longer than 32 MiB; request less. If it was a mutation, it has been executed',
      'RESPONSE_TOO_LARGE',
    ),
  ],
});

/** Charges for the text of a response. Returns the error to send instead if the text is too long. */
export function chargeResponse(text: string, context: Context | undefined): string | undefined {
  context?.chargeAnswer(text.length);
  return text.length > MAX_RESPONSE ? TOO_LARGE : undefined;
}

/** Charges for a message of graphql-ws, and returns the message to send: that of an error if it is too long. */
export function chargeMessage(message: string, context: Context | undefined): string {
  const tooLarge = chargeResponse(message, context);
  if (tooLarge === undefined) return message;
  // graphql-ws writes the id first.
  const id = /^\{"id":("(?:[^"\\]|\\.)*"),/.exec(message)?.[1];
  return id === undefined ? message : `{"id":${id},"type":"next","payload":${tooLarge}}`;
}
