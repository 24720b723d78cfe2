import { kinds } from '../../src/model/kinds';
import { modelOf } from '../../src/model/model';

/** The model of an application, unless a test uses other kinds. */
export const model = modelOf(kinds);
