import type { MouseEvent } from 'react';

import { momentPath } from '../parts/links';
import type { Span } from './use-samples';

/** The address of the page about the moment of a plot that was clicked. */
export function clickedPath(
  { clientX, currentTarget }: Pick<MouseEvent, 'clientX' | 'currentTarget'>,
  { from, to }: Span,
  gatewayRef?: string,
): string {
  const { left, width } = currentTarget.getBoundingClientRect();
  const at = from + ((clientX - left) / width) * (to - from);
  return momentPath(Math.min(Math.max(at, from), to), gatewayRef);
}
