import { freePorts } from '../network/free-port.ts'

/** A TCP port of this machine that was free a moment ago, and that no outgoing connection gets. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}
