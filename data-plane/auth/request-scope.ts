import { AsyncLocalStorage } from 'node:async_hooks'
import { requestNameSetting } from '../projects/request-name.ts'

/**
 * The request that is being answered. Transactions begin in some sixty places, which know their tenant and have no other
 * need to know the request.
 */
const requestIds = new AsyncLocalStorage<string>()

export const answering = <T>(requestId: string, work: () => T): T => requestIds.run(requestId, work)

/** Whether a request is being answered. */
export const isAnswering = (): boolean => requestIds.getStore() !== undefined

/** Begins a transaction that the log of the database's server names by the request. */
export function beginStatement(): string {
  const settings = requestNameSetting(requestIds.getStore())
  return ['begin', ...settings.map(([name, value]) => `set local ${name} = ${quoted(value)}`)].join(
    ';',
  )
}

/** A request names itself by letters, digits, hyphens and underscores only. */
const quoted = (value: string): string => `'${value.replaceAll(/[^\w:-]/g, '')}'`
