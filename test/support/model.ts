import { kinds } from '../../src/model/kinds';
import { modelOf } from '../../src/model/model';

/** The kinds that an application has unless a test says otherwise. */
export const model = modelOf(kinds);
