import { explain } from './explain';
import { graph } from './graph';
import { kinds } from './kinds';
import { layout } from './layout';
import { parts } from './parts';
import { session } from './session';
import { titles } from './titles';

/**
 * The texts of the first page and of all pages, in English. The pages that are loaded on demand import their own from the
 * files beside this one. Texts of kinds and fields come from the graph.
 */
export const texts = { explain, graph, kinds, layout, parts, session, titles } as const;
