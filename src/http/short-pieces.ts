import { UpgradableRequest } from './ignored-upgrade';

/** A body may have a piece for each of so many bytes. */
const BYTES_PER_PIECE = 16;
/** Pieces that it may have beyond those, because a client may send each line of a file as a chunk. */
const FREE_PIECES = 2000;

/**
 * A request whose connection is closed if its body arrives in too many short pieces. A chunk of one byte takes six, and each one is
 * handed on by itself: a few connections of anyone, which are read for as long as they send, would keep the process from all others.
 */
export class BoundedRequest extends UpgradableRequest {
  private left = FREE_PIECES * BYTES_PER_PIECE;

  override push(piece: Buffer | null): boolean {
    // What Node has read at once is handed on, also when its connection is closed meanwhile.
    if (this.left < 0) return false;
    if (piece !== null) this.left += piece.length - BYTES_PER_PIECE;
    if (this.left < 0) this.socket.destroy();
    return super.push(piece);
  }
}
