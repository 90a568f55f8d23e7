import { presetIds } from '../../../modules/logs/range.ts'
import { oneOf, searchParams, type Param, type SearchOf } from '../../../session/search-params.ts'

const moment: Param<string> = (value) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined

/** Which time the charts of the page are of; the address keeps it, as that of a report does. */
export const infrastructureParams = searchParams({
  range: oneOf(...presetIds),
  from: moment,
  to: moment,
})
type Read = SearchOf<typeof infrastructureParams>
export type InfrastructureParams = { [Name in keyof Read]?: Read[Name] | undefined }
