import { closeLeftovers } from './leftovers';

afterAll(closeLeftovers);
// Test files share the objects of the program and of Node.
afterAll(() => {
  jest.restoreAllMocks();
});
