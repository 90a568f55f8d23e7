/** What the platform answers in place of a function (contracts/functions.md). */
export const faults = {
  NO_AUTHORIZATION: { status: 401, code: 401, message: 'Missing authorization header' },
  INVALID_JWT: { status: 401, code: 401, message: 'Invalid JWT' },
  NOT_FOUND: { status: 404, code: 'NOT_FOUND', message: 'Requested function was not found' },
  WORKER_ERROR: {
    status: 500,
    code: 'WORKER_ERROR',
    message: 'Function exited due to an error (please check logs)',
  },
  BOOT_ERROR: {
    status: 503,
    code: 'BOOT_ERROR',
    message: 'Function failed to start (please check logs)',
  },
  NO_RUNTIME: {
    status: 503,
    code: 'NO_RUNTIME',
    message: 'Functions cannot run here: there is no Deno for this machine',
  },
  IDLE_TIMEOUT: {
    status: 504,
    code: 'IDLE_TIMEOUT',
    message: 'Function did not answer in time',
  },
  WORKER_LIMIT: {
    status: 546,
    code: 'WORKER_LIMIT',
    message: 'Function failed due to not having enough compute resources (please check logs)',
  },
} as const
export type FaultName = keyof typeof faults

export class Fault extends Error {
  readonly fault: FaultName

  constructor(fault: FaultName) {
    super(faults[fault].message)
    this.fault = fault
  }
}
