import { CreateModel1763676000000 } from './migrations/1763676000000-create-model';
import { CreateLive1763676100000 } from './migrations/1763676100000-create-live';

/** Every step of the schema, oldest first; one set for all databases. */
export const migrations = [CreateModel1763676000000, CreateLive1763676100000];
