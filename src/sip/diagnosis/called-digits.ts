import { InvalidInputError, quote } from '../../errors';
import { telDigits } from '../../model/format/tel-uri';
import { international, type Country } from '../../spelling/telephone';
import { MAX_NUMBER, numberIn, plainText } from '../../spelling/written';

/** A number as it was asked for. */
interface CalledDigits {
  /** The text without formatting. */
  readonly plain: string;
  /** The digits as written. */
  readonly written: string;
  /** The digits that they mean in the home country. */
  readonly digits: string;
}

// Local numbers (RFC 3966, 3) may have letters, which the SIP server ignores.
const LOCAL = /^(?:tel:)?[\d\s\-./()*#A-F]+(?:;.*)?$/i;

/** Reads a number in any spelling. Throws InvalidInputError if the text is not a telephone number. */
export function calledDigits(telUrl: string, home: Country | undefined): CalledDigits {
  const plain = telUrl.length > MAX_NUMBER ? '' : plainText(telUrl);
  const number = numberIn(plain)?.number ?? (LOCAL.test(plain) ? telDigits(plain) : '');
  const [written, digits] = [telDigits(number), telDigits(international(number, home))];
  if (written === '') throw InvalidInputError.of('telUrl', `${quote(telUrl)} is not a telephone number`);
  return { plain, written, digits };
}
