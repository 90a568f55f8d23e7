import { randomInt } from 'node:crypto'
import { freePorts } from '../network/free-port.ts'

/** A TCP port of this machine that was free a moment ago, and that no outgoing connection gets. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

/**
 * For the databases of one installation: those of installations beside it begin elsewhere, as do the ports that the system
 * gives to connections that programs open. A port that is let go for a moment is then still there afterwards.
 */
export function databasePortRange(): { low: number; high: number } {
  const low = randomInt(20_000, 32_000)
  return { low, high: low + 400 }
}
