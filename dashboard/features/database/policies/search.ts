import { searchTexts } from '../../../session/search-texts.ts'

/** What the policies page keeps in its address; `tester` is the table whose policies are being tried. */
export type PoliciesSearch = { schema?: string; find?: string; tester?: number }

export function readPoliciesSearch(search: Record<string, unknown>): PoliciesSearch {
  const tester = Number(search['tester'])
  const given = Number.isInteger(tester) && tester > 0
  return { ...searchTexts(search, ['schema', 'find']), ...(given ? { tester } : {}) }
}
