import { presetIds } from '../../../modules/logs/range.ts'
import {
  oneOf,
  searchParams,
  text,
  type Param,
  type SearchOf,
} from '../../../session/search-params.ts'

const moment: Param<string> = (value) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined

/** What the explorer keeps in its address. */
export const explorerParams = searchParams({
  /** The query. One that came with the address runs at once. */
  q: text,
  /** `columns`: the newer one; the older one without it. */
  dialect: oneOf('columns'),
  range: oneOf(...presetIds),
  from: moment,
  to: moment,
  view: oneOf('chart'),
  /** The saved query that is open. */
  saved: text,
})
type Read = SearchOf<typeof explorerParams>
export type ExplorerParams = { [Name in keyof Read]?: Read[Name] | undefined }

/** A longer query would make an address that servers refuse; it stays in this browser. */
const longestInAddress = 3000

export const addressable = (sql: string): string | undefined =>
  encodeURIComponent(sql).length <= longestInAddress ? sql : undefined
