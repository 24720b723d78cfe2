/**
 * Whether the run is full (FULL=1), as CI's is on Sundays. Other runs draw fewer random cases, and repeat on MySQL only
 * what differs between its dialect and MariaDB's.
 */
export const isFull = process.env['FULL'] === '1';
