import { id, searchParams, text, type SearchOf } from '../../../session/search-params.ts'

/** What the policies page keeps in its address; `tester` is the table whose policies are being tried. */
export const readPoliciesSearch = searchParams({ schema: text, find: text, tester: id })
export type PoliciesSearch = SearchOf<typeof readPoliciesSearch>
