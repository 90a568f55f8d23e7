import { id, searchParams, text, type SearchOf } from '../../../session/search-params.ts'

/** What the page keeps in its address. */
export const readPrivilegeSearch = searchParams({ schema: text, table: id, role: text })
export type PrivilegeSearch = SearchOf<typeof readPrivilegeSearch>
