import { closeLeftovers } from './leftovers';

afterAll(closeLeftovers);
