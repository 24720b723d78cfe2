import type { Range } from '../../database/page';
import type { HealthPage } from '../../sip/diagnosis/number-diagnosis';
import { Connection, type PageInfo } from '../schema/connection';
import { CREATION_CURSORS } from '../schema/cursors';
import { NumberHealth } from './diagnosis-types';

/**
 * A page of verdicts. A search by state may stop before the page is full. The cursor from which paging continues is
 * then the position where the search stopped.
 */
export class HealthConnection extends Connection<NumberHealth> {
  constructor(
    private readonly looked: HealthPage,
    private readonly backwards: boolean,
    range: Range,
    count: number | undefined,
  ) {
    super({ items: looked.items.map((facts) => new NumberHealth(facts)), more: looked.more }, range, count);
  }

  override get pageInfo(): PageInfo {
    const page = super.pageInfo;
    if (this.looked.end === undefined) return page;
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page;
    const end = CREATION_CURSORS.write({ rowId: this.looked.end });
    return this.backwards
      ? { hasNextPage, hasPreviousPage, startCursor: end, endCursor }
      : { hasNextPage, hasPreviousPage, startCursor, endCursor: end };
  }
}
