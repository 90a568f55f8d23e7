import { createHmac } from 'node:crypto'

/** On requests by which the platform looks whether a service answers. */
export const probeHeader = 'x-plinth-probe'

/** Its value. Whoever learns it can do nothing but look without being logged: it is not the internal token. */
export const probeToken = (internalToken: string): string =>
  createHmac('sha256', internalToken).update('probe').digest('hex')
