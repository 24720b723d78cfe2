// The plugin of graphql-codegen for the methods of the typed client, with documents without line breaks: they are a third
// of the package.
import { plugin as methods } from '@graphql-codegen/typescript-generic-sdk';

export const plugin = async (...args) => {
  const { prepend, content } = await methods(...args);
  return {
    prepend,
    content: content.replace(/gql`[^`]*`/g, (document) => document.replace(/\s+/g, ' ').replace('` ', '`')),
  };
};
