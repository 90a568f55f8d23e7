import { randomBytes } from 'node:crypto'
import { resolveTxt } from 'node:dns/promises'
import type { SsoDomain } from '#contract/organizations/sso'
import type { SsoDomainRow } from './store.ts'

/** Looks up TXT records: for each record the texts it consists of. Fails where there are none. */
export type ResolveTxt = (name: string) => Promise<string[][]>

export const resolveTxtByDns: ResolveTxt = (name) => resolveTxt(name)

export const newDomainToken = (): string => randomBytes(16).toString('hex')

const recordName = (domain: string) => `_plinth-sso.${domain}`
const recordValue = (token: string) => `plinth-sso-verification=${token}`

export function shapeDomain({ domain, token, verified_at }: SsoDomainRow): SsoDomain {
  return {
    domain,
    verified_at: verified_at?.toISOString() ?? null,
    record: { type: 'TXT', name: recordName(domain), value: recordValue(token) },
  }
}

/** DNS codes that say that there is no such record, in contrast to a server that does not answer. */
const nothingThere = new Set(['ENOTFOUND', 'ENODATA'])

/** Whether the record of a domain is there. */
export async function hasRecord(resolve: ResolveTxt, row: SsoDomainRow): Promise<boolean> {
  try {
    const records = await resolve(recordName(row.domain))
    return records.some((parts) => parts.join('') === recordValue(row.token))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (nothingThere.has(code)) return false
    throw error
  }
}
