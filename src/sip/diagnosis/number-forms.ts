import type { Reads } from '../../database/sql';
import { digitsIn, type NumberForm } from '../../model/format/number-format';
import { formsOf, TABLES } from '../kamailio/routing';

/** What a national number means where a gateway writes numbers in a form. */
interface MeantDigits {
  readonly digits: string;
  readonly form: NumberForm;
}

/**
 * What a number that is written without `+` means in the forms of gateways, as route[IN_FORMS] reads it: `030123` is 4930123 of a
 * gateway with the format DE.
 */
export async function meantDigits(sql: Pick<Reads, 'rows'>, written: string): Promise<readonly MeantDigits[]> {
  if (written.startsWith('+') || !/\d/.test(written)) return [];
  const forms = await sql.rows(formsOf(TABLES), []);
  return forms.flatMap(([plus, country, trunk]) => {
    const form = { plus: String(plus), country: String(country), trunk: String(trunk) };
    const [, digits] = digitsIn(written, form);
    return digits === undefined ? [] : [{ digits, form }];
  });
}

/** Whether two gateways write numbers in the same way. */
export function isSameForm(one: NumberForm, other: NumberForm): boolean {
  const key = ({ plus, country, trunk }: NumberForm): string => [plus, country ?? '', trunk ?? ''].join('|');
  return key(one) === key(other);
}
